#pragma once

#include <chrono>
#include <ctime>

namespace abut {

/// Seconds; of the processor where one thread is at work, so that what else the machine does counts little.
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
