#pragma once

// Bodies for the tests of whole systems, the same on every machine.

#include <cstdint>
#include <vector>

#include <abut/dem/dem.hpp>

namespace dem_support {

/// Uniform in [-1, 1], by splitmix64.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    std::uint64_t h = state_ += 0x9e37'79b9'7f4a'7c15U;
    h = (h ^ (h >> 30)) * 0xbf58'476d'1ce4'e5b9U;
    h = (h ^ (h >> 27)) * 0x94d0'49bb'1331'11ebU;
    h ^= h >> 31;
    return static_cast<double>(h >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

/// Equal bodies on a square or cubic lattice from the origin on, moved by up to `jitter` on each axis, with velocities
/// of up to `speed` on each axis.
inline std::vector<abut::dem::body> lattice(int per_axis, double spacing, double radius, double jitter, double speed,
                                            int dimension = 3) {
  random_numbers next(1);
  std::vector<abut::dem::body> all;
  for (int z = 0; z < (dimension == 2 ? 1 : per_axis); ++z) {
    for (int y = 0; y < per_axis; ++y) {
      for (int x = 0; x < per_axis; ++x) {
        abut::dem::body b;
        b.radius = radius;
        b.position.x = (x + 0.5) * spacing + jitter * next();
        b.position.y = (y + 0.5) * spacing + jitter * next();
        b.velocity.x = speed * next();
        b.velocity.y = speed * next();
        if (dimension == 3) {
          b.position.z = (z + 0.5) * spacing + jitter * next();
          b.velocity.z = speed * next();
        }
        all.push_back(b);
      }
    }
  }
  return all;
}

}  // namespace dem_support
