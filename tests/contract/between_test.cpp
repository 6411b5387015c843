// Pairs between the search's bodies and another set: every combination of shapes, margins, fixed flags and periods.

#include <limits>
#include <span>
#include <stdexcept>

#include "support.hpp"

namespace between_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

class between : public ::testing::TestWithParam<std::string> {};

// The pairs in the order of the calls: by j.
template <class Others>
std::vector<abut::pair> called(abut::search& search, const Others& others) {
  std::vector<abut::pair> found;
  search.for_each_pair_between(others, [&](abut::row i, abut::row j) { found.push_back({i, j}); });
  return found;
}

// The same by batches, each task's one after the other.
template <class Others>
std::vector<abut::pair> by_batches(abut::search& search, const Others& others) {
  std::vector<std::vector<abut::pair>> tasks(search.tasks_between(others));
  search.for_each_batch_between(others, [&](std::size_t task, std::span<const abut::pair> batch) {
    EXPECT_FALSE(batch.empty());
    tasks.at(task).insert(tasks.at(task).end(), batch.begin(), batch.end());
  });
  std::vector<abut::pair> found;
  for (const auto& task : tasks) found.insert(found.end(), task.begin(), task.end());
  return found;
}

void expect_exact(const std::string& method, const samples::set& bodies, const samples::set& others, double margin,
                  const reference::periods& periodic = {}) {
  const std::vector<abut::pair> expected = reference::between(bodies, others, margin, periodic);
  std::vector<abut::pair> first_order;
  const abut::other_set kept(others.view());
  EXPECT_EQ(kept.size(), others.size());
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
    EXPECT_EQ(called(search, kept), order);
    EXPECT_EQ(by_batches(search, kept), order);
    EXPECT_EQ(by_batches(search, others.view()), order);
    EXPECT_EQ(search.stats().pairs, expected.size());
    EXPECT_GE(search.stats().tests, expected.size());
    // Asking about another set changes nothing.
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
      others.add(100, -77, 3, 0.5);  // far outside, so one of its images counts
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

// Walls that are kept from step to step while the bodies, the margin and the periods change, and that move now and
// then.
TEST_P(between, kept_walls_of_moving_bodies) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        samples::random rng(31);
        samples::set bodies = samples::uniform(kind, dimension, 120, 0.4, 1, dimension, 32);
        samples::set others = samples::uniform(other, dimension, 600, 0.4, 0.5, 3, 33);
        for (std::size_t i = 0; i < bodies.size(); ++i) bodies.fixed.push_back(i % 3 == 0);
        for (std::size_t j = 0; j < others.size(); ++j) others.fixed.push_back(j % 2 == 0);
        abut::other_set walls(others.view());
        abut::search search(abut::plan(GetParam()), {.threads = 2});
        std::size_t seen = 0;
        for (int step = 0; step < 4; ++step) {
          const double margin = 0.1 * step;
          abut::periodic_axes periodic{};
          if (step % 2 == 1) periodic[1] = abut::interval{-1, 9 + 0.1 * step};
          search.update(bodies.view(), {.margin = margin, .periodic = periodic});
          const auto expected = reference::between(bodies, others, margin, periodic);
          seen += expected.size();
          const std::vector<abut::pair> found = by_batches(search, walls);
          ASSERT_TRUE(support::same_pairs(expected, found)) << "step " << step;
          ASSERT_EQ(called(search, walls), found);
          for (std::size_t i = 0; i < bodies.size(); ++i) {
            const double by = rng.uniform(0, 0.05);
            bodies.column[0][i] += by;
            if (kind == shape::box) bodies.column[static_cast<std::size_t>(dimension)][i] += by;
          }
          if (step != 1) continue;
          samples::translate(others, 0.3);
          walls.update(others.view());
        }
        EXPECT_GT(seen, 0U);
      }
    }
  }
}

TEST_P(between, what_f_throws_passes_through) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 300, 0.5, 1, 2, 34);
  const samples::set others = samples::uniform(shape::box, 3, 1500, 0.5, 1, 2, 35);
  const abut::other_set walls(others.view());
  const std::vector<abut::pair> expected = reference::between(bodies, others);
  for (const int threads : {1, 3}) {
    abut::search search(abut::plan(GetParam()), {.threads = threads});
    search.update(bodies.view());
    const auto fail = [](std::size_t task, std::span<const abut::pair>) {
      if (task == 3) throw std::runtime_error("stop");
    };
    EXPECT_THROW(search.for_each_batch_between(walls, fail), std::runtime_error);
    EXPECT_TRUE(support::same_pairs(expected, by_batches(search, walls)));
  }
}

TEST_P(between, kept_walls_are_checked) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 50, 0.5, 1, 2, 36);
  samples::set others = samples::uniform(shape::box, 3, 400, 0.5, 1, 2, 37);
  abut::other_set walls(others.view());
  abut::search search(abut::plan(GetParam()), {.periodic = {abut::interval{-4, 8}}});
  const auto nothing = [](std::size_t, std::span<const abut::pair>) {};
  EXPECT_THROW(search.for_each_batch_between(walls, nothing), abut::error) << "before the first update";
  EXPECT_THROW((void)search.tasks_between(walls), abut::error);
  EXPECT_THROW((void)search.tasks_between(others.view()), abut::error);
  search.update(bodies.view());
  EXPECT_EQ(search.tasks_between(walls), search.tasks_between(others.view()));
  const std::vector<abut::pair> before = by_batches(search, walls);
  samples::set bad = others;
  bad.column[1][17] = std::numeric_limits<double>::quiet_NaN();
  const std::string message = support::message_of([&] { walls.update(bad.view()); });
  EXPECT_NE(message.find("in the other set, body 17"), std::string::npos) << message;
  EXPECT_EQ(by_batches(search, walls), before) << "still those that it had";
  EXPECT_THROW(abut::other_set(bad.view()), abut::error);
  const samples::set flat = samples::uniform(shape::sphere, 2, 50, 0.5, 1, 2, 30);
  walls.update(flat.view());
  EXPECT_THROW(search.for_each_batch_between(walls, nothing), abut::error) << "another dimension";
  others.column[0][5] = 1e20;
  others.column[3][5] = 1e20;
  walls.update(others.view());
  const std::string far = support::message_of([&] { search.for_each_batch_between(walls, nothing); });
  EXPECT_NE(far.find("body 5 of the other set lies"), std::string::npos) << far;
  search.update(bodies.view(), {.periodic = abut::periodic_axes{}});
  EXPECT_TRUE(support::same_pairs(reference::between(bodies, others), by_batches(search, walls)));
}

INSTANTIATE_TEST_SUITE_P(methods, between, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace between_test
