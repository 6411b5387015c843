#pragma once

#include <cstddef>
#include <cstdint>

namespace abut {

/// The least lower and the greatest upper end of some spheres on one axis, or their least and greatest radius.
struct sphere_ends {
  double lower;
  double upper;
  bool sound;  ///< all numbers are valid: none is NaN or greater than `largest` in magnitude
};

// The functions below use the best vector instructions of the processor; all instruction sets give the same result.

/// The ends of `count` spheres on one axis; `count` must be at least 1.
[[nodiscard]] sphere_ends ends_of(const double* center, const double* radius, std::size_t count, double largest);

/// The range of `count` radii, at least 1; sound if all are from 0 to `largest`.
[[nodiscard]] sphere_ends range_of(const double* radius, std::size_t count, double largest);

/// (x - origin) * scale, clamped to 0 ... `most` and truncated to an integer. If `scales` is not null, it has a scale
/// for each x, and `scale` is ignored.
void to_units(const double* x, const double* scales, double scale, std::size_t count, double origin, double most,
              std::int32_t* out);

/// A body on its way into a cell: an integer center and the row, contiguous in memory.
struct four {
  std::int32_t center[3];
  std::uint32_t row;
};

/// Interleaves three columns and rows that count up from `first_row` into one array.
void weave(const std::int32_t* x, const std::int32_t* y, const std::int32_t* z, std::uint32_t first_row,
           std::size_t count, four* out);

/// Columns of integer centers, of the same in 16 bits, and of rows. In 2D those of the last axis are null.
struct four_columns {
  std::int32_t* center[3];
  std::int16_t* near[3];
  std::uint32_t* row;
};

/// Separates bodies into columns. A center in 16 bits has the 15 bits below `bits` and one above.
void unweave(const four* in, std::size_t count, int bits, const four_columns& out);

/// How cells are numbered: along x, then along y, then along z. A body is in cell center >> shift of each axis.
struct cell_numbering {
  int shift[3];
  std::uint32_t cells[2];  ///< along x and y
  std::uint32_t first;     ///< the cell with number 0, as counted from the origin
};

/// The number of each body's cell, modulo 2^32.
void number_cells(const four* in, std::size_t count, const cell_numbering& by, std::uint32_t* out);

}  // namespace abut
