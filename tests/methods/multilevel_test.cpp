// The multilevel grid: how levels are chosen (Ogarko and Luding 2011, equations (2) and (3)), and what is special to
// its search.

#include <cmath>

#include "counted.hpp"
#include "generators.hpp"
#include "methods/multilevel/key_places.hpp"
#include "methods/multilevel/sizes.hpp"
#include "support.hpp"

namespace multilevel_test {
namespace {

using abut::multilevel_sizes;
using abut::multilevel_split;
using abut::shape;
using abut::size_class;
namespace samples = abut::samples;

// ---- the sizes of levels

// Bodies per cell of each level.
std::vector<double> per_cell(const std::vector<size_class>& classes, const multilevel_split& split) {
  std::vector<double> all;
  std::size_t from = 0;
  for (const std::size_t end : split.ends) {
    double count = 0;
    for (; from < end; ++from) count += classes[from].count;
    all.push_back(count / classes[end - 1].cells);
  }
  return all;
}

// Number density ~ r^-3 between 1 / ratio and 1, in a space of `volume`, in fine classes.
std::vector<size_class> inverse_cube_classes(double bodies, double ratio, double volume) {
  constexpr int count = 2000;
  std::vector<size_class> classes;
  const auto smaller = [&](double s) { return (ratio * ratio - 1 / (s * s)) / (ratio * ratio - 1); };
  double last = 1 / ratio;
  for (int k = 1; k <= count; ++k) {
    const double size = std::pow(ratio, static_cast<double>(k) / count - 1);
    classes.push_back({size, bodies * (smaller(size) - smaller(last)), volume / (size * size * size)});
    last = size;
  }
  return classes;
}

TEST(multilevel_sizes, levels_have_equal_numbers_of_bodies_per_cell) {
  const std::vector<size_class> classes = inverse_cube_classes(125'001, 50, 130);
  double last = 1e300;
  for (int levels = 1; levels <= 20; ++levels) {
    const multilevel_split split = abut::split_evenly(classes, levels);
    ASSERT_EQ(split.ends.size(), static_cast<std::size_t>(levels));
    EXPECT_EQ(split.ends.back(), classes.size());
    for (const double m : per_cell(classes, split)) EXPECT_NEAR(m, split.per_cell, 0.05 * split.per_cell) << levels;
    EXPECT_LT(split.per_cell, last) << "more levels, emptier cells";
    last = split.per_cell;
  }
}

TEST(multilevel_sizes, two_levels_of_a_distribution_that_can_be_solved_by_hand) {
  // N(larger than s) = N (s^-2 - 1) / (ratio^2 - 1) = N_2 and N_2 1^3 = (N - N_2) s^3: with x = s and N large, s^5 is
  // near 1 / ratio^2 (s^-2 - 1 = (ratio^2 - 1) s^3 / (1 + s^3)).
  const std::vector<size_class> classes = inverse_cube_classes(1e6, 50, 1);
  const multilevel_split split = abut::split_evenly(classes, 2);
  ASSERT_EQ(split.ends.size(), 2U);
  const double s = classes[split.ends[0] - 1].size;
  EXPECT_NEAR(1 / (s * s) - 1, 2499 * s * s * s / (1 + s * s * s), 0.03 / (s * s));
}

TEST(multilevel_sizes, whole_classes_and_no_empty_levels) {
  // Equal bodies make one level, however many are asked for.
  const std::vector<size_class> equal = {{1, 1000, 500}};
  EXPECT_EQ(abut::split_evenly(equal, 20).ends, (std::vector<std::size_t>{1}));
  EXPECT_NEAR(abut::split_evenly(equal, 20).per_cell, 2, 1e-6);
  // A giant among specks makes two levels, and no third.
  const std::vector<size_class> giant = {{1, 1e6, 2e6}, {100, 1, 2}};
  EXPECT_EQ(abut::split_evenly(giant, 1).ends, (std::vector<std::size_t>{2}));
  EXPECT_EQ(abut::split_evenly(giant, 7).ends, (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(abut::split_evenly({}, 3).ends.empty());
}

// Three classes; m for each L, worked out by hand:
//   L = 1: all 111 in the 1 cell of the largest:                          m = 111
//   L = 2: {100} and {10, 1}: max(100 / 1000, 11 / 1) = 11; {100, 10} and {1}: max(110 / 10, 1) = 11:  m = 11
//   L = 3: max(100 / 1000, 10 / 10, 1 / 1) = 1;  no more than that with more levels
TEST(multilevel_sizes, the_number_of_levels_makes_n_l_times_m_plus_k_least) {
  const std::vector<size_class> classes = {{1, 100, 1000}, {10, 10, 10}, {100, 1, 1}};
  EXPECT_NEAR(abut::split_evenly(classes, 1).per_cell, 111, 0.1);
  EXPECT_NEAR(abut::split_evenly(classes, 2).per_cell, 11, 0.01);
  EXPECT_NEAR(abut::split_evenly(classes, 3).per_cell, 1, 0.001);
  EXPECT_EQ(abut::best_levels(classes, 0.2, 40), 3);  // 111.2, 22.4, 3.6
  EXPECT_EQ(abut::best_levels(classes, 10, 40), 3);   // 121, 42, 33
  EXPECT_EQ(abut::best_levels(classes, 25, 40), 2);   // 136, 72, 78
  EXPECT_EQ(abut::best_levels(classes, 95, 40), 1);   // 206, 212, 288
  EXPECT_EQ(abut::best_levels(classes, 0.2, 2), 2) << "no more than allowed";
}

TEST(multilevel_sizes, the_paper_s_k_gives_the_paper_s_numbers_of_levels) {
  // Volume fractions 0.1 and 0.62 of 125,001 bodies, ratio 50: L* = 5 and 8, as read from the times in figure 3.
  for (const auto& [fraction, least, most] : {std::tuple(0.1, 4, 6), {0.62, 7, 9}}) {
    const double volume =
        3.14159265 / 6 * 125'001 * 2 * 49 / (2499 * 50) / fraction;  // the mean of s^3 is 2 * 49 / (2499 * 50)
    const int levels = abut::best_levels(inverse_cube_classes(125'001, 50, volume), 0.2, 40);
    EXPECT_GE(levels, least) << fraction;
    EXPECT_LE(levels, most) << fraction;
  }
}

TEST(multilevel_sizes, a_body_goes_to_the_lowest_level_that_holds_it) {
  // Bodies exactly as large as their level's cells too: the largest of each level is.
  for (const shape kind : {shape::sphere, shape::box}) {
    const samples::set bodies = samples::uniform(kind, 3, 3000, 0.3, 1, 1000, 7);
    const abut::world w(bodies.view(), {.margin = 0.001}, 1);
    multilevel_sizes sizes(w);
    const multilevel_split split = abut::split_evenly(sizes.classes(), 5);
    ASSERT_EQ(split.ends.size(), 5U);
    sizes.set_levels(split);
    std::vector<std::uint8_t> level(bodies.size());
    sizes.read_levels(w, 0, bodies.size(), level.data());
    std::vector<double> counts(5);
    std::vector<double> largest(5);
    for (abut::row i = 0; i < bodies.size(); ++i) {
      const double size = support::extent(bodies, i) + 0.001;
      const std::size_t h = level[i];
      ASSERT_LT(h, 5U);
      EXPECT_LE(size, sizes.classes()[split.ends[h] - 1].size);
      EXPECT_GT(size, h > 0 ? sizes.classes()[split.ends[h - 1] - 1].size : 0);
      ++counts[h];
      largest[h] = std::max(largest[h], size);
    }
    double before = 0;
    for (std::size_t h = 0; h < 5; ++h) {
      EXPECT_EQ(largest[h], sizes.classes()[split.ends[h] - 1].size) << "the cell is as large as its largest body";
      double all = 0;
      for (std::size_t k = 0; k < split.ends[h]; ++k) all += sizes.classes()[k].count;
      EXPECT_EQ(counts[h], all - before);
      before = all;
    }
  }
}

TEST(multilevel_sizes, space_is_what_bodies_fill) {
  // The same packing, alone and as clusters far apart: the number of cells per body is about the same, whatever the
  // distance.
  const samples::set together = samples::uniform(shape::sphere, 3, 20'000, 0.3, 0.5, 1, 1);
  const samples::set apart = samples::clusters(shape::sphere, 3, 20'000, 1000, 1e9, 0.5, 1);
  for (const auto* bodies : {&together, &apart}) {
    const abut::world w(bodies->view(), {}, 1);
    const multilevel_sizes sizes(w);
    ASSERT_EQ(sizes.classes().size(), 1U);
    EXPECT_EQ(sizes.classes()[0].count, 20'000);
    EXPECT_GT(sizes.classes()[0].cells, 10'000);
    EXPECT_LT(sizes.classes()[0].cells, 60'000);
  }
}

TEST(key_places, sorts_stably_and_tells_where_keys_begin) {
  samples::random rng(3);
  for (const auto& [n, count] : {std::pair<std::size_t, std::uint32_t>(0, 1),
                                 {1000, 1},
                                 {1000, 2048},
                                 {150'000, 5000},
                                 {150'000, 700'001},
                                 {3, 1'000'000}}) {
    std::vector<std::uint32_t> keys(n);
    for (std::uint32_t& k : keys) k = static_cast<std::uint32_t>(rng.below(count));
    for (const int threads : {1, 3}) {
      abut::key_places places;
      places.place(keys, count, threads);
      std::vector<abut::row> expected(n);
      for (abut::row i = 0; i < n; ++i) expected[i] = i;
      std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
      ASSERT_EQ(places.order(), expected);
      std::size_t at = 0;
      for (std::uint32_t k = 0; k <= count; ++k) {
        ASSERT_EQ(places.starts()[k], at);
        while (at < n && keys[expected[at]] == k) ++at;
      }
    }
  }
}

// ---- the search

std::vector<std::string> all_plans() {
  std::vector<std::string> plans = {"multilevel", "multilevel direction=up"};
  for (int levels = 1; levels <= 20; ++levels) {
    for (const std::string direction : {"down", "up"}) {
      plans.push_back("multilevel levels=" + std::to_string(levels) + " direction=" + direction);
    }
  }
  return plans;
}

int levels_of(const abut::search& search) {
  return std::stoi(std::string(*search.planned().parameter_value("levels")));
}

void expect_exact(const samples::set& bodies, double margin = 0) {
  const std::vector<abut::pair> expected = reference::pairs(bodies, margin);
  EXPECT_FALSE(expected.empty());
  for (const std::string& plan : all_plans()) {
    abut::search search(abut::plan(plan), {.margin = margin, .threads = 1});
    search.update(bodies.view());
    ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << plan;
  }
}

TEST(multilevel, every_number_of_levels_is_exact_in_both_directions) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = samples::uniform(kind, dimension, 400, 0.6, 1, 200, 11);
      expect_exact(bodies, dimension == 2 ? 0 : 0.02);
    }
  }
}

TEST(multilevel, sizes_over_twelve_decades) {
  // Specks on the faces of larger bodies, down to 1e-12 of the largest, so that pairs are between levels far from each
  // other.
  samples::random rng(12);
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies{.kind = kind};
    for (int k = 0; k < 60; ++k) {
      const double size = std::pow(10.0, -k % 13);
      const double x = rng.uniform(-3, 3);
      const double y = rng.uniform(-3, 3);
      const double z = rng.uniform(-3, 3);
      bodies.add(x, y, z, size);
      for (const double smaller : {0.5, 1e-3, 1e-6}) {
        const double r = std::max(size * smaller, 1e-13);
        bodies.add(x + size + 0.9 * r, y, z, r);
        bodies.add(x - size - 1.1 * r, y, z, r);
      }
    }
    expect_exact(bodies);
  }
}

TEST(multilevel, pairs_across_levels_that_are_not_neighbors) {
  // Five sizes, each half of the next and four times as many, so that all have about the same number per cell and
  // nearly each gets its own level. Only ten pairs of the smallest and the largest touch.
  samples::set bodies{.dimension = 2};
  double r = 32;
  for (int level = 4, count = 10; level >= 0; --level, count *= 4, r /= 2) {
    for (int k = 0; k < count; ++k) {
      const bool touches = level == 0 && k < 10;
      bodies.add(touches ? 2000.0 * k + 33.9 : 20'000.0 * k / count, touches ? 0 : 500 * (4 - level), 0, r);
    }
  }
  for (const std::string direction : {"down", "up"}) {
    abut::search search(abut::plan("multilevel levels=5 direction=" + direction));
    search.update(bodies.view());
    for (const char* few : {"1 levels are in use", "2 levels are in use"}) {
      EXPECT_EQ(search.planned().reason().find(few), std::string::npos) << search.planned().reason();
    }
    const std::vector<abut::pair> found = search.pairs();
    ASSERT_EQ(found, reference::pairs(bodies));
    ASSERT_EQ(found.size(), 10U);
    for (const abut::pair p : found) EXPECT_GE(p.j, bodies.size() - 2560);
  }
}

// The largest bodies of every level, which are as large as its cells, touch each other and those of other levels
// exactly, or miss by a bit, wherever the borders of cells are.
TEST(multilevel, bodies_as_large_as_their_cells_touch_exactly) {
  for (const shape kind : {shape::sphere, shape::box}) {
    samples::set bodies{.kind = kind, .dimension = 2};
    samples::random rng(41);
    for (int k = 0; k < 4000; ++k) {
      const double r = k % 8 == 0 ? 4 : 0.25;
      const double other = k % 3 == 0 ? 4 : 0.25;
      const double x = 64 * (k % 64) + std::floor(rng.uniform(0, 0x1p20)) * 0x1p-16;  // all sums are exact
      const double y = 64 * (k / 64) + std::floor(rng.uniform(0, 0x1p20)) * 0x1p-16;
      const double apart = r + other + (k % 2 == 0 ? 0 : 0x1p-16);
      bodies.add(x, y, 0, r);
      bodies.add(k % 4 < 2 ? x + apart : x, k % 4 < 2 ? y : y + apart, 0, other);
    }
    std::vector<abut::pair> expected;
    for (abut::row k = 0; k < 4000; k += 2) expected.push_back({2 * k, 2 * k + 1});
    for (const std::string plan : {"levels=1", "levels=2", "levels=2 direction=up"}) {
      abut::search search(abut::plan("multilevel " + plan), {.threads = 1});
      search.update(bodies.view());
      EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << plan;
    }
  }
}

TEST(multilevel, levels_follow_the_sizes_from_update_to_update) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 3000, 0.3, 0.5, 1, 21);
  for (const std::string direction : {"down", "up"}) {
    abut::search search(abut::plan("multilevel direction=" + direction));
    search.update(bodies.view());
    EXPECT_EQ(levels_of(search), 1);
    samples::set grown = bodies;
    grown.column[3][1234] *= 1000;
    grown.column[0][1234] = 495;  // its surface passes through the middle of the others
    search.update(grown.view());
    EXPECT_EQ(levels_of(search), 2);
    EXPECT_EQ(search.pairs(), reference::pairs(grown));
    EXPECT_LT(search.stats().tests, 30U * 3000U) << "with one level, every body would meet every other";
    search.update(bodies.view());
    EXPECT_EQ(levels_of(search), 1);
    EXPECT_EQ(search.pairs(), reference::pairs(bodies));
  }
}

// Tests are counted, since times depend on the machine. The packings of 125,001 bodies are in bench/levels.cpp.
TEST(multilevel, a_hundred_times_fewer_tests_than_one_level) {
  const samples::set bodies =
      samples::packing(
          {.count = 30'000, .sizes = samples::size_law::inverse_cube, .r_max = 0.5, .ratio = 50, .fraction = 0.4})
          .bodies;
  const auto tests = [&](const std::string& plan) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    EXPECT_TRUE(search.pairs().empty());
    return static_cast<double>(search.stats().tests);
  };
  const double one = tests("multilevel levels=1");
  EXPECT_GT(one, 100 * tests("multilevel"));
  EXPECT_GT(one, 60 * tests("multilevel direction=up"));
}

// A giant or a ratio of 1e100 must cost only a few tests per body, and memory must not grow with space.
TEST(multilevel, giants_specks_and_points_are_quick) {
  samples::random rng(31);
  const auto specks = [&](double size, double r) {
    samples::set bodies;
    for (int k = 0; k < 20'000; ++k) {
      const double x = rng.uniform(0, size);
      const double y = rng.uniform(0, size);
      bodies.add(x, y, rng.uniform(0, size), r);
    }
    return bodies;
  };
  std::vector<std::pair<std::string, samples::set>> all;
  all.emplace_back("a giant", specks(33, 0.5));
  all.back().second.add(50, 15, 15, 40);
  all.emplace_back("a ratio of 1e100", specks(33, 0.5));
  all.back().second.add(0.7e100, 0.7e100, 0, 1e100);
  all.emplace_back("specks of 1e-100", specks(33e-100, 0.5e-100));
  all.back().second.add(1, 1, 0, 1.5);
  all.emplace_back("points", specks(1, 0));
  all.emplace_back("points and one far away", specks(1, 0));
  all.back().second.add(1e12, 0, 0, 0);
  for (const auto& [name, bodies] : all) {
    SCOPED_TRACE(name);
    for (const std::string direction : {"down", "up"}) {
      abut::search search(abut::plan("multilevel direction=" + direction));
      search.update(bodies.view());
      search.for_each_pair([](abut::row, abut::row) {});
      EXPECT_LT(search.stats().tests, 40U * 20'000U);
      EXPECT_LT(search.stats().bytes, 200U * 20'000U);
    }
  }
}

// ---- as in the paper

TEST(multilevel_sizes, levels_are_divided_further_until_there_are_enough) {
  // By hand: {1, 10, 100} of 111 bodies in one level; the fullest is divided where its fuller part is emptiest.
  const std::vector<size_class> classes = {{1, 100, 1000}, {10, 10, 10}, {100, 1, 1}};
  multilevel_split split{.ends = {3}};
  abut::divide_further(classes, 2, split);
  EXPECT_EQ(split.ends, (std::vector<std::size_t>{1, 3})) << "11 bodies per cell, as with {2, 3}, which comes later";
  abut::divide_further(classes, 3, split);
  EXPECT_EQ(split.ends, (std::vector<std::size_t>{1, 2, 3}));
  abut::divide_further(classes, 9, split);
  EXPECT_EQ(split.ends.size(), 3U) << "a class cannot be divided";
}

samples::set inverse_cube_packing(std::size_t count) {
  return samples::packing(
             {.count = count, .sizes = samples::size_law::inverse_cube, .r_max = 0.5, .ratio = 50, .fraction = 0.4})
      .bodies;
}

// Figure 2: any number of levels from 1 to 50. T ~ N L (m + K): each body searches some levels, in each of them some
// cells, whatever the number of levels (K), and meets the fewer bodies the more levels there are (m).
TEST(multilevel_strict, work_is_n_l_times_m_plus_k) {
  const samples::set bodies = inverse_cube_packing(8000);
  double met_before = 1e300;
  for (const std::uint64_t levels : {1U, 2U, 5U, 10U, 25U, 50U}) {
    const std::string asked = "multilevel cells=strict direction=up levels=" + std::to_string(levels);
    const abut::search search = support::searched(asked, bodies);
    EXPECT_EQ(support::counted(search, "levels"), levels);
    const auto visits = static_cast<double>(support::counted(search, "levels searched"));
    const auto cells = static_cast<double>(support::counted(search, "cells visited"));
    const double met = static_cast<double>(search.stats().tests) / visits;
    EXPECT_GE(visits, 8000.0);
    EXPECT_LE(visits, 8000.0 * static_cast<double>(levels));
    EXPECT_GT(visits, 8000.0 * static_cast<double>(levels) * 0.5) << "most bodies are small";
    // On a higher level, a body looks at two or three cells along an axis; on its own level at half of them.
    EXPECT_GT(cells / visits, 2) << levels;
    EXPECT_LE(cells / visits, 27) << levels;
    EXPECT_LT(met, met_before) << levels;
    met_before = met;
  }
}

TEST(multilevel_strict, is_exact_with_any_number_of_levels) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = samples::uniform(kind, dimension, 700, 0.6, 1, 200, 11);
      const auto expected = reference::pairs(bodies, 0.02);
      for (const char* levels : {"", " levels=1", " levels=17", " levels=50", " levels=250"}) {
        for (const char* direction : {" direction=down", " direction=up"}) {
          abut::search search(abut::plan(std::string("multilevel cells=strict") + levels + direction),
                              {.margin = 0.02});
          search.update(bodies.view());
          ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << levels << direction;
        }
      }
    }
  }
}

// Space that no table of cells could hold: memory depends on the bodies alone.
TEST(multilevel_strict, memory_does_not_grow_with_space) {
  samples::random rng(14);
  for (const double edge : {10.0, 1e3, 1e9}) {
    samples::set bodies;
    for (int k = 0; k < 5000; ++k) {
      const double r = 0.5 * std::pow(50, -rng.uniform());
      bodies.add(rng.uniform(0, edge), rng.uniform(0, edge), rng.uniform(0, edge), r);
    }
    const abut::search search = support::searched("multilevel cells=strict levels=50", bodies);
    EXPECT_EQ(support::counted(search, "levels"), 50U);
    EXPECT_LT(search.stats().bytes, 5000U * 400) << edge;
  }
}

// K decides how many levels there are: the paper's 0.2 makes more of them than our 1.6.
TEST(multilevel_overhead, more_of_it_makes_fewer_levels) {
  const samples::set bodies = inverse_cube_packing(8000);
  std::uint64_t before = 41;
  for (const std::string overhead : {"0.01", "0.2", "1.6", "20", "1e9"}) {
    const abut::search search = support::searched("multilevel overhead=" + overhead, bodies);
    EXPECT_LE(support::counted(search, "levels"), before) << overhead;
    EXPECT_EQ(search.planned().parameter_value("overhead"), overhead);
    before = support::counted(search, "levels");
  }
  EXPECT_EQ(before, 1U);
  EXPECT_LT(levels_of(support::searched("multilevel", bodies)),
            levels_of(support::searched("multilevel overhead=0.2", bodies)));
}

}  // namespace
}  // namespace multilevel_test
