#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bodies/columns.hpp"
#include "methods/grid/level.hpp"

namespace abut {

/// Runs in the making: the cells that hold any, told in order.
struct grid_runs {
  struct made {
    std::uint64_t code;
    std::int32_t first;
    std::int32_t last;
    std::size_t starts;  // where in `starts` its cells begin
  };
  std::vector<made> runs{};
  std::vector<std::uint32_t> starts{};

  void clear() {
    runs.clear();
    starts.clear();
  }
  /// Whether this is the cell that was told last.
  [[nodiscard]] bool at(std::uint64_t code, std::int32_t cell) const {
    return !runs.empty() && runs.back().code == code && runs.back().last == cell;
  }
  /// A cell that holds any begins at this place: a run begins, or goes on where the last one ended not far before it.
  void reach(std::uint64_t code, std::int32_t cell, std::uint32_t place) {
    if (!runs.empty() && runs.back().code == code && cell <= runs.back().last + grid_level::gap) {
      for (; runs.back().last < cell; ++runs.back().last) starts.push_back(place);
      return;
    }
    end(place);
    runs.push_back({code, cell, cell, starts.size()});
    starts.push_back(place);
  }
  /// A whole row of cells, the first of which is `low`; they begin at `from` + begin[0 to cells].
  void row(std::uint64_t code, std::int32_t low, const std::uint32_t* begin, std::uint32_t cells, std::uint32_t from) {
    if (begin[0] == begin[cells]) return;
    std::uint32_t c = 0;
    while (begin[c + 1] == begin[0]) ++c;
    std::uint32_t last = cells - 1;
    while (begin[last] == begin[cells]) --last;
    // No gap: the cells behind the first of them go on with the run.
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
  /// Where the last run ends, unless it goes on.
  void end(std::uint32_t place) {
    if (!runs.empty()) starts.push_back(place);
  }
  /// Adds the runs to those of a level: valid until there are others here.
  void append_to(grid_level& l) const {
    for (const made& r : runs) l.runs.push_back({r.code, r.first, r.last, starts.data() + r.starts});
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(runs) + bytes_of(starts); }
};

/// The cells of a bucket, or of the bodies in it.
template <int D>
struct grid_box {
  int shift[D];
  std::int32_t low[D];
  std::uint32_t cells[D];
  std::uint64_t all = 1;
  std::uint64_t first = 0;  // the number that the lowest cell would have by the sum below

  void count() {
    all = 1;
    first = 0;
    for (int a = 0; a < D; ++a) all = std::min(all, std::uint64_t{1} << 30) * cells[a];
    for (int a = D - 1; a >= 0; --a) first = first * cells[a] + static_cast<std::uint64_t>(low[a]);
  }
  template <class Number>
  [[nodiscard]] Number cell(const four& r) const {
    Number c = 0;
    for (int a = D - 1; a >= 0; --a) c = c * cells[a] + static_cast<Number>(r.center[a] >> shift[a]);
    return c - static_cast<Number>(first);
  }
};

/// The runs of a box, from where its cells begin, counted from place `from`.
template <int D>
void runs_of_cells(const grid_box<D>& box, const std::uint32_t* begin, std::uint32_t from, grid_runs& out) {
  const std::uint32_t slabs = D == 3 ? box.cells[D - 1] : 1;
  for (std::uint32_t slab = 0; slab < slabs; ++slab) {
    for (std::uint32_t middle = 0; middle < box.cells[1]; ++middle) {
      const std::uint64_t code = grid_code(box.low[1] + static_cast<std::int64_t>(middle),
                                           D == 3 ? box.low[D - 1] + static_cast<std::int64_t>(slab) : 0);
      out.row(code, box.low[0], begin, box.cells[0], from);
      begin += box.cells[0];
    }
  }
}

}  // namespace abut
