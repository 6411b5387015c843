// The samples are as described: they have pairs if they should, and all of them obey the contract.

#include <cmath>

#include "support.hpp"

namespace samples_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

TEST(samples, every_sample_has_pairs_if_it_says_so_and_few_bodies) {
  for (const samples::sample& sample : samples::all()) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        SCOPED_TRACE(sample.name + ", " + support::shape_name(kind) + ", " + std::to_string(dimension) + "D");
        const samples::set bodies = sample.make(kind, dimension, 1);
        EXPECT_EQ(bodies.kind, kind);
        EXPECT_EQ(bodies.dimension, dimension);
        EXPECT_LE(bodies.size(), 400U);
        for (int k = 0; k < 6; ++k) {
          const auto& column = bodies.column[static_cast<std::size_t>(k)];
          EXPECT_EQ(column.size(), k < bodies.columns() ? bodies.size() : 0);
          for (const double v : column) ASSERT_LE(std::abs(v), 1e150);
        }
        EXPECT_EQ(!reference::pairs(bodies).empty(), sample.has_pairs);
      }
    }
  }
}

TEST(samples, names_are_unique) {
  std::vector<std::string> names;
  for (const samples::sample& sample : samples::all()) names.push_back(sample.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(samples, the_seed_decides) {
  for (const samples::sample& sample : samples::all()) {
    const samples::set a = sample.make(shape::sphere, 3, 7);
    EXPECT_EQ(a.column, sample.make(shape::sphere, 3, 7).column) << sample.name;
  }
  EXPECT_NE(samples::uniform(shape::sphere, 3, 10, 0.3, 1, 2, 1).column,
            samples::uniform(shape::sphere, 3, 10, 0.3, 1, 2, 2).column);
}

TEST(samples, lattice_fills_the_smallest_cube) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 27, 2, 0, 1, 1);
  for (int k = 0; k < 3; ++k) {
    const auto& c = bodies.column[static_cast<std::size_t>(k)];
    EXPECT_EQ(*std::min_element(c.begin(), c.end()), 0);
    EXPECT_EQ(*std::max_element(c.begin(), c.end()), 4);
  }
  EXPECT_EQ(reference::pairs(bodies).size(), 54U);  // 3 axes, 2 * 3 * 3 neighbors: all touch exactly
}

TEST(samples, lattice_in_order_runs_along_x_first) {
  const samples::set bodies = samples::lattice(shape::sphere, 2, 4, 1, 0, 1, 1, false);
  EXPECT_EQ(bodies.column[0], (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(bodies.column[1], (std::vector<double>{0, 0, 1, 1}));
}

TEST(samples, uniform_fills_the_fraction_and_keeps_to_the_ratio) {
  for (const int dimension : {2, 3}) {
    const samples::set bodies = samples::uniform(shape::sphere, dimension, 20000, 0.25, 3, 100, 5);
    const auto& r = bodies.column[static_cast<std::size_t>(dimension)];
    double volume = 0;
    for (const double radius : r) {
      volume += dimension == 2 ? 3.14159265358979 * radius * radius : 4.18879020478639 * radius * radius * radius;
    }
    const double side = *std::max_element(bodies.column[0].begin(), bodies.column[0].end());
    EXPECT_NEAR(volume / (dimension == 2 ? side * side : side * side * side), 0.25, 0.01);
    EXPECT_LE(*std::max_element(r.begin(), r.end()), 3);
    EXPECT_GE(*std::min_element(r.begin(), r.end()), 3 / 100.0);
    // Log-uniform: as many radii below the geometric mean as above it.
    EXPECT_NEAR(static_cast<double>(std::count_if(r.begin(), r.end(), [](double v) { return v < 0.3; })), 10000, 500);
  }
}

TEST(samples, touching_pairs_touch_and_the_others_miss) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const double margin : {0.0, 0.0123}) {
        const samples::set bodies = samples::touching(kind, dimension, 400, 3, margin);
        for (abut::row i = 0; i < 400; i += 2) {
          EXPECT_EQ(reference::pairs(samples::select(bodies, {i, i + 1}), margin).size(), i % 4 == 0 ? 1U : 0U)
              << support::body_text(bodies, i) << " and " << support::body_text(bodies, i + 1);
          // And both are within one part in 2^40 of touching.
          const double room = 1e-9 * (1 + margin);
          EXPECT_EQ(reference::pairs(samples::select(bodies, {i, i + 1}), margin + room).size(), 1U);
          if (margin > room) {
            EXPECT_TRUE(reference::pairs(samples::select(bodies, {i, i + 1}), margin - room).empty());
          }
        }
      }
    }
  }
}

TEST(samples, giant_is_alone_of_its_size) {
  const samples::set bodies = samples::giant(shape::sphere, 3, 101, 0.5, 8, 1);
  EXPECT_EQ(bodies.column[3][50], 4);
  EXPECT_EQ(std::count(bodies.column[3].begin(), bodies.column[3].end(), 0.5), 100);
}

TEST(samples, clusters_are_dense_and_far_from_each_other) {
  const samples::set bodies = samples::clusters(shape::sphere, 3, 1000, 100, 1e6, 0.5, 1);
  ASSERT_EQ(bodies.size(), 1000U);
  EXPECT_GT(reference::pairs(bodies).size(), 400U);
  const auto& x = bodies.column[0];
  EXPECT_GT(*std::max_element(x.begin(), x.end()) - *std::min_element(x.begin(), x.end()), 3e5);
}

}  // namespace
}  // namespace samples_test
