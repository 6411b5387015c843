// One search over many updates: bodies move, jump, come, go, grow and change rows. Exact at every step.

#include "plans.hpp"
#include "support.hpp"

namespace moving_test {
namespace {

using abut::no_row;
using abut::row;
using abut::shape;
namespace samples = abut::samples;

// Bodies that change from step to step, with the map from old rows to new.
class moving_set {
 public:
  moving_set(shape kind, int dimension, std::uint64_t seed)
      : rng_(seed), bodies_(samples::uniform(kind, dimension, 150, 0.5, 1, 3, seed)), velocity_(150) {
    for (double& v : velocity_) v = rng_.uniform(-0.1, 0.1);
  }

  [[nodiscard]] const samples::set& bodies() const { return bodies_; }

  void move() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) shift(i, velocity_[i]);
  }
  void teleport() {
    for (int k = 0; k < 5 && bodies_.size() > 0; ++k) {
      const std::size_t i = rng_.below(bodies_.size());
      shift(i, rng_.uniform(-8, 8));
    }
    if (bodies_.size() > 0) shift(0, 1e7 * rng_.uniform(-1, 1));  // far away, and back later
    if (bodies_.size() > 2) bodies_.column[0][0] = bodies_.column[0][1];
    fix_boxes();
  }
  void grow() {
    if (bodies_.size() == 0) return;
    const std::size_t i = rng_.below(bodies_.size());
    const auto axes = static_cast<std::size_t>(bodies_.dimension);
    if (bodies_.kind == shape::sphere) bodies_.column[axes][i] = rng_.uniform(0, 4);
    if (bodies_.kind == shape::box) bodies_.column[axes][i] = bodies_.column[0][i] + rng_.uniform(0, 8);
  }
  void appear(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      const double x = rng_.uniform(0, 8);
      const double y = rng_.uniform(0, 8);
      const double z = rng_.uniform(0, 8);
      bodies_.add(x, y, z, rng_.uniform(0.2, 1));
      velocity_.push_back(rng_.uniform(-0.1, 0.1));
    }
  }
  // Puts the rows in random order and lets `gone` of them disappear; returns the new row of each old one.
  std::vector<row> shuffle(std::size_t gone) {
    std::vector<row> kept = rng_.permutation(bodies_.size());
    kept.resize(kept.size() - std::min(gone, kept.size()));
    std::vector<row> new_rows(bodies_.size(), no_row);
    std::vector<double> velocity;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      new_rows[kept[k]] = static_cast<row>(k);
      velocity.push_back(velocity_[kept[k]]);
    }
    bodies_ = samples::select(bodies_, kept);
    velocity_ = velocity;
    return new_rows;
  }

 private:
  void shift(std::size_t i, double by) {
    const int coordinates = bodies_.kind == shape::sphere ? bodies_.dimension : 2 * bodies_.dimension;
    for (int k = 0; k < coordinates; ++k) {
      bodies_.column[static_cast<std::size_t>(k)][i] += k % bodies_.dimension == 1 ? -by : by;
    }
  }
  void fix_boxes() {  // after a single coordinate was set
    if (bodies_.kind != shape::box || bodies_.size() == 0) return;
    double& max = bodies_.column[static_cast<std::size_t>(bodies_.dimension)][0];
    max = std::max(max, bodies_.column[0][0]);
  }

  samples::random rng_;
  samples::set bodies_;
  std::vector<double> velocity_;
};

class moving : public ::testing::TestWithParam<std::string> {};

void run(const std::string& plan, shape kind, int dimension, bool with_map, const reference::periods& periodic) {
  moving_set set(kind, dimension, 51);
  abut::search search(abut::plan(plan), {.periodic = periodic});
  search.update(set.bodies().view());
  for (int step = 0; step < 50; ++step) {
    SCOPED_TRACE(plan + ", step " + std::to_string(step));
    std::vector<row> new_rows;
    set.move();
    if (periodic[0] == std::nullopt && step % 7 == 3) set.teleport();
    if (periodic[0] == std::nullopt && step % 5 == 2) set.grow();
    const std::size_t before = set.bodies().size();
    if (step % 4 == 1) new_rows = set.shuffle(step == 33 ? before : step % 3 * 5);
    if (step % 4 == 1 && step % 3 == 0) set.appear(4);
    if (step % 6 == 0) set.appear(2);
    if (new_rows.empty()) {
      for (row k = 0; k < before; ++k) new_rows.push_back(k);
    }
    if (with_map) {
      search.update(set.bodies().view(), new_rows);
    } else {
      search.update(set.bodies().view());
    }
    const std::vector<abut::pair> expected = reference::pairs(set.bodies(), 0, periodic);
    ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), set.bodies()));
    ASSERT_EQ(search.stats().pairs, expected.size());
    ASSERT_EQ(search.pairs(), expected);
  }
}

TEST_P(moving, exact_at_every_step) {
  for (const std::string& plan : support::variants(GetParam())) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        for (const bool with_map : {false, true}) {
          run(plan, kind, dimension, with_map, {});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(moving, exact_at_every_step_with_periods) {
  for (const bool with_map : {false, true}) {
    run(GetParam(), shape::sphere, 3, with_map, {abut::interval{0, 9}, abut::interval{1, 8}, std::nullopt});
    run(GetParam(), shape::box, 2, with_map, {abut::interval{0, 9}, std::nullopt, std::nullopt});
  }
}

TEST_P(moving, the_order_does_not_depend_on_threads_after_many_updates) {
  std::vector<std::vector<abut::pair>> orders;
  for (const int threads : {1, 2, 3}) {
    moving_set set(shape::sphere, 3, 52);
    abut::search search(abut::plan(GetParam()), {.threads = threads});
    search.update(set.bodies().view());
    for (int step = 0; step < 20; ++step) {
      set.move();
      const std::vector<row> new_rows = set.shuffle(2);
      search.update(set.bodies().view(), new_rows);
    }
    orders.push_back(support::ordered(search));
  }
  EXPECT_FALSE(orders[0].empty());
  EXPECT_EQ(orders[1], orders[0]);
  EXPECT_EQ(orders[2], orders[0]);
}

TEST_P(moving, shape_and_dimension_may_change) {
  abut::search search{abut::plan(GetParam())};
  for (int step = 0; step < 12; ++step) {
    const samples::set bodies = samples::uniform(step % 2 == 0 ? shape::sphere : shape::box, step % 3 == 0 ? 2 : 3,
                                                 static_cast<std::size_t>(40 + 37 * (step % 5)), 0.6, 1, 3, 53);
    search.update(bodies.view());
    const std::vector<abut::pair> expected = reference::pairs(bodies);
    ASSERT_FALSE(expected.empty());
    ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
  }
}

TEST_P(moving, all_go_and_all_come_back) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 100, 0.6, 1, 3, 54);
  const samples::set none;
  const std::vector<abut::pair> expected = reference::pairs(bodies);
  abut::search search{abut::plan(GetParam())};
  for (int round = 0; round < 3; ++round) {
    search.update(bodies.view());
    EXPECT_EQ(search.pairs(), expected);
    search.update(none.view(), std::vector<row>(100, no_row));
    EXPECT_TRUE(search.pairs().empty());
    search.update(bodies.view(), std::vector<row>{});
    EXPECT_EQ(search.pairs(), expected);
  }
}

TEST_P(moving, wrong_maps_are_errors_and_change_nothing) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 100, 0.6, 1, 3, 55);
  samples::set moved = bodies;
  samples::translate(moved, 1);
  moved.add(3, 3, 3, 5);
  std::vector<row> same(100);
  for (row k = 0; k < 100; ++k) same[k] = k;

  abut::search search{abut::plan(GetParam())};
  search.update(bodies.view());
  const std::vector<abut::pair> before = support::ordered(search);
  ASSERT_FALSE(before.empty());

  std::vector<row> shorter = same;
  shorter.pop_back();
  std::vector<row> longer = same;
  longer.push_back(100);
  std::vector<row> outside = same;
  outside[17] = 101;
  std::vector<row> twice = same;
  twice[17] = 18;
  for (const auto& [map, named] : {std::pair(shorter, "99"), {longer, "101"}, {outside, "101"}, {twice, "18"}}) {
    const std::string message = support::message_of([&, &new_rows = map] { search.update(moved.view(), new_rows); });
    EXPECT_NE(message.find(named), std::string::npos) << message;
    EXPECT_EQ(support::ordered(search), before);
  }
  search.update(moved.view(), same);
  EXPECT_EQ(search.pairs(), reference::pairs(moved));
}

INSTANTIATE_TEST_SUITE_P(methods, moving, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace moving_test
