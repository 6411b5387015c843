// Bodies in a region: spheres and boxes, of any size, asked from many threads at once.

#include <atomic>
#include <thread>

#include "support.hpp"

namespace region_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

class in_region : public ::testing::TestWithParam<std::string> {};

// Regions of every kind in a cube from -`half` to `half`; in 2D the third coordinates are 0.
std::vector<abut::region> regions(int dimension, double half, std::uint64_t seed) {
  samples::random rng(seed);
  std::vector<abut::region> all;
  const auto place = [&] {
    std::array<double, 3> c{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) c[k] = rng.uniform(-half, half);
    return c;
  };
  for (const double size : {0.0, 0.01, 0.1, 0.5, 3.0, 1e6}) {
    for (int k = 0; k < 4; ++k) {
      all.emplace_back(abut::sphere{place(), size * half});
      abut::box b{place(), {}};
      for (std::size_t a = 0; a < 3; ++a) {
        b.max[a] = b.min[a];
        if (a < static_cast<std::size_t>(dimension)) b.max[a] += size * half * rng.uniform(0, 2);
      }
      all.emplace_back(b);
    }
  }
  all.emplace_back(abut::sphere{{1e9 * half, 0, 0}, half});  // nothing there
  return all;
}

TEST_P(in_region, spheres_and_boxes_of_every_size) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      samples::set bodies = samples::uniform(kind, dimension, 300, 0.4, 1, 4, 31);
      samples::translate(bodies, -5);
      for (const double margin : {0.0, 0.25}) {
        abut::search search(abut::plan(GetParam()), {.margin = margin});
        search.update(bodies.view());
        std::size_t hits = 0;
        std::size_t alls = 0;
        for (const abut::region& where : regions(dimension, 5, 32)) {
          const std::vector<abut::row> expected = reference::in(bodies, where, margin);
          EXPECT_EQ(support::rows_in(search, where), expected);
          hits += expected.empty() ? 0 : 1;
          alls += expected.size() == bodies.size() ? 1 : 0;
        }
        EXPECT_GT(hits, 15U);
        EXPECT_GT(alls, 2U);
      }
    }
  }
}

TEST_P(in_region, every_sample_with_its_own_bodies_as_regions) {
  for (const samples::sample& sample : samples::all()) {
    SCOPED_TRACE(sample.name);
    const samples::set bodies = sample.make(shape::box, 3, 1);
    const samples::set others = sample.make(shape::sphere, 3, 1);
    abut::search search{abut::plan(GetParam())};
    search.update(bodies.view());
    for (std::size_t i = 0; i < others.size(); i += 5) {
      const auto& c = others.column;
      const abut::region where = abut::sphere{{c[0][i], c[1][i], c[2][i]}, c[3][i]};
      ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where))
          << support::body_text(others, abut::row(i));
    }
  }
}

// A body approaches and just touches a region, to the last bit: wherever a method looks for it, there must be room for
// rounding.
TEST_P(in_region, bodies_that_have_moved_and_just_touch) {
  samples::random rng(31);
  int touched = 0;
  for (int round = 0; round < 120; ++round) {
    const auto kind = round % 2 == 0 ? shape::sphere : shape::box;
    const double size = std::array{1.0, 1e3, 1e6}[rng.below(3)] * rng.uniform(0.5, 1);
    const double r = rng.uniform(0.5, 1);
    const double x = rng.uniform(-1, 1);
    const auto at = [&](double place) {
      samples::set one{.kind = kind, .dimension = 2};
      one.add(place, 0, 0, r);
      return one;
    };
    const samples::set after = at(x);
    const samples::set before = at(x - rng.uniform(0, 0.02));
    const double end = kind == shape::box ? after.column[2][0] : x + r;
    const abut::region where = round % 4 < 2 ? abut::region(abut::sphere{{end + size, 0}, size})
                                             : abut::region(abut::box{{end, -size}, {end + size, size}});
    abut::search search{abut::plan(GetParam())};
    search.update(before.view());
    search.update(after.view());
    const std::vector<abut::row> expected = reference::in(after, where);
    ASSERT_EQ(support::rows_in(search, where), expected) << support::body_text(after, 0) << ", size " << size;
    touched += static_cast<int>(expected.size());
  }
  EXPECT_GT(touched, 60);
}

TEST_P(in_region, fixed_bodies_are_found_too) {
  samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 1);
  bodies.fixed.assign(27, 1);
  abut::search search{abut::plan(GetParam())};
  search.update(bodies.view());
  EXPECT_EQ(support::rows_in(search, abut::sphere{{1, 1, 1}, 10}).size(), 27U);
}

TEST_P(in_region, an_empty_set_has_nothing_in_it) {
  const samples::set none;
  abut::search search{abut::plan(GetParam())};
  search.update(none.view());
  EXPECT_TRUE(support::rows_in(search, abut::sphere{{0, 0, 0}, 1e100}).empty());
}

TEST_P(in_region, from_four_threads_at_once) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 2000, 0.4, 1, 4, 33);
  abut::search made{abut::plan(GetParam())};
  made.update(bodies.view());
  const abut::search& search = made;
  const double side = *std::max_element(bodies.column[0].begin(), bodies.column[0].end());
  std::atomic<int> wrong{0};
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      samples::random rng(t);
      for (int k = 0; k < 50; ++k) {
        const abut::region where = abut::sphere{{rng.uniform(0, side), rng.uniform(0, side), rng.uniform(0, side)},
                                                rng.uniform(0, 0.4 * side)};
        const bool same = support::rows_in(search, where) == reference::in(bodies, where);
        (same ? right : wrong)++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(right, 200);
}

TEST_P(in_region, bad_regions_are_errors) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 1);
  abut::search search{abut::plan(GetParam())};
  search.update(bodies.view());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const abut::region& bad : std::vector<abut::region>{
           abut::sphere{{0, nan, 0}, 1}, abut::sphere{{0, 0, 0}, -1}, abut::sphere{{0, 0, 0}, infinity},
           abut::sphere{{1e151, 0, 0}, 1}, abut::box{{0, 0, 0}, {1, -1, 1}}, abut::box{{0, 0, nan}, {1, 1, 1}},
           abut::box{{-infinity, 0, 0}, {1, 1, 1}}}) {
    EXPECT_THROW(support::rows_in(search, bad), abut::error);
  }
  abut::search fresh{abut::plan(GetParam())};
  EXPECT_THROW(support::rows_in(fresh, abut::sphere{{0, 0, 0}, 1}), abut::error) << "before the first update";
}

INSTANTIATE_TEST_SUITE_P(methods, in_region, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace region_test
