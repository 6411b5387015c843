#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "samples.hpp"

/// The parts of `abut bench planner`: the samples, the trial of all plans on each, and how it is told.
namespace abut::cli {

/// The options as they stand on the command line.
struct planner_arguments {
  std::string seed{}, only{};
  bool quick = false;
};

/// Bodies for which the planner is compared with the best of all plans.
struct planner_sample {
  std::string name{};
  std::string summary{};
  std::size_t count = 0;
  double move = 0;  ///< in mean diameters, on an axis and a step; 0: new searches for bodies as they are
  std::function<samples::set(std::size_t count, std::uint64_t seed)> make{};
  bool straight = false;  ///< moves on and on; otherwise at random at each step
};
[[nodiscard]] const std::vector<planner_sample>& planner_samples();

/// A plan with what it took: ns a body, of an update and a search for all pairs.
struct tried_plan {
  plan what{};
  double time = 0;
};

/// What came out of one sample.
struct planner_row {
  std::string name{};
  std::size_t bodies = 0;
  plan chosen{};                      ///< by the planner; where bodies move, by `auto` at the last step
  double planning_time = 0;           ///< ns a body, once
  double chosen_time = 0;             ///< where bodies move, that of `auto`, its planning in it
  tried_plan best{};                  ///< by trial of all
  std::vector<tried_plan> as_good{};  ///< within a tenth of the best
  std::size_t tried = 0;
  [[nodiscard]] double ratio() const { return chosen_time / best.time; }
};

/// Tries all plans on one sample. `tell` is called with what is being done.
[[nodiscard]] planner_row try_sample(const planner_sample& sample, std::uint64_t seed, bool quick,
                                     const std::function<void(const std::string&)>& tell);

}  // namespace abut::cli
