#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/nearest_neighbor/moves.hpp"

namespace abut {

/// Stores many spheres in half the space, since the time of a step is that of going through memory. Coordinates are in
/// single precision, in units of a frame around all bodies: between -1 and 1, each right to 2^-25. That suffices for a
/// filter that answers yes, no or in doubt; doubts are decided in double.
struct near_frame {
  static constexpr std::size_t least_spheres = 2048;  ///< fewer are in cache anyway

  double origin[3] = {};
  double scale = 0;    ///< units per length; 0 if the bodies are not suited to a frame
  bool equal = false;  ///< all have the same radius

  /// A frame for the spheres of a world, with room for them to spread to twice their extent. Its scale is 0 if there
  /// are few of them, or if single precision would be too coarse for their sizes.
  [[nodiscard]] static near_frame of(const world& w);

  /// Whether the frame still fits: all spheres are within it, and still equal if they were.
  [[nodiscard]] bool fits(const world& w) const;

  /// By how much the sum of two bodies' moves may exceed the computed one, if sizes, distances and moves are at most
  /// `largest`; in the unit of the coordinates. Four roundings of a coordinate on each axis add up to at most
  /// 2 sqrt(3) 2^-24 units; a few operations in single precision, to a few parts in 2^24 of their result.
  [[nodiscard]] double rounding(double largest) const { return std::ldexp(1 / scale, -22) + std::ldexp(largest, -20); }
};

/// A sphere in its frame. The coordinates are NaN while it is not in the list.
struct near_point {
  float center[3];
  std::uint32_t last;  ///< the row if all are equal, otherwise the radius, as the bits of a float
};

[[nodiscard]] constexpr bool is_here(const near_point& p) { return p.center[0] == p.center[0]; }

/// How moves are measured.
struct point_moves {
  float growth = 0;        ///< how much the common radius has grown, in units; 0 if radii differ
  float per_unit = 1;      ///< the factor from units to the unit of moves
  bool in_widths = false;  ///< divide each move by the sphere's own width instead
};

/// Writes spheres as points to their places. `columns` holds rows from `first` on (the radii are null if all are
/// equal); sphere k goes to now[places[k]], and its move since `then` to moves[k]. If `moves` is null, writes `then`
/// instead. A sphere whose place is `no_row` is skipped; its move is 0. `known` is the number of places that may be
/// read, to prefetch.
void place_points(const near_frame& frame, const double* const columns[4], row first, const row* places,
                  std::size_t count, std::size_t known, float* const then[4], const point_moves& how, near_point* now,
                  float* moves);
constexpr std::size_t most_points_placed = 1024;  ///< the limit of `count`

/// The distances that decide, in units: (sum of radii) * share + length. Two spheres nearer than the inner one surely
/// overlap; two farther apart than the outer one do not.
struct point_filter {
  float outer_share;
  float outer;
  float inner_share;
  float inner;

  point_filter(const near_frame& frame, double margin);
};

/// Writes those listed pairs that surely overlap to `found`, in the same order, and returns how many; adds those in
/// doubt to `doubts`. Padding as for `overlapping` in scan.hpp. The first is for equal spheres, whose two radii add up
/// to `sum` units, and gives pairs of rows; the second gives pairs of places.
[[nodiscard]] std::size_t overlapping_equal(const near_point* at, const point_filter& filter, float sum,
                                            const pair* listed, std::size_t count, pair* found,
                                            std::vector<pair>& doubts);
[[nodiscard]] std::size_t overlapping_unequal(const near_point* at, const point_filter& filter, const pair* listed,
                                              std::size_t count, pair* found, std::vector<pair>& doubts);

/// Turns pairs of places into pairs of rows; `named` may be `places`.
void name_rows(const row* rows, const pair* places, std::size_t count, pair* named);

/// Sums up some moves.
[[nodiscard]] moves all_of(const float* move, std::size_t count, float distance, float limit);

}  // namespace abut
