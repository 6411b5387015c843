#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace abut::cli {

/// What is done with a plan at each step; `check` only in the first repeat.
enum class pass { update, find, check };

/// A clock in seconds, from an arbitrary start.
using seconds_clock = std::function<double()>;
[[nodiscard]] double steady_seconds();

/// Predicts how long a benchmark will still take, from what each pass took when it last ran, or from a guess before
/// that. Plans count from 0; the one after the last is the reference, which has an update and a find in the first
/// repeat only. One thread runs the passes; any thread may call `left`.
class forecast {
 public:
  forecast(std::size_t plans, int steps, int repeats, double least_seconds, seconds_clock now = steady_seconds);

  /// Sets a plan's first guess, from the number of bodies.
  void guess(std::size_t plan, std::size_t bodies, bool quadratic);

  /// Begins this pass and ends the one before.
  void begin(std::size_t plan, pass which);
  void end();

  /// The current pass has done this part of its tasks, 0 to 1.
  void done(double part_of_pass);

  /// Seconds. A pass that is late is expected to be late by as much again, so that this keeps changing.
  [[nodiscard]] double left() const;

  [[nodiscard]] double elapsed() const { return now_() - start_; }

 private:
  struct cost {
    double update = 0, find = 0;  ///< seconds
    bool quadratic = false;       ///< the first tasks take the longest
    bool found = false;           ///< whether `find` has been measured
    double updates_left = 0, finds_left = 0;
  };
  [[nodiscard]] double under_way() const { return current_ == nullptr ? 0 : now_() - pass_start_; }
  [[nodiscard]] double expected(double so_far) const;
  void finish();

  mutable std::mutex mutex_;
  std::vector<cost> costs_;
  double least_seconds_;
  seconds_clock now_;
  double start_;
  double pass_start_;
  cost* current_ = nullptr;  ///< null between passes
  pass which_ = pass::update;
  double part_ = 0, part_at_ = 0;  ///< what the current pass last reported, and when
};

}  // namespace abut::cli
