#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/world.hpp"

namespace abut {

/// The most, in cells, that rounding shifts a coordinate against the borders of its `axis_cells`: a position is a
/// number of cells below 2^32, and three roundings of it add up to 2^-19 of a cell.
inline constexpr double position_room = 1e-5;

/// The edge on axis k of cells that hold every body: as long as the widest, with the margin, `extra`, and ten times
/// that room. Wherever the cells begin, what a body takes lies in two cells of an axis at most, and the centers (of
/// boxes: the lower corners) of bodies that overlap lie in the same cell or in adjacent ones.
///
/// `overlap` of spheres errs by a few parts of the distance itself. That of boxes rounds `max + margin`, by no more
/// than the margin (max itself is a number that it can be rounded to) and by no more than half a unit in the last
/// place.
[[nodiscard]] inline double spanning_cell(const world& w, int k, double extra = 0) {
  const measures& m = w.measured();
  double reach = m.widest[k] + w.margin() + extra;
  if (w.kind() == shape::box) {
    const double farthest = std::max(std::abs(m.lower[k]), std::abs(m.upper[k])) + w.margin();
    reach += std::min(w.margin(), std::numeric_limits<double>::epsilon() * farthest);
  }
  // At least where squares underflow; at most what every set of bodies fits into.
  return std::clamp(reach * (1 + 10 * position_room), 1e-150, 1e155);
}

}  // namespace abut
