#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "steps/features.hpp"

namespace abut {

/// A unit of a method's work, and what it takes. A cost without its nanoseconds does not compile.
struct cost {
  std::string_view name;  ///< in a calibration: "grid.test"
  double ns;              ///< as measured on the machine of the documentation's figures

  consteval cost(std::string_view n, double t) : name(n), ns(t > 0 ? t : throw "a cost takes some nanoseconds") {}
};

/// How much work an update and a search take, per body on average.
struct work_item {
  const cost* what;
  double amount;
};
using work = std::vector<work_item>;

/// The model of a method: the work of a new search, from the bodies' features alone.
struct cost_model {
  std::span<const cost* const> costs;     ///< all that `of` uses
  work (*of)(const features& f);          ///< every cost in every work
  std::string (*why)(const features& f);  ///< what the method makes of the bodies, in a few words
};

/// The model of a method that keeps a list of near pairs, which another method rebuilds. `distance`: the gap up to
/// which pairs are listed.
struct list_model {
  std::span<const cost* const> costs;
  work (*of_step)(const features& f, double distance);
  /// The work of a rebuild by a method that takes `by` ns per body for such bodies.
  work (*of_rebuild)(const features& f, double distance, double by);
  /// How many steps the list lasts, with the bodies' motion.
  double (*steps)(const features& f, double distance);
  double stray;  ///< ns in a step for a body that has left the list
};

/// What is done once in a search, per body.
[[nodiscard]] inline double per_search(const features& f) { return 1 / std::max(1.0, f.count); }

/// Beyond this many bodies the caches are too small: each doubling makes access in random order a little slower.
[[nodiscard]] inline double far_memory(const features& f) {
  constexpr double bodies_in_cache = 16384;
  return std::max(0.0, std::log2(f.count / bodies_in_cache));
}

/// A typical size of the bodies of a range.
[[nodiscard]] inline double typical(const features& f, const features::size_range& r) {
  return f.sizes.size() == 1 ? f.mean : std::max(f.least, 0.72 * r.size);
}

}  // namespace abut
