#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/dem/dem.hpp>

#include "base/instructions.hpp"
#include "generators.hpp"
#include "screen/progress.hpp"

/// `abut bench steps`: whole simulation steps, beside those of LAMMPS on the same spheres.
namespace abut::cli {

/// The law of contacts: spring and dashpot, friction with history if there is friction. Damping is per reduced mass, as
/// in LAMMPS: the viscosity of a pair is the damping times its reduced mass.
struct step_law {
  double stiffness = 0;
  double damping = 0;
  double tangential_damping = 0;
  double friction = 0;
  [[nodiscard]] double tangential_stiffness() const { return stiffness * 2 / 7; }
};

/// Spheres of density 1 in a periodic cube; the largest diameter is 1.
struct step_packing {
  std::string name{};
  std::size_t count = 0;
  samples::size_law sizes = samples::size_law::equal;
  double ratio = 1;  ///< of the largest to the smallest radius
  double fraction = 0;
  [[nodiscard]] bool equal() const { return sizes == samples::size_law::equal; }
};

/// How LAMMPS lists neighbors.
struct neighbor_choice {
  double skin = 0;
  int classes = 0;  ///< of sizes, for `neighbor multi`; 0 for `neighbor bin`
};

/// What is measured.
struct step_case {
  std::string name{};
  std::string summary{};
  step_packing packing{};
  step_law law{};
  double time_step = 0;
  double speed = 0;                        ///< root mean square on each axis, at the start
  std::uint64_t steps = 0;                 ///< timed
  std::uint64_t warm_up = 50;              ///< before that
  std::array<int, 3> copies{1, 1, 1};      ///< of the packing, side by side on each axis
  std::vector<neighbor_choice> choices{};  ///< of which LAMMPS's best counts
  [[nodiscard]] std::size_t bodies() const;
};

/// The cases A to E.
[[nodiscard]] const std::vector<step_case>& step_cases();
/// Case A with more and more bodies.
[[nodiscard]] std::vector<step_case> growing_cases();
/// The case with about this many bodies.
[[nodiscard]] step_case resized(step_case from, std::size_t bodies);

/// The bodies of a packing in a periodic cube from 0 to `side`.
struct step_bodies {
  double side = 0;
  std::vector<dem::body> all{};
};

/// The programs of LAMMPS; empty if they are not on the path.
struct lammps_programs {
  std::string lmp{};
  std::string mpirun{};
  [[nodiscard]] bool can_run(int threads) const { return !lmp.empty() && (threads == 1 || !mpirun.empty()); }
};
[[nodiscard]] lammps_programs find_lammps();

/// Runs LAMMPS in a folder on an input file there. Returns what it prints; calls `tell` with the number at the start of
/// each line that begins with one, a step. Throws `error` with LAMMPS's message if it fails.
[[nodiscard]] std::string run_lammps(const lammps_programs& programs, int threads, const std::string& folder,
                                     const std::string& input, const std::function<void(double step)>& tell);

/// Writes a whole file. Throws `error` with the path.
void write_text(const std::string& path, std::string_view text);
/// Reads a data file of LAMMPS (atom style sphere, one cube). Bodies are in the order of their ids.
[[nodiscard]] step_bodies read_data(const std::string& path);
/// Writes one, with all digits.
void write_data(const std::string& path, const step_bodies& bodies);
/// LAMMPS's pair style for the law, with its numbers.
[[nodiscard]] std::string pair_style_of(const step_law& law);

/// LAMMPS's commands for the list of neighbors.
[[nodiscard]] std::string neighbors_of(const step_case& what, const neighbor_choice& choice);

/// Velocities of this root mean square on each axis, the same for the same seed; no spin.
void set_velocities(step_bodies& bodies, double speed, std::uint64_t seed);

/// The packing of a case, at rest. Prepared by LAMMPS, or without it by abut, and kept in the folder.
[[nodiscard]] step_bodies prepared(const step_case& what, const std::string& folder, const lammps_programs& programs,
                                   progress_line& progress);

/// One run: time, where it went, and the state at the end. Times are in seconds.
struct step_run {
  double start = 0;  ///< before the first step; abut only
  double seconds = 0;
  double forces = 0, search = 0, integrate = 0;  ///< parts of the seconds
  std::uint64_t rebuilds = 0;
  double bytes = 0;
  std::uint64_t contacts = 0;
  double kinetic = 0;
};

/// Runs LAMMPS on the state in `data`, a file in the folder.
[[nodiscard]] step_run run_theirs(const step_case& what, const neighbor_choice& choice, const std::string& data,
                                  int threads, const std::string& folder, const lammps_programs& programs);
/// Runs abut, untuned: all steps, those of the warm-up too.
[[nodiscard]] step_run run_ours(const step_case& what, step_bodies bodies, int threads);

/// The settings of our simulation; sets the materials of the bodies, and copies them if the case asks for it.
[[nodiscard]] dem::settings settings_of(const step_case& what, step_bodies& bodies, int threads);

/// What was measured for one case, number of threads and instruction set. Medians of all repeats.
struct step_result {
  step_case what{};
  int threads = 1;
  instruction_set instructions{};
  step_run ours{};
  std::optional<step_run> theirs{};
  neighbor_choice best{};  ///< of LAMMPS

  /// Seconds per body and step: ours from the start on, and of the steps alone; LAMMPS's.
  [[nodiscard]] double our_time() const;
  [[nodiscard]] double our_steps_alone() const;
  [[nodiscard]] double their_time() const;
  /// Relative differences at the end.
  [[nodiscard]] double contacts_apart() const;
  [[nodiscard]] double kinetic_apart() const;
  /// Whether the states at the end agree.
  [[nodiscard]] bool agrees() const;
};

/// The table's heading, and a result in words.
[[nodiscard]] std::string steps_heading();
[[nodiscard]] std::string in_words(const step_result& result);
/// One line of data, and the names of its columns.
[[nodiscard]] std::string step_columns();
[[nodiscard]] std::string step_line(const step_result& result);

}  // namespace abut::cli
