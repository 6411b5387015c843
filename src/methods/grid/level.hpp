#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/gallop.hpp"
#include "methods/grid/folded_axis.hpp"
#include "methods/grid/scan.hpp"
#include "methods/method.hpp"

namespace abut {

/// How much farther apart than their reach two bodies can be and still overlap, by rounding. `size`: the sum of their
/// half widths and the margin; `farthest`: the largest magnitude of their coordinates.
///
/// Spheres: differences of centers err by their own last bits alone, wherever the centers are. Boxes: two middles and
/// an end with the margin are rounded by 2^-53 of their magnitude each; a middle stays within its box, and the end
/// moves by no more than the margin.
template <shape S>
[[nodiscard]] inline double grid_rounding(double farthest, double size) {
  const double own = rounding_room(size);
  if (S == shape::sphere) return own;
  return std::max(own, std::min(2 * std::numeric_limits<double>::epsilon() * farthest, size));
}

/// Coordinates as whole numbers below 2^31 of a level's unit, from the lowest corner. The number never decreases with
/// the coordinate, and differences of bodies that are near each other are right to a unit or two: all that exactness
/// rests on. Axes may be folded: then bodies of different stretches are too far apart to overlap, on the folded axis as
/// on the real one.
struct grid_frame {
  static constexpr double most = 0x7f00'0000;  // less than 2^31 by more than a reach

  double origin[3] = {};                       ///< by the grid's own axes: contiguous, middle, slow
  double top[3] = {};                          ///< the highest coordinates that it is made for
  double scale = 1;                            ///< units per length
  int row_bits = 20;                           ///< the units that a row is high, as a power of two
  double rounding = 0;                         ///< as grid_rounding gives it for two bodies of the level
  std::shared_ptr<const folded_axis> fold[3];  ///< null: the axis is not folded

  [[nodiscard]] bool folded() const { return fold[0] || fold[1] || fold[2]; }
  [[nodiscard]] int cell_bits() const { return row_bits - 2; }
  [[nodiscard]] std::int32_t units(double x, int a) const {
    const double length = fold[a] ? fold[a]->at(x) : x - origin[a];
    return static_cast<std::int32_t>(std::clamp(length * scale, 0.0, most - 1));
  }
};

/// Bodies of one row of cells (the same middle and slow number) without large gaps along it.
struct grid_run {
  std::uint64_t code;  ///< slow above middle, in rows of cells
  std::int32_t first;  ///< cells
  std::int32_t last;
  const std::uint32_t* starts;  ///< the places where its cells begin; one more than there are cells

  /// Where cells of it begin: may be asked for those from first to last + 1.
  [[nodiscard]] std::uint32_t begin(std::int32_t cell) const { return starts[cell - first]; }
  [[nodiscard]] std::uint32_t begin() const { return starts[0]; }
  [[nodiscard]] std::uint32_t end() const { return begin(last + 1); }
};

constexpr std::uint64_t grid_code(std::int64_t middle, std::int64_t slow) {
  return static_cast<std::uint64_t>(slow) << 32 | static_cast<std::uint32_t>(middle);
}

/// The bodies of like size: places [from, to) of the grid's columns, in the order of their cells (by the slow, the
/// middle, then the contiguous axis), and the runs that they make. A row is at least as high as twice the farthest that
/// two of them can be apart and overlap, so that the partners of a body are in its own row and, by which half of it the
/// body is in, in one of those beside it. A cell is a quarter as long.
struct grid_level {
  static constexpr std::int32_t gap = 8;  ///< cells; runs are cut at longer gaps, and may be cut anywhere

  grid_frame frame;
  double widest_half = 0;  ///< of its bodies, in the unit of the coordinates
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::vector<grid_run> runs;

  /// The first run of this row of cells or a later one that does not end before the cell, looked for from `hint` on
  /// outwards: near hints cost little.
  [[nodiscard]] std::size_t run_at(std::uint64_t code, std::int32_t cell, std::size_t hint = 0) const {
    return gallop(runs.size(), hint,
                  [&](std::size_t r) { return runs[r].code < code || (runs[r].code == code && runs[r].last < cell); });
  }

  /// Writes where cells [cell, end) of a row begin, whether they hold any bodies or not. `hint` as above, moved to the
  /// row's run.
  void cell_starts(std::uint64_t code, std::int32_t cell, std::int32_t end, std::size_t& hint,
                   std::uint32_t* out) const {
    hint = run_at(code, cell, hint);
    std::uint32_t place = 0;
    for (std::size_t r = hint; r < runs.size() && runs[r].code == code && runs[r].first < end; ++r) {
      const grid_run& run = runs[r];
      place = run.end();
      if (cell < run.first) {
        out = std::fill_n(out, run.first - cell, run.begin());
        cell = run.first;
      }
      const std::int32_t shown = std::min(run.last + 1, end);
      out = std::copy(run.starts + (cell - run.first), run.starts + (shown - run.first), out);
      cell = shown;
    }
    std::fill_n(out, end - cell, place);
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = bytes_of(runs);
    for (const auto& fold : frame.fold) sum += fold ? fold->bytes() : 0;
    return sum;
  }
};

}  // namespace abut
