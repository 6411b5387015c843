#pragma once

#include <limits>
#include <string>

#include "steps/features.hpp"

namespace abut {

/// The work of a search in levels of sizes, per body on average: a body looks into its own level and the coarser ones,
/// so the work is N L (m + K) (Ogarko and Luding 2011, equation (3)); here with what each range of sizes meets in each
/// level.
struct level_load {
  double visits = 0;  ///< levels that a body looks into
  double tests = 0;
  double load = std::numeric_limits<double>::infinity();  ///< in tests
};

/// With the number of levels that makes it least.
[[nodiscard]] level_load least_level_load(const features& f);

/// The same in a few words.
[[nodiscard]] std::string level_load_in_words(const features& f);

}  // namespace abut
