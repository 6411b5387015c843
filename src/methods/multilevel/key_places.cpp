#include "methods/multilevel/key_places.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/sort.hpp"
#include "methods/method.hpp"

namespace abut {

namespace {

constexpr int high_bits = 11;
constexpr std::size_t block_items = 1 << 16;

}  // namespace

// Sorts by the high digit of the keys first, then each part, which fits in cache, by the rest. A part counts in the
// table itself, so that counting leaves the finished table behind.
void key_places::place(const std::vector<std::uint32_t>& keys, std::uint32_t count, int threads) {
  const int low_bits = std::max(0, bits_for(count) - high_bits);
  const std::size_t parts = ((std::size_t{count} - 1) >> low_bits) + 1;
  items_.resize(keys.size());
  order_.resize(keys.size());
  starts_.resize(std::size_t{count} + 1);
  starts_[0] = 0;
  split(keys, low_bits, parts, threads);
  constexpr std::size_t parts_per_task = 16;
  parallel_blocks(threads, parts, parts_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t part = from; part < to; ++part) place_part(part, low_bits, count);
  });
}

void key_places::split(const std::vector<std::uint32_t>& keys, int low_bits, std::size_t parts, int threads) {
  const std::size_t blocks = (keys.size() + block_items - 1) / block_items;
  counters_.assign(blocks * parts, 0);
  parallel_blocks(threads, keys.size(), block_items, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::uint32_t* const mine = counters_.data() + b * parts;
    for (std::size_t i = from; i < to; ++i) ++mine[keys[i] >> low_bits];
  });
  part_begin_.resize(parts + 1);
  std::uint32_t start = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    part_begin_[part] = start;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint32_t n = counters_[b * parts + part];
      counters_[b * parts + part] = start;
      start += n;
    }
  }
  part_begin_[parts] = start;
  parallel_blocks(threads, keys.size(), block_items, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::uint32_t* const mine = counters_.data() + b * parts;
    for (std::size_t i = from; i < to; ++i) items_[mine[keys[i] >> low_bits]++] = {keys[i], static_cast<row>(i)};
  });
}

void key_places::place_part(std::size_t part, int low_bits, std::uint32_t count) {
  const item* const begin = items_.data() + part_begin_[part];
  const item* const end = items_.data() + part_begin_[part + 1];
  const std::size_t first = part << low_bits;
  const std::size_t last = std::min<std::size_t>(count, (part + 1) << low_bits);
  std::uint32_t* const ends = starts_.data() + 1;  // the end of a key is where the next one starts
  std::fill(ends + first, ends + last, 0);
  for (const item* i = begin; i < end; ++i) ++ends[i->key];
  std::uint32_t start = part_begin_[part];
  for (std::size_t key = first; key < last; ++key) {
    const std::uint32_t n = ends[key];
    ends[key] = start;
    start += n;
  }
  for (const item* i = begin; i < end; ++i) order_[ends[i->key]++] = i->thing;
}

std::size_t key_places::bytes() const {
  return items_.capacity() * sizeof(item) + bytes_of(part_begin_) + bytes_of(counters_) + bytes_of(order_) +
         bytes_of(starts_);
}

}  // namespace abut
