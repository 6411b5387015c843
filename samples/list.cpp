// The samples for tests, with a function for each that is more than a call of a generator. As in samples.cpp, a call
// has at most one argument that draws a random number.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "portable.hpp"
#include "samples.hpp"

namespace abut::samples {

namespace {

// `count` bodies at random in the cube from `min` to `max`, with radii uniform between r_min and r_max.
set cube(shape kind, int dimension, std::size_t count, double min, double max, double r_min, double r_max,
         random& rng) {
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double x = rng.uniform(min, max);
    const double y = rng.uniform(min, max);
    const double z = rng.uniform(min, max);
    bodies.add(x, y, z, rng.uniform(r_min, r_max));
  }
  return bodies;
}

set none(shape kind, int dimension) { return {.kind = kind, .dimension = dimension}; }

// The bodies of one set, then those of the other.
set joined(set a, const set& b) {
  for (std::size_t k = 0; k < a.column.size(); ++k) {
    a.column[k].insert(a.column[k].end(), b.column[k].begin(), b.column[k].end());
  }
  return a;
}

set coincident(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 100, -3, 3, 0.1, 0.4, rng);
  std::vector<row> which = rng.permutation(100);
  for (row k = 0; k < 100; k += 2) which.push_back(k);  // the same bodies again
  bodies = select(bodies, which);
  const set other = cube(kind, dimension, 60, -3, 3, 0, 0.2, rng);  // and pairs of bodies in one place
  for (row k = 0; k < 60; ++k) {
    set twins = select(other, {k, k});
    if (kind == shape::sphere) twins.column[static_cast<std::size_t>(dimension)][1] *= 0.5;
    bodies = joined(std::move(bodies), twins);
  }
  return bodies;
}

// On a line through the origin: along an axis, or along the diagonal of all axes.
set on_line(shape kind, int dimension, std::size_t count, bool diagonal, random& rng) {
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < count; ++k) {
    const double t = rng.uniform(-60, 60);
    const double off = diagonal ? t : 0;
    bodies.add(t, off, off, rng.uniform(0.2, 1));
  }
  return bodies;
}

set planar(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < 300; ++k) {
    const double x = rng.uniform(-10, 10);
    const double y = dimension == 2 ? 0.7 : rng.uniform(-10, 10);
    bodies.add(x, y, 0.3, rng.uniform(0.1, 0.8));
  }
  return bodies;
}

// Small bodies on the surfaces of large ones, which are a million times larger.
set satellites(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < 40; ++k) {
    const double x = rng.uniform(-20, 20);
    const double y = rng.uniform(-20, 20);
    const double z = rng.uniform(-20, 20);
    const double r = rng.uniform(1, 3);
    bodies.add(x, y, z, r);
    for (std::size_t n = 0; n < 7; ++n) {
      const double off = 1e-6 * rng.uniform(-2, 2);
      bodies.add(x + r + off, y, z, 1e-6 * rng.uniform(0.5, 1));
    }
  }
  return bodies;
}

// Sizes from 1e-50 to 1e50 around one point: each body is among others of its size and inside larger ones.
set all_scales(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  const random_power power(1e50);
  for (std::size_t k = 0; k < 300; ++k) {
    const double scale = rng.below(2) == 0 ? power(rng) : 1 / power(rng);
    const double x = scale * rng.uniform(-3, 3);
    const double y = scale * rng.uniform(-3, 3);
    const double z = scale * rng.uniform(-3, 3);
    bodies.add(x, y, z, scale * rng.uniform(0.05, 1));
  }
  return bodies;
}

// Equal bodies at distances that double: gaps of every width, over about 2^100 diameters.
set doubling(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  for (int k = -20; k < 100; ++k) {
    const double far = std::ldexp(rng.below(2) == 0 ? 1.0 : -1.0, k);
    const std::size_t axis = rng.below(static_cast<std::size_t>(dimension));
    std::array<double, 3> c{};
    for (std::size_t a = 0; a < 3; ++a) c[a] = a == axis ? far : rng.uniform(-2, 2);
    bodies.add(c[0], c[1], c[2], 0.75);
    c[axis] = far * (1 + 0x1p-52);
    bodies.add(c[0] + (axis == 0 ? 0 : 1), c[1] + (axis == 0 ? 1 : 0), c[2], 0.75);
  }
  return bodies;
}

// Groups that are far apart along one axis, and dense along the others.
set stretched(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 300, 0, 5, 0.1, 0.5, rng);
  const int coordinates = kind == shape::sphere ? 1 : 2;
  for (int k = 0; k < coordinates; ++k) {
    std::vector<double>& x = bodies.column[static_cast<std::size_t>(k) * static_cast<std::size_t>(dimension)];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e11 * static_cast<double>(i % 5);
  }
  return bodies;
}

set points(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 150, -1, 1, 0, 0, rng);
  for (std::size_t k = 0; k < 150; ++k) {  // on a coarse grid, so that many coincide
    const auto on_grid = [&] { return 0.1 * static_cast<double>(rng.below(5)); };
    const double x = on_grid();
    const double y = on_grid();
    bodies.add(x, y, on_grid(), 0);
  }
  return bodies;
}

// So small that squares underflow: by the definition of overlap, spheres closer than about 1e-162 overlap.
set tiny(shape kind, int dimension, random& rng) {
  constexpr std::array<double, 5> scales = {1e-150, 1e-155, 1e-160, 1e-163, 1e-310};
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < 250; ++k) {
    const double scale = scales[k % scales.size()];
    const double x = scale * rng.uniform(-9, 9);
    const double y = scale * rng.uniform(-9, 9);
    const double z = scale * rng.uniform(-9, 9);
    bodies.add(x, y, z, rng.below(3) == 0 ? 0 : scale * rng.uniform(0, 1));
  }
  return bodies;
}

// Points that overlap because squares underflow, on lines that are 1 apart.
set tiny_lines(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < 200; ++k) {
    const double x = 1e-163 * rng.uniform(-30, 30);
    const auto z = static_cast<double>(rng.below(3));
    bodies.add(x, static_cast<double>(k % 5), z, k % 4 == 0 ? 1e-162 : 0);
  }
  return bodies;
}

// At the end of the range of coordinates.
set huge(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 200, -8.9e149, 8.9e149, 2e148, 1e149, rng);
  const double end = kind == shape::sphere ? 1e150 : 8.9e149;
  for (const double x : {-end, end}) {
    for (const double y : {-end, end}) {
      bodies.add(x, y, x, 1e149);
      bodies.add(x, y * 0.95, x, 1e149);
    }
  }
  bodies.add(1, 2, 3, 1e-10);
  bodies.add(1, 2, 3, 1e140);
  return bodies;
}

set signed_zeros(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  const auto zero = [&] { return rng.below(2) == 0 ? 0.0 : -0.0; };
  for (std::size_t k = 0; k < 30; ++k) {
    const double x = zero();
    const double y = k < 15 ? zero() : 1.0;
    const double z = zero();
    bodies.add(x, y, z, k % 3 == 0 ? 0.5 : zero());
  }
  bodies.add_box({0.0, 0.0, 0.0}, {-0.0, -0.0, -0.0});
  return bodies;
}

// Rods and plates, up to a thousand times as long as thick; for spheres, the largest that fit inside.
set elongated(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < 300; ++k) {
    std::array<double, 3> min{};
    std::array<double, 3> max{};
    for (std::size_t a = 0; a < 3; ++a) {
      min[a] = rng.uniform(-3, 3);
      max[a] = min[a] + (rng.below(3) == 0 ? rng.uniform(1, 5) : rng.uniform(0.005, 0.5));
    }
    bodies.add_box(min, max);
  }
  return bodies;
}

// Boxes with the same longest side, along different axes.
set rods(shape kind, int dimension, random& rng) {
  set bodies = none(kind, dimension);
  for (std::size_t k = 0; k < 300; ++k) {
    std::array<double, 3> min{};
    std::array<double, 3> max{};
    for (std::size_t a = 0; a < 3; ++a) {
      min[a] = 0.125 * static_cast<double>(rng.below(32));
      max[a] = min[a] + (k % static_cast<std::size_t>(dimension) == a ? 1 : 0.0625);
    }
    bodies.add_box(min, max);
  }
  return bodies;
}

// All bodies are inside one, which is the last row.
set contained(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 200, -5, 5, 0.05, 0.4, rng);
  bodies.add(0.5, -0.5, 0.25, 100);
  return bodies;
}

// Two giants in one place, each among specks of its own; the second's are 500 times smaller.
set crowded_giant(shape kind, int dimension, random& rng) {
  set bodies = giant(kind, dimension, 250, 0.5, 6, rng.next());
  return joined(std::move(bodies), giant(kind, dimension, 100, 1e-3, 1e4, rng.next()));
}

set moved(set bodies, double offset) {
  translate(bodies, offset);
  return bodies;
}

std::vector<sample> list() {
  using seed = std::uint64_t;
  const auto of = [](set (*make)(shape, int, random&)) {
    return [make](shape kind, int dimension, seed s) {
      random rng(s);
      return make(kind, dimension, rng);
    };
  };
  return {
      {"empty", of([](shape kind, int d, random&) { return none(kind, d); }), false},
      {"one", of([](shape kind, int d, random& rng) { return cube(kind, d, 1, -1, 1, 1, 2, rng); }), false},
      {"two", of([](shape kind, int d, random& rng) { return cube(kind, d, 2, -1, 1, 2, 3, rng); })},
      {"two-apart", of([](shape kind, int d, random& rng) {
         const set near = cube(kind, d, 1, 0, 1, 1, 2, rng);
         return joined(near, cube(kind, d, 1, 9, 10, 1, 2, rng));
       }),
       false},
      {"random", [](shape kind, int d, seed s) { return uniform(kind, d, 400, 0.3, 1, 2, s); }},
      {"random-dense", [](shape kind, int d, seed s) { return uniform(kind, d, 200, 4, 0.1, 3, s); }},
      {"random-sparse", [](shape kind, int d, seed s) { return uniform(kind, d, 400, 0.02, 1e3, 1.5, s); }},
      {"lattice-exact", [](shape kind, int d, seed s) { return lattice(kind, d, 343, 1, 0, 0.5, s); }},
      {"lattice-awkward", [](shape kind, int d, seed s) { return lattice(kind, d, 250, 0.1, 0, 0.05, s, false); }},
      {"lattice-jittered", [](shape kind, int d, seed s) { return lattice(kind, d, 400, 1, 0.1, 0.525, s); }},
      {"touching", [](shape kind, int d, seed s) { return touching(kind, d, 400, s); }},
      {"touching-far", [](shape kind, int d, seed s) { return moved(touching(kind, d, 400, s), 12345.678); }},
      {"coincident", of(coincident)},
      {"identical", of([](shape kind, int d, random& rng) {
         return select(cube(kind, d, 1, -1, 1, 0.5, 1, rng), std::vector<row>(90, 0));
       })},
      {"one-point", of([](shape kind, int d, random& rng) {
         set bodies = none(kind, d);
         for (std::size_t k = 0; k < 90; ++k) bodies.add(0.1, -0.2, 0.3, rng.uniform(0, 1));
         return bodies;
       })},
      {"collinear", of([](shape kind, int d, random& rng) { return on_line(kind, d, 200, false, rng); })},
      {"diagonal", of([](shape kind, int d, random& rng) { return on_line(kind, d, 200, true, rng); })},
      {"planar", of(planar)},
      {"negative", [](shape kind, int d, seed s) { return moved(uniform(kind, d, 300, 0.5, 1, 2, s), -1000); }},
      {"far", [](shape kind, int d, seed s) { return moved(uniform(kind, d, 300, 0.5, 1e-3, 2, s), 1e9); }},
      {"far-negative", [](shape kind, int d, seed s) { return moved(uniform(kind, d, 300, 0.5, 1e-3, 2, s), -1e9); }},
      {"very-far", of([](shape kind, int d, random& rng) {  // doubles are 1/8 apart there
         return moved(cube(kind, d, 300, -6, 6, 0.3, 1, rng), 1e15);
       })},
      {"ratio-1e6", [](shape kind, int d, seed s) { return uniform(kind, d, 400, 0.6, 1, 1e6, s); }},
      {"satellites", of(satellites)},
      {"ratio-1e100", of(all_scales)},
      {"clusters", [](shape kind, int d, seed s) { return clusters(kind, d, 360, 40, 100, 0.5, s); }},
      {"clusters-far", [](shape kind, int d, seed s) { return clusters(kind, d, 360, 40, 1e13, 0.5, s); }},
      {"stretched", of(stretched)},
      {"doubling", of(doubling)},
      {"giant", [](shape kind, int d, seed s) { return giant(kind, d, 300, 1e-3, 1e3, s); }},
      {"giant-crowded", of(crowded_giant)},
      {"contained", of(contained)},
      {"points", of(points)},
      {"tiny", of(tiny)},
      {"tiny-lines", of(tiny_lines)},
      {"huge", of(huge)},
      {"signed-zeros", of(signed_zeros)},
      {"elongated", of(elongated)},
      {"rods", of(rods)},
  };
}

}  // namespace

const std::vector<sample>& all() {
  static const std::vector<sample> samples = list();
  return samples;
}

}  // namespace abut::samples
