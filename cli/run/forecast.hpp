#pragma once

#include <cstdint>

#include "scene/scene.hpp"

namespace abut::cli {

/// How many seconds the bodies that a scene will pour add to a run of so many steps, beyond those that are there now:
/// the time of a dense packing of such bodies, times how long each of them will be there. Makes some steps to measure.
[[nodiscard]] double seconds_of_poured(const scene& what, const dem::simulation& now, std::uint64_t steps);

}  // namespace abut::cli
