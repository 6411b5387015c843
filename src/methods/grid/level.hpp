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

/// How much farther apart than their reach two bodies can be and still count as overlapping, because of rounding.
/// `size` is the sum of their half widths and the margin, `farthest` the largest magnitude of their coordinates.
///
/// Spheres: a difference of centers is rounded relative to itself, wherever the centers are. Boxes: two middles, and an
/// end plus the margin, are each rounded by 2^-53 of their magnitude. A middle stays within its box, and the end moves
/// by no more than the margin.
template <shape S>
[[nodiscard]] inline double grid_rounding(double farthest, double size) {
  const double own = rounding_room(size);
  if (S == shape::sphere) return own;
  return std::max(own, std::min(2 * std::numeric_limits<double>::epsilon() * farthest, size));
}

/// Maps coordinates to whole numbers of a level's unit, below 2^31, from the lowest corner. Exactness rests on two
/// properties: the number never decreases as the coordinate grows, and for bodies near each other differences are right
/// to a unit or two. An axis may be folded: bodies of different stretches are then too far apart to overlap, both on
/// the folded axis and on the real one.
// NOLINTNEXTLINE(bugprone-reserved-identifier): false, about the implicit copy of `fold`
struct grid_frame {
  static constexpr double most = 0x7f00'0000;  // below 2^31, with more than a reach to spare

  double origin[3] = {};                       ///< by the grid's axes: contiguous, middle, slow
  double top[3] = {};                          ///< the highest coordinates that the frame is made for
  double scale = 1;                            ///< units per length
  int line_bits = 20;                          ///< a line of cells is 2^line_bits units high
  double rounding = 0;                         ///< grid_rounding for two bodies of the level
  std::shared_ptr<const folded_axis> fold[3];  ///< null if the axis is not folded

  [[nodiscard]] bool folded() const { return fold[0] || fold[1] || fold[2]; }
  [[nodiscard]] int cell_bits() const { return line_bits - 2; }
  /// The coordinate of a number of units, to rounding.
  [[nodiscard]] double coordinate(double units, int a) const {
    return fold[a] ? fold[a]->unfolded(units / scale) : origin[a] + units / scale;
  }
  [[nodiscard]] std::int32_t units(double x, int a) const {
    const double length = fold[a] ? fold[a]->at(x) : x - origin[a];
    return static_cast<std::int32_t>(std::clamp(length * scale, 0.0, most - 1));
  }
};

/// Bodies of one line of cells without large gaps between them. Valid until the next update.
struct grid_run {
  std::uint64_t code;  ///< the line, by `grid_code`
  std::int32_t first;  ///< its first and last cell along the line
  std::int32_t last;
  const std::uint32_t* starts;  ///< the place where each cell begins, and where the last one ends

  /// The place where a cell begins; `cell` is from first to last + 1.
  [[nodiscard]] std::uint32_t begin(std::int32_t cell) const { return starts[cell - first]; }
  [[nodiscard]] std::uint32_t begin() const { return starts[0]; }
  [[nodiscard]] std::uint32_t end() const { return begin(last + 1); }
};

/// A line of cells as one number, which orders lines by the slow axis, then the middle one.
constexpr std::uint64_t grid_code(std::int64_t middle, std::int64_t slow) {
  return static_cast<std::uint64_t>(slow) << 32 | static_cast<std::uint32_t>(middle);
}

/// Bodies of similar size: places [from, to) of the grid's columns, in the order of their cells (by the slow, the
/// middle, then the contiguous axis), and the runs that they form. A line is at least twice as high as the reach, the
/// farthest that two of its bodies can be apart and overlap. So, on each axis across, a body's partners are in its own
/// line and in one of the two beside it: the one that is nearer. A cell is a quarter as long as a line is high.
struct grid_level {
  static constexpr std::int32_t gap = 8;  ///< in cells; a run ends at a longer gap, and may end anywhere

  grid_frame frame;
  double widest_half = 0;  ///< half the width of its widest body, in the unit of the coordinates
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::vector<grid_run> runs;

  /// The first run that does not end before this cell of this line: of the line itself or of a later one. Searches
  /// outward from run `hint`, so a near hint makes it cheap.
  [[nodiscard]] std::size_t run_at(std::uint64_t code, std::int32_t cell, std::size_t hint = 0) const {
    return gallop(runs.size(), hint,
                  [&](std::size_t r) { return runs[r].code < code || (runs[r].code == code && runs[r].last < cell); });
  }

  /// Writes the places where cells [cell, end) of a line begin, empty cells included. `hint` as above; it is moved to
  /// the line's first run.
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
