// Pairs that touch exactly. The first tests prove that the sample is a trap: they run methods with the mistakes that
// the contract warns of, and demand that the sample reveals them.

#include <cmath>
#include <numeric>

#include "plans.hpp"
#include "support.hpp"

namespace touching_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

// A sweep along x that takes two bodies for separate if `a.c + a.r < b.c - b.r` on some axis, in the number type T,
// without room for rounding; the definition decides on the rest.
template <class T>
std::vector<abut::pair> pairs_of_careless_sweep(const samples::set& bodies) {
  const std::vector<reference::volume> all = reference::volumes(bodies);
  const auto lower = [&](abut::row i, int k) { return static_cast<T>(all[i].c[k]) - static_cast<T>(all[i].r); };
  const auto upper = [&](abut::row i, int k) { return static_cast<T>(all[i].c[k]) + static_cast<T>(all[i].r); };
  std::vector<abut::row> order(all.size());
  std::iota(order.begin(), order.end(), abut::row{0});
  std::sort(order.begin(), order.end(), [&](abut::row i, abut::row j) { return lower(i, 0) < lower(j, 0); });
  std::vector<abut::pair> found;
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size() && !(upper(order[a], 0) < lower(order[b], 0)); ++b) {
      const auto [i, j] = std::minmax(order[a], order[b]);
      bool apart = false;
      for (int k = 1; k < bodies.dimension; ++k)
        apart = apart || upper(i, k) < lower(j, k) || upper(j, k) < lower(i, k);
      if (!apart && reference::meets(all[i], all[j], 0)) found.push_back({i, j});
    }
  }
  return found;
}

TEST(touching_sample, a_prune_on_c_minus_r_and_c_plus_r_loses_pairs) {
  for (const int dimension : {2, 3}) {
    const samples::set bodies = samples::touching(shape::sphere, dimension, 4000, 91);
    const std::size_t right = reference::pairs(bodies).size();
    const std::size_t in_double = pairs_of_careless_sweep<double>(bodies).size();
    const std::size_t in_single = pairs_of_careless_sweep<float>(bodies).size();
    ASSERT_GE(right, 1000U);
    EXPECT_LT(in_double, right - 50) << "the sample does not catch a prune without room";
    EXPECT_LT(in_single, in_double) << "single precision should lose more";
    RecordProperty("right", static_cast<int>(right));
    RecordProperty("careless_in_double", static_cast<int>(in_double));
    RecordProperty("careless_in_single", static_cast<int>(in_single));
  }
}

class touching : public ::testing::TestWithParam<std::string> {};

TEST_P(touching, no_pair_is_lost) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const double margin : {0.0, 0.013}) {
        for (std::uint64_t seed = 91; seed < 94; ++seed) {
          const samples::set bodies = samples::touching(kind, dimension, 2000, seed, margin);
          const std::vector<abut::pair> expected = reference::pairs(bodies, margin);
          ASSERT_GE(expected.size(), 500U);
          for (const std::string& plan : support::plans_of(GetParam(), bodies)) {
            SCOPED_TRACE(plan);
            abut::search search(abut::plan(plan), {.margin = margin});
            try {
              search.update(bodies.view());
            } catch (const abut::error& refused) {
              support::expect_fair_refusal(plan, refused);  // a cell too small to store bodies in
              continue;
            }
            EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies));
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, touching, ::testing::ValuesIn(support::method_names()), support::method_test_name);

// The definition itself: closed, and as the header states it, to the bit.
TEST(overlap, is_closed) {
  using abut::box;
  using abut::sphere;
  EXPECT_TRUE(overlap(sphere{{0, 0, 0}, 1}, sphere{{2, 0, 0}, 1}));
  EXPECT_FALSE(overlap(sphere{{0, 0, 0}, 1}, sphere{{std::nextafter(2.0, 3.0), 0, 0}, 1}));
  EXPECT_TRUE(overlap(sphere{{0, 0, 0}, 1}, sphere{{2.5, 0, 0}, 1}, 0.5));
  EXPECT_TRUE(overlap(box{{0, 0, 0}, {1, 1, 1}}, box{{1, 1, 1}, {2, 2, 2}}));
  EXPECT_FALSE(overlap(box{{0, 0, 0}, {1, 1, 1}}, box{{std::nextafter(1.0, 2.0), 0, 0}, {2, 2, 2}}));
  EXPECT_TRUE(overlap(box{{0, 0, 0}, {1, 1, 1}}, box{{1.25, 0, 0}, {2, 2, 2}}, 0.25));
  EXPECT_TRUE(overlap(sphere{{2, 0.5, 0.5}, 1}, box{{0, 0, 0}, {1, 1, 1}}));
  EXPECT_TRUE(overlap(box{{0, 0, 0}, {1, 1, 1}}, sphere{{0.5, -1.5, 0.5}, 1}, 0.5));
  EXPECT_FALSE(overlap(box{{0, 0, 0}, {1, 1, 1}}, sphere{{2, 2, 2}, 1}));
  EXPECT_TRUE(overlap(abut::region(sphere{{0, 0, 0}, 0}), abut::region(box{})));
  EXPECT_TRUE(overlap(sphere{{0, 0, 0}, 0}, sphere{{1e-163, 0, 0}, 0})) << "squares underflow";
}

TEST(overlap, is_what_the_oracle_says) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      for (const samples::sample& sample : samples::all()) {
        const auto as = reference::volumes(sample.make(kind, 3, 1));
        const auto bs = reference::volumes(sample.make(other, 3, 1));
        const auto region = [](const reference::volume& v) -> abut::region {
          if (v.is_box) return abut::box{{v.min[0], v.min[1], v.min[2]}, {v.max[0], v.max[1], v.max[2]}};
          return abut::sphere{{v.c[0], v.c[1], v.c[2]}, v.r};
        };
        for (std::size_t i = 0; i < as.size(); i += 3) {
          for (std::size_t j = 0; j < bs.size(); j += 2) {
            ASSERT_EQ(overlap(region(as[i]), region(bs[j]), 0.01), reference::meets(as[i], bs[j], 0.01)) << sample.name;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace touching_test
