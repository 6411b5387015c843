// Sweep and prune: what its lists and its table must keep correct from update to update.

#include <cmath>
#include <set>

#include "bodies/volumes.hpp"
#include "steps/pair_table.hpp"
#include "support.hpp"
#include "tree/box_tree.hpp"
#include "tree/halving.hpp"

namespace sweep_and_prune_test {
namespace {

using abut::no_row;
using abut::row;
using abut::shape;
namespace samples = abut::samples;
using support::event;

// Plans that never rebuild by themselves, that rebuild at every swap, and the default.
const std::vector<std::string> plans = {"sweep-and-prune swaps=1000000", "sweep-and-prune swaps=0", "sweep-and-prune"};

samples::set boxes_around(const samples::set& bodies) {
  if (bodies.kind == shape::box) return bodies;
  samples::set boxes{.kind = shape::box, .dimension = bodies.dimension};
  const auto& c = bodies.column;
  const auto d = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t i = 0; i < bodies.size(); ++i) boxes.add(c[0][i], c[1][i], d == 3 ? c[2][i] : 0, c[d][i]);
  return boxes;
}

// Checks the pairs, and that the table holds only pairs of boxes that overlap.
void expect_exact(abut::search& search, const samples::set& bodies, bool table_too = true) {
  const double margin = search.chosen().margin;
  ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, margin), support::ordered(search), bodies));
  if (table_too) {
    ASSERT_EQ(search.stats().candidates, reference::pairs(boxes_around(bodies), margin).size());
  }
}

void move_body(samples::set& bodies, std::size_t i, double dx, double dy, double dz) {
  const double by[3] = {dx, dy, dz};
  const int d = bodies.dimension;
  for (int c = 0; c < (bodies.kind == shape::sphere ? d : 2 * d); ++c) {
    bodies.column[static_cast<std::size_t>(c)][i] += by[c % d];
  }
}

void move_all(samples::set& bodies, samples::random& rng, double most) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double dx = rng.uniform(-most, most);
    const double dy = rng.uniform(-most, most);
    move_body(bodies, i, dx, dy, rng.uniform(-most, most));
  }
}

// Runs `f(plan, bodies)` for every plan, both shapes, 2D and 3D.
template <class F>
void for_all(std::size_t count, F&& f) {
  for (const std::string& plan : plans) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        SCOPED_TRACE(plan + ", " + support::shape_name(kind) + ", " + std::to_string(dimension) + "D");
        f(plan, samples::uniform(kind, dimension, count, 0.5, 1, 3, 71));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// On a single axis about N^(5/3) pairs overlap, thousands per body: none of these may be in the table.
TEST(sweep_and_prune, the_table_holds_what_overlaps_on_all_axes_and_memory_is_linear) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 100'000, 1, 0.1, 0.525, 7);
  abut::search search(abut::plan("sweep-and-prune"), {.threads = 1});
  abut::search boxes(abut::plan("neighboring-cell"), {.threads = 1});
  samples::random rng(8);
  for (int step = 0; step < 2; ++step) {
    search.update(bodies.view());
    const auto of_search = search.pairs();
    EXPECT_LT(search.stats().bytes, 400 * bodies.size());
    const samples::set around = boxes_around(bodies);
    boxes.update(around.view());
    EXPECT_EQ(search.stats().candidates, boxes.pairs().size());
    boxes.update(bodies.view());
    EXPECT_EQ(of_search, boxes.pairs());
    move_all(bodies, rng, 0.002);
  }
  EXPECT_EQ(event(search, "rebuilds"), 1U);
}

TEST(sweep_and_prune, rebuilds_at_first_and_after_a_shuffle_and_not_for_small_moves) {
  samples::random rng(9);
  samples::set bodies = samples::lattice(shape::sphere, 3, 4000, 1, 0.1, 0.525, 7);
  abut::search search{abut::plan("sweep-and-prune")};
  search.update(bodies.view());
  EXPECT_EQ(event(search, "rebuilds"), 1U);
  for (int step = 0; step < 5; ++step) {
    move_all(bodies, rng, 0.01);
    search.update(bodies.view());
  }
  EXPECT_EQ(event(search, "rebuilds"), 1U);
  EXPECT_GT(event(search, "overlaps begun"), 0U);
  EXPECT_GT(event(search, "overlaps ended"), 0U);
  bodies = samples::select(bodies, rng.permutation(bodies.size()));  // as if all had jumped, since no map is given
  search.update(bodies.view());
  EXPECT_EQ(event(search, "rebuilds"), 2U);
  expect_exact(search, bodies);
  move_all(bodies, rng, 0.01);
  search.update(bodies.view());
  EXPECT_EQ(event(search, "rebuilds"), 2U);
  expect_exact(search, bodies);
}

// The same shuffle with its map is no motion at all.
TEST(sweep_and_prune, rows_that_change_with_their_map_cost_no_swap) {
  samples::random rng(10);
  samples::set bodies = samples::uniform(shape::sphere, 3, 2000, 0.5, 1, 3, 7);
  abut::search search{abut::plan("sweep-and-prune swaps=0")};
  search.update(bodies.view());
  for (int step = 0; step < 3; ++step) {
    const std::vector<row> old_rows = rng.permutation(bodies.size());
    std::vector<row> new_rows(bodies.size());
    for (row k = 0; k < old_rows.size(); ++k) new_rows[old_rows[k]] = k;
    bodies = samples::select(bodies, old_rows);
    search.update(bodies.view(), new_rows);
    EXPECT_EQ(event(search, "rebuilds"), 1U);
    expect_exact(search, bodies);
  }
}

// Along x, two bodies of width 1 approach, touch exactly, pass through each other, touch from the other side and
// separate.
TEST(sweep_and_prune, bodies_that_touch_exactly_begin_and_end) {
  for (const std::string& plan : plans) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        samples::set bodies{.kind = kind, .dimension = dimension};
        bodies.add(0, 0, 0, 0.5);
        bodies.add(-1.5, 0, 0, 0.5);
        bodies.add(40, 40, 40, 0.5);
        abut::search search(abut::plan(plan), {.threads = 1});
        for (const double x : {-1.5, -1.0, -1.5, -1.0, 0.0, 1.0, 1.5, 1.0, 0.5, -1.0, -7.0}) {
          move_body(bodies, 1, x - (kind == shape::sphere ? bodies.column[0][1] : bodies.column[0][1] + 0.5), 0, 0);
          search.update(bodies.view());
          EXPECT_EQ(search.pairs().size(), std::abs(x) <= 1 ? 1U : 0U) << plan << " at " << x;
        }
      }
    }
  }
}

// Pairs that touch or miss by one bit, at coordinates where c - r and c + r alone would lose some: reached by swaps,
// left and reached again.
TEST(sweep_and_prune, bodies_that_come_to_touch_by_a_bit) {
  for (const std::string& plan : plans) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        const samples::set touching = samples::touching(kind, dimension, 800, 25);
        abut::search search(abut::plan(plan), {.threads = 1});
        for (int step = 0; step < 4; ++step) {
          samples::set bodies = touching;
          for (std::size_t i = 0; step % 2 == 0 && i < bodies.size(); i += 2) move_body(bodies, i, 1.5, -0.5, 0.25);
          search.update(bodies.view());
          expect_exact(search, bodies, false);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// If ends are equal to the bit, with their room for rounding, the list must agree with the boxes that they meet.
// Otherwise a pair that the tree has found would stay forever.
TEST(sweep_and_prune, ends_that_are_equal_to_the_bit_meet) {
  const double room = abut::widened(-2, 0).max;
  ASSERT_EQ(abut::widened(-2, -room).max, -abut::widened(room, 2).min);
  ASSERT_EQ(abut::widened(room, 2).min, 0);
  for (const bool meet_first : {true, false}) {
    samples::set bodies{.kind = shape::box, .dimension = 3};
    bodies.add_box({room, 0, 0}, {2, 1, 1});
    bodies.add_box({-2, 0, 0}, {-room, 1, 1});
    abut::search search{abut::plan("sweep-and-prune swaps=1000000")};
    for (int step = 0; step < 4; ++step) {
      const bool apart = (step % 2 == 0) != meet_first;
      bodies.column[3][1] = apart ? -1 : -room;
      search.update(bodies.view());
      EXPECT_TRUE(search.pairs().empty());
      EXPECT_EQ(search.stats().candidates, apart ? 0U : 1U);
    }
    EXPECT_EQ(event(search, "rebuilds"), 1U);
  }
}

TEST(sweep_and_prune, equal_ends_coincident_bodies_and_bodies_within_bodies) {
  for_all(40, [](const std::string& plan, samples::set bodies) {
    samples::random rng(11);
    abut::search search(abut::plan(plan), {.threads = 1});
    for (int step = 0; step < 30; ++step) {
      // Coordinates on a coarse grid, where ends often coincide; a body may land on another, or around it.
      samples::set now{.kind = bodies.kind, .dimension = bodies.dimension};
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double x = static_cast<double>(rng.below(4));
        const double y = static_cast<double>(rng.below(4));
        const double z = static_cast<double>(rng.below(3));
        now.add(x, y, z, 0.5 * static_cast<double>(rng.below(4)));
      }
      // Half of the bodies stay in place.
      if (step > 0) {
        for (std::size_t i = 0; i < bodies.size(); i += 2) {
          for (std::size_t c = 0; c < 6; ++c) {
            if (!now.column[c].empty()) now.column[c][i] = bodies.column[c][i];
          }
        }
      }
      bodies = now;
      search.update(bodies.view());
      expect_exact(search, bodies);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
}

// Bodies that jump across each other swap their lower and upper ends in any order. If two part on all axes at once,
// only their old positions show that they had met.
TEST(sweep_and_prune, bodies_that_jump) {
  for_all(250, [](const std::string& plan, samples::set bodies) {
    samples::random rng(12);
    abut::search search(abut::plan(plan), {.threads = 1});
    search.update(bodies.view());
    for (int step = 0; step < 15; ++step) {
      for (int k = 0; k < 6; ++k) {
        const double by = rng.uniform(-9, 9);
        move_body(bodies, rng.below(bodies.size()), by, rng.uniform(-9, 9), by);
      }
      if (step % 5 == 4) move_body(bodies, 3, 1e9 * (step % 2 == 0 ? 1 : -1), 0, 0);
      if (step == 9) samples::translate(bodies, 1e4);  // out of all the cells of the coarse boxes
      search.update(bodies.view());
      expect_exact(search, bodies);
      if (::testing::Test::HasFatalFailure()) return;
    }
    if (plan == plans[0]) {
      EXPECT_EQ(event(search, "rebuilds"), 1U);
    }
  });
}

TEST(sweep_and_prune, bodies_that_grow_and_shrink_with_a_margin) {
  for_all(150, [](const std::string& plan, samples::set bodies) {
    samples::random rng(13);
    abut::search search(abut::plan(plan), {.margin = 0.3, .threads = 1});
    const auto d = static_cast<std::size_t>(bodies.dimension);
    for (int step = 0; step < 15; ++step) {
      search.update(bodies.view());
      expect_exact(search, bodies);
      if (::testing::Test::HasFatalFailure()) return;
      for (std::size_t i = 0; i < bodies.size(); i += 3) {
        const double size = rng.uniform(0, step % 5 == 0 ? 6 : 1.5);
        if (bodies.kind == shape::sphere) {
          bodies.column[d][i] = size;
        } else {
          for (std::size_t k = 0; k < d; ++k) bodies.column[d + k][i] = bodies.column[k][i] + size;
        }
      }
    }
  });
}

// Some bodies come, some go, the rest change rows, all with the map; the places of those that go are taken by others.
TEST(sweep_and_prune, bodies_that_come_and_go_and_change_rows) {
  for_all(120, [](const std::string& plan, samples::set bodies) {
    samples::random rng(14);
    abut::search search(abut::plan(plan), {.threads = 1});
    search.update(bodies.view());
    for (int step = 0; step < 25; ++step) {
      const std::size_t before = bodies.size();
      std::vector<row> kept = rng.permutation(before);
      kept.resize(before - rng.below(step % 6 == 5 ? before : 12));
      std::vector<row> new_rows(before, no_row);
      for (row k = 0; k < kept.size(); ++k) new_rows[kept[k]] = k;
      bodies = samples::select(bodies, kept);
      const std::size_t come = rng.below(step % 6 == 0 ? 100 : 12);
      for (std::size_t k = 0; k < come; ++k) {
        const double x = rng.uniform(0, 8);
        const double y = rng.uniform(0, 8);
        const double z = rng.uniform(0, 8);
        bodies.add(x, y, z, rng.uniform(0.1, 1.2));
      }
      move_all(bodies, rng, 0.05);
      search.update(bodies.view(), new_rows);
      expect_exact(search, bodies);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
}

TEST(sweep_and_prune, few_bodies_that_come_and_go_cause_no_rebuild) {
  samples::set bodies = samples::uniform(shape::box, 3, 500, 0.5, 1, 3, 15);
  abut::search search{abut::plan("sweep-and-prune")};
  search.update(bodies.view());
  std::vector<row> map(bodies.size());
  for (row i = 0; i < map.size(); ++i) map[i] = i;
  map[0] = no_row;  // the last body takes its place
  map.back() = 0;
  for (auto& c : bodies.column) {
    c[0] = c.back();
    c.pop_back();
  }
  bodies.add(3, 3, 3, 1.5);
  bodies.add(3.5, 3, 3, 0.5);
  search.update(bodies.view(), map);
  expect_exact(search, bodies);
  EXPECT_EQ(event(search, "rebuilds"), 1U);
}

// Pairs of two fixed bodies stay in the table, since they may be freed while nothing moves.
TEST(sweep_and_prune, flags_that_change_while_nothing_moves) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 300, 0.7, 1, 3, 16);
  samples::random rng(17);
  abut::search search{abut::plan("sweep-and-prune swaps=0")};
  for (int step = 0; step < 6; ++step) {
    bodies.fixed.assign(bodies.size(), 1);
    for (auto& flag : bodies.fixed) flag = step == 0 ? 1 : static_cast<std::uint8_t>(rng.below(2));
    if (step == 5) bodies.fixed.clear();
    search.update(bodies.view());
    expect_exact(search, bodies, step == 5);
    EXPECT_EQ(event(search, "rebuilds"), 1U);
  }
}

// Ghosts come and go as bodies near the borders move, and get different rows each time.
TEST(sweep_and_prune, periodic_axes) {
  const reference::periods periodic = {abut::interval{0, 9}, abut::interval{-1, 8}, std::nullopt};
  for (const std::string& plan : plans) {
    for (const shape kind : {shape::sphere, shape::box}) {
      samples::random rng(18);
      samples::set bodies = samples::uniform(kind, 3, 200, 0.5, 1, 3, 19);
      abut::search search(abut::plan(plan), {.periodic = periodic, .threads = 1});
      for (int step = 0; step < 25; ++step) {
        search.update(bodies.view());
        const auto expected = reference::pairs(bodies, 0, periodic);
        ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << plan << ", step " << step;
        move_all(bodies, rng, step % 5 == 4 ? 4 : 0.2);
      }
      if (plan == plans[0]) {
        EXPECT_EQ(event(search, "rebuilds"), 1U);
      }
    }
  }
}

TEST(sweep_and_prune, a_long_walk_stays_exact) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      samples::random rng(20);
      samples::set bodies = samples::uniform(kind, dimension, 120, 0.5, 1, 10, 21);
      abut::search search(abut::plan("sweep-and-prune swaps=1000000"), {.threads = 1});
      for (int step = 0; step < 250; ++step) {
        search.update(bodies.view());
        expect_exact(search, bodies);
        if (HasFatalFailure()) return;
        move_all(bodies, rng, 0.1);
      }
      EXPECT_EQ(event(search, "rebuilds"), 1U);
    }
  }
}

// A giant is open across most of each list: bodies that begin before a region must be found in it.
TEST(sweep_and_prune, regions_after_swaps) {
  samples::random rng(22);
  samples::set bodies = samples::giant(shape::sphere, 3, 400, 0.1, 20, 23);
  abut::search search{abut::plan("sweep-and-prune")};
  for (int step = 0; step < 4; ++step) {
    search.update(bodies.view());
    for (int k = 0; k < 40; ++k) {
      const double x = rng.uniform(-1, 6);
      const double y = rng.uniform(-1, 6);
      const abut::region where = abut::sphere{{x, y, rng.uniform(-1, 6)}, rng.uniform(0, 0.5)};
      ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where));
    }
    move_all(bodies, rng, 0.05);
  }
}

TEST(pair_table, keeps_a_set_of_pairs) {
  samples::random rng(24);
  abut::pair_table table;
  std::set<abut::pair> expected;
  const auto expect_same = [&] {
    std::set<abut::pair> found;
    for (std::size_t k = 0; k < table.size(); ++k) found.insert(table[k]);
    ASSERT_EQ(found, expected);
    ASSERT_EQ(table.size(), expected.size());
  };
  for (int step = 0; step < 40'000; ++step) {
    const row i = static_cast<row>(rng.below(60));
    const abut::pair p{i, i + 1 + static_cast<row>(rng.below(60))};
    // At first more pairs come than go, then more go.
    if (rng.below(4) < (step < 20'000 ? 3U : 1U)) {
      ASSERT_EQ(table.add(p), expected.insert(p).second);
    } else {
      ASSERT_EQ(table.remove(p), expected.erase(p) == 1);
    }
    ASSERT_EQ(table.contains(p), expected.count(p) == 1);
    if (step % 1000 == 0) expect_same();
  }
  for (const std::size_t gone : {1, 119}) {  // few pairs change, or nearly all
    std::vector<row> map(130);
    for (row k = 0; k < map.size(); ++k) map[k] = k;
    if (gone > 1) {
      for (row k = 0; k < map.size(); ++k) map[k] = static_cast<row>(map.size()) - 1 - k;
    }
    map[7] = no_row;
    std::set<abut::pair> renamed;
    for (const abut::pair p : expected) {
      if (map[p.i] != no_row && map[p.j] != no_row) {
        renamed.insert({std::min(map[p.i], map[p.j]), std::max(map[p.i], map[p.j])});
      }
    }
    table.rename(map);
    expected = renamed;
    expect_same();
  }
}

TEST(tree_halving, finds_all_boxes_that_meet) {
  for (const samples::sample& sample : samples::all()) {
    SCOPED_TRACE(sample.name);
    const samples::set bodies = sample.make(shape::box, 3, 4);
    const auto box_of = [&](std::size_t i) {
      abut::tree_box<3, double> b{};
      for (std::size_t k = 0; k < 3; ++k) b.lo[k] = bodies.column[k][i], b.hi[k] = bodies.column[3 + k][i];
      return b;
    };
    const abut::tree_shape made = abut::tree_halving<3>::shape(bodies.size(), 8, 2, box_of);
    abut::box_tree<3, double> tree;
    tree.take(made, 2, [&](std::size_t p) { return box_of(made.order[p]); });
    std::vector<abut::pair> found;
    for (const abut::pair p : tree.pairs(2)) {
      const row a = made.order[p.i];
      const row b = made.order[p.j];
      found.push_back({std::min(a, b), std::max(a, b)});
    }
    const std::vector<abut::pair> expected = reference::pairs(bodies);
    EXPECT_TRUE(support::same_pairs(expected, found, bodies));
    std::size_t meetings = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      tree.visit(box_of(i), {}, [&](const std::uint32_t*, std::size_t count) {
        meetings += count;
        return true;
      });
    }
    EXPECT_EQ(meetings, bodies.size() + 2 * expected.size());
  }
}

}  // namespace
}  // namespace sweep_and_prune_test
