#pragma once

#include <limits>
#include <string>

#include "steps/features.hpp"

namespace abut {

/// The work of a search in levels of sizes, per body on average. A body searches its own level and the coarser ones, so
/// the work is N L (m + K) (Ogarko and Luding 2011, equation (3)); here m is what each range of sizes meets in each
/// level.
struct level_load {
  double visits = 0;  ///< levels that a body searches
  double tests = 0;
  double load = std::numeric_limits<double>::infinity();  ///< in units of a test
};

/// The load with the number of levels that makes it least.
[[nodiscard]] level_load least_level_load(const features& f);

/// The same, in a few words for a plan's reason.
[[nodiscard]] std::string level_load_in_words(const features& f);

}  // namespace abut
