#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace abut::cli {

/// The three things that are done with a plan at a step; `check` in the first repeat alone.
enum class pass { update, find, check };

/// Seconds since any start.
using seconds_clock = std::function<double()>;
[[nodiscard]] double steady_seconds();

/// How long a benchmark will still take, from what each pass took when it last ran; before that, from a guess. The
/// plans count from 0, and the one after the last is the reference, which runs (update and find) in the first repeat
/// alone. One thread runs the passes; any other may ask.
class forecast {
 public:
  forecast(std::size_t plans, int steps, int repeats, double least_seconds, seconds_clock now = steady_seconds);

  /// What a plan may take, from the number of bodies.
  void guess(std::size_t plan, std::size_t bodies, bool quadratic);

  /// This pass begins, and what was under way has ended.
  void begin(std::size_t plan, pass which);
  void end();

  /// The present pass has done this part of its tasks, 0 to 1.
  void done(double part_of_pass);

  /// Seconds. A pass that takes longer than it should is expected to be late by as much again, so that this never
  /// stands still.
  [[nodiscard]] double left() const;

  [[nodiscard]] double elapsed() const { return now_() - start_; }

 private:
  struct cost {
    double update = 0, find = 0;  ///< seconds
    bool quadratic = false;       ///< the first tasks take longer than the last
    bool found = false;           ///< whether `find` has been measured
    double updates_left = 0, finds_left = 0;
  };
  [[nodiscard]] double under_way() const { return present_ == nullptr ? 0 : now_() - pass_start_; }
  [[nodiscard]] double expected(double so_far) const;
  void finish();

  mutable std::mutex mutex_;
  std::vector<cost> costs_;
  double least_seconds_;
  seconds_clock now_;
  double start_;
  double pass_start_;
  cost* present_ = nullptr;  ///< nothing is under way
  pass which_ = pass::update;
  double part_ = 0, part_at_ = 0;  ///< what the present pass last said, and how long it had run
};

}  // namespace abut::cli
