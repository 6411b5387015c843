#pragma once

#include <array>

#include "bodies/world.hpp"

namespace abut {

/// A region that a method searches: bounds to prune by, and the test that decides.
class query {
 public:
  query(const region& where, double margin, int dimension);

  /// A volume that overlaps the region meets this interval on axis k: the region with its margin and room for rounding.
  [[nodiscard]] const interval& bounds(int k) const { return bounds_[k]; }

  /// The region and its margin; meaningful only if the region does not repeat.
  [[nodiscard]] const region& where() const { return where_; }
  [[nodiscard]] double margin() const { return margin_; }
  [[nodiscard]] bool repeats() const { return repeats_; }

  /// Whether the body overlaps the region.
  template <int D, shape S>
  [[nodiscard]] bool touches(const volume<D, S>& body) const {
    if (repeats_) return some_image_touches(body);
    if (const auto* s = std::get_if<sphere>(&where_)) return overlap(volume_of<D>(*s), body, margin_);
    return overlap(volume_of<D>(std::get<box>(where_)), body, margin_);
  }

  /// The same region with its margin increased by `by` and room for rounding: for methods that look bodies up at old
  /// positions. If a body touches the region now, and its surface has moved outward by at most `by` since (a sphere's
  /// in any direction, a box's on any axis), then the old body touches the wider region.
  [[nodiscard]] query wider(double by, shape of_bodies) const;

  /// Makes the region repeat along an axis, at every multiple of `side`. All bodies must lie in `range`.
  void repeat(int axis, double side, const interval& range);

 private:
  template <int D, shape S>
  [[nodiscard]] bool some_image_touches(const volume<D, S>& body) const;
  template <int D, shape R, shape S>
  void move_near(volume<D, R>& where, const volume<D, S>& body, int k) const;

  region where_;
  double margin_;
  int dimension_;
  interval bounds_[3]{};
  bool repeats_ = false;
  double side_[3]{};  // 0 on axes along which the region does not repeat
};

/// The images of a region that may overlap the wrapped bodies of a world, as queries. There are at most eight: if an
/// axis would have more than two, one query with a repeating region stands for all of them. Allocates no memory.
class region_images {
 public:
  region_images(const world& w, const region& where);

  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] query at(int image) const;

  /// Whether no earlier image overlaps the body in row i: so each row can be reported once.
  [[nodiscard]] bool first(int image, row i) const;

 private:
  void find_images(int k);

  const world& world_;
  region where_;
  int count_ = 1;
  std::array<double, 3> from_{};        // the number of periods by which the first image on each axis is moved down
  std::array<int, 3> images_{1, 1, 1};  // the number of images on each axis
  std::array<bool, 3> repeats_{};       // whether one query stands for all images along the axis
};

/// How many periods a region lies outside a periodic axis's interval (a sphere: its center). Beyond `most_periods`, too
/// few digits of its coordinates are left to tell where in the period it is.
[[nodiscard]] double periods_away(const world& w, const region& where, int k);
inline constexpr double most_periods = 0x1p40;
[[nodiscard]] std::string far_text(const world& w, int k, double periods);

/// Throws an `error` that begins with `who()` if a region lies farther out than `most_periods` on a periodic axis.
template <class Who>
void check_distance(const world& w, const region& where, Who&& who, std::optional<row> body = {}) {
  for (int k = 0; k < w.dimension(); ++k) {
    if (!w.period(k)) continue;
    const double periods = periods_away(w, where, k);
    if (!(periods <= most_periods)) throw error(who() + far_text(w, k, periods), body);
  }
}

}  // namespace abut
