#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "method.hpp"

namespace abut {

/// A volume that overlaps none of its kind, not even itself.
template <int D, shape S>
[[nodiscard]] volume<D, S> no_volume() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  volume<D, S> v{};
  if constexpr (S == shape::sphere) {
    std::fill_n(v.center, D, nan);
  } else {
    std::fill_n(v.min, D, nan);
    std::fill_n(v.max, D, nan);
  }
  return v;
}

template <int D, shape S>
[[nodiscard]] bool is_volume(const volume<D, S>& v) {
  return !std::isnan(v.lower(0));
}

/// How far the surface has moved outward at most: two bodies that overlap now had a gap of at most the sum of their
/// moves. Of `no_volume`: 0.
template <int D, shape S>
[[nodiscard]] double move_of(const volume<D, S>& now, const volume<D, S>& then) {
  double move = 0;
  if constexpr (S == shape::sphere) {
    double squares = 0;
    for (int k = 0; k < D; ++k) squares += (now.center[k] - then.center[k]) * (now.center[k] - then.center[k]);
    move = std::max(move, std::sqrt(squares) + std::max(0.0, now.radius - then.radius));
  } else {
    for (int k = 0; k < D; ++k) {
      move = std::max(move, then.min[k] - now.min[k]);
      move = std::max(move, now.max[k] - then.max[k]);
    }
  }
  return move;
}

/// The largest number that `overlap` rounds: of spheres the sizes, since their distances are rounded relative to
/// themselves; of boxes the coordinates.
template <int D, shape S>
[[nodiscard]] double largest_rounded(const world& w) {
  const measures& m = w.measured();
  double most = 0;
  for (int k = 0; k < D; ++k) {
    most = std::max(most, S == shape::sphere ? m.widest[k] : std::max(std::abs(m.lower[k]), std::abs(m.upper[k])));
  }
  return most;
}

/// Volumes as bodies of a world; they must outlive it.
template <int D, shape S>
[[nodiscard]] bodies view_of(const std::vector<volume<D, S>>& v) {
  using body = volume<D, S>;
  if constexpr (S == shape::sphere && D == 2) {
    return spheres(column_of(v, &body::center, 0), column_of(v, &body::center, 1), column_of(v, &body::radius));
  } else if constexpr (S == shape::sphere) {
    return spheres(v, &body::center, &body::radius);
  } else if constexpr (D == 2) {
    return boxes(column_of(v, &body::min, 0), column_of(v, &body::max, 0), column_of(v, &body::min, 1),
                 column_of(v, &body::max, 1));
  } else {
    return boxes(column_of(v, &body::min, 0), column_of(v, &body::max, 0), column_of(v, &body::min, 1),
                 column_of(v, &body::max, 1), column_of(v, &body::min, 2), column_of(v, &body::max, 2));
  }
}

/// What the moves of some bodies come to, where pairs were listed up to a distance.
struct moves {
  double largest = 0;
  double second = 0;
  double sum = 0;           ///< each counted up to a limit: a few that jump far say nothing about the rest
  std::size_t far = 0;      ///< moved by more than half of the distance
  double largest_near = 0;  ///< of the others

  void add(double move, double distance, double limit) {
    second = std::max(second, std::min(largest, move));
    largest = std::max(largest, move);
    sum += std::min(move, limit);
    far += move > distance / 2 ? 1 : 0;
    largest_near = std::max(largest_near, move > distance / 2 ? 0 : move);
  }
  void add(const moves& m) {
    second = std::max({second, m.second, std::min(largest, m.largest)});
    largest = std::max(largest, m.largest);
    sum += m.sum;
    far += m.far;
    largest_near = std::max(largest_near, m.largest_near);
  }
};

}  // namespace abut
