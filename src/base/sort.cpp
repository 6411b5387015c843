#include "base/sort.hpp"

#include <algorithm>
#include <bit>

#include "base/memory.hpp"
#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr std::size_t block_items = 1 << 16;

// Sorts by one digit: counts the digits of each block, turns the counts into starts (by digit, then by block, which
// keeps equal keys in order), and calls `move(from, to)` for each item.
template <class Key, class Move>
void pass(std::size_t count, int threads, std::vector<std::uint32_t>& counters, Key&& digit_of, Move&& move) {
  const std::size_t blocks = (count + block_items - 1) / block_items;
  counters.assign(blocks * digits, 0);
  parallel_blocks(threads, count, block_items, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::uint32_t* mine = counters.data() + b * digits;
    for (std::size_t i = from; i < to; ++i) ++mine[digit_of(i)];
  });
  std::uint32_t start = 0;
  for (std::size_t d = 0; d < digits; ++d) {
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint32_t n = counters[b * digits + d];
      counters[b * digits + d] = start;
      start += n;
    }
  }
  parallel_blocks(threads, count, block_items, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::uint32_t* mine = counters.data() + b * digits;
    for (std::size_t i = from; i < to; ++i) move(i, mine[digit_of(i)]++);
  });
}

std::size_t digit(std::uint64_t key, int shift) { return static_cast<std::size_t>(key >> shift) & (digits - 1); }

}  // namespace

int bits_for(std::uint64_t count) { return count <= 1 ? 0 : static_cast<int>(std::bit_width(count - 1)); }

void key_sorter::sort(int bits, int threads) {
  const std::size_t n = keys.size();
  other_keys_.resize(n);
  other_rows_.resize(n);
  for (int shift = 0; shift < bits; shift += digit_bits) {
    pass(
        n, threads, counters_, [&](std::size_t i) { return digit(keys[i], shift); },
        [&](std::size_t i, std::size_t to) {
          other_keys_[to] = keys[i];
          other_rows_[to] = rows[i];
        });
    keys.swap(other_keys_);
    rows.swap(other_rows_);
  }
}

std::size_t key_sorter::bytes() const {
  return bytes_of(keys) + bytes_of(rows) + bytes_of(other_keys_) + bytes_of(other_rows_) + bytes_of(counters_);
}

void key_sorter::release() { *this = key_sorter(); }

void sort_pairs(std::vector<pair>& pairs, int threads) {
  const std::size_t n = pairs.size();
  if (n < 4096 || n > 0xffff'ffffU) {  // too few to be worth counting, or too many for 32-bit counters
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  row greatest = 0;
  for (const pair& p : pairs) greatest = std::max(greatest, p.j);
  const int bits = bits_for(std::uint64_t{greatest} + 1);
  std::vector<pair> other(n);
  std::vector<std::uint32_t> counters;
  const auto sort_by = [&](row pair::*member) {
    for (int shift = 0; shift < bits; shift += digit_bits) {
      pass(
          n, threads, counters, [&](std::size_t k) { return digit(pairs[k].*member, shift); },
          [&](std::size_t k, std::size_t to) { other[to] = pairs[k]; });
      pairs.swap(other);
    }
  };
  sort_by(&pair::j);
  sort_by(&pair::i);
}

}  // namespace abut
