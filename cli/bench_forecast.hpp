#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace abut::cli {

/// The three things that are done with a plan at a step; `check` in the first repeat alone.
enum class pass { update, find, check };

/// How far a benchmark is, from what each pass took when it last ran; before that, from a guess. The plans count from
/// 0, and the one after the last is the reference, which runs (update and find) in the first repeat alone.
class forecast {
 public:
  forecast(std::size_t plans, int steps, int repeats, double least_seconds);

  /// What a plan may take, from the number of bodies.
  void guess(std::size_t plan, std::size_t bodies, bool quadratic);

  /// This pass begins, and what was under way has ended.
  void begin(std::size_t plan, pass which);
  void end();

  /// The part of all work that is done, 0 to 1, where `part_of_pass` of the present pass is.
  [[nodiscard]] double part(double part_of_pass);

  [[nodiscard]] double elapsed() const;

 private:
  using clock = std::chrono::steady_clock;

  struct cost {
    double update = 0, find = 0;  ///< seconds
    bool found = false;           ///< whether `find` has been measured
    double updates_left = 0, finds_left = 0;
  };
  [[nodiscard]] double under_way() const;
  void take(double seconds);

  std::vector<cost> costs_;
  double least_seconds_;
  clock::time_point start_ = clock::now();
  clock::time_point pass_start_ = start_;
  cost* present_ = nullptr;  ///< nothing is under way
  pass which_ = pass::update;
};

}  // namespace abut::cli
