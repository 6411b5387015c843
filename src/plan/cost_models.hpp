#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "steps/features.hpp"

namespace abut {

/// What the methods' work is made of. Each has a cost in ns, which a calibration measures; `cost_names` has the order.
enum class cost : std::uint8_t {
  bounding_search,
  bounding_body,
  bounding_test,
  cell_search,
  cell_body,
  cell_far,
  cell_row,
  cell_test,
  cell_entry,
  cell_meeting,
  hashing_search,
  hashing_body,
  hashing_far,
  hashing_test,
  level_search,
  level_body,
  level_far,
  level_visit,
  level_test,
  grid_search,
  grid_body,
  grid_far,
  grid_visit,
  grid_test,
  list_search,
  list_body,
  list_far,
  list_test,
  rebuild_by,
  rebuild_body,
  rebuild_far,
  rebuild_pair,
  count
};
constexpr auto costs = static_cast<std::size_t>(cost::count);
extern const std::array<std::string_view, costs> cost_names;

/// The ns of each.
using cost_constants = std::array<double, costs>;

/// As measured on the machine of the documentation's figures.
extern const cost_constants built_in_constants;

/// How much of what a body takes, on average, in an update and a search.
struct work_item {
  cost what;
  double amount;
};
using work = std::vector<work_item>;

[[nodiscard]] double predicted(const work& w, const cost_constants& c);

/// The model of a method: the work of a new search, from the bodies' features alone.
struct cost_model {
  std::string_view method;
  work (*of)(const features& f);
  std::string (*why)(const features& f);  ///< what it makes of the bodies, in a few words
};
/// All of them, but for nearest-neighbor: methods that can never win have none.
[[nodiscard]] std::span<const cost_model> cost_models();

/// A list of neighbors (nearest-neighbor): how many pairs it has a body with this distance,
[[nodiscard]] double listed_pairs(const features& f, double distance);
/// how many steps it lasts where bodies move so,
[[nodiscard]] double steps_listed(const features& f, double distance);
/// the work of a step with it,
[[nodiscard]] work list_work(const features& f, double distance);
/// and of a rebuild by a method that takes `by` ns for such bodies, in places where near ones are side by side.
[[nodiscard]] work rebuild_work(const features& f, double distance, double by);

}  // namespace abut
