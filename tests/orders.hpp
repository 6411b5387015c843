#pragma once

// The order in which a plan finds the pairs of bodies that move. abut_orders prints it, so that two machines can be
// compared; contract/orders_test.cpp compares it with constants.

#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "hashes.hpp"
#include "samples.hpp"

namespace support {

struct named_set {
  std::string name;
  abut::samples::set bodies;
};

/// Sets with enough bodies for several tasks, and for the list of neighbors in single precision.
inline std::vector<named_set> large_sets() {
  using abut::shape;
  namespace samples = abut::samples;
  return {{"spheres", samples::uniform(shape::sphere, 3, 6000, 0.5, 1, 2, 1)},
          {"equal-spheres", samples::lattice(shape::sphere, 3, 6000, 1, 0.1, 0.525, 2)},
          {"discs-of-many-sizes", samples::uniform(shape::sphere, 2, 6000, 0.5, 1, 100, 3)},
          {"boxes", samples::uniform(shape::box, 3, 6000, 0.5, 1, 2, 4)},
          {"rectangles", samples::uniform(shape::box, 2, 6000, 0.5, 1, 20, 5)},
          {"far-clusters", samples::clusters(shape::sphere, 3, 6000, 500, 1e12, 0.5, 6)},
          {"touching", samples::touching(shape::sphere, 3, 6000, 7)}};
}

inline void move_a_little(abut::samples::set& bodies, abut::samples::random& rng) {
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t k = 0; k < axes; ++k) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double by = rng.uniform(-0.01, 0.01);
      bodies.column[k][i] += by;
      if (bodies.kind == abut::shape::box) bodies.column[axes + k][i] += by;
    }
  }
}

struct found_order {
  hashes pairs;
  std::string plan;  ///< in full, after the last update
};

/// Three updates of one search, because methods that keep state must have the same state everywhere.
inline found_order order_of(const std::string& plan, abut::samples::set bodies, int threads) {
  abut::samples::random rng(8);
  found_order found;
  abut::search search{abut::plan(plan), {.threads = threads}};
  for (int step = 0; step < 3; ++step) {
    search.update(bodies.view());
    search.for_each_pair([&](abut::row i, abut::row j) { found.pairs.add({i, j}); });
    move_a_little(bodies, rng);
  }
  found.plan = search.planned().text();
  return found;
}

}  // namespace support
