#pragma once

#include <algorithm>
#include <vector>

#include "bodies/world.hpp"
#include "steps/cell_lines.hpp"

namespace abut {

/// Sorts `rows`, which holds all rows of a world, so that neighbors are near each other: by cells of some dozen bodies,
/// then split into runs, each of which is sorted by row. A pass over the rows writes each run in order; a pass over
/// neighbors finds the bodies of a run in cache. If all bodies are points and the margin is 0, the order stays.
template <int D, shape S>
void put_in_near_order(const world& w, std::vector<row>& rows) {
  constexpr double cell_widths = 4;
  constexpr std::size_t run = 4133;  // odd, so that runs do not begin at the same cache lines
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
