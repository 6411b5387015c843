#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "methods/method.hpp"

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

/// The farthest that a point of the surface has moved outward: two bodies that overlap now had a gap of at most the sum
/// of their moves. 0 for `no_volume`.
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

/// The width of a body; of a box, the greatest one.
template <int D, shape S>
[[nodiscard]] double width_of(const volume<D, S>& v) {
  if constexpr (S == shape::sphere) {
    return 2 * v.radius;
  } else {
    double most = 0;
    for (int k = 0; k < D; ++k) most = std::max(most, v.max[k] - v.min[k]);
    return most;
  }
}

/// The volume, larger by `distance` / 2 of its width on every side.
template <int D, shape S>
[[nodiscard]] volume<D, S> fat_volume(volume<D, S> v, double distance) {
  const double more = distance / 2 * width_of(v);
  if constexpr (S == shape::sphere) {
    v.radius += more;
  } else {
    for (int k = 0; k < D; ++k) v.min[k] -= more;
    for (int k = 0; k < D; ++k) v.max[k] += more;
  }
  return v;
}

/// Moves in widths are divided by at least this.
constexpr double least_width_divided_by = 1e-300;

/// The move of a body in its own widths. `fat` is the fat_volume that was made of it then, `shrink` is
/// 1 / (1 + distance). If the move is at most `distance` / 2, the body is still within `fat`, except for rounding.
template <int D, shape S>
[[nodiscard]] double share_of(const volume<D, S>& now, const volume<D, S>& fat, double shrink) {
  if constexpr (S == shape::sphere) {
    double squares = 0;
    for (int k = 0; k < D; ++k) squares += (now.center[k] - fat.center[k]) * (now.center[k] - fat.center[k]);
    const double radius = (now.radius - (now.radius - fat.radius)) * shrink;
    const double move = std::sqrt(squares) + std::max(0.0, now.radius - radius);
    return move / std::max(2 * radius, least_width_divided_by);
  } else {
    const double width = width_of(fat) * shrink;
    const double more = (width_of(fat) - width) / 2;
    double move = 0;
    for (int k = 0; k < D; ++k)
      move = std::max({move, fat.min[k] + more - now.min[k], now.max[k] - (fat.max[k] - more)});
    return move / std::max(width, least_width_divided_by);
  }
}

/// The largest number that `overlap` rounds: a size for spheres, since their distances are rounded relative to
/// themselves; a coordinate for boxes.
template <int D, shape S>
[[nodiscard]] double largest_rounded(const world& w) {
  const measures& m = w.measured();
  double most = 0;
  for (int k = 0; k < D; ++k) {
    most = std::max(most, S == shape::sphere ? m.widest[k] : std::max(std::abs(m.lower[k]), std::abs(m.upper[k])));
  }
  return most;
}

/// A view of volumes as bodies, on their first D axes. The volumes must outlive it.
template <int D, int K, shape S>
[[nodiscard]] bodies view_of(const volume<K, S>* v, std::size_t count) {
  const auto of = [&](const double& first) { return column(&first, count, sizeof(volume<K, S>)); };
  static constexpr volume<K, S> none{};
  const volume<K, S>& a = count > 0 ? *v : none;
  if constexpr (S == shape::sphere && D == 2) {
    return spheres(of(a.center[0]), of(a.center[1]), of(a.radius));
  } else if constexpr (S == shape::sphere) {
    return spheres(of(a.center[0]), of(a.center[1]), of(a.center[2]), of(a.radius));
  } else if constexpr (D == 2) {
    return boxes(of(a.min[0]), of(a.max[0]), of(a.min[1]), of(a.max[1]));
  } else {
    return boxes(of(a.min[0]), of(a.max[0]), of(a.min[1]), of(a.max[1]), of(a.min[2]), of(a.max[2]));
  }
}

/// Measures how much numbers differ from each other.
struct scatter {
  double count = 0;
  double sum = 0;
  double squares = 0;

  void add(double x) {
    count += 1;
    sum += x;
    squares += x * x;
  }
  /// The mean square divided by the squared mean: 1 if all numbers are equal, more if they differ.
  [[nodiscard]] double relative() const { return sum > 0 ? count * (squares / sum) / sum : 1; }
};

/// A summary of some bodies' moves, for pairs that were listed up to a distance.
struct moves {
  double largest = 0;
  double second = 0;
  double sum = 0;           ///< each counted up to a limit: a few far jumps say nothing about the rest
  std::size_t far = 0;      ///< how many moved by more than half the distance
  double largest_near = 0;  ///< the largest move of the others

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
