// What is special to fixed-cubes: octants, the cube in which a pair is reported, and fixed bodies, which are sorted
// once.

#include <cmath>
#include <set>

#include "counted.hpp"
#include "methods/fixed_cubes/octant.hpp"
#include "support.hpp"

namespace fixed_cubes_test {
namespace {

using abut::octant;
using abut::row;
using abut::shape;
namespace samples = abut::samples;

// A cube around the central one, by its offset on each axis.
using offset = std::array<int, 3>;

template <int D>
std::vector<offset> cubes_of(const octant<D>& in) {
  std::vector<offset> all;
  for (unsigned s = 0; s < octant<D>::sets; ++s) {
    offset o{};
    for (unsigned k = 0; k < D; ++k) {
      if ((s >> k & 1U) != 0) o[k] = (in.upper >> k & 1U) != 0 ? 1 : -1;
    }
    if (in.meets(s)) all.push_back(o);
  }
  return all;
}

// The surrounding cubes that the ball intersects, by its distance from each.
template <int D>
std::vector<offset> cubes_by_distance(const double (&part)[D], double reach) {
  std::vector<offset> all;
  for (int n = 0; n < 27; ++n) {
    const offset o = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    if (D == 2 && o[2] != 0) continue;
    double squares = 0;
    for (int k = 0; k < D; ++k) {
      const double d =
          std::max({o[static_cast<std::size_t>(k)] - part[k], part[k] - o[static_cast<std::size_t>(k)] - 1, 0.0});
      squares += d * d;
    }
    if (squares <= reach * reach) all.push_back(o);
  }
  return all;
}

template <int D>
void expect_the_cubes_of_the_distance() {
  samples::random rng(71);
  std::set<offset> of_octant[1U << D];
  for (int trial = 0; trial < 20'000; ++trial) {
    double part[D];
    for (double& p : part) p = rng.uniform();
    const double reach = rng.uniform(0, 0.4999);
    const octant<D> in = octant<D>::of_ball(part, reach);
    std::vector<offset> found = cubes_of(in);
    std::vector<offset> expected = cubes_by_distance<D>(part, reach);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(found, expected);
    of_octant[in.upper].insert(found.begin(), found.end());
  }
  // 3.2: 19 of 26 cubes are excluded; in 2D, 5 of 8.
  for (const std::set<offset>& all : of_octant) EXPECT_EQ(all.size(), 1U << D);
}

TEST(octant, leaves_7_of_26_cubes_and_finds_those_that_the_ball_intersects) {
  expect_the_cubes_of_the_distance<3>();
  expect_the_cubes_of_the_distance<2>();
}

// 3.5: "6 examinations are needed if the ball is fully contained in the cube (this is a rare position ...) and 10
// examinations if the ball contains a corner of the cube (this is more frequent ...)". Table 1 has these balls and
// cubes.
TEST(octant, takes_6_to_10_examinations) {
  const auto examinations = []<std::size_t D>(const double(&part)[D], double reach) {
    std::uint64_t count = 0;
    const auto in = octant<static_cast<int>(D)>::by_tree(part, reach, count);
    const auto all = octant<static_cast<int>(D)>::of_ball(part, reach);
    EXPECT_EQ(in.met, all.met) << "the tree leaves out only what others decide";
    EXPECT_EQ(in.upper, all.upper);
    return std::pair(count, in.met);
  };
  EXPECT_EQ(examinations({0.5, 0.5, 0.5}, 0.45).first, 6U);
  EXPECT_EQ(examinations({0.9, 0.1, 0.9}, 0.45).first, 10U);
  EXPECT_EQ(examinations({0.5, 0.5}, 0.45).first, 4U);
  EXPECT_EQ(examinations({0.9, 0.1}, 0.45).first, 5U);
  samples::random rng(72);
  int count[11] = {};
  int contained = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const double part[3] = {rng.uniform(), rng.uniform(), rng.uniform()};
    const auto [made, met] = examinations(part, rng.uniform(0.215, 0.225) / 0.5);
    contained += met == 1 ? 1 : 0;
    ASSERT_GE(made, 6U);
    ASSERT_LE(made, 10U);
    ++count[made];
  }
  EXPECT_LT(contained, 100) << "rare";
  EXPECT_LT(count[6], 1200) << "contained, or through one face only";
  EXPECT_GT(count[10], 5000) << "more frequent";
}

// Two balls at arbitrary positions: of the cubes that both lie in, exactly one has no earlier cube in common.
template <int D>
void expect_one_first_cube() {
  samples::random rng(73);
  int shared = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const auto ball = [&](offset& at, std::vector<std::pair<offset, unsigned>>& cubes) {
      double part[D];
      for (double& p : part) p = rng.uniform();
      const octant<D> in = octant<D>::of_ball(part, rng.uniform(0, 0.4999));
      for (std::size_t k = 0; k < D; ++k) at[k] = static_cast<int>(rng.below(3));
      for (unsigned s = 0; s < octant<D>::sets; ++s) {
        offset o = at;
        for (unsigned k = 0; k < D; ++k) {
          if ((s >> k & 1U) != 0) o[k] += (in.upper >> k & 1U) != 0 ? 1 : -1;
        }
        if (in.meets(s)) cubes.emplace_back(o, in.before(s));
      }
    };
    offset at[2] = {};
    std::vector<std::pair<offset, unsigned>> cubes[2];
    for (int b : {0, 1}) ball(at[b], cubes[b]);
    int common = 0;
    int first = 0;
    for (const auto& [a, before_a] : cubes[0]) {
      for (const auto& [b, before_b] : cubes[1]) {
        common += a == b ? 1 : 0;
        first += a == b && (before_a & before_b) == 0 ? 1 : 0;
      }
    }
    ASSERT_EQ(first, common > 0 ? 1 : 0);
    shared += common > 1 ? 1 : 0;
  }
  EXPECT_GT(shared, 500);
}

TEST(octant, two_balls_have_one_first_cube) {
  expect_one_first_cube<3>();
  expect_one_first_cube<2>();
}

// Algorithm 5 as printed, over all pairs: a pair is met in the cubes that both balls intersect, and reported in the one
// that holds the mid-point (23). The margin is the paper's reach of cohesion.
std::size_t pairs_by_mid_point(const samples::set& bodies, double margin, double edge) {
  const std::vector<reference::volume> all = reference::volumes(bodies);
  const auto intersects = [&](const reference::volume& v, const offset& cube) {
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = std::max({edge * (cube[k] - 1) - v.c[k], v.c[k] - edge * cube[k], 0.0});
      squares += d * d;
    }
    return squares <= v.r * v.r;
  };
  std::size_t found = 0;
  for (const abut::pair p : reference::pairs(bodies, margin)) {
    offset cube{};
    for (std::size_t k = 0; k < 3; ++k) {
      cube[k] = static_cast<int>(std::ceil((all[p.i].c[k] + all[p.j].c[k]) / 2 / edge));  // (7)
    }
    found += intersects(all[p.i], cube) && intersects(all[p.j], cube) ? 1 : 0;
  }
  return found;
}

TEST(fixed_cubes, finds_the_pairs_that_the_mid_point_loses) {
  struct trial {
    double ratio, margin;
  };
  for (const auto& [ratio, margin] : {trial{1, 0}, {2, 0}, {20, 0}, {1, 0.3}, {2, 0.3}}) {
    SCOPED_TRACE("ratio " + support::number(ratio) + ", margin " + support::number(margin));
    const samples::set bodies = samples::uniform(shape::sphere, 3, 3000, 0.5, 1, ratio, 74);
    const std::vector<abut::pair> expected = reference::pairs(bodies, margin);
    const std::size_t printed = pairs_by_mid_point(bodies, margin, 2 + margin);
    if (ratio == 1 && margin == 0) {
      EXPECT_EQ(printed, expected.size());
    } else {
      EXPECT_LT(printed, expected.size() - 10) << "the sample is no trap";
    }
    for (const std::string plan : {"fixed-cubes", "fixed-cubes delta=0"}) {
      abut::search search(abut::plan(plan), {.margin = margin});
      search.update(bodies.view());
      EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
    }
  }
}

// The search counts the same pairs as lost, if its cubes begin at the origin as the paper's do.
TEST(fixed_cubes, counts_the_pairs_that_the_mid_point_loses) {
  struct trial {
    double ratio, margin, least;
  };
  for (const auto& [ratio, margin, least] : {trial{1, 0, 0}, {2, 0, 0.001}, {20, 0, 0.02}, {1, 0.3, 0.002}}) {
    SCOPED_TRACE("ratio " + support::number(ratio) + ", margin " + support::number(margin));
    samples::set bodies = samples::uniform(shape::sphere, 3, 6000, 0.5, 1, ratio, 74);
    for (std::size_t k = 0; k < 3; ++k) {
      const double lowest = *std::min_element(bodies.column[k].begin(), bodies.column[k].end());
      for (double& x : bodies.column[k]) x += 1 - lowest;
    }
    bodies.add(1, 1, 1, 1);
    abut::search search(abut::plan("fixed-cubes examine=tree delta=0"), {.margin = margin});
    search.update(bodies.view());
    const auto pairs = static_cast<double>(search.pairs().size());
    // Cubes are a little larger, for rounding.
    const double printed = static_cast<double>(pairs_by_mid_point(bodies, margin, (2 + margin) * (1 + 1e-4)));
    const auto lost = static_cast<double>(support::counted(search, "pairs lost by rule 23"));
    EXPECT_NEAR(lost, pairs - printed, 0.02 * (pairs - printed)) << "of " << pairs;
    EXPECT_GE(lost, least * pairs);
  }
}

// Any two balls of this set share several cubes.
TEST(fixed_cubes, takes_a_pair_once_though_it_is_met_in_several_cubes) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      samples::set bodies{.kind = kind, .dimension = dimension};
      samples::random rng(75);
      for (int k = 0; k < 120; ++k) {
        const double x = rng.uniform(0, 0.5);
        const double y = rng.uniform(0, 0.5);
        bodies.add(x, y, rng.uniform(0, 0.5), 1);
      }
      bodies.add(-9.3, -9.7, -9.1, 1);  // so that the cubes begin at arbitrary coordinates
      abut::search search{abut::plan("fixed-cubes delta=0")};
      search.update(bodies.view());
      EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(search), bodies));
      EXPECT_EQ(search.stats().pairs, 120U * 119 / 2);
      EXPECT_EQ(search.stats().tests, 120U * 119 / 2);
    }
  }
}

// A box of fixed balls with grains in it: the grains move, the wall stays.
class silo {
 public:
  silo() {
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y) bodies.add(x, y, -0.3, 0.6);
    }
    bodies.fixed.assign(bodies.size(), 1);
    for (int k = 0; k < 200; ++k) {
      const double x = rng.uniform(0, 11);
      const double y = rng.uniform(0, 11);
      bodies.add(x, y, rng.uniform(0.5, 4), 0.5);
      bodies.fixed.push_back(0);
    }
  }

  void step(std::span<const row> map = {}) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t k = 0; k < 3 && bodies.fixed[i] == 0; ++k) bodies.column[k][i] += rng.uniform(-0.1, 0.1);
    }
    if (map.empty()) search.update(bodies.view());
    if (!map.empty()) search.update(bodies.view(), map);
    const std::vector<abut::pair> expected = reference::pairs(bodies);
    EXPECT_GT(expected.size(), 50U);
    EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
    const abut::region around = abut::box{{2, 2, -1}, {5, 4, 2}};
    EXPECT_EQ(support::rows_in(search, around), reference::in(bodies, around, 0));
  }

  // Reorders the rows; returns the new row of each old one.
  std::vector<row> reorder(const std::vector<row>& order) {
    std::vector<row> map(bodies.size(), abut::no_row);
    samples::set other = samples::select(bodies, order);
    other.fixed.clear();
    for (row n = 0; n < order.size(); ++n) {
      map[order[n]] = n;
      other.fixed.push_back(bodies.fixed[order[n]]);
    }
    bodies = other;
    return map;
  }

  [[nodiscard]] std::uint64_t sorted() const { return search.stats().events.at(0).count; }

  samples::random rng{76};
  samples::set bodies;
  abut::search search{abut::plan("fixed-cubes")};
};

TEST(fixed_cubes, sorts_fixed_bodies_once_while_the_others_move) {
  silo s;
  for (int step = 0; step < 30; ++step) s.step();
  EXPECT_EQ(s.sorted(), 1U);
  s.bodies.add(6, 6, 3, 0.5);  // one more grain, of the same size
  s.bodies.fixed.push_back(0);
  s.step();
  EXPECT_EQ(s.sorted(), 1U);
  s.bodies.column[2].back() = 1000;  // out of the frame
  s.step();
  EXPECT_EQ(s.sorted(), 2U);
  s.step();
  EXPECT_EQ(s.sorted(), 2U);
}

TEST(fixed_cubes, sorts_fixed_bodies_again_if_one_moves_or_grows) {
  silo s;
  s.step();
  for (std::uint64_t change = 2; change < 6; ++change) {
    double& number = s.bodies.column[change == 5 ? 3 : change - 2][37];
    number = std::nextafter(number, -1.0);  // by the smallest possible amount
    s.step();
    EXPECT_EQ(s.sorted(), change);
    s.step();
    EXPECT_EQ(s.sorted(), change);
  }
  s.bodies.column[3][200] = 0.75;  // a larger grain, which makes larger cubes
  s.step();
  EXPECT_EQ(s.sorted(), 6U);
}

TEST(fixed_cubes, sorts_fixed_bodies_again_if_flags_change) {
  silo s;
  s.step();
  s.bodies.fixed[20] = 0;
  s.step();
  EXPECT_EQ(s.sorted(), 2U);
  s.bodies.fixed[20] = 1;
  s.bodies.fixed[21] = 0;  // the number of bodies is the same
  s.step();
  EXPECT_EQ(s.sorted(), 3U);
  std::vector<std::uint8_t> flags(s.bodies.size(), 0);
  flags.swap(s.bodies.fixed);
  s.step();
  EXPECT_EQ(s.sorted(), 3U) << "there is nothing to sort";
  flags.swap(s.bodies.fixed);
  s.step();
  EXPECT_EQ(s.sorted(), 4U);
}

TEST(fixed_cubes, keeps_fixed_bodies_while_rows_move_around_them) {
  silo s;
  s.step();
  std::vector<row> order;  // grains first, without every fifth of them
  for (row i = 144; i < s.bodies.size(); ++i) {
    if (i % 5 != 0) order.push_back(i);
  }
  for (row i = 0; i < 144; ++i) order.push_back(i);
  s.step(s.reorder(order));
  EXPECT_EQ(s.sorted(), 1U);
  order.resize(s.bodies.size());
  for (row i = 0; i < order.size(); ++i) order[i] = i;
  std::swap(order.back(), order[order.size() - 40]);  // two bodies of the wall change rows
  s.step(s.reorder(order));
  EXPECT_EQ(s.sorted(), 2U);
}

TEST(fixed_cubes, never_compares_two_fixed_bodies) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 400, 1, 1, 2, 77);
  bodies.fixed.assign(bodies.size(), 1);
  abut::search search{abut::plan("fixed-cubes")};
  search.update(bodies.view());
  EXPECT_TRUE(search.pairs().empty());
  EXPECT_EQ(search.stats().tests, 0U);
  EXPECT_EQ(search.tasks(), 0U);
}

}  // namespace
}  // namespace fixed_cubes_test
