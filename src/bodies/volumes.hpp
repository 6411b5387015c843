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

/// A body as the methods see it: in double, with only the axes it has.
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

/// The definition of a pair. The methods prune as they like, this alone decides; see abut/overlap.hpp.
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

/// Room for what a handful of additions of numbers up to `size` in magnitude errs by: half a unit in the last place of
/// something no larger than 2 `size` each; `overlap` itself errs by a few units more. Squares underflow below 1e-162,
/// which makes bodies nearer than that overlap whatever their size; 1e-150 covers it.
[[nodiscard]] inline double rounding_room(double size) {
  return 32 * std::numeric_limits<double>::epsilon() * size + 1e-150;
}

/// Makes room for rounding around an interval that bounds where something can touch: every prune goes through here.
/// `lo` and `hi` come from a handful of additions of coordinates, sizes and margins.
[[nodiscard]] inline interval widened(double lo, double hi) {
  const double room = rounding_room(std::max(std::abs(lo), std::abs(hi)));
  return {lo - room, hi + room};
}

/// What a body takes on an axis: its interval with half the margin and room for rounding. Two bodies that overlap take
/// intervals that meet on every axis.
template <int D, shape S>
[[nodiscard]] inline interval taken(const volume<D, S>& v, int k, double margin) {
  return widened(v.lower(k) - margin / 2, v.upper(k) + margin / 2);
}

/// The first D axes of a public sphere or box.
template <int D>
[[nodiscard]] inline volume<D, shape::sphere> cut(const sphere& s) {
  volume<D, shape::sphere> v{};
  std::copy_n(s.center.begin(), D, v.center);
  v.radius = s.radius;
  return v;
}

template <int D>
[[nodiscard]] inline volume<D, shape::box> cut(const box& b) {
  volume<D, shape::box> v{};
  std::copy_n(b.min.begin(), D, v.min);
  std::copy_n(b.max.begin(), D, v.max);
  return v;
}

}  // namespace abut
