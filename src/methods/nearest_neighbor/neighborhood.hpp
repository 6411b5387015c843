#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "bodies/world.hpp"

namespace abut {

/// How far the list of near pairs reaches beyond the pairs themselves: "as R_nbr rises, update frequency falls, but
/// neighbors rise" (DEM lecture 11). The distance of least work, from what was counted, never from the clock: so
/// results and their order depend on the bodies alone.
///
/// Work of a step = listed pairs to test + (bodies to sort + tests + pairs to list) / steps between rebuilds. Pairs and
/// tests grow as (w + D)^dimension, with w the mean width of a body and its margin. Moves grow with the steps as k^e,
/// e between 0.5 (a random walk) and 1 (straight on), and the list lasts until the mean move is D / 3.5.
class neighborhood {
 public:
  /// What the method that rebuilds the list takes, in ns as measured (bench/neighborhood.cpp), on one thread.
  struct rates {
    double body = 200;    ///< to place it
    double test = 4;      ///< with all that is about it
    double listing = 10;  ///< a pair found and written down
    double once = 8000;   ///< however few bodies there are
  };
  [[nodiscard]] static rates rates_of(std::string_view method);

  /// What a rebuild had to do.
  struct rebuild_work {
    double bodies = 0;
    double tests = 0;
    double listed = 0;
  };
  /// How far bodies have moved since: the mean move after so many steps, and after the first.
  struct motion {
    double steps = 0;
    double mean = 0;
    double mean_of_first = 0;
  };

  /// A list lasts until the mean move is the distance divided by this.
  static constexpr double moves_per_distance = 3.5;

  /// What a body that has left the list costs in a step, in ns: the more bodies, the less of what is around it is in
  /// cache.
  static constexpr double least_load_of_stray = 1500;
  [[nodiscard]] static double load_of_stray(double bodies) {
    return least_load_of_stray * std::clamp(std::sqrt(bodies / 40'000), 1.0, 5.0);
  }

  explicit neighborhood(const rates& r) : rates_(r) {}

  [[nodiscard]] double load(const rebuild_work& last) const {
    return rates_.once + rates_.body * last.bodies + rates_.test * last.tests + rates_.listing * last.listed;
  }

  /// What distances of some bodies are measured in: the mean width with the margin; of points, how far apart they are.
  /// Where distances are in widths, that mean in widths.
  [[nodiscard]] static double unit_of(const world& w, bool in_widths);

  /// A distance to begin with, while nothing is known of the motion.
  [[nodiscard]] static double start(double unit);

  /// The distance of least work for bodies that move so, where `last` was that of a rebuild with the distance `now`.
  [[nodiscard]] double best(double unit, int dimension, double now, const rebuild_work& last, const motion& m);

  /// Whether a rebuild with another distance pays already, though the list still holds: what it saves in as many steps
  /// as there were is more than it costs.
  [[nodiscard]] bool pays(double unit, int dimension, double now, const rebuild_work& last, const motion& m);

 private:
  struct model;

  rates rates_;
  double exponent_ = 0.75;  // as last seen
};

}  // namespace abut
