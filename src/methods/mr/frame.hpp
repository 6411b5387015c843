#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "methods/method.hpp"
#include "methods/mr/mixed_radix.hpp"
#include "steps/axis_cells.hpp"
#include "steps/sizes.hpp"

namespace abut {

/// The cells of MR (Munjiza et al. 2006, section 2): as large as the largest body with its margin, so that bodies that
/// touch are in the same or in neighboring cells. A sphere is in the cell of its center, a box in that of its lower
/// corner: its *anchor*.
///
/// Why neighboring: bodies that overlap have anchors at most `reach` apart on each axis, rounding included, and a cell
/// is larger than that by one part in 2^16. An index is computed from x - origin with a relative error of 2^-51, hence
/// with an absolute error below 2^-19 cells, since there are at most 2^32 of them. So two anchors differ by less than 1
/// + 2^-18 - 2^-16 < 1 cells, and their indices by at most 1. Anchors outside the frame are put into its border cells,
/// and those in a collapsed gap into the cell before it; both can only bring indices closer together.
///
/// The frame stays the same from update to update as long as the bodies remain within it, so that cells of two updates
/// can be compared. Indices begin at 1, so each cell has neighbors on both sides.
template <int D>
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is clang's own, in the implicit copy of the array
class mr_frame {
 public:
  /// The frame for a world with bodies of up to these widths: this one if it still fits, else a new one. Throws
  /// `error`.
  [[nodiscard]] mr_frame next(const world& w, const double* widest) const {
    mr_frame f;
    f.kind_ = w.kind();
    bool kept = made_ > 0;
    for (int k = 0; k < D; ++k) {
      const double lower = w.measured().lower[k];
      const double upper = w.measured().upper[k];
      f.widest_[k] = widest[k];
      f.size_[k] = size(w, k, widest[k]);
      if (f.size_[k] == size_[k] && !axis_[k].collapsed() && lower >= lower_[k] && upper <= upper_[k]) {
        f.lower_[k] = lower_[k];
        f.upper_[k] = upper_[k];
        f.axis_[k] = axis_[k];
      } else {
        f.make_axis(w, k);
        kept = false;
      }
    }
    f.made_ = kept ? made_ : made_ + 1;
    return f;
  }

  /// Whether both have the same cells.
  [[nodiscard]] bool same_as(const mr_frame& other) const { return made_ == other.made_; }

  [[nodiscard]] cell_digits<D> cell(const world& w, row i) const {
    cell_digits<D> c;
    for (int k = 0; k < D; ++k) c[k] = axis_[k].index(w.at(k)[i]) + 1;
    return c;
  }

  /// The range of cells that contains the anchors of all bodies that overlap a region.
  [[nodiscard]] std::pair<cell_digits<D>, cell_digits<D>> cells(const query& q) const {
    cell_digits<D> from;
    cell_digits<D> to;
    for (int k = 0; k < D; ++k) {
      const double below = kind_ == shape::sphere ? widest_[k] / 2 : widest_[k];
      const double above = kind_ == shape::sphere ? widest_[k] / 2 : 0;
      const interval reach = widened(q.bounds(k).min - below, q.bounds(k).max + above);
      from[k] = axis_[k].index(reach.min) + 1;
      to[k] = axis_[k].index(reach.max) + 1;
    }
    return {from, to};
  }

  /// The number of cells on each axis, as the radix of its digit.
  [[nodiscard]] cell_digits<D> radix() const {
    cell_digits<D> n;
    for (int k = 0; k < D; ++k) n[k] = axis_[k].count() + 2;
    return n;
  }

  [[nodiscard]] const axis_cells& axis(int k) const { return axis_[k]; }
  [[nodiscard]] double size(int k) const { return size_[k]; }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const axis_cells& a : axis_) sum += a.bytes();
    return sum;
  }

 private:
  static double size(const world& w, int k, double widest) {
    double reach = widest + w.margin();
    if (w.kind() == shape::box && w.margin() > 0) {
      // overlap rounds max + margin at the magnitude of the coordinates. A power of 2 stays the same from update to
      // update.
      int exponent = 0;
      (void)std::frexp(std::max(std::abs(w.measured().lower[k]), std::abs(w.measured().upper[k])) + w.margin(),
                       &exponent);
      reach += std::ldexp(2 * std::numeric_limits<double>::epsilon(), exponent);
    }
    return reach * (1 + 0x1p-16) + least_size;
  }

  void make_axis(const world& w, int k) {
    // Room to move. It costs nothing, since there is no array of cells.
    const double lower = w.measured().lower[k];
    const double upper = w.measured().upper[k];
    const double room = (upper - lower) / 8 + 64 * size_[k];
    lower_[k] = lower - room;
    upper_[k] = upper + room;
    axis_[k] = axis_cells(lower_[k], upper_[k], size_[k], [&] {
      std::vector<interval> anchors(w.size());
      for (row i = 0; i < w.size(); ++i) anchors[i] = {w.at(k)[i], w.at(k)[i]};
      return anchors;
    });
  }

  shape kind_ = shape::sphere;
  axis_cells axis_[D];
  double widest_[D] = {};
  double size_[D] = {};
  double lower_[D] = {};
  double upper_[D] = {};
  std::uint64_t made_ = 0;  // how often the axes were made anew
};

}  // namespace abut
