// The C interface to contacts: the same lists as the C++ one, with memory that stays with its contact.

#include <abut/abut.h>

#include <cstddef>
#include <map>
#include <string>

#include <abut/contacts.hpp>

#include "c_contacts_support.hpp"
#include "c_support.hpp"
#include "support.hpp"

namespace c_interface_contacts_test {
namespace {

using abut::row;
using abut::shape;
using c_support::arrays_of;
using c_support::contacts_handle;
using c_support::copy_of;
using c_support::expect_error;
using c_support::expect_same;
using c_support::expect_same_ended;
using c_support::handle;
using c_support::labels_of;
using c_support::lists;
using c_support::remembering;
using c_support::sized;
using c_support::some_spheres;
using c_support::token;
using c_support::view_of;
namespace samples = abut::samples;

TEST(c_interface_contacts, memory_persists_as_in_cpp) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const int how : {0, 1, 2, 3}) {
        SCOPED_TRACE(std::to_string(dimension) + "D, " + std::to_string(how));
        lists both(kind, dimension, (how & 1) != 0);
        for (int step = 0; step < 12; ++step) both.step(step % 4 == 3, (how & 2) != 0);
        EXPECT_GT(both.persisted(), 500U);
      }
    }
  }
}

TEST(c_interface_contacts, an_empty_list_has_arrays) {
  const contacts_handle contacts(abut_contacts_create(nullptr));
  ASSERT_TRUE(contacts);
  const abut_contact_arrays a = arrays_of(contacts);
  EXPECT_EQ(a.count + a.rows + a.other_rows + a.bytes, 0U);
  ASSERT_NE(a.offsets, nullptr);
  EXPECT_EQ(a.offsets[0], 0U);
}

TEST(c_interface_contacts, steps_of_your_own) {
  samples::set set = some_spheres();
  const token fresh;
  abut_contact_options options = remembering(fresh);
  options.has_skin = 1;
  options.skin = 0.4;
  const contacts_handle contacts(abut_contacts_create(&options));
  const handle search(abut_create(nullptr, nullptr));
  const abut_bodies bodies = view_of(set);
  int holds = 7;
  ASSERT_EQ(abut_contacts_hold(contacts.get(), &bodies, nullptr, &holds), 0);
  EXPECT_EQ(holds, 0);

  auto changes = sized<abut_changes>();
  changes.has_margin = 1;
  ASSERT_EQ(abut_contacts_reach(contacts.get(), search.get(), &bodies, &changes.margin), 0) << abut_last_error();
  EXPECT_DOUBLE_EQ(changes.margin, 0.45);
  ASSERT_EQ(abut_update_with(search.get(), &bodies, &changes), 0);
  ASSERT_EQ(abut_contacts_update(contacts.get(), search.get(), nullptr, nullptr), 0) << abut_last_error();
  EXPECT_EQ(arrays_of(contacts).count, abut::find_pairs(set.view(), {.margin = changes.margin}).size());

  for (double& x : set.column[0]) x += 0.1;
  ASSERT_EQ(abut_contacts_hold(contacts.get(), &bodies, nullptr, &holds), 0);
  EXPECT_EQ(holds, 1);
  set.column[0][3] += 1;
  ASSERT_EQ(abut_contacts_hold(contacts.get(), &bodies, nullptr, &holds), 0);
  EXPECT_EQ(holds, 0);

  ASSERT_EQ(abut_update_with(search.get(), &bodies, nullptr), 0);
  ASSERT_EQ(abut_contacts_update(contacts.get(), search.get(), nullptr, nullptr), 0);
  ASSERT_EQ(abut_contacts_hold_displacement(contacts.get(), 0.15, &holds), 0);
  EXPECT_EQ(holds, 1);
  ASSERT_EQ(abut_contacts_hold_displacement(contacts.get(), 0.15, &holds), 0);
  EXPECT_EQ(holds, 0);

  ASSERT_EQ(abut_contacts_update(contacts.get(), search.get(), nullptr, nullptr), 0);
  ASSERT_EQ(abut_contacts_expire(contacts.get()), 0);
  ASSERT_EQ(abut_contacts_hold(contacts.get(), &bodies, nullptr, &holds), 0);
  EXPECT_EQ(holds, 0);
  auto stats = sized<abut_contact_stats>();
  ASSERT_EQ(abut_contacts_stats_of(contacts.get(), &stats), 0);
  EXPECT_EQ(stats.updates, 3U);
  EXPECT_EQ(stats.holds, 2U);
  EXPECT_GE(stats.bytes, arrays_of(contacts).count * sizeof(token));
}

TEST(c_interface_contacts, blocks_cover_all_contacts_once) {
  const samples::set set = samples::uniform(shape::sphere, 3, 5000, 0.5, 1, 2, 822);
  const abut_bodies bodies = view_of(set);
  auto options = sized<abut_contact_options>();
  options.bytes = sizeof(int);
  const contacts_handle contacts(abut_contacts_create(&options));
  const handle search(abut_create(nullptr, nullptr));
  ASSERT_EQ(abut_contacts_follow(contacts.get(), search.get(), &bodies, nullptr, nullptr, nullptr), 0);
  abut_contact_arrays a = arrays_of(contacts);
  const auto add = [](void* context, std::size_t from, std::size_t to) {
    const auto& all = *static_cast<const abut_contact_arrays*>(context);
    for (std::uint32_t slot = all.offsets[from]; slot < all.offsets[to]; ++slot) ++static_cast<int*>(all.memory)[slot];
  };
  ASSERT_EQ(abut_contacts_for_each_block(contacts.get(), add, &a), 0) << abut_last_error();
  ASSERT_GT(a.count, 0U);
  EXPECT_EQ(copy_of(static_cast<const int*>(a.memory), a.count), std::vector<int>(a.count, 1));
}

TEST(c_interface_contacts, between_two_sets) {
  samples::set set = some_spheres();
  const samples::set walls = samples::uniform(shape::box, 3, 40, 0.4, 1, 2, 823);
  const token fresh;
  const abut_contact_options options = remembering(fresh);
  const contacts_handle contacts(abut_contacts_create(&options));
  const handle search(abut_create("grid", nullptr));
  abut::contacts<token> list({.margin = 0.05});
  abut::search cpp("grid");
  std::vector<std::int32_t> ids, wall_ids;
  for (std::size_t i = 0; i < set.size(); ++i) ids.push_back(static_cast<std::int32_t>(7 * i % 251));
  for (std::size_t i = 0; i < walls.size(); ++i) wall_ids.push_back(static_cast<std::int32_t>(100 - i));
  auto who = sized<abut_identities>();
  who.ids = labels_of(ids);
  who.other_ids = labels_of(wall_ids);
  const abut::identities expected{.ids = ids, .new_rows = {}, .other_ids = wall_ids, .new_other_rows = {}};
  const abut_bodies bodies = view_of(set);
  const abut_bodies others = view_of(walls);
  std::size_t persisted = 0;
  for (int step = 0; step < 5; ++step) {
    int updated = 7;
    ASSERT_EQ(abut_contacts_follow(contacts.get(), search.get(), &bodies, &others, &who, &updated), 0)
        << abut_last_error();
    EXPECT_EQ(updated != 0, list.follow_between(cpp, set.view(), walls.view(), expected));
    const abut_contact_arrays a = arrays_of(contacts);
    expect_same(a, list);
    expect_same_ended(contacts, list);
    ASSERT_GT(a.count, 0U);
    EXPECT_EQ(a.between, 1);
    for (std::uint32_t slot = 0; slot < a.count; ++slot) {
      token& memory = static_cast<token*>(a.memory)[slot];
      if (memory.number != 0) ++persisted;
      memory.number = list.memory(slot).number = 1000 * a.firsts[slot] + a.seconds[slot] + 1;
    }
    for (double& x : set.column[2]) x += 0.08;
  }
  EXPECT_GT(persisted, 0U);
  // The same in steps of your own.
  int holds = 7;
  ASSERT_EQ(abut_contacts_hold(contacts.get(), &bodies, &others, &holds), 0) << abut_last_error();
  expect_error(abut_contacts_hold(contacts.get(), &bodies, nullptr, &holds), "two sets");
  ASSERT_EQ(abut_update(search.get(), &bodies), 0);
  auto changes = sized<abut_changes>();
  changes.has_margin = 1;
  changes.margin = 0.05;
  ASSERT_EQ(abut_update_with(search.get(), &bodies, &changes), 0);
  ASSERT_EQ(abut_contacts_update(contacts.get(), search.get(), &others, &who), 0) << abut_last_error();
  const abut_pair* pairs = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(abut_pairs_between(search.get(), &others, &pairs, &count), 0);
  const abut_contact_arrays a = arrays_of(contacts);
  EXPECT_EQ(a.count, count);
  auto found = sized<abut_neighbors>();
  ASSERT_EQ(abut_contacts_neighbors(contacts.get(), &bodies, &others, nullptr, &found), 0) << abut_last_error();
  EXPECT_EQ(found.rows, set.size());
  EXPECT_EQ(copy_of(found.neighbors, found.count), copy_of(a.seconds, a.count)) << "the walls of each body, by id";
  // Saved and loaded, as a list between two sets.
  static_cast<token*>(a.memory)[0].number = 77;
  const contacts_handle loaded(abut_contacts_create(&options));
  ASSERT_EQ(abut_contacts_load(loaded.get(), &a, &who), 0) << abut_last_error();
  ASSERT_EQ(abut_contacts_update(loaded.get(), search.get(), &others, &who), 0) << abut_last_error();
  const abut_contact_arrays b = arrays_of(loaded);
  EXPECT_EQ(b.between, 1);
  EXPECT_EQ(copy_of(b.seconds, b.count), copy_of(a.seconds, a.count));
  EXPECT_EQ(copy_of(static_cast<const token*>(b.memory), b.count),
            copy_of(static_cast<const token*>(a.memory), a.count));
}

TEST(c_interface_contacts, keep_leaves_pairs_out) {
  const samples::set set = some_spheres();
  auto options = sized<abut_contact_options>();
  options.has_skin = 1;
  std::uint32_t apart = 3;
  options.keep_context = &apart;
  options.keep = [](void* context, std::uint32_t i, std::uint32_t j) {
    return static_cast<int>((i + j) % *static_cast<const std::uint32_t*>(context) != 0);
  };
  const contacts_handle contacts(abut_contacts_create(&options));
  const handle search(abut_create(nullptr, nullptr));
  const abut_bodies bodies = view_of(set);
  ASSERT_EQ(abut_contacts_follow(contacts.get(), search.get(), &bodies, nullptr, nullptr, nullptr), 0);
  const abut_contact_arrays a = arrays_of(contacts);
  std::vector<abut::pair> listed, expected;
  for (std::size_t k = 0; k < a.count; ++k) listed.push_back({a.firsts[k], a.seconds[k]});
  for (const abut::pair p : abut::find_pairs(set.view())) {
    if ((p.i + p.j) % 3 != 0) expected.push_back(p);
  }
  EXPECT_EQ(support::sorted(listed), expected);
}

TEST(c_interface_contacts, neighbors_as_in_cpp) {
  const samples::set set = some_spheres();
  const double side = 2 + *std::max_element(set.column[0].begin(), set.column[0].end());
  auto chosen = sized<abut_options>();
  chosen.periodic[0] = 1;
  chosen.periodic_max[0] = side;
  const handle search(abut_create("grid", &chosen));
  abut::search cpp("grid", {.periodic = {abut::interval{0, side}}});
  auto how = sized<abut_contact_options>();
  how.margin = 0.1;
  const contacts_handle contacts(abut_contacts_create(&how));
  abut::contacts<> list({.margin = 0.1});
  const abut_bodies bodies = view_of(set);
  ASSERT_EQ(abut_contacts_follow(contacts.get(), search.get(), &bodies, nullptr, nullptr, nullptr), 0);
  list.follow(cpp, set.view());
  for (int bits = 0; bits < 16; ++bits) {
    auto asked = sized<abut_neighbor_options>();
    asked.half = bits & 1;
    asked.distances = bits & 2;
    asked.vectors = bits & 4;
    asked.images = bits & 8;
    auto found = sized<abut_neighbors>();
    ASSERT_EQ(abut_contacts_neighbors(contacts.get(), &bodies, nullptr, &asked, &found), 0) << abut_last_error();
    const abut::neighbor_list expected = list.neighbors(
        set.view(),
        {.half = (bits & 1) != 0, .distances = (bits & 2) != 0, .vectors = (bits & 4) != 0, .images = (bits & 8) != 0});
    ASSERT_EQ(found.rows, set.size());
    ASSERT_EQ(found.count, expected.neighbors.size());
    EXPECT_EQ(copy_of(found.offsets, found.rows + 1), expected.offsets);
    EXPECT_EQ(copy_of(found.neighbors, found.count), expected.neighbors);
    EXPECT_EQ(found.distances != nullptr, (bits & 2) != 0);
    EXPECT_EQ(found.vectors != nullptr, (bits & 4) != 0);
    EXPECT_EQ(found.images != nullptr, (bits & 8) != 0);
    if ((bits & 2) != 0) {
      EXPECT_EQ(copy_of(found.distances, found.count), expected.distances);
    }
    for (std::size_t k = 0; k < 3 * found.count; ++k) {
      if ((bits & 4) != 0) {
        EXPECT_EQ(found.vectors[k], expected.vectors[k / 3][k % 3]);
      }
      if ((bits & 8) != 0) {
        EXPECT_EQ(found.images[k], expected.images[k / 3][k % 3]);
      }
    }
  }
  auto all = sized<abut_neighbors>();
  ASSERT_EQ(abut_contacts_neighbors(contacts.get(), &bodies, nullptr, nullptr, &all), 0);
  EXPECT_EQ(all.count, 2 * abut::find_pairs(set.view(), {.margin = 0.1, .periodic = {abut::interval{0, side}}}).size());
}

TEST(c_interface_contacts, loading_what_was_saved) {
  samples::set set = some_spheres();
  const token fresh;
  const abut_contact_options options = remembering(fresh);
  const contacts_handle first(abut_contacts_create(&options));
  const handle search(abut_create(nullptr, nullptr));
  const abut_bodies bodies = view_of(set);
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < set.size(); ++i) ids.push_back(static_cast<std::int64_t>(i * 101 % 997));
  auto who = sized<abut_identities>();
  who.ids = labels_of(ids);
  ASSERT_EQ(abut_contacts_follow(first.get(), search.get(), &bodies, nullptr, &who, nullptr), 0);
  abut_contact_arrays a = arrays_of(first);
  for (std::size_t k = 0; k < a.count; ++k) static_cast<token*>(a.memory)[k].number = k + 1;

  const std::vector<row> firsts = copy_of(a.firsts, a.count);
  const std::vector<row> seconds = copy_of(a.seconds, a.count);
  std::vector<token> memory = copy_of(static_cast<const token*>(a.memory), a.count);
  auto saved = sized<abut_contact_arrays>();
  saved.count = a.count;
  saved.rows = a.rows;
  saved.bytes = a.bytes;
  saved.firsts = firsts.data();
  saved.seconds = seconds.data();
  saved.memory = memory.data();
  const contacts_handle second(abut_contacts_create(&options));
  ASSERT_EQ(abut_contacts_load(second.get(), &saved, &who), 0) << abut_last_error();
  for (const contacts_handle* list : {&first, &second}) {
    set.column[0][5] += 2;
    ASSERT_EQ(abut_contacts_follow(list->get(), search.get(), &bodies, nullptr, &who, nullptr), 0);
    set.column[0][5] -= 2;
  }
  const abut_contact_arrays b = arrays_of(second);
  std::map<std::pair<row, row>, std::uint64_t> known;
  for (std::size_t k = 0; k < firsts.size(); ++k) known[{firsts[k], seconds[k]}] = k + 1;
  std::size_t persisted = 0;
  for (std::size_t k = 0; k < b.count; ++k) {
    const auto at = known.find({b.firsts[k], b.seconds[k]});
    const std::uint64_t number = static_cast<const token*>(b.memory)[k].number;
    EXPECT_EQ(number, at == known.end() ? 0U : at->second);
    if (number != 0) ++persisted;
  }
  EXPECT_GT(persisted, 0U);

  saved.bytes = 3;
  expect_error(abut_contacts_load(second.get(), &saved, &who), "saved->bytes is 3, but the list has 16");
  saved.bytes = sizeof(token);
  saved.seconds = nullptr;
  expect_error(abut_contacts_load(second.get(), &saved, &who), "saved->seconds is NULL");
  saved.seconds = seconds.data();
  saved.rows = 2;
  expect_error(abut_contacts_load(second.get(), &saved, &who), "there are 2 and 2");
  EXPECT_EQ(arrays_of(second).count, b.count) << "refused, so nothing has changed";
}

TEST(c_interface_contacts_errors, arguments) {
  const samples::set set = some_spheres();
  const abut_bodies bodies = view_of(set);
  const contacts_handle contacts(abut_contacts_create(nullptr));
  abut_contacts* const c = contacts.get();
  const handle search(abut_create(nullptr, nullptr));
  abut_search* const s = search.get();
  int holds = 0;
  double margin = 0;
  std::size_t count = 0;
  const abut_ended_contact* ended = nullptr;
  auto options = sized<abut_contact_options>();
  options.margin = -1;
  EXPECT_EQ(abut_contacts_create(&options), nullptr);
  expect_error(1, "-1");
  options.size = 3;
  EXPECT_EQ(abut_contacts_create(&options), nullptr);
  expect_error(1, "options has size 3; set it to sizeof(abut_contact_options)");

  abut_contacts_destroy(nullptr);
  expect_error(abut_contacts_follow(nullptr, s, &bodies, nullptr, nullptr, nullptr), "contacts is NULL");
  expect_error(abut_contacts_follow(c, nullptr, &bodies, nullptr, nullptr, nullptr), "search is NULL");
  expect_error(abut_contacts_follow(c, s, nullptr, nullptr, nullptr, nullptr), "bodies is NULL");
  expect_error(abut_contacts_update(c, s, nullptr, nullptr), "no bodies yet");
  expect_error(abut_contacts_hold(c, nullptr, nullptr, &holds), "bodies is NULL");
  expect_error(abut_contacts_hold(c, &bodies, nullptr, nullptr), "holds is NULL");
  expect_error(abut_contacts_hold_displacement(c, -1, &holds), "-1");
  expect_error(abut_contacts_hold_displacement(c, 1, nullptr), "holds is NULL");
  expect_error(abut_contacts_expire(nullptr), "contacts is NULL");
  expect_error(abut_contacts_reach(c, nullptr, &bodies, &margin), "search is NULL");
  expect_error(abut_contacts_reach(c, s, nullptr, &margin), "bodies is NULL");
  expect_error(abut_contacts_reach(c, s, &bodies, nullptr), "margin is NULL");
  expect_error(abut_contacts_arrays(c, nullptr), "arrays is NULL");
  expect_error(abut_contacts_ended(c, nullptr, &count), "ended is NULL");
  expect_error(abut_contacts_ended(c, &ended, nullptr), "count is NULL");
  expect_error(abut_contacts_for_each_block(c, nullptr, nullptr), "f is NULL");
  expect_error(abut_contacts_load(c, nullptr, nullptr), "saved is NULL");
  expect_error(abut_contacts_stats_of(c, nullptr), "stats is NULL");
  expect_error(abut_contacts_neighbors(c, &bodies, nullptr, nullptr, nullptr), "neighbors is NULL");
  abut_neighbors small{};
  expect_error(abut_contacts_neighbors(c, &bodies, nullptr, nullptr, &small), "neighbors has size 0");

  auto who = sized<abut_identities>();
  const std::int64_t id = 1;
  who.ids = {&id, 0, ABUT_INT64};
  expect_error(abut_contacts_follow(c, s, &bodies, nullptr, &who, nullptr), "ids has stride 0");
  const std::vector<std::int64_t> equal(set.size(), 1);
  who.ids = labels_of(equal);
  expect_error(abut_contacts_follow(c, s, &bodies, nullptr, &who, nullptr), "both have the id 1");
  EXPECT_EQ(arrays_of(contacts).count, 0U);
}

}  // namespace
}  // namespace c_interface_contacts_test
