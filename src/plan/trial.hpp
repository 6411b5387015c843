#pragma once

#include <cstdint>

#include <abut/search.hpp>

#include "base/processor_time.hpp"

namespace abut {

/// Random numbers (splitmix64) for trial runs: the same sequence every time, on every machine.
class trial_random {
 public:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e37'79b9'7f4a'7c15U);
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9U;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebU;
    return z ^ (z >> 31);
  }
  /// From 0 to below 1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_ = 1;
};

/// The seconds that an update and a visit of all pairs take.
[[nodiscard]] inline double seconds_of(search& s, const bodies& b) {
  const double start = processor_time(s.threads());
  s.update(b);
  std::uint64_t sum = 0;
  s.for_each_pair([&](row i, row j) { sum += std::uint64_t{i} ^ j; });
  const double seconds = processor_time(s.threads()) - start;
  // Uses the pairs, so that the compiler cannot drop the visit.
  [[maybe_unused]] static thread_local volatile std::uint64_t sink;
  sink = sum;
  return seconds;
}

}  // namespace abut
