#include "methods/mr/show.hpp"

namespace abut {

namespace {

template <int D>
sketcher::sides sides_of_cells(const mr_frame<D>& frame, const cell_digits<D>& lo, const cell_digits<D>& hi) {
  sketcher::sides all{};
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    all[axis] = {frame.axis(k).span(lo[axis] - 1).min, frame.axis(k).span(hi[axis] - 1).max};
  }
  return all;
}

// Whether two cells are the same or side by side.
template <int D>
bool near(const cell_digits<D>& a, const cell_digits<D>& b) {
  bool all = true;
  for (std::size_t k = 0; k < D; ++k) all = all && a[k] <= b[k] + 1 && b[k] <= a[k] + 1;
  return all;
}

// The lines of cells of the mask, as boxes. Digits begin at 1, and so do cells within the frame.
template <int D>
void show_mask(sketcher& out, std::uint32_t kind, std::uint32_t level, const mr_frame<D>& frame,
               const cell_digits<D>& own, bool whole) {
  const cell_digits<D> radix = frame.radix();
  const auto clipped = [&](std::uint32_t digit, std::size_t k) { return std::clamp(digit, 1U, radix[k] - 2); };
  for (int dz = D == 3 ? -1 : 0; dz <= (D == 3 && whole ? 1 : 0); ++dz) {
    for (int dy = -1; dy <= (whole || dz < 0 ? 1 : 0); ++dy) {
      cell_digits<D> lo = own;
      lo[1] += static_cast<std::uint32_t>(dy);
      if constexpr (D == 3) lo[2] += static_cast<std::uint32_t>(dz);
      cell_digits<D> hi = lo;
      lo[0] -= 1;
      hi[0] += whole || dy != 0 || dz != 0 ? 1 : 0;
      bool inside = true;
      for (std::size_t k = 1; k < D; ++k) inside = inside && lo[k] == clipped(lo[k], k);
      lo[0] = clipped(lo[0], 0);
      hi[0] = clipped(hi[0], 0);
      if (inside) out.box(kind, level, sides_of_cells<D>(frame, lo, hi), true);
    }
  }
}

}  // namespace

template <int D, bool Keep>
void mr_show(sketcher& out, const mr_kinds& kinds, std::uint32_t level, const mr_lists<D, Keep>& lists, int list,
             mr_compared which) {
  cell_digits<D> own{};
  if (which != mr_compared::none) {
    own = lists.cell(out.chosen());
    show_mask<D>(out, kinds.mask, level, lists.frame(), own, which == mr_compared::all);
  }
  bool before = which != mr_compared::none;  // whether the bodies here are compared, if they are near
  bool open = false;
  bool searched = false;
  cell_digits<D> last{};
  const row head = lists.head(list);
  for (row i = lists.next(head), previous = head; i != head; previous = i, i = lists.next(i)) {
    if (previous != head) out.segment(kinds.list, level, previous, i);
    const cell_digits<D> cell = lists.cell(i);
    if (!open || cell != last) {
      searched = before && near<D>(cell, own);
      out.box(kinds.cell, level, sides_of_cells<D>(lists.frame(), cell, cell), searched);
    }
    open = true;
    last = cell;
    out.member(i);
    if (i == out.chosen()) before = false;
    if (before && searched) out.compared(i);
  }
}

template void mr_show<2, true>(sketcher&, const mr_kinds&, std::uint32_t, const mr_lists<2, true>&, int, mr_compared);
template void mr_show<2, false>(sketcher&, const mr_kinds&, std::uint32_t, const mr_lists<2, false>&, int, mr_compared);
template void mr_show<3, true>(sketcher&, const mr_kinds&, std::uint32_t, const mr_lists<3, true>&, int, mr_compared);
template void mr_show<3, false>(sketcher&, const mr_kinds&, std::uint32_t, const mr_lists<3, false>&, int, mr_compared);

}  // namespace abut
