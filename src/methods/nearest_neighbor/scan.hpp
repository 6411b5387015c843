#pragma once

#include <cstddef>

#include "methods/nearest_neighbor/moves.hpp"

namespace abut {

/// A sphere as the list of near pairs keeps it: four doubles. In 2D the third coordinate is 0, which does not change
/// which spheres overlap.
using near_sphere = volume<3, shape::sphere>;

/// Converts a body to the form in which it is kept.
template <int D>
[[nodiscard]] near_sphere kept(const volume<D, shape::sphere>& v) {
  near_sphere to{};
  std::copy_n(v.center, D, to.center);
  to.radius = v.radius;
  return to;
}
template <int D>
[[nodiscard]] const volume<D, shape::box>& kept(const volume<D, shape::box>& v) {
  return v;
}

// The list's loops, with the best vector instructions that the machine has. They do the same operations in double as
// `overlap`, `move_of` and `share_of`, so the result is the same on every machine.

/// Writes those listed pairs of places that overlap to `found`, in the same order, and returns how many. `found` needs
/// room for `count` + `near_padding` pairs, and `listed` must go on for `near_padding` pairs of any valid places.
[[nodiscard]] std::size_t overlapping(const near_sphere* at, double margin, const pair* listed, std::size_t count,
                                      pair* found);
constexpr std::size_t near_padding = 64;

/// The same for boxes.
template <int D>
[[nodiscard]] std::size_t overlapping(const volume<D, shape::box>* at, double margin, const pair* listed,
                                      std::size_t count, pair* found) {
  std::size_t size = 0;
  for (std::size_t e = 0; e < count; ++e) {
    found[size] = listed[e];
    size += overlap(at[listed[e].i], at[listed[e].j], margin) ? 1 : 0;
  }
  return size;
}

/// Writes spheres to their places: sphere k of the columns goes to now[places[k]], and its move from then[places[k]] to
/// moves[k], as `move_of` or, if `shrink` is not 0, `share_of` gives it. A sphere whose place is `no_row` is skipped;
/// its move is 0.
void place_spheres(const double* const columns[4], const row* places, std::size_t count, const near_sphere* then,
                   double shrink, near_sphere* now, double* moves);

/// Sums up some moves.
[[nodiscard]] moves all_of(const double* move, std::size_t count, double distance, double limit);

}  // namespace abut
