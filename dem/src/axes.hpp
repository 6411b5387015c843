#pragma once

#include <array>

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// The coordinates of a vector, for loops over axes: `v.*axes[k]`.
inline constexpr std::array<double vec::*, 3> axes = {&vec::x, &vec::y, &vec::z};
inline constexpr std::array<const char*, 3> axis_names = {"x", "y", "z"};

/// Coordinate times coordinate.
[[nodiscard]] constexpr vec by_axis(const vec& a, const vec& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

}  // namespace abut::dem
