#include <cmath>

#include <fmt/format.h>

#include "programs.hpp"

// LAMMPS: https://docs.lammps.org

namespace abut::cli {
namespace {

std::string pair_style_of(const step_law& law) {
  if (law.friction == 0) return fmt::format("gran/hooke {} NULL {} 0 0 0", law.stiffness, law.damping);
  return fmt::format("gran/hooke/history {} {:.17g} {} {} {} 1", law.stiffness, law.tangential_stiffness(), law.damping,
                     law.tangential_damping, law.friction);
}

std::string lammps_input(const step_case& what, const neighbor_choice& choice, const std::string& data) {
  std::string text = "units lj\natom_style sphere\nboundary p p p\nnewton on\n";
  text += fmt::format("read_data {}\n", data);
  if (what.copied()) text += fmt::format("replicate {} {} {}\n", what.copies[0], what.copies[1], what.copies[2]);
  text += fmt::format("pair_style {}\npair_coeff * *\n", pair_style_of(what.law));
  text += lammps_neighbors(what, choice);
  text += fmt::format("fix move all nve/sphere\ntimestep {}\nthermo_style custom step\nthermo 0\n", what.time_step);
  text += fmt::format("run {}\nrun {}\n", what.warm_up, what.steps);
  return text + lammps_measures();
}

/// The average over all ranks of a line such as "Pair    | 0.1 | 0.2 | 0.3 |": its second number.
double part_of(const printed_text& printed, std::string_view name, std::size_t from) {
  const std::string line = fmt::format("\n{} ", name);
  if (!printed.has(line, from)) return 0;
  const std::size_t least = printed.place_of("|", printed.place_of(line, from));
  return printed.number_after("|", least + 1);
}

step_run result_of_lammps(const printed_text& printed, int threads) {
  std::size_t timed = 0;
  step_run run = lammps_result(printed, timed);
  run.split = {.forces = part_of(printed, "Pair", timed),
               .search = part_of(printed, "Neigh", timed),
               .motion = part_of(printed, "Modify", timed)};
  const std::size_t memory = printed.place_of("memory allocation", printed.place_of("Loop time of"));
  run.bytes = printed.number_after("|", printed.place_of("=", memory)) * 1024 * 1024 * threads;
  return run;
}

}  // namespace

std::string lammps_measures() {
  return "compute touching all contact/atom\n"
         "compute contacts all reduce sum c_touching\n"
         "compute moving all ke\n"
         "compute turning all erotate/sphere\n"
         "thermo_style custom step c_moving c_turning c_contacts\n"
         "run 0\n"
         "variable moving equal c_moving\n"
         "variable turning equal c_turning\n"
         "variable contacts equal c_contacts\n"
         "print \"at the end: moving ${moving} turning ${turning} contacts ${contacts}\"\n";
}

step_run lammps_result(const printed_text& printed, std::size_t& timed) {
  constexpr std::string_view loop = "Loop time of";
  timed = printed.place_of(loop, printed.place_of(loop) + 1);
  step_run run;
  run.seconds = printed.number_after(loop, timed);
  run.rebuilds = static_cast<std::uint64_t>(printed.number_after("Neighbor list builds =", timed));
  if (printed.number_after("Dangerous builds =", timed) > 0) {
    throw error("it rebuilt its list of neighbors too late, so its result does not count");
  }
  const std::size_t end = printed.last_place_of("at the end:");
  run.end.kinetic = printed.number_after("moving", end) + printed.number_after("turning", end);
  // Each contact counts for two bodies.
  run.end.contacts = static_cast<std::uint64_t>(printed.number_after("contacts", end) / 2);
  return run;
}

std::string lammps_neighbors(const step_case& what, const neighbor_choice& choice) {
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

const other_program& lammps() {
  static const other_program program{
      .key = "lammps",
      .name = "LAMMPS",
      .executable = "lmp",
      .package = "lammps",
      .strict = [](const step_case&) { return true; },
      .choices = [](const step_case& what) { return what.choices; },
      .input = lammps_input,
      .arguments = [](const std::string& input, int) { return fmt::format("-in {} -log none", input); },
      .result = result_of_lammps};
  return program;
}

}  // namespace abut::cli
