#pragma once

#include <chrono>

namespace abut::dem {

/// Adds the seconds of its life to a sum.
class stopwatch {
 public:
  explicit stopwatch(double& sum) : sum_(sum) {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace abut::dem
