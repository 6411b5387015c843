#pragma once

#include <optional>

#include <abut/dem/walls.hpp>

namespace abut::dem {

/// The point of a patch that is nearest to a body's center.
struct patch_point {
  double distance = 0;  ///< to the center, at least 0
  vec normal{};         ///< from the point to the center, of length 1
  vec at{};             ///< the point
  bool inside = false;  ///< not on an edge, a corner or a rim
};

/// A vector of length 1 across another one; in the plane of x and y if that one is.
[[nodiscard]] vec any_across(const vec& direction);

/// The unit normal of a triangle; nothing if it has no area worth a normal, compared with its sides.
[[nodiscard]] std::optional<vec> normal_of(const triangle& t);

/// Where a body is, as seen from a wall that is no set of patches.
[[nodiscard]] wall_point place_of(const wall& w, const vec& center);

/// The nearest point of a patch.
[[nodiscard]] patch_point nearest(const patch& p, const vec& center);

/// For a center inside of a turned line: the nearest point on the opposite side of the axis. Without it, nothing would
/// hold a body that fills a hopper or a hole.
[[nodiscard]] std::optional<patch_point> opposite_side(const patch& p, const vec& center);

/// The box around a patch.
struct patch_box {
  vec min{};
  vec max{};
};
[[nodiscard]] patch_box box_of(const patch& p);

}  // namespace abut::dem
