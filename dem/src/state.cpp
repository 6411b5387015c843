#include <abut/dem/state.hpp>

#include <bit>

namespace abut::dem {

namespace {

// The finalizer of splitmix64, fed with the hash so far.
void mix(std::uint64_t& hash, double value) {
  std::uint64_t h = (hash ^ std::bit_cast<std::uint64_t>(value)) + 0x9e37'79b9'7f4a'7c15U;
  h = (h ^ (h >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  h = (h ^ (h >> 27)) * 0x94d0'49bb'1331'11ebU;
  hash = h ^ (h >> 31);
}

void mix(std::uint64_t& hash, const vec& v) {
  mix(hash, v.x);
  mix(hash, v.y);
  mix(hash, v.z);
}

}  // namespace

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
