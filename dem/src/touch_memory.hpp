#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "near_patches.hpp"

namespace abut::dem {

/// What the law remembers of the points at which a body touches patches. It belongs to the body and the wall, not to a
/// patch, so that it goes along when a body rolls from one triangle to the next.
struct touch_memory {
  struct known {
    std::uint32_t wall;
    vec normal;
  };
  std::vector<known> points;    ///< where the body touched
  std::vector<double> numbers;  ///< as many for each point as the law remembers

  /// The numbers of a point.
  [[nodiscard]] double* at(std::size_t k, std::size_t count) { return numbers.data() + k * count; }

  /// The memory of these points: each takes over from the former one of the same wall that has the most similar normal;
  /// all others begin with 0.
  [[nodiscard]] touch_memory recalled(const std::vector<patch_touch>& now, std::size_t count) const;
  /// Becomes the memory of these points. As a rule there is one, as before, and nothing is allocated.
  void recall(const std::vector<patch_touch>& now, std::size_t count);
};

}  // namespace abut::dem
