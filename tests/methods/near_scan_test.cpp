// The vector loops of the list of near pairs: with every instruction set of the machine, the same results as `overlap`
// and `move_of`, bit by bit.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "generators.hpp"
#include "instruction_sets.hpp"
#include "methods/nearest_neighbor/scan.hpp"

namespace near_scan_test {
namespace {

using abut::near_sphere;
using abut::row;
using support::with_each_instruction_set;

// Pairs at the touching distance, or one or two ulps to either side of it, near the origin and far from it.
struct touching {
  std::vector<near_sphere> spheres;
  std::vector<abut::pair> pairs;

  explicit touching(double scale) {
    abut::samples::random rng(3);
    for (row k = 0; k < 501; ++k) {
      const double far = k % 3 == 0 ? 0 : scale * std::pow(10, k % 12);
      near_sphere a{{far, -far, far / 3}, scale * rng.uniform(0, 2)};
      near_sphere b{{far, -far, far / 3}, scale * rng.uniform(0, 2)};
      double apart = a.radius + b.radius;
      for (row ulps = k % 5; ulps > 2; --ulps) apart = std::nextafter(apart, 1e300);
      for (row ulps = k % 5; ulps < 2; ++ulps) apart = std::nextafter(apart, 0);
      const double slope = rng.uniform(0, 1.5);
      b.center[k % 3] += apart * std::cos(slope);
      b.center[(k + 1) % 3] += apart * std::sin(slope);
      pairs.push_back({2 * k, 2 * k + 1});
      spheres.push_back(a);
      spheres.push_back(b);
    }
    spheres[40].center[0] = std::numeric_limits<double>::quiet_NaN();  // as in `no_volume`
  }
};

TEST(near_scan, finds_what_overlaps_with_every_set_of_instructions) {
  for (const double scale : {1.0, 1e-160, 1e149}) {
    for (const double margin : {0.0, 0.1 * scale}) {
      const touching all(scale);
      for (const std::size_t count : {0, 1, 3, 4, 5, 437, 501}) {
        std::vector<abut::pair> expected;
        for (std::size_t k = 0; k < count; ++k) {
          const abut::pair& p = all.pairs[k];
          if (overlap(all.spheres[p.i], all.spheres[p.j], margin)) expected.push_back(p);
        }
        if (count > 100 && margin == 0) {
          EXPECT_GT(expected.size(), count / 10);
          EXPECT_LT(expected.size(), count);
        }
        std::vector<abut::pair> listed(all.pairs.begin(), all.pairs.begin() + static_cast<std::ptrdiff_t>(count));
        listed.resize(count + abut::near_padding);
        with_each_instruction_set([&](const char* instructions) {
          SCOPED_TRACE(instructions);
          std::vector<abut::pair> found(count + abut::near_padding);
          found.resize(abut::overlapping(all.spheres.data(), margin, listed.data(), count, found.data()));
          EXPECT_EQ(found, expected) << scale << ' ' << margin << ' ' << count;
        });
      }
    }
  }
}

TEST(near_scan, places_and_measures_with_every_set_of_instructions) {
  const touching all(1);
  const std::size_t count = 333;
  std::vector<double> columns[4];
  std::vector<row> places(count);
  std::vector<near_sphere> then(count);
  abut::samples::random rng(4);
  for (std::size_t k = 0; k < count; ++k) {
    const near_sphere& s = all.spheres[k + 100];
    for (int c = 0; c < 3; ++c) columns[c].push_back(s.center[c]);
    columns[3].push_back(s.radius);
    places[k] = k % 50 == 7 ? abut::no_row : static_cast<row>((k * 10) % count);
    if (places[k] == abut::no_row) continue;
    near_sphere was = s;
    if (k % 2 == 0) was.center[k % 3] += rng.uniform(-0.1, 0.1);
    if (k % 5 == 0) was.radius *= rng.uniform(0.5, 2);
    then[places[k]] = was;
  }
  const double* const at[4] = {columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data()};
  for (const double shrink : {0.0, 1.0, 1 / 1.3}) {
    with_each_instruction_set([&](const char* instructions) {
      SCOPED_TRACE(instructions);
      std::vector<near_sphere> now(count);
      std::vector<double> moved(count, -1);
      abut::place_spheres(at, places.data(), count, then.data(), shrink, now.data(), moved.data());
      abut::moves expected;
      for (std::size_t k = 0; k < count; ++k) {
        double move = 0;
        if (const row p = places[k]; p != abut::no_row) {
          for (int c = 0; c < 3; ++c) EXPECT_EQ(now[p].center[c], columns[c][k]);
          EXPECT_EQ(now[p].radius, columns[3][k]);
          move = shrink == 0 ? move_of(now[p], then[p]) : share_of(now[p], then[p], shrink);
        }
        EXPECT_EQ(moved[k], move) << k;
        expected.add(move, 0.1, 0.2);
      }
      const abut::moves sum = abut::all_of(moved.data(), count, 0.1, 0.2);
      EXPECT_EQ(sum.largest, expected.largest);
      EXPECT_EQ(sum.second, expected.second);
      EXPECT_EQ(sum.far, expected.far);
      EXPECT_EQ(sum.largest_near, expected.largest_near);
      EXPECT_NEAR(sum.sum, expected.sum, 1e-12 * expected.sum);
    });
  }
}

}  // namespace
}  // namespace near_scan_test
