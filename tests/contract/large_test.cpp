// A million bodies: what the search holds in memory, and the same pairs by two ways.

#include "support.hpp"

namespace {

using abut::shape;
namespace samples = abut::samples;

constexpr std::size_t million = 1'000'000;
constexpr double most_bytes_a_body = 150;

struct result {
  std::uint64_t pairs = 0;
  std::uint64_t hash = 0;
  double bytes_a_body = 0;
};

result run(const char* plan, const samples::set& bodies) {
  abut::search search{abut::plan(plan)};
  search.update(bodies.view());
  result r;
  search.for_each_pair([&](abut::row i, abut::row j) {
    ++r.pairs;
    r.hash += abut::pair_hash({i, j});
  });
  EXPECT_EQ(search.stats().pairs, r.pairs);
  r.bytes_a_body = static_cast<double>(search.stats().bytes) / static_cast<double>(bodies.size());
  EXPECT_GT(r.bytes_a_body, 4) << "this cannot be all of it";
  return r;
}

TEST(a_million_bodies, on_a_lattice) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, million, 1, 0.1, 0.525, 111);
  const result center = run("neighboring-cell store=center", bodies);
  const result cover = run("neighboring-cell store=cover", bodies);
  EXPECT_GT(center.pairs, million);
  EXPECT_EQ(center.pairs, cover.pairs);
  EXPECT_EQ(center.hash, cover.hash);
  EXPECT_LE(center.bytes_a_body, most_bytes_a_body);
  EXPECT_LE(cover.bytes_a_body, most_bytes_a_body);
}

TEST(a_million_bodies, in_clusters_far_from_each_other) {
  const samples::set bodies = samples::clusters(shape::sphere, 3, million, 1000, 1e5, 0.5, 112);
  const result center = run("neighboring-cell store=center", bodies);
  const result cover = run("neighboring-cell store=cover", bodies);
  EXPECT_GT(center.pairs, million / 2);
  EXPECT_EQ(center.pairs, cover.pairs);
  EXPECT_EQ(center.hash, cover.hash);
  EXPECT_LE(center.bytes_a_body, most_bytes_a_body);
}

// Every body has its pairs with the lattice's neighbors, and no other: counted without any search.
TEST(a_million_bodies, that_touch_exactly) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, million, 1, 0, 0.5, 113);
  EXPECT_EQ(run("neighboring-cell", bodies).pairs, 3U * 99 * 100 * 100);
}

}  // namespace
