#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include <abut/bodies.hpp>

#include "base/power.hpp"
#include "samples.hpp"

/// What the generators share: arithmetic that gives the same bits on every machine. It replaces std::cbrt and std::pow,
/// which differ from library to library, by + - * / sqrt, frexp and ldexp. Compile without fused operations.
namespace abut::samples {

/// The cube root of a; 0 for a <= 0. Newton's method, from above: its steps decrease until rounding stops them.
inline double cube_root(double a) {
  if (!(a > 0)) return 0;
  int exponent = 0;
  std::frexp(a, &exponent);
  double x = std::ldexp(1.0, exponent / 3 + 1);
  for (;;) {
    const double next = (2 * x + a / (x * x)) / 3;
    if (!(next < x)) return x;
    x = next;
  }
}

/// The side of a square or cube of this volume.
inline double root(int dimension, double volume) { return dimension == 2 ? std::sqrt(volume) : cube_root(volume); }

/// base^u with u uniform in [0, 1): the product of base^(1/2), base^(1/4), ... for the bits of u that are set.
class random_power {
 public:
  explicit random_power(double base) {
    for (double& r : roots_) r = base = std::sqrt(base);
  }
  double operator()(random& rng) const {
    std::uint64_t bits = rng.next();
    double product = 1;
    for (const double r : roots_) {
      if ((bits & 1U) != 0) product *= r;
      bits >>= 1;
    }
    return product;
  }

 private:
  std::array<double, 32> roots_{};
};

/// The volume of a body of radius 1.
inline double unit_volume(shape kind, int dimension) {
  if (kind == shape::box) return dimension == 2 ? 4 : 8;
  return dimension == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
}

/// The number of sites along an axis of the smallest square or cubic lattice with at least `count` sites.
inline std::size_t sites_per_axis(std::size_t count, int dimension) {
  std::size_t n = 0;
  while ((dimension == 2 ? n * n : n * n * n) < count) ++n;
  return n;
}

/// The sites 0 to count - 1, in random order if `shuffled`.
inline std::vector<row> site_order(std::size_t count, random& rng, bool shuffled) {
  if (shuffled) return rng.permutation(count);
  std::vector<row> order(count);
  std::iota(order.begin(), order.end(), row{0});
  return order;
}

}  // namespace abut::samples
