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

/// Interleaves three columns and rows that count up from `first_row` into one array; `unweave` separates them again.
void weave(const std::int32_t* x, const std::int32_t* y, const std::int32_t* z, std::uint32_t first_row,
           std::size_t count, four* out);
void unweave(const four* in, std::size_t count, std::int32_t* x, std::int32_t* y, std::int32_t* z, std::uint32_t* rows);

}  // namespace abut
