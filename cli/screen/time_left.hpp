#pragma once

#include <optional>
#include <string>

/// How long work will still take. Times are in seconds, from any start, and come from the caller: nothing here asks a
/// clock.
namespace abut::cli {

/// The pace of work that says how far it is: mostly that of late, and a little that of all the time so far.
class pace {
 public:
  explicit pace(double now = 0) : start_(now), changed_(now) {}

  /// This part of the work is done, 0 to 1. To be called again and again, also while nothing changes; a part below the
  /// last one means that the work has begun anew.
  void see(double now, double part);

  /// Seconds left. Counts down until the next change is due, and grows if that is late. Nothing while too little is
  /// known, while the work stalls, and when all is done.
  [[nodiscard]] std::optional<double> left(double now) const;

  /// For how long nothing has changed, if that is much longer than usual.
  [[nodiscard]] std::optional<double> stalled(double now) const;

 private:
  [[nodiscard]] double usual_gap() const { return changes_ > 0 ? time_ / changes_ : 0; }

  double start_;
  double part_ = 0;
  double changed_;                            ///< when `part_` last changed
  double time_ = 0, done_ = 0, changes_ = 0;  ///< sums in which what is long ago counts less
};

/// A number of seconds to show: it runs down with the clock, and bends towards each new estimate.
class countdown {
 public:
  /// What to show now that `left` is estimated.
  double follow(double now, double left);
  void forget() { shown_.reset(); }

 private:
  std::optional<double> shown_;
  double last_ = 0;
};

/// 23.4 as "25 s", 130 as "2 min 10 s": in steps as coarse as an estimate is.
[[nodiscard]] std::string rough_duration(double seconds);

}  // namespace abut::cli
