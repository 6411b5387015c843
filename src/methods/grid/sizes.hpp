#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// Which bodies make a level of the grid.
struct grid_sizes {
  struct level {
    double widest_half;  ///< the half width of its largest body
    std::size_t count;
  };

  std::vector<level> levels;           ///< from the smallest bodies to the largest
  std::vector<std::uint8_t> level_of;  ///< by bin; empty where there is one level

  /// Quarters of octaves, by the bits of the number: never decreases with it.
  static constexpr int bits_dropped = 50;
  static constexpr std::size_t bins = std::size_t{1} << 13;
  [[nodiscard]] static std::size_t bin(double half) { return std::bit_cast<std::uint64_t>(half) >> bits_dropped; }

  [[nodiscard]] std::uint8_t of(double half) const { return level_of.empty() ? std::uint8_t{0} : level_of[bin(half)]; }
};

/// Half of a body's width, on its widest axis.
template <int D, shape S>
[[nodiscard]] double half_width(const volume<D, S>& v) {
  if constexpr (S == shape::sphere) {
    return v.radius;
  } else {
    double most = 0;
    for (int k = 0; k < D; ++k) most = std::max(most, (v.max[k] - v.min[k]) / 2);
    return most;
  }
}

/// The middle of a body on an axis; between its ends, however it is rounded.
template <int D, shape S>
[[nodiscard]] double center_of(const volume<D, S>& v, int k) {
  if constexpr (S == shape::sphere) {
    return v.center[k];
  } else {
    return v.min[k] + (v.max[k] - v.min[k]) / 2;
  }
}

/// The levels that cost least by a model of the search, or so many of them where `asked` is not 0 (fewer where sizes
/// do not differ enough). Looks at every body where sizes differ.
[[nodiscard]] grid_sizes choose_grid_sizes(const world& w, std::size_t asked);

}  // namespace abut
