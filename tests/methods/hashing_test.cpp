// What is special to hashing: the lists that two lines of cells share, lines by array and by hash, how tasks are split,
// no domain.

#include <cmath>

#include "support.hpp"

namespace hashing_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

std::uint64_t lines_hashed(const abut::search& search) { return support::event(search, "lines hashed"); }

// Lines with one or two bodies beside lines with hundreds, and gaps between them: whatever a line leaves in the lists
// would be met by the next line that uses them.
samples::set uneven_lines(int dimension) {
  samples::random rng(61);
  samples::set bodies{.dimension = dimension};
  for (int k = 0; k < 3000; ++k) {
    const double y = std::floor(30 * rng.uniform() * rng.uniform());
    const double z = std::floor(7 * rng.uniform());
    bodies.add(rng.uniform(0, y < 3 ? 90 : 20), y < 20 ? y : 1.5 * y, z, 0.55);
  }
  return bodies;
}

TEST(hashing, clears_what_it_touched_as_if_it_cleared_all) {
  for (const int dimension : {2, 3}) {
    const samples::set bodies = uneven_lines(dimension);
    const std::vector<abut::pair> expected = reference::pairs(bodies);
    ASSERT_GT(expected.size(), 3000U);
    std::vector<abut::pair> orders[2];
    std::uint64_t candidates[2] = {};
    for (const int all : {0, 1}) {
      abut::search search{abut::plan(all != 0 ? "hashing clear=all" : "hashing clear=touched")};
      search.update(bodies.view());
      orders[all] = support::ordered(search);
      candidates[all] = search.stats().candidates;
      EXPECT_TRUE(support::same_pairs(expected, orders[all], bodies));
    }
    EXPECT_EQ(orders[0], orders[1]);
    EXPECT_EQ(candidates[0], candidates[1]) << "something was left in the lists that overlap had to refuse";
  }
}

// The same lattice in one piece, in which a line's cells are an array, and torn along x, in which they are hashed. All
// coordinates are small multiples of 1/4, so that tearing changes no distance by rounding.
TEST(hashing, hashed_lines_find_the_same_as_arrays) {
  for (const int dimension : {2, 3}) {
    samples::set near{.dimension = dimension};
    samples::set torn{.dimension = dimension};
    for (int k = 0; k < 2400; ++k) {
      const double x = k % 60 * 1.25;
      const double y = k / 60 % 10 * 1.25;
      const double z = k / 600 * 1.25;
      near.add(x + k / 1200 * 100, y, z, 0.625);
      torn.add(x + (k / 1200 + k % 3) * 1048576.0, y, z, 0.625);  // 2^20: a poor hash would put all into few slots
    }
    for (const samples::set* bodies : {&near, &torn}) {
      abut::search search{abut::plan("hashing")};
      search.update(bodies->view());
      EXPECT_TRUE(support::same_pairs(reference::pairs(*bodies), support::ordered(search), *bodies));
      EXPECT_GT(search.stats().pairs, 1000U);
      EXPECT_EQ(lines_hashed(search) > 0, bodies == &torn);
      EXPECT_LT(search.stats().bytes, 200U * bodies->size());
    }
  }
}

// Bodies that are alone in all the cells around them, over so many cells that lines are hashed: they share slots, but
// are not candidates.
TEST(hashing, cells_that_share_a_slot_do_not_meet) {
  for (const int dimension : {2, 3}) {
    samples::random rng(66);
    samples::set bodies{.dimension = dimension};
    const std::vector<abut::row> places = rng.permutation(100'000);
    for (std::size_t k = 0; k < 2000; ++k) {
      bodies.add(7.0 * places[k], static_cast<double>(k % 3), static_cast<double>(k % 2), 0.525);
    }
    abut::search search{abut::plan("hashing")};
    search.update(bodies.view());
    EXPECT_TRUE(search.pairs().empty());
    EXPECT_GT(lines_hashed(search), 0U);
    EXPECT_EQ(search.stats().candidates, 0U);
  }
}

// Pairs that touch, each in a line of its own, with centers as close to the borders of cells as possible. The cells
// begin far away, so that the distance from there is rounded. If cells were exactly as large as a body, some partners
// would be two cells apart.
TEST(hashing, cells_have_room_for_rounding) {
  constexpr double diameter = 0.1;
  constexpr double origin = -1000;
  samples::random rng(67);
  samples::set bodies{.dimension = 2};
  bodies.add(origin, 0, 0, 0);
  for (int k = 0; k < 2000; ++k) {
    const auto cells = static_cast<double>(rng.below(20'000));
    const double x = (origin / diameter + cells) * diameter - 1e-15 * static_cast<double>(rng.below(40));
    double partner = x + diameter;
    while (partner - x > diameter) partner = std::nextafter(partner, origin);
    bodies.add(x, k, 0, diameter / 2);
    bodies.add(partner, k, 0, diameter / 2);
  }
  const std::vector<abut::pair> expected = reference::pairs(bodies);
  ASSERT_GT(expected.size(), 1900U);
  for (const std::string plan : {"hashing", "fixed-cubes delta=0", "fixed-cubes"}) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << plan;
  }
}

// The thesis: "If, at any time during the simulation, the objects move outside the limits defined during
// initialization, the method will fail". Ours does not.
TEST(hashing, bodies_may_leave_any_earlier_domain) {
  for (const std::string plan : {"hashing", "hashing clear=all"}) {
    samples::set bodies = samples::uniform(shape::sphere, 3, 300, 0.4, 1, 2, 62);
    abut::search search{abut::plan(plan)};
    samples::random rng(63);
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(step);
      search.update(bodies.view());
      EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
      EXPECT_LT(search.stats().bytes, 200U * bodies.size()) << "memory grows with space";
      for (std::size_t i = 0; i < bodies.size(); i += 7) {
        for (std::size_t k = 0; k < 3; ++k) bodies.column[k][i] = (bodies.column[k][i] - 3) * rng.uniform(-20, 20);
      }
    }
  }
}

// Pairs across the lines where one task ends and the next begins, and across the layers.
TEST(hashing, tasks_are_split_between_lines_and_lose_no_pair) {
  for (const int dimension : {2, 3}) {
    const samples::set bodies = samples::lattice(shape::sphere, dimension, 30'000, 1, 0.1, 0.525, 64);
    abut::search cells{abut::plan("neighboring-cell")};
    cells.update(bodies.view());
    const std::vector<abut::pair> expected = cells.pairs();
    std::vector<abut::pair> first_order;
    for (const int threads : {1, 2, 3, 8}) {
      abut::search search(abut::plan("hashing"), {.threads = threads});
      search.update(bodies.view());
      EXPECT_GT(search.tasks(), 8U);
      const std::vector<abut::pair> order = support::ordered(search);
      EXPECT_TRUE(support::same_pairs(expected, order, bodies));
      if (threads == 1) first_order = order;
      EXPECT_EQ(order, first_order);
    }
  }
}

// Figures 7 and 8: a body's neighbors are the bodies of nine squares, which are as large as the largest body.
TEST(hashing, loses_accuracy_if_sizes_differ) {
  double before = 1;
  for (const double ratio : {1.0, 2.0, 4.0}) {
    const samples::set bodies = samples::uniform(shape::sphere, 2, 2000, 0.5, 1, ratio, 65);
    abut::search search{abut::plan("hashing")};
    search.update(bodies.view());
    EXPECT_EQ(search.pairs(), reference::pairs(bodies));
    const double accuracy = static_cast<double>(search.stats().candidates) / static_cast<double>(search.stats().pairs);
    EXPECT_GT(accuracy, 1.3 * before) << ratio;
    before = accuracy;
  }
}

}  // namespace
}  // namespace hashing_test
