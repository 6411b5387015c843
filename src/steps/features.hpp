#pragma once

#include <optional>
#include <vector>

#include "bodies/world.hpp"
#include "steps/crowd.hpp"

namespace abut {

/// What the planner knows about bodies: how many, how large, how near to each other, how fast. Lengths of bodies are
/// their widest sides, with the margin.
struct features {
  /// The bodies of a power of two.
  struct size_range {
    double size;   ///< none is larger
    double share;  ///< of all bodies
  };

  shape kind = shape::sphere;
  int dimension = 3;
  double count = 0;  ///< rows, images included
  double mean = 1;   ///< of points: about how far apart they are
  double least = 1;
  double widest = 1;
  double extent[3]{};
  std::vector<size_range> sizes;  ///< from small to large
  crowding crowd;                 ///< how near they are to each other
  std::optional<double> move;     ///< how far a body moves along an axis in a step, if known
  double exponent = 0.75;         ///< moves grow as this power of the steps: 0.5 is a walk at random, 1 straight on
  double fast = 0;                ///< share of the bodies that move by more than a list of neighbors bears

  /// How many others are in a cube of this edge around a body, on average over bodies.
  [[nodiscard]] double others(double edge) const;

  /// The same bodies with a greater margin.
  [[nodiscard]] features wider(double by) const;
};

/// Takes the world's measures, one pass over the sizes if they differ, so that not even one giant is missed, and a
/// probe of some thousand positions. The same for any number of threads.
[[nodiscard]] features features_of(const world& w, std::optional<double> move);

}  // namespace abut
