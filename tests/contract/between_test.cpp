// Pairs between the search's bodies and another set: every combination of shapes, margins, fixed flags and periods.

#include "support.hpp"

namespace {

using abut::shape;
namespace samples = abut::samples;

class between : public ::testing::TestWithParam<std::string> {};

// The pairs in the order of the calls, which is that of j.
std::vector<abut::pair> called(abut::search& search, const abut::bodies& others) {
  std::vector<abut::pair> found;
  search.for_each_pair_between(others, [&](abut::row i, abut::row j) { found.push_back({i, j}); });
  return found;
}

void expect_exact(const std::string& method, const samples::set& bodies, const samples::set& others, double margin,
                  const reference::periods& periodic = {}) {
  const std::vector<abut::pair> expected = reference::between(bodies, others, margin, periodic);
  std::vector<abut::pair> first_order;
  for (const int threads : {1, 2, 3}) {
    abut::search search(abut::plan(method), {.margin = margin, .periodic = periodic, .threads = threads});
    search.update(bodies.view());
    const std::vector<abut::pair> order = called(search, others.view());
    EXPECT_TRUE(support::same_pairs(expected, order));
    for (std::size_t k = 1; k < order.size(); ++k) ASSERT_LE(order[k - 1].j, order[k].j) << "not in the order of j";
    EXPECT_EQ(search.stats().pairs, expected.size());
    EXPECT_GE(search.stats().tests, expected.size());
    if (threads == 1) first_order = order;
    EXPECT_EQ(order, first_order) << "the order depends on the threads";
    // asking about another set changes nothing
    EXPECT_EQ(search.pairs(), reference::pairs(bodies, margin, periodic));
  }
}

TEST_P(between, spheres_and_boxes_in_every_combination) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        const samples::set bodies = samples::uniform(kind, dimension, 200, 0.3, 1, 3, 21);
        const samples::set others = samples::uniform(other, dimension, 150, 0.3, 1, 5, 22);
        ASSERT_FALSE(reference::between(bodies, others).empty());
        for (const double margin : {0.0, 0.3}) {
          SCOPED_TRACE(std::string(support::shape_name(kind)) + " and " + support::shape_name(other));
          expect_exact(GetParam(), bodies, others, margin);
        }
      }
    }
  }
}

TEST_P(between, every_sample_and_another) {
  for (const samples::sample& sample : samples::all()) {
    const samples::set bodies = sample.make(shape::sphere, 3, 1);
    const samples::set others = sample.make(shape::box, 3, 2);
    SCOPED_TRACE(sample.name);
    const std::vector<abut::pair> expected = reference::between(bodies, others);
    abut::search search{abut::plan(GetParam())};
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(expected, called(search, others.view())));
    search.update(others.view());
    EXPECT_TRUE(support::same_pairs(reference::between(others, bodies), called(search, bodies.view())));
  }
}

TEST_P(between, walls_are_larger_than_all_bodies_or_flat) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 216, 1, 0.2, 0.6, 23);
  samples::set walls{.kind = shape::box, .dimension = 3};
  walls.add_box({-100, -100, 0}, {100, 100, 0});       // a floor without thickness
  walls.add_box({-100, -100, -100}, {100, 100, 100});  // everything
  walls.add_box({2, 2, -1e6}, {2, 2, 1e6});            // a line
  walls.add_box({2.5, 2.5, 2.5}, {2.5, 2.5, 2.5});     // a point
  walls.add_box({50, 50, 50}, {60, 60, 60});           // nothing
  const std::vector<abut::pair> expected = reference::between(bodies, walls);
  const auto hits = [&](abut::row j) {
    return std::count_if(expected.begin(), expected.end(), [&](abut::pair p) { return p.j == j; });
  };
  ASSERT_GE(hits(0), 20);
  ASSERT_EQ(hits(1), 216);
  ASSERT_GE(hits(2), 3);
  ASSERT_EQ(hits(4), 0);
  expect_exact(GetParam(), bodies, walls, 0);
  expect_exact(GetParam(), bodies, walls, 0.2);
}

TEST_P(between, no_two_fixed_bodies) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 200, 0.5, 1, 2, 24);
  samples::set others = samples::uniform(shape::box, 3, 200, 0.5, 1, 2, 25);
  const std::size_t without = reference::between(bodies, others).size();
  for (std::size_t i = 0; i < 200; ++i) {
    bodies.fixed.push_back(i % 2 == 0);
    others.fixed.push_back(i % 3 == 0);
  }
  ASSERT_LT(reference::between(bodies, others).size(), without);
  expect_exact(GetParam(), bodies, others, 0);
  others.fixed.clear();
  ASSERT_EQ(reference::between(bodies, others).size(), without);
  expect_exact(GetParam(), bodies, others, 0);
}

TEST_P(between, empty_sets) {
  const samples::set bodies = samples::uniform(shape::sphere, 2, 50, 0.5, 1, 2, 26);
  const samples::set none{.kind = shape::box, .dimension = 2};
  expect_exact(GetParam(), bodies, none, 0);
  expect_exact(GetParam(), none, bodies, 0);
  expect_exact(GetParam(), none, none, 0);
}

TEST_P(between, exactly_touching) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const double margin : {0.0, 0.013}) {
      const samples::set all = samples::touching(kind, 3, 400, 27, margin);
      std::vector<abut::row> even;
      std::vector<abut::row> odd;
      for (abut::row i = 0; i < 400; i += 2) {
        even.push_back(i);
        odd.push_back(i + 1);
      }
      ASSERT_GE(reference::between(samples::select(all, even), samples::select(all, odd), margin).size(), 100U);
      expect_exact(GetParam(), samples::select(all, even), samples::select(all, odd), margin);
    }
  }
}

TEST_P(between, with_periods) {
  const reference::periods periodic = {abut::interval{0, 9}, abut::interval{-4, 5.5}, std::nullopt};
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      const samples::set bodies = samples::uniform(kind, 3, 150, 0.5, 1, 3, 28);
      samples::set others = samples::uniform(other, 3, 60, 0.1, 2, 9, 29);
      others.add(100, -77, 3, 0.5);  // far outside: its image counts
      others.add(4, 1, 5, 11);       // larger than the periods
      ASSERT_GT(reference::between(bodies, others, 0, periodic).size(), reference::between(bodies, others).size());
      for (const double margin : {0.0, 0.1}) expect_exact(GetParam(), bodies, others, margin, periodic);
    }
  }
}

TEST_P(between, bad_others_are_errors_that_name_the_body) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 50, 0.5, 1, 2, 30);
  abut::search search{abut::plan(GetParam())};
  search.update(bodies.view());
  samples::set others = bodies;
  others.column[1][17] = std::numeric_limits<double>::quiet_NaN();
  const std::string message = support::message_of([&] { called(search, others.view()); });
  EXPECT_NE(message.find("17"), std::string::npos) << message;
  EXPECT_NE(message.find("nan"), std::string::npos) << message;
  const samples::set flat = samples::uniform(shape::sphere, 2, 50, 0.5, 1, 2, 30);
  EXPECT_THROW(called(search, flat.view()), abut::error) << "another dimension";
  EXPECT_EQ(search.pairs(), reference::pairs(bodies));
}

INSTANTIATE_TEST_SUITE_P(methods, between, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
