#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// The levels of the grid, by the half width of bodies.
struct grid_sizes {
  struct level {
    double widest_half;  ///< of its largest body
    std::size_t count;
  };

  std::vector<level> levels;           ///< from the smallest bodies to the largest
  std::vector<std::uint8_t> level_of;  ///< by bin; empty if there is one level

  /// Bins are quarters of octaves, by the highest bits of the half width: a larger one never has a lower bin.
  static constexpr int bits_dropped = 50;
  static constexpr std::size_t bins = std::size_t{1} << 13;
  [[nodiscard]] static std::size_t bin(double half) { return std::bit_cast<std::uint64_t>(half) >> bits_dropped; }

  /// The level of a body.
  [[nodiscard]] std::uint8_t of(double half) const { return level_of.empty() ? std::uint8_t{0} : level_of[bin(half)]; }
};

/// Half of a body's width on its widest axis.
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

/// The middle of a body on an axis. Rounding never moves it beyond the body's ends.
template <int D, shape S>
[[nodiscard]] double center_of(const volume<D, S>& v, int k) {
  if constexpr (S == shape::sphere) {
    return v.center[k];
  } else {
    return v.min[k] + (v.max[k] - v.min[k]) / 2;
  }
}

/// Chooses the levels that cost least by a model of the search. If `asked` is not 0, chooses that many, or fewer if
/// sizes do not differ enough. Reads every body if sizes differ.
[[nodiscard]] grid_sizes choose_grid_sizes(const world& w, std::size_t asked);

}  // namespace abut
