#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/instructions.hpp"
#include "steps/features.hpp"
#include "steps/level_load.hpp"

namespace abut {

/// The time of some work in ns, with each set of vector instructions.
struct ns_with {
  double avx512, avx2, sse4, neon, scalar;
};

/// A unit of a method's work and the time it takes. A cost without a positive time for every set of vector instructions
/// does not compile.
struct cost {
  std::string_view name;  ///< unique; its name in a calibration file, such as "grid.test"
  ns_with times;          ///< as built in: measured on the machine of the documentation's figures; NEON's are SSE4's

  consteval cost(std::string_view n, const ns_with& t) : name(n), times(t) {
    for (const instruction_set s : all_instruction_sets) {
      if (!(ns(s) > 0)) throw "a cost must be more than 0 ns";
    }
  }
  /// A cost that does not depend on vector instructions.
  consteval cost(std::string_view n, double t) : cost(n, ns_with{t, t, t, t, t}) {}

  [[nodiscard]] constexpr double ns(instruction_set s) const {
    const double all[] = {times.avx512, times.avx2, times.sse4, times.neon, times.scalar};
    return all[static_cast<std::size_t>(s)];
  }
};

/// An amount of one kind of work, per body on average.
struct work_item {
  const cost* what;
  double amount;
};
/// All the work of an update and a search.
using work = std::vector<work_item>;

/// The model of a method: predicts the work of a new search from the bodies' features.
struct cost_model {
  std::span<const cost* const> costs;     ///< all costs that `of` uses
  work (*of)(const features& f);          ///< the work; it names every cost exactly once, even with amount 0
  std::string (*why)(const features& f);  ///< why the method suits the bodies, in a few words, for a plan's reason
};

/// The model of a method that keeps a list of near pairs, which another method rebuilds. `distance` is the gap up to
/// which pairs are listed. The work of a step and of a rebuild together name every cost.
struct list_model {
  std::span<const cost* const> costs;
  /// The work of a step in which the list is still valid.
  work (*of_step)(const features& f, double distance);
  /// The work of a rebuild, if the other method takes `by` ns per body to find the near pairs.
  work (*of_rebuild)(const features& f, double distance, double by);
  /// How many steps the list stays valid, given the bodies' motion.
  double (*steps)(const features& f, double distance);
  double stray;  ///< ns per step for a body that has left the list
};

/// The amount, per body, of work that is done once per search.
[[nodiscard]] inline double per_search(const features& f) { return 1 / std::max(1.0, f.count); }

/// How often the number of bodies has doubled beyond what the caches hold: each doubling makes access in random order a
/// little slower.
[[nodiscard]] inline double far_memory(const features& f) {
  constexpr double bodies_in_cache = 16384;
  return std::max(0.0, std::log2(f.count / bodies_in_cache));
}

/// A typical size of the bodies in a range of sizes.
[[nodiscard]] inline double typical(const features& f, const features::size_range& r) {
  return f.sizes.size() == 1 ? f.mean : std::max(f.least, 0.72 * r.size);
}

/// The model of a method that searches in levels of sizes. Its costs: per search, per body, per doubling beyond the
/// caches, per visit to a level, and per test.
template <const cost& Search, const cost& Body, const cost& Far, const cost& Visit, const cost& Test>
struct level_model {
  static constexpr const cost* costs[] = {&Search, &Body, &Far, &Visit, &Test};

  [[nodiscard]] static work of(const features& f) {
    const level_load l = least_level_load(f);
    return {{&Search, per_search(f)}, {&Body, 1}, {&Far, far_memory(f)}, {&Visit, l.visits}, {&Test, l.tests}};
  }

  static constexpr cost_model model{costs, of, level_load_in_words};
};

}  // namespace abut
