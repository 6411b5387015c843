#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/search.hpp>

#include "base/memory.hpp"

namespace abut {

/// Makes room for `count` elements, and if the array has to grow, for some more: lists grow a little from time to time.
template <class T>
void make_with_room(buffer<T>& b, std::size_t count) {
  if (count > b.capacity()) b.make(count + count / 16);
}

/// A pair with its roles: the first body and the second.
struct role_pair {
  row first;
  row second;
};

/// Pairs in compressed form, from both sides; see `contact_list` for the order.
struct slots {
  std::size_t size = 0;
  std::size_t rows = 0;        ///< of first bodies
  std::size_t other_rows = 0;  ///< of second bodies
  buffer<std::uint32_t> offsets{};
  buffer<row> firsts{};
  buffer<row> seconds{};
  buffer<std::uint32_t> back_offsets{};
  buffer<std::uint32_t> back{};

  [[nodiscard]] std::size_t bytes() const {
    return offsets.bytes() + firsts.bytes() + seconds.bytes() + back_offsets.bytes() + back.bytes();
  }
};

/// The ids by which contacts are ordered: ids[row], or the rows themselves if null.
struct id_columns {
  const std::int64_t* of_first = nullptr;
  const std::int64_t* of_second = nullptr;
};

/// Sorts pairs into slots, in parallel and in two steps, so that what is written at a time fits into the cache: first
/// into buckets of rows, then by rows within each bucket.
///
/// Usage: `start`, then `add` for each task's pairs (a task's by one thread at a time), then `finish`.
class slot_sorter {
 public:
  /// Prepares for pairs of `tasks` tasks. `expected` is a guess of their number.
  void start(std::size_t tasks, std::size_t rows, std::size_t other_rows, std::size_t expected);
  /// Adds `count` pairs, the k-th of which is `get(k)`; those for which `keep(p)` is false are left out.
  template <class Get, class Keep>
  void add(std::size_t task, std::size_t count, Get&& get, Keep&& keep) {
    std::vector<role_pair>& all = found_[task];
    const std::size_t before = all.size();
    all.resize(before + count);
    role_pair* to = all.data() + before;
    std::uint32_t* const counts = counts_.data() + task * buckets_;
    for (std::size_t k = 0; k < count; ++k) {
      const role_pair p = get(k);
      if (!keep(p)) continue;
      *to++ = p;
      ++counts[p.first >> shift_];
    }
    all.resize(static_cast<std::size_t>(to - all.data()));
  }
  /// Sorts what was added into `out`. Throws `error` if two second bodies of one first body, or two first bodies of one
  /// second body, have the same id, and if there are too many pairs for 32 bits.
  void finish(const id_columns& ids, int threads, slots& out);
  [[nodiscard]] std::size_t bytes() const;

 private:
  void deal(int threads);
  void sort_bucket(std::size_t bucket, const std::int64_t* id, slots& out) const;
  void deal_back(int threads, const slots& out);
  void sort_back_bucket(std::size_t bucket, const std::int64_t* id, slots& out) const;

  std::vector<std::vector<role_pair>> found_;  // by task
  std::size_t rows_ = 0;
  std::size_t other_rows_ = 0;
  std::size_t buckets_ = 0;
  std::size_t other_buckets_ = 0;
  unsigned shift_ = 0;  // a row's bucket is row >> shift
  unsigned other_shift_ = 0;
  std::vector<std::uint32_t> counts_;  // by task and bucket; then where that task's pairs of the bucket go
  std::vector<std::uint32_t> begins_;  // of each bucket, in dealt_
  std::vector<std::uint32_t> back_begins_;
  buffer<role_pair> dealt_;  // the pairs by bucket; then (second, slot) by bucket of the second
};

}  // namespace abut
