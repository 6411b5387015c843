#include <bit>
#include <cmath>
#include <utility>

#include "generators.hpp"
#include "portable.hpp"

namespace abut::samples {
namespace {

// A random direction: draws points of a square or cube until one lies inside the disc or ball and not so close to its
// center that rounding matters. (Angles would need sine and cosine, which differ from library to library.)
std::array<double, 3> random_direction(int dimension, random& rng) {
  for (;;) {
    std::array<double, 3> v{};
    double square = 0;
    for (int k = 0; k < dimension; ++k) {
      double& x = v[static_cast<std::size_t>(k)];
      x = rng.uniform(-1, 1);
      square += x * x;
    }
    if (square > 1 || square < 1e-4) continue;
    for (double& x : v) x /= std::sqrt(square);
    return v;
  }
}

// A number with at most `bits` significant bits.
class short_number {
 public:
  // The largest that is at most x, for x > 0.
  short_number(double x, int bits) {
    int exponent = 0;
    std::frexp(x, &exponent);
    unit_ = std::ldexp(1.0, exponent - bits);
    value_ = std::floor(x / unit_) * unit_;
  }
  [[nodiscard]] double value() const { return value_; }
  void decrease() { value_ -= unit_; }

 private:
  double unit_;
  double value_;
};

// The steps of the closest packing of spheres of diameter 2x, in layers that consist of lines along x. In a line,
// bodies are 2x apart; lines are 3y apart, and every other line is shifted by x; layers are z apart, and every other
// layer is shifted by x and y. Touching neighbors are then at (2x, 0, 0), (x, 3y, 0), (x, y, z) and (0, 2y, z), with y
// = x / sqrt(3) and z = x sqrt(8 / 3), except for rounding.
struct steps {
  double x, y, z;
};

steps closest_packing(double d, int bits) {
  const double x = short_number(d / 2, bits).value();
  const double reach = (x + x) * (x + x);
  short_number y(x / std::sqrt(3.0), bits);
  while (!(x * x + (3 * y.value()) * (3 * y.value()) <= reach)) y.decrease();
  short_number z(x * std::sqrt(8.0 / 3), bits);
  const double one = x * x + y.value() * y.value();
  const double two = (2 * y.value()) * (2 * y.value());
  while (!(one + z.value() * z.value() <= reach && two + z.value() * z.value() <= reach)) z.decrease();
  return {x, y.value(), z.value()};
}

}  // namespace

set sheet(std::size_t count, double spacing, double jitter, double r, std::uint64_t seed, bool shuffled) {
  set bodies = lattice(shape::sphere, 2, count, spacing, jitter / spacing, r, seed, shuffled);
  random rng(~seed);
  bodies.dimension = 3;
  bodies.column[3] = std::move(bodies.column[2]);
  bodies.column[2].resize(count);
  for (double& z : bodies.column[2]) z = jitter * rng.uniform(-1, 1);
  return bodies;
}

set line(int dimension, std::size_t count, const std::array<double, 3>& direction, double spacing, double jitter,
         double r, std::uint64_t seed, bool shuffled) {
  random rng(seed);
  double square = 0;
  for (int k = 0; k < dimension; ++k) {
    square += direction[static_cast<std::size_t>(k)] * direction[static_cast<std::size_t>(k)];
  }
  const double length = std::sqrt(square);
  set bodies{.dimension = dimension};
  bodies.reserve(count);
  for (const row site : site_order(count, rng, shuffled)) {
    std::array<double, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = spacing * site * (direction[k] / length) + jitter * rng.uniform(-1, 1);
    }
    bodies.add(c[0], c[1], c[2], r);
  }
  return bodies;
}

set shell(int dimension, std::size_t count, double spacing, double jitter, double r, std::uint64_t seed) {
  random rng(seed);
  const auto n = static_cast<double>(count);
  const double radius =
      dimension == 2 ? spacing * n / (2 * std::numbers::pi) : spacing * std::sqrt(n / (4 * std::numbers::pi));
  set bodies{.dimension = dimension};
  bodies.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> v = random_direction(dimension, rng);
    const double out = radius + jitter * rng.uniform(-1, 1);
    bodies.add(out * v[0], out * v[1], out * v[2], r);
  }
  return bodies;
}

set touching_lattice(arrangement how, int dimension, std::size_t count, double d, std::uint64_t seed, bool shuffled,
                     bool single) {
  const std::size_t n = sites_per_axis(count, dimension);
  // A coordinate is a step times an integer of at most 3n, so it is exact if steps have this many bits.
  const int bits = (single ? 24 : 53) - static_cast<int>(std::bit_width(3 * n + 1));
  if (how == arrangement::cubic) {
    const double r = short_number(d / 2, bits).value();
    return lattice(shape::sphere, dimension, count, 2 * r, 0, r, seed, shuffled);
  }
  const steps step = closest_packing(d, bits);
  random rng(seed);
  set bodies{.dimension = dimension};
  bodies.reserve(count);
  for (const std::size_t site : site_order(count, rng, shuffled)) {
    const std::size_t i = site % n;
    const std::size_t j = site / n % n;
    const std::size_t k = site / n / n;
    bodies.add(step.x * static_cast<double>(2 * i + (j + k) % 2), step.y * static_cast<double>(3 * j + k % 2),
               step.z * static_cast<double>(k), step.x);
  }
  return bodies;
}

}  // namespace abut::samples
