#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// Smaller sizes count as this one: their squares underflow, and `widened` adds as much anyway.
inline constexpr double least_size = 1e-150;

/// Reads the widths of rows [from, to): a sphere's diameter, a box's longest side; without the margin.
void read_widths(const world& w, std::size_t from, std::size_t to, double* out);

/// How the size of a body follows from its width: (width + added) * factor, and at least `least`.
struct size_measure {
  double added = 0;
  double factor = 1;
  double least = 0;

  [[nodiscard]] double operator()(double width) const { return std::max((width + added) * factor, least); }
};

/// The ranges in which a histogram counts sizes. The numbers of a range have the same highest bits: dropping all but
/// the exponent and n bits of the mantissa makes 2^n ranges per octave.
struct size_ranges {
  int dropped = 52;         ///< how many of the lowest bits are dropped
  std::uint64_t first = 0;  ///< the remaining bits of the smallest size
  std::size_t count = 1;    ///< larger sizes are counted in the last range

  /// The range of a size that is not below the first range; it never decreases with the size.
  [[nodiscard]] std::size_t of(double size) const {
    return std::min(count - 1, static_cast<std::size_t>((std::bit_cast<std::uint64_t>(size) >> dropped) - first));
  }
};

/// The bodies whose sizes are in one range.
struct size_count {
  std::uint32_t count = 0;
  double largest = 0;  ///< the largest size among them
};

/// Counts all bodies by range, in one parallel pass. The result does not depend on the number of threads.
[[nodiscard]] std::vector<size_count> count_sizes(const world& w, const size_measure& size, const size_ranges& ranges);

}  // namespace abut
