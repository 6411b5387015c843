#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bodies/columns.hpp"
#include "methods/grid/level.hpp"

namespace abut {

/// Builds runs from the cells that hold bodies, which are given in order.
struct grid_runs {
  struct made {
    std::uint64_t code;
    std::int32_t first;
    std::int32_t last;
    std::size_t starts;  // the index of its first cell in `starts`
  };
  std::vector<made> runs{};
  std::vector<std::uint32_t> starts{};

  void clear() {
    runs.clear();
    starts.clear();
  }
  /// Whether this is the cell that was given last.
  [[nodiscard]] bool at(std::uint64_t code, std::int32_t cell) const {
    return !runs.empty() && runs.back().code == code && runs.back().last == cell;
  }
  /// Adds a cell whose bodies begin at this place. It extends the last run if that one ends in the same line, at most
  /// `grid_level::gap` cells before; otherwise it begins a new run.
  void reach(std::uint64_t code, std::int32_t cell, std::uint32_t place) {
    if (!runs.empty() && runs.back().code == code && cell <= runs.back().last + grid_level::gap) {
      for (; runs.back().last < cell; ++runs.back().last) starts.push_back(place);
      return;
    }
    end(place);
    runs.push_back({code, cell, cell, starts.size()});
    starts.push_back(place);
  }
  /// Adds the cells of a whole line, the first of which is `low`. Cell low + k holds places from + begin[k] to
  /// from + begin[k + 1].
  void line(std::uint64_t code, std::int32_t low, const std::uint32_t* begin, std::uint32_t cells, std::uint32_t from) {
    if (begin[0] == begin[cells]) return;
    std::uint32_t c = 0;
    while (begin[c + 1] == begin[0]) ++c;
    std::uint32_t last = cells - 1;
    while (begin[last] == begin[cells]) --last;
    // Without a long gap all cells extend one run, without a branch for each.
    std::uint32_t gaps = 0;
    for (std::uint32_t k = c + 1; k + grid_level::gap <= last; ++k)
      gaps += begin[k] == begin[k + grid_level::gap] ? 1U : 0U;
    reach(code, low + static_cast<std::int32_t>(c), from + begin[c]);
    if (gaps == 0) {
      const std::size_t had = starts.size();
      starts.resize(had + (last - c));
      for (std::uint32_t k = c + 1; k <= last; ++k) starts[had + k - c - 1] = from + begin[k];
      runs.back().last = low + static_cast<std::int32_t>(last);
      return;
    }
    for (++c; c <= last; ++c) {
      if (begin[c] < begin[c + 1]) reach(code, low + static_cast<std::int32_t>(c), from + begin[c]);
    }
  }
  /// Closes the last run, if there is one: it ends at this place.
  void end(std::uint32_t place) {
    if (!runs.empty()) starts.push_back(place);
  }
  /// Appends the runs to a level's. They point into this object, and are valid until it changes.
  void append_to(grid_level& l) const {
    for (const made& r : runs) l.runs.push_back({r.code, r.first, r.last, starts.data() + r.starts});
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(runs) + bytes_of(starts); }
};

/// A box of cells: all cells of a bucket, or only those around its bodies.
template <int D>
struct grid_box {
  int shift[D];             ///< from units to cells, by axis
  std::int32_t low[D];      ///< the lowest cell
  std::uint32_t cells[D];   ///< how many there are on each axis
  std::uint64_t all = 1;    ///< how many there are together; exact up to 2^30
  std::uint64_t first = 0;  ///< the number of the lowest cell, counted from the origin

  /// Sets `all` and `first` from the others.
  void count() {
    all = 1;
    first = 0;
    for (int a = 0; a < D; ++a) all = std::min(all, std::uint64_t{1} << 30) * cells[a];
    for (int a = D - 1; a >= 0; --a) first = first * cells[a] + static_cast<std::uint64_t>(low[a]);
  }
  /// The number of a body's cell within the box: along the contiguous axis, then the middle one, then the slow one.
  [[nodiscard]] std::uint64_t cell(const four& r) const {
    std::uint64_t c = 0;
    for (int a = D - 1; a >= 0; --a) c = c * cells[a] + static_cast<std::uint64_t>(r.center[a] >> shift[a]);
    return c - first;
  }
  /// The same numbers for `number_cells`, if there are fewer than 2^32 cells. In 2D the last coordinate is 0.
  [[nodiscard]] cell_numbering numbering() const {
    return {{shift[0], shift[1], D == 3 ? shift[D - 1] : 0}, {cells[0], cells[1]}, static_cast<std::uint32_t>(first)};
  }
};

/// Adds the runs of a box's cells. Cell c of the box holds places from + begin[c] to from + begin[c + 1].
template <int D>
void add_runs(const grid_box<D>& box, const std::uint32_t* begin, std::uint32_t from, grid_runs& out) {
  const std::uint32_t slabs = D == 3 ? box.cells[D - 1] : 1;
  for (std::uint32_t slab = 0; slab < slabs; ++slab) {
    for (std::uint32_t middle = 0; middle < box.cells[1]; ++middle) {
      const std::uint64_t code = grid_code(box.low[1] + static_cast<std::int64_t>(middle),
                                           D == 3 ? box.low[D - 1] + static_cast<std::int64_t>(slab) : 0);
      out.line(code, box.low[0], begin, box.cells[0], from);
      begin += box.cells[0];
    }
  }
}

}  // namespace abut
