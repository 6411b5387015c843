#pragma once

#include <array>

#include "bodies/world.hpp"

namespace abut {

/// A region as a method sees it: where it is, and whether a body overlaps it.
class query {
 public:
  query(const region& where, double margin, int dimension);

  /// Where a volume must reach to overlap the region: the region with its margin, with room for rounding.
  [[nodiscard]] const interval& bounds(int k) const { return bounds_[k]; }

  template <int D, shape S>
  [[nodiscard]] bool touches(const volume<D, S>& body) const {
    if (const auto* s = std::get_if<sphere>(&where_)) return touches(cut<D>(*s), body);
    return touches(cut<D>(std::get<box>(where_)), body);
  }

  /// The same region with a margin greater by `by` and room for rounding. If no surface of a body has moved outward by
  /// more than `by` (a sphere's in any direction, a box's on any axis) and the body touches the region now, then the
  /// body as it was touches the wider region.
  [[nodiscard]] query wider(double by, shape of_bodies) const;

  /// Makes the region repeat along an axis, at every whole multiple of `side`; all bodies lie in `range`.
  void repeat(int axis, double side, const interval& range);

 private:
  template <int D, shape R, shape S>
  [[nodiscard]] bool touches(volume<D, R> where, const volume<D, S>& body) const {
    if (repeats_) {
      for (int k = 0; k < D; ++k) {
        if (side_[k] > 0) move_near(where, body, k);
      }
    }
    return overlap(where, body, margin_);
  }
  template <int D, shape R, shape S>
  void move_near(volume<D, R>& where, const volume<D, S>& body, int k) const;

  region where_;
  double margin_;
  int dimension_;
  interval bounds_[3]{};
  bool repeats_ = false;
  double side_[3]{};  // 0 on axes along which the region does not repeat
};

/// How far apart two volumes are on one axis. `overlap` compares nothing else, and it never turns false when one of
/// these becomes smaller; so the nearest image on each axis, one axis at a time, decides about all images.
template <int D>
[[nodiscard]] inline double gap(const volume<D, shape::sphere>& a, const volume<D, shape::sphere>& b, int k, double) {
  return std::abs(a.center[k] - b.center[k]);
}
template <int D>
[[nodiscard]] inline double gap(const volume<D, shape::sphere>& a, const volume<D, shape::box>& b, int k, double) {
  return std::max({b.min[k] - a.center[k], a.center[k] - b.max[k], 0.0});
}
template <int D>
[[nodiscard]] inline double gap(const volume<D, shape::box>& a, const volume<D, shape::sphere>& b, int k, double m) {
  return gap(b, a, k, m);
}
template <int D>
[[nodiscard]] inline double gap(const volume<D, shape::box>& a, const volume<D, shape::box>& b, int k, double m) {
  return std::max(a.min[k] - (b.max[k] + m), b.min[k] - (a.max[k] + m));
}

template <int D>
[[nodiscard]] inline double middle_of(const volume<D, shape::sphere>& v, int k) {
  return v.center[k];
}
template <int D>
[[nodiscard]] inline double middle_of(const volume<D, shape::box>& v, int k) {
  return v.min[k] / 2 + v.max[k] / 2;
}

template <int D>
inline void move_down(volume<D, shape::sphere>& v, int k, double by) {
  v.center[k] -= by;
}
template <int D>
inline void move_down(volume<D, shape::box>& v, int k, double by) {
  v.min[k] -= by;
  v.max[k] -= by;
}

template <int D, shape R, shape S>
void query::move_near(volume<D, R>& where, const volume<D, S>& body, int k) const {
  const double middle = std::round((middle_of(where, k) - middle_of(body, k)) / side_[k]);
  volume<D, R> nearest = where;
  double least = std::numeric_limits<double>::infinity();
  for (int step = -2; step <= 2; ++step) {  // rounding may make a neighbor of the middle one the nearest
    volume<D, R> image = where;
    const double periods = middle + step;
    if (periods != 0) move_down(image, k, periods * side_[k]);
    const double apart = gap(image, body, k, margin_);
    if (apart < least) {
      least = apart;
      nearest = image;
    }
  }
  where = nearest;
}

/// The images of a region that may overlap the wrapped bodies of a world, as queries. There are at most eight: along an
/// axis on which there would be more than two, one query asks about all of them at once.
class region_images {
 public:
  region_images(const world& w, const region& where);

  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] query at(int image) const;

  /// Whether none of the images before this one overlaps the row.
  [[nodiscard]] bool first(int image, row i) const;

 private:
  void take_axis(int k);

  const world& world_;
  region where_;
  int count_ = 1;
  std::array<double, 3> from_{};        // the first image on each axis: by how many periods it is moved down
  std::array<int, 3> images_{1, 1, 1};  // their number on each axis
  std::array<bool, 3> repeats_{};       // all images along this axis at once
};

/// How many periods a region lies outside of the stretch of a periodic axis: a sphere by its center. Farther out than
/// `most_periods`, its coordinates have too few digits left to tell where in the period it is.
[[nodiscard]] double periods_away(const world& w, const region& where, int k);
inline constexpr double most_periods = 0x1p40;
[[nodiscard]] std::string far_text(const world& w, int k, double periods);

/// Refuses a region that is too far away, by an `error` that begins with `who()`.
template <class Who>
void check_distance(const world& w, const region& where, Who&& who, std::optional<row> body = {}) {
  for (int k = 0; k < w.dimension(); ++k) {
    if (!w.period(k)) continue;
    const double periods = periods_away(w, where, k);
    if (!(periods <= most_periods)) throw error(who() + far_text(w, k, periods), body);
  }
}

}  // namespace abut
