// Groups and masks: no pair of one group, none that a mask excludes, every other pair. With fixed bodies, periods,
// motion, rows that move and a second set, for every method.

#include "plans.hpp"
#include "support.hpp"

namespace groups_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

class groups : public ::testing::TestWithParam<std::string> {};

// What the bodies of a set have: any of fixed flags, groups and masks.
struct features {
  bool fixed, group, mask;
};

constexpr features all_features[] = {{false, true, false}, {false, false, true}, {false, true, true},
                                     {true, true, false},  {true, false, true},  {true, true, true}};

// Clumps of about `each` bodies, and three categories that spare each other in part. Some bodies are of none.
void give(samples::set& bodies, const features& with, samples::random& rng, std::size_t each = 8) {
  const std::size_t n = bodies.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (with.fixed) bodies.fixed.push_back(static_cast<std::uint8_t>(rng.below(2)));
    if (with.group) bodies.group.push_back(static_cast<std::int32_t>(rng.below(n / each + 1)) - 3);
    if (!with.mask) continue;
    bodies.category.push_back(rng.below(8) == 0 ? 0 : std::uint64_t{1} << (31 * rng.below(3)));
    bodies.collides.push_back(rng.next() | rng.next());
  }
}

void clear(samples::set& bodies) {
  bodies.fixed.clear();
  bodies.group.clear();
  bodies.category.clear();
  bodies.collides.clear();
}

void expect_exact(abut::search& search, const samples::set& bodies, double margin = 0,
                  const reference::periods& periodic = {}) {
  const std::vector<abut::pair> expected = reference::pairs(bodies, margin, periodic);
  const std::vector<abut::pair> order = support::ordered(search);
  ASSERT_TRUE(support::same_pairs(expected, order, bodies));
  EXPECT_EQ(support::by_batches(search), order);
  EXPECT_EQ(search.pairs(), expected);
  EXPECT_EQ(search.stats().pairs, expected.size());
}

TEST_P(groups, every_shape_dimension_and_feature) {
  samples::random rng(71);
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const features& with : all_features) {
        samples::set bodies = samples::uniform(kind, dimension, 300, 0.7, 1, 3, 71);
        const std::size_t without = reference::pairs(bodies).size();
        give(bodies, with, rng, 60);
        const std::size_t left = reference::pairs(bodies).size();
        ASSERT_GT(left, 0U);
        ASSERT_LT(left, without);
        for (const int threads : {1, 3}) {
          abut::search search(abut::plan(GetParam()), {.margin = 0.2, .threads = threads});
          search.update(bodies.view());
          expect_exact(search, bodies, 0.2);
        }
      }
    }
  }
}

TEST_P(groups, one_for_all_has_no_pair_and_one_for_each_has_all) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 200, 1, 1, 2, 72);
  const std::vector<abut::pair> all = reference::pairs(bodies);
  ASSERT_FALSE(all.empty());
  abut::search search{abut::plan(GetParam())};
  bodies.group.assign(bodies.size(), -7);
  search.update(bodies.view());
  EXPECT_TRUE(search.pairs().empty());
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.group[i] = -1 - static_cast<std::int32_t>(i);
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), all);
  bodies.group.clear();
  bodies.category.assign(bodies.size(), 0);
  bodies.collides.assign(bodies.size(), ~std::uint64_t{0});
  search.update(bodies.view());
  EXPECT_TRUE(search.pairs().empty()) << "what is nothing collides with nothing";
  bodies.category.assign(bodies.size(), std::uint64_t{1} << 63);
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), all);
  clear(bodies);
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), all);
}

// Both must agree: what one body excludes, the other cannot have.
TEST_P(groups, masks_exclude_from_either_side) {
  const std::vector<double> x{0, 0, 0};
  const std::vector<std::uint32_t> category{1, 2, 4};
  abut::search search{abut::plan(GetParam())};
  const auto pairs = [&](const std::vector<std::uint32_t>& collides) {
    search.update(abut::spheres(x, x, 1.0).mask(category, collides));
    return search.pairs();
  };
  EXPECT_EQ(pairs({7, 7, 7}), (std::vector<abut::pair>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(pairs({7, 6, 7}), (std::vector<abut::pair>{{0, 2}, {1, 2}}));
  EXPECT_EQ(pairs({5, 7, 7}), (std::vector<abut::pair>{{0, 2}, {1, 2}}));
  EXPECT_EQ(pairs({2, 1, 0}), (std::vector<abut::pair>{{0, 1}}));
}

// The labels change with every step, for some bodies or for all, and are given or not.
TEST_P(groups, may_change_at_every_update) {
  std::vector<std::string> plans = {GetParam()};
  if (GetParam() == "nearest-neighbor") plans.push_back("nearest-neighbor distance=1");
  for (const std::string& plan : plans) {
    for (const shape kind : {shape::sphere, shape::box}) {
      samples::random rng(73);
      samples::set bodies = samples::uniform(kind, 3, 200, 0.8, 1, 2, 73);
      abut::search search{abut::plan(plan)};
      for (std::size_t step = 0; step < 24; ++step) {
        SCOPED_TRACE(plan + ", step " + std::to_string(step));
        if (step % 4 == 0) {
          clear(bodies);
          give(bodies, all_features[step / 4], rng, step % 8 == 0 ? 100 : 20);
        }
        const std::size_t one = rng.below(bodies.size());
        if (!bodies.fixed.empty()) bodies.fixed[one] ^= 1;
        if (!bodies.group.empty()) bodies.group[one] = bodies.group[rng.below(bodies.size())];
        if (!bodies.category.empty()) bodies.category[one] ^= rng.next();
        if (!bodies.category.empty()) bodies.collides[rng.below(bodies.size())] ^= rng.next();
        search.update(bodies.view());
        expect_exact(search, bodies);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(groups, with_periods_and_motion) {
  const reference::periods periodic = {abut::interval{0, 8}, std::nullopt, abut::interval{1, 10.5}};
  samples::random rng(74);
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const features& with : all_features) {
      samples::set bodies = samples::uniform(kind, 3, 150, 0.7, 1, 2, 74);
      give(bodies, with, rng, 30);
      abut::search search(abut::plan(GetParam()), {.periodic = periodic});
      for (int step = 0; step < 4; ++step) {
        search.update(bodies.view());
        const std::vector<abut::pair> expected = reference::pairs(bodies, 0, periodic);
        ASSERT_NE(expected, reference::pairs(bodies, 0));
        ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          const double by = rng.uniform(-0.1, 0.2);
          bodies.column[0][i] += by;
          if (kind == shape::box) bodies.column[3][i] += by;
        }
      }
    }
  }
}

// Bodies take their groups and masks along when they change rows.
TEST_P(groups, rows_that_move) {
  samples::random rng(75);
  const reference::periods axes[] = {{}, {abut::interval{0, 9}, abut::interval{-1, 9}, std::nullopt}};
  for (const reference::periods& periodic : axes) {
    samples::set bodies = samples::uniform(shape::sphere, 3, 200, 0.7, 1, 2, 75);
    give(bodies, {true, true, true}, rng, 60);
    abut::search search(abut::plan(GetParam()), {.periodic = periodic});
    search.update(bodies.view());
    for (int step = 0; step < 5; ++step) {
      std::vector<abut::row> order = rng.permutation(bodies.size());
      order.resize(order.size() - 5);  // five bodies are gone
      std::vector<abut::row> new_rows(bodies.size(), abut::no_row);
      for (std::size_t k = 0; k < order.size(); ++k) new_rows[order[k]] = static_cast<abut::row>(k);
      bodies = samples::select(bodies, order);
      search.update(bodies.view(), new_rows);
      expect_exact(search, bodies, 0, periodic);
      if (HasFatalFailure()) return;
    }
  }
}

// Groups count if both sets have them; masks if one has.
TEST_P(groups, between_two_sets) {
  samples::random rng(76);
  const features none{false, false, false};
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const features& with : all_features) {
      for (const features& other : {with, none, all_features[0], all_features[1]}) {
        samples::set bodies = samples::uniform(shape::sphere, 3, 150, 0.5, 1, 2, 76);
        samples::set others = samples::uniform(kind, 3, 150, 0.5, 1, 2, 77);
        const std::size_t without = reference::between(bodies, others).size();
        give(bodies, with, rng, 60);
        give(others, other, rng, 60);
        const std::vector<abut::pair> expected = reference::between(bodies, others);
        ASSERT_FALSE(expected.empty());
        const bool counts = with.mask || other.mask || (with.group && other.group) || (with.fixed && other.fixed);
        ASSERT_EQ(expected.size() < without, counts);
        abut::search search{abut::plan(GetParam())};
        search.update(bodies.view());
        std::vector<abut::pair> found;
        search.for_each_pair_between(others.view(), [&](abut::row i, abut::row j) { found.push_back({i, j}); });
        ASSERT_TRUE(support::same_pairs(expected, found));
      }
    }
  }
}

TEST_P(groups, do_not_matter_to_regions) {
  samples::random rng(78);
  samples::set bodies = samples::uniform(shape::sphere, 3, 150, 0.5, 1, 2, 78);
  give(bodies, {true, true, true}, rng);
  bodies.group.assign(bodies.size(), 1);
  abut::search search{abut::plan(GetParam())};
  search.update(bodies.view());
  const abut::region where = abut::sphere{{2, 2, 2}, 2};
  const std::vector<abut::row> expected = reference::in(bodies, where);
  ASSERT_GT(expected.size(), 3U);
  EXPECT_EQ(support::rows_in(search, where), expected);
}

// The labels are read during update: after it, they may change or be gone.
TEST_P(groups, are_copied_by_update) {
  samples::random rng(79);
  const samples::set bare = samples::uniform(shape::sphere, 3, 200, 0.8, 1, 2, 79);
  samples::set labeled = bare;
  give(labeled, {true, true, true}, rng, 60);
  abut::search search{abut::plan(GetParam())};
  {
    std::vector<std::uint8_t> fixed = labeled.fixed;
    std::vector<std::int32_t> group = labeled.group;
    std::vector<std::uint64_t> category = labeled.category;
    std::vector<std::uint64_t> collides = labeled.collides;
    search.update(bare.view().fixed(fixed).group(group).mask(category, collides));
    fixed.assign(fixed.size(), 0);
    group.assign(group.size(), 0);
    category.assign(category.size(), 0);
  }
  EXPECT_EQ(search.pairs(), reference::pairs(labeled));
}

TEST_P(groups, may_be_members_of_structs_of_any_integers) {
  struct grain {
    double x, y, r;
    std::uint64_t clump;
    std::int32_t category;
    std::uint32_t collides;
  };
  const std::uint64_t high = std::uint64_t{1} << 63;
  // The last two differ from the first two in the upper half of their ids only.
  const std::vector<grain> grains = {
      {0, 0, 1, 5, -1, 1}, {0, 0, 1, 5, -1, 1}, {0, 0, 1, 5 + high, -1, 1}, {0, 0, 1, 5 + high / 2, -1, 0}};
  const auto label = [&](const auto& first) { return abut::labels(&first, grains.size(), sizeof(grain)); };
  const abut::bodies all = abut::spheres(grains, &grain::x, &grain::y, &grain::r).group(label(grains[0].clump));
  abut::search search{abut::plan(GetParam())};
  search.update(all);
  EXPECT_EQ(search.pairs(), (std::vector<abut::pair>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  search.update(all.mask(label(grains[0].category), label(grains[0].collides)));
  EXPECT_EQ(search.pairs(), (std::vector<abut::pair>{{0, 2}, {1, 2}}));
  const std::int32_t everything = -1;  // one for all, by a stride of 0; of 32 bits, and still every bit of 64
  const std::vector<std::uint64_t> category(grains.size(), high);
  search.update(all.mask(category, abut::labels(&everything, grains.size(), 0)));
  EXPECT_EQ(search.pairs().size(), 5U);
}

INSTANTIATE_TEST_SUITE_P(methods, groups, ::testing::ValuesIn(support::method_names()), support::method_test_name);

// A failed update leaves the groups of before.
TEST(groups_alone, stay_if_an_update_fails) {
  const std::vector<double> x{0, 1, 2};
  const std::vector<double> bad{0, -1, 2};
  const std::vector<int> clump{1, 1, 2};
  const std::vector<int> other{1, 2, 2};
  abut::search search;
  search.update(abut::spheres(x, 0.0, 0.6).group(clump));
  EXPECT_THROW(search.update(abut::spheres(x, 0.0, bad).group(other)), abut::error);
  EXPECT_EQ(search.pairs(), (std::vector<abut::pair>{{1, 2}}));
}

TEST(groups_alone, are_one_per_body) {
  const std::vector<double> x{0, 1, 2};
  const std::vector<int> two{1, 2};
  const std::vector<int> three{1, 2, 3};
  const abut::bodies bodies = abut::spheres(x, x, 1.0);
  const auto refused = [](auto&& call) {
    try {
      call();
    } catch (const abut::error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused([&] { (void)bodies.group(two); }), "group has 2 ids for 3 bodies: give one per body");
  EXPECT_EQ(refused([&] { (void)bodies.group({}); }), "group has 0 ids for 3 bodies: give one per body");
  EXPECT_EQ(refused([&] { (void)bodies.mask(two, three); }), "category has 2 masks for 3 bodies: give one per body");
  EXPECT_EQ(refused([&] { (void)bodies.mask(three, two); }), "collides has 2 masks for 3 bodies: give one per body");
  EXPECT_EQ(refused([&] { (void)bodies.mask(three, three).group(three); }), "taken");
  EXPECT_EQ(refused([&] { (void)abut::bodies().group({}).mask({}, {}); }), "taken");
}

}  // namespace
}  // namespace groups_test
