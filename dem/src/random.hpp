#pragma once

#include <cstdint>

namespace abut::dem {

/// One step of splitmix64: well mixed bits for any number.
[[nodiscard]] inline std::uint64_t splitmix(std::uint64_t h) {
  h += 0x9e37'79b9'7f4a'7c15U;
  h = (h ^ (h >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  h = (h ^ (h >> 27)) * 0x94d0'49bb'1331'11ebU;
  return h ^ (h >> 31);
}

/// Random numbers that depend on nothing but a seed and a place in a sequence: nothing has to be kept but the place.
class random_at {
 public:
  random_at(std::uint64_t seed, std::uint64_t place) : state_(splitmix(splitmix(seed) ^ place)) {}
  /// Uniform in [0, 1).
  [[nodiscard]] double operator()() {
    state_ = splitmix(state_);
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace abut::dem
