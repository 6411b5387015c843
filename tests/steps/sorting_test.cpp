// The methods that sort ends: the lists, their ranks, and what is special to spatial-sort and dess.

#include <cmath>

#include "steps/end_list.hpp"
#include "steps/rank_scan.hpp"
#include "support.hpp"

namespace sorting_test {
namespace {

using abut::end_list;
using abut::end_point;
using abut::interval;
using abut::row;
using abut::shape;
namespace samples = abut::samples;

// Intervals with many equal ends; some are empty.
std::vector<interval> coarse_intervals(std::size_t count, std::uint64_t seed) {
  samples::random rng(seed);
  std::vector<interval> all(count);
  for (interval& t : all) {
    t.min = static_cast<double>(rng.below(50));
    t.max = t.min + static_cast<double>(rng.below(5));
  }
  return all;
}

std::vector<std::uint32_t> sorted_entries(const std::vector<interval>& all) {
  std::vector<end_point> points;
  for (row i = 0; i < all.size(); ++i) {
    points.push_back({all[i].min, i});
    points.push_back({all[i].max, i | end_point::upper_bit});
  }
  std::sort(points.begin(), points.end());
  std::vector<std::uint32_t> entries;
  for (const end_point& p : points) entries.push_back(p.what);
  return entries;
}

std::vector<std::uint32_t> entries(const end_list& list) { return {list.entries().begin(), list.entries().end()}; }

TEST(end_list, at_equal_places_lower_ends_come_first) {
  const std::vector<interval> all = {{0, 1}, {1, 2}, {1, 1}};
  end_list list;
  list.sort(3, [&](row i) { return all[i]; });
  constexpr std::uint32_t up = end_point::upper_bit;
  EXPECT_EQ(entries(list), (std::vector<std::uint32_t>{0, 1, 2, 0 | up, 2 | up, 1 | up}));
}

TEST(end_list, sorted_again_it_is_as_sorted_anew) {
  std::vector<interval> all = coarse_intervals(200, 1);
  end_list list;
  list.sort(all.size(), [&](row i) { return all[i]; });
  ASSERT_EQ(entries(list), sorted_entries(all));
  samples::random rng(2);
  for (int step = 0; step < 40; ++step) {
    SCOPED_TRACE(step);
    // Some rows move, some go, all are shuffled, some are new.
    std::vector<row> map = rng.permutation(all.size());
    std::vector<interval> now(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) now[map[i]] = all[i];
    for (int k = 0; k < 5; ++k) {
      const std::size_t gone = rng.below(map.size());
      if (map[gone] != abut::no_row) now[map[gone]] = coarse_intervals(1, 100 + rng.below(1000))[0];
      map[gone] = abut::no_row;
    }
    for (const interval& t : coarse_intervals(3, rng.below(1000))) now.push_back(t);
    for (interval& t : now) t.min -= static_cast<double>(rng.below(2));
    all = now;
    std::uint64_t swaps = 0;
    const abut::carried_rows rows(map, all.size());
    const auto taken = [&](row i) { return all[i]; };
    const std::vector<std::uint32_t> before = entries(list);
    abut::moves_allowed moves{step % 5 == 4 ? 3U : 1'000'000U, 0};
    const bool done = list.sort_again(rows, taken, moves, [&](const auto&, const auto&) { ++swaps; });
    EXPECT_EQ(done, step % 5 != 4) << "three moves are soon made";
    EXPECT_GT(swaps, 0U);
    if (!done) {
      EXPECT_EQ(entries(list), before) << "given up, it is as it was";
      list.sort_by_counting(all.size(), taken);
    }
    EXPECT_EQ(entries(list), sorted_entries(all));
  }
}

TEST(end_list, every_two_entries_that_change_places_are_told_once) {
  std::vector<interval> all = coarse_intervals(60, 3);
  end_list list;
  list.sort(all.size(), [&](row i) { return all[i]; });
  const std::vector<std::uint32_t> before = entries(list);
  all = coarse_intervals(60, 4);
  std::vector<row> same(60);
  for (row i = 0; i < 60; ++i) same[i] = i;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> told;
  abut::moves_allowed moves{1'000'000, 0};
  ASSERT_TRUE(list.sort_again(
      abut::carried_rows(same, 60), [&](row i) { return all[i]; }, moves,
      [&](const end_point& moved, const end_point& passed) { told.emplace_back(moved.what, passed.what); }));
  const std::vector<std::uint32_t> after = entries(list);
  const auto place = [](const std::vector<std::uint32_t>& list_then, std::uint32_t what) {
    return std::find(list_then.begin(), list_then.end(), what) - list_then.begin();
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (const std::uint32_t a : after) {
    for (const std::uint32_t b : after) {
      if (place(before, a) > place(before, b) && place(after, a) < place(after, b)) expected.emplace_back(a, b);
    }
  }
  std::sort(told.begin(), told.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(told, expected);
}

TEST(rank_scan, finds_what_is_within_the_bounds_in_blocks_and_behind_them) {
  samples::random rng(5);
  std::vector<std::int32_t> low(300);
  std::vector<std::int32_t> high(300);
  for (std::size_t p = 0; p < 300; ++p) {
    low[p] = static_cast<std::int32_t>(rng.below(20));
    high[p] = static_cast<std::int32_t>(rng.below(20));
  }
  for (std::size_t from = 0; from < 70; ++from) {
    for (const std::size_t to : {from, from + 1, from + 31, from + 32, from + 33, from + 200}) {
      const abut::rank_scan<2> scan{{low.data(), high.data()}, {high.data(), low.data()}, {12, 18}, {3, 0}};
      std::vector<std::size_t> expected;
      for (std::size_t p = from; p < to; ++p) {
        if (low[p] < 12 && high[p] >= 3 && high[p] < 18) expected.push_back(p);
      }
      std::vector<std::size_t> found;
      scan.run(from, to, [&](std::size_t p) { found.push_back(p); });
      EXPECT_EQ(found, expected) << from << " to " << to;
    }
  }
}

// With insertion sort alone, the last step would take about 10^10 moves.
TEST(sorting, insertion_sort_gives_way_if_all_bodies_jump) {
  for (const std::string method : {"dess", "spatial-sort"}) {
    SCOPED_TRACE(method);
    samples::set bodies = samples::lattice(shape::sphere, 2, 90'000, 1, 0.1, 0.525, 7);
    abut::search search{abut::plan(method + " sort=insertion")};
    search.update(bodies.view());
    EXPECT_EQ(support::event(search, "sorted anew"), 1U);
    samples::random rng(8);
    for (int step = 0; step < 2; ++step) {
      for (int k = 0; k < 2; ++k) {
        for (double& x : bodies.column[static_cast<std::size_t>(k)]) x += rng.uniform(-0.001, 0.001);
      }
      search.update(bodies.view());
      EXPECT_EQ(support::event(search, "sorted anew"), 1U) << "little has moved";
    }
    bodies = samples::lattice(shape::sphere, 2, 90'000, 1, 0.1, 0.525, 9);  // a different shuffle
    search.update(bodies.view());
    EXPECT_EQ(support::event(search, "sorted anew"), 2U);
    abut::search cells{abut::plan("neighboring-cell")};
    cells.update(bodies.view());
    EXPECT_EQ(search.pairs(), cells.pairs());
  }
}

// Candidates are exactly the pairs whose boxes overlap: counted here without a search.
TEST(dess, hands_on_the_pairs_whose_boxes_overlap) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 700, 0.4, 0.5, 8, 11);
  const std::vector<reference::volume> all = reference::volumes(bodies);
  std::uint64_t meeting = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      bool meet = true;
      for (int k = 0; k < 3; ++k) meet = meet && std::abs(all[i].c[k] - all[j].c[k]) <= all[i].r + all[j].r;
      meeting += meet ? 1 : 0;
    }
  }
  for (const std::string plan : {"dess", "spatial-sort way=1"}) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    EXPECT_GT(search.pairs().size(), 100U);
    EXPECT_EQ(search.stats().candidates, meeting) << plan;
  }
}

// Figure 6: if sizes differ, extended ranges contain more than the neighbors: on all axes in way 2, on all but one in
// way 3.
TEST(spatial_sort, the_ways_differ_in_accuracy_as_the_thesis_says) {
  const samples::set bodies = samples::uniform(shape::sphere, 2, 2000, 0.4, 0.5, 16, 12);
  std::uint64_t candidates[4] = {};
  for (int way = 1; way <= 3; ++way) {
    abut::search search{abut::plan("spatial-sort way=" + std::to_string(way))};
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
    candidates[way] = search.stats().candidates;
  }
  EXPECT_LT(candidates[1], candidates[3]);
  EXPECT_LT(candidates[3], candidates[2]);
}

// The linked lists of all bodies would hold 2 N sqrt(N) entries.
TEST(spatial_sort, way_1_keeps_no_more_than_the_others) {
  const samples::set bodies = samples::lattice(shape::sphere, 2, 10'000, 1, 0.1, 0.525, 13);
  abut::search search{abut::plan("spatial-sort way=1")};
  search.update(bodies.view());
  EXPECT_GT(search.pairs().size(), 10'000U);
  EXPECT_LT(search.stats().bytes, 100U * bodies.size());
}

// A line along y: on x all bodies overlap, so y must be the master axis.
TEST(sorting, the_master_axis_is_the_one_with_the_least_to_search) {
  samples::set bodies;
  for (int k = 0; k < 500; ++k) bodies.add(0.1 * (k % 3), k * 37 % 500, 0.1 * (k % 2), 0.525);
  for (const std::string method : {"dess", "spatial-sort"}) {
    abut::search search{abut::plan(method)};
    search.update(bodies.view());
    EXPECT_NE(search.planned().reason().find("master axis is y"), std::string::npos) << search.planned().reason();
    EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
  }
}

// Bodies that contain others, coincide, and share ends: every case of the thesis's figure 3 at once.
TEST(sorting, all_36_cases_of_overlap_are_found_once) {
  samples::set bodies;
  bodies.kind = shape::box;
  bodies.dimension = 2;
  // Relative to [2, 4] on an axis, the ends of another body can be in 6 positions; with equal ends, in more.
  const std::vector<interval> places = {{0, 1}, {0, 2},   {0, 3}, {0, 4}, {0, 5}, {2, 3}, {2, 4},
                                        {2, 5}, {3, 3.5}, {3, 4}, {3, 5}, {4, 5}, {5, 6}};
  for (const interval& x : places) {
    for (const interval& y : places) {
      bodies.column[0].push_back(x.min);
      bodies.column[1].push_back(y.min);
      bodies.column[2].push_back(x.max);
      bodies.column[3].push_back(y.max);
    }
  }
  const std::vector<abut::pair> expected = reference::pairs(bodies);
  for (const std::string& method : support::method_names()) {
    abut::search search{abut::plan(method)};
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << method;
  }
}

}  // namespace
}  // namespace sorting_test
