#include "contacts/slots.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t most_parts = 128;
constexpr std::size_t rows_per_task = 4096;

// Turns counts by part and bucket into the places at which each part's items of a bucket go: all items of a bucket
// together, in the order of parts. Writes where each bucket begins, and the end.
void make_places(std::vector<std::uint32_t>& counts, std::size_t parts, std::size_t buckets,
                 std::vector<std::uint32_t>& begins) {
  begins.assign(buckets + 1, 0);
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
}

// Sorts a few items by distinct keys, which `key` gives. Returns the first of two items with the same key, or null.
template <class T, class Key>
const T* sort_by(T* first, T* last, Key&& key) {
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
    if (key(at[0]) == key(at[1])) return at;
  }
  return nullptr;
}

// Sorts a few rows. Most bodies have at most six contacts: these are sorted without branches that nobody can predict.
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
    case 5:
      order(0, 3), order(1, 4), order(0, 2), order(1, 3), order(0, 1), order(2, 4), order(1, 2), order(3, 4),
          order(2, 3);
      return;
    case 6:
      order(0, 5), order(1, 3), order(2, 4), order(1, 2), order(3, 4), order(0, 3), order(2, 5), order(0, 1),
          order(2, 3), order(4, 5), order(1, 2), order(3, 4);
      return;
    default:
      sort_by(at, at + count, [](row i) { return i; });
  }
}

void sort_by_ids(row* first, row* last, const std::int64_t* ids) {
  const row* const twice = sort_by(first, last, [ids](row i) { return ids[i]; });
  if (twice != nullptr) same_ids(twice[0], twice[1], ids[twice[0]]);
}

}  // namespace

void same_ids(row a, row b, std::int64_t id) {
  if (a > b) std::swap(a, b);
  throw error("rows " + std::to_string(a) + " and " + std::to_string(b) + " both have the id " + std::to_string(id) +
                  ": give each body an id of its own",
              b);
}

void check_size(std::size_t contacts) {
  if (contacts < std::numeric_limits<std::uint32_t>::max()) return;
  throw error("there are " + std::to_string(contacts) +
              " contacts; a list takes at most 4294967294: make the skin smaller");
}

void own_slots::make(std::size_t slots_count, std::size_t rows_count) {
  size = slots_count;
  rows = rows_count;
  make_with_room(offsets, rows + 1);
  make_with_room(seconds, size + readable_beyond);
  offsets[0] = 0;
  std::fill_n(seconds.data() + size, readable_beyond, no_row);
}

void slots::write_firsts(int threads) {
  parallel_blocks(threads, rows, rows_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      std::fill(firsts.data() + offsets[i], firsts.data() + offsets[i + 1], static_cast<row>(i));
    }
  });
}

void slot_sorter::start(std::size_t rows, std::size_t other_rows, int threads) {
  found_.start(rows, threads);
  others_ = row_buckets(other_rows);
  const std::size_t buckets = found_.by().size;
  const std::size_t split = std::min(buckets, most_parts);
  part_begins_.assign(1, 0);
  for (std::size_t p = 1; p <= split; ++p) part_begins_.push_back(buckets * p / split);
}

std::size_t slot_sorter::count() {
  const std::size_t buckets = found_.by().size;
  begins_.assign(buckets + 1, 0);
  std::size_t sum = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    sum += found_.count(b);
    begins_[b + 1] = static_cast<std::uint32_t>(sum);
  }
  check_size(sum);
  return sum;
}

void slot_sorter::sort(const std::int64_t* ids, int threads, own_slots& out, row* firsts, const rows_sorted& done) {
  const row_buckets& by = found_.by();
  out.make(begins_.back(), by.rows);
  counts_.assign(parts() * others_.size, 0);
  parallel_for(threads, parts(), [&](std::size_t part) {
    std::vector<std::uint32_t> at;
    for (std::size_t b = part_begins_[part]; b < part_begins_[part + 1]; ++b) {
      sort_bucket(b, ids, out, firsts, at);
      count_seconds(part, b, out.seconds.data());
      done({part, by.begin(b), by.begin(b + 1), begins_[b]});
    }
  });
}

void slot_sorter::take(const own_slots& made, int threads) {
  counts_.assign(parts() * others_.size, 0);
  parallel_for(threads, parts(), [&](std::size_t part) {
    for (std::size_t b = part_begins_[part]; b < part_begins_[part + 1]; ++b) {
      count_seconds(part, b, made.seconds.data());
    }
  });
}

void slot_sorter::count_seconds(std::size_t part, std::size_t bucket, const row* seconds) {
  std::uint32_t* const counts = counts_.data() + part * others_.size;
  for (std::uint32_t s = begins_[bucket]; s < begins_[bucket + 1]; ++s) ++counts[seconds[s] >> others_.shift];
}

void slot_sorter::sort_bucket(std::size_t bucket, const std::int64_t* ids, own_slots& out, row* firsts,
                              std::vector<std::uint32_t>& at) const {
  const std::size_t from = found_.by().begin(bucket);
  const std::size_t rows = found_.by().begin(bucket + 1) - from;
  at.assign(rows + 1, 0);
  std::uint32_t* const next = at.data();
  found_.for_each_chunk(bucket, [&](const role_pair* p, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) ++next[p[k].first - from + 1];
  });
  next[0] = begins_[bucket];
  std::uint32_t* const ends = out.offsets.data() + from + 1;
  for (std::size_t i = 0; i < rows; ++i) ends[i] = next[i + 1] += next[i];
  row* const seconds = out.seconds.data();
  found_.for_each_chunk(bucket, [&](const role_pair* p, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t slot = next[p[k].first - from]++;
      seconds[slot] = p[k].second;
      firsts[slot] = p[k].first;
    }
  });
  std::uint32_t first = begins_[bucket];
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t last = next[i];
    if (ids == nullptr) {
      sort_rows(seconds + first, last - first);
    } else {
      sort_by_ids(seconds + first, seconds + last, ids);
    }
    first = last;
  }
}

// The slots of one part are contiguous, and by ascending row of the first body.
void slot_sorter::deal_back(const std::int64_t* ids, int threads, const own_slots& of, const row* firsts) {
  make_places(counts_, parts(), others_.size, back_begins_);
  dealt_ = found_.scratch(of.size);
  const row* const seconds = of.seconds.data();
  parallel_for(threads, parts(), [&](std::size_t part) {
    std::uint32_t* const at = counts_.data() + part * others_.size;
    const std::uint32_t end = begins_[part_begins_[part + 1]];
    for (std::uint32_t s = begins_[part_begins_[part]]; s < end; ++s) {
      dealt_[at[seconds[s] >> others_.shift]++] = {seconds[s], s};
    }
  });
  counts_ = {};
  if (ids == nullptr) return;  // by ascending slot, and so by ascending row
  parallel_for(threads, others_.size, [&](std::size_t b) { order_bucket(b, ids, firsts); });
}

// Sorts a bucket by ids of first bodies. This keeps no order of second bodies: write_bucket does.
void slot_sorter::order_bucket(std::size_t bucket, const std::int64_t* ids, const row* firsts) const {
  const std::size_t from = others_.begin(bucket);
  const std::size_t rows = others_.begin(bucket + 1) - from;
  seen_back* const first = dealt_ + back_begins_[bucket];
  const std::vector<seen_back> unsorted(first, dealt_ + back_begins_[bucket + 1]);
  std::vector<std::uint32_t> at(rows + 1);
  for (const seen_back& s : unsorted) ++at[s.first - from + 1];
  for (std::size_t j = 0; j < rows; ++j) at[j + 1] += at[j];
  for (const seen_back& s : unsorted) first[at[s.first - from]++] = s;
  std::uint32_t begin = 0;
  for (std::size_t j = 0; j < rows; ++j) {
    const auto first_of = [&](const seen_back& s) { return firsts[s.second]; };
    const seen_back* const twice =
        sort_by(first + begin, first + at[j], [&](const seen_back& s) { return ids[first_of(s)]; });
    if (twice != nullptr) same_ids(first_of(twice[0]), first_of(twice[1]), ids[first_of(twice[0])]);
    begin = at[j];
  }
}

void slot_sorter::write_back(int threads, std::uint32_t* back_offsets, std::uint32_t* back) const {
  back_offsets[others_.rows] = back_begins_.back();
  parallel_for(threads, others_.size, [&](std::size_t b) { write_bucket(b, back_offsets, back); });
}

void slot_sorter::write_bucket(std::size_t bucket, std::uint32_t* back_offsets, std::uint32_t* back) const {
  const std::size_t from = others_.begin(bucket);
  const std::size_t rows = others_.begin(bucket + 1) - from;
  const seen_back* const begin = dealt_ + back_begins_[bucket];
  const seen_back* const end = dealt_ + back_begins_[bucket + 1];
  std::vector<std::uint32_t> at(rows + 1);
  std::uint32_t* const next = at.data();
  for (const seen_back* s = begin; s < end; ++s) ++next[s->first - from + 1];
  next[0] = back_begins_[bucket];
  for (std::size_t j = 0; j < rows; ++j) {
    back_offsets[from + j] = next[j];
    next[j + 1] += next[j];
  }
  for (const seen_back* s = begin; s < end; ++s) back[next[s->first - from]++] = s->second;
}

std::size_t slot_sorter::bytes() const {
  return found_.bytes() + bytes_of(counts_) + bytes_of(begins_) + bytes_of(back_begins_);
}

}  // namespace abut
