#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "bench/steps.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// The file of a program on the path; empty if there is none.
std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return "";
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::string file = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

/// For the shell.
std::string in_single_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Open MPI refuses to run as root, pins ranks to cores, and spins while it waits even if other programs need the core,
/// unless its environment says otherwise.
constexpr const char* mpi_environment =
    "OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1";

std::string command_of(const lammps_programs& programs, int threads, const std::string& folder,
                       const std::string& input) {
  const std::string ranks = threads == 1 ? "" : fmt::format("{} -n {} ", in_single_quotes(programs.mpirun), threads);
  return fmt::format("cd {} && {} {}{} -in {} -log none </dev/null 2>&1", in_single_quotes(folder), mpi_environment,
                     ranks, in_single_quotes(programs.lmp), in_single_quotes(input));
}

/// LAMMPS's own message, or its last line.
std::string complaint(std::string_view printed) {
  std::size_t at = printed.find("ERROR");
  if (at == std::string_view::npos) {
    const std::size_t end = printed.find_last_not_of('\n');
    if (end == std::string_view::npos) return "it printed nothing";
    at = printed.find_last_of('\n', end);
    at = at == std::string_view::npos ? 0 : at + 1;
  }
  return std::string(printed.substr(at, printed.find('\n', at) - at));
}

/// The number after `words`, which follow the position `from`.
double number_after(std::string_view text, std::string_view words, std::size_t from) {
  const std::size_t at = text.find(words, from);
  if (at == std::string_view::npos) throw error(fmt::format("LAMMPS did not print \"{}\"", words));
  const char* begin = text.data() + std::min(text.find_first_not_of(" |", at + words.size()), text.size());
  double value = 0;
  if (!take_number(begin, text.data() + text.size(), value)) {
    throw error(fmt::format("LAMMPS printed no number after \"{}\"", words));
  }
  return value;
}

/// The average over all ranks of a line such as "Pair    | 0.1 | 0.2 | 0.3 |": its second number.
double part_of(std::string_view text, std::string_view name, std::size_t from) {
  const std::size_t line = text.find(fmt::format("\n{} ", name), from);
  if (line == std::string_view::npos) return 0;
  return number_after(text, "|", text.find('|', line) + 1);
}

std::string input_of(const step_case& what, const neighbor_choice& choice, const std::string& data) {
  std::string text = "units lj\natom_style sphere\nboundary p p p\nnewton on\n";
  text += fmt::format("read_data {}\n", data);
  if (what.bodies() > what.packing.count) {
    text += fmt::format("replicate {} {} {}\n", what.copies[0], what.copies[1], what.copies[2]);
  }
  text += fmt::format("pair_style {}\npair_coeff * *\n", pair_style_of(what.law));
  text += neighbors_of(what, choice);
  text += fmt::format("fix move all nve/sphere\ntimestep {}\nthermo_style custom step\nthermo 0\n", what.time_step);
  text += fmt::format("run {}\nrun {}\n", what.warm_up, what.steps);
  text +=
      "compute touching all contact/atom\n"
      "compute contacts all reduce sum c_touching\n"
      "compute moving all ke\n"
      "compute turning all erotate/sphere\n"
      "thermo_style custom step c_moving c_turning c_contacts\n"
      "run 0\n"
      "print \"at the end: moving $(c_moving:%.17g) turning $(c_turning:%.17g) contacts $(c_contacts:%.17g)\"\n";
  return text;
}

}  // namespace

std::string neighbors_of(const step_case& what, const neighbor_choice& choice) {
  if (choice.classes == 0) {
    return fmt::format("comm_modify vel yes\nneighbor {} bin\nneigh_modify delay 0\n", choice.skin);
  }
  std::string bounds;  // diameters, the largest of each class
  for (int k = choice.classes - 1; k >= 0; --k) {
    const double share = static_cast<double>(k) / choice.classes;
    bounds += fmt::format(" {:.9g}", 1.000001 * std::pow(what.packing.ratio, -share));
  }
  return fmt::format(
      "neighbor {} multi\ncomm_modify mode multi vel yes reduce/multi\n"
      "neigh_modify delay 0 collection/interval {}{}\n",
      choice.skin, choice.classes, bounds);
}

lammps_programs find_lammps() { return {.lmp = on_path("lmp"), .mpirun = on_path("mpirun")}; }

std::string run_lammps(const lammps_programs& programs, int threads, const std::string& folder,
                       const std::string& input, const std::function<void(double step)>& tell) {
  const std::string command = command_of(programs, threads, folder, input);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw error("LAMMPS could not be started: " + programs.lmp);
  std::string printed;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    const std::string_view text = line.data();
    printed += text;
    const char* at = text.data() + std::min(text.find_first_not_of(' '), text.size());
    double step = 0;
    if (tell && take_number(at, text.data() + text.size(), step)) tell(step);
  }
  if (::pclose(pipe) != 0 || printed.find("ERROR") != std::string::npos) {
    throw error(fmt::format("LAMMPS failed on {}/{}: {}", folder, input, complaint(printed)));
  }
  return printed;
}

std::string pair_style_of(const step_law& law) {
  if (law.friction == 0) return fmt::format("gran/hooke {} NULL {} 0 0 0", law.stiffness, law.damping);
  return fmt::format("gran/hooke/history {} {:.17g} {} {} {} 1", law.stiffness, law.tangential_stiffness(), law.damping,
                     law.tangential_damping, law.friction);
}

step_run run_theirs(const step_case& what, const neighbor_choice& choice, const std::string& data, int threads,
                    const std::string& folder, const lammps_programs& programs) {
  const std::string input = fmt::format("{}-{}.in", what.name, what.bodies());
  write_text(fmt::format("{}/{}", folder, input), input_of(what, choice, data));
  const std::string printed = run_lammps(programs, threads, folder, input, {});
  constexpr std::string_view loop = "Loop time of";
  const std::size_t timed = printed.find(loop, printed.find(loop) + 1);
  step_run run;
  run.seconds = number_after(printed, loop, timed);
  run.forces = part_of(printed, "Pair", timed);
  run.search = part_of(printed, "Neigh", timed);
  run.integrate = part_of(printed, "Modify", timed);
  run.rebuilds = static_cast<std::uint64_t>(number_after(printed, "Neighbor list builds =", timed));
  if (number_after(printed, "Dangerous builds =", timed) > 0) {
    throw error(
        fmt::format("LAMMPS rebuilt its list too late with a skin of {}, so its result does not count", choice.skin));
  }
  const std::size_t memory = printed.find("memory allocation", printed.find(loop));
  run.bytes = number_after(printed, "|", printed.find('=', memory)) * 1024 * 1024 * threads;
  const std::size_t end = printed.rfind("at the end:");
  run.kinetic = number_after(printed, "moving", end) + number_after(printed, "turning", end);
  run.contacts = static_cast<std::uint64_t>(number_after(printed, "contacts", end) / 2);  // each counts for two bodies
  return run;
}

}  // namespace abut::cli
