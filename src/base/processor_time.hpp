#pragma once

#include <chrono>
#include <ctime>

namespace abut {

/// A clock in seconds; only differences mean anything. With one thread it is that thread's processor time, so that
/// other programs hardly disturb a measurement; otherwise it is wall-clock time.
[[nodiscard]] inline double processor_time(int threads) {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec t{};
  if (threads == 1 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0) {
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
#endif
  (void)threads;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace abut
