// Nearest neighbor: the list is kept as long as possible, and never longer.

#include <cmath>

#include "counted.hpp"
#include "methods/near_bodies.hpp"
#include "plans.hpp"

namespace nearest_neighbor_test {
namespace {

using abut::row;
using abut::shape;
namespace samples = abut::samples;
using pairs = std::vector<abut::pair>;
using near_bodies::apart;
using near_bodies::expect_exact;
using near_bodies::made;
using near_bodies::rebuilds;
using near_bodies::shift;
using near_bodies::strays;

class nearest_neighbor : public ::testing::TestWithParam<shape> {};

// Two bodies meet in the middle, each having moved by just under or over half of the distance.
TEST_P(nearest_neighbor, two_that_move_toward_each_other_use_up_the_distance) {
  for (const int dimension : {2, 3}) {
    for (const double part : {0.4999, 0.5, 0.5001}) {
      samples::set bodies = apart(GetParam(), dimension);
      shift(bodies, 1, 0, -8.5);  // a gap of 0.5 to body 0
      abut::search search = made("nearest-neighbor distance=0.5");
      search.update(bodies.view());
      EXPECT_TRUE(search.pairs().empty());
      shift(bodies, 0, 0, part * 0.5);
      shift(bodies, 1, 0, -part * 0.5);
      search.update(bodies.view());
      expect_exact(search, bodies);
      EXPECT_EQ(rebuilds(search), 1U);
      EXPECT_EQ(strays(search), part > 0.5 ? 2U : 0U);
    }
  }
}

void widen(samples::set& bodies, std::size_t i, double by) {
  const auto d = static_cast<std::size_t>(bodies.dimension);
  if (bodies.kind == shape::sphere) {
    bodies.column[d][i] += by / 2;
    return;
  }
  for (std::size_t k = 0; k < d; ++k) bodies.column[k][i] -= by / 2;
  for (std::size_t k = 0; k < d; ++k) bodies.column[d + k][i] += by / 2;
}

// In widths, each body has its own share of the distance: one that is four times as wide may move four times as far.
TEST_P(nearest_neighbor, wide_bodies_may_move_farther) {
  for (const int dimension : {2, 3}) {
    for (const double part : {0.98, 1.01}) {
      samples::set bodies = apart(GetParam(), dimension);
      widen(bodies, 0, 3);
      shift(bodies, 1, 0, -7.5 + 1.2);  // a gap of 1.2 between widths of 4 and 1
      abut::search search = made("nearest-neighbor distance=0.5 in=width");
      search.update(bodies.view());
      EXPECT_TRUE(search.pairs().empty());
      shift(bodies, 0, 0, part * 1);
      shift(bodies, 1, 0, -part * 0.25);
      search.update(bodies.view());
      expect_exact(search, bodies);
      EXPECT_EQ(search.pairs().size(), 1U);
      EXPECT_EQ(rebuilds(search), 1U);
      EXPECT_EQ(strays(search), part > 1 ? 2U : 0U);
      EXPECT_EQ(search.planned().parameter_value("in"), "width");
    }
  }
}

// A narrow body that moves as far as a wide one may move leaves the list.
TEST_P(nearest_neighbor, narrow_bodies_leave_the_list_soon) {
  samples::set bodies = apart(GetParam(), 3);
  widen(bodies, 0, 3);
  shift(bodies, 2, 0, -10 + 1.4);  // a gap of 0.4 to body 1: not listed
  abut::search search = made("nearest-neighbor distance=0.2 in=width");
  search.update(bodies.view());
  EXPECT_EQ(search.stats().tests, 0U);
  shift(bodies, 1, 0, 0.4);
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), (pairs{{1, 2}}));
  EXPECT_EQ(strays(search), 1U);
}

// If the plan gives no distance, the distance is in widths if bodies move in proportion to their widths, and a length
// if all move equally far.
TEST_P(nearest_neighbor, the_distance_is_in_what_bodies_move_by) {
  for (const bool by_width : {true, false}) {
    samples::random rng(6);
    samples::set bodies = apart(GetParam(), 3, 1000);
    std::vector<double> width(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      width[i] = 0.2 * std::pow(50, rng.uniform(0, 1));
      widen(bodies, i, width[i] - 1);
    }
    abut::search search = made("nearest-neighbor");
    for (int step = 0; step < 60; ++step) {
      search.update(bodies.view());
      if (step % 6 == 0) expect_exact(search, bodies);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double most = by_width ? 0.02 * width[i] : 0.02;
        for (int axis = 0; axis < 3; ++axis) shift(bodies, i, axis, rng.uniform(-most, most));
      }
    }
    EXPECT_GT(rebuilds(search), 1U);
    EXPECT_EQ(search.planned().parameter_value("in"), by_width ? "width" : "length");
  }
}

// A pair that was not listed comes into contact: only the sum of both moves shows it. A rule for the largest move alone
// would miss it.
TEST_P(nearest_neighbor, both_moves_count) {
  for (const double gap : {0.5 + 1e-9, 0.6, 0.9, 0.99}) {
    samples::set bodies = apart(GetParam(), 3);
    shift(bodies, 1, 0, -9 + gap);
    abut::search search = made("nearest-neighbor distance=0.5");
    search.update(bodies.view());
    EXPECT_TRUE(search.pairs().empty());
    EXPECT_EQ(search.stats().tests, 0U) << "the pair is listed, so the test says nothing";
    shift(bodies, 0, 0, gap * 0.501);
    shift(bodies, 1, 0, -gap * 0.501);
    search.update(bodies.view());
    EXPECT_EQ(search.pairs(), (pairs{{0, 1}})) << gap;
  }
}

// One body alone moves by more than half of the distance: the list still holds.
TEST_P(nearest_neighbor, one_alone_may_use_the_whole_distance) {
  samples::set bodies = apart(GetParam(), 3);
  shift(bodies, 1, 0, -8.51);
  abut::search search = made("nearest-neighbor distance=0.5");
  search.update(bodies.view());
  shift(bodies, 1, 0, -0.495);
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), (pairs{{0, 1}}));
  EXPECT_EQ(rebuilds(search), 1U);
  EXPECT_EQ(strays(search), 0U);
}

// Moves are measured since the rebuild, not summed over the steps: by v_max dt, the list would have expired long ago.
TEST_P(nearest_neighbor, out_and_back_needs_no_rebuild) {
  samples::set bodies = samples::lattice(GetParam(), 3, 500, 1, 0.1, 0.525, 2);
  abut::search search = made("nearest-neighbor distance=0.2");
  search.update(bodies.view());
  for (int step = 0; step < 40; ++step) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      shift(bodies, i, 1, (step % 2 == 0 ? 1 : -1) * (i % 2 == 0 ? 0.09 : -0.09));
    search.update(bodies.view());
    expect_exact(search, bodies);
  }
  EXPECT_EQ(rebuilds(search), 1U);
  EXPECT_EQ(strays(search), 0U);
}

// Slow at first, then faster and faster: a bound from the speeds so far would be too late.
TEST_P(nearest_neighbor, a_body_that_accelerates_is_not_missed) {
  samples::set bodies = apart(GetParam(), 3, 216);
  abut::search search = made("nearest-neighbor distance=0.3");
  double step = 1e-4;
  for (; bodies.column[0][1] < 90; step *= 1.7) {
    search.update(bodies.view());
    expect_exact(search, bodies);
    shift(bodies, 1, 0, std::min(step, 0.7));
  }
  EXPECT_EQ(rebuilds(search), 1U) << "a single stray is not worth a rebuild";
  EXPECT_GT(strays(search), 50U);
}

TEST_P(nearest_neighbor, growth_counts_as_a_move) {
  for (const double growth : {0.24, 0.26, 0.7, 3.2}) {
    samples::set bodies = apart(GetParam(), 2);
    shift(bodies, 1, 0, -9 + 2 * growth - 1e-3);  // they touch once both have grown
    abut::search search = made("nearest-neighbor distance=0.5");
    search.update(bodies.view());
    for (const std::size_t i : {0U, 1U}) {
      bodies.column[2][i] += growth;  // a disc's radius, or a box's upper end
      if (GetParam() == shape::box) bodies.column[0][i] -= growth;
    }
    search.update(bodies.view());
    expect_exact(search, bodies);
    EXPECT_FALSE(search.pairs().empty());
    for (const std::size_t i : {0U, 1U}) {
      bodies.column[2][i] -= growth;
      if (GetParam() == shape::box) bodies.column[0][i] += growth;
    }
    search.update(bodies.view());
    EXPECT_TRUE(search.pairs().empty());
  }
}

TEST_P(nearest_neighbor, teleports_find_each_other_and_those_who_stayed) {
  samples::random rng(3);
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0.1, 0.4, 3);
  abut::search search = made("nearest-neighbor distance=0.1");
  search.update(bodies.view());
  for (int step = 0; step < 10; ++step) {
    for (int k = 0; k < 6; ++k) {
      const std::size_t i = rng.below(bodies.size());
      for (int axis = 0; axis < 3; ++axis)
        shift(bodies, i, axis, rng.uniform(0, 9) - bodies.column[static_cast<std::size_t>(axis)][i]);
    }
    search.update(bodies.view());
    expect_exact(search, bodies);
  }
  EXPECT_LT(rebuilds(search), 4U);
  EXPECT_GT(strays(search), 20U);
}

TEST_P(nearest_neighbor, random_walks_with_every_method_behind_it) {
  for (const abut::method_info* method : abut::methods()) {
    if (method->name == "nearest-neighbor") continue;
    for (const double move : {1e-6, 0.003, 0.05, 0.8}) {
      const std::string line = "nearest-neighbor by=" + std::string(method->name);
      SCOPED_TRACE(line + ", move " + std::to_string(move));
      samples::random rng(4);
      samples::set bodies = samples::uniform(GetParam(), 3, 120, 0.4, 0.5, 2, 4);
      const abut::options options{.margin = 0.01};
      abut::search search = made(line, options);
      for (int step = 0; step < 15; ++step) {
        search.update(bodies.view());
        expect_exact(search, bodies, options);
        const abut::region where = abut::sphere{{2, 2, 2}, 1};
        ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where, options.margin));
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          for (int axis = 0; axis < 3; ++axis) shift(bodies, i, axis, rng.uniform(-move, move));
        }
      }
      EXPECT_EQ(search.planned().parameter_value("by"), method->name);
      EXPECT_LE(rebuilds(search), move < 0.01 ? 3U : 15U);
    }
  }
}

// Without a given distance, the list follows the motion: rebuilt rarely if it is slow, at most once per step if it is
// fast.
TEST_P(nearest_neighbor, the_distance_follows_the_motion) {
  double last = 0;
  for (const double move : {0.001, 0.01, 0.05}) {
    samples::random rng(5);
    samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0.1, 0.525, 5);
    abut::search search = made("nearest-neighbor");
    for (int step = 0; step < 120; ++step) {
      search.update(bodies.view());
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) shift(bodies, i, axis, rng.uniform(-move, move));
      }
    }
    EXPECT_LT(rebuilds(search), 120U / 5) << move;
    const double distance = std::stod(std::string(*search.planned().parameter_value("distance")));
    EXPECT_GT(distance, last) << move;
    EXPECT_NE(search.planned().reason().find("motion"), std::string::npos);
    last = distance;
  }
}

// In a gas, the list does not pay; once the gas has come to rest, it does.
TEST_P(nearest_neighbor, the_list_comes_back_when_motion_dies_down) {
  samples::random rng(5);
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0.1, 0.525, 5);
  abut::search search = made("nearest-neighbor");
  const auto run = [&](int steps, double move) {
    const std::uint64_t before = rebuilds(search);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) shift(bodies, i, axis, rng.uniform(-move, move));
      }
      search.update(bodies.view());
    }
    return rebuilds(search) - before;
  };
  search.update(bodies.view());
  EXPECT_EQ(run(20, 2), 20U);
  EXPECT_EQ(search.planned().parameter_value("distance"), "0");
  EXPECT_LE(run(30, 0.001), 2U);
  EXPECT_NE(search.planned().parameter_value("distance"), "0");
  EXPECT_GE(run(20, 2), 19U);
}

// Bodies cross the borders, and their ghosts come and go, each as a stray, until there are too many.
TEST_P(nearest_neighbor, periodic_borders_are_crossed) {
  for (const int dimension : {2, 3}) {
    const abut::options options{.periodic = {abut::interval{0, 7}, abut::interval{-1, 6}, std::nullopt}};
    samples::set bodies = samples::lattice(GetParam(), dimension, dimension == 2 ? 49 : 343, 1, 0.5, 0.4, 8);
    abut::search search = made("nearest-neighbor distance=0.5", options);
    for (int step = 0; step < 40; ++step) {
      search.update(bodies.view());
      expect_exact(search, bodies, options);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        shift(bodies, i, 0, i % 2 == 0 ? 0.01 : -0.01);
        shift(bodies, i, 1, 0.005);
      }
    }
    EXPECT_LT(rebuilds(search), 20U);
    EXPECT_GT(strays(search), 0U) << "new ghosts are searched for on their own";
  }
}

// How far a sphere or a side of a box has moved from one set to another, as the method measures it.
double move(const samples::set& from, const samples::set& to, std::size_t i) {
  double squares = 0;
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = to.column[k][i] - from.column[k][i];
    squares += d * d;
    most = std::max(most, std::abs(d));
    if (to.kind == shape::box) most = std::max(most, std::abs(to.column[3 + k][i] - from.column[3 + k][i]));
  }
  return to.kind == shape::sphere ? std::sqrt(squares) : most;
}

// Exactly touching pairs, as in touching_test, but listed before they touched, with a distance that is just the sum of
// their moves: the list needs room for rounding.
TEST_P(nearest_neighbor, exactly_touching_pairs_that_came_from_afar) {
  samples::random rng(9);
  int touched = 0;
  for (const double margin : {0.0, 0.3}) {
    const samples::set all = samples::touching(GetParam(), 3, 2000, 9, margin);
    for (row i = 0; i + 1 < all.size(); i += 4) {
      const samples::set after = samples::select(all, {i, i + 1});
      const pairs expected = reference::pairs(after, margin);
      if (expected.empty()) continue;
      ++touched;
      samples::set before = after;
      const double offset = rng.uniform(0, 0.5);
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = after.column[k][1] - after.column[k][0];
        shift(before, 0, static_cast<int>(k), -offset * d);
        shift(before, 1, static_cast<int>(k), offset * d);
      }
      const double distance = move(before, after, 0) + move(before, after, 1);
      abut::search search = made("nearest-neighbor distance=" + support::number(distance), {.margin = margin});
      search.update(before.view());
      search.update(after.view());
      ASSERT_EQ(search.pairs(), expected) << support::body_text(after, 0) << support::body_text(after, 1) << distance;
      ASSERT_EQ(rebuilds(search) + strays(search), 1U) << "the list was to hold";
    }
  }
  EXPECT_GT(touched, 500);
}

TEST_P(nearest_neighbor, numbers_of_any_magnitude_move_too) {
  for (const double scale : {1e-320, 1e-165, 1e-155, 1e-150, 1e9, 1e149}) {
    for (const std::string line :
         {"nearest-neighbor", "nearest-neighbor distance=0", "nearest-neighbor distance=1e150",
          "nearest-neighbor distance=0.1 in=width", "nearest-neighbor distance=1e150 in=width"}) {
      SCOPED_TRACE(line + ", scale " + support::number(scale));
      samples::random rng(10);
      samples::set bodies = samples::uniform(GetParam(), 3, 60, 0.4, 0.5, 1, 10);
      for (auto& column : bodies.column) {
        for (double& v : column) v *= scale;
      }
      abut::search search = made(line);
      for (int step = 0; step < 10; ++step) {
        search.update(bodies.view());
        expect_exact(search, bodies);
        for (std::size_t i = 0; i < bodies.size(); ++i) shift(bodies, i, step % 3, scale * rng.uniform(-0.1, 0.1));
      }
    }
  }
}

// A list of all pairs of many bodies is not made, however great the given distance.
TEST_P(nearest_neighbor, a_list_too_long_for_memory_is_shortened) {
  const samples::set bodies = samples::lattice(GetParam(), 3, 4000, 1, 0.1, 0.525, 11);
  abut::search search = made("nearest-neighbor distance=1e150");
  search.update(bodies.view());
  expect_exact(search, bodies);
  EXPECT_LT(search.stats().bytes, 4000U * 1000);
  EXPECT_NE(search.planned().reason().find("lowered"), std::string::npos) << search.planned().reason();
  EXPECT_EQ(search.planned().parameter_value("distance"), "1e150");
}

// The lecture's rule, at the step at which the sum of 2 v_max dt reaches the distance, and not before: whichever body
// moves, there or back.
TEST_P(nearest_neighbor, by_the_sum_the_list_is_rebuilt_when_the_largest_moves_add_up_to_the_distance) {
  for (const int dimension : {2, 3}) {
    samples::set bodies = apart(GetParam(), dimension);
    abut::search by_sum = made("nearest-neighbor distance=0.5 rule=sum");
    abut::search exact = made("nearest-neighbor distance=0.5");
    by_sum.update(bodies.view());
    exact.update(bodies.view());
    std::uint64_t expected = 1;
    for (int step = 1; step <= 12; ++step) {
      shift(bodies, static_cast<std::size_t>(step % 3), step % 2, step % 4 < 2 ? 0.0625 : -0.0625);
      shift(bodies, 7, 0, 0.01);  // not the largest
      by_sum.update(bodies.view());
      exact.update(bodies.view());
      const bool reached = step % 4 == 0;  // 4 times 2 * 0.0625
      expected += reached ? 1 : 0;
      EXPECT_EQ(rebuilds(by_sum), expected) << step;
      EXPECT_EQ(support::counted(by_sum, "rebuilds"), reached ? 1U : 0U) << step;
      EXPECT_EQ(support::counted(exact, "rebuilds"), 0U) << step;
      expect_exact(by_sum, bodies);
    }
    EXPECT_EQ(rebuilds(exact), 1U);
    EXPECT_EQ(strays(by_sum), 0U);
    EXPECT_EQ(by_sum.planned().parameter_value("rule"), "sum");
    EXPECT_EQ(exact.planned().parameter_value("rule"), "exact");
  }
}

TEST_P(nearest_neighbor, by_the_sum_the_list_is_rebuilt_at_least_as_often_and_finds_the_same) {
  for (const std::string distance : {"", " distance=0.05", " distance=0.4"}) {
    for (const double move : {0.002, 0.02, 0.3}) {
      samples::random rng(12);
      samples::set bodies = samples::uniform(GetParam(), 3, 300, 0.4, 0.5, 2, 12);
      abut::search by_sum = made("nearest-neighbor rule=sum" + distance);
      abut::search exact = made("nearest-neighbor" + distance + " in=length");
      for (int step = 0; step < 20; ++step) {
        by_sum.update(bodies.view());
        exact.update(bodies.view());
        expect_exact(by_sum, bodies);
        const abut::region where = abut::sphere{{2, 2, 2}, 1};
        ASSERT_EQ(support::rows_in(by_sum, where), reference::in(bodies, where, 0));
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          for (int axis = 0; axis < 3; ++axis) shift(bodies, i, axis, rng.uniform(-move, move));
        }
        if (step == 11) bodies = samples::select(bodies, {5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 5});  // others, and fewer
      }
      if (distance.empty()) continue;  // each chooses its own
      EXPECT_GE(rebuilds(by_sum), rebuilds(exact)) << distance << ", move " << move;
    }
  }
}

// Growth adds up too, and so does what bodies move by in many small steps: the sum must not be rounded down.
TEST_P(nearest_neighbor, by_the_sum_growth_and_tiny_moves_count) {
  samples::set bodies = apart(GetParam(), 3);
  shift(bodies, 1, 0, -9 + 0.299);  // a gap that the moves close; not listed
  abut::search search = made("nearest-neighbor distance=0.25 rule=sum");
  for (int step = 0; step < 1000; ++step) {
    search.update(bodies.view());
    if (step % 50 == 0) expect_exact(search, bodies);
    shift(bodies, 0, 0, 1e-4);
    widen(bodies, 1, 4e-4);
  }
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), (pairs{{0, 1}}));
  EXPECT_GT(rebuilds(search), 1U);
}

TEST_P(nearest_neighbor, by_the_sum_new_bodies_need_a_new_list) {
  samples::set bodies = apart(GetParam(), 3);
  abut::search search = made("nearest-neighbor distance=0.5 rule=sum");
  search.update(bodies.view());
  search.update(bodies.view());
  EXPECT_EQ(rebuilds(search), 1U);
  bodies.add(10, 10, 10.9, 0.5);
  search.update(bodies.view());
  EXPECT_EQ(rebuilds(search), 2U);
  EXPECT_EQ(strays(search), 0U);
  expect_exact(search, bodies);
  EXPECT_FALSE(search.pairs().empty());
}

INSTANTIATE_TEST_SUITE_P(shapes, nearest_neighbor, ::testing::Values(shape::sphere, shape::box),
                         [](const auto& test) { return std::string(support::shape_name(test.param)); });

TEST(nearest_neighbor_plan, another_method_is_named_and_checked) {
  EXPECT_EQ(abut::plan("nearest-neighbor by=dess distance=0.5").text(), "nearest-neighbor by=dess distance=0.5");
  for (const abut::method_info* method : abut::methods()) {
    const std::string line = "nearest-neighbor by=" + std::string(method->name);
    if (method->name == "nearest-neighbor") {
      EXPECT_THROW(abut::plan{line}, abut::error) << "itself";
    } else {
      EXPECT_EQ(abut::plan(line).text(), line);
    }
  }
  const std::string message = support::message_of([] { abut::plan p("nearest-neighbor by=naighboring-cell"); });
  EXPECT_EQ(message,
            "nearest-neighbor's by is \"naighboring-cell\"; it must be the name of another method, did you mean "
            "\"neighboring-cell\"?");
  for (const std::string wrong : {"by=auto", "by=xyzzy", "by=", "distance=-1", "distance=nan", "distance=1e151"}) {
    EXPECT_THROW(abut::plan("nearest-neighbor " + wrong), abut::error) << wrong;
  }
}

TEST(nearest_neighbor_plan, the_sum_of_moves_is_a_length) {
  const samples::set bodies = apart(shape::sphere, 3);
  const std::string message = support::message_of([&] {
    abut::search search{abut::plan("nearest-neighbor rule=sum in=width")};
    search.update(bodies.view());
  });
  EXPECT_EQ(message,
            "nearest-neighbor's in is \"width\" with rule=sum, which adds up lengths; use in=length or rule=exact");
}

}  // namespace
}  // namespace nearest_neighbor_test
