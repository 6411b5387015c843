#pragma once

#include <algorithm>
#include <cstdint>

#include "cell_rows.hpp"

namespace abut {

/// One level of a multilevel grid: cells of one size, for the bodies of a range of sizes.
///
/// Where there are not many more cells than bodies, a table tells where the bodies of each cell (or of a few in a row)
/// begin; that is the case in a space that is filled somehow. Elsewhere the cells that hold anything are searched for.
template <int D>
struct level_grid {
  using cell = typename cell_rows<D>::cell;

  std::size_t first = 0;  ///< the place of its first body among those of all levels
  std::size_t count = 0;  ///< its bodies
  double size = 0;        ///< the edge of its cells
  double below[D] = {};   ///< a body's anchor can be so far below the lower end of what the body's partner takes,
  double above[D] = {};   ///< and so far above the upper end
  cell_rows<D> cells;     ///< its axes and, without a table, its bodies

  const std::uint32_t* starts = nullptr;  ///< the table, if there is one: places among those of all levels
  std::uint32_t blocks = 0;               ///< of 2^shift cells each, in a row of cells
  int shift = 0;

  /// Lays out a table of at most `most` blocks over these bounds; the number of its blocks, or 0 if there would be
  /// more.
  [[nodiscard]] std::uint64_t lay_out(const measures& m, double most);

  /// The block of a cell.
  [[nodiscard]] std::uint32_t block_of(const cell& c) const {
    return ((D == 3 ? c[D - 1] * cells.axis[1].count() : 0) + c[1]) * blocks + (c[0] >> shift);
  }

  /// The cells in which the anchors of what overlaps something that takes these intervals can be.
  void window(const interval* takes, cell& lo, cell& hi) const {
    for (int k = 0; k < D; ++k) {
      lo[k] = cells.axis[k].index(takes[k].min - below[k]);
      hi[k] = cells.axis[k].index(takes[k].max + above[k]);
    }
  }

  /// Calls `f(from, to)` for stretches of places in which lies all that is in the cells `lo` to `hi`. `hint` is for
  /// windows that follow each other.
  template <class F>
  void for_each_stretch(const cell& lo, const cell& hi, std::size_t& hint, F&& f) const;
};

template <int D>
std::uint64_t level_grid<D>::lay_out(const measures& m, double most) {
  for (int k = 0; k < D; ++k) {
    if (!((m.upper[k] - m.lower[k]) / size <= most)) return 0;
    cells.axis[k] = axis_cells(m.lower[k], m.upper[k], size, [] { return std::vector<interval>(); });
  }
  double rows = 1;
  for (int k = 1; k < D; ++k) rows *= cells.axis[k].count();
  if (rows > most) return 0;
  const auto blocks_at = [&](int s) { return ((cells.axis[0].count() - 1) >> s) + 1; };
  for (shift = 0; rows * blocks_at(shift) > most;) ++shift;
  blocks = blocks_at(shift);
  return static_cast<std::uint64_t>(rows) * blocks;
}

template <int D>
template <class F>
void level_grid<D>::for_each_stretch(const cell& lo, const cell& hi, std::size_t& hint, F&& f) const {
  const std::uint32_t z_from = D == 3 ? lo[D - 1] : 0;
  const std::uint32_t z_to = D == 3 ? hi[D - 1] : 0;
  if (starts != nullptr) {
    const std::uint32_t* const begin = starts + (lo[0] >> shift);
    const std::uint32_t* const end = starts + (hi[0] >> shift) + 1;
    for (std::uint32_t z = z_from; z <= z_to; ++z) {
      std::size_t row_block = (std::size_t{z} * cells.axis[1].count() + lo[1]) * blocks;
      for (std::uint32_t y = lo[1]; y <= hi[1]; ++y, row_block += blocks) f(begin[row_block], end[row_block]);
    }
    return;
  }
  const std::uint32_t* const x = cells.x();
  cells.for_each_row({lo[1], hi[1]}, {z_from, z_to}, hint, [&](std::size_t r) {
    const std::uint32_t* const end = x + cells.end(r);
    const std::uint32_t* const from = std::lower_bound(x + cells.begin(r), end, lo[0]);
    const std::uint32_t* const to = std::upper_bound(from, end, hi[0]);
    if (from < to) f(first + static_cast<std::size_t>(from - x), first + static_cast<std::size_t>(to - x));
  });
}

}  // namespace abut
