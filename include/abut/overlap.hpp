#pragma once

#include <array>
#include <variant>

#include <abut/api.h>

namespace abut {

/// A sphere, or in 2D a disc (the third coordinate is then left at 0).
struct sphere {
  std::array<double, 3> center{};  ///< x, y, z
  double radius = 0;               ///< at least 0
};

/// An axis-aligned box, or in 2D a rectangle (the third interval is then left at [0, 0]).
struct box {
  std::array<double, 3> min{};  ///< the lower corner
  std::array<double, 3> max{};  ///< the upper corner
};

/// A part of space to ask about: `search::for_each_in`.
using region = std::variant<sphere, box>;

/// Whether two volumes overlap: the one definition that every method answers to. Closed: touching counts, and so does a
/// gap of at most `margin`. In double, left to right, without fused operations; compiled into the library so that no
/// user's compiler flags change it.
///  - spheres: `dx*dx + dy*dy + dz*dz <= R*R` with `R = (ra + rb) + margin`;
///  - boxes: `a.min <= b.max + margin` and `b.min <= a.max + margin` on every axis;
///  - sphere and box: squared distance from the center to the box `<= (r + margin) * (r + margin)`.
[[nodiscard]] ABUT_API bool overlap(const sphere& a, const sphere& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const box& a, const box& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const sphere& a, const box& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const box& a, const sphere& b, double margin = 0);
[[nodiscard]] ABUT_API bool overlap(const region& a, const region& b, double margin = 0);

}  // namespace abut
