#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// A probe of the bodies' positions, taken evenly from all rows. It shows how crowded space is around a body, by the
/// one estimate that all models use: if one row in n was probed, two probed bodies in one cube stand for n others.
class crowd_probe {
 public:
  using place = std::array<double, 3>;

  /// For about `wanted` of `rows` rows; the caller adds them.
  crowd_probe(std::size_t rows, std::size_t wanted) : step_((rows + wanted - 1) / wanted) { at_.reserve(wanted); }
  /// Takes about `wanted` rows of a world: their centers or lower corners. With `from_corner`, cubes begin at the
  /// bodies' lower corner instead of 0.
  crowd_probe(const world& w, std::size_t wanted, bool from_corner = false);

  /// Add every row whose number is a multiple of this, and no other.
  [[nodiscard]] std::size_t step() const { return step_; }
  void add(const place& p) { at_.push_back(p); }

  /// How many others are in a body's own cube of this edge, on average over bodies.
  [[nodiscard]] double others(double edge) const;

 private:
  std::vector<place> at_;
  std::size_t step_;
  place lower_{};
  place extent_{};
};

/// The probe for choosing cell sizes: with up to 8192 bodies it has all of them, and its estimate is exact.
[[nodiscard]] inline crowd_probe fine_probe(const world& w) { return {w, 8192, true}; }

/// How many others are in a cube around a body, by the cube's edge, on average over bodies.
struct crowding {
  struct scale {
    double edge;
    double others;
  };

  double count = 0;  ///< of bodies
  int dimension = 3;
  std::vector<scale> scales;  ///< from small to large edges; at least one

  /// Between two scales, interpolated as a power of the edge; beyond them, as if bodies were spread evenly.
  [[nodiscard]] double others(double edge) const;
};

/// Probes the bodies at growing edges, from `least` until an edge exceeds `most` or bodies turn out to be spread
/// evenly.
[[nodiscard]] crowding crowding_of(const world& w, double least, double most);

/// Roughly the distance from a body to the next one, whatever their sizes.
[[nodiscard]] double spacing_of(const world& w);

}  // namespace abut
