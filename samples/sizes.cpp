#include <cmath>

#include "generators.hpp"
#include "portable.hpp"

namespace abut::samples {
namespace {

// A radius in units of the largest: inverts the distribution function at u in [0, 1). a is the smallest radius.
//
// inverse_cube: n(r) ~ r^-3 on [a, 1], so F(r) = (a^-2 - r^-2) / (a^-2 - 1) and r = a / sqrt(1 - u (1 - a^2)).
//
// by_mass: Munjiza, Rougier and John, equation (36), give the passing, that is, the mass of all particles smaller than
// x over the mass of all: y = log(x / x_min) / log(x_max / x_min). Its density in x is ~ 1/x. A particle of size x has
// a mass ~ x^D, so the number density is n(x) ~ x^-1 / x^D: x^-4 in 3D, x^-3 in 2D. Then F(x) = (a^-D - x^-D) / (a^-D -
// 1), and x = a / (1 - u (1 - a^D))^(1/D).
double relative_radius(size_law law, int dimension, double a, double u) {
  switch (law) {
    case size_law::equal:
      return 1;
    case size_law::uniform:
      return a + (1 - a) * u;
    case size_law::inverse_cube:
      return a / std::sqrt(1 - u * (1 - a * a));
    case size_law::by_mass:
      return a / root(dimension, 1 - u * (1 - power(a, dimension)));
  }
  return 1;
}

}  // namespace

std::vector<double> radii(size_law law, int dimension, std::size_t count, double r_max, double ratio, random& rng) {
  std::vector<double> all(count, r_max);
  if (law == size_law::equal || ratio == 1) return all;
  const double r_min = r_max / ratio;
  for (double& r : all) {
    // Rounding must not lead out of the range.
    r = std::min(r_max, std::max(r_min, r_max * relative_radius(law, dimension, 1 / ratio, rng.uniform())));
  }
  return all;
}

}  // namespace abut::samples
