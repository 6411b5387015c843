#include "screen/stopwatch.hpp"
#include "steps.hpp"

namespace abut::cli {
namespace {

/// Copies of the bodies side by side.
void add_copies(step_bodies& bodies, const std::array<int, 3>& copies) {
  std::vector<dem::body> all;
  for (int z = 0; z < copies[2]; ++z) {
    for (int y = 0; y < copies[1]; ++y) {
      for (int x = 0; x < copies[0]; ++x) {
        for (dem::body b : bodies.all) {
          b.position = b.position + dem::vec{1.0 * x, 1.0 * y, 1.0 * z} * bodies.side;
          all.push_back(b);
        }
      }
    }
  }
  bodies.all = std::move(all);
}

step_state state_of(const dem::simulation& simulation) {
  const dem::measures now = simulation.measure();
  return {.contacts = now.contacts, .kinetic = now.kinetic};
}

}  // namespace

dem::settings settings_of(const step_case& what, step_bodies& bodies, int threads) {
  if (what.copied()) add_copies(bodies, what.copies);
  dem::settings s;
  s.materials = dem::material_table({.stiffness = what.law.stiffness,
                                     .tangential_stiffness = what.law.tangential_stiffness(),
                                     .damping = what.law.damping,
                                     .tangential_damping = what.law.tangential_damping,
                                     .friction = what.law.friction});
  s.materials.add({.name = "spheres"});
  s.contact_law = dem::named_law("hooke", s.materials);
  for (std::size_t k = 0; k < 3; ++k) s.periodic[k] = interval{0, bodies.side * what.copies[k]};
  s.time_step = what.time_step;
  s.threads = threads;
  return s;
}

step_run run_ours(const step_case& what, step_bodies bodies, int threads, step_scheme scheme) {
  dem::settings settings = settings_of(what, bodies, threads);
  settings.half_step_velocities = scheme == step_scheme::as_lammps;
  stopwatch watch;
  dem::simulation simulation(settings, bodies.all);
  step_run run;
  run.start = watch.lap();
  simulation.run(what.warm_up + what.steps);
  run.seconds = watch.lap();
  const dem::times spent = simulation.spent();
  run.split = {.forces = spent.forces, .search = spent.update + spent.find, .motion = spent.integrate};
  run.rebuilds = simulation.searches();
  run.bytes = static_cast<double>(simulation.bytes());
  run.end = state_of(simulation);
  return run;
}

std::vector<step_state> comparable_states(const step_case& what, step_bodies bodies,
                                          const std::vector<std::uint64_t>& after) {
  dem::settings settings = settings_of(what, bodies, 0);
  settings.half_step_velocities = true;
  dem::simulation simulation(settings, bodies.all);
  std::vector<step_state> states;
  std::uint64_t done = 0;
  for (const std::uint64_t count : after) {
    simulation.run(count - done);
    done = count;
    states.push_back(state_of(simulation));
  }
  return states;
}

}  // namespace abut::cli
