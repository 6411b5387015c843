#pragma once

#include <algorithm>
#include <cstdint>

#include "steps/cell_lines.hpp"

namespace abut {

/// One level of a multilevel grid: cells of one size, for the bodies of a range of sizes.
///
/// If there are not many more cells than bodies, as in a reasonably full space, a table says where the bodies of each
/// cell begin. Otherwise the cells that hold bodies are found by search.
template <int D>
struct multilevel_level {
  using cell = typename cell_lines<D>::cell;

  std::size_t first = 0;  ///< the place of its first body among those of all levels
  std::size_t count = 0;  ///< the number of its bodies
  double size = 0;        ///< the edge of its cells
  double below[D] = {};   ///< how far below the lower end of a body's interval a partner's anchor can be,
  double above[D] = {};   ///< and how far above the upper end
  cell_lines<D> cells;    ///< its axes and, without a table, its bodies

  const std::uint32_t* starts = nullptr;  ///< the table, if there is one: places among those of all levels

  /// Makes axes for a table of at most `most` cells, with longer cells along x if necessary and allowed. Returns the
  /// number of cells, or 0 if there would still be too many.
  [[nodiscard]] std::uint64_t lay_out(const measures& m, double most, bool may_lengthen);

  /// The place of a cell in the table.
  [[nodiscard]] std::uint32_t number_of(const cell& c) const {
    return ((D == 3 ? c[D - 1] * cells.axis[1].count() : 0) + c[1]) * cells.axis[0].count() + c[0];
  }

  /// The cells in which the anchors of bodies that overlap these intervals can be.
  void window(const interval* takes, cell& lo, cell& hi) const {
    for (int k = 0; k < D; ++k) {
      lo[k] = cells.axis[k].index(takes[k].min - below[k]);
      hi[k] = cells.axis[k].index(takes[k].max + above[k]);
    }
  }

  /// How many cells a window has.
  [[nodiscard]] static double cells_in(const cell& lo, const cell& hi) {
    double cells = 1;
    for (int k = 0; k < D; ++k) cells *= static_cast<double>(hi[k]) - lo[k] + 1;
    return cells;
  }

  /// Calls `f(from, to)` for stretches of places that together contain all bodies in the cells `lo` to `hi`. `hint`
  /// makes consecutive windows that are near each other cheaper.
  template <class F>
  void for_each_stretch(const cell& lo, const cell& hi, std::size_t& hint, F&& f) const;
};

template <int D>
std::uint64_t multilevel_level<D>::lay_out(const measures& m, double most, bool may_lengthen) {
  const auto no_gaps = [] { return std::vector<interval>(); };
  double lines = 1;
  for (int k = 1; k < D; ++k) {
    if (!((m.upper[k] - m.lower[k]) / size < most)) return 0;
    cells.axis[k] = axis_cells(m.lower[k], m.upper[k], size, no_gaps);
    lines *= cells.axis[k].count();
  }
  if (lines > most) return 0;
  double length = size;
  while (lines * ((m.upper[0] - m.lower[0]) / length + 1) > most) {
    if (!may_lengthen) return 0;
    length *= 2;
  }
  cells.axis[0] = axis_cells(m.lower[0], m.upper[0], length, no_gaps);
  return static_cast<std::uint64_t>(lines) * cells.axis[0].count();
}

template <int D>
template <class F>
void multilevel_level<D>::for_each_stretch(const cell& lo, const cell& hi, std::size_t& hint, F&& f) const {
  const std::uint32_t z_from = D == 3 ? lo[D - 1] : 0;
  const std::uint32_t z_to = D == 3 ? hi[D - 1] : 0;
  if (starts != nullptr) {
    const std::size_t per_line = cells.axis[0].count();
    const std::uint32_t* const begin = starts + lo[0];
    const std::uint32_t* const end = starts + hi[0] + 1;
    for (std::uint32_t z = z_from; z <= z_to; ++z) {
      std::size_t at = (std::size_t{z} * cells.axis[1].count() + lo[1]) * per_line;
      for (std::uint32_t y = lo[1]; y <= hi[1]; ++y, at += per_line) f(begin[at], end[at]);
    }
    return;
  }
  const std::uint32_t* const x = cells.x();
  cells.for_each_line({lo[1], hi[1]}, {z_from, z_to}, hint, [&](std::size_t r) {
    const std::uint32_t* const end = x + cells.end(r);
    const std::uint32_t* const from = std::lower_bound(x + cells.begin(r), end, lo[0]);
    const std::uint32_t* const to = std::upper_bound(from, end, hi[0]);
    if (from < to) f(first + static_cast<std::size_t>(from - x), first + static_cast<std::size_t>(to - x));
  });
}

}  // namespace abut
