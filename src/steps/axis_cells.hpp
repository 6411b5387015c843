#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// Cell indices along one axis: the one place that makes them.
///
/// Methods rely on one promise alone: the index never decreases with the coordinate. So everything in [a, b] lies in
/// the cells from `index(a)` to `index(b)`, however numbers are rounded and wherever a and b are. If the bodies extend
/// over more than 2^31 cells, empty gaps are collapsed: memory and indices depend on the bodies, never on the space
/// between them.
class axis_cells {
 public:
  /// The most cells that an axis can have: the indices are 32-bit numbers.
  static constexpr double most_cells = 4294967295.0;

  axis_cells() = default;

  /// Cells of `size` from the lower to the upper end. `stretches` is called only if gaps must be collapsed: it returns
  /// the intervals (or points) that the bodies take on this axis, in any order.
  axis_cells(double lower, double upper, double size, const std::function<std::vector<interval>()>& stretches);

  /// The number of cells; indices are below it.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool collapsed() const { return !pieces_.empty(); }

  /// The cell of a coordinate; the first or the last one if it lies outside.
  [[nodiscard]] std::uint32_t index(double x) const {
    if (!pieces_.empty()) return index_in_pieces(x);
    return static_cast<std::uint32_t>(std::clamp((x - origin_) * per_length_, 0.0, last_));
  }

  /// The cell of a coordinate, as `index` returns it, and the part of the cell that lies below the coordinate, from 0
  /// to 1.
  struct spot {
    std::uint32_t cell;
    double part;
  };
  [[nodiscard]] spot locate(double x) const {
    if (!pieces_.empty()) return locate_in_pieces(x);
    const double cells = std::clamp((x - origin_) * per_length_, 0.0, last_ + 1);
    const auto cell = static_cast<std::uint32_t>(std::min(cells, last_));
    return {cell, cells - cell};
  }

  /// The coordinates that a cell takes up, to rounding. The first and the last cell also hold what lies outside.
  [[nodiscard]] interval span(std::uint32_t cell) const;

  [[nodiscard]] std::size_t bytes() const { return pieces_.capacity() * sizeof(piece); }

 private:
  // A stretch without large gaps.
  struct piece {
    double origin;
    double last;          // the index of its last cell, within the piece
    std::uint32_t first;  // the index of its first cell, over all
  };

  void collapse(std::vector<interval> stretches, double size);
  [[nodiscard]] std::uint32_t index_in_pieces(double x) const { return locate_in_pieces(x).cell; }
  [[nodiscard]] spot locate_in_pieces(double x) const;

  double origin_ = 0;
  double per_length_ = 1;
  double last_ = 0;
  std::uint32_t count_ = 1;
  std::vector<piece> pieces_;
};

}  // namespace abut
