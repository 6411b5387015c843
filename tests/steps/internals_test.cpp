// The shared steps behind the methods, each on its own.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "base/sort.hpp"
#include "base/text.hpp"
#include "bodies/world.hpp"
#include "reference.hpp"
#include "samples.hpp"
#include "search/deliver.hpp"
#include "steps/axis_cells.hpp"
#include "steps/cell_lines.hpp"
#include "steps/end_list.hpp"

namespace internals_test {
namespace {

using namespace abut;

std::vector<interval> points(const std::vector<double>& xs) {
  std::vector<interval> all;
  for (const double x : xs) all.push_back({x, x});
  return all;
}

// The index must not decrease with the coordinate, at the given coordinates and in the gaps around them.
void expect_monotone(const axis_cells& axis, std::vector<double> xs) {
  const std::size_t given = xs.size();
  for (std::size_t i = 0; i < given; ++i) {
    xs.push_back(std::nextafter(xs[i], -1e300));
    xs.push_back(std::nextafter(xs[i], 1e300));
    xs.push_back(xs[i] + 0.5);
  }
  std::sort(xs.begin(), xs.end());
  for (std::size_t i = 1; i < xs.size(); ++i) {
    ASSERT_LE(axis.index(xs[i - 1]), axis.index(xs[i])) << xs[i - 1] << " and " << xs[i];
    ASSERT_LT(axis.index(xs[i]), axis.count());
  }
}

TEST(axis_cells, plain_grid_counts_cells) {
  const axis_cells axis(-1, 9, 2, [] { return std::vector<interval>(); });
  EXPECT_FALSE(axis.collapsed());
  EXPECT_EQ(axis.count(), 6U);
  EXPECT_EQ(axis.index(-1), 0U);
  EXPECT_EQ(axis.index(0.99), 0U);
  EXPECT_EQ(axis.index(1), 1U);
  EXPECT_EQ(axis.index(9), 5U);
  EXPECT_EQ(axis.index(-1e9), 0U) << "what lies outside is in the outermost cell";
  EXPECT_EQ(axis.index(1e9), 5U);
}

TEST(axis_cells, collapses_gaps_of_a_huge_space) {
  samples::random random(7);
  std::vector<double> xs;
  for (int cluster = 0; cluster < 50; ++cluster) {
    const double at = random.uniform(-1e12, 1e12);
    for (int i = 0; i < 20; ++i) xs.push_back(at + random.uniform(0, 10));
  }
  xs.push_back(-1e150);
  xs.push_back(1e150);
  const axis_cells axis(-1e150, 1e150, 0.5, [&] { return points(xs); });
  EXPECT_TRUE(axis.collapsed());
  EXPECT_LE(axis.count(), 3 * xs.size());
  expect_monotone(axis, xs);
  // Within a cluster, cells are as fine as without collapsing.
  std::sort(xs.begin(), xs.end());
  for (std::size_t i = 1; i < xs.size(); ++i) {
    if (xs[i] - xs[i - 1] > 1) continue;
    EXPECT_LE(axis.index(xs[i]) - axis.index(xs[i - 1]), 3U);
  }
  EXPECT_GT(axis.index(xs[xs.size() - 2]), axis.index(xs[1]));
}

TEST(axis_cells, tiny_and_denormal_sizes) {
  for (const double size : {1e-150, 1e-300, std::numeric_limits<double>::denorm_min()}) {
    const std::vector<double> xs = {0, 1e-151, 1e-160, 1, 1e150};
    const axis_cells axis(0, 1e150, size, [&] { return points(xs); });
    expect_monotone(axis, xs);
  }
}

TEST(key_sorter, sorts_stably_for_every_number_of_threads) {
  for (const std::size_t n : {0, 1, 2, 1000, 200'000}) {
    for (const int bits : {0, 1, 11, 12, 33, 64}) {
      samples::random random(n + static_cast<std::size_t>(bits));
      std::vector<std::uint64_t> keys(n);
      for (auto& k : keys) k = bits == 0 ? 0 : (random.next() >> (64 - bits)) & (n > 1000 ? ~0ULL : ~7ULL);
      std::vector<row> expected(n);
      std::iota(expected.begin(), expected.end(), 0U);
      std::stable_sort(expected.begin(), expected.end(), [&](row a, row b) { return keys[a] < keys[b]; });
      for (const int threads : {1, 3}) {
        key_sorter sorter;
        sorter.keys = keys;
        sorter.rows.resize(n);
        std::iota(sorter.rows.begin(), sorter.rows.end(), 0U);
        sorter.sort(bits, threads);
        EXPECT_EQ(sorter.rows, expected) << n << " keys of " << bits << " bits";
        EXPECT_TRUE(std::is_sorted(sorter.keys.begin(), sorter.keys.end()));
      }
    }
  }
}

// Counting and insertion sort must give the same order as heap sort, bit by bit: with equal ends, -0 and 0, and all
// magnitudes.
TEST(end_list, every_sort_gives_the_same_order) {
  samples::random random(4);
  const auto some = [&] {
    constexpr double values[] = {-1e150, -1, -1e-300, -0.0, 0.0, 1e-300, 0.5, 1, 1e150};
    return random.below(3) == 0 ? values[random.below(std::size(values))] : random.uniform(-2, 2);
  };
  std::vector<interval> takes(2000);
  for (interval& t : takes) {
    const double a = some();
    const double b = some();
    t = {std::min(a, b), std::max(a, b)};
  }
  const auto taken = [&](row i) { return takes[i]; };
  end_list by_heap;
  end_list by_counting;
  end_list by_insertion;
  by_insertion.sort(takes.size(), taken);
  for (std::size_t i = 0; i < takes.size(); i += 7) takes[i].max += 1e-3;
  std::vector<row> map(takes.size());
  std::iota(map.begin(), map.end(), 0U);
  by_heap.sort(takes.size(), taken);
  by_counting.sort_by_counting(takes.size(), taken);
  const carried_rows rows(map, takes.size());
  moves_allowed moves{1'000'000, 0};
  EXPECT_TRUE(by_insertion.sort_again(rows, taken, moves, [](auto&&...) {}));
  const std::vector<std::uint32_t> expected(by_heap.entries().begin(), by_heap.entries().end());
  const auto same = [&](const end_list& list) {
    return std::equal(expected.begin(), expected.end(), list.entries().begin(), list.entries().end());
  };
  EXPECT_TRUE(same(by_counting));
  EXPECT_TRUE(same(by_insertion));
  for (std::size_t i = 0; i < takes.size(); ++i) takes[i] = {-takes[i].max, -takes[i].min};
  by_heap.sort(takes.size(), taken);
  moves = {100, 0};
  EXPECT_FALSE(by_insertion.sort_again(rows, taken, moves, [](auto&&...) {})) << "too much has moved";
}

TEST(sort_pairs, sorts_by_i_then_j) {
  samples::random random(3);
  for (const std::size_t n : {0, 10, 100'000}) {
    std::vector<abut::pair> pairs(n);
    for (auto& p : pairs) {
      p.i = static_cast<row>(random.below(3000));
      p.j = p.i + 1 + static_cast<row>(random.below(70'000));
    }
    auto expected = pairs;
    std::sort(expected.begin(), expected.end());
    sort_pairs(pairs, 2);
    EXPECT_EQ(pairs, expected);
  }
}

TEST(cell_lines, the_first_line_is_found_from_every_hint) {
  cell_lines<2> cells;
  for (axis_cells& axis : cells.axis) axis = axis_cells(0, 1000, 1, [] { return std::vector<interval>(); });
  samples::random random(5);
  std::vector<std::uint32_t> ys(60);
  for (auto& y : ys) y = static_cast<std::uint32_t>(random.below(200));
  cells.place(ys.size(), 1, [&](std::size_t k, auto& c) {
    c[0] = static_cast<std::uint32_t>(k % 7);
    c[1] = ys[k];
  });
  std::sort(ys.begin(), ys.end());
  ys.erase(std::unique(ys.begin(), ys.end()), ys.end());
  ASSERT_EQ(cells.lines(), ys.size());
  for (std::uint32_t code = 0; code <= 201; ++code) {
    const auto expected = static_cast<std::size_t>(std::lower_bound(ys.begin(), ys.end(), code) - ys.begin());
    for (std::size_t hint = 0; hint <= ys.size() + 2; ++hint) ASSERT_EQ(cells.first_line(code, hint), expected);
  }
}

// More cells than a 64-bit key can number: bodies on the diagonals of a space of 2^31 cells per side and more.
TEST(cell_lines, lines_are_ranked_if_keys_do_not_fit) {
  samples::set bodies;
  samples::random random(9);
  for (int i = 0; i < 3000; ++i) {
    const double x = random.uniform(0, 2e9);
    bodies.add(x, x, x, 0.5);
  }
  bodies.add(0, 0, 0, 0.5);
  bodies.add(2e9, 2e9, 2e9, 0.5);
  bodies.add(0.5, 0, 0, 0.5);
  search center(plan("neighboring-cell store=center cell=1"));
  center.update(bodies.view());
  EXPECT_EQ(center.pairs(), reference::pairs(bodies));
  EXPECT_FALSE(center.pairs().empty());
}

TEST(ordered_delivery, delivers_in_order_on_the_calling_thread) {
  for (const int threads : {1, 2, 5}) {
    ordered_delivery<int> delivery;
    std::vector<int> got;
    const auto caller = std::this_thread::get_id();
    delivery.run(
        threads, 200, [](std::size_t t, std::vector<int>& items) { items.assign(t % 3, static_cast<int>(t)); },
        [&](std::size_t, const std::vector<int>& items) {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          got.insert(got.end(), items.begin(), items.end());
        });
    EXPECT_EQ(got.size(), 199U);
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end()));
  }
}

TEST(ordered_delivery, exceptions_come_out) {
  for (const int threads : {1, 4}) {
    for (const bool finding : {true, false}) {
      ordered_delivery<int> delivery;
      EXPECT_THROW(delivery.run(
                       threads, 500,
                       [&](std::size_t t, std::vector<int>& items) {
                         items.push_back(1);
                         if (finding && t == 77) throw std::runtime_error("find");
                       },
                       [&](std::size_t t, const std::vector<int>&) {
                         if (!finding && t == 77) throw std::runtime_error("deliver");
                       }),
                   std::runtime_error);
    }
  }
}

TEST(for_each_pair, exceptions_of_the_users_function_come_out_and_the_search_goes_on) {
  const auto set = samples::lattice(shape::sphere, 3, 20'000, 1, 0.1, 0.525, 1);
  for (const int threads : {1, 3}) {
    search s(plan("neighboring-cell"), {.threads = threads});
    s.update(set.view());
    const auto all = s.pairs();
    std::size_t seen = 0;
    EXPECT_THROW(s.for_each_pair([&](row, row) {
      if (++seen == 10'000) throw std::runtime_error("enough");
    }),
                 std::runtime_error);
    EXPECT_EQ(seen, 10'000U);
    EXPECT_EQ(s.pairs(), all);
  }
}

TEST(for_each_pair, progress_goes_from_nothing_to_all) {
  const auto set = samples::lattice(shape::sphere, 3, 20'000, 1, 0.1, 0.525, 1);
  for (const int threads : {1, 3}) {
    std::vector<double> parts;
    search s(plan("neighboring-cell"), {.threads = threads, .progress = [&](double part) { parts.push_back(part); }});
    s.update(set.view());
    s.for_each_pair([](row, row) {});
    ASSERT_FALSE(parts.empty());
    EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
    EXPECT_DOUBLE_EQ(parts.back(), 1);
  }
}

// An incremental method is told where rows have gone, ghosts included.
TEST(world, maps_rows_and_ghosts) {
  const options periodic{.periodic = {interval{0, 10}, interval{0, 10}}};
  std::vector<double> x = {0.1, 5, 9.9};
  std::vector<double> y = {0.1, 5, 5};
  const world before(spheres(x, y, 0.4), periodic, 1);
  ASSERT_GT(before.size(), before.own()) << "the first body has images";
  // Row 0 goes to row 2, row 1 is gone, row 2 goes to row 0; row 1 is new.
  x = {9.9, 3, 0.1};
  y = {5, 3, 0.1};
  const world now(spheres(x, y, 0.4), periodic, 1);
  const std::vector<row> new_rows = {2, no_row, 0};
  const std::vector<row> map = now.map_from(before, new_rows);
  ASSERT_EQ(map.size(), before.size());
  EXPECT_EQ(std::vector<row>(map.begin(), map.begin() + 3), new_rows);
  for (std::size_t g = before.own(); g < before.size(); ++g) {
    const auto image = std::get<sphere>(before.get(static_cast<row>(g)));
    ASSERT_NE(map[g], no_row);
    EXPECT_GE(map[g], now.own());
    EXPECT_EQ(std::get<sphere>(now.get(map[g])).center, image.center) << "the image of the same body, shifted alike";
  }
}

// The measures of one pass, made block by block, equal those of a plain loop over all bodies.
void expect_measured(const samples::set& bodies) {
  const measures m = check(bodies.view(), 1);
  const auto d = static_cast<std::size_t>(bodies.dimension);
  std::vector<double> widths(bodies.size());
  for (std::size_t k = 0; k < d; ++k) {
    double lower = std::numeric_limits<double>::infinity();
    double upper = -lower;
    double widest = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double at = bodies.column[k][i];
      const double other = bodies.column[bodies.kind == shape::box ? d + k : d][i];
      const bool box = bodies.kind == shape::box;
      lower = std::min(lower, box ? at : at - other);
      upper = std::max(upper, box ? other : at + other);
      const double width = box ? other - at : 2 * other;
      widest = std::max(widest, width);
      widths[i] = std::max(widths[i], width);
    }
    EXPECT_EQ(m.lower[k], lower);
    EXPECT_EQ(m.upper[k], upper);
    EXPECT_EQ(m.widest[k], widest);
  }
  EXPECT_EQ(m.least_width, *std::min_element(widths.begin(), widths.end()));
  const double mean = std::accumulate(widths.begin(), widths.end(), 0.0) / static_cast<double>(widths.size());
  EXPECT_NEAR(m.mean_width, mean, 1e-12 * mean);
}

TEST(world, measures_all_bodies) {
  for (const std::size_t count : {1, 7, 256, 1000}) {
    for (const int dimension : {2, 3}) {
      const samples::set balls = samples::uniform(shape::sphere, dimension, count, 0.3, 1, 4, count);
      expect_measured(balls);
      samples::random rng(count);
      samples::set bricks{.kind = shape::box, .dimension = dimension};
      for (std::size_t i = 0; i < count; ++i) {
        const std::array<double, 3> min{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)};
        bricks.add_box(min, {min[0] + rng.uniform(0, 2), min[1] + rng.uniform(0, 2), min[2] + rng.uniform(0, 2)});
      }
      expect_measured(bricks);
    }
  }
}

// A world with periods holds the wrapped columns, the ghosts and one byte per row.
TEST(world, counts_its_bytes) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 1000, 0.3, 1, 4, 5);
  EXPECT_EQ(world(bodies.view(), {}, 1).bytes(), 0U);
  const world periodic(bodies.view(), {.periodic = {interval{0, 8}, {}, {}}}, 1);
  ASSERT_GT(periodic.size(), periodic.own());
  EXPECT_GE(periodic.bytes(), periodic.size() * (4 * sizeof(double) + 1) + (periodic.size() - periodic.own()) * 8);
  EXPECT_LE(periodic.bytes(), 3 * periodic.size() * (4 * sizeof(double) + 1 + 8));
}

TEST(widened, leaves_room_for_rounding_and_underflow) {
  for (const double c : {0.0, 1e-200, 0.1, 3.7e9, -1e150}) {
    for (const double r : {0.0, 1e-170, 0.3, 1e149}) {
      const interval room = widened(c - r, c + r);
      EXPECT_LT(room.min, c - r);
      EXPECT_GT(room.max, c + r);
      EXPECT_LE(room.max - room.min, 2 * r + 1e-13 * (std::abs(c) + r) + 3e-150) << "but not more than needed";
    }
  }
}

TEST(names, nearest_is_few_edits_away) {
  const std::vector<std::string_view> names = {"pairing", "bounding-volume", "neighboring-cell"};
  EXPECT_EQ(nearest_name("naighboring-cell", names), "neighboring-cell");
  EXPECT_EQ(nearest_name("Pairing", names), "pairing");
  EXPECT_EQ(nearest_name("neighboring", names), "neighboring-cell");
  EXPECT_EQ(nearest_name("neighbring", names), "neighboring-cell");
  EXPECT_EQ(nearest_name("paring", names), "pairing");
  EXPECT_EQ(nearest_name("qqqqqq", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

TEST(names, numbers_read_back_as_themselves) {
  for (const double v : {0.1, 1.0, 1e-300, 1.2345678901234567, 1e150}) {
    double back = 0;
    EXPECT_TRUE(parse_number(number_text(v), back));
    EXPECT_EQ(back, v);
  }
  double ignored = 0;
  for (const char* wrong : {"", " 1", "1 ", "1x", "nan", "inf", "1e999", "0,5"}) {
    EXPECT_FALSE(parse_number(wrong, ignored)) << wrong;
  }
}

}  // namespace
}  // namespace internals_test
