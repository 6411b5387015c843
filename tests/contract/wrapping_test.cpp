// Wrapping into a period, bit by bit, as the contract states it.

#include <cmath>
#include <limits>

#include "bodies/world.hpp"
#include "support.hpp"

namespace wrapping_test {
namespace {

using abut::interval;
using abut::shape;
namespace samples = abut::samples;

// Coordinates a whole number of periods and a few bits from an end of the period, and random ones.
double awkward(const interval& period, samples::random& rng) {
  const double side = period.max - period.min;
  const double scale = std::array{3.0, 1e3, 1e15, 1e18}[rng.below(4)];
  if (rng.below(4) == 0) return period.min + side * rng.uniform(-scale, scale);
  const double whole = std::floor(rng.uniform(-scale, scale));
  double x = (rng.below(2) == 0 ? period.min : period.max) + whole * side;
  const double toward = rng.below(2) == 0 ? 1e300 : -1e300;
  for (std::size_t bits = rng.below(4); bits > 0; --bits) x = std::nextafter(x, toward);
  return x;
}

interval awkward_period(samples::random& rng) {
  const double low = rng.uniform(-1, 1) * std::array{0.0, 1.0, 1.0, 1e6}[rng.below(4)];
  const double side = rng.uniform(0.1, 10) * std::array{1e-12, 1.0, 1.0, 1e9}[rng.below(4)];
  return {low, low + side};
}

TEST(wrapping, keeps_to_the_contract_bit_by_bit) {
  samples::random rng(81);
  std::size_t up = 0;
  std::size_t down = 0;
  std::size_t outside = 0;
  for (int round = 0; round < 3000; ++round) {
    const interval period = awkward_period(rng);
    const reference::periods periodic = {period, {}, {}};
    const double side = period.max - period.min;
    if (!(side > 0)) continue;
    samples::set points{.kind = shape::sphere, .dimension = 2};
    samples::set boxes{.kind = shape::box, .dimension = 2};
    for (int i = 0; i < 20; ++i) {
      const double x = awkward(period, rng);
      points.add(x, 0, 0, 0);
      const double upper = x + rng.uniform(0, 0.4) * side;
      boxes.add_box({x, 0, 0}, {upper - x <= side / 2 ? upper : x, 0, 0});
      const double w = x - side * std::floor((x - period.min) / side);
      up += w < period.min ? 1 : 0;
      down += w >= period.max && w - side > period.min ? 1 : 0;
      const double clean = w < period.min ? w + side : w >= period.max ? w - side : w;
      outside += clean < period.min || clean >= period.max ? 1 : 0;
    }
    const std::vector<reference::volume> expected_points = reference::wrapped(reference::volumes(points), periodic);
    const std::vector<reference::volume> expected_boxes = reference::wrapped(reference::volumes(boxes), periodic);
    const abut::world wrapped_points(points.view(), {.periodic = periodic}, 1);
    const abut::world wrapped_boxes(boxes.view(), {.periodic = periodic}, 1);
    for (abut::row i = 0; i < 20; ++i) {
      SCOPED_TRACE("period from " + support::number(period.min) + " to " + support::number(period.max) + ", x " +
                   support::number(points.column[0][i]));
      ASSERT_EQ(wrapped_points.at(0)[i], expected_points[i].c[0]);
      ASSERT_EQ(wrapped_boxes.at(0)[i], expected_boxes[i].min[0]);
      ASSERT_EQ(wrapped_boxes.at(2)[i], expected_boxes[i].max[0]);
      ASSERT_GE(wrapped_points.at(0)[i], period.min);
      ASSERT_LT(wrapped_points.at(0)[i], period.max);
      ASSERT_LE(wrapped_boxes.at(0)[i], wrapped_boxes.at(2)[i]);
    }
  }
  // Every branch of the formula must have been taken.
  EXPECT_GT(up, 10U);
  EXPECT_GT(down, 10U);
  EXPECT_GT(outside, 10U);
}

// Only bodies that, moved down, come within reach of another get a ghost.
TEST(wrapping, makes_no_more_ghosts_than_needed) {
  const interval ten{0, 10};
  samples::set bodies{.kind = shape::sphere, .dimension = 3};
  bodies.add(0.25, 0.25, 0.25, 0.25);  // the others' lowest reach is 0 on each axis
  bodies.add(5, 5, 5, 0.5);
  bodies.add(9.5, 5, 5, 0.5);    // reaches 10 on x
  bodies.add(9.5, 9.75, 5, 1);   // on x and y
  bodies.add(9.7, 9.7, 9.7, 1);  // on all
  const abut::world all(bodies.view(), {.periodic = {ten, ten, ten}}, 1);
  EXPECT_EQ(all.size() - all.own(), 1U + 3U + 7U);
  const abut::world one(bodies.view(), {.periodic = {ten, {}, {}}}, 1);
  EXPECT_EQ(one.size() - one.own(), 3U);
  const abut::world wide(bodies.view(), {.margin = 0.5, .periodic = {ten, ten, ten}}, 1);
  EXPECT_EQ(wide.size() - wide.own(), 1U + 3U + 7U);
}

}  // namespace
}  // namespace wrapping_test
