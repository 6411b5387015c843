#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <abut/search.hpp>

#include "base/memory.hpp"
#include "contacts/pair_buckets.hpp"

namespace abut {

/// Makes room for `count` elements, and if the array has to grow, for some more: lists grow a little from time to time.
template <class T>
void make_with_room(buffer<T>& b, std::size_t count) {
  if (count > b.capacity()) b.make(count + count / 64);
}

/// An array that is written anew: in place, or in a new one if that is too small, in which case the old one stays as it
/// is until `accept`.
template <class T>
class rewritten {
 public:
  rewritten(buffer<T>& old, std::size_t count) : old_(old) {
    if (count > old.capacity()) make_with_room(grown_, count);
  }
  [[nodiscard]] bool in_place() const { return grown_.capacity() == 0; }
  [[nodiscard]] T* data() { return in_place() ? old_.data() : grown_.data(); }
  void accept() {
    if (!in_place()) std::swap(old_, grown_);
  }

 private:
  buffer<T>& old_;
  buffer<T> grown_;
};

/// Slots by first body: those of row i are [offsets[i], offsets[i + 1]).
struct own_slots {
  std::size_t size = 0;
  std::size_t rows = 0;  ///< of first bodies
  buffer<std::uint32_t> offsets{};
  buffer<row> seconds{};

  /// The number of elements beyond the end of `seconds` that can be read.
  static constexpr std::uint32_t readable_beyond = 8;
  /// Makes room for other slots.
  void make(std::size_t slots_count, std::size_t rows_count);
  [[nodiscard]] std::size_t bytes() const { return offsets.bytes() + seconds.bytes(); }
};

/// Pairs in compressed form, from both sides; see `contact_list` for the order.
struct slots : own_slots {
  std::size_t other_rows = 0;  ///< of second bodies
  buffer<row> firsts{};
  buffer<std::uint32_t> back_offsets{};
  buffer<std::uint32_t> back{};

  /// Makes `firsts`, for which there is room, from the offsets.
  void write_firsts(int threads);
  [[nodiscard]] std::size_t bytes() const {
    return own_slots::bytes() + firsts.bytes() + back_offsets.bytes() + back.bytes();
  }
};

/// The ids by which contacts are ordered: ids[row], or the rows themselves if null.
struct id_columns {
  const std::int64_t* of_first = nullptr;
  const std::int64_t* of_second = nullptr;
};

/// Throws `error`: two rows have the same id.
[[noreturn]] void same_ids(row a, row b, std::int64_t id);

/// Throws `error` if this is more contacts than a list can have.
void check_size(std::size_t contacts);

/// Rows [from, to) of first bodies, which belong to a part of the work; the slots of row `from` begin at `slot`. A
/// part's rows come in order, on one thread. Of all offsets, only offsets[from + 1] to offsets[to] can be read.
struct some_rows {
  std::size_t part;
  std::size_t from;
  std::size_t to;
  std::uint32_t slot;
};

/// Sorts pairs into slots, in parallel and in two steps, so that what is written at a time fits into the cache: first
/// into buckets of rows, then by rows within each bucket. The same for `back`.
///
/// Usage: `start`, then `add` from any thread, then `count`, `sort`, `deal_back` and `write_back`.
class slot_sorter {
 public:
  /// Prepares for pairs that up to `threads` threads add at a time.
  void start(std::size_t rows, std::size_t other_rows, int threads);
  /// As `pair_buckets::add`.
  template <class Get, class Keep>
  void add(std::size_t count, Get&& get, Keep&& keep) {
    found_.add(count, get, keep);
  }
  /// The number of pairs that were added. Throws `error` if there are too many for 32 bits.
  [[nodiscard]] std::size_t count();
  [[nodiscard]] std::size_t other_rows() const { return others_.rows; }
  /// What was added, until `deal_back`.
  [[nodiscard]] const pair_buckets& found() const { return found_; }
  /// The number of parts into which `sort` splits its work, each of consecutive rows.
  [[nodiscard]] std::size_t parts() const { return part_begins_.size() - 1; }

  /// Is told about rows that are sorted.
  using rows_sorted = std::function<void(const some_rows&)>;
  /// Sorts what was added into `out`, by rows and then by `ids` of second bodies (null: by rows), and writes each
  /// slot's first body to `firsts`. Throws `error` if two second bodies of one first body have the same id.
  void sort(const std::int64_t* ids, int threads, own_slots& out, row* firsts, const rows_sorted& done);

  /// Takes slots that were made elsewhere from the same pairs, instead of `sort`.
  void take(const own_slots& made, int threads);

  /// Sorts what `sort` has made by buckets of the second body, and within them by `ids` of first bodies (null: by
  /// slots). Throws `error` if two first bodies of one second body have the same id.
  void deal_back(const std::int64_t* ids, int threads, const own_slots& of, const row* firsts);
  /// Writes the slots by second body, for which there is room. Throws nothing but what the system does.
  void write_back(int threads, std::uint32_t* back_offsets, std::uint32_t* back) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  // A slot on its way to its second body.
  using seen_back = role_pair;  // the second body, the slot

  void sort_bucket(std::size_t bucket, const std::int64_t* ids, own_slots& out, row* firsts,
                   std::vector<std::uint32_t>& at) const;
  void count_seconds(std::size_t part, std::size_t bucket, const row* seconds);
  void order_bucket(std::size_t bucket, const std::int64_t* ids, const row* firsts) const;
  void write_bucket(std::size_t bucket, std::uint32_t* back_offsets, std::uint32_t* back) const;

  pair_buckets found_;
  row_buckets others_;
  std::vector<std::uint32_t> begins_;       // of each bucket: its first slot; and the end
  std::vector<std::size_t> part_begins_;    // of each part: its first bucket; and the end
  std::vector<std::uint32_t> counts_;       // by part and bucket of second bodies; then where these slots go in dealt_
  std::vector<std::uint32_t> back_begins_;  // of each bucket of second bodies, in dealt_; and the end
  seen_back* dealt_ = nullptr;              // all slots by bucket of the second body: memory of found_
};

}  // namespace abut
