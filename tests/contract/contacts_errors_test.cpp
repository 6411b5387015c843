// Contacts that are saved and loaded, and updates that are refused, after which a list is what it was.

#include "contact_model.hpp"

namespace contacts_errors_test {
namespace {

using abut::row;
using abut::shape;
using contact_model::grains;
using contact_model::three_in_a_row;
using contact_model::token;
namespace samples = abut::samples;

TEST(contacts, saved_and_loaded_keep_their_memory) {
  for (const bool with_ids : {false, true}) {
    grains g(shape::sphere, 3, 9, false);
    abut::search search(abut::plan("grid"), {.margin = 0.1});
    search.update(g.bodies().view());
    abut::identities who;
    if (with_ids) who.ids = g.ids();
    abut::contacts<token> near;
    near.update(search, who);
    near.for_each([](auto& c) { c.memory.number = 1000 + c.slot; });
    const abut::saved_contacts saved = near.save();
    abut::contacts<token> loaded;
    loaded.load(saved, near.rows(), who);
    EXPECT_FALSE(loaded.hold(g.bodies().view()));
    loaded.update(search, who);
    ASSERT_EQ(loaded.size(), near.size());
    ASSERT_GT(loaded.size(), 20U);
    for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
      ASSERT_EQ(loaded.memory(slot).number, 1000 + slot);
      ASSERT_FALSE(loaded.begun(slot));
    }
    EXPECT_TRUE(loaded.ended().empty());
  }
}

// Without ids from the user, bodies keep the numbers that they had before rows moved, and slots are ordered by them.
TEST(contacts, saved_and_loaded_after_rows_have_moved) {
  for (const bool between : {false, true}) {
    grains g(shape::sphere, 3, 9, false);
    samples::set walls = samples::uniform(shape::box, 3, 30, 0.4, 0.7, 2, 8);
    abut::search search(abut::plan("grid"), {.margin = 0.1});
    search.update(g.bodies().view());
    abut::contacts<token> near;
    const auto take = [&](abut::contacts<token>& list, const abut::identities& who) {
      between ? list.update_between(search, walls.view(), who) : list.update(search, who);
    };
    take(near, {});
    std::vector<row> new_rows(g.bodies().size());
    for (row i = 0; i < new_rows.size(); ++i) new_rows[i] = static_cast<row>(new_rows.size()) - 1 - i;
    samples::set turned = samples::select(g.bodies(), new_rows);
    search.update(turned.view());
    take(near, {.new_rows = new_rows});
    near.for_each([](auto& c) { c.memory.number = 1000 + c.slot; });
    const abut::saved_contacts saved = near.save();
    EXPECT_EQ(saved.ids.size(), new_rows.size());
    abut::contacts<token> loaded;
    between ? loaded.load_between(saved, near.rows(), near.other_rows()) : loaded.load(saved, near.rows());
    EXPECT_EQ(loaded.save().ids, saved.ids);
    // Both go on alike, also where bodies come.
    turned.add(0.1, 0.2, 0.3, 0.6);
    std::vector<row> same(new_rows.size());
    for (row i = 0; i < same.size(); ++i) same[i] = i;
    search.update(turned.view());
    take(near, {.new_rows = same});
    take(loaded, {.new_rows = same});
    ASSERT_GT(near.size(), 20U);
    ASSERT_EQ(loaded.save().firsts, near.save().firsts);
    ASSERT_EQ(loaded.save().seconds, near.save().seconds);
    for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
      ASSERT_EQ(loaded.memory(slot).number, near.memory(slot).number);
    }
  }
  abut::contacts<token> near;
  EXPECT_EQ(support::message_of([&] {
              near.load({.ids = {1, 2}}, 3);
            }),
            "the saved contacts have 2 ids; there are 3 bodies");
}

TEST(contacts, refuse_saved_arrays_that_cannot_be) {
  abut::contacts<token> near;
  abut::saved_contacts bad;
  bad.firsts = {0};
  EXPECT_EQ(support::message_of([&] { near.load(bad, 2); }),
            "the saved contacts have 1 first bodies, 0 second ones and 0 bytes of memory; this list has 16 bytes per "
            "contact");
  bad.seconds = {5};
  bad.memory.resize(16);
  EXPECT_EQ(support::message_of([&] { near.load(bad, 2); }), "saved contact 0 is of rows 0 and 5; there are 2 and 2");
  bad.firsts = {1, 0};
  bad.seconds = {2, 1};
  bad.memory.resize(32);
  EXPECT_EQ(support::message_of([&] { near.load(bad, 3); }),
            "saved contact 0 is not where it belongs in the order of slots: load what was saved, with the same ids");
  EXPECT_EQ(near.size(), 0U);
}

TEST(contacts, refuse_what_would_be_wrong) {
  const samples::set s = three_in_a_row();
  abut::search search;
  abut::contacts<token> near({.margin = 0.5});
  EXPECT_NE(support::message_of([&] { near.update(search); }).find("call update before"), std::string::npos);
  search.update(s.view());
  EXPECT_EQ(support::message_of([&] { near.update(search); }),
            "the search has the margin 0, the list 0.5: update the search with the list's reach");
  abut::contacts<token> plain;
  const std::vector<std::int32_t> two{4, 5};
  EXPECT_EQ(support::message_of([&] { plain.update(search, {.ids = two}); }),
            "there are 2 ids for 3 bodies: give one for each");
  const std::vector<std::int32_t> same{4, 9, 4};
  EXPECT_EQ(support::message_of([&] { plain.update(search, {.ids = same}); }),
            "rows 0 and 2 both have the id 4: give each body an id of its own");
  EXPECT_EQ(plain.size(), 0U);
  plain.update(search);
  const std::vector<row> map{0, 1};
  EXPECT_NE(support::message_of([&] { plain.update(search, {.new_rows = map}); }).find("2 entries"), std::string::npos);
  EXPECT_EQ(plain.size(), 2U);
  EXPECT_NE(support::message_of([&] { (void)plain.hold(-1.0); }).find("-1"), std::string::npos);
  EXPECT_NE(support::message_of([&] { plain.update_between(search, s.view()); }).find("between two"),
            std::string::npos);
  EXPECT_EQ(support::message_of([] { abut::contacts<> bad({.skin = -1}); }),
            "the skin of a list of contacts is -1; it must be from 0 to 1e150");
}

// The arrays of a list, to be compared.
struct arrays {
  explicit arrays(const abut::contacts<token>& near)
      : saved(near.save()),
        offsets(near.offsets().begin(), near.offsets().end()),
        back_offsets(near.back_offsets().begin(), near.back_offsets().end()),
        back(near.back().begin(), near.back().end()),
        images(near.images().begin(), near.images().end()) {}
  friend bool operator==(const arrays& a, const arrays& b) {
    return a.saved.firsts == b.saved.firsts && a.saved.seconds == b.saved.seconds && a.saved.memory == b.saved.memory &&
           a.offsets == b.offsets && a.back_offsets == b.back_offsets && a.back == b.back && a.images == b.images;
  }

  abut::saved_contacts saved;
  std::vector<std::uint32_t> offsets, back_offsets, back;
  std::vector<abut::image_shift> images;
};

// Ids that are refused when pairs are found, when they are sorted by first bodies, and by second bodies. In the second
// round the arrays would have to grow.
TEST(contacts, stay_as_they_are_if_ids_are_refused) {
  samples::set s = three_in_a_row();
  abut::search search("grid", {.threads = 2});
  search.update(s.view());
  abut::contacts<token> near;
  const std::vector<std::int32_t> good{3, 1, 2};
  near.update(search, {.ids = good});
  near.for_each([](auto& c) { c.memory.number = 70 + c.slot; });
  const arrays before(near);
  ASSERT_EQ(before.saved.firsts, (std::vector<row>{1, 1}));
  for (const std::size_t more : {0U, 1000U}) {
    for (std::size_t k = 0; k < more; ++k) s.add(static_cast<double>(k + 3), 0, 0, 0.5);
    search.update(s.view());
    for (const auto& [first, wrong] : std::vector<std::pair<std::string, std::vector<std::int32_t>>>{
             {"rows 0 and 1 ", {4, 4, 2}}, {"rows 0 and 2 ", {4, 1, 4}}, {"rows 0 and 2 ", {4, 9, 4}}}) {
      std::vector<std::int32_t> ids = wrong;
      for (std::size_t k = 0; k < more; ++k) ids.push_back(static_cast<std::int32_t>(100 + k));
      EXPECT_EQ(support::message_of([&] { near.update(search, {.ids = ids}); }),
                first + "both have the id 4: give each body an id of its own");
      EXPECT_EQ(arrays(near), before);
      EXPECT_TRUE(near.ended().empty());
    }
  }
  std::vector<std::int32_t> all = good;
  for (std::size_t k = 3; k < s.size(); ++k) all.push_back(static_cast<std::int32_t>(100 + k));
  near.update(search, {.ids = all});
  EXPECT_EQ(near.memory(0).number, 70U);
  EXPECT_EQ(near.size(), s.size() - 1);
}

// Ids are for every update or for none; whoever drops them gets slots in the order of rows all the same.
TEST(contacts, are_ordered_by_rows_without_ids) {
  const samples::set s = three_in_a_row();
  abut::search search;
  search.update(s.view());
  const std::vector<std::int32_t> ids{3, 2, 1};
  abut::contacts<token> near;
  near.update(search, {.ids = ids});
  EXPECT_EQ(near.save().firsts, (std::vector<row>{1, 2}));
  near.update(search);
  EXPECT_EQ(near.save().firsts, (std::vector<row>{0, 1}));
  EXPECT_EQ(near.save().seconds, (std::vector<row>{1, 2}));
}

TEST(contacts, stay_as_they_are_if_bodies_are_too_many_periods_apart) {
  samples::set s = three_in_a_row();
  abut::search search("grid", {.periodic = {abut::interval{0, 10}}});
  search.update(s.view());
  abut::contacts<token> near;
  near.update(search);
  const arrays before(near);
  ASSERT_EQ(near.size(), 2U);
  s.column[0][2] += 10 * 0x1p32;
  search.update(s.view());
  EXPECT_EQ(support::message_of([&] { near.update(search); }),
            "rows 1 and 2 touch through a border but are more than 2^31 periods apart: wrap the bodies");
  EXPECT_EQ(arrays(near), before);
}

}  // namespace
}  // namespace contacts_errors_test
