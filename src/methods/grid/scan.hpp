#pragma once

#include <cstdint>
#include <vector>

#include "bodies/batch.hpp"

namespace abut {

/// The bodies of the grid in the order of their cells: centers as whole numbers of their level's unit.
/// The arrays go on for `grid_padding` entries past the last body, so that vectors may be read past the end.
struct grid_columns {
  const std::int32_t* center[3];  ///< of the contiguous, the middle and the slow axis; 2D: two of them
  const float* half[3];           ///< half widths in units; spheres: half[0] is the radius. Null: all are the same.
  const std::uint32_t* row;
};

constexpr std::size_t grid_padding = 64;

/// How single precision decides. Centers are right to a unit or two, so a pair whose distance comes within `doubt` of
/// the sum of half widths and room is decided in double.
struct grid_filter {
  float room;   ///< added to the sum of half widths: no overlap is past that; in units
  float doubt;  ///< less than that many units within, and an overlap is not sure
};

/// Bodies [from, to) of one row of cells, against those of the same level around them. Each pair once: in the own row
/// from the body that comes first, otherwise from the body in the row that comes first.
struct grid_row_job {
  std::uint32_t from;
  std::uint32_t to;
  /// Where the cells of a row begin: of the own row, of the one behind it on the middle axis, and, behind those on the
  /// slow axis, of the rows at middle - 1, middle, middle + 1 (2D: two of the five). May be asked from two before the
  /// cell of the first body to four past that of the last.
  const std::uint32_t* around[5];
  int row_bits;        ///< the units that a row is high, as a power of two
  int cell_bits;       ///< the units that a cell is long
  std::int32_t reach;  ///< how far partners' centers can be on an axis, in units: less than half a row
  float same_half[3];  ///< where the columns have none: the sum of two half widths
  grid_filter filter;
};

/// Places [from, to).
struct grid_range {
  std::uint32_t from;
  std::uint32_t to;
};

/// One body, in the units of another level, against ranges of that.
struct grid_cover_job {
  std::int32_t center[3];
  float half[3];
  std::uint32_t row;
  const grid_range* ranges;
  std::size_t count;
  grid_filter filter;
};

/// A pair of rows that is to be decided in double.
struct grid_doubt {
  std::uint32_t target;
  std::uint32_t other;
};

/// Do a job, with the best vector instructions that the machine has: pairs that are sure go to the batch. Return the
/// number of tests.
std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_row_job& job, pair_batch& out,
                        std::vector<grid_doubt>& doubts);
std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_cover_job& job,
                        pair_batch& out, std::vector<grid_doubt>& doubts);

}  // namespace abut
