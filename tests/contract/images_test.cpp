// Periodic images to the last bit: which image decides, each pair and each body once, whatever the rounding, and
// regions of any size at any distance.

#include <cmath>
#include <limits>

#include "support.hpp"

namespace images_test {
namespace {

using abut::interval;
using abut::shape;
namespace samples = abut::samples;
using reference::periods;

class images : public ::testing::TestWithParam<std::string> {};

samples::set discs(const std::vector<std::array<double, 2>>& places, double r) {
  samples::set all{.kind = shape::sphere, .dimension = 2};
  for (const auto& [x, y] : places) all.add(x, y, 0, r);
  return all;
}

std::vector<abut::pair> found(const std::string& plan, const samples::set& bodies, const periods& periodic,
                              double margin = 0) {
  abut::search search(abut::plan(plan), {.margin = margin, .periodic = periodic});
  search.update(bodies.view());
  return support::sorted(support::ordered(search));
}

// Only rounding makes the reach longer than half of the side.
TEST_P(images, once_if_rounding_makes_a_side_too_short) {
  const periods narrow = {interval{1.9999999999999789, 2.0000000000000009}, {}, {}};
  const samples::set close = discs({{1.9999999999999791, 0}, {1.99999999999999, 0}}, 5.440092820663267e-15);
  EXPECT_EQ(found(GetParam(), close, narrow), reference::pairs(close, 0, narrow));

  const periods half = {interval{0.3240697815905943, 0.82898132335491337}, {}, {}};
  samples::set boxes{.kind = shape::box, .dimension = 2};
  boxes.add_box({-5309299726271240, 0, 0}, {-5309299726271240, 1, 0});
  boxes.add_box({0.49046904274579151, 0, 0}, {0.67939909541302201, 1, 0});
  EXPECT_EQ(found(GetParam(), boxes, half), reference::pairs(boxes, 0, half));
  EXPECT_EQ(reference::pairs(boxes, 0, half).size(), 1U);
}

// The side is longer than twice the reach, but so far out that the margin is rounded up: two boxes touch directly and
// through the border.
TEST_P(images, once_if_rounding_makes_a_margin_longer) {
  for (const double low : {-1e15, 1e15}) {
    const periods eight = {interval{low, low + 8}, {}, {}};
    samples::set boxes{.kind = shape::box, .dimension = 2};
    boxes.add_box({low, 0, 0}, {low + 3.875, 1, 0});
    boxes.add_box({low + 4, 0, 0}, {low + 7.875, 1, 0});
    ASSERT_TRUE(abut::overlap(abut::box{{low, 0}, {low + 3.875, 1}}, abut::box{{low - 4, 0}, {low - 0.125, 1}}, 0.07));
    EXPECT_EQ(found(GetParam(), boxes, eight, 0.07), (std::vector<abut::pair>{{0, 1}})) << low;
  }
}

// Of two bodies that touch through a border, the upper one is moved down.
TEST_P(images, the_upper_body_is_moved_down) {
  const periods ten = {interval{0, 10}, {}, {}};
  const samples::set pair = discs({{0.8924088467839828, 0}, {9.8432142196350405, 0}}, 0.52459731357447115);
  ASSERT_FALSE(abut::overlap(abut::sphere{{0.8924088467839828 + 10, 0}, 0.52459731357447115},
                             abut::sphere{{9.8432142196350405, 0}, 0.52459731357447115}));
  EXPECT_EQ(found(GetParam(), pair, ten), (std::vector<abut::pair>{{0, 1}}));
  // Each axis is decided by itself: here one body is moved on x, the other on y.
  const periods both = {interval{0, 10}, interval{0, 10}, {}};
  const samples::set corner = discs({{0.25, 9.75}, {9.75, 0.25}}, 0.375);
  EXPECT_EQ(found(GetParam(), corner, both), (std::vector<abut::pair>{{0, 1}}));
}

// Two bodies alone, so that nothing else makes ghosts of them: they touch exactly, or miss by a bit or two.
TEST_P(images, two_bodies_that_touch_through_a_border) {
  samples::random rng(75);
  std::size_t together = 0;
  constexpr std::size_t rounds = 1500;
  for (std::size_t round = 0; round < rounds; ++round) {
    const double low = rng.below(2) == 0 ? 0 : rng.uniform(-20, 20);
    const periods periodic = {interval{low, low + rng.uniform(4, 20)}, {}, {}};
    const double side = periodic[0]->max - periodic[0]->min;
    const double margin = rng.below(2) == 0 ? 0 : rng.uniform(0, 0.3);
    const double ra = rng.uniform(0.01, 0.8);
    const double rb = rng.uniform(0.01, 0.8);
    const double a = low + rng.uniform(0, ra);
    double b = a - ((ra + rb) + margin) + side;
    const double toward = rng.below(2) == 0 ? 1e9 : -1e9;
    for (std::size_t bits = rng.below(4); bits > 0; --bits) b = std::nextafter(b, toward);
    samples::set bodies{.kind = round % 2 == 0 ? shape::sphere : shape::box, .dimension = 2};
    bodies.add(a, 0, 0, ra);
    bodies.add(b, 0, 0, rb);
    const std::vector<abut::pair> expected = reference::pairs(bodies, margin, periodic);
    ASSERT_TRUE(support::same_pairs(expected, found(GetParam(), bodies, periodic, margin), bodies))
        << "period from " << support::number(low) << ", side " << support::number(side) << ", margin "
        << support::number(margin);
    together += expected.size();
  }
  EXPECT_GT(together, rounds / 4);
  EXPECT_LT(together, rounds * 3 / 4);
}

// Flat boxes so far out that wrapping them rounds by more than a period: the upper corner must stay above the lower
// one.
TEST_P(images, flat_boxes_far_out) {
  const interval period{0.436, 2.746};
  for (int k = 0; k < 200; ++k) {
    samples::random rng(static_cast<std::uint64_t>(k));
    samples::set boxes{.kind = shape::box, .dimension = 2};
    for (int i = 0; i < 4; ++i) {
      const double x = 1.0367e16 * rng.uniform(-1, 1);
      boxes.add_box({x, 0, 0}, {x, 1, 0});
      const double near = rng.uniform(-3, 6);
      boxes.add_box({near, 0, 0}, {near + rng.uniform(0, 0.5), 1, 0});
    }
    const periods periodic = {period, {}, {}};
    ASSERT_TRUE(support::same_pairs(reference::pairs(boxes, 0, periodic), found(GetParam(), boxes, periodic), boxes));
  }
  samples::set one{.kind = shape::box, .dimension = 2};
  one.add_box({1.0367e16, 0, 0}, {1.0367e16, 1, 0});
  abut::search search(abut::plan(GetParam()), {.periodic = {period, {}, {}}});
  search.update(one.view());
  for (double x = 0; x < 3; x += 0.01) {
    const abut::region where = abut::box{{x, 0}, {x, 1}};
    ASSERT_EQ(support::rows_in(search, where), reference::in(one, where, 0, {period, {}, {}})) << x;
  }
}

// Random periods a few bits wide, with bodies half as wide as allowed: the pairs must be the oracle's, whatever the
// rounding.
TEST_P(images, narrow_periods_far_from_the_origin) {
  samples::random rng(71);
  std::size_t together = 0;
  for (int k = 0; k < 400; ++k) {
    const double low = rng.uniform(-4, 4);
    const double side = 0x1p-52 * static_cast<double>(4 + rng.below(200));
    const periods periodic = {interval{low, low + side}, {}, {}};
    const double length = periodic[0]->max - periodic[0]->min;
    samples::set bodies{.kind = k % 2 == 0 ? shape::sphere : shape::box, .dimension = 2};
    for (int i = 0; i < 6; ++i) {
      const double r = rng.below(3) == 0 ? length / 4 : rng.uniform(0, length / 4);
      const double x = rng.uniform(low - 2 * side, low + 3 * side);
      bodies.add(x, 0, 0, bodies.kind == shape::box ? 0 : r);
      if (bodies.kind == shape::box) bodies.column[2].back() = x + std::max(0.0, 2 * r - 0x1p-50);
    }
    std::vector<abut::pair> expected = reference::pairs(bodies, 0, periodic);
    try {
      ASSERT_TRUE(support::same_pairs(expected, found(GetParam(), bodies, periodic), bodies));
    } catch (const abut::error& refused) {
      ASSERT_NE(std::string(refused.what()).find("shorter than twice"), std::string::npos) << refused.what();
      continue;
    }
    together += expected.size();
    abut::search search(abut::plan(GetParam()), {.periodic = periodic});
    search.update(bodies.view());
    for (int r = 0; r < 8; ++r) {
      double c = rng.uniform(low - 5 * side, low + 6 * side);
      double size = rng.uniform(0, 3) * side;
      if (r >= 4) {  // small, and next to an image of a body
        const double periods_off = static_cast<double>(rng.below(7)) - 3;
        c = bodies.column[0][rng.below(6)] + periods_off * length + 0x1p-52 * static_cast<double>(rng.below(5));
        size = 0x1p-52 * static_cast<double>(rng.below(5));
      }
      for (const abut::region& where :
           {abut::region(abut::sphere{{c, 0}, size}), abut::region(abut::box{{c, 0}, {c + size, 0}})}) {
        ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where, 0, periodic))
            << "period from " << support::number(low) << ", side " << support::number(length) << ", at "
            << support::number(c) << ", size " << support::number(size);
      }
    }
  }
  EXPECT_GT(together, 500U);
}

// Regions from a point to many periods, near and a billion periods away, on one periodic axis or on all.
TEST_P(images, regions_of_any_size_at_any_distance) {
  samples::random rng(72);
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (int bits = 1; bits < (dimension == 2 ? 4 : 8); ++bits) {
        periods periodic;
        const std::array<interval, 3> stretches = {interval{0, 1}, interval{-0.3, 0.9}, interval{5, 5.8}};
        for (std::size_t k = 0; k < 3; ++k) {
          if ((bits >> k & 1) != 0) periodic[k] = stretches[k];
        }
        samples::set bodies{.kind = kind, .dimension = dimension};
        for (int i = 0; i < 25; ++i) {
          const double x = rng.uniform(0, 1);
          const double y = rng.uniform(-0.3, 0.9);
          bodies.add(x, y, rng.uniform(5, 5.8), rng.uniform(0, 0.19));
        }
        abut::search search(abut::plan(GetParam()), {.margin = 0.01, .periodic = periodic});
        search.update(bodies.view());
        for (int r = 0; r < 24; ++r) {
          const std::array<double, 6> sizes = {0, 0.1, 0.4, 0.7, 2.2, 4.5};
          const double size = sizes[rng.below(6)];
          const double away = r % 3 == 0 ? 1e9 : r % 3 == 1 ? 30 : 1;
          std::array<double, 3> c{};
          for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
            c[k] = stretches[k].min + rng.uniform(-1, 1) * (periodic[k] ? away : 1.0);
          }
          abut::region where = abut::sphere{c, size};
          if (r % 2 == 1) {
            abut::box b{c, c};
            for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
              const double side = stretches[k].max - stretches[k].min;
              b.max[k] += r % 8 == 3 ? side : r % 8 == 5 ? 2 * side : rng.uniform(0, 2 * size);
            }
            where = b;
          }
          ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where, 0.01, periodic))
              << support::shape_name(kind) << " in " << dimension << "D, axes " << bits << ", size " << size << ", at "
              << support::number(c[0]) << " " << support::number(c[1]) << " " << support::number(c[2]);
        }
      }
    }
  }
}

// Far away, rounding leaves gaps between the images of a box that is exactly as long as the period.
TEST_P(images, boxes_as_long_as_a_period_far_away) {
  samples::random rng(76);
  std::size_t missed = 0;
  for (int round = 0; round < 200; ++round) {
    const periods periodic = {interval{0, rng.uniform(0.3, 0.9)}, {}, {}};
    const double side = periodic[0]->max;
    const double c = rng.uniform(1e8, 1e9);
    const abut::box where{{c, 0}, {c + side, 0}};
    samples::set points{.kind = shape::sphere, .dimension = 2};
    for (double n = std::floor(c / side) - 1; n <= std::floor(c / side) + 2; ++n) {
      const double edge = where.max[0] - n * side;
      for (const double x : {edge, std::nextafter(edge, 9), edge + 2e-8, edge + 5e-8, edge - 2e-8}) {
        points.add(x, 0, 0, 0);
      }
    }
    abut::search search(abut::plan(GetParam()), {.periodic = periodic});
    search.update(points.view());
    const std::vector<abut::row> expected = reference::in(points, where, 0, periodic);
    ASSERT_EQ(support::rows_in(search, where), expected) << support::number(c) << " " << support::number(side);
    missed += points.size() - expected.size();
  }
  EXPECT_GT(missed, 50U);
}

// The cost of a region depends on what it meets, not on how many images of the bodies it contains.
TEST_P(images, a_region_of_many_periods_costs_what_it_meets) {
  samples::random rng(73);
  samples::set bodies{.kind = shape::sphere, .dimension = 2};
  for (int i = 0; i < 100; ++i) {
    const double x = rng.uniform(0, 1);
    bodies.add(x, rng.uniform(0, 1), 0, 0.02);
  }
  abut::search search(abut::plan(GetParam()), {.periodic = {interval{0, 1}, interval{0, 1}, {}}});
  search.update(bodies.view());
  for (const double radius : {16.0, 1e4, 1e100}) {
    samples::set region{.kind = shape::sphere, .dimension = 2};
    region.add(0.5, 0.5, 0, radius);
    std::size_t met = 0;
    search.for_each_pair_between(region.view(), [&](abut::row, abut::row) { ++met; });
    EXPECT_EQ(met, 100U);
    EXPECT_LE(search.stats().tests, 1000U) << radius;
    EXPECT_EQ(support::rows_in(search, abut::sphere{{0.5, 0.5}, radius}).size(), 100U);
    EXPECT_EQ(support::rows_in(search, abut::box{{-radius, 0.2}, {radius, 0.3}}),
              reference::in(bodies, abut::box{{-3, 0.2}, {3, 0.3}}, 0, {interval{0, 1}, interval{0, 1}, {}}));
  }
}

TEST_P(images, what_is_too_many_periods_away_is_refused_by_name_before_any_call) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.25, 74);
  abut::search search(abut::plan(GetParam()), {.periodic = {interval{0, 3}, {}, {}}});
  search.update(bodies.view());
  samples::set others{.kind = shape::sphere, .dimension = 3};
  for (int k = 0; k < 2000; ++k) others.add(1, 1, 1, 1);
  others.column[0][1717] = 3e13;
  int calls = 0;
  const std::string message =
      support::message_of([&] { search.for_each_pair_between(others.view(), [&](abut::row, abut::row) { ++calls; }); });
  EXPECT_NE(message.find("body 1717 of the other set"), std::string::npos) << message;
  EXPECT_NE(message.find("on the axis x"), std::string::npos) << message;
  EXPECT_EQ(calls, 0);
  EXPECT_NE(support::message_of([&] {
              support::rows_in(search, abut::sphere{{-3e13, 0, 0}, 1});
            }).find("the region"),
            std::string::npos);
  EXPECT_NO_THROW(support::rows_in(search, abut::sphere{{0, 1e140, 0}, 1})) << "y does not repeat";
  EXPECT_EQ(support::rows_in(search, abut::sphere{{3e9 + 1, 1, 1}, 0.5}).size(), 1U);
  EXPECT_EQ(support::rows_in(search, abut::box{{-1e149, -1, -1}, {1, 5, 5}}).size(), 27U);
}

TEST_P(images, the_third_coordinate_of_a_flat_region_is_ignored) {
  const samples::set bodies = discs({{0.5, 0.5}}, 0.1);
  abut::search search(abut::plan(GetParam()), {.periodic = {interval{0, 1}, interval{0, 1}, {}}});
  search.update(bodies.view());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double z : {7.0, -1e300, nan}) {
    EXPECT_EQ(support::rows_in(search, abut::sphere{{0.5, 0.5, z}, 2}).size(), 1U);
    EXPECT_EQ(support::rows_in(search, abut::box{{-2, -2, z}, {2, 2, z}}).size(), 1U);
  }
}

// Wrapped, such boxes reach beyond 1e150, although the given numbers do not.
TEST_P(images, a_period_as_large_as_can_be) {
  samples::set boxes{.kind = shape::box, .dimension = 2};
  boxes.add_box({-1e149, 0, 0}, {1e149, 1, 0});
  boxes.add_box({9.5e149, 0, 0}, {1e150, 1, 0});
  boxes.add_box({2e149, 0, 0}, {3e149, 1, 0});
  const periods periodic = {interval{0, 1e150}, {}, {}};
  EXPECT_EQ(found(GetParam(), boxes, periodic), (std::vector<abut::pair>{{0, 1}}));
  samples::set spheres{.kind = shape::sphere, .dimension = 3};
  spheres.add(-1e150, 0, 0, 1e149);
  spheres.add(1e149, 0, 0, 1e149);
  spheres.add(9e149, 0, 0, 1e148);
  EXPECT_EQ(found(GetParam(), spheres, periodic), reference::pairs(spheres, 0, periodic));
}

TEST_P(images, other_sets_keep_to_the_limits_of_the_contract) {
  const samples::set bodies = discs({{0.5, 0.5}}, 0.1);
  abut::search search{abut::plan(GetParam())};
  search.update(bodies.view());
  for (const double x : {1.1e150, -2e150, 3.9e150}) {
    const samples::set far = discs({{0, 0}, {x, 0}}, 1);
    const std::string message =
        support::message_of([&] { search.for_each_pair_between(far.view(), [](abut::row, abut::row) {}); });
    EXPECT_NE(message.find("body 1 has x"), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(methods, images, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace images_test
