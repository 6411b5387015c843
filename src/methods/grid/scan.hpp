#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bodies/batch.hpp"

namespace abut {

/// The bodies of the grid in the order of their cells, as columns. A body's index in them is its *place*. Centers are
/// whole numbers of the unit of the body's level. Each array has `grid_padding` entries more than bodies, so that the
/// last vector can be read whole.
struct grid_columns {
  const std::int32_t* center[3];  ///< on the contiguous, the middle and the slow axis; in 2D on the first two
  const std::uint32_t* row;
  const std::int16_t* near[3];  ///< centers in 2^-15 of a line's height, modulo two lines
  const std::int16_t* half[3];  ///< half widths in the same, by `grid_near_half`; half[0] is a sphere's radius. Null if
                                ///< all are equal.
};

constexpr std::size_t grid_padding = 64;

/// How single precision decides, in units. Centers are accurate to a unit or two. Bodies that are farther apart than
/// the sum of their half widths plus `room` do not overlap; those nearer than that by more than `doubt` do; the
/// pairs in between are decided in double.
struct grid_filter {
  float room;
  float doubt;
  float half_unit;  ///< the unit of the column of half widths: 2^-15 of a line
};

/// The same for the columns of 16 bits: half widths, room and doubt in 2^-15 of a line.
struct grid_near_filter {
  std::int16_t room;
  std::int16_t doubt;
  std::int16_t same_half[3];  ///< if the columns have no half widths: the sum of two
};

/// How many units are 2^-15 of a line.
[[nodiscard]] inline double grid_near_unit(int line_bits) {
  return static_cast<double>(std::int32_t{1} << line_bits) * 0x1p-15;
}

/// A half width as `grid_columns::half` has it: rounded up, by at most one. The greatest value stands for all that are
/// too large, which no level has.
[[nodiscard]] inline std::int16_t grid_near_half(double half) {
  return static_cast<std::int16_t>(static_cast<std::int32_t>(std::min(half, 32766.0)) + 1);
}

/// Bodies [from, to) of one line of cells, against the bodies of the same level around them. Each pair is found once:
/// from the body that comes first in the same line, or from the body in the earlier of two lines.
struct grid_line_job {
  std::uint32_t from;
  std::uint32_t to;
  /// For each of five lines, the places where its cells begin: the bodies' own line, the next one on the middle axis,
  /// and, one further on the slow axis, the lines at middle - 1, middle and middle + 1 (in 2D only the first two).
  /// Indexed by cell, from two before the first body's cell to four after the last body's.
  const std::uint32_t* around[5];
  int line_bits;       ///< a line is 2^line_bits units high
  int cell_bits;       ///< a cell is 2^cell_bits units long
  std::int32_t reach;  ///< how far apart two partners' centers can be on an axis, in units: less than half a line
  float same_half[3];  ///< if the columns have no half widths: the sum of two
  grid_filter filter;
  grid_near_filter near;
};

/// Places [from, to).
struct grid_range {
  std::uint32_t from;
  std::uint32_t to;
};

/// One body against ranges of a level of smaller bodies. Center and half widths are in that level's units.
struct grid_finer_job {
  std::int32_t center[3];
  float half[3];
  std::uint32_t row;
  const grid_range* ranges;
  std::size_t count;
  grid_filter filter;
};

/// A pair of rows that must be decided in double.
struct grid_doubt {
  std::uint32_t target;
  std::uint32_t other;
};

/// Does a job with the best vector instructions that the machine has. Adds the pairs that surely overlap to `out` and
/// the doubtful ones to `doubts`. Returns the number of comparisons.
std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_line_job& job,
                        pair_batch& out, std::vector<grid_doubt>& doubts);
std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_finer_job& job,
                        pair_batch& out, std::vector<grid_doubt>& doubts);

}  // namespace abut
