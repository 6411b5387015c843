// Periodic axes: pairs by the nearest image, on every subset of the axes, wherever the bodies lie.

#include <cmath>

#include "support.hpp"

namespace periodic_test {
namespace {

using abut::interval;
using abut::shape;
namespace samples = abut::samples;
using reference::periods;

class periodic : public ::testing::TestWithParam<std::string> {};

void expect_exact(const std::string& method, const samples::set& bodies, double margin, const periods& axes) {
  const std::vector<abut::pair> expected = reference::pairs(bodies, margin, axes);
  std::vector<abut::pair> first_order;
  for (const int threads : {1, 3}) {
    abut::search search(abut::plan(method), {.margin = margin, .periodic = axes, .threads = threads});
    search.update(bodies.view());
    const std::vector<abut::pair> order = support::ordered(search);
    ASSERT_TRUE(support::same_pairs(expected, order, bodies));
    for (const abut::pair p : order) ASSERT_LT(p.i, p.j);
    EXPECT_EQ(search.stats().pairs, expected.size());
    EXPECT_EQ(support::by_batches(search), order);
    EXPECT_EQ(search.pairs(), expected);
    if (threads == 1) first_order = order;
    EXPECT_EQ(order, first_order) << "the order depends on the threads";
  }
}

// The intervals whose bits are set.
periods subset(int bits, const std::array<interval, 3>& stretches) {
  periods axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if ((bits >> k & 1) != 0) axes[k] = stretches[k];
  }
  return axes;
}

TEST_P(periodic, every_subset_of_axes_with_bodies_outside_too) {
  const std::array<interval, 3> stretches = {interval{0, 5.5}, interval{-3.3, 2.9}, interval{100.1, 107.2}};
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (int bits = 1; bits < (dimension == 2 ? 4 : 8); ++bits) {
        samples::random rng(41);
        samples::set bodies{.kind = kind, .dimension = dimension};
        for (int i = 0; i < 150; ++i) {
          std::array<double, 3> c{};
          for (std::size_t k = 0; k < 3; ++k) {
            const double length = stretches[k].max - stretches[k].min;
            const double away = i % 2 == 0 ? 0 : length * (static_cast<double>(rng.below(7)) - 3);
            c[k] = rng.uniform(stretches[k].min, stretches[k].max) + ((bits >> k & 1) != 0 ? away : 0);
          }
          bodies.add(c[0], c[1], c[2], rng.uniform(0, 0.6));
        }
        const periods axes = subset(bits, stretches);
        ASSERT_GT(reference::pairs(bodies, 0, axes).size(), reference::pairs(bodies).size());
        for (const double margin : {0.0, 0.11}) {
          SCOPED_TRACE(std::string(support::shape_name(kind)) + " axes " + std::to_string(bits) + " of " +
                       std::to_string(dimension) + " margin " + support::number(margin));
          expect_exact(GetParam(), bodies, margin, axes);
        }
      }
    }
  }
}

TEST_P(periodic, a_full_lattice_has_as_many_pairs_as_faces) {
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies = samples::lattice(kind, 3, 4096, 1, 0, 0.5, 42);
    const interval side{0, 16};
    abut::search search(abut::plan(GetParam()), {.periodic = {side, side, side}});
    search.update(bodies.view());
    // Spheres touch across faces; boxes across edges and corners too.
    EXPECT_EQ(search.pairs().size(), kind == shape::sphere ? 3U * 4096 : 13U * 4096);
    EXPECT_EQ(search.stats().pairs, kind == shape::sphere ? 3U * 4096 : 13U * 4096);
  }
}

// A side of exactly twice the reach is the shortest one accepted: neighbors touch through both images, and count once.
TEST_P(periodic, a_side_of_twice_the_reach) {
  const interval side{0, 2};
  for (const shape kind : {shape::sphere, shape::box}) {
    const samples::set bodies = samples::lattice(kind, 3, 8, 1, 0, 0.5, 43);
    for (int bits = 1; bits < 8; ++bits) {
      expect_exact(GetParam(), bodies, 0, subset(bits, {side, side, side}));
    }
    EXPECT_EQ(reference::pairs(bodies, 0, {side, side, side}).size(), kind == shape::sphere ? 12U : 28U);
  }
  // With a margin, the reach is the diameter plus the margin.
  const samples::set bodies = samples::lattice(shape::sphere, 3, 8, 1, 0, 0.375, 43);
  ASSERT_EQ(reference::pairs(bodies, 0.25, {side, side, side}).size(), 12U);
  ASSERT_EQ(reference::pairs(bodies, 0.125, {side, side, side}).size(), 0U);
  expect_exact(GetParam(), bodies, 0.25, {side, side, side});
}

TEST_P(periodic, sides_of_twice_the_reach_and_random_bodies) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      samples::random rng(seed);
      samples::set bodies{.kind = kind, .dimension = 3};
      for (int i = 0; i < 30; ++i) {
        // Multiples of 1/8, so that many touch exactly, through one image or two.
        const auto eighths = [&](std::size_t n) { return static_cast<double>(rng.below(n)) / 8 - 1; };
        const double x = eighths(32);
        const double y = eighths(32);
        const double z = eighths(32);
        bodies.add(x, y, z, i == 0 ? 0.5 : (eighths(5) + 1));
      }
      expect_exact(GetParam(), bodies, 0, {interval{0, 2}, interval{-1, 1}, interval{-0.5, 1.5}});
      expect_exact(GetParam(), bodies, 0.125, {interval{0, 2.25}, std::nullopt, interval{-0.5, 1.75}});
    }
  }
}

TEST_P(periodic, a_shorter_side_is_refused) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 44);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    periods axes;
    axes[axis] = interval{0, 1.9375};
    abut::search search(abut::plan(GetParam()), {.periodic = axes});
    const std::string message = support::message_of([&] { search.update(bodies.view()); });
    EXPECT_NE(message.find("1.9375"), std::string::npos) << message;
    EXPECT_NE(message.find('2'), std::string::npos) << message;
  }
  // Only the margin makes the side too short.
  abut::search search(abut::plan(GetParam()), {.margin = 0.0625, .periodic = {interval{0, 2}, {}, {}}});
  EXPECT_THROW(search.update(bodies.view()), abut::error);
}

TEST_P(periodic, a_refused_update_changes_nothing) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 44);
  abut::search search(abut::plan(GetParam()), {.periodic = {interval{0, 3}, interval{0, 3}, interval{0, 3}}});
  search.update(bodies.view());
  const std::vector<abut::pair> before = search.pairs();
  ASSERT_EQ(before.size(), 81U);
  samples::set larger = bodies;
  larger.column[3][5] = 1;
  EXPECT_THROW(search.update(larger.view()), abut::error);
  EXPECT_EQ(search.pairs(), before);
}

// Coordinates on a border, coordinates that rounding puts there, and coordinates so large that a period is below their
// precision.
TEST_P(periodic, borders) {
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies{.kind = kind, .dimension = 2};
    for (const double x :
         {0.0, -0.0, 4.0, 8.0, -4.0, -1e-20, 1e-20, 3.9999999999999996, 4.000000000000001, -1e17, 1e17}) {
      bodies.add(x, 1, 0, 0.125);
      bodies.add(x, 1.25, 0, 0.125);
      bodies.add(x + 0.25, 1, 0, 0.125);
    }
    expect_exact(GetParam(), bodies, 0, {interval{0, 4}, std::nullopt, std::nullopt});
    expect_exact(GetParam(), bodies, 0, {interval{0, 4}, interval{0.5, 1.25}, std::nullopt});
    expect_exact(GetParam(), bodies, 0, {interval{-0.1, 0.7}, interval{0.1, 1.3}, std::nullopt});
  }
}

// Domains in which doubles are an eighth apart on one side of the middle and a quarter on the other.
TEST_P(periodic, domains_far_from_the_origin) {
  constexpr double middle = 0x1p50;
  for (const shape kind : {shape::sphere, shape::box}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      samples::random rng(seed);
      samples::set bodies{.kind = kind, .dimension = 3};
      const auto place = [&] { return middle + rng.uniform(-9, 9); };
      for (int i = 0; i < 40; ++i) {
        const double x = place();
        const double y = place();
        const double z = place();
        bodies.add(x, y, z, rng.uniform(0, kind == shape::box ? 0.5 : 0.99));
      }
      const interval side{middle - 2, middle + 2};
      expect_exact(GetParam(), bodies, 0, {side, side, side});
      expect_exact(GetParam(), bodies, 0, {std::nullopt, interval{middle - 5, middle + 3}, side});
    }
  }
}

// Pairs that touch exactly, or miss by a bit or two, across a border.
TEST_P(periodic, touching_through_an_image) {
  const interval side{-7.3, 11.9};
  const double length = side.max - side.min;
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::random rng(45);
    samples::set bodies{.kind = kind, .dimension = 3};
    for (int k = 0; k < 150; ++k) {
      const double ra = rng.uniform(0.01, 0.3);
      const double rb = rng.uniform(0.01, 0.3);
      const double y = rng.uniform(-100, 100);
      const double z = rng.uniform(-100, 100);
      const double a = side.max - rng.uniform(0.001, ra);
      double b = a + (ra + rb) - length;
      for (std::size_t step = rng.below(4); step > 0; --step) b = std::nextafter(b, 100);
      for (std::size_t step = rng.below(4); step > 0; --step) b = std::nextafter(b, -100);
      bodies.add(a, y, z, ra);
      bodies.add(b, y, z, rb);
    }
    const std::size_t found = reference::pairs(bodies, 0, {side, {}, {}}).size();
    ASSERT_GT(found, 40U);
    ASSERT_LT(found, 140U);
    expect_exact(GetParam(), bodies, 0, {side, {}, {}});
  }
}

// Adding whole periods to any body, where that is exact, does not change the pairs.
TEST_P(periodic, pairs_stay_if_bodies_move_by_whole_periods) {
  samples::random rng(46);
  samples::set bodies{.kind = shape::sphere, .dimension = 3};
  const auto coarse = [&] { return static_cast<double>(rng.below(1 << 20)) * 0x1p-16; };  // from [0, 16)
  for (int k = 0; k < 5000; ++k) {
    const double x = coarse();
    const double y = coarse();
    bodies.add(x, y, coarse(), 0.375);
  }
  const interval side{0, 16};
  abut::search search(abut::plan(GetParam()), {.periodic = {side, side, side}});
  search.update(bodies.view());
  const std::vector<abut::pair> before = search.pairs();
  ASSERT_GT(before.size(), 4000U);
  samples::set moved = bodies;
  for (std::size_t k = 0; k < 3; ++k) {
    for (double& x : moved.column[k]) x += 16 * (static_cast<double>(rng.below(9)) - 4);
  }
  search.update(moved.view());
  EXPECT_EQ(search.pairs(), before);
}

TEST_P(periodic, regions_are_met_by_images_too) {
  const periods axes = {interval{0, 5}, std::nullopt, interval{-2, 4.5}};
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies = samples::uniform(kind, 3, 150, 0.3, 0.6, 4, 47);
    samples::translate(bodies, -2);
    for (const double margin : {0.0, 0.1}) {
      abut::search search(abut::plan(GetParam()), {.margin = margin, .periodic = axes});
      search.update(bodies.view());
      samples::random rng(48);
      std::size_t more = 0;
      for (int k = 0; k < 60; ++k) {
        const std::array<double, 3> c = {rng.uniform(-20, 20), rng.uniform(-3, 5), rng.uniform(-20, 20)};
        const double size = k % 10 == 0 ? rng.uniform(5, 12) : rng.uniform(0, 1.5);  // some larger than the periods
        abut::region where = abut::sphere{c, size};
        if (k % 2 == 1) where = abut::box{c, {c[0] + size, c[1] + 1, c[2] + 0.5 * size}};
        const std::vector<abut::row> expected = reference::in(bodies, where, margin, axes);
        EXPECT_EQ(support::rows_in(search, where), expected);
        more += expected.size() > reference::in(bodies, where, margin).size() ? 1 : 0;
      }
      EXPECT_GT(more, 20U);
    }
  }
}

TEST_P(periodic, an_empty_set) {
  const samples::set none;
  expect_exact(GetParam(), none, 0.1, {interval{0, 1}, interval{0, 1}, interval{0, 1}});
}

INSTANTIATE_TEST_SUITE_P(methods, periodic, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace periodic_test
