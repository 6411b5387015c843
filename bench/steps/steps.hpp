#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/dem/dem.hpp>

#include "base/instructions.hpp"
#include "generators.hpp"
#include "screen/progress.hpp"

/// `./dev bench steps`: whole simulation steps, beside those of other programs on the same spheres.
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

/// How another program lists neighbors.
struct neighbor_choice {
  double skin = 0;
  int classes = 0;  ///< of sizes, for LAMMPS's `neighbor multi`; 0 for one grid of cells
};

/// What is measured.
struct step_case {
  std::string name{};
  step_packing packing{};
  step_law law{};
  double time_step = 0;
  double speed = 0;                        ///< root mean square on each axis, at the start
  std::uint64_t steps = 0;                 ///< timed
  std::uint64_t warm_up = 50;              ///< before that
  std::array<int, 3> copies{1, 1, 1};      ///< of the packing, side by side on each axis
  std::vector<neighbor_choice> choices{};  ///< of which LAMMPS's best counts
  int most_repeats = 1000;                 ///< whatever the user asks for; few if a run takes minutes
  [[nodiscard]] std::size_t bodies() const;
  [[nodiscard]] bool copied() const { return bodies() > packing.count; }
};

/// The cases A to E.
[[nodiscard]] const std::vector<step_case>& step_cases();
/// Case A with more and more bodies, 1,000 to `most`.
inline constexpr std::size_t most_grown = 9'733'600;
[[nodiscard]] std::vector<step_case> growing_cases(std::size_t most = most_grown);
/// The case with about this many bodies.
[[nodiscard]] step_case resized(step_case from, std::size_t bodies);

/// The bodies of a packing in a periodic cube from 0 to `side`.
struct step_bodies {
  double side = 0;
  std::vector<dem::body> all{};
};

/// Writes a whole file. Throws `error` with the path.
void write_text(const std::string& path, std::string_view text);
/// Reads a data file of LAMMPS (atom style sphere, one cube). Bodies are in the order of their ids.
[[nodiscard]] step_bodies read_data(const std::string& path);
/// Writes one, with all digits. LIGGGHTS reads it too.
void write_data(const std::string& path, const step_bodies& bodies);

/// Velocities of this root mean square on each axis, the same for the same seed; no spin.
void set_velocities(step_bodies& bodies, double speed, std::uint64_t seed);

struct found_program;

/// The packing of a case, at rest. Prepared by LAMMPS, or by abut if there is none, and kept in the folder.
[[nodiscard]] step_bodies prepared(const step_case& what, const std::string& folder, const found_program* lammps,
                                   progress_line& progress);

/// What programs are compared by, apart from time.
struct step_state {
  std::uint64_t contacts = 0;
  double kinetic = 0;  ///< energy, rotation included
};

/// Where the time of a run went, in seconds.
struct step_split {
  double forces = 0, search = 0, motion = 0;
};

/// One run: time, where it went, and the state at the end. Times are in seconds.
struct step_run {
  double start = 0;  ///< before the first step; abut only
  double seconds = 0;
  std::optional<step_split> split{};        ///< if the program says
  std::optional<std::uint64_t> rebuilds{};  ///< of the list of neighbors, if the program says
  double bytes = 0;
  step_state end{};
};

/// When damping and friction see velocities: `dem::settings::half_step_velocities`.
enum class step_scheme { by_default, as_lammps };

/// Runs abut, untuned: all steps, those of the warm-up too.
[[nodiscard]] step_run run_ours(const step_case& what, step_bodies bodies, int threads, step_scheme scheme);

/// Our states after these numbers of steps, in ascending order, by LAMMPS's scheme: the state to compare with another
/// program's.
[[nodiscard]] std::vector<step_state> comparable_states(const step_case& what, step_bodies bodies,
                                                        const std::vector<std::uint64_t>& after);

/// The settings of our simulation; sets the materials of the bodies, and copies them if the case asks for it.
[[nodiscard]] dem::settings settings_of(const step_case& what, step_bodies& bodies, int threads);

/// What was measured of another program.
struct other_result {
  std::string key{};        ///< "lammps", for example
  std::string name{};       ///< "LAMMPS"
  std::uint64_t steps = 0;  ///< timed
  neighbor_choice best{};
  step_run run{};
  step_state ours{};      ///< abut's state after as many steps, from `comparable_states`
  bool strict = false;    ///< whether the states must agree: the program has the same law and scheme
  std::string failure{};  ///< why there is no run; empty if there is one

  /// Relative differences at the end.
  [[nodiscard]] double contacts_apart() const;
  [[nodiscard]] double kinetic_apart() const;
  /// Whether the states at the end agree.
  [[nodiscard]] bool agrees() const;
};

/// What was measured for one case, number of threads and instruction set. Medians of all repeats.
struct step_result {
  step_case what{};
  int threads = 1;
  instruction_set instructions{};
  step_run ours{};
  step_run as_lammps{};  ///< ours, by LAMMPS's scheme
  std::vector<other_result> others{};

  /// Seconds per body and step: ours from the start on, the same by LAMMPS's scheme, and of the steps alone; another
  /// program's.
  [[nodiscard]] double our_time() const;
  [[nodiscard]] double our_time_as_lammps() const;
  [[nodiscard]] double our_steps_alone() const;
  [[nodiscard]] double time_of(const other_result& other) const;
};

/// The table's heading, and a result in words.
[[nodiscard]] std::string steps_heading();
[[nodiscard]] std::string in_words(const step_result& result);

/// Lines of data: the names of the columns; how the lines of a case and number of threads begin; the lines of abut, the
/// second by LAMMPS's scheme, and those of the other programs.
[[nodiscard]] std::string step_columns();
[[nodiscard]] std::string line_start(const step_case& what, int threads);
[[nodiscard]] std::vector<std::string> our_lines(const step_result& result);
[[nodiscard]] std::vector<std::string> other_lines(const step_result& result);

}  // namespace abut::cli
