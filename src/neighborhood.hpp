#pragma once

#include "world.hpp"

namespace abut {

/// How far the list of near pairs reaches beyond the pairs themselves: "as R_nbr rises, update frequency falls, but
/// neighbors rise" (document 001). The distance of least work, from what was counted, never from the clock: so results
/// and their order depend on the bodies alone.
///
/// Work of a step = listed pairs to test + (bodies to sort + tests + pairs to list) / steps between rebuilds. Pairs and
/// tests grow as (w + D)^dimension, with w the mean width of a body and its margin. Moves grow with the steps as k^e,
/// e between 0.5 (a random walk) and 1 (straight on), and the list lasts until the mean move is D / 3.5.
class neighborhood {
 public:
  /// What a rebuild cost, in ns as measured (bench/neighborhood.cpp).
  struct rebuild_work {
    double bodies = 0;
    double tests = 0;
    double listed = 0;
    [[nodiscard]] double load() const;
  };
  /// How far bodies have moved since: the mean move after so many steps, and after the first.
  struct motion {
    double steps = 0;
    double mean = 0;
    double mean_of_first = 0;
  };

  /// What a body that has left the list costs in a step.
  static constexpr double load_of_stray = 1500;

  /// A distance to begin with, while nothing is known of the motion.
  [[nodiscard]] static double start(const world& w);

  /// The distance of least work for bodies that move so, where `work` was that of a rebuild with the distance `now`.
  [[nodiscard]] double best(const world& w, double now, const rebuild_work& work, const motion& m);

  /// Whether a rebuild with another distance pays already, though the list still holds: what it saves in as many steps
  /// as there were is more than it costs.
  [[nodiscard]] bool pays(const world& w, double now, const rebuild_work& work, const motion& m);

 private:
  struct model;

  double exponent_ = 0.75;  // as last seen
};

}  // namespace abut
