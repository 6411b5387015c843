#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>

#include <abut/bodies.hpp>
#include <abut/overlap.hpp>
#include <abut/search.hpp>

// The contract of `overlap` is in double, operation by operation.
static_assert(FLT_EVAL_METHOD == 0,
              "abut needs a compiler that computes doubles as doubles (on 32-bit x86: -msse2 -mfpmath=sse)");

namespace abut {

/// A body as methods use it: in double, with D axes.
template <int D, shape S>
struct volume;

template <int D>
struct volume<D, shape::sphere> {
  double center[D];
  double radius;

  [[nodiscard]] double lower(int k) const { return center[k] - radius; }
  [[nodiscard]] double upper(int k) const { return center[k] + radius; }
};

template <int D>
struct volume<D, shape::box> {
  double min[D];
  double max[D];

  [[nodiscard]] double lower(int k) const { return min[k]; }
  [[nodiscard]] double upper(int k) const { return max[k]; }
};

/// The coordinate that places a body in a cell: the center of a sphere, the lower corner of a box.
template <int D, shape S>
[[nodiscard]] inline double anchor(const volume<D, S>& v, int k) {
  if constexpr (S == shape::sphere) {
    return v.center[k];
  } else {
    return v.min[k];
  }
}

/// The number of columns that bodies of a shape have.
template <int D, shape S>
inline constexpr int columns_of = S == shape::sphere ? D + 1 : 2 * D;

/// The body whose number in column c is `at(c)`. `Volume` may have more axes; these stay 0.
template <int D, shape S, class Volume = volume<D, S>, class At>
[[nodiscard]] inline Volume volume_of(At&& at) {
  Volume v{};
  if constexpr (S == shape::sphere) {
    for (int k = 0; k < D; ++k) v.center[k] = at(k);
    v.radius = at(D);
  } else {
    for (int k = 0; k < D; ++k) v.min[k] = at(k);
    for (int k = 0; k < D; ++k) v.max[k] = at(D + k);
  }
  return v;
}

/// The definition of a pair, as abut/overlap.hpp states it. Methods may prune first, but only this decides.
template <int D>
[[nodiscard]] inline bool overlap(const volume<D, shape::sphere>& a, const volume<D, shape::sphere>& b, double margin) {
  double squares = 0;
  for (int k = 0; k < D; ++k) {
    const double d = a.center[k] - b.center[k];
    squares = k == 0 ? d * d : squares + d * d;
  }
  const double reach = (a.radius + b.radius) + margin;
  return squares <= reach * reach;
}

template <int D>
[[nodiscard]] inline bool overlap(const volume<D, shape::box>& a, const volume<D, shape::box>& b, double margin) {
  bool all = true;
  for (int k = 0; k < D; ++k) all = all && a.min[k] <= b.max[k] + margin && b.min[k] <= a.max[k] + margin;
  return all;
}

template <int D>
[[nodiscard]] inline bool overlap(const volume<D, shape::sphere>& a, const volume<D, shape::box>& b, double margin) {
  double squares = 0;
  for (int k = 0; k < D; ++k) {
    const double c = a.center[k];
    const double d = c < b.min[k] ? b.min[k] - c : c > b.max[k] ? c - b.max[k] : 0.0;
    squares = k == 0 ? d * d : squares + d * d;
  }
  const double reach = a.radius + margin;
  return squares <= reach * reach;
}

template <int D>
[[nodiscard]] inline bool overlap(const volume<D, shape::box>& a, const volume<D, shape::sphere>& b, double margin) {
  return overlap(b, a, margin);
}

/// A bound on the rounding error of a handful of additions of numbers up to `size` in magnitude, plus that of
/// `overlap`. Each addition is off by half a unit in the last place of a number up to 2 `size`; `overlap` adds a few
/// units more. The constant 1e-150 allows for underflow: squares of numbers below 1e-162 are 0, so bodies that near
/// overlap whatever their size.
[[nodiscard]] inline double rounding_room(double size) {
  return 32 * std::numeric_limits<double>::epsilon() * size + 1e-150;
}

/// Widens an interval that bounds where something can touch, so that rounding cannot make it too narrow. Every prune
/// goes through here. `lo` and `hi` come from a handful of additions of coordinates, sizes and margins.
[[nodiscard]] inline interval widened(double lo, double hi) {
  const double room = rounding_room(std::max(std::abs(lo), std::abs(hi)));
  return {lo - room, hi + room};
}

/// The interval that a body takes up on an axis, with half the margin and room for rounding. If two bodies overlap,
/// their intervals meet on every axis.
template <int D, shape S>
[[nodiscard]] inline interval taken(const volume<D, S>& v, int k, double margin) {
  return widened(v.lower(k) - margin / 2, v.upper(k) + margin / 2);
}

/// A public sphere or box as a volume: its first D axes.
template <int D>
[[nodiscard]] inline volume<D, shape::sphere> volume_of(const sphere& s) {
  volume<D, shape::sphere> v{};
  std::copy_n(s.center.begin(), D, v.center);
  v.radius = s.radius;
  return v;
}

template <int D>
[[nodiscard]] inline volume<D, shape::box> volume_of(const box& b) {
  volume<D, shape::box> v{};
  std::copy_n(b.min.begin(), D, v.min);
  std::copy_n(b.max.begin(), D, v.max);
  return v;
}

}  // namespace abut
