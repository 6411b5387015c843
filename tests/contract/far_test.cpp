// Bodies anywhere: wide and empty space must change neither the pairs nor the number of tests.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "instruction_sets.hpp"
#include "methods/grid/folded_axis.hpp"
#include "support.hpp"

namespace far_test {
namespace {

using abut::folded_axis;
using abut::shape;
namespace samples = abut::samples;

void shift(samples::set& b, std::size_t axis, std::size_t i, double by) {
  b.column[axis][i] += by;
  if (b.kind == shape::box) b.column[axis + static_cast<std::size_t>(b.dimension)][i] += by;
}

// ---- a folded axis

// Bunches of coordinates, each `length` long, at distances that grow from `gap` on.
std::vector<double> bunches(std::size_t count, std::size_t each, double length, double gap, double growth) {
  samples::random rng(11);
  std::vector<double> places;
  double at = -gap;
  for (std::size_t b = 0; b < count; ++b) {
    for (std::size_t k = 0; k < each; ++k) places.push_back(at + rng.uniform(0, length));
    at += gap;
    gap *= growth;
  }
  std::vector<double> shuffled;
  for (const abut::row r : rng.permutation(places.size())) shuffled.push_back(places[r]);
  return shuffled;
}

TEST(folded_axes, keep_order_and_near_distances_and_shorten_the_others) {
  const double room = 2;
  const std::vector<std::vector<double>> sets = {
      bunches(50, 20, 10, 1e9, 1),    bunches(40, 20, 10, 100, 3),  // tables within tables
      bunches(3000, 1, 0, 1e6, 1),    bunches(300, 2, 1e-3, 50, 1.25), bunches(1, 1000, 1e6, 1, 1), {5, 5, 5}, {7},
      {-1e100, 1e100, 0, 1, 2, 1e100}};
  for (std::size_t which = 0; which < sets.size(); ++which) {
    SCOPED_TRACE(which);
    std::vector<double> x = sets[which];
    const auto [min, max] = std::minmax_element(x.begin(), x.end());
    const folded_axis axis(x, *min, *max, {room, 0.5}, 1000);
    std::vector<double> folded(x.size());
    EXPECT_TRUE(axis.fold(x.data(), x.size(), folded.data()));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(folded[i], axis.at(x[i]));
    EXPECT_LE(axis.length(), 1e4 + 1e3 + 2.1 * room * static_cast<double>(x.size()) + (which == 4 ? 1e6 : 0));
    std::sort(x.begin(), x.end());
    double sum = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double apart = x[i] - x[i - 1];
      const double shown = axis.at(x[i]) - axis.at(x[i - 1]);
      const double rounding = 1e-12 * axis.length();
      ASSERT_GE(shown, 0);
      if (apart <= 2 * room) {
        ASSERT_NEAR(shown, apart, rounding) << x[i];
      } else {
        ASSERT_GE(shown, std::min(apart, 1.0 * room) - rounding) << x[i];
      }
      sum += shown;
    }
    EXPECT_LE(sum, axis.length());
  }
}

TEST(folded_axes, say_what_is_expected_and_what_is_straight) {
  const std::vector<double> x = {0, 1, 2, 1e6, 1e6 + 1, 3e6};
  const folded_axis axis(x, 0, 3e6, {3, 0.5}, 10);
  EXPECT_EQ(axis.stretches(), 3U);
  EXPECT_EQ(axis.farthest_together(), 1e6 + 1);
  const auto expected = [&](double at) {
    double out = 0;
    return axis.fold(&at, 1, &out);
  };
  for (const double at : {-0.5, 0.0, 2.5, 1e6 - 0.5, 3e6 + 0.5}) EXPECT_TRUE(expected(at)) << at;
  for (const double at : {-0.6, 2.6, 500.0, 1e6 - 0.6, 1e6 + 1.6, 3e6 + 0.6, 1e12}) EXPECT_FALSE(expected(at)) << at;
  EXPECT_TRUE(axis.straight(-3, 5));
  EXPECT_TRUE(axis.straight(1e6 - 3, 1e6 + 4));
  EXPECT_FALSE(axis.straight(-3.1, 5));
  EXPECT_FALSE(axis.straight(-3, 5.1));
  EXPECT_FALSE(axis.straight(2, 1e6));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(axis.at(-infinity), 0);
  EXPECT_EQ(axis.at(infinity), axis.length());
  double last = 0;
  for (const double at : {-1e300, -4.0, -3.0, 0.0, 2.0, 5.0, 6.0, 1e5, 1e6 - 3, 1e6, 1e6 + 9, 3e6, 3e6 + 9}) {
    EXPECT_GE(axis.at(at), last) << at;
    last = axis.at(at);
  }
}

// ---- every method

struct spread {
  samples::set bodies;
  std::vector<abut::pair> pairs;
};

spread with_pairs(const samples::set& bodies) { return {bodies, reference::pairs(bodies)}; }

// The same bodies at ever greater distances; those of the first set are near each other.
std::vector<spread> clusters_apart(shape kind, int dimension) {
  std::vector<spread> all;
  for (const double side : {1e5, 1e7, 1e10, 1e13}) {
    all.push_back(with_pairs(samples::clusters(kind, dimension, 1200, 150, side, 0.525, 4)));
  }
  return all;
}

std::vector<spread> one_strays(shape kind, int dimension) {
  const samples::set lattice = samples::lattice(kind, dimension, 1200, 1, 0.1, 0.525, 3);
  std::vector<spread> all;
  for (const double at : {50.0, 1e7, 1e13, -1e100}) {
    samples::set bodies = lattice;
    bodies.add(at, -at, at, 0.525);
    all.push_back(with_pairs(bodies));
  }
  return all;
}

void expect_no_more_tests(const std::vector<spread>& all) {
  for (const std::string& method : support::method_names(false)) {
    SCOPED_TRACE(method);
    double near = 0;
    for (const spread& s : all) {
      abut::search search{abut::plan(method)};
      search.update(s.bodies.view());
      ASSERT_TRUE(support::same_pairs(s.pairs, support::ordered(search), s.bodies));
      const double tests = static_cast<double>(search.stats().tests) / static_cast<double>(s.bodies.size());
      if (near == 0) near = tests;
      // If a diameter is only a few hundred units in the last place, boxes of some bodies meet that do not touch.
      EXPECT_LE(tests, 1.5 * near + 4) << "up to " << support::body_text(s.bodies, 1199);
    }
  }
}

TEST(far, every_method_tests_no_more_if_space_is_wide) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(support::shape_name(kind)) + std::to_string(dimension));
      expect_no_more_tests(clusters_apart(kind, dimension));
      expect_no_more_tests(one_strays(kind, dimension));
    }
  }
}

// ---- grid, whose axes are folded here

struct trial {
  std::string plan;
  samples::set bodies;
};

// Clusters of bodies of several sizes, and some that reach from cluster to cluster.
samples::set of_all_sizes(shape kind, int dimension, std::size_t count, double side, std::uint64_t seed) {
  samples::set bodies = samples::clusters(kind, dimension, count, count / 12, side, 0.55, seed);
  samples::random rng(seed);
  samples::set all{.kind = kind, .dimension = dimension};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = [&](std::size_t k) { return k < static_cast<std::size_t>(dimension) ? bodies.column[k][i] : 0.0; };
    const double r = rng.below(20) == 0 ? rng.uniform(2, 6) : rng.uniform(0.05, 0.55);
    all.add(at(0), at(1), at(2), r);
  }
  all.add(0.3 * side, 0.3 * side, 0.3 * side, 0.3 * side);
  all.add(0.5 * side, 0.6 * side, 0.4 * side, 0.1 * side);
  all.add(-2 * side, 0.5 * side, 0.5 * side, 2.2 * side);
  return all;
}

// Changes of the bodies from update to update.
const std::vector<void (*)(samples::set&)>& moves() {
  static const std::vector<void (*)(samples::set&)> all = {
      [](samples::set&) {},
      [](samples::set& b) {
        samples::random rng(8);
        for (std::size_t i = 0; i < b.size(); ++i) shift(b, i % 2, i, rng.uniform(-0.05, 0.05));
      },
      [](samples::set& b) {  // one leaves its cluster and goes where nothing was
        shift(b, 0, 17, 1234.5);
        shift(b, 1, 17, -777);
      },
      [](samples::set& b) {  // another follows it
        for (std::size_t k = 0; k < static_cast<std::size_t>(b.columns()); ++k) b.column[k][18] = b.column[k][17];
      },
      [](samples::set& b) {  // all drift by more than the slack
        for (std::size_t i = 0; i < b.size(); ++i) shift(b, 1, i, 3);
      },
      [](samples::set& b) {  // one goes very far away, and comes back
        shift(b, 0, 5, 1e90);
      },
      [](samples::set& b) { b.column[0][5] = b.column[0][6] - 0.25; },
  };
  return all;
}

void expect_exact(const trial& t, double margin, bool regions) {
  samples::set bodies = t.bodies;
  std::vector<abut::search> searches;
  for (const int threads : {1, 3}) {
    searches.emplace_back(abut::plan(t.plan), abut::options{.margin = margin, .threads = threads});
  }
  int step = 0;
  for (const auto& move : moves()) {
    SCOPED_TRACE("step " + std::to_string(step++));
    move(bodies);
    if (bodies.kind == shape::box)
      bodies.column[static_cast<std::size_t>(bodies.dimension)][5] = bodies.column[0][5] + 0.5;
    const std::vector<abut::pair> expected = reference::pairs(bodies, margin);
    std::vector<abut::pair> first;
    for (abut::search& s : searches) {
      s.update(bodies.view());
      const std::vector<abut::pair> found = support::ordered(s);
      ASSERT_TRUE(support::same_pairs(expected, found, bodies)) << s.chosen().threads << " threads";
      if (first.empty()) first = found;
      ASSERT_EQ(found, first) << s.chosen().threads << " threads";
    }
    if (!regions) continue;
    for (const std::size_t i : {std::size_t{3}, std::size_t{17}, bodies.size() / 2, bodies.size() - 2}) {
      abut::sphere ball{{}, 40};
      for (std::size_t k = 0; k < static_cast<std::size_t>(bodies.dimension); ++k) ball.center[k] = bodies.column[k][i];
      ASSERT_EQ(support::rows_in(searches[0], ball), reference::in(bodies, ball, margin));
      const abut::box block{{-1e3, -1e6, -1e80}, {ball.center[0], 1e100, 1e100}};
      ASSERT_EQ(support::rows_in(searches[0], block), reference::in(bodies, block, margin));
    }
  }
}

TEST(far_grid, is_exact_for_every_level_shape_and_move) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const double side : {1e7, 1e11}) {
        for (const char* plan : {"grid", "grid levels=1", "grid levels=4"}) {
          SCOPED_TRACE(std::string(support::shape_name(kind)) + std::to_string(dimension) + ", side " +
                       support::number(side) + ", " + plan);
          expect_exact({plan, of_all_sizes(kind, dimension, 600, side, 5)}, dimension == 2 ? 0.1 : 0, true);
          expect_exact({plan, samples::clusters(kind, dimension, 600, 100, side, 0.525, 6)}, dimension == 2 ? 0 : 0.05,
                       false);
        }
      }
    }
  }
}

TEST(far_grid, is_exact_with_every_instruction_set) {
  const samples::set bodies = of_all_sizes(shape::sphere, 3, 1200, 1e9, 7);
  const std::vector<abut::pair> expected = reference::pairs(bodies);
  std::vector<abut::pair> first;
  support::with_each_instruction_set([&](const char* name) {
    abut::search search(abut::plan("grid"), {.threads = 1});
    for (int update = 0; update < 3; ++update) {
      search.update(bodies.view());
      const std::vector<abut::pair> found = support::ordered(search);
      ASSERT_TRUE(support::same_pairs(expected, found, bodies)) << name;
      if (first.empty()) first = found;
      ASSERT_EQ(found, first) << name;
    }
  });
}

// Clusters on a line, with folded gaps, and a giant. Stretches as far apart as the giant reaches would make the axis
// too long.
samples::set on_a_line(shape kind) {
  samples::set bodies{.kind = kind, .dimension = 2};
  for (int cluster = 0; cluster < 40; ++cluster) {
    for (int k = 0; k < 100; ++k) bodies.add(1e6 * cluster + 5 * k, 0, 0, 0.5);
  }
  bodies.add(5e5, 0, 0, 4e4);
  return bodies;
}

// The last body of a cluster and the first of the next approach each other as far as the frames allow: they must stay
// out of reach on the folded axis too.
TEST(far_grid, bodies_of_different_stretches_may_near_each_other) {
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies = on_a_line(kind);
    abut::search search(abut::plan("grid levels=2"), {.threads = 1});
    search.update(bodies.view());
    for (std::size_t i = 0; i + 1 < bodies.size(); i += 100) {
      shift(bodies, 0, i, -0.45);
      shift(bodies, 0, i + 99, 0.45);
    }
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
  }
}

// In a gap where nothing was, all coordinates are one place on the folded axis.
TEST(far_grid, two_bodies_leave_for_different_places_in_a_gap) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const char* plan : {"grid", "grid levels=2"}) {
      samples::set bodies = on_a_line(kind);
      abut::search search(abut::plan(plan), {.threads = 1});
      search.update(bodies.view());
      shift(bodies, 0, 7, 3.3e5);
      shift(bodies, 0, 8, 3.5e5);
      search.update(bodies.view());
      EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies)) << plan;
    }
  }
}

// Enough bodies that several threads deal them ahead.
TEST(far_grid, many_that_move_are_dealt_ahead) {
  samples::set bodies = samples::clusters(shape::sphere, 3, 40000, 400, 1e10, 0.525, 9);
  std::vector<abut::search> grids;
  for (const int threads : {1, 2, 3}) grids.emplace_back(abut::plan("grid"), abut::options{.threads = threads});
  abut::search other(abut::plan("hashing"), abut::options{.threads = 2});
  for (int round = 0; round < 2; ++round) {
    for (const auto& move : moves()) {
      move(bodies);
      other.update(bodies.view());
      const auto expected = support::sorted(support::ordered(other));
      std::vector<abut::pair> first;
      for (abut::search& g : grids) {
        g.update(bodies.view());
        const auto found = support::ordered(g);
        if (first.empty()) first = found;
        ASSERT_EQ(found, first) << g.chosen().threads << " threads";
      }
      ASSERT_EQ(support::sorted(first), expected);
    }
  }
}

}  // namespace
}  // namespace far_test
