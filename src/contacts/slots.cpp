#include "contacts/slots.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "base/parallel.hpp"

namespace abut {

namespace {

// Few enough buckets that all of them can be written to at a time, and few enough rows in each.
constexpr unsigned most_buckets_bits = 9;
constexpr unsigned least_rows_bits = 8;

unsigned shift_for(std::size_t rows) {
  const auto bits = static_cast<unsigned>(std::bit_width(rows));
  return std::max(least_rows_bits, bits > most_buckets_bits ? bits - most_buckets_bits : 0U);
}

std::size_t buckets_for(std::size_t rows, unsigned shift) { return rows == 0 ? 0 : ((rows - 1) >> shift) + 1; }

// Turns counts by part and bucket into the places at which each part's items of a bucket go: all items of a bucket
// together, in the order of parts. Returns where each bucket begins, and the end.
std::vector<std::uint32_t> places_of(std::vector<std::uint32_t>& counts, std::size_t parts, std::size_t buckets) {
  std::vector<std::uint32_t> begins(buckets + 1);
  for (std::size_t p = 0; p < parts; ++p) {
    for (std::size_t b = 0; b < buckets; ++b) begins[b + 1] += counts[p * buckets + b];
  }
  for (std::size_t b = 0; b < buckets; ++b) begins[b + 1] += begins[b];
  std::vector<std::uint32_t> at(begins.begin(), begins.end() - 1);
  for (std::size_t p = 0; p < parts; ++p) {
    for (std::size_t b = 0; b < buckets; ++b) {
      const std::uint32_t count = counts[p * buckets + b];
      counts[p * buckets + b] = at[b];
      at[b] += count;
    }
  }
  return begins;
}

// Sorts a few items by distinct keys, which `key` gives. Returns whether two keys are the same.
template <class T, class Key>
bool sort_by(T* first, T* last, Key&& key) {
  if (last - first > 32) {
    std::sort(first, last, [&](const T& a, const T& b) { return key(a) < key(b); });
  } else {
    for (T* at = first + 1; at < last; ++at) {
      const T item = *at;
      const auto k = key(item);
      T* to = at;
      for (; to > first && k < key(to[-1]); --to) *to = to[-1];
      *to = item;
    }
  }
  for (T* at = first; at + 1 < last; ++at) {
    if (key(at[0]) == key(at[1])) return true;
  }
  return false;
}

// Sorts a few rows. Most bodies have two to four contacts: these are sorted without branches that nobody can predict.
void sort_rows(row* at, std::uint32_t count) {
  const auto order = [at](std::uint32_t a, std::uint32_t b) {
    const row lower = std::min(at[a], at[b]);
    at[b] = std::max(at[a], at[b]);
    at[a] = lower;
  };
  switch (count) {
    case 0:
    case 1:
      return;
    case 2:
      return order(0, 1);
    case 3:
      order(0, 1), order(1, 2), order(0, 1);
      return;
    case 4:
      order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
      return;
    default:
      sort_by(at, at + count, [](row i) { return i; });
  }
}

[[noreturn]] void same_ids(row a, row b, std::int64_t id) {
  throw error("rows " + std::to_string(a) + " and " + std::to_string(b) + " both have the id " + std::to_string(id) +
                  ": give each body an id of its own",
              b);
}

// Throws `error` if two rows have the same id.
void sort_by_ids(row* first, row* last, const std::int64_t* id) {
  const auto key = [id](row i) { return id[i]; };
  if (!sort_by(first, last, key)) return;
  const row* const twice = std::adjacent_find(first, last, [&](row a, row b) { return key(a) == key(b); });
  same_ids(twice[0], twice[1], key(twice[0]));
}

}  // namespace

void slot_sorter::start(std::size_t tasks, std::size_t rows, std::size_t other_rows, std::size_t expected) {
  rows_ = rows;
  other_rows_ = other_rows;
  shift_ = shift_for(rows);
  other_shift_ = shift_for(other_rows);
  buckets_ = buckets_for(rows, shift_);
  other_buckets_ = buckets_for(other_rows, other_shift_);
  found_.resize(tasks);
  for (auto& of_task : found_) {
    of_task.clear();
    of_task.reserve(expected / std::max<std::size_t>(tasks, 1));
  }
  counts_.assign(tasks * buckets_, 0);
}

void slot_sorter::finish(const id_columns& ids, int threads, slots& out) {
  std::size_t size = 0;
  for (const auto& of_task : found_) size += of_task.size();
  if (size >= std::numeric_limits<std::uint32_t>::max()) {
    throw error("there are " + std::to_string(size) +
                " contacts; a list takes at most 4294967294: make the skin smaller");
  }
  out.size = size;
  out.rows = rows_;
  out.other_rows = other_rows_;
  make_with_room(dealt_, size);
  deal(threads);
  make_with_room(out.offsets, rows_ + 1);
  make_with_room(out.firsts, size);
  make_with_room(out.seconds, size);
  out.offsets[rows_] = static_cast<std::uint32_t>(size);
  parallel_for(threads, buckets_, [&](std::size_t b) { sort_bucket(b, ids.of_second, out); });
  deal_back(threads, out);
  make_with_room(out.back_offsets, other_rows_ + 1);
  make_with_room(out.back, size);
  out.back_offsets[other_rows_] = static_cast<std::uint32_t>(size);
  parallel_for(threads, other_buckets_, [&](std::size_t b) { sort_back_bucket(b, ids.of_first, out); });
}

void slot_sorter::deal(int threads) {
  begins_ = places_of(counts_, found_.size(), buckets_);
  parallel_for(threads, found_.size(), [&](std::size_t task) {
    std::uint32_t* const at = counts_.data() + task * buckets_;
    role_pair* const to = dealt_.data();
    for (const role_pair& p : found_[task]) to[at[p.first >> shift_]++] = p;
  });
}

void slot_sorter::sort_bucket(std::size_t bucket, const std::int64_t* id, slots& out) const {
  const std::size_t from = bucket << shift_;
  const std::size_t to = std::min(rows_, (bucket + 1) << shift_);
  const std::uint32_t begin = begins_[bucket];
  const std::uint32_t end = begins_[bucket + 1];
  std::uint32_t* const offsets = out.offsets.data();
  std::vector<std::uint32_t> at(to - from + 1);
  for (std::uint32_t k = begin; k < end; ++k) ++at[dealt_[k].first - from + 1];
  at[0] = begin;
  for (std::size_t i = from; i < to; ++i) {
    offsets[i] = at[i - from];
    at[i - from + 1] += at[i - from];
  }
  row* const seconds = out.seconds.data();
  const role_pair* const dealt = dealt_.data();
  std::uint32_t* const next = at.data();
  row* const firsts = out.firsts.data();
  for (std::uint32_t k = begin; k < end; ++k) {
    const std::uint32_t slot = next[dealt[k].first - from]++;
    seconds[slot] = dealt[k].second;
    firsts[slot] = dealt[k].first;
  }
  std::uint32_t first = begin;
  for (std::size_t i = 0; i < to - from; ++i) {
    const std::uint32_t last = next[i];
    if (id == nullptr) {
      sort_rows(seconds + first, last - first);
    } else {
      sort_by_ids(seconds + first, seconds + last, id);
    }
    first = last;
  }
}

// The slots of one bucket are one part of the work: they are contiguous, and by ascending row of the first body.
void slot_sorter::deal_back(int threads, const slots& out) {
  counts_.assign(buckets_ * other_buckets_, 0);
  const row* const seconds = out.seconds.data();
  parallel_for(threads, buckets_, [&](std::size_t b) {
    std::uint32_t* const count = counts_.data() + b * other_buckets_;
    for (std::uint32_t s = begins_[b]; s < begins_[b + 1]; ++s) ++count[seconds[s] >> other_shift_];
  });
  back_begins_ = places_of(counts_, buckets_, other_buckets_);
  parallel_for(threads, buckets_, [&](std::size_t b) {
    std::uint32_t* const at = counts_.data() + b * other_buckets_;
    role_pair* const to = dealt_.data();
    for (std::uint32_t s = begins_[b]; s < begins_[b + 1]; ++s) to[at[seconds[s] >> other_shift_]++] = {seconds[s], s};
  });
}

void slot_sorter::sort_back_bucket(std::size_t bucket, const std::int64_t* id, slots& out) const {
  const std::size_t from = bucket << other_shift_;
  const std::size_t to = std::min(other_rows_, (bucket + 1) << other_shift_);
  const std::uint32_t begin = back_begins_[bucket];
  const std::uint32_t end = back_begins_[bucket + 1];
  std::vector<std::uint32_t> at(to - from + 1);
  for (std::uint32_t k = begin; k < end; ++k) ++at[dealt_[k].first - from + 1];
  at[0] = begin;
  for (std::size_t j = from; j < to; ++j) {
    out.back_offsets[j] = at[j - from];
    at[j - from + 1] += at[j - from];
  }
  for (std::uint32_t k = begin; k < end; ++k) out.back[at[dealt_[k].first - from]++] = dealt_[k].second;
  if (id == nullptr) return;  // by ascending slot, and so by ascending row
  std::uint32_t first = begin;
  for (std::size_t j = from; j < to; ++j) {
    const std::uint32_t last = at[j - from];
    std::uint32_t* const back = out.back.data();
    const auto key = [&](std::uint32_t slot) { return id[out.firsts[slot]]; };
    if (sort_by(back + first, back + last, key)) {
      const std::uint32_t* const twice = std::adjacent_find(
          back + first, back + last, [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); });
      same_ids(out.firsts[twice[0]], out.firsts[twice[1]], key(twice[0]));
    }
    first = last;
  }
}

std::size_t slot_sorter::bytes() const {
  std::size_t sum = bytes_of(counts_) + bytes_of(begins_) + bytes_of(back_begins_) + dealt_.bytes();
  for (const auto& of_task : found_) sum += bytes_of(of_task);
  return sum;
}

}  // namespace abut
