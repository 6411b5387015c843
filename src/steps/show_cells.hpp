#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "bodies/sketcher.hpp"
#include "steps/axis_cells.hpp"
#include "steps/cell_lines.hpp"

namespace abut {

/// The cells of a method on each of the world's axes; null if an axis is not divided into cells.
using cell_axes = std::array<const axis_cells*, 3>;

/// A cell by its indices on the world's axes, or the first or last of a range of cells.
using cell_at = std::array<std::uint32_t, 3>;

/// What the cells from `lo` to `hi` take up.
[[nodiscard]] sketcher::sides sides_of(const sketcher& out, const cell_axes& axes, const cell_at& lo,
                                       const cell_at& hi);

/// The cells that are searched for the chosen body.
struct cell_window {
  cell_at lo{};
  cell_at hi{};

  [[nodiscard]] bool holds(const cell_at& c) const {
    bool in = true;
    for (std::size_t k = 0; k < 3; ++k) in = in && lo[k] <= c[k] && c[k] <= hi[k];
    return in;
  }
};

/// The axes of lines of cells.
template <int D>
[[nodiscard]] cell_axes axes_of(const cell_lines<D>& cells) {
  cell_axes all{};
  for (int k = 0; k < D; ++k) all[static_cast<std::size_t>(k)] = &cells.axis[k];
  return all;
}

/// Shows a box for each cell that holds things, with their rows. A cell is searched if `searched(cell, first, last)` is
/// true for its things [first, last).
template <int D>
void show_cells(sketcher& out, std::uint32_t kind, std::uint32_t level, const cell_lines<D>& cells,
                const std::function<row(std::size_t)>& row_at,
                const std::function<bool(const cell_at&, std::size_t, std::size_t)>& searched);

extern template void show_cells<2>(sketcher&, std::uint32_t, std::uint32_t, const cell_lines<2>&,
                                   const std::function<row(std::size_t)>&,
                                   const std::function<bool(const cell_at&, std::size_t, std::size_t)>&);
extern template void show_cells<3>(sketcher&, std::uint32_t, std::uint32_t, const cell_lines<3>&,
                                   const std::function<row(std::size_t)>&,
                                   const std::function<bool(const cell_at&, std::size_t, std::size_t)>&);

}  // namespace abut
