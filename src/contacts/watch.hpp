#pragma once

#include <array>
#include <cstddef>

#include <abut/bodies.hpp>

#include "base/memory.hpp"

namespace abut {

/// Remembers bodies as they are, and tells how far they have moved since.
class body_watch {
 public:
  /// Copies the bodies.
  void remember(const bodies& b, int threads);

  /// Whether these are as many bodies of the same shape and dimension.
  [[nodiscard]] bool knows(const bodies& b) const {
    return b.size() == size_ && b.kind() == kind_ && b.dimension() == dimension_;
  }

  /// Upper bounds of how far the surfaces of the two bodies that moved most have moved outward. Two bodies that overlap
  /// now had a gap of at most the sum of their moves, each as seen from the other's shape. Infinite if a number is
  /// none.
  struct moves {
    double largest = 0;
    double second = 0;
  };
  /// `b` are bodies that it `knows`. To boxes, a box comes as near as its faces do, on some axis; to spheres, as its
  /// corners do, which move on all axes at once.
  [[nodiscard]] moves since(const bodies& b, shape seen_from, int threads) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  std::array<buffer<double>, 6> columns_;
  std::size_t size_ = 0;
  shape kind_ = shape::sphere;
  int dimension_ = 3;
};

}  // namespace abut
