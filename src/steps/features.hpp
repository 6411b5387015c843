#pragma once

#include <optional>
#include <vector>

#include "bodies/world.hpp"
#include "steps/crowd.hpp"

namespace abut {

/// What the planner knows about bodies: how many there are, how large, how close together, how fast. A body's size is
/// its widest side plus the margin.
struct features {
  /// Bodies whose sizes lie within one power of two.
  struct size_range {
    double size;   ///< an upper bound of their sizes
    double share;  ///< the part of all bodies that they are
  };

  shape kind = shape::sphere;
  int dimension = 3;
  double count = 0;  ///< rows, ghosts included
  double mean = 1;   ///< mean size; for points, roughly their spacing
  double least = 1;
  double widest = 1;
  double extent[3]{};
  std::vector<size_range> sizes;  ///< from small to large
  crowding crowd;                 ///< how close together they are
  std::optional<double> move;     ///< how far a body moves along an axis in a step, if known
  double exponent = 0.75;  ///< moves grow as this power of the steps: 0.5 for a random walk, 1 for a straight path
  double fast = 0;         ///< the part of the bodies that move too far for a list of neighbors

  /// How many others are in a cube of this edge around a body, on average over bodies.
  [[nodiscard]] double others(double edge) const;

  /// The same bodies with the margin increased by `by`.
  [[nodiscard]] features wider(double by) const;
};

/// Measures the features from the world's measures, a probe of up to some thousand positions and, if sizes differ, one
/// pass over all sizes, so that not even one giant is missed. The result does not depend on the number of threads.
[[nodiscard]] features features_of(const world& w, std::optional<double> move);

}  // namespace abut
