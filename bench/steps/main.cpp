#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <abut/version.hpp>

#include "bench/bench.hpp"
#include "command_line.hpp"
#include "plan/calibration.hpp"
#include "programs.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* steps_examples =
    R"(Whole simulation steps of abut, LAMMPS and other programs on the same spheres, in
turn. A program is used if it is on the path; in Debian, the packages lammps,
liggghts and yade have them. Times are in ns per body and step. Those of other
programs are of their loops, after 50 steps, with the best of some skins and
lists of neighbors. abut's counts from its start on, with all planning and
tuning, over all steps; "steps alone" is the ratio without the time before the
first step. The exit code is 1 if a program fails, or if it has the same law and
ends with contacts or a kinetic energy that differ by more than 0.1 %.

A packing is prepared once, in minutes, and kept in the folder. Without LAMMPS,
abut prepares its own. --grow measures A's spheres in sizes from 1,000 to
9,733,600, the largest as copies side by side.

Cases:
  A  97,336 equal spheres at a volume fraction of 0.64, without friction
  B  the same with friction
  C  the same as A, ten times as fast
  D  100,000 spheres of size ratio 10, uniform in radius, fraction 0.40
  E  125,001 spheres of size ratio 50, number ~ r^-3, fraction 0.40

Examples:
  ./dev bench steps
  ./dev bench steps --cases A,C --threads 1,2
  ./dev bench steps --with lammps,liggghts,yade --repeat 1
  ./dev bench steps --cases A --instructions all --repeat 5
  ./dev bench steps --bodies 1000 --csv steps.csv
  ./dev bench steps --grow --csv growth.csv --resume)";

constexpr const char* own_name = "./dev bench steps";
constexpr std::uint64_t velocity_seed = 2;

/// The options as given on the command line.
struct steps_arguments {
  std::string cases{}, bodies{}, threads{}, instructions{}, steps{}, repeat{}, folder{}, csv{}, with{};
  bool grow = false;
  bool resume = false;
};

/// The parsed options.
struct steps_request : step_measurement {
  std::vector<step_case> cases{};
  std::vector<int> threads{1};
  std::optional<found_program> preparer{};  ///< LAMMPS, if it is there and wanted

  [[nodiscard]] const found_program* prepares() const { return preparer ? &*preparer : nullptr; }
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

const other_program& program_of(const std::string& with, std::string_view key) {
  for (const other_program* const p : other_programs()) {
    if (p->key == key) return *p;
  }
  throw error(fmt::format("--with {}: give some of lammps, liggghts and yade, or all or none", in_quotes(with)));
}

/// The programs to compare with. Those that were not asked for by name may be missing, which is said.
std::vector<found_program> programs_of(const std::string& with, const std::vector<int>& threads) {
  if (with == "none") return {};
  const bool by_name = !with.empty() && with != "all";
  std::vector<const other_program*> wanted;
  if (with.empty()) {
    wanted = {&lammps()};
  } else if (with == "all") {
    wanted.assign(other_programs().begin(), other_programs().end());
  } else {
    for (const std::string_view key : comma_separated(with)) wanted.push_back(&program_of(with, key));
  }
  std::vector<found_program> programs;
  for (const other_program* const which : wanted) {
    const found_program found = find_program(*which);
    const auto runs = [&](int count) { return found.can_run(count); };
    if (!std::all_of(threads.begin(), threads.end(), runs)) {
      if (by_name) throw error(fmt::format("--with {}: {}", with, found.missing()));
      print_err(fmt::format("{}: measuring {}", found.missing(), with == "all" ? "without it" : "abut alone"));
    }
    if (!found.file.empty()) programs.push_back(found);
  }
  return programs;
}

steps_request understand_steps(const steps_arguments& given) {
  if (given.grow && !(given.cases + given.steps).empty()) {
    throw error("--grow has cases of its own: leave --cases and --steps out");
  }
  if (given.resume && given.csv.empty()) throw error("--resume: give the file to go on with by --csv");
  steps_request request;
  const std::size_t bodies = given.bodies.empty() ? 0 : whole_option("--bodies", given.bodies, 64, 50'000'000);
  request.cases = given.grow ? growing_cases(bodies == 0 ? most_grown : bodies) : cases_of(given.cases);
  request.threads = thread_counts(given.threads);
  request.sets = instructions_option(given.instructions);
  if (!given.repeat.empty()) request.repeat = static_cast<int>(whole_option("--repeat", given.repeat, 1, 1000));
  for (step_case& c : request.cases) {
    if (bodies != 0 && !given.grow) c = resized(c, bodies);
    if (!given.steps.empty()) c.steps = whole_option("--steps", given.steps, 1, 1'000'000'000);
  }
  request.folder = given.folder.empty() ? default_folder() : given.folder;
  request.programs = programs_of(given.with, request.threads);
  if (given.with != "none") {
    const found_program found = find_program(lammps());
    if (found.can_run(1)) request.preparer = found;
  }
  std::error_code problem;
  std::filesystem::create_directories(request.folder, problem);
  if (problem) throw error(fmt::format("{}: {}", request.folder, problem.message()));
  return request;
}

/// The memory that a case takes, roughly, in bytes: bodies, our simulation or another program's, files.
double memory_of(const step_case& what, const std::vector<found_program>& programs) {
  double each = 1500;
  for (const found_program& program : programs) each = std::max(each, program.is->memory);
  return each * static_cast<double>(what.bodies());
}

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
bool fits(const step_case& what, const std::vector<found_program>& programs) {
  const double has = free_memory(), takes = memory_of(what, programs);
  if (has == 0 || takes < has) return true;
  print_err(fmt::format("{} bodies are left out: they take about {}, and {} are free", with_commas(what.bodies()),
                        byte_size(takes), byte_size(has)));
  return false;
}

/// The bodies of a case at the start. For other programs, they are in the file `data` too.
step_bodies start_of(const step_case& what, const std::string& data, const steps_request& request) {
  progress_line progress;
  step_bodies bodies = prepared(what, request.folder, request.prepares(), progress);
  set_velocities(bodies, what.speed, velocity_seed);
  if (!request.programs.empty()) write_data(fmt::format("{}/{}", request.folder, data), bodies);
  return bodies;
}

/// What went wrong with other programs, as a list in words.
std::string mistakes_of(const step_result& r) {
  std::vector<std::string> all;
  const std::string where =
      fmt::format("{} with {}", r.what.name, counted(static_cast<std::uint64_t>(r.threads), "thread"));
  for (const other_result& other : r.others) {
    if (!other.failure.empty()) {
      all.push_back(fmt::format("{} failed in {}", other.name, where));
    } else if (other.strict && !other.agrees()) {
      all.push_back(
          fmt::format("{} and abut end in different states in {}, so their times do not compare", other.name, where));
    }
  }
  return joined(all, "; ");
}

/// Measures a case; prints the results and adds them to the table.
void run_case(const step_case& what, const steps_request& request, step_table& table,
              std::vector<std::string>& mistakes) {
  const std::string data = fmt::format("{}-{}.data", what.name, what.packing.count);
  std::optional<step_bodies> bodies;
  for (const int threads : request.threads) {
    if (table.has(what, threads, request)) {
      print_err(fmt::format("{} with {} bodies and {}: in the file already", what.name, with_commas(what.bodies()),
                            counted(static_cast<std::uint64_t>(threads), "thread")));
      continue;
    }
    if (!bodies) bodies = start_of(what, data, request);
    const std::vector<step_result> results = measure_steps(what, *bodies, data, threads, request);
    for (const step_result& r : results) print_out(in_words(r));
    flush_out();
    table.add(results);
    if (std::string wrong = mistakes_of(results.front()); !wrong.empty()) mistakes.push_back(std::move(wrong));
  }
}

void run_steps_bench(const steps_arguments& given) {
  const steps_request request = understand_steps(given);
  step_table table(given.csv, given.resume);
  print_out(steps_heading());
  flush_out();
  std::vector<std::string> mistakes;
  for (const step_case& what : request.cases) {
    if (fits(what, request.programs)) run_case(what, request, table, mistakes);
  }
  table.finish();
  if (!mistakes.empty()) throw failed_check("./dev bench steps: " + joined(mistakes, "; "));
}

program steps_program() {
  const auto given = std::make_shared<steps_arguments>();
  program whole(own_name, ABUT_VERSION, "Compares whole simulation steps with those of other programs.",
                steps_examples);
  verb steps = whole.itself();
  steps.add_option("--cases", given->cases, "LIST", "Some of A,B,C,D,E; all if not given");
  steps.add_option("--bodies", given->bodies, "N", "About this many bodies instead; with --grow, at most");
  steps.add_flag("--grow", given->grow, "Instead: A's spheres, from 1,000 to 10 million of them");
  steps.add_option("--threads", given->threads, "LIST", "Numbers of threads, separated by commas (1)");
  steps.add_option("--instructions", given->instructions, "LIST",
                   "abut's vector instructions: avx512,avx2,sse4,neon,scalar or all");
  steps.add_option("--steps", given->steps, "N", "The number of timed steps");
  steps.add_option("--repeat", given->repeat, "R", "The number of repeats, of which the median counts (3)");
  steps.add_option("--with", given->with, "PROGRAMS", "Some of lammps,liggghts,yade; all, or none for abut alone");
  steps.add_option("--folder", given->folder, "DIR", "Where packings are kept (~/.cache/abut/steps)");
  steps.add_option("--csv", given->csv, "FILE", "Write the results to a file as well");
  steps.add_flag("--resume", given->resume, "Keep what the --csv file has, and measure the rest");
  steps.set_action([given] { run_steps_bench(*given); });
  return whole;
}

}  // namespace
}  // namespace abut::cli

int main(int argc, char** argv) { return abut::cli::run_program(argc, argv, abut::cli::steps_program); }
