#pragma once

#include <functional>
#include <vector>

#include <abut/api.h>
#include <abut/dem/vec.hpp>

namespace abut::dem {

/// The point of a wall that is nearest to a body's center.
struct wall_point {
  double distance = 0;  ///< from the surface to the center; negative if the center is behind the surface
  vec normal{};         ///< from the surface to the center, of length 1
};

/// A wall: a plane, or a surface of your own. Nothing moves it but its velocity.
struct wall {
  vec point{};            ///< any point of the plane
  vec normal{0, 0, 1};    ///< of the plane, towards the bodies; of length 1
  vec velocity{};         ///< of the wall; a plane moves with it, a surface of your own only drags bodies along
  unsigned material = 0;  ///< its number in the table of materials
  /// If set, the wall is no plane: the nearest point for a body's center. Called from several threads at once.
  std::function<wall_point(const vec& center)> surface{};
};

/// A plane through a point. The normal, of any length, points to the side on which bodies stay.
[[nodiscard]] ABUT_API wall plane(const vec& point, const vec& normal, unsigned material = 0);

/// The walls of a box that keeps bodies inside: four planes in 2D, six in 3D, in the order of the axes, lower ones
/// first.
[[nodiscard]] ABUT_API std::vector<wall> box_walls(const vec& min, const vec& max, unsigned material = 0,
                                                   int dimension = 3);

}  // namespace abut::dem
