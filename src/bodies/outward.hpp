#pragma once

#include <cmath>

#include <abut/bodies.hpp>

namespace abut {

/// Whether the gap of two bodies is the largest of their gaps on the axes, as that of two boxes. All other gaps are
/// distances, and moves, roundings and doubts on several axes add up in them.
[[nodiscard]] constexpr bool apart_by_axes(shape a, shape b) { return a == shape::box && b == shape::box; }

/// The most by which the gap of two such bodies shrinks, or is wrong, if it does so by at most `by` on each axis.
[[nodiscard]] inline double outward(double by, shape a, shape b, int dimension) {
  return apart_by_axes(a, b) ? by : by * std::sqrt(static_cast<double>(dimension));
}

}  // namespace abut
