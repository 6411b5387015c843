#include "steps/show_cells.hpp"

namespace abut {

sketcher::sides sides_of(const sketcher& out, const cell_axes& axes, const cell_at& lo, const cell_at& hi) {
  sketcher::sides all = out.bounds();
  for (std::size_t k = 0; k < static_cast<std::size_t>(out.dimension()); ++k) {
    if (axes[k] != nullptr) all[k] = {axes[k]->span(lo[k]).min, axes[k]->span(hi[k]).max};
  }
  return all;
}

template <int D>
void show_cells(sketcher& out, std::uint32_t kind, std::uint32_t level, const cell_lines<D>& cells,
                const std::function<row(std::size_t)>& row_at,
                const std::function<bool(const cell_at&, std::size_t, std::size_t)>& searched) {
  if (cells.size() == 0) return;
  const cell_axes axes = axes_of(cells);
  cells.for_each_cell(0, cells.size(), [&](std::size_t line, std::size_t first, std::size_t last) {
    cell_at c{cells.x()[first], cells.y(line), 0};
    if constexpr (D == 3) c[2] = cells.z(line);
    out.box(kind, level, sides_of(out, axes, c, c), searched(c, first, last));
    for (std::size_t e = first; e < last; ++e) out.member(row_at(e));
  });
}

template void show_cells<2>(sketcher&, std::uint32_t, std::uint32_t, const cell_lines<2>&,
                            const std::function<row(std::size_t)>&,
                            const std::function<bool(const cell_at&, std::size_t, std::size_t)>&);
template void show_cells<3>(sketcher&, std::uint32_t, std::uint32_t, const cell_lines<3>&,
                            const std::function<row(std::size_t)>&,
                            const std::function<bool(const cell_at&, std::size_t, std::size_t)>&);

}  // namespace abut
