#pragma once

#include <bit>
#include <cstdint>

#include <abut/dem/vec.hpp>

#include "random.hpp"

namespace abut::dem {

/// Adds 64 bits to a hash.
inline void mix(std::uint64_t& hash, std::uint64_t bits) { hash = splitmix(hash ^ bits); }
inline void mix(std::uint64_t& hash, double value) { mix(hash, std::bit_cast<std::uint64_t>(value)); }
inline void mix(std::uint64_t& hash, const vec& v) {
  mix(hash, v.x);
  mix(hash, v.y);
  mix(hash, v.z);
}

}  // namespace abut::dem
