#pragma once

#include <array>
#include <vector>

#include <abut/bodies.hpp>

namespace abut {

/// Bodies with these columns, in the order of `bodies::at`: x, y, z (in 3D) and r, or all minima, then all maxima.
[[nodiscard]] inline bodies view_of(shape kind, int dimension, const std::array<column, 6>& c) {
  if (kind == shape::sphere) return dimension == 2 ? spheres(c[0], c[1], c[2]) : spheres(c[0], c[1], c[2], c[3]);
  return dimension == 2 ? boxes(c[0], c[2], c[1], c[3]) : boxes(c[0], c[3], c[1], c[4], c[2], c[5]);
}

/// The columns of bodies as vectors, in the same order; those that the shape does not need are empty.
using column_vectors = std::array<std::vector<double>, 6>;

/// A view of such vectors, which must outlive it and keep their addresses.
[[nodiscard]] inline bodies view_of(shape kind, int dimension, const column_vectors& c) {
  return view_of(kind, dimension, std::array<column, 6>{c[0], c[1], c[2], c[3], c[4], c[5]});
}

/// Copies all columns of `b`, as double.
[[nodiscard]] inline column_vectors copied_columns(const bodies& b) {
  column_vectors copy;
  for (int k = 0; k < b.columns(); ++k) {
    copy[static_cast<std::size_t>(k)].resize(b.size());
    if (b.size() > 0) b.at(k).read(0, b.size(), copy[static_cast<std::size_t>(k)].data());
  }
  return copy;
}

}  // namespace abut
