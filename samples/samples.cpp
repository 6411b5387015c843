#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <abut/overlap.hpp>

#include "bodies/view.hpp"
#include "generators.hpp"
#include "portable.hpp"

// Coordinates are computed by + - * / sqrt, frexp and ldexp only, which give the same bits on every machine; the build
// switches fused operations off. A call has at most one argument that draws a random number, because compilers differ
// in the order in which they evaluate arguments.

namespace abut::samples {

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
  bodies all = view_of(kind, dimension, column);
  if (!fixed.empty()) all = all.fixed(fixed);
  if (!group.empty()) all = all.group(group);
  if (!category.empty()) all = all.mask(category, collides);
  return all;
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
  const auto pick = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.reserve(which.size());
    for (const row i : which) to.push_back(from[i]);
  };
  for (std::size_t k = 0; k < bodies.column.size(); ++k) pick(bodies.column[k], result.column[k]);
  pick(bodies.fixed, result.fixed);
  pick(bodies.group, result.group);
  pick(bodies.category, result.category);
  pick(bodies.collides, result.collides);
  return result;
}

namespace {

// Adds a body at each of these sites, jittered, of a lattice with its corner at `at`.
void add_lattice(set& bodies, const std::vector<row>& sites, const std::array<double, 3>& at,
                 const std::array<double, 3>& spacing, const std::array<double, 3>& jitter, double r, random& rng) {
  const std::size_t n = sites_per_axis(sites.size(), bodies.dimension);
  for (const std::size_t site : sites) {
    const std::array<std::size_t, 3> step = {site % n, site / n % n, site / n / n};
    std::array<double, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = at[k] + spacing[k] * (static_cast<double>(step[k]) + jitter[k] * rng.uniform(-1, 1));
    }
    bodies.add(c[0], c[1], c[2], r);
  }
}

// The neighboring numbers between which `holds` changes from true (at `inside`) to false (at `outside`), by bisection.
template <class F>
std::pair<double, double> edge(double inside, double outside, F&& holds) {
  for (;;) {
    const double middle = inside + (outside - inside) / 2;
    if (middle == inside || middle == outside) return {inside, outside};
    (holds(middle) ? inside : outside) = middle;
  }
}

// A body of a touching pair: its center and half its sides; a sphere's radius is half[0].
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

  // The same body, moved along an axis so that a sphere's center, or the near face of a box, is at `at`. The near face
  // is the lower one if `up`.
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

// Two bodies that just touch (or, if not `touch`, miss by one bit), along an axis or, one time in four, obliquely.
// On that axis coordinates are often near the origin: c and r are then of similar size, and c - r and c + r round in
// ways that the difference of two centers does not (a prune on them loses 3 in 10 such pairs, but 1 in 1000 if c is
// 1000 r). The other axes keep pairs apart.
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
    // On the other axes at most about half of the reach, so that the pair can still touch.
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
  const std::array<double, 3> spacings = {spacing, spacing, spacing};
  return lattice(kind, dimension, count, spacings, {jitter, jitter, jitter}, r, seed, shuffled);
}

set lattice(shape kind, int dimension, std::size_t count, const std::array<double, 3>& spacing,
            const std::array<double, 3>& jitter, double r, std::uint64_t seed, bool shuffled) {
  random rng(seed);
  set bodies{.kind = kind, .dimension = dimension};
  bodies.reserve(count);
  add_lattice(bodies, site_order(count, rng, shuffled), {}, spacing, jitter, r, rng);
  return bodies;
}

set uniform(shape kind, int dimension, std::size_t count, double fraction, double r_max, double ratio,
            std::uint64_t seed) {
  random rng(seed);
  const random_power random_ratio(ratio);
  std::vector<double> shrink(count);
  double sum = 0;  // of the volumes, in units of the largest body's
  for (double& s : shrink) {
    s = 1 / random_ratio(rng);
    sum += power(s, dimension);
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
    const std::vector<row> sites = site_order(std::min(each, count - bodies.size()), rng, false);
    std::array<double, 3> at{};
    for (double& c : at) c = rng.uniform(0, side);
    add_lattice(bodies, sites, at, {2 * r, 2 * r, 2 * r}, {0.1, 0.1, 0.1}, r, rng);
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

}  // namespace abut::samples
