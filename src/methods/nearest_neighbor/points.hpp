#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/nearest_neighbor/moves.hpp"

namespace abut {

/// Where many spheres are in proportion to each other, they are kept in half the space: what a step takes is the memory
/// that it goes through. Coordinates are single ones, in units of a frame around all bodies: between -1 and 1, each
/// right to 2^-25 of a unit. That is enough to say surely in, surely out, or in doubt; doubts are decided in double.
struct near_frame {
  static constexpr std::size_t least_spheres = 2048;  ///< fewer are in cache, whatever space they take

  double origin[3] = {};
  double scale = 0;  ///< units per length; 0 where the bodies do not suit
  bool equal = false;

  /// A frame for the spheres of a world, with room for them to spread to twice their extent.
  [[nodiscard]] static near_frame of(const world& w);

  /// Whether what holds for the frame still does: all are within it, and equal if they were.
  [[nodiscard]] bool fits(const world& w) const;

  /// By how much the moves of two bodies together may be more than computed, where sizes, distances and moves are up to
  /// `largest`, in the unit of the coordinates. Four roundings of a coordinate on each axis come to 2 sqrt(3) 2^-24; a
  /// few operations in single precision to some parts in 2^24 of what they are about.
  [[nodiscard]] double rounding(double largest) const { return std::ldexp(1 / scale, -22) + std::ldexp(largest, -20); }
};

/// A sphere in its frame. Of what is not in the list at present the coordinates are no numbers.
struct near_point {
  float center[3];
  std::uint32_t last;  ///< where all are equal the row, otherwise the radius, as the bits of a float
};

[[nodiscard]] constexpr bool is_here(const near_point& p) { return p.center[0] == p.center[0]; }

/// How moves are measured.
struct point_moves {
  float growth = 0;        ///< of all, where they are equal: in units
  float per_unit = 1;      ///< what a move of one unit counts as
  bool in_widths = false;  ///< each divided by its own width instead
};

/// Columns of spheres (the radii null where all are equal), the first of them this row, as points at their places:
/// row k is written to now[places[k]], and how far it has moved since `then` to moves[k]. Without `moves`, `then` is
/// written instead. Rows whose place is `no_row` are left out, with a move of 0. `known` is how many places may be
/// read.
void place_points(const near_frame& frame, const double* const columns[4], row first, const row* places,
                  std::size_t count, std::size_t known, float* const then[4], const point_moves& how, near_point* now,
                  float* moves);
constexpr std::size_t most_points_placed = 1024;  ///< at once

/// Distances that decide, in units: each a share of the sum of radii and a length more. Within the inner one two
/// surely overlap, past the outer one surely not.
struct point_filter {
  float outer_share;
  float outer;
  float inner_share;
  float inner;

  point_filter(const near_frame& frame, double margin);
};

/// Which of the listed pairs of places surely overlap: into `found`, in the same order; returns how many. Those in
/// doubt are added to `doubts`. There must be room and pairs to read as for `overlapping` of near_scan.hpp. Of equal
/// spheres, whose radii come to `sum` units: as pairs of rows. Otherwise: as pairs of places.
[[nodiscard]] std::size_t overlapping_equal(const near_point* at, const point_filter& filter, float sum,
                                            const pair* listed, std::size_t count, pair* found,
                                            std::vector<pair>& doubts);
[[nodiscard]] std::size_t overlapping_unequal(const near_point* at, const point_filter& filter, const pair* listed,
                                              std::size_t count, pair* found, std::vector<pair>& doubts);

/// Pairs of places as pairs of rows; may be in place.
void name_rows(const row* rows, const pair* places, std::size_t count, pair* named);

/// What some moves come to.
[[nodiscard]] moves all_of(const float* move, std::size_t count, float distance, float limit);

}  // namespace abut
