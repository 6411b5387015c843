// The C interface to what a search can do beyond pairs of one set: the same results as the C++ one.

#include <abut/abut.h>

#include <cstddef>
#include <mutex>
#include <string>

#include <abut/geometry.hpp>
#include <abut/planner.hpp>

#include "c_support.hpp"
#include "support.hpp"

namespace c_interface_search_test {
namespace {

using abut::row;
using abut::shape;
using c_support::copy;
using c_support::expect_error;
using c_support::find;
using c_support::handle;
using c_support::labels_of;
using c_support::others_handle;
using c_support::pairs_of;
using c_support::sized;
using c_support::some_spheres;
using c_support::view_of;
namespace samples = abut::samples;
using pairs_by_task = std::vector<std::vector<abut::pair>>;

// `of` is abut_events or abut_counts.
void expect_same(int (*of)(abut_search*, const abut_event**, std::size_t*), abut_search* search,
                 const std::vector<abut::stats::event>& expected) {
  const abut_event* named = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(of(search, &named, &count), 0) << abut_last_error();
  ASSERT_EQ(count, expected.size());
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(named[k].name, expected[k].name);
    EXPECT_EQ(named[k].count, expected[k].count) << expected[k].name;
  }
}

// A search in C and one in C++ that should do the same.
struct both {
  handle c;
  abut::search cpp;

  explicit both(const samples::set& set, const char* plan = "grid", double period = 0) : cpp(abut::plan(plan)) {
    auto options = sized<abut_options>();
    abut::options chosen;
    if (period > 0) {
      options.periodic[0] = 1;
      options.periodic_max[0] = period;
      chosen.periodic[0] = abut::interval{0, period};
    }
    c.reset(abut_create(plan, &options));
    EXPECT_TRUE(c) << abut_last_error();
    cpp = abut::search(abut::plan(plan), chosen);
    update(set);
  }
  void update(const samples::set& set) {
    const abut_bodies bodies = view_of(set);
    EXPECT_EQ(abut_update(c.get(), &bodies), 0) << abut_last_error();
    cpp.update(set.view());
  }
};

// Collects what C functions are called with.
struct collected {
  std::mutex lock{};
  std::vector<abut::pair> pairs{};
  pairs_by_task by_task{};
  std::vector<row> rows{};

  static void add_pairs(void* context, const abut_pair* pairs, std::size_t count) {
    auto& all = static_cast<collected*>(context)->pairs;
    for (const abut::pair p : copy(pairs, count)) all.push_back(p);
  }
  static void add_batch(void* context, std::size_t task, const abut_pair* pairs, std::size_t count) {
    auto& self = *static_cast<collected*>(context);
    const std::lock_guard hold(self.lock);
    ASSERT_LT(task, self.by_task.size());
    for (const abut::pair p : copy(pairs, count)) self.by_task[task].push_back(p);
  }
  static void add_rows(void* context, const std::uint32_t* rows, std::size_t count) {
    auto& all = static_cast<collected*>(context)->rows;
    all.insert(all.end(), rows, rows + count);
  }
};

TEST(c_interface_search, groups_and_masks_of_all_types) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set set = samples::uniform(kind, dimension, 300, 0.7, 1, 3, 811);
      std::vector<std::int32_t> group;
      std::vector<std::int64_t> category;
      std::vector<std::uint32_t> collides;
      for (std::size_t i = 0; i < set.size(); ++i) {
        group.push_back(static_cast<std::int32_t>(i % 7) - 3);
        category.push_back(std::int64_t{1} << i % 3);
        collides.push_back(i % 2 == 0 ? 7U : 5U);
      }
      abut_bodies bodies = view_of(set);
      bodies.group = labels_of(group);
      EXPECT_EQ(find(bodies), abut::find_pairs(set.view().group(group)));
      bodies.category = labels_of(category);
      bodies.collides = labels_of(collides);
      const std::vector<abut::pair> expected = abut::find_pairs(set.view().group(group).mask(category, collides));
      EXPECT_EQ(find(bodies), expected);
      EXPECT_LT(expected.size(), abut::find_pairs(set.view().group(group)).size());
      // Every second id of a wider array, and one mask for all.
      std::vector<std::int64_t> spread(2 * set.size());
      for (std::size_t i = 0; i < set.size(); ++i) spread[2 * i] = group[i];
      const std::int32_t every = -1;
      bodies.group = {spread.data(), 2 * sizeof(std::int64_t), ABUT_INT64};
      bodies.category = {&every, 0, ABUT_INT32};
      bodies.collides = {&every, 0, ABUT_INT32};
      EXPECT_EQ(find(bodies), abut::find_pairs(set.view().group(group)));
    }
  }
}

TEST(c_interface_search, structs_of_older_headers) {
  const samples::set set = some_spheres();
  abut_bodies bodies = view_of(set);
  bodies.size = offsetof(abut_bodies, group);
  bodies.group = {&bodies, 0, 77};  // would be refused, but such a program has other things there
  EXPECT_EQ(find(bodies), abut::find_pairs(set.view()));

  auto options = sized<abut_options>();
  options.size = offsetof(abut_options, constants);
  options.constants = "no such constants";
  const handle search(abut_create(nullptr, &options));
  ASSERT_TRUE(search) << abut_last_error();
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  ASSERT_FALSE(pairs_of(search).empty());

  auto stats = sized<abut_stats>();
  stats.size = offsetof(abut_stats, predicted);
  stats.predicted = -17;
  ASSERT_EQ(abut_stats_of(search.get(), &stats), 0) << abut_last_error();
  EXPECT_GT(stats.pairs, 0U);
  EXPECT_EQ(stats.size, offsetof(abut_stats, predicted));
  EXPECT_EQ(stats.predicted, -17) << "written past the end";
  bodies.size = sizeof bodies + 8;
  expect_error(abut_update(search.get(), &bodies), "bodies has size " + std::to_string(sizeof bodies + 8));
}

TEST(c_interface_search, updates_with_margin_periods_and_maps_of_rows) {
  samples::random rng(812);
  samples::set set = samples::uniform(shape::sphere, 3, 400, 0.5, 0.6, 2, 812);
  samples::set before;
  both search(set, "nearest-neighbor");
  for (int step = 0; step < 12; ++step) {
    auto changes = sized<abut_changes>();
    abut::changes expected;
    if (step % 2 == 1) {
      changes.has_margin = 1;
      changes.margin = 0.02 * step;
      expected.margin = changes.margin;
    }
    if (step % 4 == 2) {
      changes.has_periodic = 1;
      changes.periodic[1] = 1;
      changes.periodic_min[1] = -0.1 * step;
      changes.periodic_max[1] = 12;
      expected.periodic = abut::periodic_axes{std::nullopt, abut::interval{-0.1 * step, 12}};
    }
    std::vector<row> new_rows(set.size(), ABUT_NO_ROW);
    if (step % 3 == 0) {
      std::vector<row> kept = rng.permutation(set.size());
      kept.resize(kept.size() - 3);
      for (std::size_t k = 0; k < kept.size(); ++k) new_rows[kept[k]] = static_cast<row>(k);
      before = std::exchange(set, samples::select(set, kept));
      changes.new_rows = new_rows.data();
      changes.new_row_count = new_rows.size();
      expected.new_rows = new_rows;
    }
    for (double& x : set.column[0]) x += rng.uniform(-0.01, 0.01);
    const abut_bodies bodies = view_of(set);
    ASSERT_EQ(abut_update_with(search.c.get(), &bodies, &changes), 0) << abut_last_error();
    search.cpp.update(set.view(), expected);
    EXPECT_EQ(pairs_of(search.c), search.cpp.pairs()) << "step " << step;

    ASSERT_FALSE(search.cpp.stats().events.empty());
    expect_same(abut_events, search.c.get(), search.cpp.stats().events);
  }
}

TEST(c_interface_search, has_the_counts_of_the_method) {
  samples::set set = samples::uniform(shape::sphere, 3, 400, 0.5, 0.6, 2, 813);
  both search(set, "dess");
  const abut_event* before = nullptr;
  std::size_t n = 0;
  ASSERT_EQ(abut_counts(search.c.get(), &before, &n), 0);
  for (int step = 0; step < 3; ++step) {
    for (double& x : set.column[0]) x *= 1 + 1e-3 * step;
    const abut_bodies bodies = view_of(set);
    ASSERT_EQ(abut_update(search.c.get(), &bodies), 0) << abut_last_error();
    search.cpp.update(set.view());
    EXPECT_EQ(pairs_of(search.c), search.cpp.pairs());
    const std::vector<abut::stats::event> counts = search.cpp.stats().counts;
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[1].name, "rank comparisons");
    EXPECT_GT(counts[1].count, 400U);
    expect_same(abut_counts, search.c.get(), counts);
  }
}

TEST(c_interface_search, refused_changes_change_nothing) {
  const samples::set set = some_spheres();
  const both search(set);
  const abut_bodies bodies = view_of(set);
  const std::vector<abut::pair> before = pairs_of(search.c);
  auto changes = sized<abut_changes>();
  ASSERT_EQ(abut_update_with(search.c.get(), &bodies, nullptr), 0);
  changes.has_margin = 1;
  changes.margin = -1;
  expect_error(abut_update_with(search.c.get(), &bodies, &changes), "margin is -1");
  changes.has_margin = 0;
  changes.has_periodic = 1;
  changes.periodic[2] = 1;
  expect_error(abut_update_with(search.c.get(), &bodies, &changes), "periodic axis z");
  changes.has_periodic = 0;
  const row wrong = 3;
  changes.new_rows = &wrong;
  changes.new_row_count = 1;
  expect_error(abut_update_with(search.c.get(), &bodies, &changes),
               "the map of rows has 1 entries; the last update had 250 bodies");
  changes.size = 1;
  expect_error(abut_update_with(search.c.get(), &bodies, &changes),
               "changes has size 1; set it to sizeof(abut_changes)");
  EXPECT_EQ(pairs_of(search.c), before);
}

TEST(c_interface_search, batches_by_task) {
  const samples::set set = samples::uniform(shape::sphere, 3, 3000, 0.6, 1, 2, 813);
  both search(set);
  std::size_t tasks = 0;
  ASSERT_EQ(abut_tasks(search.c.get(), &tasks), 0);
  ASSERT_EQ(tasks, search.cpp.tasks());
  ASSERT_GT(tasks, 1U);
  collected seen;
  seen.by_task.resize(tasks);
  ASSERT_EQ(abut_for_each_batch(search.c.get(), collected::add_batch, &seen), 0) << abut_last_error();
  collected expected;
  expected.by_task.resize(tasks);
  search.cpp.for_each_batch([&](std::size_t task, std::span<const abut::pair> batch) {
    const std::lock_guard hold(expected.lock);
    for (const abut::pair p : batch) expected.by_task[task].push_back(p);
  });
  EXPECT_EQ(seen.by_task, expected.by_task);
}

TEST(c_interface_search, another_set_in_all_ways) {
  const samples::set set = samples::uniform(shape::sphere, 3, 1500, 0.5, 1, 2, 814);
  samples::set walls = samples::uniform(shape::box, 3, 300, 0.4, 1, 2, 815);
  both search(set);
  const abut_bodies first_walls = view_of(walls);
  const others_handle others(abut_other_set_create(&first_walls));
  ASSERT_TRUE(others) << abut_last_error();
  for (int step = 0; step < 2; ++step) {
    collected expected;
    search.cpp.for_each_pair_between(walls.view(), [&](row i, row j) { expected.pairs.push_back({i, j}); });
    ASSERT_FALSE(expected.pairs.empty());
    collected seen;
    ASSERT_EQ(abut_for_each_pair_between(search.c.get(), others.get(), collected::add_pairs, &seen), 0);
    EXPECT_EQ(seen.pairs, expected.pairs);
    std::size_t tasks = 0;
    ASSERT_EQ(abut_tasks_between(search.c.get(), others.get(), &tasks), 0);
    EXPECT_EQ(tasks, search.cpp.tasks_between(walls.view()));
    seen.by_task.resize(tasks);
    ASSERT_EQ(abut_for_each_batch_between(search.c.get(), others.get(), collected::add_batch, &seen), 0);
    std::vector<abut::pair> joined;
    for (const auto& of_task : seen.by_task) joined.insert(joined.end(), of_task.begin(), of_task.end());
    EXPECT_EQ(joined, expected.pairs) << "ordered by j over all tasks";
    const abut_pair* pairs = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(abut_pairs_between_set(search.c.get(), others.get(), &pairs, &count), 0);
    EXPECT_EQ(copy(pairs, count), support::sorted(expected.pairs));

    for (double& x : walls.column[0]) x -= 0.3;
    const abut_bodies moved = view_of(walls);
    ASSERT_EQ(abut_other_set_update(others.get(), &moved), 0) << abut_last_error();
  }
  abut_bodies wrong = view_of(walls);
  wrong.shape = 0;
  expect_error(abut_other_set_update(others.get(), &wrong), "shape is 0");
  EXPECT_EQ(abut_other_set_create(&wrong), nullptr);
  collected seen;
  EXPECT_EQ(abut_for_each_pair_between(search.c.get(), others.get(), collected::add_pairs, &seen), 0);
  EXPECT_FALSE(seen.pairs.empty()) << "those that it had";
}

TEST(c_interface_search, regions_of_both_shapes) {
  for (const int dimension : {2, 3}) {
    const samples::set set = samples::uniform(shape::sphere, dimension, 500, 0.5, 1, 2, 816);
    for (const double period : {0.0, 60.0}) {
      both search(set, "grid", period);
      const abut::sphere ball{{1, 2, 1.5}, 3};
      const abut::box crate{{-2, 0, 0}, {2, 3, 4}};
      auto region = sized<abut_region>();
      region.shape = ABUT_SPHERE;
      std::copy(ball.center.begin(), ball.center.end(), region.center);
      region.radius = ball.radius;
      collected seen;
      ASSERT_EQ(abut_for_each_in(search.c.get(), &region, collected::add_rows, &seen), 0) << abut_last_error();
      std::vector<row> expected;
      search.cpp.for_each_in(ball, [&](row i) { expected.push_back(i); });
      EXPECT_FALSE(expected.empty());
      EXPECT_EQ(seen.rows, expected);

      region.shape = ABUT_BOX;
      std::copy(crate.min.begin(), crate.min.end(), region.min);
      std::copy(crate.max.begin(), crate.max.end(), region.max);
      seen.rows.clear();
      expected.clear();
      ASSERT_EQ(abut_for_each_in(search.c.get(), &region, collected::add_rows, &seen), 0) << abut_last_error();
      search.cpp.for_each_in(crate, [&](row i) { expected.push_back(i); });
      EXPECT_FALSE(expected.empty());
      EXPECT_EQ(seen.rows, expected);

      region.shape = 5;
      expect_error(abut_for_each_in(search.c.get(), &region, collected::add_rows, &seen), "the region's shape is 5");
      region.shape = ABUT_SPHERE;
      region.radius = -1;
      expect_error(abut_for_each_in(search.c.get(), &region, collected::add_rows, &seen), "-1");
    }
  }
}

TEST(c_interface_search, touches_through_a_border) {
  const samples::set set = samples::uniform(shape::sphere, 3, 400, 0.6, 1, 2, 817);
  both search(set, "grid", 1 + *std::max_element(set.column[0].begin(), set.column[0].end()));
  const std::vector<abut::pair> found = search.cpp.pairs();
  std::vector<abut_pair> pairs;
  for (const abut::pair p : found) pairs.push_back({p.i, p.j});
  std::vector<abut_touch> touches(pairs.size());
  ASSERT_EQ(abut_touches(search.c.get(), pairs.data(), pairs.size(), touches.data()), 0) << abut_last_error();
  bool through = false;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const abut::touch t = abut::touch_of(set.view(), found[k], search.cpp.chosen().periodic);
    EXPECT_EQ(touches[k].overlap, t.overlap);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(touches[k].normal[axis], t.normal[axis]);
      EXPECT_EQ(touches[k].point[axis], t.point[axis]);
    }
    through = through || t.overlap != abut::touch_of(set.view(), found[k]).overlap;
  }
  EXPECT_TRUE(through);
  pairs.back().j = 400;
  expect_error(abut_touches(search.c.get(), pairs.data(), pairs.size(), touches.data()),
               "row 400; there are 400 bodies");
  EXPECT_EQ(abut_touches(search.c.get(), nullptr, 0, nullptr), 0);
}

TEST(c_interface_search, candidates_by_given_constants) {
  const samples::set set = samples::lattice(shape::sphere, 3, 5000, 1, 0.1, 0.5, 1);
  auto options = sized<abut_options>();
  options.constants = "scalar";
  const handle search(abut_create(nullptr, &options));
  ASSERT_TRUE(search) << abut_last_error();
  const abut_candidate* candidates = nullptr;
  std::size_t count = 0;
  expect_error(abut_candidates(search.get(), 0, &candidates, &count), "no bodies yet");
  const abut_bodies bodies = view_of(set);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  const auto expected = abut::estimated_candidates(set.view(), {.constants = "scalar"});
  ASSERT_EQ(abut_candidates(search.get(), 0, &candidates, &count), 0) << abut_last_error();
  ASSERT_EQ(count, expected.size());
  ASSERT_GT(count, 1U);
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(candidates[k].plan, expected[k].what.text());
    EXPECT_EQ(candidates[k].predicted, expected[k].predicted);
    EXPECT_EQ(candidates[k].measured, 0);
    EXPECT_EQ(candidates[k].as_good != 0, expected[k].as_good);
  }
  auto stats = sized<abut_stats>();
  ASSERT_EQ(abut_stats_of(search.get(), &stats), 0);
  EXPECT_EQ(stats.predicted, candidates[0].predicted);

  const handle same(abut_create(candidates[1].plan, &options));
  EXPECT_TRUE(same) << abut_last_error();
  options.constants = "no such constants";
  EXPECT_EQ(abut_create(nullptr, &options), nullptr);
}

TEST(c_interface_search, candidates_by_trial) {
  const samples::set set = samples::lattice(shape::sphere, 3, 500, 1, 0.1, 0.5, 1);
  auto options = sized<abut_options>();
  options.constants = "built-in";  // so that no file is opened
  const handle search(abut_create(nullptr, &options));
  const abut_bodies bodies = view_of(set);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  const abut_candidate* candidates = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(abut_candidates(search.get(), 1, &candidates, &count), 0) << abut_last_error();
  ASSERT_GT(count, 0U);
  EXPECT_GT(candidates[0].measured, 0);
  EXPECT_GT(candidates[0].predicted, 0);
}

TEST(c_interface_search_errors, labels) {
  const samples::set set = some_spheres();
  const handle search(abut_create(nullptr, nullptr));
  const std::vector<std::int32_t> ids(set.size(), 1);
  const auto refused = [&](const std::string& part, auto&& spoil) {
    abut_bodies bad = view_of(set);
    spoil(bad);
    expect_error(abut_update(search.get(), &bad), part);
  };
  refused("group has type 1", [&](abut_bodies& b) { b.group = {ids.data(), 4, ABUT_DOUBLE}; });
  refused("group has stride 0", [&](abut_bodies& b) { b.group = {ids.data(), 0, ABUT_INT32}; });
  refused("collides has data NULL; give both masks or none", [&](abut_bodies& b) { b.category = labels_of(ids); });
  refused("category has data NULL; give both masks or none", [&](abut_bodies& b) { b.collides = labels_of(ids); });
}

TEST(c_interface_search_errors, null_arguments) {
  const samples::set set = some_spheres();
  const both search(set);
  abut_search* const s = search.c.get();
  const abut_bodies bodies = view_of(set);
  const others_handle others(abut_other_set_create(&bodies));
  auto region = sized<abut_region>();
  region.shape = ABUT_SPHERE;
  std::size_t n = 0;
  const abut_pair* pairs = nullptr;
  const abut_pair some{0, 1};
  abut_touch touch;
  const abut_event* events = nullptr;

  abut_other_set_destroy(nullptr);
  EXPECT_EQ(abut_other_set_create(nullptr), nullptr);
  expect_error(1, "bodies is NULL");
  expect_error(abut_update_with(nullptr, &bodies, nullptr), "search is NULL");
  expect_error(abut_update_with(s, nullptr, nullptr), "bodies is NULL");
  expect_error(abut_for_each_batch(s, nullptr, nullptr), "f is NULL");
  expect_error(abut_tasks(s, nullptr), "tasks is NULL");
  expect_error(abut_tasks_between(s, nullptr, &n), "others is NULL");
  expect_error(abut_pairs_between_set(s, nullptr, &pairs, &n), "others is NULL");
  expect_error(abut_for_each_pair_between(s, nullptr, collected::add_pairs, nullptr), "others is NULL");
  expect_error(abut_for_each_pair_between(s, others.get(), nullptr, nullptr), "f is NULL");
  expect_error(abut_for_each_batch_between(s, others.get(), nullptr, nullptr), "f is NULL");
  expect_error(abut_for_each_in(s, nullptr, collected::add_rows, nullptr), "region is NULL");
  expect_error(abut_for_each_in(s, &region, nullptr, nullptr), "f is NULL");
  expect_error(abut_touches(s, nullptr, 1, &touch), "pairs is NULL");
  expect_error(abut_touches(s, &some, 1, nullptr), "touches is NULL");
  expect_error(abut_events(s, nullptr, &n), "events is NULL");
  expect_error(abut_events(s, &events, nullptr), "count is NULL");
  expect_error(abut_counts(nullptr, &events, &n), "search is NULL");
  expect_error(abut_counts(s, nullptr, &n), "counts is NULL");
  expect_error(abut_counts(s, &events, nullptr), "count is NULL");
  expect_error(abut_candidates(s, 0, nullptr, &n), "candidates is NULL");
}

TEST(c_interface_search_errors, exceptions_of_tasks_do_not_leave) {
  const samples::set set = samples::uniform(shape::sphere, 3, 3000, 0.6, 1, 2, 818);
  const both search(set);
  const auto f = [](void*, std::size_t, const abut_pair*, std::size_t) { throw std::runtime_error("enough"); };
  expect_error(abut_for_each_batch(search.c.get(), f, nullptr), "enough");
  EXPECT_EQ(pairs_of(search.c), abut::find_pairs(set.view()));
}

// Counts the shapes that abut_show hands on, and looks into some of them.
struct seen_shapes {
  std::size_t bodies = 0, ghosts = 0, boxes = 0, segments = 0, points = 0, labels = 0, members = 0, searched = 0;

  static void add(void* context, const abut_shown* shape) {
    auto& seen = *static_cast<seen_shapes*>(context);
    const std::string kind = shape->kind;
    EXPECT_NE(std::string(shape->meaning), "");
    EXPECT_EQ(shape->text != nullptr, shape->shape == ABUT_SHOWN_LABEL);
    if (kind == "body" || kind == "ghost") {
      EXPECT_EQ(shape->row_count, 1U);
      EXPECT_EQ(shape->shape, ABUT_SHOWN_POINT);
      EXPECT_GT(shape->radius, 0);
      ++(kind == "body" ? seen.bodies : seen.ghosts);
      seen.searched += shape->searched != 0 ? 1 : 0;
      return;
    }
    seen.boxes += shape->shape == ABUT_SHOWN_BOX ? 1 : 0;
    seen.segments += shape->shape == ABUT_SHOWN_SEGMENT ? 1 : 0;
    seen.points += shape->shape == ABUT_SHOWN_POINT ? 1 : 0;
    seen.labels += shape->shape == ABUT_SHOWN_LABEL ? 1 : 0;
    if (shape->shape == ABUT_SHOWN_BOX) seen.members += shape->row_count;
  }
};

TEST(c_interface, shows_what_the_method_keeps) {
  const samples::set set = some_spheres();
  for (const char* plan : {"grid", "dess", "mr", "rtree"}) {
    both searches(set, plan, 20);
    const abut::sketch expected = searches.cpp.show(3);
    seen_shapes seen;
    ASSERT_EQ(abut_show(searches.c.get(), 3, seen_shapes::add, &seen), 0) << abut_last_error();
    EXPECT_EQ(seen.bodies, set.size());
    EXPECT_EQ(seen.bodies + seen.ghosts, expected.bodies.size());
    EXPECT_EQ(seen.boxes, expected.boxes.size());
    EXPECT_EQ(seen.segments, expected.segments.size());
    EXPECT_EQ(seen.points, expected.points.size());
    EXPECT_EQ(seen.labels, expected.labels.size());
    EXPECT_EQ(seen.members, expected.members.size());
    const auto compared = std::count_if(expected.bodies.begin(), expected.bodies.end(),
                                        [](const abut::sketch::body& b) { return b.compared; });
    EXPECT_EQ(seen.searched, static_cast<std::size_t>(compared));
    seen_shapes without;
    ASSERT_EQ(abut_show(searches.c.get(), ABUT_NO_ROW, seen_shapes::add, &without), 0);
    EXPECT_EQ(without.searched, 0U);
  }
}

TEST(c_interface, refuses_to_show_what_is_not_there) {
  const both searches(some_spheres());
  seen_shapes seen;
  EXPECT_EQ(abut_show(searches.c.get(), 250, seen_shapes::add, &seen), 1);
  EXPECT_STREQ(abut_last_error(), "there is no body 250 to show; there are 250, and rows count from 0");
  EXPECT_EQ(abut_show(searches.c.get(), 0, nullptr, nullptr), 1);
  EXPECT_STREQ(abut_last_error(), "f is NULL");
  EXPECT_EQ(abut_show(nullptr, 0, seen_shapes::add, &seen), 1);
  EXPECT_STREQ(abut_last_error(), "search is NULL");
}

}  // namespace
}  // namespace c_interface_search_test
