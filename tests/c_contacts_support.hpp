#pragma once

// What the tests of the C interface to contacts share: comparison with the C++ lists, and bodies listed in both.

#include <abut/abut.h>

#include <cstddef>
#include <string>

#include <abut/contacts.hpp>

#include "c_support.hpp"
#include "support.hpp"

namespace c_support {

using abut::row;

struct token {
  std::uint64_t number = 0;
  float extra = 1.5F;
  friend bool operator==(const token&, const token&) = default;
};

template <class T>
std::vector<T> copy_of(const T* first, std::size_t count) {
  return count == 0 ? std::vector<T>() : std::vector<T>(first, first + count);
}
template <class T>
std::vector<T> copy_of(std::span<const T> all) {
  return {all.begin(), all.end()};
}

inline abut_contact_arrays arrays_of(const contacts_handle& contacts) {
  auto arrays = sized<abut_contact_arrays>();
  EXPECT_EQ(abut_contacts_arrays(contacts.get(), &arrays), 0) << abut_last_error();
  return arrays;
}

inline bool begun(const abut_contact_arrays& a, std::size_t slot) { return (a.begun[slot / 64] >> slot % 64 & 1) != 0; }

// Whether the arrays are those of the C++ list, memory included.
inline void expect_same(const abut_contact_arrays& a, abut::contacts<token>& list) {
  ASSERT_EQ(a.count, list.size());
  ASSERT_EQ(a.rows, list.rows());
  ASSERT_EQ(a.other_rows, list.other_rows());
  EXPECT_EQ(a.bytes, sizeof(token));
  EXPECT_EQ(a.between != 0, list.between());
  EXPECT_EQ(copy_of(a.firsts, a.count), copy_of(list.firsts()));
  EXPECT_EQ(copy_of(a.seconds, a.count), copy_of(list.seconds()));
  EXPECT_EQ(copy_of(a.offsets, a.rows + 1), copy_of(list.offsets()));
  EXPECT_EQ(copy_of(a.back_offsets, a.other_rows + 1), copy_of(list.back_offsets()));
  EXPECT_EQ(copy_of(a.back, a.count), copy_of(list.back()));
  EXPECT_EQ(a.images != nullptr, !list.images().empty());
  for (std::uint32_t slot = 0; slot < a.count; ++slot) {
    EXPECT_EQ(begun(a, slot), list.begun(slot));
    EXPECT_EQ(static_cast<const token*>(a.memory)[slot], list.memory(slot));
    for (std::size_t k = 0; a.images != nullptr && k < 3; ++k) {
      EXPECT_EQ(a.images[3 * slot + k], list.image_of(slot)[k]);
    }
  }
}

inline void expect_same_ended(const contacts_handle& contacts, const abut::contacts<token>& list) {
  const abut_ended_contact* ended = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(abut_contacts_ended(contacts.get(), &ended, &count), 0) << abut_last_error();
  const auto expected = list.ended();
  ASSERT_EQ(count, expected.size());
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(ended[k].first, expected[k].first);
    EXPECT_EQ(ended[k].second, expected[k].second);
    EXPECT_EQ(ended[k].first_now, expected[k].first_now);
    EXPECT_EQ(ended[k].second_now, expected[k].second_now);
    EXPECT_EQ(*static_cast<const token*>(ended[k].memory), expected[k].memory);
  }
}

inline abut_contact_options remembering(const token& fresh) {
  auto options = sized<abut_contact_options>();
  options.margin = 0.05;
  options.bytes = sizeof(token);
  options.fresh = &fresh;
  return options;
}

// Bodies that drift and change rows, with ids that stay, listed in C and in C++.
class lists {
 public:
  lists(shape kind, int dimension, bool periodic)
      : rng_(821), set_(samples::uniform(kind, dimension, 150, 0.5, 0.6, 2, 821)), cpp_({.margin = 0.05}) {
    auto options = sized<abut_options>();
    abut::options chosen;
    if (periodic) {
      const double side = 2 + *std::max_element(set_.column[0].begin(), set_.column[0].end());
      options.periodic[1] = 1;
      options.periodic_max[1] = side;
      chosen.periodic[1] = abut::interval{0, side};
    }
    c_search_.reset(abut_create("grid", &options));
    cpp_search_ = abut::search("grid", chosen);
    const token fresh;
    const abut_contact_options how = remembering(fresh);
    c_.reset(abut_contacts_create(&how));
    EXPECT_TRUE(c_) << abut_last_error();
    for (std::size_t i = 0; i < set_.size(); ++i) ids_.push_back(static_cast<std::int64_t>(1000 - 3 * i));
  }

  void step(bool shuffled, bool with_ids) {
    drift();
    auto who = sized<abut_identities>();
    abut::identities expected;
    std::vector<row> new_rows;
    if (shuffled) {
      new_rows = shuffle();
      who.new_rows = new_rows.data();
      who.new_row_count = new_rows.size();
      expected.new_rows = new_rows;
    }
    if (with_ids) {
      who.ids = labels_of(ids_);
      expected.ids = ids_;
    }
    const abut_bodies bodies = view_of(set_);
    int updated = 7;
    ASSERT_EQ(abut_contacts_follow(c_.get(), c_search_.get(), &bodies, nullptr, &who, &updated), 0)
        << abut_last_error();
    ASSERT_EQ(updated != 0, cpp_.follow(cpp_search_, set_.view(), expected));
    const abut_contact_arrays a = arrays_of(c_);
    expect_same(a, cpp_);
    expect_same_ended(c_, cpp_);
    remember(a, updated != 0);
  }
  [[nodiscard]] std::size_t persisted() const { return persisted_; }

 private:
  void drift() {
    const auto d = static_cast<std::size_t>(set_.dimension);
    for (std::size_t i = 0; i < set_.size(); ++i) {
      for (std::size_t k = 0; k < d; ++k) {
        const double by = rng_.uniform(-0.03, 0.03);
        set_.column[k][i] += by;
        if (set_.kind == shape::box) set_.column[d + k][i] += by;
      }
    }
  }
  std::vector<row> shuffle() {
    std::vector<row> kept = rng_.permutation(set_.size());
    kept.pop_back();
    std::vector<row> new_rows(set_.size(), ABUT_NO_ROW);
    std::vector<std::int64_t> ids;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      new_rows[kept[k]] = static_cast<row>(k);
      ids.push_back(ids_[kept[k]]);
    }
    set_ = samples::select(set_, kept);
    ids_ = ids;
    return new_rows;
  }
  // New contacts have the fresh memory and get a number; the others have theirs, which this remembers by ids.
  void remember(const abut_contact_arrays& a, bool updated) {
    auto* memory = static_cast<token*>(a.memory);
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> now;
    for (std::uint32_t slot = 0; slot < a.count; ++slot) {
      const std::pair key = std::minmax(ids_[a.firsts[slot]], ids_[a.seconds[slot]]);
      if (updated && begun(a, slot)) {
        EXPECT_EQ(numbers_.count(key), 0U);
        EXPECT_EQ(memory[slot], token{});
        memory[slot].number = cpp_.memory(slot).number = ++last_;
      } else {
        EXPECT_EQ(memory[slot].number, numbers_.at(key));
        ++persisted_;
      }
      now[key] = memory[slot].number;
    }
    numbers_ = now;
  }

  samples::random rng_;
  samples::set set_;
  std::vector<std::int64_t> ids_{};
  handle c_search_{};
  contacts_handle c_{};
  abut::search cpp_search_{};
  abut::contacts<token> cpp_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> numbers_{};
  std::uint64_t last_ = 0;
  std::size_t persisted_ = 0;
};

}  // namespace c_support
