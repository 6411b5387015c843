#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"

namespace abut {

/// Elements of an array that stay side by side while others come and go: [from, from + count) before, [to, to + count)
/// after.
struct run {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t count;
};

/// Makes the runs of a stretch of an array from its changes, which are told in ascending order of their places.
class run_maker {
 public:
  /// The stretch begins at `from`, and after the changes at 0.
  explicit run_maker(std::uint32_t from = 0) : from_(from) {}

  void remove(std::uint32_t place) {
    close(place);
    from_ = place + 1;
  }
  /// An element comes before the one at `place`. Returns where it is after the changes.
  [[nodiscard]] std::uint32_t insert(std::uint32_t place) {
    close(place);
    return to_++;
  }
  /// The stretch ends at `end`. Returns where it ends after the changes.
  std::uint32_t finish(std::uint32_t end) {
    close(end);
    return to_;
  }
  [[nodiscard]] const std::vector<run>& runs() const { return runs_; }

 private:
  void close(std::uint32_t end) {
    if (end == from_) return;
    runs_.push_back({from_, to_, end - from_});
    to_ += end - from_;
    from_ = end;
  }

  std::vector<run> runs_;
  std::uint32_t from_;
  std::uint32_t to_ = 0;
};

/// Tells where the elements of runs are after the changes: a table that stays in the cache, for many questions in
/// any order.
class new_places {
 public:
  /// Runs of an array of `size` elements, in order; they must outlive this.
  new_places(std::span<const run> runs, std::size_t size, int threads);

  /// Asks for what `of(place)` will read.
  void ask_for_place(std::uint32_t place) const { ask_for(blocks_.data(), place / block_size); }
  /// Where element `place` is. Any number if it is in no run.
  [[nodiscard]] std::uint32_t of(std::uint32_t place) const {
    const block& b = blocks_[place / block_size];
    if (b.changes == too_many) return search(place, b.shift);
    // Bytes side by side, without a branch, which would be mispredicted: those of changes at or before the place have
    // a 1 in `passed`.
    constexpr std::uint32_t ones = 0x01010101;
    const std::uint32_t at = place % block_size * ones | 128 * ones;
    const std::uint32_t passed = ((at - (b.changes >> 1U & 127 * ones)) >> 7U) & ones;
    const std::uint32_t down = passed & b.changes;
    return place + b.shift + (passed * ones >> 24U) - 2 * (down * ones >> 24U);
  }

 private:
  static constexpr std::uint32_t block_size = 64;
  static constexpr std::uint32_t too_many = 0;

  // By how much elements are shifted (modulo 2^32) at the start of the block, and up to four places from which on it is
  // one more or one less. A byte for each of those: twice the place, and 1 if it is one less. If there are others, the
  // number of the first run that ends in the block or later, instead of the shift.
  struct block {
    std::uint32_t shift;
    std::uint32_t changes;
  };

  [[nodiscard]] block block_of(const run* first, std::uint32_t begin) const;
  [[nodiscard]] std::uint32_t search(std::uint32_t place, std::uint32_t first_run) const;

  std::span<const run> runs_;
  std::vector<block> blocks_;
};

/// Moves the elements of arrays as runs say, in parallel and in place.
class run_mover {
 public:
  /// Runs in order, which must outlive this; elements take up to `most_bytes` bytes.
  run_mover(std::span<const run> runs, int threads, std::size_t most_bytes);

  /// Moves elements of `bytes` bytes each from one array to another, or within one. Throws nothing.
  void move(const void* from, void* to, std::size_t bytes);

 private:
  // Some runs, which are moved by one thread. Other groups may write over elements before `low` and from `high` on, so
  // those are put aside first.
  struct group {
    std::size_t first_run;
    std::size_t last_run;
    std::uint32_t begin;
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t end;
    std::size_t aside;  // how many elements earlier groups have put aside
  };

  void make_groups(std::size_t count);
  void put_aside(const group& g, const std::byte* all, std::size_t bytes);
  void move_rest(const group& g, std::byte* all, std::size_t bytes) const;
  void take_back(const group& g, std::byte* all, std::size_t bytes) const;

  std::span<const run> runs_;
  int threads_;
  std::vector<group> groups_;
  buffer<std::byte> aside_;
};

}  // namespace abut
