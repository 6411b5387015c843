// What is special to mr and mmr (Munjiza et al. 2006): the middle cell, the contact mask, cells that are adjacent
// whatever the rounding, MR sort if its assumption does not hold, and memory.

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "counted.hpp"
#include "generators.hpp"
#include "methods/mr/frame.hpp"
#include "methods/mr/mixed_radix.hpp"
#include "support.hpp"

namespace mr_test {
namespace {

using abut::cell_digits;
using abut::shape;
namespace samples = abut::samples;

// ---- the parts

TEST(mixed_radix, the_middle_cell_of_the_papers_example) {
  // (15) to (17): z y x digits 022 and 321 with 5 cells in x and 6 in y.
  const cell_digits<3> m = {2, 2, 0};
  const cell_digits<3> M = {1, 2, 3};
  EXPECT_EQ(abut::middle_cell<3>(m, M, {5, 6, 7}), (cell_digits<3>{1, 5, 1}));
}

TEST(mixed_radix, the_middle_is_half_the_sum) {
  samples::random rng(1);
  for (int k = 0; k < 2000; ++k) {
    const cell_digits<3> radix = {static_cast<std::uint32_t>(1 + rng.below(9)),
                                  static_cast<std::uint32_t>(1 + rng.below(9)), 1000};
    const std::uint64_t plane = std::uint64_t{radix[0]} * radix[1];
    const auto digits = [&](std::uint64_t n) {
      return cell_digits<3>{static_cast<std::uint32_t>(n % radix[0]),
                            static_cast<std::uint32_t>(n / radix[0] % radix[1]), static_cast<std::uint32_t>(n / plane)};
    };
    const std::uint64_t a = rng.below(1000 * plane);
    const std::uint64_t b = rng.below(1000 * plane);
    ASSERT_EQ(abut::middle_cell<3>(digits(a), digits(b), radix), digits((a + b) / 2)) << a << " and " << b;
  }
}

TEST(mixed_radix, digits_of_32_bits_do_not_overflow) {
  constexpr std::uint32_t most = 4294967295U;
  const cell_digits<3> last = {most - 1, most - 1, most - 1};
  EXPECT_EQ(abut::middle_cell<3>(last, last, {most, most, most}), last);
  // Half of an odd z carries down to y, and half of that, odd again, to x.
  EXPECT_EQ(abut::middle_cell<3>({0, 0, 0}, {0, 0, most}, {most, most, most}),
            (cell_digits<3>{most / 2, most / 2, most / 2}));
}

template <int D>
void expect_half_of_all_neighbors() {
  std::set<std::array<int, 3>> cells;
  for (const abut::mask_line& r : abut::contact_mask<D>) {
    for (int x = r.from; x <= r.to; ++x) {
      const std::array<int, 3> c = {r.z, r.y, x};
      EXPECT_LT(c, (std::array<int, 3>{0, 0, 0})) << "the mask comes before the central cell";
      EXPECT_TRUE(cells.insert(c).second && cells.insert({-r.z, -r.y, -x}).second) << "a cell is in the mask twice";
    }
  }
  EXPECT_EQ(cells.size(), D == 3 ? 26U : 8U);
  EXPECT_EQ(abut::contact_mask<D>.size(), D == 3 ? 5U : 2U);
}

TEST(contact_mask, has_thirteen_cells_in_five_lines_and_in_two_dimensions_four_in_two) {
  expect_half_of_all_neighbors<3>();
  expect_half_of_all_neighbors<2>();
}

TEST(least_neighbor, is_the_least_of_the_twenty_seven_that_is_not_before) {
  samples::random rng(2);
  const auto any = [&] {
    cell_digits<3> c{};
    for (auto& digit : c) digit = static_cast<std::uint32_t>(1 + rng.below(5));
    return c;
  };
  for (int k = 0; k < 20000; ++k) {
    const cell_digits<3> c = any();
    const cell_digits<3> from = any();
    std::optional<cell_digits<3>> least;
    for (std::uint32_t z = c[2] - 1; z <= c[2] + 1; ++z) {
      for (std::uint32_t y = c[1] - 1; y <= c[1] + 1; ++y) {
        for (std::uint32_t x = c[0] - 1; x <= c[0] + 1; ++x) {
          const cell_digits<3> n = {x, y, z};
          if (!least && abut::cell_key<3>(from) <= abut::cell_key<3>(n)) least = n;
        }
      }
    }
    ASSERT_EQ(abut::least_neighbor<3>(c, from), least);
  }
}

// ---- cells

// Bodies that overlap are in the same or in neighboring cells, even in a frame that was made for other bodies.
template <shape S>
void expect_neighbors(const samples::set& bodies, double margin, const samples::set& before) {
  const abut::world old(before.view(), {.margin = margin}, 1);
  const abut::world w(bodies.view(), {.margin = margin}, 1);
  const auto first = abut::mr_frame<3>().next(old, old.measured().widest);
  for (const auto& frame : {abut::mr_frame<3>().next(w, w.measured().widest), first.next(w, w.measured().widest)}) {
    for (const abut::pair p : reference::pairs(bodies, margin)) {
      const auto a = frame.cell(w, p.i);
      const auto b = frame.cell(w, p.j);
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_LE(a[k] > b[k] ? a[k] - b[k] : b[k] - a[k], 1U)
            << "axis " << k << ", margin " << margin << ": " << support::body_text(bodies, p.i) << " and "
            << support::body_text(bodies, p.j);
      }
    }
  }
}

TEST(mr_frame, bodies_that_touch_are_in_neighboring_cells) {
  for (const double offset : {0.0, 1e8, -1e15, 1e17}) {
    for (const double margin : {0.0, 0.1, 3.0}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        samples::set spheres = samples::touching(shape::sphere, 3, 300, seed, margin);
        samples::set boxes = samples::touching(shape::box, 3, 300, seed, margin);
        samples::translate(spheres, offset);
        samples::translate(boxes, offset);
        expect_neighbors<shape::sphere>(spheres, margin, spheres);
        expect_neighbors<shape::box>(boxes, margin, boxes);
      }
    }
  }
}

// The worst case: a body just before the border of a cell, and the farthest one that still touches it. In cells of the
// largest diameter, without room for rounding, some of these would be two cells apart.
TEST(mr_frame, nothing_reaches_past_the_next_cell) {
  for (const auto& [radius, offset] : {std::pair(0.05, 0.0), {0.35, 1e3}, {1.0 / 3, -1e9}, {1e-3, 7e5}}) {
    const double r = radius;
    samples::set bodies;
    for (int k = 0; k < 400; ++k) bodies.add(offset + 2 * r * k, offset, offset, r);
    const abut::world w(bodies.view(), {}, 1);
    const auto frame = abut::mr_frame<3>().next(w, w.measured().widest);
    const auto cell_at = [&](double x) {
      bodies.column[0][0] = x;  // the world reads in place
      return frame.cell(w, 0)[0];
    };
    for (int k = 1; k < 399; ++k) {
      // The first number of a cell, by bisection.
      double before = offset + 2 * r * k;
      double first = before + 3 * r;
      const std::uint32_t cell = cell_at(before);
      for (double middle = 0; (middle = before + (first - before) / 2) > before && middle < first;) {
        (cell_at(middle) == cell ? before : first) = middle;
      }
      const auto touches = [&](double x) {
        return abut::overlap(abut::sphere{{before, 0, 0}, r}, abut::sphere{{x, 0, 0}, r}, 0.0);
      };
      double last = before + 2 * r;
      while (!touches(last)) last = std::nextafter(last, before);
      while (touches(std::nextafter(last, 1e300))) last = std::nextafter(last, 1e300);
      ASSERT_EQ(cell_at(before), cell);
      ASSERT_LE(cell_at(last), cell + 1) << support::number(before) << " and " << support::number(last);
    }
  }
}

// overlap rounds max + margin at the magnitude of the coordinates; cells of the width plus the margin would be too
// small.
TEST(mr_frame, boxes_whose_margin_is_rounded_up) {
  samples::set boxes{.kind = shape::box, .dimension = 3};
  for (int k = 0; k < 40; ++k) {
    const double x = 0x1p53 + 2 * k;
    boxes.add_box({x, 0, 0}, {x, 1, 1});
  }
  ASSERT_EQ(reference::pairs(boxes, 1.0000001).size(), 39U);
  expect_neighbors<shape::box>(boxes, 1.0000001, boxes);
}

TEST(mr_frame, points_gaps_and_bodies_outside) {
  samples::set points;
  samples::random rng(5);
  for (int k = 0; k < 200; ++k) {
    const double x = rng.uniform(-1, 1);
    for (int twice = 0; twice < 2; ++twice) points.add(x, x * 1e140, 0, 0);
    points.add(x, std::nextafter(x * 1e140, 0), 1e-170, 0);
  }
  expect_neighbors<shape::sphere>(points, 0, points);
  // Gaps of many cells are collapsed, then bodies appear in them: a frame made for the clusters must hold others too.
  const samples::set clusters = samples::clusters(shape::sphere, 3, 300, 30, 1e13, 0.5, 3);
  samples::set moved = clusters;
  for (const auto& c : {0, 1, 2}) {
    for (double& x : moved.column[static_cast<std::size_t>(c)]) x = x * 0.7 - 1e12;
  }
  expect_neighbors<shape::sphere>(clusters, 0, clusters);
  expect_neighbors<shape::sphere>(clusters, 0.5, moved);
}

// ---- sorting

std::map<std::string, std::uint64_t> events(const abut::search& search) {
  std::map<std::string, std::uint64_t> all;
  for (const auto& e : search.stats().events) all[e.name] = e.count;
  return all;
}

class mr_moving : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_exact() {
    search.update(bodies.view());
    ASSERT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
  }
  void move(double by) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (double& x : bodies.column[k]) x += rng.uniform(-by, by);
    }
  }

  samples::random rng{7};
  samples::set bodies = samples::lattice(shape::sphere, 3, 1000, 1, 0.2, 0.52, 1);
  abut::search search{abut::plan(GetParam())};
};

// The assumption of MR sort holds: no body moves by more than a cell. Then nothing is sorted anew, and no move counts
// as far.
TEST_P(mr_moving, slow_bodies_are_never_sorted_anew) {
  expect_exact();
  const auto first = events(search);
  for (int step = 0; step < 30; ++step) {
    move(step % 3 == 0 ? 0.9 : 0.05);
    expect_exact();
  }
  EXPECT_EQ(events(search), first);
  EXPECT_EQ(first.at("far moves"), 0U);
}

TEST_P(mr_moving, teleports_are_placed_one_by_one) {
  expect_exact();
  const auto first = events(search);
  for (int step = 0; step < 30; ++step) {
    move(0.05);
    for (std::size_t k = 0; k < 5; ++k) {
      const std::size_t i = 200 * k + rng.below(200);
      double& x = bodies.column[0][i];
      x = x < 5 ? rng.uniform(8, 10) : rng.uniform(0, 2);  // by at least three cells
      bodies.column[1][i] = rng.uniform(0, 10);
      bodies.column[2][i] = rng.uniform(0, 10);
    }
    expect_exact();
  }
  EXPECT_EQ(events(search).at("sorts anew"), first.at("sorts anew"));
  if (GetParam().find("memory=") == std::string::npos) {
    EXPECT_EQ(events(search).at("far moves"), 30U * 5);
  } else {
    // Without the integers, far moves are recognized only by comparison with other bodies.
    EXPECT_GT(events(search).at("far moves"), 30U);
    EXPECT_LT(events(search).at("far moves"), 30U * 5 * 2);
  }
}

TEST_P(mr_moving, a_random_walk_of_ten_cells_per_step) {
  bodies = samples::lattice(shape::sphere, 3, 3000, 1, 0.2, 0.52, 1);
  expect_exact();
  const auto first = events(search);
  for (int step = 0; step < 8; ++step) {
    move(10);
    if (step > 4) move(1.5);  // about equally many near and far moves
    expect_exact();
  }
  EXPECT_GT(events(search).at("sorts anew"), first.at("sorts anew"));
  EXPECT_GT(events(search).at("far moves"), 0U);
}

TEST_P(mr_moving, other_cells) {
  expect_exact();
  for (int step = 0; step < 30; ++step) {
    move(0.05);
    const double largest = step % 10 == 7 ? 4 : 0.52 + 0.01 * rng.uniform();  // a giant for one step
    bodies.column[3][rng.below(bodies.size())] = largest;
    expect_exact();
    for (double& r : bodies.column[3]) r = std::min(r, 0.52);
  }
}

// The frame of the cells follows bodies that drift out of it slowly, without sorting anew.
TEST_P(mr_moving, a_drift_out_of_the_frame) {
  bodies = samples::lattice(shape::sphere, 3, 1500, 1, 0.2, 0.52, 1);
  expect_exact();
  const auto first = events(search);
  for (int step = 0; step < 200; ++step) {
    move(0.05);
    for (double& x : bodies.column[0]) x += 0.9;
    search.update(bodies.view());
    if (step % 20 == 0) expect_exact();
  }
  EXPECT_EQ(events(search), first);
}

// Neighbors that jump ahead together look right to each other.
TEST_P(mr_moving, two_that_jump_together) {
  expect_exact();
  const auto first = events(search);
  for (int step = 0; step < 5; ++step) {
    const auto at = [&](std::size_t i) { return bodies.column[2][i] + 1e-3 * bodies.column[1][i]; };
    std::vector<std::size_t> order(bodies.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t c = 0; c < 3; ++c) bodies.column[c][order[k]] = 9;
    }
    expect_exact();
  }
  EXPECT_EQ(events(search).at("sorts anew"), first.at("sorts anew"));
  EXPECT_LT(events(search).at("far moves"), 5U * 3 * 20);
}

// All bodies drift out of the frame at once; then one at a time flies so far that gaps must be collapsed, and comes
// back.
TEST_P(mr_moving, other_frames) {
  expect_exact();
  for (int step = 0; step < 30; ++step) {
    move(0.05);
    for (double& x : bodies.column[0]) x += 7;
    bodies.column[1][5] = step % 4 == 1 ? 1e14 : 3;
    bodies.column[2][6] = step % 5 == 2 ? -1e150 : 3;
    expect_exact();
  }
}

TEST_P(mr_moving, so_many_go_back_that_stops_would_be_far_apart) {
  bodies = samples::lattice(shape::sphere, 3, 4096, 1, 0.05, 0.52, 1);
  expect_exact();
  const auto before = search.tasks();
  for (int step = 0; step < 3; ++step) {
    // All but the first bodies of each plane move down by nearly a cell.
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies.column[1][i] > 0.5) bodies.column[2][i] -= 0.95;
    }
    expect_exact();
  }
  EXPECT_EQ(search.tasks(), before);
}

INSTANTIATE_TEST_SUITE_P(plans, mr_moving,
                         ::testing::Values("mr", "mr memory=recompute", "mmr alpha=1.5", "mmr memory=recompute",
                                           "mmr memory=one-list"),
                         [](const auto& test) { return support::name(test.param); });

// A quadratic sort would take long on these: all in one cell, two far clusters, coordinates that halve.
TEST(mr_quick_sort, takes_its_time_from_the_bits_of_the_range) {
  for (const char* plan : {"mr", "mr memory=recompute"}) {
    samples::random rng(9);
    samples::set one_cell, two_clusters, halving;
    for (int k = 0; k < 200'000; ++k) {
      one_cell.add(rng.uniform(), rng.uniform(), rng.uniform(), k == 0 ? 1e3 : 0);
      two_clusters.add(rng.uniform() + (k % 2 == 0 ? 0 : 1e9), rng.uniform(), rng.uniform(), k == 0 ? 10 : 0);
      halving.add(std::ldexp(1, k % 30), std::ldexp(1, k / 30 % 30), std::ldexp(1, k / 900 % 30), 0.25);
    }
    for (const samples::set* bodies : {&one_cell, &two_clusters, &halving}) {
      abut::search search{abut::plan(plan)};
      search.update(bodies->view());
      EXPECT_EQ(support::rows_in(search, abut::box{{-1e12, -1e12, -1e12}, {1e12, 1e12, 1e12}}).size(), bodies->size());
    }
  }
}

// ---- memory and work

// (25) and (26): 5 or 4 integers per body with the integerized coordinates, 2 without, plus a stop for every 64 bodies.
TEST(mr_memory, is_the_papers) {
  constexpr std::size_t n = 125'000;
  for (const int dimension : {2, 3}) {
    for (const bool keep : {true, false}) {
      samples::set bodies = samples::lattice(shape::sphere, dimension, n, 1, 0.2, 0.5, 1);
      abut::search search{abut::plan(keep ? "mr" : "mr memory=recompute")};
      const std::size_t integers = keep ? 2 + static_cast<std::size_t>(dimension) : 2;
      for (int step = 0; step < 4; ++step) {
        search.update(bodies.view());
        const std::size_t all = bodies.size() * integers * 4;
        EXPECT_GE(search.stats().bytes, all);
        EXPECT_LE(search.stats().bytes, all + bodies.size() / 8 + 200) << "step " << step;
        for (double& x : bodies.column[0]) x += 0.1;
        if (step == 2) bodies.add(0, 0, 0, 0.5);
      }
    }
  }
}

TEST(mr_work, tests_do_not_depend_on_density) {
  for (const double spacing : {1.0, 200.0}) {
    const samples::set bodies = samples::lattice(shape::sphere, 3, 27'000, spacing, 0.1 / spacing, 0.5, 1);
    abut::search search{abut::plan("mr")};
    search.update(bodies.view());
    (void)search.pairs();
    const double tests = static_cast<double>(search.stats().tests) / 27'000;
    EXPECT_NEAR(tests, spacing == 1 ? 12.5 : 0, 1) << "half of the bodies in 27 cells, less at the faces";
  }
}

// ---- steps

std::size_t steps_of(const abut::search& search) { return std::stoul(search.planned().reason()); }

TEST(mmr, ratios_up_to_1024_in_eleven_steps) {
  for (const double ratio : {1.0, 2.0, 32.0, 1024.0}) {
    for (const int dimension : {2, 3}) {
      for (const shape kind : {shape::sphere, shape::box}) {
        samples::set bodies = samples::uniform(kind, dimension, 1500, 0.5, 1, ratio, 3);
        abut::search search{abut::plan("mmr alpha=2")};
        search.update(bodies.view());
        const auto expected = reference::pairs(bodies);
        ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << ratio;
        EXPECT_LE(steps_of(search), 11U);
        EXPECT_GE(steps_of(search), ratio == 1024 ? 10U : 1U);
      }
    }
  }
}

TEST(mmr, any_ratio_in_sixteen_steps_at_most) {
  samples::random rng(4);
  samples::set bodies;
  for (int k = 0; k < 600; ++k) {
    const double r = k % 7 == 0 ? 0 : std::pow(10, rng.uniform(-100, 0));
    bodies.add(k % 50, 0.4 * (k % 11), k % 3 == 0 ? 0 : r, r);
  }
  const auto expected = reference::pairs(bodies);
  for (const char* plan : {"mmr", "mmr alpha=1.0000000001", "mmr alpha=1e300", "mmr memory=recompute"}) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << plan;
    EXPECT_LE(steps_of(search), 16U);
  }
}

// Why there are steps: mr compares small bodies with each other because a large one makes the cells large.
TEST(mmr, tests_far_less_than_mr_if_sizes_differ) {
  const samples::set bodies =
      samples::packing({.count = 4000, .sizes = samples::size_law::by_mass, .ratio = 32, .fraction = 0.4}).bodies;
  std::uint64_t tests[2] = {};
  for (const int steps : {0, 1}) {
    abut::search search{abut::plan(steps == 1 ? "mmr" : "mr")};
    search.update(bodies.view());
    (void)search.pairs();
    tests[steps] = search.stats().tests;
  }
  EXPECT_LT(tests[1] * 10, tests[0]);
}

// ---- as in the paper: one list, step after step

// The sizes of the paper's experiment, diameters 1 to 1/32, with bodies of every size between them.
samples::set of_all_sizes(shape kind, int dimension, std::size_t count) {
  samples::random rng(11);
  samples::set bodies{.kind = kind, .dimension = dimension};
  const double edge = dimension == 2 ? 12 : 5;
  for (std::size_t k = 0; k < count; ++k) {
    const double r = 0.5 * std::pow(32, -static_cast<double>(k) / static_cast<double>(count - 1));
    bodies.add(rng.uniform(0, edge), rng.uniform(0, edge), rng.uniform(0, edge), r);
  }
  return bodies;
}

TEST(mmr_one_list, has_as_many_steps_as_asked_for) {
  for (const int dimension : {2, 3}) {
    for (const shape kind : {shape::sphere, shape::box}) {
      samples::set bodies = of_all_sizes(kind, dimension, 2000);
      for (const std::size_t steps : {1U, 32U, 40U}) {
        for (const std::string memory : {"one-list", "keep"}) {
          abut::search search{abut::plan("mmr steps=" + std::to_string(steps) + " memory=" + memory)};
          for (int step = 0; step < 2; ++step) {
            search.update(bodies.view());
            ASSERT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies)) << memory;
            EXPECT_EQ(support::counted(search, "steps"), steps);
            samples::translate(bodies, 0.001);
          }
        }
      }
    }
  }
}

// 32 groups by alpha: a body is in the list of each step up to that of its own group, and is then removed.
TEST(mmr_one_list, later_steps_cost_what_remains_in_the_list) {
  const samples::set bodies = of_all_sizes(shape::sphere, 3, 3000);
  const double alpha = std::pow(32, 1 / 31.5);
  abut::search search = support::searched("mmr memory=one-list alpha=" + support::number(alpha), bodies);
  std::uint64_t remaining = 0;
  for (const double r : bodies.column[3]) {
    remaining += 1 + static_cast<std::uint64_t>(std::log(0.5 / r) / std::log(alpha));
  }
  EXPECT_EQ(support::counted(search, "steps"), 32U);
  EXPECT_EQ(support::counted(search, "bodies in all steps"), remaining);
  EXPECT_LT(remaining, 32U * 3000 * 6 / 10) << "about half of n N, since sizes are equally frequent";
  // (34), counted: n times the steps of MR's pointers at most.
  const abut::search mr = support::searched("mr", bodies);
  EXPECT_LT(support::counted(search, "pointer steps"), 32 * support::counted(mr, "pointer steps"));
  EXPECT_LT(search.stats().tests, mr.stats().tests);
}

// (35): the memory of MR, before a search and after it, and what steps need is not per body.
TEST(mmr_one_list, takes_the_memory_of_mr) {
  const samples::set bodies = of_all_sizes(shape::sphere, 3, 50'000);
  abut::search mr{abut::plan("mr memory=recompute")};
  abut::search search{abut::plan("mmr memory=one-list steps=40")};
  mr.update(bodies.view());
  search.update(bodies.view());
  for (int k = 0; k < 2; ++k) {
    EXPECT_GE(search.stats().bytes, 2U * 4 * 50'000);
    EXPECT_LE(search.stats().bytes, mr.stats().bytes + 8 + 40 * 4 * 8);
    search.for_each_pair([](abut::row, abut::row) {});
  }
}

// A search uses links of the list for its steps. While it does, regions and further searches still find everything, and
// so does the next update, even if the search was left by an exception.
TEST(mmr_one_list, can_be_searched_while_it_is_searched) {
  samples::set bodies = of_all_sizes(shape::sphere, 3, 1500);
  const std::vector<abut::pair> expected = reference::pairs(bodies);
  const abut::region where = abut::sphere{{2, 2, 2}, 1};
  abut::search search{abut::plan("mmr memory=one-list"), {.threads = 1}};
  search.update(bodies.view());
  std::size_t batches = 0;
  search.for_each_batch([&](std::size_t, std::span<const abut::pair>) {
    EXPECT_EQ(support::rows_in(search, where), reference::in(bodies, where, 0));
    ++batches;
  });
  EXPECT_GT(batches, 1U) << "too few pairs to say something";
  struct enough {};
  EXPECT_THROW(search.for_each_batch([](std::size_t, std::span<const abut::pair>) { throw enough(); }), enough);
  EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
  std::vector<abut::pair> outer;
  std::vector<abut::pair> inner;
  search.for_each_batch([&](std::size_t, std::span<const abut::pair> some) {
    if (inner.empty()) {
      search.for_each_batch(
          [&](std::size_t, std::span<const abut::pair> p) { inner.insert(inner.end(), p.begin(), p.end()); });
    }
    outer.insert(outer.end(), some.begin(), some.end());
  });
  EXPECT_EQ(inner, outer);
  EXPECT_EQ(support::sorted(outer), expected);
  for (double& x : bodies.column[0]) x += 0.01;
  bodies.column[2][7] = -3;
  search.update(bodies.view());
  EXPECT_EQ(support::counted(search, "quick sort steps"), support::event(search, "far moves"))
      << "mended, not sorted anew";
  EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
}

}  // namespace
}  // namespace mr_test
