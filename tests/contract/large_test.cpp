// A million bodies: the memory that a search holds, and the same pairs by several methods.

#include "support.hpp"

namespace large_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

constexpr std::size_t million = 1'000'000;
constexpr double most_bytes_per_body = 150;

// neighboring-cell holds no more than that per body, with both ways of storing.
constexpr const char* frugal[] = {"neighboring-cell store=center", "neighboring-cell store=cover"};
constexpr const char* others[] = {"grid", "nearest-neighbor", "multilevel", "hashing"};

struct result {
  support::hashes found;
  double bytes_per_body = 0;
};

result run(const std::string& plan, const samples::set& bodies) {
  abut::search search{abut::plan(plan)};
  search.update(bodies.view());
  result r;
  search.for_each_pair([&](abut::row i, abut::row j) { r.found.add({i, j}); });
  EXPECT_EQ(search.stats().pairs, r.found.pairs);
  r.bytes_per_body = static_cast<double>(search.stats().bytes) / static_cast<double>(bodies.size());
  EXPECT_GT(r.bytes_per_body, 4) << plan << ": this cannot be all of it";
  return r;
}

// Expects that all methods find the same number of pairs, with the same hash.
support::hashes expect_one_set(const samples::set& bodies) {
  const result first = run(frugal[0], bodies);
  EXPECT_LE(first.bytes_per_body, most_bytes_per_body);
  for (const char* plan : others) {
    const result other = run(plan, bodies);
    EXPECT_EQ(other.found.pairs, first.found.pairs) << plan;
    EXPECT_EQ(other.found.of_set, first.found.of_set) << plan;
  }
  return first.found;
}

TEST(a_million_bodies, on_a_lattice) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, million, 1, 0.1, 0.525, 111);
  const support::hashes expected = expect_one_set(bodies);
  EXPECT_GT(expected.pairs, million);
  const result cover = run(frugal[1], bodies);
  EXPECT_EQ(cover.found.pairs, expected.pairs);
  EXPECT_EQ(cover.found.of_set, expected.of_set);
  EXPECT_LE(cover.bytes_per_body, most_bytes_per_body);
}

TEST(a_million_bodies, in_clusters_far_from_each_other) {
  const samples::set bodies = samples::clusters(shape::sphere, 3, million, 1000, 1e5, 0.5, 112);
  const support::hashes expected = expect_one_set(bodies);
  EXPECT_GT(expected.pairs, million / 2);
  const result cover = run(frugal[1], bodies);
  EXPECT_EQ(cover.found.pairs, expected.pairs);
  EXPECT_EQ(cover.found.of_set, expected.of_set);
}

// The pairs are known without a search: each body touches its neighbors on the lattice, and no others.
TEST(a_million_bodies, that_touch_exactly) {
  constexpr abut::row side = 100;
  support::hashes expected;
  for (abut::row i = 0; i < million; ++i) {
    if (i % side + 1 < side) expected.add({i, i + 1});
    if (i / side % side + 1 < side) expected.add({i, i + side});
    if (i / side / side + 1 < side) expected.add({i, i + side * side});
  }
  ASSERT_EQ(expected.pairs, 3U * 99 * 100 * 100);
  const samples::set bodies = samples::lattice(shape::sphere, 3, million, 1, 0, 0.5, 113, false);
  for (const char* plan :
       {"neighboring-cell", "grid", "nearest-neighbor", "multilevel", "hashing", "rtree", "stripe-sort", "mr"}) {
    const support::hashes found = run(plan, bodies).found;
    EXPECT_EQ(found.pairs, expected.pairs) << plan;
    EXPECT_EQ(found.of_set, expected.of_set) << plan;
  }
  // The number is the same with rows in random order.
  EXPECT_EQ(run("neighboring-cell", samples::lattice(shape::sphere, 3, million, 1, 0, 0.5, 113)).found.pairs,
            expected.pairs);
}

}  // namespace
}  // namespace large_test
