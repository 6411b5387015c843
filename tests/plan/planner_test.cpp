// The planner: what it sees, chooses, says and remembers. Its predictions depend on the machine and are not tested.

#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

#include "own_cache.hpp"
#include "plan/auto_plan.hpp"
#include "plan/planner.hpp"
#include "support.hpp"

namespace planner_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

using planner = support::own_cache;

abut::features features_of(const samples::set& bodies, std::optional<double> move = {}) {
  return abut::features_of(abut::world(bodies.view(), {}, 1), move);
}

bool one_sentence(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos && text.find(". ") == std::string::npos &&
         text.back() != '.';
}

TEST_F(planner, sees_one_giant_among_a_million_specks) {
  std::vector<double> x(1'000'000), r(x.size(), 0.5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3.0 * static_cast<double>(i);
  r[777'777] = 5000;
  const abut::features f = abut::features_of(abut::world(abut::spheres(x, 0.0, 0.0, r), {}, 1), {});
  EXPECT_EQ(f.widest, 10000);
  ASSERT_EQ(f.sizes.size(), 2U);
  EXPECT_DOUBLE_EQ(f.sizes[1].share, 1e-6);
  EXPECT_EQ(f.sizes[1].size, 10000);
  const abut::plan chosen = abut::estimated_plan(abut::spheres(x, 0.0, 0.0, r));
  EXPECT_NE(chosen.method(), "hashing") << "cells of the giant hold 10,000 specks";
  EXPECT_NE(chosen.reason().find("10000x"), std::string::npos) << chosen.reason();
}

TEST_F(planner, sees_how_dense_and_how_clustered_bodies_are) {
  // Cells of edge 3 hold about 27 of a lattice of spacing 1, fewer at its border.
  const auto dense = features_of(samples::lattice(shape::sphere, 3, 60'000, 1, 0.1, 0.5, 1));
  EXPECT_GT(dense.others(3), 20);
  EXPECT_LT(dense.others(3), 32);
  const auto sparse = features_of(samples::lattice(shape::sphere, 3, 60'000, 20, 0.1, 0.5, 1));
  EXPECT_LT(sparse.others(3), 0.1);
  const auto clusters = features_of(samples::clusters(shape::sphere, 3, 60'000, 1000, 1e6, 0.5, 1));
  EXPECT_GT(clusters.others(3), 12) << "as a cluster has them, not as space has";
  EXPECT_LT(clusters.others(3), 32);
}

TEST_F(planner, estimate_is_the_same_for_any_number_of_threads) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 200'000, 0.3, 1, 50, 3);
  const auto one = abut::estimated_candidates(bodies.view(), {.threads = 1});
  const auto many = abut::estimated_candidates(bodies.view(), {.threads = 5});
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].what, many[k].what);
    EXPECT_EQ(one[k].what.reason(), many[k].what.reason());
    EXPECT_EQ(one[k].predicted, many[k].predicted);
  }
}

TEST_F(planner, every_sample_gets_a_plan_that_reads_back_with_one_sentence) {
  for (const samples::sample& sample : samples::all()) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        const samples::set bodies = sample.make(kind, dimension, 5);
        for (const std::optional<double> motion : {std::optional<double>(), std::optional<double>(1e-3)}) {
          const auto all = abut::estimated_candidates(bodies.view(), {.motion = motion});
          ASSERT_FALSE(all.empty());
          EXPECT_TRUE(all.front().as_good);
          EXPECT_TRUE(one_sentence(all.front().what.reason())) << all.front().what.reason();
          for (const abut::candidate& c : all) {
            EXPECT_EQ(abut::plan(c.what.text()), c.what);
            EXPECT_TRUE(std::isfinite(c.predicted) && c.predicted > 0) << c.what.text() << " for " << sample.name;
          }
          abut::search search{abut::plan(all.front().what)};
          search.update(bodies.view());
          EXPECT_EQ(search.pairs(), reference::pairs(bodies)) << sample.name;
        }
      }
    }
  }
}

TEST_F(planner, bodies_at_the_ends_of_the_numbers) {
  const double big = 1e150;
  for (const double radius : {0.0, 1e-150, 1.0, big}) {
    std::vector<double> x{-big, big, 0, 1}, y{big, -big, 0, 1e-300}, r{0, radius, 1e-200, radius};
    for (int k = 0; k < 5; ++k) {  // more bodies than those for which nothing is planned
      x.insert(x.end(), x.begin(), x.end());
      y.insert(y.end(), y.begin(), y.end());
      r.insert(r.end(), r.begin(), r.end());
    }
    const auto all = abut::estimated_candidates(abut::spheres(x, y, r), {.margin = 1e-150, .motion = 1e-160});
    for (const abut::candidate& c : all) EXPECT_FALSE(std::isnan(c.predicted)) << c.what.text();
  }
}

TEST_F(planner, says_what_is_as_good) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 5000, 1, 0.1, 0.525, 1);
  const auto all = abut::estimate(features_of(bodies), abut::calibration{.constants = all_equal(1)});
  int good = 0;
  for (const abut::candidate& c : all) good += c.as_good ? 1 : 0;
  for (const abut::candidate& c : all) EXPECT_EQ(c.as_good, c.predicted <= 1.1 * all.front().predicted);
  EXPECT_EQ(good > 1, all.front().what.reason().find("as good") != std::string::npos) << all.front().what.reason();
  EXPECT_GT(good, 1) << "two methods with levels have the same model";
}

/// Two adjacent words that occur together twice; empty if there are none. Words with a digit and "per body" are not
/// counted.
std::string said_twice(const std::string& text) {
  std::istringstream words(text);
  std::set<std::string> seen{"per body"};
  std::string last = "";
  for (std::string word; words >> word;) {
    const bool ends = std::ispunct(static_cast<unsigned char>(word.back())) != 0;
    if (ends) word.pop_back();
    const std::string both = last + " " + word;
    const bool figure = both.find_first_of("0123456789") != std::string::npos;
    if (!last.empty() && !figure && both != "per body" && !seen.insert(both).second) return both;
    last = ends ? "" : word;
  }
  return "";
}

TEST_F(planner, reasons_say_nothing_twice) {
  EXPECT_EQ(said_twice("sizes span 15x, about 3 tests; sizes span 15.1x"), "sizes span");
  samples::set sizes = samples::uniform(shape::sphere, 3, 3000, 0.3, 1, 15, 3);
  samples::set equal = samples::lattice(shape::sphere, 3, 3000, 1, 0.1, 0.525, 1);
  std::set<std::string> chosen;
  for (const char* cheap : {"bounding-volume.", "cells.", "hashing.", "levels.", "grid.", "list."}) {
    for (const samples::set* bodies : {&sizes, &equal}) {
      abut::calibration c;
      for (const abut::cost* one : abut::all_costs()) {
        const bool with_list = std::string_view(cheap) == "list." && one->name.starts_with("rebuild.");
        c.constants[*one] = one->name.starts_with(cheap) || with_list ? 1e-3 : 1e3;
      }
      const abut::candidate best = abut::estimate(features_of(*bodies, 1e-3), c).front();
      abut::search search{best.what};
      search.update(bodies->view());
      const std::string reason = search.planned().reason();
      EXPECT_EQ(said_twice(reason), "") << reason;
      EXPECT_EQ(reason.find(" ns "), std::string::npos) << "figures have a place of their own: " << reason;
      chosen.insert(best.what.method());
    }
  }
  EXPECT_GE(chosen.size(), 5U);
}

// Not for all sets: measurements show that `multilevel` is at least as fast as `grid` without vectors, and with SSE4 or
// NEON if sizes differ much.
TEST_F(planner, built_in_constants_choose_grid_if_vectors_make_it_fast) {
  using set = abut::instruction_set;
  const auto equal = samples::lattice(shape::sphere, 3, 50'000, 1, 0.1, 0.525, 1);
  const auto sizes = samples::uniform(shape::sphere, 3, 50'000, 0.3, 1, 15, 3);
  const auto chosen = [](const samples::set& bodies, set with, std::optional<double> move = {}) {
    return abut::estimate(features_of(bodies, move), {.constants = abut::cost_constants(with)}).front().what.method();
  };
  for (const set with : {set::avx512, set::avx2, set::sse4, set::neon}) {
    EXPECT_EQ(chosen(equal, with), "grid") << abut::name_of(with);
  }
  for (const set with : {set::avx512, set::avx2}) EXPECT_EQ(chosen(sizes, with), "grid") << abut::name_of(with);
  for (const set with : abut::all_instruction_sets) {
    EXPECT_EQ(chosen(equal, with, 1e-4), "nearest-neighbor") << abut::name_of(with);
  }
}

TEST_F(planner, lists_neighbors_for_bodies_that_move_little) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 20'000, 1, 0.1, 0.525, 1);
  const auto method = [&](std::optional<double> motion) {
    return abut::estimated_plan(bodies.view(), {.motion = motion}).method();
  };
  EXPECT_EQ(method(1e-4), "nearest-neighbor");
  EXPECT_NE(method(0.5), "nearest-neighbor");
  EXPECT_NE(method({}), "nearest-neighbor") << "nothing is known of the motion";
}

TEST_F(planner, auto_sees_motion_begin_and_end) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 8000, 1, 0.1, 0.525, 1);
  samples::random random(4);
  abut::search search;
  const auto step = [&](double move) {
    for (int k = 0; k < 3; ++k) {
      for (double& x : bodies.column[static_cast<std::size_t>(k)]) x += random.uniform(-move, move);
    }
    search.update(bodies.view());
    return search.planned().method();
  };
  EXPECT_NE(step(0), "nearest-neighbor") << "nothing is known of the motion yet";
  for (int k = 0; k < 5; ++k) step(1e-4);
  EXPECT_EQ(search.planned().method(), "nearest-neighbor");
  EXPECT_NE(search.planned().reason().find("move"), std::string::npos) << search.planned().reason();
  for (int k = 0; k < 12; ++k) step(2);
  EXPECT_NE(search.planned().method(), "nearest-neighbor");
  EXPECT_EQ(support::sorted(search.pairs()), reference::pairs(bodies));
}

TEST_F(planner, auto_follows_the_map_of_rows) {
  // Rows are reversed at each update; bodies hardly move.
  samples::set bodies = samples::lattice(shape::sphere, 3, 4000, 1, 0.1, 0.525, 1);
  std::vector<abut::row> reversed(bodies.size());
  for (abut::row i = 0; i < reversed.size(); ++i) reversed[i] = static_cast<abut::row>(reversed.size()) - 1 - i;
  abut::search with_map, without_map;
  for (int k = 0; k < 6; ++k) {
    if (k > 0) {
      for (auto& column : bodies.column) std::reverse(column.begin(), column.end());
      with_map.update(bodies.view(), reversed);
    } else {
      with_map.update(bodies.view());
    }
    without_map.update(bodies.view());
  }
  EXPECT_EQ(with_map.planned().method(), "nearest-neighbor");
  EXPECT_NE(without_map.planned().method(), "nearest-neighbor");
}

TEST_F(planner, auto_plans_again_when_bodies_become_others) {
  const samples::set few = samples::lattice(shape::sphere, 3, 20, 1, 0.1, 0.525, 1);
  const samples::set many = samples::lattice(shape::sphere, 3, 20'000, 1, 0.1, 0.525, 1);
  samples::set mixed = many;
  mixed.column[3][100] = 4;
  abut::search search;
  search.update(few.view());
  EXPECT_EQ(search.planned().method(), "bounding-volume");
  search.update(many.view());
  EXPECT_NE(search.planned().method(), "bounding-volume");
  EXPECT_EQ(search.planned().reason().find("sizes span"), std::string::npos) << search.planned().reason();
  search.update(mixed.view());
  EXPECT_NE(search.planned().reason().find("sizes span"), std::string::npos) << search.planned().reason();
  EXPECT_EQ(search.pairs(), reference::pairs(mixed));
  search.update(few.view());
  EXPECT_EQ(search.planned().method(), "bounding-volume");
  EXPECT_EQ(search.pairs(), reference::pairs(few));
}

TEST_F(planner, auto_is_unchanged_if_an_update_is_refused) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 3000, 1, 0.1, 0.525, 1);
  abut::search search;
  search.update(bodies.view());
  const abut::plan before = search.planned();
  samples::set bad = samples::lattice(shape::sphere, 2, 40, 1, 0.1, 0.525, 1);
  bad.column[0][7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(search.update(bad.view()), abut::error);
  EXPECT_EQ(search.planned(), before);
  EXPECT_EQ(search.pairs(), reference::pairs(bodies));
}

TEST_F(planner, the_order_of_auto_does_not_depend_on_threads) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 30'000, 0.3, 1, 6, 2);
  samples::random random(4);
  abut::search one(abut::plan(), {.threads = 1}), many(abut::plan(), {.threads = 4});
  for (int k = 0; k < 6; ++k) {
    one.update(bodies.view());
    many.update(bodies.view());
    EXPECT_EQ(one.planned(), many.planned());
    EXPECT_EQ(support::ordered(one), support::ordered(many));
    for (double& x : bodies.column[0]) x += random.uniform(-1e-3, 1e-3);
  }
}

TEST_F(planner, refuses_a_motion_that_cannot_be) {
  std::vector<double> x{0, 1};
  for (const double motion : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)abut::estimated_candidates(abut::spheres(x, 0.0, 0.5), {.motion = motion}), abut::error);
    EXPECT_THROW(abut::search(abut::plan(), {.motion = motion}), abut::error);
  }
  x[1] = std::nan("");
  try {
    (void)abut::estimated_plan(abut::spheres(x, 0.0, 0.5));
    FAIL();
  } catch (const abut::error& problem) {
    EXPECT_EQ(problem.body(), 1U);
  }
}

TEST_F(planner, measure_remembers_and_estimate_takes_it) {
  abut::put_into_force(marked());  // so that nothing is calibrated here
  const samples::set bodies = samples::lattice(shape::sphere, 3, 500, 1, 0.1, 0.525, 1);
  const auto all = abut::measured_candidates(bodies.view(), {.threads = 1});
  ASSERT_TRUE(all.front().measured);
  EXPECT_TRUE(one_sentence(all.front().what.reason())) << all.front().what.reason();
  for (const abut::candidate& c : all) EXPECT_TRUE(!c.measured || *c.measured >= *all.front().measured);
  EXPECT_NE(read().find(all.front().what.text()), std::string::npos) << read();

  // The cache as another process would read it, with a plan that no model would choose.
  abut::calibration c = marked();
  const abut::features f = features_of(bodies);
  c.learned = {{abut::rounded(f), "stripe-sort"}};
  write(abut::text_of(c));
  EXPECT_EQ(abut::estimated_plan(bodies.view()).text(), "stripe-sort");
  EXPECT_TRUE(one_sentence(abut::estimated_plan(bodies.view()).reason()));
  abut::search search;
  search.update(bodies.view());
  EXPECT_EQ(search.planned().method(), "stripe-sort");
  const samples::set others = samples::lattice(shape::sphere, 3, 50'000, 1, 0.1, 0.525, 1);
  EXPECT_NE(abut::estimated_plan(others.view()).text(), "stripe-sort");
}

TEST_F(planner, lengths_are_remembered_in_widths) {
  const samples::set small = samples::lattice(shape::sphere, 3, 500, 1e-3, 0.1, 0.5e-3, 1);
  const abut::features f = features_of(small, 1e-5);
  const abut::plan p("nearest-neighbor by=hashing distance=0.0002");
  EXPECT_EQ(abut::in_widths(p, f).text(), "nearest-neighbor by=hashing distance=0.2");
  EXPECT_EQ(abut::in_lengths(abut::in_widths(p, f), f).text(), "nearest-neighbor by=hashing distance=2e-04");
}

TEST_F(planner, measure_tries_lists_on_bodies_that_move) {
  abut::put_into_force(abut::calibration{.of_this_machine = true});
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies = samples::lattice(kind, 2, 900, 1, 0.1, 0.525, 1);
    bodies.fixed.assign(bodies.size(), 0);
    bodies.fixed[5] = 1;
    const auto all = abut::measured_candidates(bodies.view(), {.threads = 1, .motion = 1e-4});
    int lists = 0;
    for (const abut::candidate& c : all) lists += c.measured && c.what.method() == "nearest-neighbor" ? 1 : 0;
    EXPECT_GT(lists, 2) << "of several distances";
  }
}

}  // namespace
}  // namespace planner_test
