#pragma once

#include <optional>
#include <string>

/// Estimates how long work will still take. Times are in seconds from an arbitrary start, and come from the caller.
namespace abut::cli {

/// The pace of work that reports its progress: mostly the recent pace, with a little weight on the whole time so far.
class pace {
 public:
  explicit pace(double now = 0) : start_(now), changed_(now) {}

  /// Reports the part of the work that is done, 0 to 1. Call it regularly, even if nothing has changed. A smaller part
  /// than before means that the work has restarted.
  void see(double now, double part);

  /// Seconds left. Counts down until the next change is due, and grows if that is late. No value while too little is
  /// known, while the work stalls, and when it is done.
  [[nodiscard]] std::optional<double> left(double now) const;

  /// Seconds without a change, if that is much longer than usual.
  [[nodiscard]] std::optional<double> stalled(double now) const;

 private:
  [[nodiscard]] double usual_gap() const { return changes_ > 0 ? time_ / changes_ : 0; }

  double start_;
  double part_ = 0;
  double changed_;                            ///< when `part_` last changed
  double time_ = 0, done_ = 0, changes_ = 0;  ///< sums in which older changes count less
};

/// A number of seconds to show, which counts down with the clock and approaches each new estimate smoothly.
class countdown {
 public:
  /// What to show if `left` is the estimate.
  double follow(double now, double left);
  void forget() { shown_.reset(); }

 private:
  std::optional<double> shown_;
  double last_ = 0;
};

/// 23.4 as "25 s", 130 as "2 min 10 s": rounded up, as coarsely as suits an estimate.
[[nodiscard]] std::string rough_duration(double seconds);

}  // namespace abut::cli
