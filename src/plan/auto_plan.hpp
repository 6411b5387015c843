#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plan/planner.hpp"

namespace abut {

/// The plan `auto` at work: chosen at the first update, and again where the bodies have become others. How they move it
/// sees from a few hundred of them. The same bodies in the same updates give the same plans.
class auto_plan {
 public:
  /// `motion` is what the user knows of it.
  explicit auto_plan(std::optional<double> motion) : motion_(motion) {}

  /// The plan for the world as it is now. `map` is where the user's rows of the last update are; nothing: the same.
  const plan& follow(const world& now, std::optional<std::span<const row>> map);
  /// Whether that would change nothing, here or in the plan: so few bodies as the last time.
  [[nodiscard]] bool stays(const world& now) const;
  /// The last one.
  [[nodiscard]] const plan& chosen() const { return plan_; }

 private:
  // What changes by more than twice before the bodies are looked at again.
  struct outline {
    int dimension;
    shape kind;
    double count;
    double least;
    double widest;
    double volume;
  };
  struct watched {
    row which;
    std::array<double, 3> place;
    std::array<double, 3> step{};  // since the update before
  };

  [[nodiscard]] static outline outline_of(const world& w);
  [[nodiscard]] bool has_changed(const outline& now) const;
  void watch(const world& w);
  void see_motion(const world& now, std::optional<std::span<const row>> map);
  [[nodiscard]] double pace() const;
  void choose();

  std::optional<double> motion_;
  std::shared_ptr<const calibration> calibration_;  // the same for the life of a search
  std::optional<outline> planned_for_;
  features features_;
  double planned_pace_ = -1;
  int steps_seen_ = 0;
  bool for_very_few_ = false;
  std::vector<watched> watched_;
  plan plan_;
};

}  // namespace abut
