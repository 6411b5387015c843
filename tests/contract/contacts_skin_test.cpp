// How long lists of contacts hold, and how their skin is tuned.

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "contact_model.hpp"

namespace contacts_skin_test {
namespace {

using abut::periodic_axes;
using abut::row;
using abut::shape;
using contact_model::grains;
using contact_model::three_in_a_row;
using contact_model::token;
namespace samples = abut::samples;

class contacts_with_skin : public ::testing::TestWithParam<std::string> {};

// While a list holds, it has every pair; `neighbors` are exactly those of the oracle, in every step.
void run_with_skin(const std::string& method, shape kind, int dimension, bool periodic, std::optional<double> skin,
                   bool stated) {
  SCOPED_TRACE(std::string(support::shape_name(kind)) + ", " + std::to_string(dimension) + "D" +
               (periodic ? ", periodic" : "") + (stated ? ", stated" : "") +
               (skin ? ", skin " + support::number(*skin) : ", tuned"));
  grains g(kind, dimension, 5 + static_cast<unsigned>(dimension), periodic);
  constexpr double margin = 0.05;
  abut::search search(abut::plan(method), {.periodic = g.axes(), .threads = 2});
  abut::contacts<token> near({.margin = margin, .skin = skin});
  std::map<std::pair<row, row>, std::uint64_t> tokens;
  constexpr int steps = 40;
  constexpr double most = 0.004;
  int rebuilds = 0;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    if (step > 0) g.drift(step % 13 == 12 ? 0.2 : most);
    const abut::bodies now = g.bodies().view();
    bool rebuilt = true;
    if (stated) {
      // A step moves a center by at most the diagonal of what it moves by on each axis.
      const double displacement = (step % 13 == 12 ? 0.2 : most) * std::sqrt(3.0);
      if (near.hold(step == 0 ? 0 : displacement)) {
        rebuilt = false;
      } else {
        search.update(now, {.margin = near.reach(search, now)});
        near.update(search);
      }
    } else {
      rebuilt = near.follow(search, now);
    }
    rebuilds += rebuilt ? 1 : 0;
    const auto expected = reference::pairs(g.bodies(), margin, g.axes());
    std::vector<abut::pair> found;
    const abut::neighbor_list half = near.neighbors(now, {.half = true});
    for (row i = 0; i < now.size(); ++i) {
      for (auto k = half.offsets[i]; k < half.offsets[i + 1]; ++k) found.push_back({i, half.neighbors[k]});
    }
    ASSERT_TRUE(support::same_pairs(expected, found, g.bodies()));
    // Pairs that touch never lose their memory, whatever the list does.
    std::set<std::pair<row, row>> touching;
    for (const abut::pair& p : expected) touching.insert({p.i, p.j});
    near.for_each_block([](std::size_t, std::size_t) {});
    for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
      const std::pair<row, row> key{near.firsts()[slot], near.seconds()[slot]};
      if (touching.count(key) == 0) continue;
      if (const auto known = tokens.find(key); known != tokens.end()) {
        ASSERT_EQ(near.memory(slot).number, known->second);
      }
      tokens[key] = near.memory(slot).number = static_cast<std::uint64_t>(step + 1) << 32 | slot;
    }
    std::erase_if(tokens, [&](const auto& t) { return touching.count(t.first) == 0; });
  }
  EXPECT_LT(rebuilds, steps);
  EXPECT_EQ(near.stats().updates, static_cast<std::uint64_t>(rebuilds));
  EXPECT_EQ(near.stats().holds, static_cast<std::uint64_t>(steps - rebuilds));
}

TEST_P(contacts_with_skin, hold_while_no_pair_can_be_missing) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const bool periodic : {false, true}) {
        run_with_skin(GetParam(), kind, dimension, periodic, 0.08, dimension == 2);
        run_with_skin(GetParam(), kind, dimension, periodic, {}, false);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, contacts_with_skin, ::testing::ValuesIn(support::method_names()),
                         support::method_test_name);

// How often a list with a tuned skin is updated in some steps with moves of this size.
int updates_in(abut::contacts<token>& near, abut::search& search, grains& g, int steps, double most) {
  const auto before = near.stats().updates;
  for (int step = 0; step < steps; ++step) {
    g.drift(most);
    near.follow(search, g.bodies().view());
  }
  return static_cast<int>(near.stats().updates - before);
}

TEST(contacts, have_a_skin_after_they_were_loaded) {
  grains g(shape::sphere, 3, 8, false);
  abut::search search;
  abut::contacts<token> old;
  old.follow(search, g.bodies().view());
  for (const bool follow : {true, false}) {
    abut::contacts<token> near;
    near.load(old.save(), g.bodies().size());
    if (!follow) {  // step by step
      search.update(g.bodies().view(), {.margin = near.reach(search, g.bodies().view())});
      near.update(search);
    }
    EXPECT_LT(updates_in(near, search, g, 40, 0.001), 10);
    EXPECT_GT(near.left(), 0);
  }
}

TEST(contacts, find_a_skin_if_updated_step_by_step) {
  grains g(shape::sphere, 3, 8, false);
  abut::search search;
  abut::contacts<token> near;
  int updates = 0;
  for (int step = 0; step < 40; ++step, g.drift(0.001)) {
    if (near.hold(g.bodies().view())) continue;
    search.update(g.bodies().view(), {.margin = near.reach(search, g.bodies().view())});
    near.update(search);
    ++updates;
  }
  EXPECT_LT(updates, 10);
}

TEST(contacts, find_a_skin_again_when_fast_bodies_slow_down) {
  grains g(shape::sphere, 3, 8, false);
  abut::search search;
  abut::contacts<token> near;
  EXPECT_EQ(updates_in(near, search, g, 20, 50), 20);
  EXPECT_EQ(near.left(), 0);  // none is worth it
  EXPECT_LT(updates_in(near, search, g, 40, 0.001), 10);
}

TEST(contacts, do_not_hold_for_numbers_that_are_none) {
  samples::set s = three_in_a_row();
  abut::search search;
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  ASSERT_TRUE(near.hold(s.view()));
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t i = 0; i < 3; ++i) {
      samples::set bad = s;
      bad.column[column][i] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(near.hold(bad.view())) << column << " of " << i;
    }
  }
  EXPECT_TRUE(near.hold(s.view()));
  near.expire();
  EXPECT_FALSE(near.hold(s.view()));
}

TEST(contacts, hold_no_longer_once_two_moves_add_up_to_the_skin) {
  samples::set s = three_in_a_row();
  abut::search search;
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  s.column[1][0] = 0.49;  // one body, nearly the whole skin
  EXPECT_TRUE(near.hold(s.view()));
  s.column[1][2] = -0.02;  // and another
  EXPECT_FALSE(near.hold(s.view()));
  s = three_in_a_row();
  s.column[3][1] = 0.74;  // growth counts, for each of two bodies
  EXPECT_TRUE(near.hold(s.view()));
  s.column[3][1] = 0.76;
  EXPECT_FALSE(near.hold(s.view()));
  s.column[3][1] = 0.2;  // shrinking does not
  EXPECT_TRUE(near.hold(s.view()));
}

void move_up(samples::set& s, std::size_t i, double by) {
  s.column[1][i] += by;
  if (s.kind == shape::box) s.column[1 + static_cast<std::size_t>(s.dimension)][i] += by;
}

// The two that move most may be any: moves are looked at in lanes.
TEST(contacts, hold_no_longer_whichever_two_bodies_have_moved) {
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set s{.kind = kind, .dimension = 3};
    for (int n = 0; n < 21; ++n) s.add(2.0 * n, 0, 0, 0.5);
    abut::search search;
    abut::contacts<> near({.skin = 0.5});
    near.follow(search, s.view());
    for (std::size_t i = 0; i < 21; ++i) {
      for (std::size_t j = 0; j < 21; ++j) {
        if (i == j) continue;
        samples::set now = s;
        for (std::size_t k = 0; k < 21; ++k) move_up(now, k, k == i ? 0.3 : k == j ? 0.19 : 0.1);
        EXPECT_TRUE(near.hold(now.view())) << support::shape_name(kind) << ", " << i << " and " << j;
        move_up(now, j, 0.02);
        EXPECT_FALSE(near.hold(now.view())) << support::shape_name(kind) << ", " << i << " and " << j;
      }
    }
  }
}

// More bodies than one task looks at.
TEST(contacts, hold_no_longer_wherever_a_body_has_grown) {
  samples::set s;
  for (int n = 0; n < 70'000; ++n) s.add(2.0 * n, 0, 0, 0.5);
  abut::search search(abut::plan("grid"));
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  for (const std::size_t i : {std::size_t{7}, s.size() - 7}) {
    s.column[3][i] = 0.8;  // growth counts for each of two bodies
    EXPECT_FALSE(near.hold(s.view())) << i;
    s.column[3][i] = 0.5;
    EXPECT_TRUE(near.hold(s.view())) << i;
  }
}

TEST(contacts, hold_while_bodies_shrink) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      samples::set s{.kind = kind, .dimension = 3};
      samples::set others{.kind = other, .dimension = 3};
      s.add(0, 0, 0, 2);
      others.add(5, 0, 0, 2);
      abut::search search;
      abut::contacts<> near({.skin = 0.1});
      near.follow_between(search, s.view(), others.view());
      samples::set smaller{.kind = kind, .dimension = 3};
      samples::set others_smaller{.kind = other, .dimension = 3};
      smaller.add(0, 0, 0, 1);
      others_smaller.add(5, 0, 0, 1);
      EXPECT_TRUE(near.hold(smaller.view(), others_smaller.view()))
          << support::shape_name(kind) << ", " << support::shape_name(other);
    }
  }
}

struct outcome {
  std::uint64_t updates;
  std::size_t listed;
  friend bool operator==(const outcome&, const outcome&) = default;
};

// The tuned skin depends on counts alone. Lists of bodies that move slowly last, and lists that are much too long for
// the motion are made shorter.
TEST(contacts, a_tuned_skin_suits_the_motion_and_is_the_same_again) {
  const auto run = [](double most, int threads) {
    samples::set s = samples::lattice(shape::sphere, 3, 1000, 1, 0.1, 0.5, 3);
    samples::random rng(4);
    abut::search search(abut::plan("grid"), {.threads = threads});
    abut::contacts<> near;
    for (int step = 0; step < 200; ++step) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (double& x : s.column[k]) x += rng.uniform(-most, most);
      }
      near.follow(search, s.view());
    }
    return outcome{near.stats().updates, near.size()};
  };
  const outcome slow = run(0.0001, 1);
  const outcome medium = run(0.005, 1);
  EXPECT_EQ(slow, run(0.0001, 3));
  EXPECT_EQ(medium, run(0.005, 3));
  EXPECT_GT(slow.updates, 1U);  // the first list is too long for it
  EXPECT_LT(slow.updates, 10U);
  EXPECT_GT(medium.updates, 1U);
  EXPECT_LT(medium.updates, 60U);
  EXPECT_LT(slow.listed, medium.listed);
}

// With room to spare: as long as it holds, the list has every pair up to the margin and what is left of the skin.
TEST(contacts, tell_how_much_of_the_skin_is_left) {
  constexpr double margin = 0.05;
  constexpr double spare = 0.03;
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const bool periodic : {false, true}) {
      grains g(kind, 3, 9, periodic);
      abut::search search(abut::plan("grid"), {.periodic = g.axes(), .threads = 2});
      abut::contacts<> near({.margin = margin, .skin = 0.12});
      EXPECT_EQ(near.left(), 0);
      int held = 0;
      for (int step = 0; step < 40; ++step) {
        if (step > 0) g.drift(0.01);
        const abut::bodies now = g.bodies().view();
        if (near.hold(now, spare, 2)) {
          ++held;
          ASSERT_GE(near.left(), spare);
        } else {
          search.update(now, {.margin = near.reach(search, now)});
          near.update(search);
          ASSERT_GT(near.left(), 0.11);
          ASSERT_LE(near.left(), 0.12);
        }
        std::set<std::pair<row, row>> listed;
        for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
          listed.insert({near.firsts()[slot], near.seconds()[slot]});
        }
        for (const abut::pair& p : reference::pairs(g.bodies(), margin + near.left(), g.axes())) {
          ASSERT_EQ(listed.count({p.i, p.j}), 1U) << "step " << step;
        }
      }
      EXPECT_GT(held, 10);
      EXPECT_LT(held, 39);
      EXPECT_FALSE(near.hold(g.bodies().view(), 1.0));
    }
  }
}

// A skin that was tuned for small bodies may be too long for larger ones in the same period.
TEST(contacts, give_bodies_that_grow_no_more_reach_than_periods_allow) {
  samples::random rng(3);
  samples::set all{.kind = shape::sphere, .dimension = 3};
  for (int n = 0; n < 12; ++n) all.add(rng.uniform(0, 2.6), rng.uniform(0, 4), rng.uniform(0, 4), 0.1);
  const periodic_axes one = {abut::interval{0, 2.6}};
  for (const std::optional<double> skin : {std::optional<double>(), {0.9}}) {
    for (const bool follow : {true, false}) {
      samples::set now = all;
      abut::search search(abut::plan("auto"), {.periodic = one});
      abut::contacts<token> near({.skin = skin});
      (void)near.follow(search, now.view());
      for (int step = 0; step < 5; ++step) {
        for (double& r : now.column[3]) r += 0.1;
        if (!near.hold(now.view())) {
          if (follow) {
            (void)near.follow(search, now.view());
          } else {
            search.update(now.view(), {.margin = near.reach(search, now.view())});
            near.update(search);
          }
        }
        std::vector<abut::pair> found;
        const abut::neighbor_list half = near.neighbors(now.view(), {.half = true});
        for (row i = 0; i < now.size(); ++i) {
          for (auto k = half.offsets[i]; k < half.offsets[i + 1]; ++k) found.push_back({i, half.neighbors[k]});
        }
        ASSERT_TRUE(support::same_pairs(reference::pairs(now, 0, one), found, now)) << "step " << step;
      }
    }
  }
  // Periods that are to be taken next, and those that 2D has not.
  abut::search search(abut::plan("grid"), {.periodic = one});
  abut::contacts<> near({.skin = 0.9});
  EXPECT_EQ(near.reach(search, all.view()), 0.9);
  EXPECT_NEAR(near.reach(search, all.view(), periodic_axes{abut::interval{0, 1}}), 0.3, 1e-12);
  EXPECT_EQ(near.reach(search, all.view(), periodic_axes{}), 0.9);
  const samples::set flat = samples::lattice(shape::sphere, 2, 9, 1, 0, 0.1, 1);
  EXPECT_EQ(near.reach(search, flat.view(), periodic_axes{std::nullopt, std::nullopt, abut::interval{0, 0.1}}), 0.9);
}

// Whoever looks at listed pairs less often gets a thicker skin.
TEST(contacts, tune_their_skin_by_how_often_pairs_are_looked_at) {
  const auto reach_with = [](double looks) {
    grains g(shape::sphere, 3, 4, false);
    abut::search search(abut::plan("grid"), {.threads = 1});
    abut::contacts<> near({.looks = looks});
    for (int step = 0; step < 400; ++step) {
      if (step > 0) g.drift(0.002);
      (void)near.follow(search, g.bodies().view());
    }
    return near.reach(search, g.bodies().view());
  };
  EXPECT_GT(reach_with(0.05), 1.2 * reach_with(1));
  for (const double wrong : {-0.1, 1.5, std::nan("")}) {
    EXPECT_NE(support::message_of([&] { (void)abut::contacts<>({.looks = wrong}); }).find("from 0 to 1"),
              std::string::npos);
  }
}

TEST(contacts, give_tasks_to_all_threads) {
  grains g(shape::sphere, 2, 4, false);
  abut::search search(abut::plan("grid"), {.threads = 2});
  abut::contacts<> near;
  (void)near.follow(search, g.bodies().view());
  std::vector<int> calls(57);
  near.for_each_task(calls.size(), [&](std::size_t task) { ++calls[task]; });
  EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), 57);
}

}  // namespace
}  // namespace contacts_skin_test
