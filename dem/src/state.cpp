#include <abut/dem/state.hpp>

#include "mix.hpp"

namespace abut::dem {

std::uint64_t hash_of(const state& s) {
  std::vector<std::uint32_t> row_of(s.size());
  for (std::uint32_t i = 0; i < s.size(); ++i) row_of[s.id[i]] = i;
  std::uint64_t hash = s.size();
  for (const std::uint32_t i : row_of) {
    mix(hash, s.position[i]);
    mix(hash, s.velocity[i]);
    mix(hash, s.spin[i]);
    const quaternion& q = s.orientation[i];
    mix(hash, q.w);
    mix(hash, {q.x, q.y, q.z});
  }
  return hash;
}

}  // namespace abut::dem
