#pragma once

#include <span>

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// A ball, or in 2D a disc, as a part of a solid.
struct solid_ball {
  vec center{};
  double radius = 0;
  double density = 0;
};

/// The mass of a solid, where its center is, and its inertia about the center, along the axes of space.
struct solid {
  double mass = 0;
  vec center{};
  tensor inertia{};
};

/// Of the union of balls: what several have in common counts once, with the density of the first of them. Exact to
/// rounding if all centers are on a line; otherwise computed numerically, to about 1e-6 (in 2D 1e-9). Uses no function
/// of the C library but sqrt.
[[nodiscard]] solid solid_of(std::span<const solid_ball> balls, int dimension);

}  // namespace abut::dem
