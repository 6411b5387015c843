#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <abut/overlap.hpp>

#include "portable.hpp"

// What determines a coordinate is made of + - * / sqrt, frexp and ldexp only: each of them gives the same bits on every
// machine. The build switches fused operations off for this file. And one random number at most is drawn among the
// arguments of a call, because compilers differ in the order in which they evaluate them.

namespace abut::scenes {

std::uint64_t random::next() {
  std::uint64_t z = (state_ += 0x9e37'79b9'7f4a'7c15U);
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebU;
  return z ^ (z >> 31);
}

double random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double random::uniform(double min, double max) { return min + (max - min) * uniform(); }

std::size_t random::below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

std::vector<row> random::permutation(std::size_t n) {
  std::vector<row> order(n);
  std::iota(order.begin(), order.end(), row{0});
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[below(k)]);
  return order;
}

bodies set::view() const {
  const auto& c = column;
  const bodies all = kind == shape::sphere
                         ? (dimension == 2 ? spheres(c[0], c[1], c[2]) : spheres(c[0], c[1], c[2], c[3]))
                     : dimension == 2 ? boxes(c[0], c[2], c[1], c[3])
                                      : boxes(c[0], c[3], c[1], c[4], c[2], c[5]);
  return fixed.empty() ? all : all.fixed(fixed);
}

void set::add(double x, double y, double z, double r) {
  if (kind == shape::box) return add_box({x - r, y - r, z - r}, {x + r, y + r, z + r});
  column[0].push_back(x);
  column[1].push_back(y);
  if (dimension == 3) column[2].push_back(z);
  column[static_cast<std::size_t>(dimension)].push_back(r);
}

void set::add_box(const std::array<double, 3>& min, const std::array<double, 3>& max) {
  const auto axes = static_cast<std::size_t>(dimension);
  if (kind == shape::box) {
    for (std::size_t k = 0; k < axes; ++k) {
      column[k].push_back(min[k]);
      column[axes + k].push_back(max[k]);
    }
    return;
  }
  std::array<double, 3> center{};
  double r = max[0] / 2 - min[0] / 2;
  for (std::size_t k = 0; k < axes; ++k) {
    center[k] = min[k] / 2 + max[k] / 2;
    r = std::min(r, max[k] / 2 - min[k] / 2);
  }
  add(center[0], center[1], center[2], r);
}

void set::reserve(std::size_t count) {
  for (int k = 0; k < columns(); ++k) column[static_cast<std::size_t>(k)].reserve(count);
}

set select(const set& bodies, const std::vector<row>& which) {
  set result{.kind = bodies.kind, .dimension = bodies.dimension};
  for (std::size_t k = 0; k < bodies.column.size(); ++k) {
    if (bodies.column[k].empty()) continue;
    result.column[k].reserve(which.size());
    for (const row i : which) result.column[k].push_back(bodies.column[k][i]);
  }
  if (!bodies.fixed.empty()) {
    for (const row i : which) result.fixed.push_back(bodies.fixed[i]);
  }
  return result;
}

namespace {

// base^u with u uniform in [0, 1): the product of base^(1/2), base^(1/4), ... for the bits of u. In place of std::pow,
// for the same bits everywhere.
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

// Adds the lattice's sites in the order given, with the jitter, from the corner `at`.
void add_lattice(set& bodies, const std::vector<row>& sites, const std::array<double, 3>& at, double spacing,
                 double jitter, double r, random& rng) {
  const std::size_t n = sites_per_axis(sites.size(), bodies.dimension);
  for (const std::size_t site : sites) {
    const std::array<std::size_t, 3> step = {site % n, site / n % n, site / n / n};
    std::array<double, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = at[k] + spacing * (static_cast<double>(step[k]) + jitter * rng.uniform(-1, 1));
    }
    bodies.add(c[0], c[1], c[2], r);
  }
}

// `count` bodies uniformly in the cube from `min` to `max`, radii uniform between r_min and r_max.
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

// The two neighboring numbers between which `holds` turns from true (at `inside`) to false (at `outside`).
template <class F>
std::pair<double, double> edge(double inside, double outside, F&& holds) {
  for (;;) {
    const double middle = inside + (outside - inside) / 2;
    if (middle == inside || middle == outside) return {inside, outside};
    (holds(middle) ? inside : outside) = middle;
  }
}

// A body of a touching pair: a center and half sides; a sphere's radius is half[0].
struct piece {
  std::array<double, 3> center{};
  std::array<double, 3> half{};

  [[nodiscard]] region as_region(shape kind) const {
    if (kind == shape::sphere) return sphere{center, half[0]};
    box b;
    for (std::size_t k = 0; k < 3; ++k) {
      b.min[k] = center[k] - half[k];
      b.max[k] = center[k] + half[k];
    }
    return b;
  }

  // The same body with its center (a sphere) or its near face (a box) moved to `at` on this axis, seen from below (up)
  // or from above.
  [[nodiscard]] region moved(shape kind, std::size_t axis, double at, bool up) const {
    region all = as_region(kind);
    if (sphere* s = std::get_if<sphere>(&all)) s->center[axis] = at;
    if (box* b = std::get_if<box>(&all)) {
      b->min[axis] = up ? at : at - 2 * half[axis];
      b->max[axis] = up ? at + 2 * half[axis] : at;
    }
    return all;
  }
};

void add(set& bodies, const region& volume) {
  if (const box* b = std::get_if<box>(&volume)) return bodies.add_box(b->min, b->max);
  const auto& s = std::get<sphere>(volume);
  bodies.add(s.center[0], s.center[1], s.center[2], s.radius);
}

// Two bodies that touch exactly (or, not `touch`, miss by one bit), along an axis or, one time in four, obliquely.
// On that axis half are near the origin: c and r are then of like size, and c - r and c + r round in ways that c - c
// does not (a prune on them loses 3 in 10 such pairs, but 1 in 1000 where c is 1000 r). The other axes keep pairs
// apart.
std::pair<region, region> touching_pair(shape kind, int dimension, bool touch, double margin, random& rng) {
  constexpr std::array<double, 4> far = {37.1, 1.1e3, 1.1e3, 1.3e6};
  constexpr std::array<double, 4> near = {0.03, 0.1, 1, 300};
  const auto axes = static_cast<std::size_t>(dimension);
  const std::size_t axis = rng.below(axes);
  const bool oblique = rng.below(4) == 0;
  const bool up = rng.below(2) == 0;
  const double far_span = far[rng.below(far.size())];
  const double near_span = near[rng.below(near.size())];
  const bool largest = rng.below(2) == 0;
  piece a;
  piece b;
  for (std::size_t k = 0; k < axes; ++k) {
    const double span = k == axis ? near_span : far_span;
    a.center[k] = rng.uniform(-span, span);
    a.half[k] = 0.05 * (largest ? 1 : rng.uniform(0.02, 1));
    b.half[k] = 0.05 * (largest ? 1 : rng.uniform(0.02, 1));
  }
  for (std::size_t k = 0; k < axes; ++k) {
    // On the other axes up to about half of the spheres' reach, so that the pair can still touch.
    const double reach = kind == shape::sphere ? a.half[0] + b.half[0] + margin : a.half[k] + b.half[k];
    b.center[k] = oblique ? a.center[k] + reach * rng.uniform(-0.55, 0.55) : a.center[k];
  }
  const double away = 2 * (a.half[0] + b.half[0] + a.half[axis] + margin);
  const region still = a.as_region(kind);
  const auto [last, first] = edge(a.center[axis], up ? a.center[axis] + away : a.center[axis] - away,
                                  [&](double at) { return overlap(still, b.moved(kind, axis, at, up), margin); });
  return {still, b.moved(kind, axis, touch ? last : first, up)};
}

}  // namespace

set lattice(shape kind, int dimension, std::size_t count, double spacing, double jitter, double r, std::uint64_t seed,
            bool shuffled) {
  random rng(seed);
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  std::vector<row> sites(count);
  if (shuffled) {
    sites = rng.permutation(count);
  } else {
    std::iota(sites.begin(), sites.end(), row{0});
  }
  add_lattice(bodies, sites, {}, spacing, jitter, r, rng);
  return bodies;
}

set uniform(shape kind, int dimension, std::size_t count, double fraction, double r_max, double ratio,
            std::uint64_t seed) {
  random rng(seed);
  const random_power power(ratio);
  std::vector<double> shrink(count);
  double sum = 0;  // of the volumes, in units of that of the largest body
  for (double& s : shrink) {
    s = 1 / power(rng);
    sum += dimension == 2 ? s * s : s * s * s;
  }
  const double side = r_max * root(dimension, unit_volume(kind, dimension) * sum / fraction);
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  for (const double s : shrink) {
    const double x = rng.uniform(0, side);
    const double y = rng.uniform(0, side);
    const double z = rng.uniform(0, side);
    bodies.add(x, y, z, r_max * s);
  }
  return bodies;
}

set clusters(shape kind, int dimension, std::size_t count, std::size_t each, double side, double r,
             std::uint64_t seed) {
  random rng(seed);
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  while (bodies.size() < count) {
    std::vector<row> sites(std::min(each, count - bodies.size()));
    std::iota(sites.begin(), sites.end(), row{0});
    std::array<double, 3> at{};
    for (double& c : at) c = rng.uniform(0, side);
    add_lattice(bodies, sites, at, 2 * r, 0.1, r, rng);
  }
  return select(bodies, rng.permutation(count));
}

set touching(shape kind, int dimension, std::size_t count, std::uint64_t seed, double margin) {
  random rng(seed);
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  while (bodies.size() < count) {
    const auto [a, b] = touching_pair(kind, dimension, bodies.size() % 4 == 0, margin, rng);
    add(bodies, a);
    if (bodies.size() < count) add(bodies, b);
  }
  return bodies;
}

set giant(shape kind, int dimension, std::size_t count, double r, double ratio, std::uint64_t seed) {
  random rng(seed);
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  const double dense = root(dimension, unit_volume(kind, dimension) * static_cast<double>(count) / 0.3);
  const double half = r * std::max(dense / 2, 1.5 * ratio);
  for (std::size_t k = 0; k < count; ++k) {
    const double x = rng.uniform(-half, half);
    const double y = rng.uniform(-half, half);
    const double z = rng.uniform(-half, half);
    if (k == count / 2) {
      bodies.add(0, 0, 0, ratio * r);
    } else {
      bodies.add(x, y, z, r);
    }
  }
  return bodies;
}

void translate(set& bodies, double offset) {
  const int coordinates = bodies.kind == shape::sphere ? bodies.dimension : 2 * bodies.dimension;
  for (int k = 0; k < coordinates; ++k) {
    for (double& c : bodies.column[static_cast<std::size_t>(k)]) c += offset;
  }
}

namespace {

// ---- the list that the tests walk: one function for each scene that is more than a call of the above

set none(shape kind, int dimension) { return {.kind = kind, .dimension = dimension}; }

// Every body of one set, then those of the other.
set joined(set a, const set& b) {
  for (std::size_t k = 0; k < a.column.size(); ++k) {
    a.column[k].insert(a.column[k].end(), b.column[k].begin(), b.column[k].end());
  }
  return a;
}

set coincident(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 100, -3, 3, 0.1, 0.4, rng);
  std::vector<row> which = rng.permutation(100);
  for (row k = 0; k < 100; k += 2) which.push_back(k);  // the same bodies once more
  bodies = select(bodies, which);
  const set other = cube(kind, dimension, 60, -3, 3, 0, 0.2, rng);  // and others at the same places
  for (row k = 0; k < 60; ++k) {
    set twins = select(other, {k, k});
    if (kind == shape::sphere) twins.column[static_cast<std::size_t>(dimension)][1] *= 0.5;
    bodies = joined(std::move(bodies), twins);
  }
  return bodies;
}

// On a line through the origin: along an axis, or along the diagonal of all axes.
set line(shape kind, int dimension, std::size_t count, bool diagonal, random& rng) {
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

// Small bodies on the surface of large ones, a million times smaller.
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

// Sizes from 1e-50 to 1e50 about one point, each among its like and inside of the larger.
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

// Equal bodies at distances that double: gaps of every width, over an extent of 2^100 diameters.
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

// Pairs of neighbors far apart along one axis only, dense along the others.
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
  for (std::size_t k = 0; k < 150; ++k) {  // on a coarse grid, where many coincide
    const auto on_grid = [&] { return 0.1 * static_cast<double>(rng.below(5)); };
    const double x = on_grid();
    const double y = on_grid();
    bodies.add(x, y, on_grid(), 0);
  }
  return bodies;
}

// So small that squares underflow: by the definition of overlap, spheres nearer than about 1e-162 do.
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

// Points that the underflow of squares joins, in rows that are 1 apart.
set tiny_rows(shape kind, int dimension, random& rng) {
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

// Rods and plates a thousand times as long as thick; for spheres, the largest that fit.
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

// Every body inside of one, which comes last.
set contained(shape kind, int dimension, random& rng) {
  set bodies = cube(kind, dimension, 200, -5, 5, 0.05, 0.4, rng);
  bodies.add(0.5, -0.5, 0.25, 100);
  return bodies;
}

// A giant in a crowd that is as dense as can be, among specks that touch.
set crowded_giant(shape kind, int dimension, random& rng) {
  set bodies = giant(kind, dimension, 250, 0.5, 6, rng.next());
  return joined(std::move(bodies), giant(kind, dimension, 100, 1e-3, 1e4, rng.next()));
}

set moved(set bodies, double offset) {
  translate(bodies, offset);
  return bodies;
}

std::vector<scene> list() {
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
      {"collinear", of([](shape kind, int d, random& rng) { return line(kind, d, 200, false, rng); })},
      {"diagonal", of([](shape kind, int d, random& rng) { return line(kind, d, 200, true, rng); })},
      {"planar", of(planar)},
      {"negative", [](shape kind, int d, seed s) { return moved(uniform(kind, d, 300, 0.5, 1, 2, s), -1000); }},
      {"far", [](shape kind, int d, seed s) { return moved(uniform(kind, d, 300, 0.5, 1e-3, 2, s), 1e9); }},
      {"far-negative", [](shape kind, int d, seed s) { return moved(uniform(kind, d, 300, 0.5, 1e-3, 2, s), -1e9); }},
      {"very-far", of([](shape kind, int d, random& rng) {  // neighboring numbers are 1/8 apart there
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
      {"tiny-rows", of(tiny_rows)},
      {"huge", of(huge)},
      {"signed-zeros", of(signed_zeros)},
      {"elongated", of(elongated)},
  };
}

}  // namespace

const std::vector<scene>& all() {
  static const std::vector<scene> scenes = list();
  return scenes;
}

}  // namespace abut::scenes
