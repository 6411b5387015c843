#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "samples.hpp"

/// `abut bench planner`: its samples, and the trial of all plans on each.
namespace abut::cli {

/// The options as given on the command line.
struct planner_arguments {
  std::string seed{}, only{};
  bool quick = false;
};

/// A sample on which the planner is compared with the best of all plans.
struct planner_sample {
  std::string name{};
  std::string summary{};
  std::size_t count = 0;
  double move = 0;  ///< in mean diameters per axis and step; if 0, every measurement makes a new search
  std::function<samples::set(std::size_t count, std::uint64_t seed)> make{};
  bool straight = false;  ///< bodies keep their direction; otherwise they move at random
};
[[nodiscard]] const std::vector<planner_sample>& planner_samples();

/// A plan and the time of an update and a search for all pairs, in ns per body.
struct tried_plan {
  plan what{};
  double time = 0;
};

/// The results for one sample. Times are in ns per body.
struct planner_result {
  std::string name{};
  std::size_t bodies = 0;
  plan chosen{};                      ///< by the planner; if bodies move, by `auto` at the last step
  double planning_time = 0;           ///< once
  double chosen_time = 0;             ///< if bodies move, of `auto`, planning included
  tried_plan best{};                  ///< of all plans tried
  std::vector<tried_plan> as_good{};  ///< within a tenth of the best
  std::size_t tried = 0;
  [[nodiscard]] double ratio() const { return chosen_time / best.time; }
};

/// Tries all plans on one sample. Calls `tell` with what is being tried.
[[nodiscard]] planner_result try_sample(const planner_sample& sample, std::uint64_t seed, bool quick,
                                        const std::function<void(const std::string&)>& tell);

}  // namespace abut::cli
