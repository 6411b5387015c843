#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

#include "files/file_bytes.hpp"
#include "programs.hpp"
#include "screen/words.hpp"

// How the packings are made. LAMMPS melts a lattice and compresses it, or lets a random packing collide. Without
// LAMMPS, abut does nearly the same: its periods cannot shrink, so a lattice starts compressed.

namespace abut::cli {
namespace {

constexpr std::uint64_t packing_seed = 1;
constexpr std::size_t worth_two_cores = 20'000;
constexpr double sphere_volume = std::numbers::pi / 6;                // of diameter 1
constexpr double loose_fraction = 0.5;                                // of the lattice, before it is compressed
constexpr int melting = 2000, compressing = 4000, relaxing = 14'000;  // steps of LAMMPS, for equal spheres
constexpr int settling = 4000;                                        // ours, for the same
constexpr int mixing = 1000;                                          // for spheres of many sizes

int sites_along(const step_packing& packing) {
  return static_cast<int>(std::lround(std::cbrt(static_cast<double>(packing.count))));
}

double lattice_side(const step_packing& packing, double fraction) {
  return sites_along(packing) * std::cbrt(sphere_volume / fraction);
}

/// LAMMPS's input for equal spheres: a jittered lattice melts, is compressed with strong damping, and relaxes.
std::string squeezing_input(const step_case& what, const std::string& out) {
  const int n = sites_along(what.packing);
  const double start = lattice_side(what.packing, loose_fraction);
  const double end = lattice_side(what.packing, what.packing.fraction);
  const double k = what.law.stiffness;
  std::string text = "units lj\natom_style sphere\nboundary p p p\ncomm_modify vel yes\n";
  text += fmt::format("lattice sc 1 origin 0.5 0.5 0.5\nregion box block 0 {0} 0 {0} 0 {0} units lattice\n", n);
  text += "create_box 1 box\ncreate_atoms 1 box\nset group all diameter 1 density 1\n";
  text +=
      fmt::format("change_box all x final 0 {0:.17g} y final 0 {0:.17g} z final 0 {0:.17g} remap units box\n", start);
  text += "displace_atoms all random 0.1 0.1 0.1 12345\nvelocity all create 2.0 4321\n";
  text += fmt::format("pair_style gran/hooke {} NULL 0 0 0 0\npair_coeff * *\n", k);
  text += "neighbor 0.15 bin\nneigh_modify delay 0\nfix move all nve/sphere\nfix heat all langevin 2.0 2.0 0.1 77\n";
  text +=
      fmt::format("timestep {}\nthermo 100\nthermo_style custom step\nrun {}\nunfix heat\n", what.time_step, melting);
  text += fmt::format("pair_style gran/hooke {} NULL 400 0 0 0\npair_coeff * *\n", k);
  text += fmt::format(
      "fix squeeze all deform 1 x final 0 {0:.17g} y final 0 {0:.17g} z final 0 {0:.17g} remap x units box\n", end);
  text += fmt::format("run {}\nunfix squeeze\nfix drag all viscous 5\nrun {}\n", compressing, relaxing);
  return text + fmt::format("write_data {} nocoeff\n", out);
}

/// LAMMPS's input for spheres of many sizes: they collide without damping for a while.
std::string mixing_input(const step_case& what, const std::string& in, const std::string& out) {
  std::string text = "units lj\natom_style sphere\nboundary p p p\n";
  text += fmt::format("read_data {}\npair_style gran/hooke {} NULL 0 0 0 0\npair_coeff * *\n", in, what.law.stiffness);
  text += lammps_neighbors(what, what.choices.back()) + "fix move all nve/sphere\n";
  text += fmt::format("timestep {}\nthermo 100\nthermo_style custom step\nrun {}\n", what.time_step, mixing);
  return text + fmt::format("write_data {} nocoeff\n", out);
}

/// Spheres at random that do not overlap.
step_bodies loose_spheres(const step_case& what, progress_line& progress) {
  const step_packing& p = what.packing;
  const samples::packed packed = samples::packing({.dimension = 3,
                                                   .count = p.count,
                                                   .sizes = p.sizes,
                                                   .r_max = 0.5,
                                                   .ratio = p.ratio,
                                                   .fraction = p.fraction,
                                                   .seed = packing_seed,
                                                   .progress = [&](double part) { progress.done(part); }});
  step_bodies bodies{.side = packed.side, .all = std::vector<dem::body>(p.count)};
  const auto& column = packed.bodies.column;
  for (std::size_t i = 0; i < p.count; ++i) {
    bodies.all[i].position = {column[0][i], column[1][i], column[2][i]};
    bodies.all[i].radius = column[3][i];
  }
  return bodies;
}

/// Equal spheres on a jittered lattice that is compressed already.
step_bodies tight_lattice(const step_case& what) {
  const double side = lattice_side(what.packing, what.packing.fraction);
  const double spacing = side / sites_along(what.packing);
  const samples::set sites = samples::lattice(shape::sphere, 3, what.packing.count, spacing, 0.1, 0.5, packing_seed);
  step_bodies bodies{.side = side, .all = std::vector<dem::body>(what.packing.count)};
  for (std::size_t i = 0; i < bodies.all.size(); ++i) {
    bodies.all[i].position = {sites.column[0][i], sites.column[1][i], sites.column[2][i]};
    bodies.all[i].radius = 0.5;
  }
  return bodies;
}

/// Runs our simulation for some steps and takes over its state.
void simulate_for(const step_case& what, step_bodies& bodies, int steps, progress_line& progress) {
  const int threads = bodies.all.size() >= worth_two_cores ? 0 : 1;
  dem::simulation run(settings_of(what, bodies, threads), bodies.all);
  constexpr int piece = 100;
  for (int done = 0; done < steps; done += piece) {
    run.run(piece);
    progress.done(static_cast<double>(done + piece) / steps);
  }
  for (std::uint32_t id = 0; id < bodies.all.size(); ++id)
    bodies.all[id].position = run.bodies().position[run.row_of(id)];
}

/// Prepares a packing with our simulation.
step_bodies prepared_by_abut(step_case what, progress_line& progress) {
  what.copies = {1, 1, 1};
  if (what.packing.equal()) {
    step_bodies bodies = tight_lattice(what);
    what.law.damping = 400;
    simulate_for(what, bodies, settling, progress);
    return bodies;
  }
  step_bodies bodies = loose_spheres(what, progress);
  set_velocities(bodies, what.speed, packing_seed);
  what.law.damping = 0;
  simulate_for(what, bodies, mixing, progress);
  return bodies;
}

bool same_text(const std::string& path, const std::string& text) {
  return std::filesystem::exists(path) && read_file(path, [](std::string_view, double) {}).text() == text;
}

/// Prepares a packing with LAMMPS, unless the folder has one that was made in the same way.
void prepare_by_lammps(const step_case& what, const std::string& name, const std::string& folder,
                       const found_program& lammps, progress_line& progress) {
  const std::string data = name + ".data", input = name + ".in";
  const std::string loose = name + "-loose.data";
  const bool equal = what.packing.equal();
  const std::string text = equal ? squeezing_input(what, data) : mixing_input(what, loose, data);
  const std::string path = fmt::format("{}/{}", folder, data), kept = fmt::format("{}/{}", folder, input);
  if (std::filesystem::exists(path) && same_text(kept, text)) return;
  std::filesystem::remove(path);
  if (!equal) {
    step_bodies bodies = loose_spheres(what, progress);
    set_velocities(bodies, what.speed, packing_seed);
    write_data(fmt::format("{}/{}", folder, loose), bodies);
  }
  progress.say(fmt::format("{}: LAMMPS prepares {} spheres, once", what.name, with_commas(what.packing.count)));
  write_text(kept, text);
  const double steps = equal ? melting + compressing + relaxing : mixing;
  const int threads = what.packing.count >= worth_two_cores && lammps.can_run(2) ? 2 : 1;
  (void)run_program(lammps, threads, folder, input, [&](double step) { progress.done(step / steps); });
  if (!equal) std::filesystem::remove(fmt::format("{}/{}", folder, loose));
}

}  // namespace

step_bodies prepared(const step_case& what, const std::string& folder, const found_program* lammps,
                     progress_line& progress) {
  const bool by_lammps = lammps != nullptr;
  const std::string name = fmt::format("{}-{}{}", what.packing.name, what.packing.count, by_lammps ? "" : "-by-abut");
  progress.stage(fmt::format("{}: preparing {} spheres with {}, once", what.name, with_commas(what.packing.count),
                             by_lammps ? "LAMMPS" : "abut"));
  const std::string path = fmt::format("{}/{}.data", folder, name);
  if (by_lammps) {
    prepare_by_lammps(what, name, folder, *lammps, progress);
  } else if (!std::filesystem::exists(path)) {
    write_data(path, prepared_by_abut(what, progress));
  }
  return read_data(path);
}

}  // namespace abut::cli
