#pragma once

#include <cstddef>

#include "methods/nearest_neighbor/moves.hpp"

namespace abut {

/// A sphere as the list of near pairs keeps it: four doubles, in 2D with a third coordinate of 0, which changes nothing
/// about who overlaps.
using near_sphere = volume<3, shape::sphere>;

/// A body as it is kept.
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

/// Loops of the list, by the best vector instructions that the machine has. In double, operation by operation as
/// `overlap` and `move_of` have it: the same result with all.

/// Which of the listed pairs of places overlap: into `found`, in the same order; returns how many. There must be room
/// for all of them and `near_padding` more, and as many pairs past the last of them to read, of any places.
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

/// Columns of spheres, to where they are kept: row k is written to now[places[k]], and how far it has moved from
/// then[places[k]], to moves[k]: as `move_of` or, where `shrink` is not 0, as `share_of` has it. Rows whose place is
/// `no_row` are left out, with a move of 0.
void place_spheres(const double* const columns[4], const row* places, std::size_t count, const near_sphere* then,
                   double shrink, near_sphere* now, double* moves);

/// What some moves come to.
[[nodiscard]] moves all_of(const double* move, std::size_t count, double distance, double limit);

}  // namespace abut
