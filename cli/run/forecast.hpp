#pragma once

#include <cstdint>

#include "scene/scene.hpp"

namespace abut::cli {

/// The seconds that a run takes longer because bodies will be poured: the time that a step takes for each body of a
/// dense packing, for all steps in which a poured body will be there. Bodies that are there now do not count. Measures
/// some steps of such a packing.
[[nodiscard]] double seconds_of_poured(const scene& what, const dem::simulation& now, std::uint64_t steps);

}  // namespace abut::cli
