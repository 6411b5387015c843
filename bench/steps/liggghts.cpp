#include <fmt/format.h>

#include "programs.hpp"

// LIGGGHTS, which began as LAMMPS: https://www.cfdem.com/media/DEM/docu/Manual.html
// Its model hooke/stiffness takes the numbers of LAMMPS's gran/hooke. With friction, its contact point lies in the
// middle of the overlap, while that of LAMMPS lies on both surfaces at once: torques and slip differ a little.

namespace abut::cli {
namespace {

std::string liggghts_input(const step_case& what, const neighbor_choice& choice, const std::string& data) {
  const step_law& law = what.law;
  const bool rubs = law.friction > 0;
  std::string text = "units si\natom_style sphere\nboundary p p p\nnewton off\ncommunicate single vel yes\n";
  text += fmt::format("read_data {}\n", data);
  if (what.copied()) text += fmt::format("replicate {} {} {}\n", what.copies[0], what.copies[1], what.copies[2]);
  text += fmt::format("neighbor {} bin\nneigh_modify delay 0\n", choice.skin);
  const auto property = [&](const char* name, double value) {
    text += fmt::format("fix {0} all property/global {0} peratomtypepair 1 {1:.17g}\n", name, value);
  };
  property("kn", law.stiffness);
  property("kt", law.tangential_stiffness());
  property("gamman", law.damping);
  property("gammat", law.tangential_damping);
  if (rubs) property("coefficientFriction", law.friction);
  text += fmt::format("pair_style gran model hooke/stiffness{}\npair_coeff * *\n", rubs ? " tangential history" : "");
  text += fmt::format("fix move all nve/sphere\ntimestep {}\nthermo_style custom step\nthermo {}\n", what.time_step,
                      what.warm_up + what.steps);
  text += fmt::format("run {}\nrun {}\n", what.warm_up, what.steps);
  return text + lammps_measures();
}

step_run result_of_liggghts(const printed_text& printed, int threads) {
  std::size_t timed = 0;
  step_run run = lammps_result(printed, timed);
  // "Other" is all that it does not list, above all motion.
  run.split = {.forces = printed.number_after("Pair  time (%)", timed),
               .search = printed.number_after("Neigh time (%)", timed),
               .motion = printed.number_after("Other time (%)", timed)};
  run.bytes = printed.number_after("Memory usage per processor") * 1024 * 1024 * threads;
  return run;
}

/// It has one grid of cells only: LAMMPS's skins of that kind, or around the only one.
std::vector<neighbor_choice> liggghts_skins(const step_case& what) {
  std::vector<neighbor_choice> some;
  for (const neighbor_choice& choice : what.choices) {
    if (choice.classes == 0) some.push_back(choice);
  }
  if (some.size() != 1) return some;
  const double only = some.front().skin;
  return {{only / 2, 0}, {only, 0}, {only * 2, 0}};
}

}  // namespace

const other_program& liggghts() {
  static const other_program program{
      .key = "liggghts",
      .name = "LIGGGHTS",
      .executable = "liggghts",
      .package = "liggghts",
      .share = 5,
      .strict = [](const step_case& what) { return what.law.friction == 0; },
      .choices = liggghts_skins,
      .input = liggghts_input,
      .arguments = [](const std::string& input, int) { return fmt::format("-in {} -log none", input); },
      .result = result_of_liggghts};
  return program;
}

}  // namespace abut::cli
