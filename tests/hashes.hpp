#pragma once

// Hashes of pairs: of the set, independent of the order, and of the order.

#include <cstdint>
#include <vector>

#include <abut/abut.hpp>

namespace support {

struct hashes {
  std::uint64_t pairs = 0;
  std::uint64_t of_set = 0;
  std::uint64_t of_order = 0;

  void add(abut::pair p) {
    ++pairs;
    of_set += abut::pair_hash(p);
    of_order = (of_order ^ abut::pair_hash(p)) * 0x100'0000'01b3U + 1;
  }
};

inline hashes hashes_of(const std::vector<abut::pair>& pairs) {
  hashes h;
  for (const abut::pair p : pairs) h.add(p);
  return h;
}

inline std::uint64_t ordered_hash(const std::vector<abut::pair>& pairs) { return hashes_of(pairs).of_order; }
inline std::uint64_t free_hash(const std::vector<abut::pair>& pairs) { return hashes_of(pairs).of_set; }

}  // namespace support
