#pragma once

#include <cstdint>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// Sorts keys, and rows along with them, stably, by counting one digit after another (least first). The result depends
/// on the keys alone, not on the number of threads. The buffers are kept from call to call.
class key_sorter {
 public:
  std::vector<std::uint64_t> keys;
  std::vector<row> rows;

  /// `bits`: how many low bits of the keys count. Time is linear in their number and in `bits`.
  void sort(int bits, int threads);

  [[nodiscard]] std::size_t bytes() const;
  void release();

 private:
  std::vector<std::uint64_t> other_keys_;
  std::vector<row> other_rows_;
  std::vector<std::uint32_t> counters_;
};

/// Sorts pairs by i, then j.
void sort_pairs(std::vector<pair>& pairs, int threads);

/// The number of bits that numbers below `count` need.
[[nodiscard]] int bits_for(std::uint64_t count);

}  // namespace abut
