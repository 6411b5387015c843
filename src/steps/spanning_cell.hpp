#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/world.hpp"
#include "steps/sizes.hpp"

namespace abut {

/// A bound, in cells, on how far rounding shifts a coordinate relative to the borders of its `axis_cells`: a position
/// is a number of cells below 2^32, and three roundings of it add up to at most 2^-19 of a cell.
inline constexpr double position_room = 1e-5;

/// The edge, on axis k, of cells that span every body: the widest body's width plus the margin, `extra`, and ten times
/// that bound. Wherever the cells begin, a body lies in at most two cells of an axis, and the centers (of boxes: the
/// lower corners) of bodies that overlap lie in the same cell or in adjacent ones.
///
/// `overlap` of spheres is off by a few roundings of the distance itself. That of boxes rounds `max + margin`: by at
/// most the margin, because max itself is a double, and by at most half a unit in the last place.
[[nodiscard]] inline double spanning_cell(const world& w, int k, double extra = 0) {
  const measures& m = w.measured();
  double reach = m.widest[k] + w.margin() + extra;
  if (w.kind() == shape::box) {
    const double farthest = std::max(std::abs(m.lower[k]), std::abs(m.upper[k])) + w.margin();
    reach += std::min(w.margin(), std::numeric_limits<double>::epsilon() * farthest);
  }
  // At least the size below which squares underflow; at most a size that holds every set of bodies.
  return std::clamp(reach * (1 + 10 * position_room), least_size, 1e155);
}

}  // namespace abut
