// The grid: every instruction set of the machine, the filter's doubts, levels, and the order of bodies.

#include <cmath>
#include <functional>
#include <set>

#include "bodies/columns.hpp"
#include "generators.hpp"
#include "instruction_sets.hpp"
#include "methods/grid/sizes.hpp"
#include "support.hpp"

namespace grid_test {
namespace {

using abut::shape;
using support::with_each_instruction_set;
namespace samples = abut::samples;

std::vector<abut::pair> pairs_of(const samples::set& bodies, const char* plan, double margin, int threads) {
  abut::search search(abut::plan(plan), {.margin = margin, .threads = threads});
  search.update(bodies.view());
  return support::ordered(search);
}

// More followers in a line than 16 bits can count: one large body makes lines so high that all others share one.
TEST(grid, counts_more_than_32767_bodies_within_reach) {
  constexpr std::size_t count = 33'500;
  samples::set bodies{.kind = shape::sphere, .dimension = 2};
  bodies.add(0, 0, 0, 1);
  for (std::size_t k = 1; k < count; ++k) bodies.add(0.5 + 1e-5 * static_cast<double>(k), 0.1, 0, 4e-6);
  bodies.add(bodies.column[0][1] + 1e-6, 0.1, 0, 1e-5);  // touches the first of them, 33,499 places before
  with_each_instruction_set([&](const char* name) {
    SCOPED_TRACE(name);
    const auto found = support::sorted(pairs_of(bodies, "grid levels=1", 0, 1));
    ASSERT_EQ(found, support::sorted(pairs_of(bodies, "grid levels=24", 0, 1)));
    ASSERT_EQ(found, support::sorted(pairs_of(bodies, "sweep-and-prune", 0, 1)));
  });
}

TEST(grid, every_instruction_set_finds_the_pairs_of_the_reference) {
  with_each_instruction_set([](const char* name) {
    SCOPED_TRACE(name);
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        for (const double ratio : {1.0, 1.3, 8.0, 300.0}) {
          const auto bodies = samples::uniform(kind, dimension, 700, 0.4, 0.5, ratio, 3);
          for (const double margin : {0.0, 0.07}) {
            const auto expected = reference::pairs(bodies, margin);
            for (const char* plan : {"grid", "grid levels=1", "grid levels=3", "grid levels=24"}) {
              const auto found = pairs_of(bodies, plan, margin, 1);
              ASSERT_EQ(support::sorted(found), expected) << plan << ", ratio " << ratio;
              ASSERT_EQ(pairs_of(bodies, plan, margin, 2), found) << plan << ", two threads";
            }
          }
        }
      }
    }
  });
}

// A named plan gives the same order on every machine: which pairs are in doubt is the same with long and short vectors
// too.
TEST(grid, every_instruction_set_finds_pairs_in_the_same_order) {
  std::vector<std::pair<std::string, samples::set>> all;
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const double ratio : {1.0, 8.0}) {
        all.emplace_back("uniform", samples::uniform(kind, dimension, 3000, 0.6, 0.5, ratio, 4));
      }
      all.emplace_back("lattice", samples::lattice(kind, dimension, 3000, 1, 0, 0.5, 5));  // all in doubt
      all.emplace_back("clusters", samples::clusters(kind, dimension, 3000, 100, 1e7, 0.5, 6));
    }
  }
  for (const auto& named : all) {
    const auto expected = pairs_of(named.second, "grid", 0.01, 1);
    with_each_instruction_set([&](const char* name) {
      EXPECT_EQ(pairs_of(named.second, "grid", 0.01, 1), expected) << named.first << ", " << name;
    });
  }
}

// A lattice whose neighbors touch exactly, miss by one unit in the last place, or overlap by one, near the origin and
// far from it: single precision cannot tell these apart, and units are coarser than that.
TEST(grid, every_instruction_set_decides_doubts_in_double) {
  with_each_instruction_set([](const char* name) {
    SCOPED_TRACE(name);
    for (const double offset : {0.0, 1.0 / 3, 1e3, 1e7}) {
      for (const double step : {-1.0, 0.0, 1.0}) {
        samples::set bodies;
        const double ulp = std::nextafter(offset + 20, 1e300) - (offset + 20);
        for (int k = 0; k < 512; ++k) {
          const double x = k % 8;
          const double y = k / 8 % 8;
          const double z = k / 64;
          bodies.add(offset + x + (k % 3) * step * ulp, offset + y, offset + z, 0.5);
        }
        bodies.add(offset + 100, offset + 100, offset + 100, 3);  // makes several levels and a wider space
        EXPECT_EQ(support::sorted(pairs_of(bodies, "grid", 0, 1)), reference::pairs(bodies))
            << "offset " << offset << ", step " << step;
      }
    }
  });
}

// What a step does to the bodies of the last one. After some changes they fit the frames and buckets of the last
// update, after others they do not.
struct change {
  const char* name;
  std::function<void(samples::set&)> make;
};

const std::vector<change>& changes() {
  static const auto shift = [](samples::set& b, std::size_t axis, std::size_t i, double by) {
    b.column[axis][i] += by;
    if (b.kind == shape::box) b.column[axis + static_cast<std::size_t>(b.dimension)][i] += by;
  };
  static const auto squeeze = [](samples::set& b, double by) {
    const auto last = static_cast<std::size_t>(b.dimension - 1);
    for (std::size_t i = 2; i < b.size(); ++i) shift(b, last, i, (b.column[last][i] - b.column[last][0]) * (by - 1));
  };
  static const std::vector<change> all = {{"stay", [](samples::set&) {}},
                                          {"move a little",
                                           [](samples::set& b) {
                                             samples::random rng(8);
                                             for (std::size_t i = 0; i < b.size(); ++i)
                                               shift(b, i % 2, i, rng.uniform(-0.01, 0.01));
                                           }},
                                          {"gather at one end, two stay", [](samples::set& b) { squeeze(b, 0.5); }},
                                          {"part again", [](samples::set& b) { squeeze(b, 2); }},
                                          {"one leaves", [](samples::set& b) { shift(b, 0, b.size() / 2, 1e3); }},
                                          {"it is back", [](samples::set& b) { shift(b, 0, b.size() / 2, -1e3); }},
                                          {"sizes change places",
                                           [](samples::set& b) {
                                             if (b.kind == shape::sphere)
                                               std::reverse(b.column[static_cast<std::size_t>(b.dimension)].begin(),
                                                            b.column[static_cast<std::size_t>(b.dimension)].end());
                                           }},
                                          {"one grows",
                                           [](samples::set& b) {
                                             if (b.kind == shape::sphere)
                                               b.column[static_cast<std::size_t>(b.dimension)][7] *= 1.5;
                                           }},
                                          {"some grow a little",
                                           [](samples::set& b) {
                                             const auto d = static_cast<std::size_t>(b.dimension);
                                             for (std::size_t i = 0; i < b.size(); i += 3) {
                                               if (b.kind == shape::sphere) {
                                                 b.column[d][i] *= 1.01;
                                               } else {
                                                 b.column[d][i] += 0.01 * (b.column[d][i] - b.column[0][i]);
                                               }
                                             }
                                           }},
                                          {"rows change places", [](samples::set& b) {
                                             for (auto& c : b.column) std::reverse(c.begin(), c.end());
                                           }}};
  return all;
}

// Rows are dealt while they are checked, based on the last update. Whatever has changed since, and for any number of
// threads, the pairs are those of neighboring-cell (the oracle would take minutes), in an order that does not depend on
// the threads.
TEST(grid, updates_that_deal_ahead_are_exact) {
  struct trial {
    const char* plan;
    samples::set bodies;
  };
  std::vector<trial> trials;
  for (const int dimension : {2, 3}) {
    trials.push_back({"grid", samples::uniform(shape::sphere, dimension, 40000, 0.5, 0.5, 1, 9)});
    trials.push_back({"grid levels=1", samples::uniform(shape::sphere, dimension, 40000, 0.5, 0.5, 3, 10)});
    trials.push_back({"grid", samples::uniform(shape::box, dimension, 35000, 0.4, 0.5, 1.4, 11)});
    trials.push_back({"grid levels=3", samples::uniform(shape::sphere, dimension, 35000, 0.4, 0.1, 20, 13)});
    trials.push_back({"grid levels=4", samples::uniform(shape::box, dimension, 35000, 0.4, 0.1, 30, 14)});
  }
  for (trial& t : trials) {
    SCOPED_TRACE(std::string(t.plan) + ", " + std::to_string(t.bodies.dimension) + "D");
    std::vector<abut::search> grids;
    for (const int threads : {1, 2, 3}) grids.emplace_back(abut::plan(t.plan), abut::options{.threads = threads});
    abut::search other(abut::plan("neighboring-cell"), abut::options{.threads = 2});
    for (int round = 0; round < 2; ++round) {
      for (const change& c : changes()) {
        c.make(t.bodies);
        other.update(t.bodies.view());
        const auto expected = support::sorted(support::ordered(other));
        std::vector<abut::pair> first;
        for (abut::search& g : grids) {
          g.update(t.bodies.view());
          const auto found = support::ordered(g);
          if (first.empty()) first = found;
          ASSERT_EQ(found, first) << c.name << ", " << g.chosen().threads << " threads";
        }
        ASSERT_EQ(support::sorted(first), expected) << c.name;
      }
    }
  }
}

// Sizes are distinguished by quarters of octaves, so small bodies can grow and stay in their level. With periods, rows
// are not dealt ahead.
TEST(grid, bodies_that_grow_within_their_level_are_found) {
  for (const bool periodic : {false, true}) {
    samples::set bodies = samples::lattice(shape::sphere, 3, 40000, 1.23, 0.001, 0.5, 3);
    for (const double corner : {1.0, 41.0}) bodies.add(corner, corner, corner, 8);  // all others lie between these two
    abut::options chosen{.threads = 2};
    if (periodic) chosen.periodic[0] = abut::interval{-20, 60};
    abut::search grid(abut::plan("grid levels=2"), chosen);
    abut::search other(abut::plan("neighboring-cell"), chosen);
    std::size_t before = 0;
    for (const double radius : {0.5, 0.5, 0.62, 0.61}) {
      std::fill_n(bodies.column[3].begin(), 40000, radius);
      grid.update(bodies.view());
      other.update(bodies.view());
      const auto found = support::sorted(support::ordered(grid));
      EXPECT_EQ(found, support::sorted(support::ordered(other))) << radius << periodic;
      if (radius == 0.62) {
        EXPECT_GT(found.size(), before + 100'000) << "those side by side";
      }
      before = found.size();
    }
  }
}

TEST(grid, a_refused_update_leaves_the_pairs_and_the_next_one_is_exact) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 40000, 0.5, 0.5, 1, 12);
  abut::search grid(abut::plan("grid"), {.threads = 2});
  grid.update(bodies.view());
  const auto before = support::ordered(grid);
  samples::set broken = bodies;
  for (double& x : broken.column[0]) x *= 0.99;
  broken.column[1][30000] = std::nan("");
  EXPECT_THROW(grid.update(broken.view()), abut::error);
  EXPECT_EQ(support::ordered(grid), before);
  grid.update(bodies.view());
  EXPECT_EQ(support::ordered(grid), before);
}

TEST(grid, every_instruction_set_reads_columns_alike) {
  samples::random rng(3);
  std::vector<double> x(77);
  std::vector<double> r(77);
  for (double& v : x) v = rng.uniform(-5, 5);
  for (double& v : r) v = rng.uniform(0, 2);
  with_each_instruction_set([&](const char* name) {
    SCOPED_TRACE(name);
    for (std::size_t n = 1; n <= x.size(); ++n) {
      double lower = 1e300;
      double upper = -1e300;
      for (std::size_t k = 0; k < n; ++k) {
        lower = std::min(lower, x[k] - r[k]);
        upper = std::max(upper, x[k] + r[k]);
      }
      const abut::sphere_ends ends = abut::ends_of(x.data(), r.data(), n, 1e150);
      EXPECT_EQ(ends.lower, lower);
      EXPECT_EQ(ends.upper, upper);
      EXPECT_TRUE(ends.sound);
      const abut::sphere_ends range = abut::range_of(r.data(), n, 1e150);
      EXPECT_EQ(range.lower, *std::min_element(r.begin(), r.begin() + static_cast<std::ptrdiff_t>(n)));
      EXPECT_EQ(range.upper, *std::max_element(r.begin(), r.begin() + static_cast<std::ptrdiff_t>(n)));
      for (const double wrong : {std::nan(""), 1e151, -1e151, -0.5}) {
        auto bad = r;
        bad[n - 1] = wrong;
        EXPECT_FALSE(abut::range_of(bad.data(), n, 1e150).sound) << wrong;
        bad = x;
        bad[n / 2] = wrong;
        EXPECT_EQ(abut::ends_of(bad.data(), r.data(), n, 1e150).sound, wrong == -0.5);
      }
      std::vector<std::int32_t> units(n);
      abut::to_units(x.data(), r.data(), 0, n, -4, 1000, units.data());
      std::vector<std::int32_t> same(n);
      abut::to_units(x.data(), nullptr, 300, n, -4, 1000, same.data());
      std::vector<abut::four> woven(n);
      abut::weave(units.data(), same.data(), units.data(), 7, n, woven.data());
      std::vector<std::int32_t> back[3] = {units, units, units};
      std::vector<std::int16_t> near[3] = {std::vector<std::int16_t>(n), std::vector<std::int16_t>(n),
                                           std::vector<std::int16_t>(n)};
      std::vector<std::uint32_t> rows(n);
      abut::four_columns columns{};
      for (int a = 0; a < 3; ++a) {
        columns.center[a] = back[a].data();
        columns.near[a] = near[a].data();
      }
      columns.row = rows.data();
      abut::unweave(woven.data(), n, 8, columns);
      std::vector<std::uint32_t> cells(n);
      abut::number_cells(woven.data(), n, {{1, 2, 3}, {700, 300}, 5}, cells.data());
      for (std::size_t k = 0; k < n; ++k) {
        EXPECT_EQ(units[k], static_cast<int>(std::clamp((x[k] + 4) * r[k], 0.0, 1000.0)));
        EXPECT_EQ(same[k], static_cast<int>(std::clamp((x[k] + 4) * 300, 0.0, 1000.0)));
        EXPECT_EQ(woven[k].center[1], same[k]);
        EXPECT_EQ(rows[k], 7 + k);
        EXPECT_EQ(near[0][k], static_cast<std::int16_t>(units[k] % 512 * 128));
        EXPECT_EQ(near[2][k], near[0][k]);
        EXPECT_EQ(cells[k], static_cast<std::uint32_t>(((units[k] / 8) * 300 + same[k] / 4) * 700 + units[k] / 2 - 5));
      }
      EXPECT_EQ(back[0], units);
      EXPECT_EQ(back[1], same);
      EXPECT_EQ(back[2], units);
    }
  });
}

// ---- levels

abut::grid_sizes sizes_of(const samples::set& bodies, std::size_t asked = 0) {
  const abut::world w(bodies.view(), {}, 1);
  return abut::choose_grid_sizes(w, asked);
}

TEST(grid_sizes, every_body_is_in_a_level_that_is_wide_enough) {
  for (const double ratio : {1.0, 1.4, 3.0, 50.0, 1e6}) {
    const auto bodies = samples::uniform(shape::sphere, 3, 3000, 0.3, 1, ratio, 2);
    for (const std::size_t asked : {0, 1, 2, 7, 24}) {
      const auto sizes = sizes_of(bodies, asked);
      EXPECT_LE(sizes.levels.size(), asked > 0 ? asked : 24);
      std::vector<std::size_t> count(sizes.levels.size());
      for (const double r : bodies.column[3]) {
        const std::size_t l = sizes.of(r);
        ASSERT_LT(l, sizes.levels.size());
        EXPECT_LE(r, sizes.levels[l].widest_half);
        EXPECT_GT(r, l > 0 ? sizes.levels[l - 1].widest_half : -1);
        ++count[l];
      }
      for (std::size_t l = 0; l < count.size(); ++l) EXPECT_EQ(count[l], sizes.levels[l].count);
    }
  }
}

TEST(grid_sizes, equal_bodies_are_one_level) {
  EXPECT_EQ(sizes_of(samples::lattice(shape::sphere, 3, 1000, 1, 0.1, 0.5, 1)).levels.size(), 1U);
}

TEST(grid_sizes, one_giant_among_specks_has_a_level_of_its_own) {
  auto bodies = samples::uniform(shape::sphere, 3, 100'000, 0.3, 0.5, 1, 1);
  bodies.add(20, 20, 20, 15);
  const auto sizes = sizes_of(bodies);
  ASSERT_EQ(sizes.levels.size(), 2U);
  EXPECT_EQ(sizes.levels[1].count, 1U);
  abut::search search(abut::plan("grid"), {.threads = 1});
  search.update(bodies.view());
  support::ordered(search);
  EXPECT_LT(search.stats().tests, 30 * bodies.size()) << "with one level it were all against all";
}

TEST(grid, tests_few_on_ratios_of_many_decades) {
  for (const double ratio : {50.0, 1e4, 1e8}) {
    samples::set bodies;
    samples::random rng(4);
    for (int k = 0; k < 20'000; ++k) {
      // The same number in each octave; space grows with the largest.
      const double r = std::pow(ratio, -rng.uniform());
      bodies.add(rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(0, 60), r);
    }
    abut::search search(abut::plan("grid"), {.threads = 1});
    search.update(bodies.view());
    support::ordered(search);
    const auto stats = search.stats();
    EXPECT_LT(stats.tests, 60 * bodies.size() + 30 * stats.pairs) << ratio << ": " << stats.pairs << " pairs";
  }
}

TEST(grid, memory_does_not_grow_with_space) {
  for (const double spacing : {1.0, 20.0, 1e5}) {
    for (const shape kind : {shape::sphere, shape::box}) {
      const auto bodies = samples::lattice(kind, 3, 200'000, spacing, 0.1, 0.525, 1);
      abut::search search(abut::plan("grid"), {.threads = 1});
      search.update(bodies.view());
      EXPECT_LE(search.stats().bytes, 64 * bodies.size()) << spacing;
    }
  }
}

// ---- the order of bodies

// All bodies are in one line of cells, which passes through many buckets: its runs are joined from parts.
TEST(grid, a_line_goes_on_from_bucket_to_bucket) {
  for (const int axis : {0, 1, 2}) {
    for (const double gap_at : {0.0, 7000.0, 70'000.0}) {  // also with a gap
      samples::set bodies;
      constexpr int count = 120'000;
      for (int k = 0; k < count; ++k) {
        const double along = k * 0.9 + (k > gap_at ? 40.0 : 0.0) * (gap_at > 0 ? 1 : 0);
        double at[3] = {0.1, 0.2, 0.3};
        at[axis] = along;
        bodies.add(at[0], at[1], at[2], 0.5);
      }
      for (const int threads : {1, 2}) {
        abut::search search(abut::plan("grid"), {.threads = threads});
        search.update(bodies.view());
        const auto found = support::sorted(support::ordered(search));
        ASSERT_EQ(found.size(), static_cast<std::size_t>(count - 1 - (gap_at > 0 ? 1 : 0)));
        for (const abut::pair& p : found) ASSERT_EQ(p.j, p.i + 1);
      }
    }
  }
}

// Sheets and rods make lines of cells as long as a cube does, in any direction.
TEST(grid, tests_few_on_sheets_and_lines) {
  for (const int flat : {0, 1, 2}) {
    for (const bool line : {false, true}) {
      samples::set bodies;
      for (int k = 0; k < 40'000; ++k) {
        double at[3] = {};
        const int a = (flat + 1) % 3;
        const int b = (flat + 2) % 3;
        at[a] = line ? k : k % 200;
        at[b] = line ? 0 : k / 200;
        bodies.add(at[0], at[1], at[2], 0.52);
      }
      abut::search search(abut::plan("grid"), {.threads = 1});
      search.update(bodies.view());
      support::ordered(search);
      EXPECT_LT(search.stats().tests, 20 * bodies.size()) << flat << line;
    }
  }
}

// Clusters far from each other and from the rest: a radix sort instead of counting.
TEST(grid, clusters_in_a_wide_space) {
  const auto bodies = samples::clusters(shape::sphere, 3, 6000, 50, 1e6, 0.525, 4);
  const auto expected = support::sorted(pairs_of(bodies, "rtree", 0, 1));
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(support::sorted(pairs_of(bodies, "grid", 0, 1)), expected);
  abut::search search(abut::plan("grid"), {.threads = 1});
  search.update(bodies.view());
  support::ordered(search);
  EXPECT_LT(search.stats().tests, 80 * bodies.size());
}

}  // namespace
}  // namespace grid_test
