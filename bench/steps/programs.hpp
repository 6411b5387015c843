#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "steps.hpp"

/// The programs with which `./dev bench steps` compares, driven by input files that abut writes.
namespace abut::cli {

/// What a program printed.
class printed_text {
 public:
  printed_text(std::string program, std::string text) : program_(std::move(program)), text_(std::move(text)) {}
  /// The place of these words at or after `from`. Throws `error` if they are not there.
  [[nodiscard]] std::size_t place_of(std::string_view words, std::size_t from = 0) const;
  /// The place of the last ones.
  [[nodiscard]] std::size_t last_place_of(std::string_view words) const;
  /// The number after the words; spaces, bars and = may be between. Throws `error` if there is none.
  [[nodiscard]] double number_after(std::string_view words, std::size_t from = 0) const;
  [[nodiscard]] bool has(std::string_view words, std::size_t from = 0) const;

 private:
  std::string program_;
  std::string text_;
};

/// A program that simulates spheres. Files are in one folder, in which it is started.
struct other_program {
  const char* key = "";         ///< for --with and in data
  const char* name = "";        ///< in words
  const char* executable = "";  ///< on the path
  const char* package = "";     ///< in Debian
  const char* input_ending = ".in";
  bool processes = true;    ///< runs as processes of mpirun, or else as threads
  std::uint64_t share = 1;  ///< it is timed for the steps / share: more if it is slow
  double memory = 1500;     ///< the bytes per body that it takes, roughly, with all that it reads
  /// Whether contacts and energies must agree with abut's; other programs have other laws of friction, for example.
  bool (*strict)(const step_case& what) = nullptr;
  /// The ways of listing neighbors of which the best counts.
  std::vector<neighbor_choice> (*choices)(const step_case& what) = nullptr;
  /// The input file for the spheres in the file `data`.
  std::string (*input)(const step_case& what, const neighbor_choice& choice, const std::string& data) = nullptr;
  /// Its arguments, for the shell.
  std::string (*arguments)(const std::string& input, int threads) = nullptr;
  /// What it measured. Throws `error` if its figures do not count.
  step_run (*result)(const printed_text& printed, int threads) = nullptr;
};

[[nodiscard]] const other_program& lammps();
[[nodiscard]] const other_program& liggghts();
[[nodiscard]] const other_program& yade();
/// All of them.
[[nodiscard]] std::span<const other_program* const> other_programs();

/// A program and its files; an empty path if one is missing.
struct found_program {
  const other_program* is = nullptr;
  std::string file{};
  std::string mpirun{};
  [[nodiscard]] bool can_run(int threads) const {
    return !file.empty() && (threads == 1 || !is->processes || !mpirun.empty());
  }
  /// What is missing, in words, for this number of threads.
  [[nodiscard]] std::string missing() const;
};
[[nodiscard]] found_program find_program(const other_program& which);

/// Runs a program in a folder on an input file there. Returns what it prints; calls `tell` with the number at the start
/// of each line that begins with one, a step. Throws `error` with the program's own message if it fails.
[[nodiscard]] printed_text run_program(const found_program& program, int threads, const std::string& folder,
                                       const std::string& input, const std::function<void(double step)>& tell);

/// Runs a program on the case, whose bodies are in the file `data` of the folder.
[[nodiscard]] step_run run_theirs(const found_program& program, const step_case& what, const neighbor_choice& choice,
                                  const std::string& data, int threads, const std::string& folder);

/// How cases are measured.
struct step_measurement {
  std::vector<found_program> programs{};
  std::vector<instruction_set> sets{};
  int repeat = 3;
  std::string folder{};
};

/// Measures a case with one number of threads: abut with every set of instructions, and the other programs, in turn.
/// The bodies are in the file `data` of the folder too. A program that fails has its message in its result.
[[nodiscard]] std::vector<step_result> measure_steps(const step_case& what, const step_bodies& bodies,
                                                     const std::string& data, int threads, const step_measurement& how);

/// LAMMPS's commands for the list of neighbors.
[[nodiscard]] std::string lammps_neighbors(const step_case& what, const neighbor_choice& choice);

/// The last commands of an input for LAMMPS or LIGGGHTS, whose computes are the same: contacts and energies.
[[nodiscard]] std::string lammps_measures();
/// The time of the second run that LAMMPS or LIGGGHTS printed, its rebuilds, and the state at the end.
[[nodiscard]] step_run lammps_result(const printed_text& printed, std::size_t& timed);

}  // namespace abut::cli
