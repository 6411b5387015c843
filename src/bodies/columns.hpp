#pragma once

#include <cstddef>
#include <cstdint>

namespace abut {

/// The ends of some spheres on one axis, or the smallest and the largest.
struct sphere_ends {
  double lower;
  double upper;
  bool sound;  ///< nothing is farther out than `largest`, and each is a number
};

/// Loops over columns of doubles, by the best vector instructions that the machine has; the same result with all.
/// At least one sphere.
[[nodiscard]] sphere_ends ends_of(const double* center, const double* radius, std::size_t count, double largest);

/// The least and the greatest of some radii; `sound`: all are from 0 to `largest`. At least one.
[[nodiscard]] sphere_ends range_of(const double* radius, std::size_t count, double largest);

/// (x - origin) * scale, cut to a whole number from 0 to `most`. `scales`: each has its own; null: all have `scale`.
void to_units(const double* x, const double* scales, double scale, std::size_t count, double origin, double most,
              std::int32_t* out);

/// Four whole numbers, as they lie one behind the other: a body on its way into a cell.
struct four {
  std::int32_t center[3];
  std::uint32_t row;
};

/// Four columns (the last one counts up from `first_line`) into one array, and back.
void weave(const std::int32_t* x, const std::int32_t* y, const std::int32_t* z, std::uint32_t first_line,
           std::size_t count, four* out);
void unweave(const four* in, std::size_t count, std::int32_t* x, std::int32_t* y, std::int32_t* z, std::uint32_t* row);

}  // namespace abut
