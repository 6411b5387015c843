#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/planner.hpp>

#include "plan/constants.hpp"

namespace abut {

/// What the planner knows about the machine: the constants of its models, and what trials have shown. As text:
///
///     abut calibration 2; version 0.1.0; Intel(R) Xeon(R) Processor @ 2.80GHz, 2 cores
///     bounding-volume.search 1180.5
///     ... a line for every cost, in ns
///     learned spheres 3D count=2^17 sizes=2^0 others=2^3 move=2^-7: nearest-neighbor by=grid distance=0.3
///
/// Lengths in what was learned are in mean widths of a body.
struct calibration {
  cost_constants constants{};
  bool of_this_machine = false;
  std::vector<std::pair<std::string, std::string>> learned{};  ///< features and the plan; the latest last

  [[nodiscard]] const std::string* learned_for(std::string_view features) const;
};

/// The first line of the text: the format, the version, the machine.
[[nodiscard]] std::string calibration_stamp();
[[nodiscard]] std::string text_of(const calibration& c);
/// Nothing where the text is damaged, or of another version or machine.
[[nodiscard]] std::optional<calibration> read_calibration(std::string_view text);

/// What is in force: the cache's, read at the first call, or what is built in.
[[nodiscard]] std::shared_ptr<const calibration> calibration_in_force();

/// Puts it into force and into the cache, whole or not at all. Returns whether it could be written.
bool put_into_force(const calibration& c);

/// Adds what a trial has shown. What other processes have added to the cache meanwhile is kept.
void remember(const std::string& features, const std::string& plan);

/// The next call reads the cache again.
void forget_calibration();

/// Measures the constants.
[[nodiscard]] cost_constants measured_constants();

/// As the system names it; "" where that is not known.
[[nodiscard]] std::string processor_name();

}  // namespace abut
