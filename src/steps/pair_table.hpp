#pragma once

#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/memory.hpp"

namespace abut {

/// A set of pairs: an array without gaps, and an index to look pairs up. The order depends only on the operations so
/// far.
class pair_table {
 public:
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] const pair& operator[](std::size_t at) const { return pairs_[at]; }
  [[nodiscard]] bool contains(pair p) const { return !index_.empty() && index_[slot_of(p)] != free; }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(pairs_) + bytes_of(index_); }

  /// Replaces the pairs by these, which are distinct.
  void assign(std::vector<pair> pairs) {
    pairs_ = std::move(pairs);
    make_index();
  }

  /// Adds a pair. Returns whether it is new.
  bool add(pair p) {
    if (2 * (pairs_.size() + 1) > index_.size()) make_index();
    const std::size_t slot = slot_of(p);
    if (index_[slot] != free) return false;
    index_[slot] = static_cast<std::uint32_t>(pairs_.size());
    // Grows by an eighth, not twofold: a table hardly grows from update to update.
    if (pairs_.size() == pairs_.capacity()) pairs_.reserve(pairs_.size() + pairs_.size() / 8 + 16);
    pairs_.push_back(p);
    return true;
  }

  /// Removes a pair; the last one takes its place. Returns whether it was there.
  bool remove(pair p) {
    if (!contains(p)) return false;
    const std::size_t slot = slot_of(p);
    const std::uint32_t at = index_[slot];
    index_[slot_of(pairs_.back())] = at;
    pairs_[at] = pairs_.back();
    pairs_.pop_back();
    close_gap(slot);
    return true;
  }

  /// Replaces every row i by `map[i]`; removes pairs with a row that maps to `no_row`.
  void rename(std::span<const row> map) {
    std::vector<pair> changed;
    for (const pair& p : pairs_) {
      if (map[p.i] != p.i || map[p.j] != p.j) changed.push_back(p);
    }
    if (changed.size() > pairs_.size() / 4) {  // rebuilding the index is faster
      std::vector<pair> all;
      all.reserve(pairs_.size());
      for (pair p : pairs_) {
        if (renamed(p, map)) all.push_back(p);
      }
      assign(std::move(all));
      return;
    }
    for (const pair& p : changed) remove(p);
    for (pair p : changed) {
      if (renamed(p, map)) add(p);
    }
  }

 private:
  static constexpr std::uint32_t free = 0xffff'ffffU;

  // Gives a pair its new rows. Returns whether both rows still exist.
  static bool renamed(pair& p, std::span<const row> map) {
    const row i = map[p.i];
    const row j = map[p.j];
    p = i < j ? pair{i, j} : pair{j, i};
    return i != no_row && j != no_row;
  }

  [[nodiscard]] std::size_t home(pair p) const {
    return static_cast<std::size_t>(((std::uint64_t{p.i} << 32 | p.j) * 0x9e37'79b9'7f4a'7c15U) >> shift_);
  }

  // The slot of the pair in the index or, if it is not there, the slot where it would go: the first that matches or is
  // free, from its home on.
  [[nodiscard]] std::size_t slot_of(pair p) const {
    const std::size_t mask = index_.size() - 1;
    std::size_t slot = home(p);
    while (index_[slot] != free && pairs_[index_[slot]] != p) slot = (slot + 1) & mask;
    return slot;
  }

  // Frees a slot. Entries behind it, up to the next free slot, move forward if their home allows it, so that `slot_of`
  // never meets a free slot on the way.
  void close_gap(std::size_t gap) {
    const std::size_t mask = index_.size() - 1;
    for (std::size_t slot = (gap + 1) & mask; index_[slot] != free; slot = (slot + 1) & mask) {
      const std::size_t way = (slot - home(pairs_[index_[slot]])) & mask;
      if (way < ((slot - gap) & mask)) continue;
      index_[gap] = index_[slot];
      gap = slot;
    }
    index_[gap] = free;
  }

  void make_index() {
    if (pairs_.size() >= std::size_t{free} / 4 * 3) throw std::bad_alloc();  // the index counts in 32 bits
    int bits = 4;
    while ((std::size_t{1} << bits) < 3 * pairs_.size()) ++bits;
    shift_ = 64 - bits;
    index_.assign(std::size_t{1} << bits, free);
    for (std::size_t at = 0; at < pairs_.size(); ++at) index_[slot_of(pairs_[at])] = static_cast<std::uint32_t>(at);
  }

  std::vector<pair> pairs_;
  std::vector<std::uint32_t> index_;  // places in `pairs_`, by hash; at most half of the slots are used
  int shift_ = 64;
};

}  // namespace abut
