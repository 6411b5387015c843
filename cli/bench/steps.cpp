#include "bench/steps.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "files/output_file.hpp"
#include "plan/calibration.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* steps_examples =
    R"(Whole simulation steps of abut and of LAMMPS (lmp on the path; in Debian, the
package lammps) on the same spheres, in turn. Times are in ns per body and step.
LAMMPS's time is its loop's, after 50 steps, with the best of some skins and
lists of neighbors. abut's counts from its start on, with all planning and
tuning, over all steps; "steps alone" is the ratio without the time before the
first step. The exit code is 1 if the contacts at the end differ by more than
0.1 % (and 3), or the kinetic energies by more than 0.3 %.

A packing is prepared once, in minutes, and kept in the folder. Without LAMMPS,
abut prepares its own, and measures itself alone. --grow measures A's spheres in
sizes from 1,000 to 9,733,600, the largest as copies side by side.

Cases:
  A  97,336 equal spheres at a volume fraction of 0.64, without friction
  B  the same with friction
  C  the same as A, ten times as fast
  D  100,000 spheres of size ratio 10, uniform in radius, fraction 0.40
  E  125,001 spheres of size ratio 50, number ~ r^-3, fraction 0.40

Examples:
  abut bench steps
  abut bench steps --cases A,C --threads 1,2
  abut bench steps --cases A --instructions all --repeat 5
  abut bench steps --bodies 1000 --csv steps.csv
  abut bench steps --grow --threads 2)";

constexpr std::uint64_t velocity_seed = 2;

/// The options as given on the command line.
struct steps_arguments {
  std::string cases{}, bodies{}, threads{}, instructions{}, steps{}, repeat{}, folder{}, csv{}, with{};
  bool grow = false;
};

/// The parsed options.
struct steps_request {
  std::vector<step_case> cases{};
  std::vector<int> threads{1};
  std::vector<instruction_set> sets{};
  int repeat = 3;
  std::string folder{};
  lammps_programs programs{};
};

std::vector<step_case> cases_of(const std::string& names) {
  if (names.empty()) return step_cases();
  std::vector<step_case> some;
  std::vector<std::string> known;
  for (const step_case& c : step_cases()) known.push_back(c.name);
  for (const std::string_view name : comma_separated(names)) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      throw error(fmt::format("--cases {}: there is no case {}; they are {}", in_quotes(names), in_quotes(name),
                              joined(known)));
    }
    some.push_back(step_cases()[static_cast<std::size_t>(at - known.begin())]);
  }
  return some;
}

std::vector<int> thread_counts(const std::string& text) {
  if (text.empty()) return {1};
  std::vector<int> counts;
  for (const std::string_view part : comma_separated(text)) {
    counts.push_back(static_cast<int>(whole_option("--threads", std::string(part), 1, most_threads)));
  }
  return counts;
}

/// Beside the planner's cache.
std::string default_folder() {
  const std::string calibration = calibration_file();
  if (calibration.empty()) throw error("there is no folder for caches, since HOME is not set; give one with --folder");
  return (std::filesystem::path(calibration).parent_path() / "steps").string();
}

lammps_programs programs_of(const std::string& with, const std::vector<int>& threads) {
  if (!with.empty() && with != "lammps" && with != "none") {
    throw error(fmt::format("--with {}: give lammps or none", in_quotes(with)));
  }
  if (with == "none") return {};
  lammps_programs found = find_lammps();
  for (const int count : threads) {
    if (found.can_run(count)) continue;
    const std::string missing = fmt::format("{} is not on the path (in Debian: apt-get install lammps)",
                                            found.lmp.empty() ? "LAMMPS's program lmp" : "mpirun");
    if (with == "lammps") throw error("--with lammps: " + missing);
    print_err(missing + ": measuring abut alone");
    break;
  }
  return found;
}

steps_request understand_steps(const steps_arguments& given) {
  if (given.grow && !(given.cases + given.bodies + given.steps).empty()) {
    throw error("--grow has cases of its own: leave --cases, --bodies and --steps out");
  }
  steps_request request{.cases = given.grow ? growing_cases() : cases_of(given.cases)};
  request.threads = thread_counts(given.threads);
  request.sets = instructions_option(given.instructions);
  if (!given.repeat.empty()) request.repeat = static_cast<int>(whole_option("--repeat", given.repeat, 1, 1000));
  for (step_case& c : request.cases) {
    if (!given.bodies.empty()) c = resized(c, whole_option("--bodies", given.bodies, 64, 50'000'000));
    if (!given.steps.empty()) c.steps = whole_option("--steps", given.steps, 1, 1'000'000'000);
  }
  request.folder = given.folder.empty() ? default_folder() : given.folder;
  request.programs = programs_of(given.with, request.threads);
  std::error_code problem;
  std::filesystem::create_directories(request.folder, problem);
  if (problem) throw error(fmt::format("{}: {}", request.folder, problem.message()));
  return request;
}

/// The choice with which LAMMPS is fastest, over half of the steps.
neighbor_choice best_choice(step_case what, const std::string& data, int threads, const steps_request& request,
                            progress_line& progress) {
  if (what.choices.size() == 1) return what.choices.front();
  what.steps = std::max<std::uint64_t>(what.steps / 2, 1);
  neighbor_choice best{};
  double least = 0;
  for (const neighbor_choice& choice : what.choices) {
    progress.stage(fmt::format("{}: LAMMPS, skin {}", what.name, choice.skin));
    const double seconds = run_theirs(what, choice, data, threads, request.folder, request.programs).seconds;
    if (least == 0 || seconds < least) {
      least = seconds;
      best = choice;
    }
  }
  return best;
}

/// The run of median time.
step_run median_of(std::vector<step_run> runs) {
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>((runs.size() - 1) / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](const step_run& a, const step_run& b) { return a.start + a.seconds < b.start + b.seconds; });
  return *middle;
}

/// Measures a case with one number of threads, with every set of instructions, LAMMPS and abut in turn.
std::vector<step_result> measure_steps(const step_case& what, const step_bodies& bodies, const std::string& data,
                                       int threads, const steps_request& request) {
  progress_line progress;
  const bool both = request.programs.can_run(threads);
  const neighbor_choice best = both ? best_choice(what, data, threads, request, progress) : neighbor_choice{};
  std::vector<step_run> theirs;
  std::vector<std::vector<step_run>> ours(request.sets.size());
  for (int k = 0; k < request.repeat; ++k) {
    const std::string repeat = fmt::format("{}: repeat {} of {}", what.name, k + 1, request.repeat);
    progress.stage(repeat + ", LAMMPS");
    if (both) theirs.push_back(run_theirs(what, best, data, threads, request.folder, request.programs));
    progress.stage(repeat + ", abut");
    for (std::size_t s = 0; s < ours.size(); ++s) {
      use_instructions(request.sets[s]);
      ours[s].push_back(run_ours(what, bodies, threads));
    }
    use_instructions({});
  }
  std::vector<step_result> results;
  for (std::size_t s = 0; s < ours.size(); ++s) {
    step_result r{.what = what, .threads = threads, .instructions = request.sets[s], .ours = median_of(ours[s])};
    if (both) r.theirs = median_of(theirs);
    r.best = best;
    results.push_back(r);
  }
  return results;
}

/// The memory that a case takes, roughly, in bytes: bodies, our simulation or LAMMPS's, files.
double memory_of(const step_case& what) { return 1500.0 * static_cast<double>(what.bodies()); }

/// The memory that is free, in bytes; 0 if the system does not say.
double free_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string name, unit; in >> name;) {
    double kilobytes = 0;
    in >> kilobytes;
    if (name == "MemAvailable:") return kilobytes * 1024;
    std::getline(in, unit);
  }
  return 0;
}

/// Says why if there is not enough memory.
bool fits(const step_case& what) {
  const double has = free_memory();
  if (has == 0 || memory_of(what) < has) return true;
  print_err(fmt::format("{} bodies are left out: they take about {}, and {} are free", with_commas(what.bodies()),
                        byte_size(memory_of(what)), byte_size(has)));
  return false;
}

/// The bodies of a case at the start. For LAMMPS, they are in the file `data` too.
step_bodies start_of(const step_case& what, const std::string& data, const steps_request& request) {
  progress_line progress;
  step_bodies bodies = prepared(what, request.folder, request.programs, progress);
  set_velocities(bodies, what.speed, velocity_seed);
  if (request.programs.can_run(1)) write_data(fmt::format("{}/{}", request.folder, data), bodies);
  return bodies;
}

/// Measures a case; prints the results and adds them to the data.
void run_case(const step_case& what, const steps_request& request, std::string& data_lines, std::string& mistakes) {
  const std::string data = fmt::format("{}-{}.data", what.name, what.packing.count);
  const step_bodies bodies = start_of(what, data, request);
  for (const int threads : request.threads) {
    for (const step_result& r : measure_steps(what, bodies, data, threads, request)) {
      print_out(in_words(r));
      flush_out();
      data_lines += step_line(r);
      if (!r.agrees()) mistakes += fmt::format("{}{}", mistakes.empty() ? "" : ", ", what.name);
    }
  }
}

void run_steps_bench(const steps_arguments& given) {
  const steps_request request = understand_steps(given);
  std::optional<output_file> csv;
  if (!given.csv.empty()) csv.emplace(given.csv);
  std::string data_lines = step_columns(), mistakes;
  print_out(steps_heading());
  flush_out();
  for (const step_case& what : request.cases) {
    if (fits(what)) run_case(what, request, data_lines, mistakes);
  }
  if (csv) {
    csv->open();
    csv->write(data_lines.data(), data_lines.size());
    csv->commit();
  }
  if (!mistakes.empty())
    throw error("abut and LAMMPS end in different states in " + mistakes +
                ": the figures above compare different things");
}

}  // namespace

void add_bench_steps(verb bench) {
  const auto given = std::make_shared<steps_arguments>();
  verb steps = bench.add_verb("steps", "Compare whole simulation steps with those of LAMMPS");
  steps.add_option("--cases", given->cases, "LIST", "Some of A,B,C,D,E; all if not given");
  steps.add_option("--bodies", given->bodies, "N", "About this many bodies instead");
  steps.add_flag("--grow", given->grow, "Instead: A's spheres, from 1,000 to 10 million of them");
  steps.add_option("--threads", given->threads, "LIST", "Numbers of threads, separated by commas (1)");
  steps.add_option("--instructions", given->instructions, "LIST",
                   "abut's vector instructions: avx512,avx2,sse4,neon,scalar or all");
  steps.add_option("--steps", given->steps, "N", "The number of timed steps");
  steps.add_option("--repeat", given->repeat, "R", "The number of repeats, of which the median counts (3)");
  steps.add_option("--with", given->with, "PROGRAM", "lammps, or none to measure abut alone");
  steps.add_option("--folder", given->folder, "DIR", "Where packings are kept (~/.cache/abut/steps)");
  steps.add_option("--csv", given->csv, "FILE", "Write the results to a file as well");
  steps.set_footer(steps_examples);
  steps.set_action([given, bench] {
    for (const std::string& option : bench.given()) {
      throw error(fmt::format("bench steps has cases of its own: leave {} out", option));
    }
    run_steps_bench(*given);
  });
}

}  // namespace abut::cli
