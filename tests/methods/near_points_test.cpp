// Nearest neighbor with so many spheres that it keeps them as points in single precision: still exact, with every
// instruction set, also at the limits of the points' frame.

#include "methods/nearest_neighbor/points.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "generators.hpp"
#include "instruction_sets.hpp"
#include "methods/nearest_neighbor/scan.hpp"
#include "support.hpp"

namespace near_points_test {
namespace {

using abut::near_frame;
using abut::near_point;
using abut::row;
using abut::shape;
using support::event;
using support::with_each_instruction_set;
namespace samples = abut::samples;

constexpr std::size_t many = near_frame::least_spheres + 300;

near_frame frame_of(const samples::set& bodies, double margin = 0) {
  return near_frame::of(abut::world::of_rows(bodies.view(), margin, 1));
}

void shift(samples::set& bodies, std::size_t i, int axis, double by) {
  bodies.column[static_cast<std::size_t>(axis)][i] += by;
}
void walk(samples::set& bodies, samples::random& rng, double by) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int k = 0; k < bodies.dimension; ++k) shift(bodies, i, k, rng.uniform(-by, by));
  }
}
std::vector<double>& radii(samples::set& bodies) { return bodies.column[static_cast<std::size_t>(bodies.dimension)]; }

// Two searches, with one thread and with two, over the same steps.
class followed {
 public:
  explicit followed(const std::string& line, abut::options options = {}) : options_(options) {
    for (const int threads : {1, 2}) {
      options.threads = threads;
      searches_.emplace_back(abut::plan(line), options);
    }
  }
  void expect_exact(const samples::set& bodies, const std::vector<row>* new_rows = nullptr) {
    const auto expected = reference::pairs(bodies, options_.margin);
    const abut::region where = abut::sphere{{3, 3, bodies.dimension == 3 ? 3.0 : 0.0}, 2};
    std::vector<abut::pair> first;
    for (abut::search& s : searches_) {
      if (new_rows != nullptr) {
        s.update(bodies.view(), *new_rows);
      } else {
        s.update(bodies.view());
      }
      const auto found = support::ordered(s);
      ASSERT_TRUE(support::same_pairs(expected, found, bodies));
      if (first.empty()) first = found;
      ASSERT_EQ(found, first) << "two threads";
      ASSERT_EQ(support::rows_in(s, where), reference::in(bodies, where, options_.margin));
    }
  }
  [[nodiscard]] std::uint64_t rebuilds() const { return event(searches_[0], "rebuilds"); }
  [[nodiscard]] std::uint64_t strays() const { return event(searches_[0], "strays"); }

 private:
  abut::options options_;
  std::vector<abut::search> searches_;
};

TEST(near_points, frames_are_for_many_spheres_in_proportion) {
  const auto equal = samples::lattice(shape::sphere, 3, many, 1, 0.1, 0.525, 1);
  EXPECT_GT(frame_of(equal).scale, 0);
  EXPECT_TRUE(frame_of(equal).equal);
  EXPECT_FALSE(frame_of(samples::uniform(shape::sphere, 2, many, 0.4, 0.5, 3, 1)).equal);
  EXPECT_EQ(frame_of(samples::lattice(shape::sphere, 3, many / 2, 1, 0.1, 0.525, 1)).scale, 0) << "few";
  EXPECT_EQ(frame_of(samples::lattice(shape::sphere, 3, many, 1e5, 0.1, 0.525, 1)).scale, 0) << "coarse";
  EXPECT_EQ(frame_of(samples::lattice(shape::sphere, 3, many, 1, 0.1, 0, 1)).scale, 0) << "points";
  EXPECT_EQ(frame_of(equal, 1e9).scale, 0) << "a margin past all";
  for (const double scale : {1e-150, 1e-40, 1e40, 1e140}) {
    samples::set other = equal;
    for (auto& column : other.column) {
      for (double& v : column) v *= scale;
    }
    EXPECT_EQ(frame_of(other).scale, 0) << scale;
  }
}

// Pairs that touch to the bit, or miss or overlap by a little: what is sure must be right, and the rest must be in
// doubt.
TEST(near_points, sure_is_right_and_the_rest_in_doubt) {
  for (const double ratio : {1.0, 20.0}) {
    for (const double margin : {0.0, 0.01, 60.0}) {  // the last one is as large as the frame
      samples::random rng(3);
      samples::set bodies = samples::lattice(shape::sphere, 3, 2 * many, 1, 0.1, 0.3, 1, false);
      for (double& r : radii(bodies)) r = ratio == 1 ? 0.3 : 0.3 / rng.uniform(1, ratio);
      std::vector<abut::pair> pairs;
      for (row k = 0; k < many; ++k) {  // the second of a pair is where it touches the first, or almost
        const double gap = k % 4 == 0 ? 0 : std::pow(10, -rng.uniform(1, 17)) * (k % 4 == 1 ? -1 : 1);
        const double apart = (radii(bodies)[2 * k] + radii(bodies)[2 * k + 1] + margin) * (1 + gap);
        const double slope = rng.uniform(0, 6.28);
        for (std::size_t a = 0; a < 3; ++a) bodies.column[a][2 * k + 1] = bodies.column[a][2 * k];
        bodies.column[k % 3][2 * k + 1] += apart * std::cos(slope);
        bodies.column[(k + 1) % 3][2 * k + 1] += apart * std::sin(slope);
        pairs.push_back({2 * k, 2 * k + 1});
      }
      const abut::world w = abut::world::of_rows(bodies.view(), margin, 1);
      const near_frame frame = near_frame::of(w);
      ASSERT_GT(frame.scale, 0);
      ASSERT_EQ(frame.equal, ratio == 1);
      pairs.resize(pairs.size() + abut::near_padding);
      std::vector<row> places(2 * many);
      for (row i = 0; i < places.size(); ++i) places[i] = i;
      with_each_instruction_set([&](const char* instructions) {
        SCOPED_TRACE(instructions);
        std::vector<near_point> at(2 * many);
        std::vector<float> then[4];
        for (auto& t : then) t.resize(2 * many);
        for (std::size_t from = 0; from < at.size(); from += 1000) {
          const std::size_t count = std::min<std::size_t>(1000, at.size() - from);
          const double* const columns[4] = {&bodies.column[0][from], &bodies.column[1][from], &bodies.column[2][from],
                                            frame.equal ? nullptr : &bodies.column[3][from]};
          float* const remembered[4] = {&then[0][from], &then[1][from], &then[2][from], &then[3][from]};
          abut::place_points(frame, columns, static_cast<row>(from), &places[from], count, at.size() - from, remembered,
                             {}, at.data(), nullptr);
        }
        at[8].center[0] = std::numeric_limits<float>::quiet_NaN();  // not in the list
        const abut::point_filter filter(frame, margin);
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{37}, many}) {
          std::vector<abut::pair> sure(count + abut::near_padding);
          std::vector<abut::pair> doubts;
          const auto sum = static_cast<float>(2 * 0.3 * frame.scale);
          sure.resize(frame.equal
                          ? abut::overlapping_equal(at.data(), filter, sum, pairs.data(), count, sure.data(), doubts)
                          : abut::overlapping_unequal(at.data(), filter, pairs.data(), count, sure.data(), doubts));
          std::vector<int> said(count, 0);
          for (const auto& p : sure) said[p.i / 2] += 1;
          for (const auto& p : doubts) said[p.i / 2] += 2;
          for (std::size_t k = 0; k < count; ++k) {
            const auto a = w.get<3, shape::sphere>(pairs[k].i);
            const auto b = w.get<3, shape::sphere>(pairs[k].j);
            const bool in = k != 4 && overlap(a, b, margin);
            ASSERT_TRUE(said[k] == 2 || said[k] == (in ? 1 : 0)) << k << ' ' << said[k] << ' ' << in;
            const double apart =
                std::hypot(a.center[0] - b.center[0], a.center[1] - b.center[1], a.center[2] - b.center[2]);
            const double reach = a.radius + b.radius + margin;
            const double blurred = std::ldexp(6 / frame.scale, -24) + std::ldexp(reach, -19);
            if (std::abs(apart - reach) > blurred) {
              ASSERT_NE(said[k], 2) << k << ": more doubts than need be";
            }
          }
        }
      });
    }
  }
}

// A computed move is never less than the true one by more than the frame's rounding, nor much greater.
TEST(near_points, moves_are_bounded_and_the_same_with_every_set_of_instructions) {
  samples::random rng(4);
  samples::set bodies = samples::uniform(shape::sphere, 3, many, 0.3, 0.5, 4, 2);
  const near_frame frame = frame_of(bodies);
  ASSERT_GT(frame.scale, 0);
  const samples::set before = bodies;
  walk(bodies, rng, 0.05);
  for (std::size_t i = 0; i < many; i += 3) radii(bodies)[i] *= rng.uniform(0.9, 1.1);
  const std::size_t count = 1000;
  std::vector<row> places(count);
  for (row i = 0; i < count; ++i) places[i] = i % 50 == 7 ? abut::no_row : (i * 7) % static_cast<row>(count);
  for (const bool in_widths : {false, true}) {
    std::vector<float> first;
    abut::moves sums;
    with_each_instruction_set([&](const char* instructions) {
      SCOPED_TRACE(instructions);
      std::vector<float> then[4];
      float* remembered[4];
      const double* was[4];
      const double* is[4];
      for (std::size_t c = 0; c < 4; ++c) {
        then[c].resize(count);
        remembered[c] = then[c].data();
        was[c] = before.column[c].data();
        is[c] = bodies.column[c].data();
      }
      std::vector<near_point> now(count, near_point{{-9, 0, 0}, 0});
      std::vector<float> moved(count);
      const abut::point_moves how{0, static_cast<float>(1 / frame.scale), in_widths};
      abut::place_points(frame, was, 0, places.data(), count, count, remembered, how, now.data(), nullptr);
      abut::place_points(frame, is, 0, places.data(), count, count, remembered, how, now.data(), moved.data());
      for (std::size_t i = 0; i < count; ++i) {
        if (places[i] == abut::no_row) {
          ASSERT_EQ(moved[i], 0);
          continue;
        }
        const abut::near_sphere a{{was[0][i], was[1][i], was[2][i]}, was[3][i]};
        const abut::near_sphere b{{is[0][i], is[1][i], is[2][i]}, is[3][i]};
        const double width = in_widths ? 2 * a.radius : 1;
        ASSERT_NEAR(moved[i] * width, move_of(b, a), frame.rounding(2) / 2) << i;
        ASSERT_NEAR(now[places[i]].center[1], (b.center[1] - frame.origin[1]) * frame.scale, std::ldexp(1, -25));
      }
      const abut::moves all = abut::all_of(moved.data(), count, 0.05F, 0.06F);
      if (first.empty()) first = moved, sums = all;
      EXPECT_EQ(moved, first);
      EXPECT_EQ(all.sum, sums.sum);
      EXPECT_EQ(all.far, sums.far);
      EXPECT_EQ(all.largest, sums.largest);
      EXPECT_EQ(all.second, sums.second);
      EXPECT_EQ(all.largest_near, sums.largest_near);
      EXPECT_LE(all.largest_near, 0.025F);
      EXPECT_LE(all.second, all.largest);
    });
  }
}

TEST(near_points, random_walks_with_every_set_of_instructions) {
  for (const int dimension : {2, 3}) {
    for (const double ratio : {1.0, 4.0}) {
      samples::random rng(5);
      std::vector<samples::set> steps(5, samples::uniform(shape::sphere, dimension, many, 0.4, 0.5, ratio, 5));
      std::vector<std::vector<abut::pair>> expected;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        if (k > 0) steps[k] = steps[k - 1], walk(steps[k], rng, 0.01);
        expected.push_back(reference::pairs(steps[k], 0.02));
      }
      ASSERT_GT(frame_of(steps[0], 0.02).scale, 0);
      with_each_instruction_set([&](const char* instructions) {
        SCOPED_TRACE(instructions);
        for (const std::string line : {"nearest-neighbor", "nearest-neighbor distance=0.1 in=width"}) {
          SCOPED_TRACE(line + ", ratio " + std::to_string(ratio));
          abut::search search(abut::plan(line), {.margin = 0.02, .threads = 1});
          for (std::size_t k = 0; k < steps.size(); ++k) {
            search.update(steps[k].view());
            ASSERT_TRUE(support::same_pairs(expected[k], support::ordered(search), steps[k]));
          }
          EXPECT_LT(event(search, "rebuilds"), steps.size());
        }
      });
    }
  }
}

// Every pair is in doubt: the lattice touches exactly, separates by the last bit, and comes together again.
TEST(near_points, lattices_that_touch_to_the_bit) {
  for (const auto how : {samples::arrangement::cubic, samples::arrangement::hexagonal}) {
    auto bodies = samples::touching_lattice(how, 3, many, 1, 6);
    ASSERT_GT(frame_of(bodies).scale, 0);
    const samples::set touching = bodies;
    followed both("nearest-neighbor distance=0.1");
    both.expect_exact(bodies);
    for (double& r : radii(bodies)) r = std::nextafter(r, 0);
    both.expect_exact(bodies);
    for (double& r : radii(bodies)) r *= 0.98;
    both.expect_exact(bodies);
    both.expect_exact(touching);
    EXPECT_EQ(both.rebuilds(), 1U);
  }
}

// Pairs that touch now and have moved by exactly the distance, or by slightly more, which single precision may not
// notice.
TEST(near_points, the_distance_is_used_up) {
  const auto bodies = samples::lattice(shape::sphere, 3, many, 3, 0, 0.5, 1, false);
  ASSERT_GT(frame_of(bodies).scale, 0);
  samples::random rng(7);
  for (const double distance : {0.1, 0.3, 0.7}) {
    for (const std::string unit : {"length", "width"}) {
      samples::set after = bodies;
      samples::set before = bodies;
      for (std::size_t i = 0; i < 1600; i += 40) {
        const double slope = rng.uniform(0, 6.28);
        const double d[3] = {std::cos(slope), std::sin(slope), 0};
        const double part = 1 + rng.uniform(-1e-5, 1e-6);
        for (std::size_t k = 0; k < 3; ++k) {
          after.column[k][i + 1] = after.column[k][i] + d[k] * (1 - 1e-14);
          before.column[k][i] = after.column[k][i] - d[k] * distance / 2 * part;
          before.column[k][i + 1] = after.column[k][i + 1] + d[k] * distance / 2 * part;
        }
      }
      followed both("nearest-neighbor distance=" + support::number(distance) + " in=" + unit);
      both.expect_exact(before);
      both.expect_exact(after);
      EXPECT_EQ(both.rebuilds(), 1U);
      EXPECT_LT(both.strays(), 60U);
    }
  }
}

// Equal spheres that grow together stay in the list until they have grown by more than the distance allows; once they
// are no longer equal, they are stored differently.
TEST(near_points, equal_spheres_grow_and_then_differ) {
  samples::random rng(8);
  auto bodies = samples::lattice(shape::sphere, 3, many, 1, 0.1, 0.49, 8);
  followed both("nearest-neighbor distance=0.1");
  for (int step = 0; step < 8; ++step) {
    both.expect_exact(bodies);
    EXPECT_EQ(both.rebuilds(), step < 6 ? 1U : 2U) << step;
    for (double& r : radii(bodies)) r += 0.009;
  }
  radii(bodies)[77] *= 1.2;
  both.expect_exact(bodies);
  EXPECT_EQ(both.rebuilds(), 3U);
  radii(bodies)[78] *= 1.02;
  walk(bodies, rng, 0.005);
  both.expect_exact(bodies);
  EXPECT_EQ(both.rebuilds(), 3U) << "strays, if anything";
}

// One sphere flies away: first as a stray, then out of the frame, then so far that single precision would be too
// coarse.
TEST(near_points, one_flies_out_of_the_frame_and_comes_back) {
  auto bodies = samples::lattice(shape::sphere, 3, many, 1, 0.1, 0.525, 9);
  followed both("nearest-neighbor distance=0.2");
  both.expect_exact(bodies);
  const double home = bodies.column[0][5];
  bool suited = true;
  for (double far = 3; far < 1e150; far = far < 1e9 ? far * 3 : far * 1e30) {
    bodies.column[0][5] = far;
    suited = suited && frame_of(bodies).scale > 0;
    both.expect_exact(bodies);
  }
  EXPECT_FALSE(suited);
  EXPECT_GE(both.rebuilds(), 3U);
  EXPECT_LE(both.rebuilds(), 20U);
  EXPECT_GT(both.strays(), 5U);
  bodies.column[0][5] = home;
  both.expect_exact(bodies);
}

// Rows change places, a few bodies come and go, some are fixed and freed.
TEST(near_points, rows_and_flags_change_under_the_list) {
  for (const double ratio : {1.0, 2.0}) {
    samples::random rng(10);
    auto bodies = samples::uniform(shape::sphere, 3, many, 0.4, 0.5, ratio, 10);
    const double r = radii(bodies)[0];
    bodies.fixed.assign(bodies.size(), 0);
    for (std::size_t i = 0; i < bodies.size(); i += 3) bodies.fixed[i] = 1;
    followed both("nearest-neighbor distance=0.2");
    both.expect_exact(bodies);
    for (int step = 0; step < 6; ++step) {
      walk(bodies, rng, 0.01);
      bodies.fixed[rng.permutation(many)[0]] ^= 1;
      std::vector<row> kept = rng.permutation(bodies.size());
      kept.resize(kept.size() - 2);
      std::vector<row> new_rows(bodies.size(), abut::no_row);
      for (std::size_t k = 0; k < kept.size(); ++k) new_rows[kept[k]] = static_cast<row>(k);
      bodies = samples::select(bodies, kept);
      bodies.add(rng.uniform(0, 9), rng.uniform(0, 9), rng.uniform(0, 9), r);
      bodies.fixed.resize(bodies.size());
      both.expect_exact(bodies, &new_rows);
    }
    EXPECT_EQ(both.rebuilds(), 1U);
    EXPECT_GT(both.strays(), 10U);
  }
}

TEST(near_points, periodic_borders_are_crossed) {
  const abut::options options{.periodic = {abut::interval{0, 14}, abut::interval{0, 14}, abut::interval{0, 14}}};
  auto bodies = samples::lattice(shape::sphere, 3, 14 * 14 * 14, 1, 0.2, 0.5, 11);
  abut::search listed(abut::plan("nearest-neighbor distance=0.3"), options);
  abut::search each_time(abut::plan("neighboring-cell"), options);
  for (int step = 0; step < 8; ++step) {
    listed.update(bodies.view());
    each_time.update(bodies.view());
    ASSERT_TRUE(support::same_pairs(support::sorted(support::ordered(each_time)), support::ordered(listed), bodies));
    for (std::size_t i = 0; i < bodies.size(); ++i) shift(bodies, i, 0, i % 2 == 0 ? 0.01 : -0.01);
  }
  EXPECT_LT(event(listed, "rebuilds"), 8U);
}

// The number of bodies goes from many to few to none, and back.
TEST(near_points, numbers_rise_and_fall) {
  followed both("nearest-neighbor");
  for (const std::size_t count : {many, many / 2, std::size_t{0}, many + 500, std::size_t{1}, many}) {
    both.expect_exact(samples::uniform(shape::sphere, 3, count, 0.4, 0.5, 1, 12));
  }
}

}  // namespace
}  // namespace near_points_test
