// Margin, periods and rows that change with each update: every plan of every method, exact at every step.

#include <array>
#include <limits>
#include <optional>

#include "plans.hpp"
#include "support.hpp"

namespace changes_test {
namespace {

using abut::interval;
using periods = abut::periodic_axes;
using abut::row;
using abut::shape;
namespace samples = abut::samples;

// One update: what changes, and what is in force after it.
struct step {
  abut::changes given;
  double margin;
  periods periodic;
};

// A random walk through margins and periods: unchanged, a little more, a little less, or another one altogether. Axes
// appear and disappear. `least` is the shortest period that bodies without a margin allow.
class walk {
 public:
  walk(int dimension, double least, std::uint64_t seed) : dimension_(dimension), least_(least), rng_(seed) {}

  step next() {
    step s{};
    const double before = margin_;
    if (rng_.below(3) > 0) s.given.margin = margin_ = next_margin();
    periods axes = periodic_;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension_); ++k) {
      axes[k] = next_period(axes[k]);
      if (axes[k] && axes[k]->max - axes[k]->min < 2 * (least_ + margin_)) {
        axes[k]->max = axes[k]->min + 2 * (least_ + std::max(margin_, before)) + rng_.uniform(0, 2);
      }
    }
    if (axes_differ(axes)) s.given.periodic = periodic_ = axes;
    s.margin = margin_;
    s.periodic = periodic_;
    return s;
  }

 private:
  double next_margin() {
    switch (rng_.below(5)) {
      case 0:
        return 0;
      case 1:
        return rng_.uniform(0, 0.8);
      case 2:
        return margin_ * 0.99;
      default:
        return margin_ + rng_.uniform(0, 0.02);
    }
  }
  std::optional<interval> next_period(std::optional<interval> now) {
    switch (rng_.below(8)) {
      case 0:
        return std::nullopt;
      case 1:
        return interval{rng_.uniform(-5, 0), rng_.uniform(6, 9)};
      case 2:
      case 3:
      case 4:
        if (now) now->max += rng_.uniform(-0.03, 0.03);
        if (now) now->min += rng_.uniform(-0.01, 0.01);
        return now;
      default:
        return now;
    }
  }
  [[nodiscard]] bool axes_differ(const periods& other) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& a = other[k];
      const auto& b = periodic_[k];
      if (a.has_value() != b.has_value() || (a && (a->min != b->min || a->max != b->max))) return true;
    }
    return false;
  }

  int dimension_;
  double least_;
  samples::random rng_;
  double margin_ = 0;
  periods periodic_{};
};

void drift(samples::set& bodies, double most, samples::random& rng) {
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.fixed.empty() && bodies.fixed[i] != 0) continue;
    for (std::size_t k = 0; k < axes; ++k) {
      const double by = rng.uniform(-most, most) + 0.3 * most;
      bodies.column[k][i] += by;
      if (bodies.kind == shape::box) bodies.column[axes + k][i] += by;
    }
  }
}

class changing : public ::testing::TestWithParam<std::string> {};

struct setting {
  shape kind;
  int dimension;
  double motion;
  double ratio;
  bool with_fixed;
  int threads;
};

void run(const std::string& plan, const setting& s, std::uint64_t seed) {
  samples::random rng(seed);
  samples::set bodies = samples::uniform(s.kind, s.dimension, 60, 0.4, 1, s.ratio, seed);
  for (std::size_t i = 0; s.with_fixed && i < bodies.size(); ++i) bodies.fixed.push_back(i % 3 == 0);
  walk changes(s.dimension, support::extents(bodies).back(), seed + 1);
  abut::search search(abut::plan(plan), {.threads = s.threads});
  for (int at = 0; at < 10; ++at) {
    const step now = changes.next();
    SCOPED_TRACE(plan + ", " + support::shape_name(s.kind) + " in " + std::to_string(s.dimension) + "D, margin " +
                 support::number(now.margin) + ", motion " + support::number(s.motion) + ", periodic " +
                 (now.periodic[0] ? "x" : "") + (now.periodic[1] ? "y" : "") + (now.periodic[2] ? "z" : "") +
                 ", step " + std::to_string(at));
    search.update(bodies.view(), now.given);
    ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, now.margin, now.periodic), support::ordered(search)));
    ASSERT_EQ(search.chosen().margin, now.margin);
    if (at % 3 > 0) {
      drift(bodies, s.motion, rng);
      continue;
    }
    const samples::set others = samples::uniform(shape::box, s.dimension, 12, 0.3, 0.8, 3, seed + 7);
    std::vector<abut::pair> found;
    search.for_each_pair_between(others.view(), [&](row i, row j) { found.push_back({i, j}); });
    ASSERT_TRUE(support::same_pairs(reference::between(bodies, others, now.margin, now.periodic), found));
    drift(bodies, s.motion, rng);
  }
}

TEST_P(changing, margin_and_periods_at_every_step) {
  std::uint64_t seed = 300;
  for (const std::string& plan : support::variants(GetParam())) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        for (const double motion : {0.0, 0.005, 0.2}) {
          const setting s{
              kind, dimension, motion, seed % 2 == 0 ? 1.0 : 3.0, seed % 3 == 0, 1 + static_cast<int>(seed % 3)};
          run(plan, s, seed++ % 11 + 300);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Enough bodies for nearest-neighbor to keep points, for grid to keep frames and for others to use several threads.
TEST_P(changing, many_bodies) {
  const samples::set start = samples::lattice(shape::sphere, 3, 2744, 1, 0.2, 0.5, 5);
  samples::set bodies = start;
  samples::random rng(6);
  abut::search search(abut::plan(GetParam()), {.margin = 0.05, .threads = 2});
  double margin = 0.05;
  double side = 14;
  for (int at = 0; at < 12; ++at) {
    SCOPED_TRACE("step " + std::to_string(at));
    periods periodic{};
    if (at >= 4)
      periodic = {interval{-0.5, -0.5 + side}, std::nullopt,
                  at >= 8 ? std::optional(interval{-0.5, -0.5 + side}) : std::nullopt};
    search.update(bodies.view(), {.margin = margin, .periodic = periodic});
    ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, margin, periodic), support::ordered(search)));
    margin += at % 4 == 3 ? -0.04 : 0.012;
    side += 0.004;
    drift(bodies, 0.004, rng);
  }
}

TEST_P(changing, rows_margin_and_periods_at_once) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 120, 0.4, 1, 2, 31);
  samples::random rng(32);
  abut::search search(abut::plan(GetParam()), {.threads = 2});
  search.update(bodies.view());
  for (int at = 0; at < 8; ++at) {
    const double margin = 0.1 * (at % 3);
    const periods periodic = {interval{0, 8 + 0.01 * at}, at % 2 == 0 ? std::optional(interval{-1, 9}) : std::nullopt};
    std::vector<row> kept;
    std::vector<row> map(bodies.size(), abut::no_row);
    for (std::size_t i = bodies.size(); i-- > 0;) {
      if (rng.below(12) == 0) continue;
      map[i] = static_cast<row>(kept.size());
      kept.push_back(static_cast<row>(i));
    }
    bodies = samples::select(bodies, kept);
    bodies.add(rng.uniform(0, 5), rng.uniform(0, 5), rng.uniform(0, 5), 0.6);
    drift(bodies, 0.01, rng);
    search.update(bodies.view(), {.margin = margin, .periodic = periodic, .new_rows = map});
    ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, margin, periodic), support::ordered(search))) << at;
  }
}

TEST_P(changing, what_is_given_stays_in_force_and_a_refusal_changes_nothing) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 80, 0.4, 1, 2, 33);
  const periods old = {interval{0, 7}};
  abut::search search(abut::plan(GetParam()), {.margin = 0.1, .periodic = old, .threads = 1});
  search.update(bodies.view(), {.margin = 0.3});
  const auto expect_old = [&](double margin, const periods& periodic) {
    EXPECT_EQ(search.pairs(), reference::pairs(bodies, margin, periodic));
    EXPECT_EQ(search.chosen().margin, margin);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(search.chosen().periodic[k].has_value(), periodic[k].has_value());
  };
  expect_old(0.3, old);
  const periods too_short = {interval{0, 1}, interval{0, 9}};
  const std::string message =
      support::message_of([&] { search.update(bodies.view(), {.margin = 0.2, .periodic = too_short}); });
  EXPECT_NE(message.find("shorter than twice"), std::string::npos) << message;
  expect_old(0.3, old);
  EXPECT_THROW(search.update(bodies.view(), {.margin = 100}), abut::error) << "too large for the period";
  EXPECT_THROW(search.update(bodies.view(), {.margin = -1}), abut::error);
  EXPECT_THROW(search.update(bodies.view(), {.periodic = periods{interval{1, 1}}}), abut::error);
  EXPECT_THROW(search.update(bodies.view(), {.margin = 0, .new_rows = std::vector<row>{1}}), abut::error);
  expect_old(0.3, old);
  search.update(bodies.view());
  expect_old(0.3, old);
  samples::set bad = bodies;
  bad.column[0][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(search.update(bad.view(), {.margin = 0, .periodic = periods{}}), abut::error);
  expect_old(0.3, old);
  search.update(bodies.view(), {.margin = 0, .periodic = periods{}});
  expect_old(0, {});
  search.update(bodies.view());
  expect_old(0, {});
}

INSTANTIATE_TEST_SUITE_P(methods, changing, ::testing::ValuesIn(support::method_names()), support::method_test_name);

TEST(changing_auto, plans_again_for_another_margin) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 1000, 1, 0.2, 0.3, 41);
  abut::search search(abut::plan(), {.threads = 2});
  for (const double margin : {0.0, 0.05, 3.0, 0.0, 1.0}) {
    search.update(bodies.view(), {.margin = margin});
    ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, margin), support::ordered(search))) << margin;
    EXPECT_GT(search.stats().predicted.value_or(0), 0);
  }
}

// A margin that grows a little takes from the list's distance, and does not end the list.
TEST(changing_list, outlives_small_changes) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 4096, 1, 0.2, 0.45, 42);
  for (const char* const plan : {"nearest-neighbor distance=0.2", "nearest-neighbor distance=0.2 in=width"}) {
    for (const bool grows : {true, false}) {
      abut::search search(abut::plan(plan), {.margin = 0.1, .periodic = {interval{-0.5, 15.5}}, .threads = 1});
      for (int at = 0; at < 8; ++at) {
        const double margin = 0.1 + (grows ? 0.01 : -0.01) * at;
        const periods periodic = {interval{-0.5, 15.5 + 0.005 * at}};
        search.update(bodies.view(), {.margin = margin, .periodic = periodic});
        EXPECT_EQ(search.pairs(), reference::pairs(bodies, margin, periodic)) << plan << at;
      }
      EXPECT_EQ(support::event(search, "rebuilds"), 1U) << plan;
      search.update(bodies.view(), {.margin = 0.5});
      EXPECT_EQ(support::event(search, "rebuilds"), 2U) << plan;
      EXPECT_EQ(search.pairs(), reference::pairs(bodies, 0.5, search.chosen().periodic));
    }
  }
}

// The largest body shrinks by what the margin grows, so cubes and fixed bodies stay the same; which cubes the fixed
// bodies lie in does not.
TEST(changing_cubes, fixed_bodies_reach_into_more_cubes) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 800, 0.3, 1, 1, 51);
  for (double& r : bodies.column[3]) r = 0.25;
  bodies.column[3][1] = 1;
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.fixed.push_back(i % 2 == 0);
  abut::search search(abut::plan("fixed-cubes delta=0"), {.threads = 1});
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), reference::pairs(bodies));
  bodies.column[3][1] = 0.5;
  search.update(bodies.view(), {.margin = 1});
  EXPECT_EQ(search.pairs(), reference::pairs(bodies, 1));
}

// Every way to write an update compiles and means what it says.
TEST(changing_calls, are_not_ambiguous) {
  std::vector<double> x{0, 1, 2.1};
  const abut::bodies b = abut::spheres(x, 0.0, 0.0, 0.5);
  abut::search search;
  search.update(b);
  search.update(b, {});
  EXPECT_EQ(search.pairs().size(), 1U);
  search.update(b, {.margin = 0.2});
  EXPECT_EQ(search.pairs().size(), 2U);
  search.update(b, {.periodic = search.chosen().periodic});
  std::vector<row> map{0, 1, 2};
  const std::array<row, 3> constant{0, 1, 2};
  row plain[3] = {0, 1, 2};
  search.update(b, map);
  search.update(b, constant);
  search.update(b, plain);
  search.update(b, std::span<const row>(map));
  search.update(b, std::span<row>(map));
  search.update(b, abut::changes{});
  search.update(b, {.new_rows = map});
  EXPECT_EQ(search.pairs().size(), 2U);
  EXPECT_THROW(search.update(b, std::vector<row>{}), abut::error);
  EXPECT_EQ(search.chosen().margin, 0.2);
}

}  // namespace
}  // namespace changes_test
