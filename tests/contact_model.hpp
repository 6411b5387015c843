#pragma once

// What the tests of contacts share: bodies that move, and a model of lists of contacts, a map from the ids of two
// bodies to what they remember, brought up to date from the oracle's pairs.

#include <map>
#include <set>

#include <abut/contacts.hpp>

#include "support.hpp"

namespace contact_model {

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
  grains(shape kind, int dimension, std::uint64_t seed, bool periodic, std::size_t count = 120)
      : rng_(seed), bodies_(samples::uniform(kind, dimension, count, 0.5, 0.6, 2, seed)) {
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
inline void expect_like(abut::contacts<token>& near, model& expected) {
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

inline samples::set three_in_a_row() {
  samples::set s;
  for (const double x : {0.0, 1.0, 2.0}) s.add(x, 0, 0, 0.5);
  return s;
}

}  // namespace contact_model
