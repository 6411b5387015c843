#pragma once

#include <chrono>

namespace abut::cli {

/// Measures wall-clock time, from its construction.
class stopwatch {
 public:
  /// Seconds since the last lap, or since the construction.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> seconds = now - start_;
    start_ = now;
    return seconds.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace abut::cli
