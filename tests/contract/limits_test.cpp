// Near the limits at which something rounded, old or coarse decides: lists that hold although bodies have moved,
// regions looked up at old places, filters in few bits. The limits of distances are not those of axes: what is wrong or
// has moved on several axes adds up.

#include <algorithm>
#include <cmath>

#include "instruction_sets.hpp"
#include "support.hpp"

namespace limits_test {
namespace {

using abut::shape;
namespace samples = abut::samples;
using place = std::array<double, 3>;

// A direction along an axis, to a corner, or anywhere; its third coordinate is 0 in 2D.
place direction(int dimension, samples::random& rng) {
  place way{};
  const auto kind = rng.below(4);
  for (int k = 0; k < dimension; ++k) {
    const double sign = rng.below(2) == 0 ? 1 : -1;
    const bool single = kind == 0 && rng.below(2) == 0;
    way[static_cast<std::size_t>(k)] = single ? 0 : sign * (kind == 3 ? rng.uniform(0.01, 1) : 1);
  }
  if (way == place{}) way[0] = 1;
  return way;
}

double length(const place& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// As long as 1, as the gap of such bodies is measured: boxes are as far apart as they are on the axis where that is
// most.
place unit(place way, shape a, shape b) {
  const bool boxes = a == shape::box && b == shape::box;
  const double size = boxes ? std::max({std::abs(way[0]), std::abs(way[1]), std::abs(way[2])}) : length(way);
  for (double& x : way) x /= size;
  return way;
}

// From the center of a body with radius r (of a box, half its width) to the point of its surface that is farthest along
// a way; the middle of what is, if there are several.
place farthest(shape kind, double r, const place& way) {
  place to{};
  const double size = length(way);
  for (std::size_t k = 0; k < 3; ++k) {
    const double side = way[k] > 0 ? 1 : way[k] < 0 ? -1 : 0;
    to[k] = kind == shape::box ? side * r : way[k] / size * r;
  }
  return to;
}

void add(samples::set& to, const place& at, double r) { to.add(at[0], at[1], at[2], r); }

void move(samples::set& all, std::size_t i, const place& way, double by, double growth) {
  const auto d = static_cast<std::size_t>(all.dimension);
  for (std::size_t k = 0; k < d; ++k) {
    all.column[k][i] += way[k] * by;
    if (all.kind == shape::box) all.column[d + k][i] += way[k] * by + growth;
    if (all.kind == shape::box) all.column[k][i] -= growth;
  }
  if (all.kind == shape::sphere) all.column[d][i] += growth;
}

// ---- what bodies have moved by

// Pairs far from each other, one body of each set, with gaps of about a skin. They approach each other; `ways` leads
// from the first of each pair to the second.
struct pairs_with_gaps {
  samples::set firsts, seconds;
  std::vector<place> ways;
};

pairs_with_gaps gaps_of(shape a, shape b, int dimension, double skin, samples::random& rng, int count = 40) {
  pairs_with_gaps all;
  all.firsts = {.kind = a, .dimension = dimension};
  all.seconds = {.kind = b, .dimension = dimension};
  for (int n = 0; n < count; ++n) {
    const place way = unit(direction(dimension, rng), a, b);
    const double r = rng.uniform(0.01, 1);
    const double other = rng.uniform(0.01, 1);
    const double gap = skin * rng.uniform(0.8, 1.9);
    const place from{10.0 * n + 5, 5, dimension == 3 ? 5.0 : 0.0};
    const place here = farthest(a, r, way);
    const place there = farthest(b, other, way);
    place to{};
    for (std::size_t k = 0; k < 3; ++k) to[k] = from[k] + here[k] + gap * way[k] + there[k];
    add(all.firsts, from, r);
    add(all.seconds, to, other);
    all.ways.push_back(way);
  }
  return all;
}

enum class mover : std::uint8_t { first, second, both, growth };

void approach(pairs_with_gaps& all, mover who, double by) {
  for (std::size_t n = 0; n < all.ways.size(); ++n) {
    const place& way = all.ways[n];
    if (who == mover::first || who == mover::both) move(all.firsts, n, way, by, 0);
    if (who == mover::second || who == mover::both) move(all.seconds, n, way, -by, 0);
    if (who == mover::growth) move(all.firsts, n, way, 0, by);
  }
}

// Steps until the list does not hold any more. Returns how many pairs it had that touched.
std::size_t approach_while_held(pairs_with_gaps all, mover who, double margin, double skin, bool periodic) {
  abut::options o{.margin = margin + skin};
  if (periodic) o.periodic = {abut::interval{0, 400}, abut::interval{0, 20}, abut::interval{0, 20}};
  abut::search search(abut::plan("grid"), o);
  abut::contact_list near({.margin = margin, .skin = skin});
  (void)near.follow_between(search, all.firsts.view(), all.seconds.view());
  std::size_t touched = 0;
  for (int step = 0; step < 200; ++step) {
    approach(all, who, skin / 50);
    if (!near.hold(all.firsts.view(), all.seconds.view())) return touched;
    const auto expected = reference::between(all.firsts, all.seconds, margin, o.periodic);
    const auto list = near.neighbors(all.firsts.view(), all.seconds.view());
    std::vector<abut::pair> found;
    for (abut::row i = 0; i < near.rows(); ++i) {
      for (auto k = list.offsets[i]; k < list.offsets[i + 1]; ++k) found.push_back({i, list.neighbors[k]});
    }
    EXPECT_EQ(support::sorted(found), expected) << "step " << step;
    touched = std::max(touched, expected.size());
    if (::testing::Test::HasFailure()) return touched;
  }
  ADD_FAILURE() << "the list has held although bodies have moved by four skins";
  return touched;
}

TEST(limits, of_lists_between_shapes_are_kept_by_what_comes_nearer_on_several_axes) {
  samples::random rng(5);
  for (const shape a : {shape::sphere, shape::box}) {
    for (const shape b : {shape::sphere, shape::box}) {
      std::size_t touched = 0;
      for (int round = 0; round < 32 && !HasFailure(); ++round) {
        const auto who = std::array{mover::first, mover::second, mover::both, mover::growth}[rng.below(4)];
        const int dimension = rng.below(3) == 0 ? 2 : 3;
        const double skin = rng.uniform(0.05, 0.5);
        const double margin = rng.below(2) == 0 ? 0 : rng.uniform(0, 0.3);
        SCOPED_TRACE(std::string(support::shape_name(a)) + ", " + support::shape_name(b) + ", " +
                     std::to_string(dimension) + "D, mover " + std::to_string(static_cast<int>(who)));
        pairs_with_gaps all = gaps_of(a, b, dimension, skin + margin, rng);
        touched += approach_while_held(all, who, margin, skin, rng.below(2) == 0);
      }
      EXPECT_GT(touched, 40U);
    }
  }
}

// What one body does, in one direction, is not hidden by others.
TEST(limits, of_lists_are_kept_by_a_single_pair) {
  samples::random rng(15);
  for (const shape a : {shape::sphere, shape::box}) {
    for (const shape b : {shape::sphere, shape::box}) {
      std::size_t touched = 0;
      for (int round = 0; round < 100 && !HasFailure(); ++round) {
        const auto who = std::array{mover::first, mover::second, mover::both, mover::growth}[rng.below(4)];
        const int dimension = rng.below(3) == 0 ? 2 : 3;
        SCOPED_TRACE(std::string(support::shape_name(a)) + ", " + support::shape_name(b) + ", " +
                     std::to_string(dimension) + "D, mover " + std::to_string(static_cast<int>(who)));
        pairs_with_gaps all = gaps_of(a, b, dimension, 0.2, rng, 1);
        touched += approach_while_held(all, who, 0, 0.2, rng.below(2) == 0);
      }
      EXPECT_GT(touched, 3U);
    }
  }
}

TEST(limits, lists_do_not_hold_for_what_is_no_number) {
  samples::random rng(16);
  for (const shape kind : {shape::sphere, shape::box}) {
    for (int dimension = 2; dimension <= 3; ++dimension) {
      const pairs_with_gaps all = gaps_of(kind, kind, dimension, 0.2, rng);
      for (int c = 0; c < all.firsts.columns(); ++c) {
        for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
          samples::set now = all.firsts;
          abut::search search(abut::plan("grid"), {});
          abut::contact_list near({.skin = 0.2});
          (void)near.follow(search, now.view());
          now.column[static_cast<std::size_t>(c)][7] = wrong;
          EXPECT_FALSE(near.hold(now.view())) << support::shape_name(kind) << ", column " << c << ", " << wrong;
          EXPECT_NE(support::message_of([&] { (void)near.follow(search, now.view()); }).find("body 7"),
                    std::string::npos);
        }
      }
    }
  }
}

// A list of one set is made of the same pairs.
TEST(limits, of_lists_of_one_set_are_kept) {
  samples::random rng(6);
  for (const shape kind : {shape::sphere, shape::box}) {
    for (int round = 0; round < 16; ++round) {
      pairs_with_gaps all = gaps_of(kind, kind, 3, 0.2, rng);
      abut::search search(abut::plan("grid"), {});
      abut::contact_list near({.skin = 0.2});
      const auto joined = [&] {
        samples::set one = all.firsts;
        for (std::size_t c = 0; c < 6; ++c) {
          one.column[c].insert(one.column[c].end(), all.seconds.column[c].begin(), all.seconds.column[c].end());
        }
        return one;
      };
      for (int step = 0; step < 100; ++step) {
        const samples::set now = joined();
        (void)near.follow(search, now.view());
        std::vector<abut::pair> found;
        const abut::neighbor_list half = near.neighbors(now.view(), {.half = true});
        for (abut::row i = 0; i < now.size(); ++i) {
          for (auto k = half.offsets[i]; k < half.offsets[i + 1]; ++k) found.push_back({i, half.neighbors[k]});
        }
        ASSERT_EQ(support::sorted(found), reference::pairs(now)) << support::shape_name(kind) << ", step " << step;
        approach(all, round % 2 == 0 ? mover::both : mover::growth, 0.003);
      }
    }
  }
}

class limits_of_methods : public ::testing::TestWithParam<std::string> {};

// Methods may look bodies up where they were in an earlier update.
TEST_P(limits_of_methods, bodies_that_have_moved_towards_a_region) {
  samples::random rng(7);
  for (int round = 0; round < 40; ++round) {
    const shape a = rng.below(2) == 0 ? shape::sphere : shape::box;
    const shape b = rng.below(2) == 0 ? shape::sphere : shape::box;
    const int dimension = rng.below(3) == 0 ? 2 : 3;
    pairs_with_gaps all = gaps_of(a, b, dimension, 0.05, rng);
    const auto region_of = [&](std::size_t n) -> abut::region {
      const auto& c = all.seconds.column;
      const bool flat = dimension == 2;
      if (b == shape::sphere) {
        return abut::sphere{{c[0][n], c[1][n], flat ? 0 : c[2][n]}, c[static_cast<std::size_t>(dimension)][n]};
      }
      if (flat) return abut::box{{c[0][n], c[1][n], 0}, {c[2][n], c[3][n], 0}};
      return abut::box{{c[0][n], c[1][n], c[2][n]}, {c[3][n], c[4][n], c[5][n]}};
    };
    abut::search search{abut::plan(GetParam())};
    for (int step = 0; step < 8; ++step) {
      search.update(all.firsts.view());
      for (std::size_t n = 0; n < all.ways.size(); n += 5) {
        const std::vector<abut::row> expected = reference::in(all.firsts, region_of(n));
        ASSERT_EQ(support::rows_in(search, region_of(n)), expected)
            << support::shape_name(a) << ", " << support::shape_name(b) << ", step " << step;
      }
      approach(all, mover::first, 0.01);
    }
  }
}

// ---- what is coarse

// Small bodies around a large one whose width sets the unit of columns with few bits: what touches, or just does not,
// differs by some of these units. One in three is right at the limit.
struct coarse_case {
  samples::set bodies;
  abut::region where;
};

coarse_case coarse(shape kind, shape of_region, int dimension, double margin, samples::random& rng) {
  coarse_case c;
  c.bodies = {.kind = kind, .dimension = dimension};
  const double large = std::pow(10.0, rng.uniform(0, 4));
  const place far{3 * large, 3 * large, dimension == 3 ? 3 * large : 0};
  for (int n = rng.below(2) == 0 ? 1 : 0; n >= 0; --n) add(c.bodies, far, large * rng.uniform(0.5, 1));
  const double size = rng.uniform(0.1, 1) * (rng.below(2) == 0 ? 1 : large);
  const place center{rng.uniform(-1, 1), rng.uniform(-1, 1), dimension == 3 ? rng.uniform(-1, 1) : 0};
  if (of_region == shape::sphere) {
    c.where = abut::sphere{center, size};
  } else {
    abut::box b{center, center};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
      b.min[k] -= size;
      b.max[k] += size;
    }
    c.where = b;
  }
  for (int n = 0; n < 24; ++n) {
    const place way = unit(direction(dimension, rng), of_region, kind);
    const double r = rng.uniform(0.05, 1);
    const double off = n % 3 == 0 ? 0 : large * std::ldexp(rng.uniform(-8, 8), -15);
    const place here = farthest(of_region, size, way);
    const place there = farthest(kind, r, way);
    place at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = center[k] + here[k] + (margin + off) * way[k] + there[k];
    add(c.bodies, at, r);
  }
  return c;
}

TEST_P(limits_of_methods, regions_and_other_sets_that_just_touch) {
  samples::random rng(8);
  std::size_t in = 0, out = 0;
  for (int round = 0; round < 400; ++round) {
    const shape kind = rng.below(2) == 0 ? shape::sphere : shape::box;
    const shape of_region = rng.below(2) == 0 ? shape::sphere : shape::box;
    const int dimension = rng.below(3) == 0 ? 2 : 3;
    const double margin = rng.below(2) == 0 ? 0 : rng.uniform(0, 1);
    const coarse_case c = coarse(kind, of_region, dimension, margin, rng);
    abut::search search(abut::plan(GetParam()), {.margin = margin});
    search.update(c.bodies.view());
    const std::vector<abut::row> expected = reference::in(c.bodies, c.where, margin);
    ASSERT_EQ(support::rows_in(search, c.where), expected)
        << "round " << round << ", " << support::shape_name(kind) << " in " << support::shape_name(of_region);
    in += expected.size();
    out += c.bodies.size() - expected.size();
  }
  EXPECT_GT(in, 2000U);
  EXPECT_GT(out, 2000U);
}

// The same bodies, of which the region is one: for the filters of pairs.
TEST_P(limits_of_methods, pairs_that_just_touch) {
  for (const abut::instruction_set set : abut::usable_instructions()) {
    const support::use_instructions use(set);
    samples::random rng(9);
    std::size_t found = 0;
    for (int round = 0; round < 100; ++round) {
      const shape kind = rng.below(2) == 0 ? shape::sphere : shape::box;
      const int dimension = rng.below(3) == 0 ? 2 : 3;
      const double margin = rng.below(2) == 0 ? 0 : rng.uniform(0, 1);
      coarse_case c = coarse(kind, kind, dimension, margin, rng);
      if (const auto* ball = std::get_if<abut::sphere>(&c.where)) {
        add(c.bodies, ball->center, ball->radius);
      } else {
        c.bodies.add_box(std::get<abut::box>(c.where).min, std::get<abut::box>(c.where).max);
      }
      abut::search search(abut::plan(GetParam()), {.margin = margin});
      search.update(c.bodies.view());
      const std::vector<abut::pair> expected = reference::pairs(c.bodies, margin);
      ASSERT_TRUE(support::same_pairs(expected, support::ordered(search), c.bodies)) << "round " << round;
      found += expected.size();
    }
    EXPECT_GT(found, 1000U);
    if (!support::uses_vectors(GetParam())) break;
  }
}

INSTANTIATE_TEST_SUITE_P(methods, limits_of_methods, ::testing::ValuesIn(support::method_names()),
                         support::method_test_name);

}  // namespace
}  // namespace limits_test
