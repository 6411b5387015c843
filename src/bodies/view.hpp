#pragma once

#include <array>

#include <abut/bodies.hpp>

namespace abut {

/// Bodies with these columns, in the order of `bodies::at`: x, y, z (in 3D) and r, or all minima, then all maxima.
[[nodiscard]] inline bodies view_of(shape kind, int dimension, const std::array<column, 6>& c) {
  if (kind == shape::sphere) return dimension == 2 ? spheres(c[0], c[1], c[2]) : spheres(c[0], c[1], c[2], c[3]);
  return dimension == 2 ? boxes(c[0], c[2], c[1], c[3]) : boxes(c[0], c[3], c[1], c[4], c[2], c[5]);
}

}  // namespace abut
