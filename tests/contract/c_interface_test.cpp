// The C interface: the same results as the C++ one from every layout, and an error with a message for every wrong call.

#include <abut/abut.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "c_support.hpp"
#include "support.hpp"

namespace c_interface_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

using c_support::column_of;
using c_support::copy;
using c_support::default_options;
using c_support::empty_bodies;
using c_support::expect_error;
using c_support::find;
using c_support::handle;
using c_support::pairs_of;
using c_support::some_spheres;
using c_support::view_of;

TEST(c_interface, version_is_that_of_the_header) {
  EXPECT_STREQ(abut_version(), ABUT_VERSION);
  EXPECT_EQ(std::string(ABUT_VERSION), std::to_string(ABUT_VERSION_MAJOR) + "." + std::to_string(ABUT_VERSION_MINOR) +
                                           "." + std::to_string(ABUT_VERSION_PATCH));
}

TEST(c_interface, spheres_and_boxes_in_both_dimensions) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set set = samples::uniform(kind, dimension, 300, 0.7, 1, 3, 802);
      const std::vector<abut::pair> expected = abut::find_pairs(set.view());
      ASSERT_FALSE(expected.empty());
      EXPECT_EQ(find(view_of(set)), expected);
      EXPECT_EQ(find(view_of(set), nullptr, "pairing"), expected);
    }
  }
}

TEST(c_interface, columns_of_float_and_of_both) {
  const samples::set set = some_spheres();
  std::array<std::vector<float>, 4> narrow;
  for (std::size_t k = 0; k < 4; ++k) {
    for (const double v : set.column[k]) narrow[k].push_back(static_cast<float>(v));
  }
  abut_bodies bodies = empty_bodies(shape::sphere, 3, set.size());
  for (std::size_t k = 0; k < 3; ++k) bodies.center[k] = column_of(narrow[k]);
  bodies.radius = column_of(narrow[3]);
  EXPECT_EQ(find(bodies), abut::find_pairs(abut::spheres(narrow[0], narrow[1], narrow[2], narrow[3])));
  bodies.center[1] = column_of(set.column[1]);
  EXPECT_EQ(find(bodies), abut::find_pairs(abut::spheres(narrow[0], set.column[1], narrow[2], narrow[3])));
}

TEST(c_interface, strided_structs_at_any_alignment) {
  constexpr std::size_t stride = 29;  // odd, so that most numbers are not aligned
  const samples::set set = some_spheres();
  std::vector<unsigned char> bytes(1 + set.size() * stride);
  std::vector<double> radii;
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::memcpy(&bytes[1 + i * stride + k * sizeof(double)], &set.column[k][i], sizeof(double));
    }
    const auto radius = static_cast<float>(set.column[3][i]);
    std::memcpy(&bytes[1 + i * stride + 3 * sizeof(double)], &radius, sizeof radius);
    radii.push_back(radius);
  }
  abut_bodies bodies = empty_bodies(shape::sphere, 3, set.size());
  for (std::size_t k = 0; k < 3; ++k) bodies.center[k] = {&bytes[1 + k * sizeof(double)], stride, ABUT_DOUBLE};
  bodies.radius = {&bytes[1 + 3 * sizeof(double)], stride, ABUT_FLOAT};
  EXPECT_EQ(find(bodies), abut::find_pairs(abut::spheres(set.column[0], set.column[1], set.column[2], radii)));
}

TEST(c_interface, rows_backwards) {
  const samples::set set = some_spheres();
  samples::set turned = set;
  abut_bodies bodies = view_of(set);
  const auto backwards = [&](abut_column& column, std::size_t k) {
    std::reverse(turned.column[k].begin(), turned.column[k].end());
    column = {&set.column[k].back(), -static_cast<std::ptrdiff_t>(sizeof(double)), ABUT_DOUBLE};
  };
  for (std::size_t k = 0; k < 3; ++k) backwards(bodies.center[k], k);
  backwards(bodies.radius, 3);
  EXPECT_EQ(find(bodies), abut::find_pairs(turned.view()));
}

TEST(c_interface, one_number_for_all) {
  const samples::set set = some_spheres();
  const double radius = 0.8;
  abut_bodies bodies = view_of(set);
  bodies.radius = {&radius, 0, ABUT_DOUBLE};
  EXPECT_EQ(find(bodies), abut::find_pairs(abut::spheres(set.column[0], set.column[1], set.column[2], radius)));
  // With all columns like this, all bodies are in one point.
  bodies.count = 3;
  const float zero = 0;
  for (abut_column& column : bodies.center) column = {&zero, 0, ABUT_FLOAT};
  EXPECT_EQ(find(bodies), (std::vector<abut::pair>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(c_interface, fixed_flags) {
  samples::set set = some_spheres();
  for (std::size_t i = 0; i < set.size(); ++i) set.fixed.push_back(i % 3 == 0 ? 7 : 0);
  const std::vector<abut::pair> expected = abut::find_pairs(set.view());
  EXPECT_EQ(find(view_of(set)), expected);
  EXPECT_LT(expected.size(), abut::find_pairs(some_spheres().view()).size());

  std::vector<std::uint8_t> spread(4 * set.size());
  for (std::size_t i = 0; i < set.size(); ++i) spread[4 * i] = set.fixed[i];
  abut_bodies bodies = view_of(set);
  bodies.fixed = spread.data();
  bodies.fixed_stride = 4;
  EXPECT_EQ(find(bodies), expected);
}

TEST(c_interface, margin_threads_and_periodic_axes) {
  const samples::set set = some_spheres();
  double side = 0;
  for (std::size_t k = 0; k < 3; ++k)
    side = std::max(side, *std::max_element(set.column[k].begin(), set.column[k].end()));
  side += 1.5;
  for (int bits = 0; bits < 8; ++bits) {
    abut::options expected{.margin = 0.1, .threads = 3};
    abut_options options = default_options();
    options.margin = 0.1;
    options.threads = 3;
    for (std::size_t k = 0; k < 3; ++k) {
      if ((bits >> k & 1) == 0) continue;
      expected.periodic[k] = abut::interval{-0.5, side};
      options.periodic[k] = 1;
      options.periodic_min[k] = -0.5;
      options.periodic_max[k] = side;
    }
    EXPECT_EQ(find(view_of(set), &options), abut::find_pairs(set.view(), expected)) << "axes " << bits;
  }
}

TEST(c_interface, too_many_threads_are_refused) {
  abut_options options = default_options();
  options.threads = 100000;
  EXPECT_EQ(abut_create(nullptr, &options), nullptr);
  EXPECT_STREQ(abut_last_error(), "threads is 100000; it must be from 1 to 1024, or 0 for as many as there are");
}

TEST(c_interface, motion_is_for_the_planner) {
  const samples::set set = samples::lattice(shape::sphere, 3, 20'000, 1, 0.1, 0.5, 1);
  const auto plan_for = [&](double motion) {
    abut_options options = default_options();
    options.motion = motion;
    const handle search(abut_create(nullptr, &options));
    const abut_bodies bodies = view_of(set);
    EXPECT_EQ(abut_update(search.get(), &bodies), 0);
    const char* plan = nullptr;
    EXPECT_EQ(abut_planned(search.get(), &plan), 0);
    return std::string(plan).substr(0, 16);
  };
  EXPECT_EQ(plan_for(1e-6), "nearest-neighbor");
  EXPECT_NE(plan_for(0), "nearest-neighbor") << "not known";
  EXPECT_NE(plan_for(10), "nearest-neighbor");
  abut_options options = default_options();
  options.motion = -1;
  EXPECT_EQ(abut_create(nullptr, &options), nullptr);
  expect_error(1, "the motion is -1; it must be a length from 0 to 1e150");
  // As in a program that was compiled before that field existed.
  options.size = offsetof(abut_options, motion);
  EXPECT_TRUE(handle(abut_create(nullptr, &options)));
}

TEST(c_interface, an_update_replaces_the_bodies_but_not_the_pairs_handed_out) {
  const samples::set many = some_spheres();
  const samples::set few = samples::uniform(shape::box, 2, 20, 0.8, 1, 1, 803);
  const handle search(abut_create(nullptr, nullptr));
  abut_bodies bodies = view_of(many);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  const abut_pair* before = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(abut_pairs(search.get(), &before, &count), 0);
  bodies = view_of(few);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  EXPECT_EQ(copy(before, count), abut::find_pairs(many.view()));
  EXPECT_EQ(pairs_of(search), abut::find_pairs(few.view()));
  bodies = empty_bodies(shape::sphere, 3, 0);  // no bodies, so no columns either
  ASSERT_EQ(abut_update(search.get(), &bodies), 0) << abut_last_error();
  EXPECT_TRUE(pairs_of(search).empty());
}

TEST(c_interface, batches_bring_every_pair_once_in_the_order_of_the_search) {
  const samples::set set = samples::uniform(shape::sphere, 3, 3000, 0.6, 1, 2, 804);
  abut::search expected;
  expected.update(set.view());
  const handle search(abut_create(nullptr, nullptr));
  const abut_bodies bodies = view_of(set);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  struct {
    std::vector<abut::pair> pairs;
    std::size_t batches = 0;
  } seen;
  const auto collect = [](void* context, const abut_pair* pairs, std::size_t count) {
    auto& all = *static_cast<decltype(seen)*>(context);
    for (const abut::pair p : copy(pairs, count)) all.pairs.push_back(p);
    EXPECT_GT(count, 0U);
    ++all.batches;
  };
  ASSERT_EQ(abut_for_each_pair(search.get(), collect, &seen), 0) << abut_last_error();
  EXPECT_EQ(seen.pairs, support::ordered(expected));
  EXPECT_GT(seen.batches, 1U);
  EXPECT_LT(seen.batches, seen.pairs.size() / 100);
}

TEST(c_interface, pairs_between_two_sets) {
  const samples::set set = some_spheres();
  const samples::set walls = samples::uniform(shape::box, 3, 40, 0.4, 1, 2, 805);
  abut::search expected;
  expected.update(set.view());
  std::vector<abut::pair> between;
  expected.for_each_pair_between(walls.view(), [&](abut::row i, abut::row j) { between.push_back({i, j}); });
  ASSERT_FALSE(between.empty());

  const handle search(abut_create(nullptr, nullptr));
  const abut_bodies bodies = view_of(set);
  const abut_bodies others = view_of(walls);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  const abut_pair* pairs = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(abut_pairs_between(search.get(), &others, &pairs, &count), 0) << abut_last_error();
  EXPECT_EQ(copy(pairs, count), support::sorted(between));
}

TEST(c_interface, plan_and_stats) {
  const samples::set set = some_spheres();
  abut::search expected{abut::plan("neighboring-cell store=cover")};
  expected.update(set.view());
  ASSERT_FALSE(expected.pairs().empty());
  const handle search(abut_create("neighboring-cell store=cover", nullptr));
  const abut_bodies bodies = view_of(set);
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  const std::size_t found = pairs_of(search).size();

  const char* plan = nullptr;
  ASSERT_EQ(abut_planned(search.get(), &plan), 0);
  EXPECT_EQ(plan, expected.planned().text());
  EXPECT_TRUE(handle(abut_create(plan, nullptr))) << "a plan can be given back";

  abut_stats stats{};
  stats.size = sizeof stats;
  ASSERT_EQ(abut_stats_of(search.get(), &stats), 0);
  EXPECT_EQ(stats.pairs, found);
  EXPECT_EQ(stats.tests, expected.stats().tests);
  EXPECT_EQ(stats.candidates, expected.stats().candidates);
  EXPECT_GE(stats.bytes, found * sizeof(abut_pair)) << "the pairs handed out count too";
}

TEST(c_interface_errors, create) {
  EXPECT_FALSE(handle(abut_create("neighbouring-cell", nullptr)));
  expect_error(1, "neighboring-cell");
  EXPECT_FALSE(handle(abut_create("", nullptr)));
  expect_error(1, "empty plan");
  abut_options options = default_options();
  options.margin = -1;
  EXPECT_FALSE(handle(abut_create(nullptr, &options)));
  expect_error(1, "margin is -1");
  options = default_options();
  options.periodic[1] = 1;
  EXPECT_FALSE(handle(abut_create(nullptr, &options)));
  expect_error(1, "periodic axis y");
  options.size = 0;
  EXPECT_FALSE(handle(abut_create(nullptr, &options)));
  expect_error(1, "options has size 0; set it to sizeof(abut_options)");
}

TEST(c_interface_errors, null_arguments) {
  const handle search(abut_create(nullptr, nullptr));
  const samples::set set = some_spheres();
  const abut_bodies bodies = view_of(set);
  const abut_pair* pairs = nullptr;
  std::size_t count = 0;
  const char* plan = nullptr;
  abut_stats stats{};
  stats.size = sizeof stats;
  const auto ignore = [](void*, const abut_pair*, std::size_t) {};

  abut_destroy(nullptr);
  expect_error(abut_update(nullptr, &bodies), "search is NULL");
  expect_error(abut_pairs(nullptr, &pairs, &count), "search is NULL");
  expect_error(abut_pairs_between(nullptr, &bodies, &pairs, &count), "search is NULL");
  expect_error(abut_for_each_pair(nullptr, ignore, nullptr), "search is NULL");
  expect_error(abut_planned(nullptr, &plan), "search is NULL");
  expect_error(abut_stats_of(nullptr, &stats), "search is NULL");

  expect_error(abut_update(search.get(), nullptr), "bodies is NULL");
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  expect_error(abut_pairs(search.get(), nullptr, &count), "pairs is NULL");
  expect_error(abut_pairs(search.get(), &pairs, nullptr), "count is NULL");
  expect_error(abut_pairs_between(search.get(), nullptr, &pairs, &count), "others is NULL");
  expect_error(abut_pairs_between(search.get(), &bodies, nullptr, &count), "pairs is NULL");
  expect_error(abut_pairs_between(search.get(), &bodies, &pairs, nullptr), "count is NULL");
  expect_error(abut_for_each_pair(search.get(), nullptr, nullptr), "f is NULL");
  expect_error(abut_planned(search.get(), nullptr), "plan is NULL");
  expect_error(abut_stats_of(search.get(), nullptr), "stats is NULL");
  stats.size = 8;
  expect_error(abut_stats_of(search.get(), &stats), "stats has size 8; set it to sizeof(abut_stats)");
}

TEST(c_interface_errors, before_the_first_update) {
  const handle search(abut_create(nullptr, nullptr));
  const abut_pair* pairs = nullptr;
  std::size_t count = 17;
  expect_error(abut_pairs(search.get(), &pairs, &count), "no bodies yet");
  EXPECT_EQ(count, 17U) << "a failed call changes nothing";
}

TEST(c_interface_errors, bodies_that_cannot_be_leave_the_search_as_it_was) {
  const samples::set set = some_spheres();
  const abut_bodies good = view_of(set);
  const handle search(abut_create(nullptr, nullptr));
  ASSERT_EQ(abut_update(search.get(), &good), 0);
  const std::vector<abut::pair> before = pairs_of(search);
  const auto refused = [&](const std::string& part, auto&& spoil) {
    abut_bodies bad = good;
    spoil(bad);
    expect_error(abut_update(search.get(), &bad), part);
    EXPECT_EQ(pairs_of(search), before);
  };
  refused("bodies has size 0", [](abut_bodies& b) { b.size = 0; });
  refused("shape is 3", [](abut_bodies& b) { b.shape = 3; });
  refused("dimension is 4", [](abut_bodies& b) { b.dimension = 4; });
  refused("center[2] has type 0", [](abut_bodies& b) { b.center[2] = {}; });
  refused("center[0] has data NULL", [](abut_bodies& b) { b.center[0].data = nullptr; });
  refused("radius has type 9", [](abut_bodies& b) { b.radius.type = 9; });
  refused("min[0] has type 0", [](abut_bodies& b) { b.shape = ABUT_BOX; });
  const std::uint8_t flag = 1;
  refused("fixed_stride is 0", [&](abut_bodies& b) { b.fixed = &flag, b.fixed_stride = 0; });
  refused("at most 1073741824", [&](abut_bodies& b) { b.count = std::size_t{1} << 40; });
  std::vector<double> radii = set.column[3];
  radii[17] = std::numeric_limits<double>::quiet_NaN();
  refused("body 17 has r nan", [&](abut_bodies& b) { b.radius.data = radii.data(); });

  abut_bodies flat = good;
  flat.dimension = 2;
  const abut_pair* pairs = nullptr;
  std::size_t count = 0;
  expect_error(abut_pairs_between(search.get(), &flat, &pairs, &count), "2D");
}

TEST(c_interface_errors, no_exception_leaves) {
  const samples::set set = some_spheres();
  const abut_bodies bodies = view_of(set);
  const handle search(abut_create(nullptr, nullptr));
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  const auto run = [&](abut_batch_function f) { return abut_for_each_pair(search.get(), f, nullptr); };
  expect_error(run([](void*, const abut_pair*, std::size_t) { throw std::runtime_error("enough"); }), "enough");
  expect_error(run([](void*, const abut_pair*, std::size_t) { throw std::bad_alloc(); }), "out of memory");
  expect_error(run([](void*, const abut_pair*, std::size_t) { throw 7; }), "not a std::exception");
  expect_error(run([](void*, const abut_pair*, std::size_t) { throw std::runtime_error(std::string(5000, 'x')); }),
               std::string(1023, 'x'));
  EXPECT_EQ(pairs_of(search), abut::find_pairs(set.view())) << "the search goes on";
}

TEST(c_interface_errors, the_message_is_of_this_thread_and_stays_until_the_next) {
  expect_error(abut_planned(nullptr, nullptr), "search is NULL");
  const handle search(abut_create(nullptr, nullptr));
  const char* plan = nullptr;
  ASSERT_EQ(abut_planned(search.get(), &plan), 0);
  EXPECT_STREQ(plan, "auto");
  EXPECT_STREQ(abut_last_error(), "search is NULL");
  std::string elsewhere = "?";
  std::thread([&] { elsewhere = abut_last_error(); }).join();
  EXPECT_EQ(elsewhere, "");
}

}  // namespace
}  // namespace c_interface_test
