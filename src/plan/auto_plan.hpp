#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plan/planner.hpp"

namespace abut {

/// The plan `auto`: chooses a plan at the first update, and again when the bodies' number, sizes (with the margin),
/// extent or motion have changed enough. It estimates the motion from a few hundred bodies. The same updates always
/// give the same plans.
class auto_plan {
 public:
  /// Takes the motion and the constants from the options. Throws `error` for constants that cannot be read.
  explicit auto_plan(const options& o) : motion_(o.motion) {
    if (!o.constants.empty()) calibration_ = calibration_for(o.constants);
  }

  /// Chooses the plan for this update. `map` gives the new row of each of the last update's rows; without it, rows keep
  /// their places.
  const plan& follow(const world& now, std::optional<std::span<const row>> map);
  /// Whether `follow` would change nothing, because there are very few bodies, as at the last update.
  [[nodiscard]] bool stays(const world& now) const;
  /// The plan that `follow` chose last.
  [[nodiscard]] const plan& chosen() const { return plan_; }
  /// What the model predicts for it: ns per body, for an update and a search on one thread. Nothing if no model does.
  [[nodiscard]] std::optional<double> predicted() const { return predicted_; }

 private:
  // A summary of the bodies. If a number in it has changed by more than a factor, the features are measured again.
  struct outline {
    int dimension;
    shape kind;
    double count;
    double least;   // of the widths, with the margin
    double widest;  // the same
    double volume;
  };
  // One of the bodies whose motion is observed.
  struct watched {
    row which;
    std::array<double, 3> place;
    std::array<double, 3> step{};  // its move in the last update
  };

  [[nodiscard]] static outline outline_of(const world& w);
  [[nodiscard]] bool has_changed(const outline& now) const;
  void watch(const world& w);
  void observe_motion(const world& now, std::optional<std::span<const row>> map);
  [[nodiscard]] double pace() const;
  void choose();

  std::optional<double> motion_;
  std::shared_ptr<const calibration> calibration_;  // one for the lifetime of a search
  std::optional<outline> planned_for_;
  features features_;
  double planned_pace_ = -1;
  int steps_seen_ = 0;
  bool for_very_few_ = false;
  std::vector<watched> watched_;
  plan plan_;
  std::optional<double> predicted_;
};

}  // namespace abut
