// Nearest neighbor: rows under the list become fixed, muted, others, or none.

#include <vector>

#include "methods/near_bodies.hpp"
#include "plans.hpp"

namespace nearest_neighbor_rows_test {
namespace {

using abut::no_row;
using abut::row;
using abut::shape;
namespace samples = abut::samples;
using near_bodies::expect_exact;
using near_bodies::made;
using near_bodies::rebuilds;
using near_bodies::shift;
using near_bodies::strays;

class nearest_neighbor_rows : public ::testing::TestWithParam<shape> {};

// Fixed bodies touch each other all the time; listing their pairs would waste a test on each at every step.
TEST_P(nearest_neighbor_rows, pairs_of_fixed_bodies_are_not_listed) {
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0, 0.525, 1, false);
  bodies.fixed.assign(bodies.size(), 1);
  abut::search search = made("nearest-neighbor distance=0.2");
  const auto tests_of_a_step = [&] {
    shift(bodies, 999, 0, 0.01);
    search.update(bodies.view());
    expect_exact(search, bodies);
    return search.stats().tests;
  };
  search.update(bodies.view());
  EXPECT_EQ(tests_of_a_step(), 0U);
  search = made("nearest-neighbor distance=0.2");
  bodies.fixed[999] = 0;  // at a corner
  search.update(bodies.view());
  EXPECT_EQ(tests_of_a_step(), GetParam() == shape::sphere ? 3U : 7U);
  EXPECT_EQ(rebuilds(search), 1U);
}

// Fixed bodies that are freed touch the bodies they were fixed with; then they are fixed again.
TEST_P(nearest_neighbor_rows, flags_change_under_the_list) {
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0.1, 0.525, 6);
  bodies.fixed.assign(bodies.size(), 1);
  abut::search search = made("nearest-neighbor distance=0.2");
  search.update(bodies.view());
  EXPECT_TRUE(search.pairs().empty());
  bodies.fixed[500] = 0;
  search.update(bodies.view());
  expect_exact(search, bodies);
  EXPECT_FALSE(search.pairs().empty());
  EXPECT_EQ(rebuilds(search), 1U) << "one stray";
  bodies.fixed[500] = 1;
  search.update(bodies.view());
  EXPECT_TRUE(search.pairs().empty());
  bodies.fixed.clear();  // all are free
  search.update(bodies.view());
  expect_exact(search, bodies);
  EXPECT_EQ(rebuilds(search), 2U);
  bodies.fixed.assign(bodies.size(), 1);
  search.update(bodies.view());
  EXPECT_TRUE(search.pairs().empty());
  EXPECT_EQ(rebuilds(search), 2U) << "the list has what is muted now";
}

// The spheres of a clump overlap all the time, and are not listed either.
TEST_P(nearest_neighbor_rows, pairs_that_groups_and_masks_mute_are_not_listed) {
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0, 0.525, 1, false);
  const auto tests_of_a_step = [&] {
    abut::search search = made("nearest-neighbor distance=0.2");
    search.update(bodies.view());
    shift(bodies, 999, 0, 0.001);
    search.update(bodies.view());
    expect_exact(search, bodies);
    EXPECT_EQ(rebuilds(search), 1U);
    return search.stats().tests;
  };
  bodies.group.assign(bodies.size(), 4);
  EXPECT_EQ(tests_of_a_step(), 0U);
  bodies.group[999] = 5;  // at a corner
  EXPECT_EQ(tests_of_a_step(), GetParam() == shape::sphere ? 3U : 7U);
  bodies.group.clear();
  bodies.category.assign(bodies.size(), 2);
  bodies.collides.assign(bodies.size(), 1);
  EXPECT_EQ(tests_of_a_step(), 0U);
}

// A body that changes its group or gains bits of its masks may touch what it could not when the list was made.
TEST_P(nearest_neighbor_rows, groups_and_masks_change_under_the_list) {
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0.1, 0.525, 6);
  bodies.group.assign(bodies.size(), 1);
  bodies.category.assign(bodies.size(), 1);
  bodies.collides.assign(bodies.size(), 1);
  abut::search search = made("nearest-neighbor distance=0.2");
  const auto pairs_after = [&] {
    search.update(bodies.view());
    expect_exact(search, bodies);
    return search.pairs().size();
  };
  EXPECT_EQ(pairs_after(), 0U);
  bodies.group[500] = 2;
  EXPECT_GT(pairs_after(), 0U);
  bodies.collides[500] = 2;
  EXPECT_EQ(pairs_after(), 0U);
  bodies.category.assign(bodies.size(), 3);
  bodies.group.assign(bodies.size(), 1);
  EXPECT_EQ(pairs_after(), 0U);
  EXPECT_EQ(rebuilds(search), 2U) << "all have gained a bit";
  bodies.group[7] = 2;
  EXPECT_GT(pairs_after(), 0U);
  EXPECT_EQ(rebuilds(search), 2U) << "one stray";
  bodies.group.clear();
  EXPECT_GT(pairs_after(), 1000U);
  EXPECT_EQ(rebuilds(search), 3U);
  bodies.category.assign(bodies.size(), 0);
  EXPECT_EQ(pairs_after(), 0U);
  EXPECT_EQ(rebuilds(search), 3U) << "the list has what is muted now";
}

// Rows change places, a few bodies come and go: with the map, the list is kept.
TEST_P(nearest_neighbor_rows, rows_come_go_and_change_under_the_list) {
  samples::random rng(7);
  samples::set bodies = samples::lattice(GetParam(), 3, 1000, 1, 0.1, 0.525, 7);
  abut::search search = made("nearest-neighbor distance=0.2");
  search.update(bodies.view());
  for (int step = 0; step < 8; ++step) {
    std::vector<row> kept = rng.permutation(bodies.size());
    kept.pop_back();
    std::vector<row> new_rows(bodies.size(), no_row);
    for (std::size_t k = 0; k < kept.size(); ++k) new_rows[kept[k]] = static_cast<row>(k);
    bodies = samples::select(bodies, kept);
    bodies.add(rng.uniform(0, 9), rng.uniform(0, 9), rng.uniform(0, 9), 0.6);
    search.update(bodies.view(), new_rows);
    expect_exact(search, bodies);
    const abut::region where = abut::box{{2, 2, 2}, {7, 7, 7}};
    ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where));
  }
  EXPECT_EQ(rebuilds(search), 1U);
  EXPECT_EQ(strays(search), 1U + 2 + 3 + 4 + 5 + 6 + 7 + 8);
}

INSTANTIATE_TEST_SUITE_P(shapes, nearest_neighbor_rows, ::testing::Values(shape::sphere, shape::box),
                         [](const auto& test) { return std::string(support::shape_name(test.param)); });

}  // namespace
}  // namespace nearest_neighbor_rows_test
