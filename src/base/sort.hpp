#pragma once

#include <cstdint>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// A stable radix sort, least significant digit first, of keys and the rows that belong to them. The result does not
/// depend on the number of threads. The buffers are kept from call to call.
class key_sorter {
 public:
  std::vector<std::uint64_t> keys;
  std::vector<row> rows;

  /// Sorts by the `bits` low bits of the keys. Time is proportional to the number of keys times `bits`.
  void sort(int bits, int threads);

  [[nodiscard]] std::size_t bytes() const;
  void release();  ///< frees all memory

 private:
  std::vector<std::uint64_t> other_keys_;
  std::vector<row> other_rows_;
  std::vector<std::uint32_t> counters_;
};

/// Sorts pairs by i, then j. Linear in the number of pairs.
void sort_pairs(std::vector<pair>& pairs, int threads);

/// The number of bits needed for the numbers from 0 to `count` - 1.
[[nodiscard]] int bits_for(std::uint64_t count);

}  // namespace abut
