#include <abut/dem/state.hpp>

#include <algorithm>
#include <numeric>

#include "mix.hpp"

namespace abut::dem {

std::uint64_t hash_of(const state& s) {
  std::vector<std::uint32_t> rows(s.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return s.id[a] < s.id[b]; });
  std::uint64_t hash = s.size();
  for (const std::uint32_t i : rows) {
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
