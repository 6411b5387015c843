// Fixed bodies: no pair of two of them, every other pair.

#include "plans.hpp"
#include "support.hpp"

namespace fixed_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

class fixed : public ::testing::TestWithParam<std::string> {};

void expect_exact(const std::string& plan, const samples::set& bodies, double margin) {
  const std::vector<abut::pair> expected = reference::pairs(bodies, margin);
  std::vector<abut::pair> first_order;
  for (const int threads : {1, 3}) {
    abut::search search(abut::plan(plan), {.margin = margin, .threads = threads});
    search.update(bodies.view());
    const std::vector<abut::pair> order = support::ordered(search);
    EXPECT_TRUE(support::same_pairs(expected, order, bodies));
    EXPECT_EQ(support::by_batches(search), order);
    EXPECT_EQ(search.pairs(), expected);
    EXPECT_EQ(search.stats().pairs, expected.size());
    if (threads == 1) first_order = order;
    EXPECT_EQ(order, first_order);
  }
}

TEST_P(fixed, some_bodies) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const std::size_t every : {2, 3, 10}) {
        samples::set bodies = samples::uniform(kind, dimension, 300, 0.7, 1, 3, 11);
        const std::size_t without = reference::pairs(bodies).size();
        bodies.fixed.assign(bodies.size(), 0);
        for (std::size_t i = 0; i < bodies.size(); i += every) bodies.fixed[i] = 255;  // any value but 0 counts
        const std::size_t with = reference::pairs(bodies).size();
        ASSERT_GT(with, 0U);
        ASSERT_LT(with, without);
        for (const double margin : {0.0, 0.4}) {
          for (const char* more : {"", " store=cover", " store=center"}) {
            if (*more != 0 && GetParam() != "neighboring-cell") continue;
            SCOPED_TRACE(GetParam() + more);
            expect_exact(GetParam() + more, bodies, margin);
          }
        }
      }
    }
  }
}

TEST_P(fixed, all_bodies_have_no_pair_and_no_flags_mean_none_fixed) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 200, 1, 1, 2, 12);
  abut::search search{abut::plan(GetParam())};
  bodies.fixed.assign(bodies.size(), 1);
  search.update(bodies.view());
  EXPECT_TRUE(support::ordered(search).empty());
  bodies.fixed.assign(bodies.size(), 0);
  search.update(bodies.view());
  const std::vector<abut::pair> unfixed = search.pairs();
  EXPECT_FALSE(unfixed.empty());
  bodies.fixed.clear();
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), unfixed);
  EXPECT_EQ(unfixed, reference::pairs(bodies));
}

TEST_P(fixed, flags_may_change_at_every_update) {
  samples::random rng(13);
  samples::set bodies = samples::uniform(shape::box, 3, 200, 1, 1, 2, 13);
  abut::search search{abut::plan(GetParam())};
  for (int step = 0; step < 10; ++step) {
    bodies.fixed.resize(bodies.size());
    for (auto& flag : bodies.fixed) flag = static_cast<std::uint8_t>(rng.below(2));
    search.update(bodies.view());
    ASSERT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
  }
}

TEST_P(fixed, flags_may_be_members_of_structs) {
  struct grain {
    double x, y, r;
    bool wall;
  };
  const std::vector<grain> grains = {{0, 0, 1, true}, {1, 0, 1, true}, {2, 0, 1, false}, {3, 0, 1, true}};
  abut::search search{abut::plan(GetParam())};
  search.update(abut::spheres(grains, &grain::x, &grain::y, &grain::r)
                    .fixed(abut::flags(&grains[0].wall, grains.size(), sizeof(grain))));
  EXPECT_EQ(search.pairs(), (std::vector<abut::pair>{{0, 2}, {1, 2}, {2, 3}}));
}

TEST_P(fixed, with_periods) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 150, 0.7, 1, 2, 14);
  bodies.fixed.assign(bodies.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); i += 2) bodies.fixed[i] = 1;
  const reference::periods periodic = {abut::interval{0, 8}, std::nullopt, abut::interval{1, 10.5}};
  abut::search search(abut::plan(GetParam()), {.periodic = periodic});
  search.update(bodies.view());
  const std::vector<abut::pair> expected = reference::pairs(bodies, 0, periodic);
  ASSERT_NE(expected, reference::pairs(bodies, 0));
  EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
}

INSTANTIATE_TEST_SUITE_P(methods, fixed, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace fixed_test
