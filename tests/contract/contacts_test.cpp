// Contacts against a model of their own: a map from the ids of two bodies to what they remember, brought up to date
// from the oracle's pairs. For every method, shape, dimension, with and without ids, periods, moving rows, several
// threads.

#include <map>
#include <set>

#include <abut/contacts.hpp>

#include "support.hpp"

namespace {

using abut::no_row;
using abut::row;
using abut::shape;
namespace samples = abut::samples;
using ids_of_pair = std::pair<std::int64_t, std::int64_t>;

// What a contact remembers: unique for each contact's life.
struct token {
  std::uint64_t number = 0;
  float extra = 1.5F;
};

// Bodies that drift, change rows, come and go, with ids that stay.
class grains {
 public:
  grains(shape kind, int dimension, std::uint64_t seed, bool periodic)
      : rng_(seed), bodies_(samples::uniform(kind, dimension, 120, 0.5, 0.6, 2, seed)) {
    const double side = std::max(6.0, *std::max_element(bodies_.column[0].begin(), bodies_.column[0].end()));
    if (periodic) axes_ = {abut::interval{0, side}, abut::interval{-1, side}, std::nullopt};
    for (std::size_t i = 0; i < bodies_.size(); ++i) ids_.push_back(fresh_id());
    shuffle_ids();
  }
  [[nodiscard]] const samples::set& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }
  [[nodiscard]] const reference::periods& axes() const { return axes_; }

  void drift(double most) {
    const auto d = static_cast<std::size_t>(bodies_.dimension);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t k = 0; k < d; ++k) {
        const double by = rng_.uniform(-most, most);
        bodies_.column[k][i] += by;
        if (bodies_.kind == shape::box) bodies_.column[d + k][i] += by;
      }
    }
  }
  // Puts the rows in random order, removes some bodies and adds others. Returns the new row of each old one.
  std::vector<row> shuffle(std::size_t gone, std::size_t come) {
    std::vector<row> kept = rng_.permutation(bodies_.size());
    kept.resize(kept.size() - std::min(gone, kept.size()));
    std::vector<row> new_rows(bodies_.size(), no_row);
    std::vector<std::int64_t> ids;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      new_rows[kept[k]] = static_cast<row>(k);
      ids.push_back(ids_[kept[k]]);
    }
    bodies_ = samples::select(bodies_, kept);
    ids_ = ids;
    for (std::size_t k = 0; k < come; ++k) {
      bodies_.add(rng_.uniform(0, 5), rng_.uniform(0, 5), rng_.uniform(0, 5), rng_.uniform(0.2, 0.5));
      ids_.push_back(fresh_id());
    }
    return new_rows;
  }

 private:
  std::int64_t fresh_id() { return next_id_ += 7; }
  void shuffle_ids() {
    const std::vector<row> order = rng_.permutation(ids_.size());
    std::vector<std::int64_t> mixed(ids_.size());
    for (std::size_t k = 0; k < order.size(); ++k) mixed[k] = ids_[order[k]];
    ids_ = mixed;
  }

  samples::random rng_;
  samples::set bodies_;
  std::vector<std::int64_t> ids_;
  std::int64_t next_id_ = -300;
  reference::periods axes_{};
};

// The model. Its ids are the user's, or else numbers in order of appearance.
class model {
 public:
  explicit model(bool with_ids) : with_ids_(with_ids) {}

  void follow(const grains& g, double margin, const std::optional<std::vector<row>>& new_rows) {
    follow_ids(g, new_rows);
    begun_.clear();
    ended_.clear();
    std::map<ids_of_pair, std::uint64_t> now;
    for (const abut::pair& p : reference::pairs(g.bodies(), margin, g.axes())) {
      const ids_of_pair key = std::minmax(ids_[p.i], ids_[p.j]);
      const auto known = tokens_.find(key);
      if (known == tokens_.end()) begun_.insert(key);
      now[key] = known == tokens_.end() ? 0 : known->second;
    }
    for (const auto& [key, number] : tokens_) {
      if (now.find(key) == now.end()) ended_[key] = number;
    }
    tokens_ = now;
  }
  // Gives every new contact a number of its own.
  std::uint64_t mark(const ids_of_pair& key) { return tokens_.at(key) = ++last_; }
  [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }
  [[nodiscard]] const std::vector<std::int64_t>& ids_before() const { return before_; }
  [[nodiscard]] const std::map<ids_of_pair, std::uint64_t>& tokens() const { return tokens_; }
  [[nodiscard]] const std::set<ids_of_pair>& begun() const { return begun_; }
  [[nodiscard]] const std::map<ids_of_pair, std::uint64_t>& ended() const { return ended_; }

 private:
  void follow_ids(const grains& g, const std::optional<std::vector<row>>& new_rows) {
    before_ = ids_;
    if (with_ids_) {
      ids_ = g.ids();
      return;
    }
    std::vector<std::int64_t> now(g.bodies().size(), -1);
    for (std::size_t k = 0; k < before_.size(); ++k) {
      const row to = new_rows ? (*new_rows)[k] : static_cast<row>(k);
      if (to != no_row) now[to] = before_[k];
    }
    for (auto& id : now) {
      if (id < 0) id = next_++;
    }
    ids_ = now;
  }

  bool with_ids_;
  std::vector<std::int64_t> ids_, before_;
  std::int64_t next_ = 0;
  std::map<ids_of_pair, std::uint64_t> tokens_, ended_;
  std::set<ids_of_pair> begun_;
  std::uint64_t last_ = 0;
};

// The slots are those of the model, in their order, with their memory; `of` sees the same from both sides.
void expect_like(abut::contacts<token>& near, model& expected) {
  const auto& ids = expected.ids();
  std::map<ids_of_pair, std::uint64_t> found;
  ASSERT_EQ(near.size(), expected.tokens().size());
  ASSERT_EQ(near.rows(), ids.size());
  std::int64_t last_row = -1;
  std::int64_t last_id = 0;
  for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
    const row i = near.firsts()[slot];
    const row j = near.seconds()[slot];
    ASSERT_LT(ids[i], ids[j]);
    ASSERT_TRUE(i > last_row || (i == last_row && ids[j] > last_id)) << "slot " << slot;
    last_row = i;
    last_id = ids[j];
    ASSERT_GE(slot, near.offsets()[i]);
    ASSERT_LT(slot, near.offsets()[i + 1]);
    const ids_of_pair key{ids[i], ids[j]};
    ASSERT_EQ(expected.tokens().count(key), 1U);
    ASSERT_EQ(near.begun(slot), expected.begun().count(key) == 1) << "slot " << slot;
    token& memory = near.memory(slot);
    ASSERT_EQ(memory.extra, 1.5F);
    ASSERT_EQ(memory.number, expected.tokens().at(key));
    if (near.begun(slot)) memory.number = expected.mark(key);
  }
  std::map<ids_of_pair, std::uint64_t> ended;
  const auto& before = expected.ids_before();
  for (const auto& e : near.ended()) {
    ended[{before[e.first], before[e.second]}] = e.memory.number;
    if (e.first_now != no_row) {
      ASSERT_EQ(ids[e.first_now], before[e.first]);
    }
    if (e.second_now != no_row) {
      ASSERT_EQ(ids[e.second_now], before[e.second]);
    }
  }
  ASSERT_EQ(ended, expected.ended());
  for (row i = 0; i < ids.size(); ++i) {
    std::vector<std::int64_t> seen;
    for (const auto c : near.of(i)) {
      seen.push_back(ids[c.other]);
      const row first = c.first ? i : c.other;
      ASSERT_EQ(near.firsts()[c.slot], first);
      ASSERT_EQ(near.seconds()[c.slot], c.first ? c.other : i);
      ASSERT_EQ(&c.memory, &near.memory(c.slot));
    }
    ASSERT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    std::vector<std::int64_t> all;
    for (const auto& [key, number] : expected.tokens()) {
      if (key.first == ids[i]) all.push_back(key.second);
      if (key.second == ids[i]) all.push_back(key.first);
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(seen, all);
  }
}

// Through its image, the second body's center is within reach of the first one's.
void expect_images(abut::contacts<token>& near, const grains& g, double margin) {
  const auto volumes = reference::volumes(g.bodies());
  near.for_each([&](auto& c) {
    reference::volume second = volumes[c.j];
    for (std::size_t k = 0; k < 3; ++k) {
      const double by = g.axes()[k] ? c.image[k] * (g.axes()[k]->max - g.axes()[k]->min) : 0;
      second.c[k] += by;
      second.min[k] += by;
      second.max[k] += by;
    }
    EXPECT_TRUE(reference::meets(volumes[c.i], second, margin + 1e-9)) << c.i << " and " << c.j;
  });
}

class contacts_of : public ::testing::TestWithParam<std::string> {};

void run(const std::string& method, shape kind, int dimension, bool periodic, bool with_ids, int threads) {
  SCOPED_TRACE(std::string(support::shape_name(kind)) + ", " + std::to_string(dimension) + "D" +
               (periodic ? ", periodic" : "") + (with_ids ? ", ids" : "") + ", threads " + std::to_string(threads));
  grains g(kind, dimension, 77 + static_cast<unsigned>(dimension), periodic);
  constexpr double margin = 0.15;
  abut::search search(abut::plan(method), {.margin = margin, .periodic = g.axes(), .threads = threads});
  abut::contacts<token> near({.margin = margin});
  model expected(with_ids);
  std::size_t ended = 0;
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    std::optional<std::vector<row>> new_rows;
    if (step > 0) g.drift(0.12);
    if (step % 3 == 2) new_rows = g.shuffle(step == 8 ? g.bodies().size() : 6, step == 8 ? 40 : 4);
    abut::identities who;
    if (with_ids) who.ids = g.ids();
    if (new_rows) who.new_rows = *new_rows;
    search.update(g.bodies().view(), {.new_rows = who.new_rows});
    near.update(search, who);
    expected.follow(g, margin, new_rows);
    ASSERT_NO_FATAL_FAILURE(expect_like(near, expected));
    if (periodic) expect_images(near, g, margin);
    ended += near.ended().size();
  }
  EXPECT_GT(ended, 100U);
}

TEST_P(contacts_of, are_those_of_the_model_and_keep_their_memory) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const bool periodic : {false, true}) {
        run(GetParam(), kind, dimension, periodic, dimension == 2, dimension == 2 ? 3 : 1);
        run(GetParam(), kind, dimension, periodic, dimension == 3, dimension == 2 ? 1 : 3);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, contacts_of, ::testing::ValuesIn(support::method_names()), support::method_test_name);

// While a list holds, it has every pair; `neighbors` are exactly those of the oracle, in every step.
void run_with_skin(const std::string& method, shape kind, int dimension, bool periodic, std::optional<double> skin,
                   bool stated) {
  SCOPED_TRACE(std::string(support::shape_name(kind)) + ", " + std::to_string(dimension) + "D" +
               (periodic ? ", periodic" : "") + (stated ? ", stated" : "") +
               (skin ? ", skin " + support::number(*skin) : ", tuned"));
  grains g(kind, dimension, 5 + static_cast<unsigned>(dimension), periodic);
  constexpr double margin = 0.05;
  abut::search search(abut::plan(method), {.periodic = g.axes(), .threads = 2});
  abut::contacts<token> near({.margin = margin, .skin = skin});
  std::map<std::pair<row, row>, std::uint64_t> tokens;
  constexpr int steps = 40;
  constexpr double most = 0.004;
  int rebuilds = 0;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    if (step > 0) g.drift(step % 13 == 12 ? 0.2 : most);
    const abut::bodies now = g.bodies().view();
    bool rebuilt = true;
    if (stated) {
      // A step moves a center by at most the diagonal of what it moves by on each axis.
      const double displacement = (step % 13 == 12 ? 0.2 : most) * std::sqrt(3.0);
      if (near.hold(step == 0 ? 0 : displacement)) {
        rebuilt = false;
      } else {
        search.update(now, {.margin = near.reach(search)});
        near.update(search);
      }
    } else {
      rebuilt = near.follow(search, now);
    }
    rebuilds += rebuilt ? 1 : 0;
    const auto expected = reference::pairs(g.bodies(), margin, g.axes());
    std::vector<abut::pair> found;
    const abut::neighbor_list half = near.neighbors(now, {.half = true});
    for (row i = 0; i < now.size(); ++i) {
      for (auto k = half.offsets[i]; k < half.offsets[i + 1]; ++k) found.push_back({i, half.neighbors[k]});
    }
    ASSERT_TRUE(support::same_pairs(expected, found, g.bodies()));
    // Pairs that touch never lose their memory, whatever the list does.
    std::set<std::pair<row, row>> touching;
    for (const abut::pair& p : expected) touching.insert({p.i, p.j});
    near.for_each_block([](std::size_t, std::size_t) {});
    for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
      const std::pair<row, row> key{near.firsts()[slot], near.seconds()[slot]};
      if (touching.count(key) == 0) continue;
      if (const auto known = tokens.find(key); known != tokens.end()) {
        ASSERT_EQ(near.memory(slot).number, known->second);
      }
      tokens[key] = near.memory(slot).number = static_cast<std::uint64_t>(step + 1) << 32 | slot;
    }
    std::erase_if(tokens, [&](const auto& t) { return touching.count(t.first) == 0; });
  }
  EXPECT_LT(rebuilds, steps);
  EXPECT_EQ(near.stats().updates, static_cast<std::uint64_t>(rebuilds));
  EXPECT_EQ(near.stats().holds, static_cast<std::uint64_t>(steps - rebuilds));
}

TEST_P(contacts_of, hold_while_no_pair_can_be_missing) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const bool periodic : {false, true}) {
        run_with_skin(GetParam(), kind, dimension, periodic, 0.08, dimension == 2);
        run_with_skin(GetParam(), kind, dimension, periodic, {}, false);
      }
    }
  }
}

samples::set three_in_a_row() {
  samples::set s;
  for (const double x : {0.0, 1.0, 2.0}) s.add(x, 0, 0, 0.5);
  return s;
}

TEST(contacts, full_lists_have_both_sides_with_distances_vectors_and_images) {
  samples::set s = three_in_a_row();
  s.column[0] = {0.25, 3.5, 9.5};  // 2 touches 0 through the border, 1 touches nobody
  abut::search search(abut::plan("grid"), {.periodic = {abut::interval{0, 10}}});
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  const auto list = near.neighbors(s.view(), {.distances = true, .vectors = true, .images = true});
  EXPECT_EQ(list.offsets, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(list.neighbors, (std::vector<row>{2, 0}));
  EXPECT_EQ(list.distances, (std::vector<double>{0.75, 0.75}));
  EXPECT_EQ(list.vectors[0], (std::array<double, 3>{-0.75, 0, 0}));
  EXPECT_EQ(list.vectors[1], (std::array<double, 3>{0.75, 0, 0}));
  EXPECT_EQ(list.images[0], (abut::image_shift{-1, 0, 0}));
  EXPECT_EQ(list.images[1], (abut::image_shift{1, 0, 0}));
  EXPECT_TRUE(near.neighbors(s.view()).distances.empty());
}

// The far images of unwrapped coordinates.
TEST(contacts, images_count_the_periods_between_unwrapped_bodies) {
  samples::set s;
  s.add(0.25, 0, 0, 0.5);
  s.add(0.25 + 0.75 + 1e4, -30, 0, 0.5);
  abut::search search(abut::plan(), {.periodic = {abut::interval{0, 10}, abut::interval{0, 10}}});
  search.update(s.view());
  abut::contacts<> near;
  near.update(search);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near.image_of(0), (abut::image_shift{-1000, 3, 0}));
}

TEST(contacts, a_filter_leaves_pairs_out) {
  const samples::set s = three_in_a_row();
  abut::search search;
  search.update(s.view());
  abut::contacts<> near({.keep = [](row i, row j) { return i != 0 || j != 1; }});
  near.update(search);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near.firsts()[0], 1U);
  EXPECT_EQ(near.seconds()[0], 2U);
}

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

TEST(contacts, do_not_hold_for_numbers_that_are_none) {
  samples::set s = three_in_a_row();
  abut::search search;
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  ASSERT_TRUE(near.hold(s.view()));
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t i = 0; i < 3; ++i) {
      samples::set bad = s;
      bad.column[column][i] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(near.hold(bad.view())) << column << " of " << i;
    }
  }
  EXPECT_TRUE(near.hold(s.view()));
  near.expire();
  EXPECT_FALSE(near.hold(s.view()));
}

TEST(contacts, hold_no_longer_once_two_moves_add_up_to_the_skin) {
  samples::set s = three_in_a_row();
  abut::search search;
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  s.column[1][0] = 0.49;  // one body, nearly the whole skin
  EXPECT_TRUE(near.hold(s.view()));
  s.column[1][2] = -0.02;  // and another
  EXPECT_FALSE(near.hold(s.view()));
  s = three_in_a_row();
  s.column[3][1] = 0.74;  // growth counts, for each of two bodies
  EXPECT_TRUE(near.hold(s.view()));
  s.column[3][1] = 0.76;
  EXPECT_FALSE(near.hold(s.view()));
  s.column[3][1] = 0.2;  // shrinking does not
  EXPECT_TRUE(near.hold(s.view()));
}

// Sums over `of` are the same to the last bit for every method and number of threads.
TEST(contacts, sums_do_not_depend_on_method_or_threads) {
  const grains g(shape::sphere, 3, 21, true);
  std::vector<double> expected;
  for (const std::string& method : support::method_names()) {
    for (const int threads : {1, 3}) {
      abut::search search(abut::plan(method), {.margin = 0.2, .periodic = g.axes(), .threads = threads});
      search.update(g.bodies().view());
      abut::contacts<double> near;
      near.update(search);
      std::vector<double> force(near.size());
      near.for_each([&](auto& c) { force[c.slot] = 1.0 / (1 + c.i) + c.j * 0.1 + c.image[0]; });
      std::vector<double> sums;
      for (row i = 0; i < near.rows(); ++i) {
        double sum = 0;
        for (const auto c : near.of(i)) sum += c.first ? force[c.slot] : -force[c.slot];
        sums.push_back(sum);
      }
      if (expected.empty()) expected = sums;
      ASSERT_EQ(sums, expected) << method << ", " << threads << " threads";
    }
  }
}

class contacts_between : public ::testing::TestWithParam<std::string> {};

TEST_P(contacts_between, are_those_of_the_oracle_from_both_sides) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      for (const bool periodic : {false, true}) {
        SCOPED_TRACE(std::string(support::shape_name(kind)) + " and " + support::shape_name(other) +
                     (periodic ? ", periodic" : ""));
        grains g(kind, 3, 31, periodic);
        samples::set walls = samples::uniform(other, 3, 40, 0.4, 0.7, 2, 8);
        abut::search search(abut::plan(GetParam()), {.periodic = g.axes(), .threads = 2});
        abut::contacts<token> near({.margin = 0.02, .skin = 0.2});
        std::map<std::pair<row, row>, std::uint64_t> tokens;
        int rebuilds = 0;
        for (int step = 0; step < 12; ++step) {
          SCOPED_TRACE("step " + std::to_string(step));
          if (step > 0) g.drift(0.02);
          samples::translate(walls, 0.01);
          rebuilds += near.follow_between(search, g.bodies().view(), walls.view()) ? 1 : 0;
          const auto expected = reference::between(g.bodies(), walls, 0.02, g.axes());
          const auto list = near.neighbors(g.bodies().view(), walls.view());
          std::vector<abut::pair> found;
          for (row i = 0; i < near.rows(); ++i) {
            for (auto k = list.offsets[i]; k < list.offsets[i + 1]; ++k) found.push_back({i, list.neighbors[k]});
          }
          ASSERT_EQ(support::sorted(found), expected);
          std::size_t seen = 0;
          for (row j = 0; j < near.other_rows(); ++j) {
            std::int64_t last = -1;
            for (const auto c : near.of_other(j)) {
              ASSERT_FALSE(c.first);
              ASSERT_GT(static_cast<std::int64_t>(c.other), last);
              last = c.other;
              ++seen;
              const auto known = tokens.find({c.other, j});
              const bool touches = std::binary_search(expected.begin(), expected.end(), abut::pair{c.other, j});
              if (known != tokens.end() && touches) {
                ASSERT_EQ(c.memory.number, known->second);
              }
              if (touches) tokens[{c.other, j}] = c.memory.number = ++seen << 8 | static_cast<unsigned>(step);
            }
          }
          std::erase_if(tokens, [&](const auto& t) {
            return !std::binary_search(expected.begin(), expected.end(), abut::pair{t.first.first, t.first.second});
          });
        }
        EXPECT_GT(rebuilds, 1);
        EXPECT_LT(rebuilds, 12);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, contacts_between, ::testing::ValuesIn(support::method_names()),
                         support::method_test_name);

struct outcome {
  std::uint64_t updates;
  std::size_t listed;
  friend bool operator==(const outcome&, const outcome&) = default;
};

// The tuned skin depends on counts alone. Lists of bodies that move slowly last, and lists that are much too long for
// the motion are made shorter.
TEST(contacts, a_tuned_skin_suits_the_motion_and_is_the_same_again) {
  const auto run = [](double most, int threads) {
    samples::set s = samples::lattice(shape::sphere, 3, 1000, 1, 0.1, 0.5, 3);
    samples::random rng(4);
    abut::search search(abut::plan("grid"), {.threads = threads});
    abut::contacts<> near;
    for (int step = 0; step < 200; ++step) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (double& x : s.column[k]) x += rng.uniform(-most, most);
      }
      near.follow(search, s.view());
    }
    return outcome{near.stats().updates, near.size()};
  };
  const outcome slow = run(0.0001, 1);
  const outcome medium = run(0.005, 1);
  EXPECT_EQ(slow, run(0.0001, 3));
  EXPECT_EQ(medium, run(0.005, 3));
  EXPECT_GT(slow.updates, 1U);  // the first list is too long for it
  EXPECT_LT(slow.updates, 10U);
  EXPECT_GT(medium.updates, 1U);
  EXPECT_LT(medium.updates, 60U);
  EXPECT_LT(slow.listed, medium.listed);
}

}  // namespace
