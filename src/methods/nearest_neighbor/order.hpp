#pragma once

#include <algorithm>
#include <vector>

#include "bodies/world.hpp"
#include "steps/cell_lines.hpp"

namespace abut {

/// Puts all rows of a world, in `rows`, into an order in which neighbors are near each other: that of cells of some
/// dozen bodies, cut into runs, each of them in the order of rows. Who goes through the rows writes every run straight
/// on; who goes through neighbors finds the bodies of a run in cache. Where all bodies are points, the order stays.
template <int D, shape S>
void put_in_near_order(const world& w, std::vector<row>& rows) {
  constexpr double cell_widths = 4;
  constexpr std::size_t run = 4133;  // odd, so that runs do not begin at the same lines of cache
  const measures& m = w.measured();
  const double cell = cell_widths * (m.mean_width + w.margin());
  if (!(cell > 0)) return;
  const auto at = [&](row i, int k) {
    const volume<D, S> b = w.get<D, S>(i);
    return b.lower(k) / 2 + b.upper(k) / 2;
  };
  cell_lines<D> cells;
  for (int k = 0; k < D; ++k) {
    cells.axis[k] = axis_cells(m.lower[k], m.upper[k], cell, [&] {
      std::vector<interval> all(w.size());
      for (row i = 0; i < w.size(); ++i) all[i] = {at(i, k), at(i, k)};
      return all;
    });
  }
  cells.place(w.size(), w.threads(), [&](std::size_t i, typename cell_lines<D>::cell& c) {
    for (int k = 0; k < D; ++k) c[k] = cells.axis[k].index(at(static_cast<row>(i), k));
  });
  rows = cells.order();
  parallel_blocks(w.threads(), rows.size(), run, [&](std::size_t, std::size_t from, std::size_t to) {
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.begin() + static_cast<std::ptrdiff_t>(to));
  });
}

}  // namespace abut
