#pragma once

#include <bit>
#include <cstdint>

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// Adds 64 bits to a hash: the finalizer of splitmix64, fed with the hash so far.
inline void mix(std::uint64_t& hash, std::uint64_t bits) {
  std::uint64_t h = (hash ^ bits) + 0x9e37'79b9'7f4a'7c15U;
  h = (h ^ (h >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  h = (h ^ (h >> 27)) * 0x94d0'49bb'1331'11ebU;
  hash = h ^ (h >> 31);
}
inline void mix(std::uint64_t& hash, double value) { mix(hash, std::bit_cast<std::uint64_t>(value)); }
inline void mix(std::uint64_t& hash, const vec& v) {
  mix(hash, v.x);
  mix(hash, v.y);
  mix(hash, v.z);
}

}  // namespace abut::dem
