#pragma once

#include <vector>

#include "bodies/sketcher.hpp"
#include "methods/nearest_neighbor/bodies.hpp"
#include "methods/nearest_neighbor/list.hpp"

namespace abut {

/// Shows the list of near pairs, the neighborhoods that were made for it, and the strays.
template <int D, shape S>
void show_neighborhoods(sketcher& out, const near_bodies<D, S>& bodies, const near_list& list, const near_room& room,
                        const std::vector<row>& strays) {
  const std::uint32_t neighborhood =
      out.kind("neighborhood", "a body as it was when the list was made, with half the distance around it",
               sketch::holding::nothing);
  const std::uint32_t listed = out.kind("listed pair", "neighborhoods that met then: tested at each step");
  const double skin = room.in_widths ? 0 : room.distance / 2;  // in widths, the bodies of then are fat already
  for (std::size_t p = 0; p < bodies.places(); ++p) {
    const row i = bodies.row_at(static_cast<row>(p));
    if (i == no_row) continue;
    const auto& then = bodies.then()[p];
    const bool searched = i == out.chosen();
    if constexpr (S == shape::sphere) {
      out.point(neighborhood, 0, {then.center[0], then.center[1], D == 3 ? then.center[2] : 0.0}, i, then.radius + skin,
                searched);
    } else {
      sketcher::sides all{};
      for (int k = 0; k < D; ++k) all[static_cast<std::size_t>(k)] = {then.min[k] - skin, then.max[k] + skin};
      out.box(neighborhood, 0, all, searched);
    }
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    const row i = bodies.row_at(list.pairs()[k].i);
    const row j = bodies.row_at(list.pairs()[k].j);
    if (i == no_row || j == no_row) continue;
    const bool searched = i == out.chosen() || j == out.chosen();
    out.segment(listed, 0, i, j, searched);
    if (searched) out.compared(i == out.chosen() ? j : i);
  }
  if (strays.empty()) return;
  const std::uint32_t stray = out.kind("stray", "has left the list and is searched for by itself");
  for (const row i : strays) out.point(stray, 0, out.middle(i), i);
}

}  // namespace abut
