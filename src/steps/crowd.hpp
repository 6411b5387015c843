#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// Some bodies' places, evenly from all rows: they tell how crowded space is around bodies, wherever those are.
class crowd_probe {
 public:
  using place = std::array<double, 3>;

  /// About `wanted` rows of as many as there are.
  crowd_probe(std::size_t rows, std::size_t wanted) : step_((rows + wanted - 1) / wanted) { at_.reserve(wanted); }
  /// About `wanted` of the rows of a world: their lower corners or centers.
  crowd_probe(const world& w, std::size_t wanted);

  /// Only each row that is a multiple of this is to be added.
  [[nodiscard]] std::size_t step() const { return step_; }
  void add(const place& p) { at_.push_back(p); }

  /// How many others are in a body's own cube of this edge, on average over bodies. Two of the probe in one cube stand
  /// for as many others as rows were passed over.
  [[nodiscard]] double others(double edge) const;

 private:
  std::vector<place> at_;
  std::size_t step_;
};

/// How many others are in a cube around a body, by the cube's edge, on average over bodies.
struct crowding {
  struct scale {
    double edge;
    double others;
  };

  double count = 0;  ///< of bodies
  int dimension = 3;
  std::vector<scale> scales;  ///< from small to large edges; at least one

  /// Between scales as a power of the edge; beyond them, as if bodies were spread evenly.
  [[nodiscard]] double others(double edge) const;
};

/// Looks at a probe of the bodies, at edges from `least` on until they cover `most` or bodies are spread evenly.
[[nodiscard]] crowding crowding_of(const world& w, double least, double most);

/// About how far bodies are from the next one, whatever their sizes.
[[nodiscard]] double spacing_of(const world& w);

}  // namespace abut
