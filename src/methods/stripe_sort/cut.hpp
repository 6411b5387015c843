#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "steps/ranked_ends.hpp"

namespace abut {

/// Rows are below 2^30, which leaves a bit for each striped axis: whether a row is listed in a stripe that is not its
/// own.
inline constexpr int first_stripe_bit = 30;
inline constexpr std::uint32_t stripe_row_mask = (std::uint32_t{1} << first_stripe_bit) - 1;

/// Stripes as in the paper (Perkins 1999, 5.2): along each striped axis, the sorted list is cut into stretches with the
/// same number of bodies. A stripe keeps track of the highest upper end of its own bodies; the bodies that begin below
/// it, the border zone, are listed in it too. Each stripe's list is sorted again for the next axis.
struct stripe_cut {
  /// The ranks on a striped axis from the first lower end of a stripe's own bodies to their highest upper end.
  struct span {
    std::int32_t first;
    std::int32_t highest;
  };

  /// By stripe, then by the lower end on the slave axis. The bits above the row say on which of the striped axes it is
  /// in the border zone.
  std::vector<std::uint32_t> listed{};
  std::vector<std::uint32_t> starts{0};      ///< where each stripe begins in `listed`, and the end
  std::vector<std::array<span, 2>> spans{};  ///< of each stripe, on each striped axis
  std::uint64_t comparisons = 0;             ///< of two bodies, in all sorts
  std::array<std::size_t, 2> own{1, 1};      ///< the number of own bodies of a stripe along each striped axis

  /// The limit on entries for this many bodies, since their memory is not O(bodies): 2^24, or 16 per body if that is
  /// more.
  [[nodiscard]] static std::uint64_t most_entries(std::size_t bodies);

  /// `slave` is the axis that is not striped. A stripe has `multiple` times sqrt(N) own bodies, in 3D N^(2/3), of which
  /// each stripe of the next axis has N^(1/3). Throws `error` if there are more entries than `most_entries`.
  stripe_cut(const ranked_ends& ends, int dimension, int slave, std::size_t bodies, std::size_t multiple);

 private:
  class cutter;
};

/// The least whole number whose power is at least n.
[[nodiscard]] std::size_t root_of(std::size_t n, int power);

}  // namespace abut
