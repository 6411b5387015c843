#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "bodies/world.hpp"

namespace abut {

/// Chooses up to which distance near pairs are listed: "as R_nbr rises, update frequency falls, but neighbors rise"
/// (DEM lecture 11). It is the distance of least work, estimated from counts, never from the clock, so that results and
/// their order depend only on the bodies.
///
/// Work of a step = listed pairs to test + (bodies to sort + tests + pairs to list) / steps between rebuilds. Pairs and
/// tests grow as (w + D)^dimension, with the distance D and the mean width w of a body with its margin. After k steps
/// moves have grown as k^e, with e between 0.5 (a random walk) and 1 (a straight path). The list lasts until the mean
/// move is D / 3.5.
class neighborhood {
 public:
  /// What a rebuild costs with some method, in ns on one thread, as measured by bench/neighborhood.cpp.
  struct rates {
    double body = 200;    ///< to place a body
    double test = 4;      ///< per overlap test, with all overhead
    double listing = 10;  ///< to write down a pair
    double once = 8000;   ///< per rebuild, however few bodies there are
    double pair = 2.5;    ///< per listed pair in every step
  };
  [[nodiscard]] static rates rates_of(std::string_view method);

  /// The work of a rebuild: counts of bodies, tests and listed pairs.
  struct rebuild_work {
    double bodies = 0;
    double tests = 0;
    double listed = 0;
  };
  /// How far bodies have moved since a rebuild: the mean move after `steps` steps, and after the first.
  struct motion {
    double steps = 0;
    double mean = 0;
    double mean_of_first = 0;
  };

  /// A list lasts until the mean move is the distance divided by this.
  static constexpr double moves_per_distance = 3.5;

  /// What a body that has left the list costs in a step, in ns. It grows with the number of bodies, since less of the
  /// body's surroundings is in cache.
  static constexpr double least_load_of_stray = 1500;
  [[nodiscard]] static double load_of_stray(double bodies) {
    return least_load_of_stray * std::clamp(std::sqrt(bodies / 40'000), 1.0, 5.0);
  }

  explicit neighborhood(const rates& r) : rates_(r) {}

  /// The cost of a rebuild, in ns.
  [[nodiscard]] double load(const rebuild_work& last) const {
    return rates_.once + rates_.body * last.bodies + rates_.test * last.tests + rates_.listing * last.listed;
  }

  /// The natural unit of distances for some bodies: the mean width plus the margin, or the mean spacing of points. If
  /// distances are in widths, the same in widths.
  [[nodiscard]] static double unit_of(const world& w, bool in_widths);
  /// The same for bodies with these measures; a length.
  [[nodiscard]] static double unit_of(const measures& m, std::size_t bodies, int dimension, double margin);

  /// The distance of the first list, when nothing is known of the motion.
  [[nodiscard]] static double start(double unit);

  /// The distance of least work for this motion. `last` is the work of the last rebuild, whose distance was `now`.
  [[nodiscard]] double best(double unit, int dimension, double now, const rebuild_work& last, const motion& m);

  /// Whether to rebuild with another distance although the list still holds: in as many steps as there were since the
  /// last rebuild, it would save more than it costs.
  [[nodiscard]] bool pays(double unit, int dimension, double now, const rebuild_work& last, const motion& m);

 private:
  struct model;

  rates rates_;
  double exponent_ = 0.75;  // of the motion, e above, as last seen
};

}  // namespace abut
