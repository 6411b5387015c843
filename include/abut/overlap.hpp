#pragma once

#include <array>
#include <variant>

#include <abut/api.h>

namespace abut {

/// A sphere, or in 2D a disc; leave the third coordinate at 0 then.
struct sphere {
  std::array<double, 3> center{};  ///< x, y, z
  double radius = 0;               ///< at least 0
};

/// An axis-aligned box, or in 2D a rectangle; leave both third coordinates at 0 then.
struct box {
  std::array<double, 3> min{};  ///< the lower corner
  std::array<double, 3> max{};  ///< the upper corner
};

/// A part of space, for `search::for_each_in`.
using region = std::variant<sphere, box>;

/// Whether two volumes overlap: the one definition that decides what a pair is, for every method. Touching counts as
/// overlap, and so does a gap of at most `margin`. Computed in double, from left to right, without fused operations. It
/// is compiled into the library so that your compiler flags cannot change the result.
///  - spheres: `dx*dx + dy*dy + dz*dz <= R*R` with `R = (ra + rb) + margin`;
///  - boxes: `a.min <= b.max + margin` and `b.min <= a.max + margin` on every axis;
///  - sphere and box: `dx*dx + dy*dy + dz*dz <= (r + margin) * (r + margin)` with d from the center to the box.
[[nodiscard]] ABUT_API bool overlap(const sphere& a, const sphere& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const box& a, const box& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const sphere& a, const box& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const box& a, const sphere& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const region& a, const region& b, double margin = 0);

}  // namespace abut
