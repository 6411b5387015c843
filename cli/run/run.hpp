#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/flow_columns.hpp"
#include "run/series_file.hpp"
#include "scene/scene.hpp"

/// The verb `run`: reads a scene, simulates it, writes what it gave.
namespace abut::cli {

/// The options as given on the command line.
struct run_arguments {
  std::string scene{};
  std::vector<std::string> overrides{};
  std::string steps{}, time{}, threads{}, method{}, out{};
  std::string resume{}, from{};  ///< a run's folder or a checkpoint
  bool force = false, check = false, list = false, print = false, strict = false;
};

/// A scene to run, with what the options say.
struct run_request {
  std::string name{};  ///< of the scene, as the user gave it, or as the run that goes on had it
  scene what{};
  std::shared_ptr<dem::simulation> started{};  ///< from a checkpoint, if it goes on from one
  std::string folder{};                        ///< in which it writes; empty for none
  bool resumed = false;                        ///< the same run goes on, in its own folder
  std::optional<going_on> goes_on{};           ///< where, if it does
  bool force = false;                          ///< the files of another run in the folder are replaced
  bool strict = false;                         ///< warnings are errors
  std::string resume_command{};                ///< what goes on with it later, for a shell
};

/// The settings with which a run simulates.
[[nodiscard]] dem::settings settings_of(const scene& what, bool writes);

/// What a run reports.
struct run_result {
  std::uint64_t wanted = 0;  ///< steps
  std::uint64_t begun = 0;   ///< the step from which it went on; 0 for a start
  std::uint64_t steps = 0;   ///< done
  double time = 0, time_step = 0;
  dem::measures first{}, last{};
  std::uint64_t searches = 0;
  std::uint64_t hash = 0;
  dem::times spent{};
  std::size_t bodies = 0;  ///< at the end
  flow_sums flow{};
  std::string box{};  ///< its sides at the end, in words, if it deforms
  double start_seconds = 0, run_seconds = 0, output_seconds = 0;
  int threads = 1;
  std::vector<std::string> files{};     ///< that were written
  std::vector<std::string> warnings{};  ///< of what was noticed on the way
};

/// The number of steps that the scene asks for, at this time step. Throws `error` if they are too many.
[[nodiscard]] std::uint64_t steps_of(const scene& what, double time_step);

/// Simulates, and writes if there is a folder. If a signal stops the run early, `signal` is its number. If the
/// simulation cannot go on, writes its last good state and throws `error`.
[[nodiscard]] run_result simulate(const run_request& request, int& signal);

/// What would run, for how long, and with how much memory. Makes some steps to measure.
[[nodiscard]] std::string check_in_words(const run_request& request);

/// The report.
[[nodiscard]] std::string in_words(const run_request& request, const run_result& result);
/// The number of threads that the simulation uses.
[[nodiscard]] int threads_of(const scene& what);
/// "12.3", "4,567".
[[nodiscard]] std::string rate_in_words(double per_second);
/// "6,000 spheres in 3D, 120 of them fixed".
[[nodiscard]] std::string bodies_in_words(const scene& what);
/// "hooke: a spring and a dashpot; ..."
[[nodiscard]] std::string law_in_words(const scene& what);

}  // namespace abut::cli
