#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/steps.hpp"
#include "screen/stopwatch.hpp"

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

/// Our law takes the viscosity of two materials, LAMMPS's the damping per reduced mass. So bodies of each class of
/// sizes are of one material.
constexpr int classes_per_decade = 32;

double sphere_mass(double r) { return 4.0 / 3 * std::numbers::pi * r * r * r; }

/// Sets the bodies' materials. Returns the mean mass of each.
std::vector<double> set_materials(const step_packing& packing, std::vector<dem::body>& all) {
  const int classes = packing.equal() ? 1 : static_cast<int>(std::ceil(classes_per_decade * std::log10(packing.ratio)));
  std::vector<double> mass(static_cast<std::size_t>(classes)), count(mass.size());
  for (dem::body& b : all) {
    const double below = std::log10(0.5 / b.radius) * classes_per_decade;
    b.material = static_cast<unsigned>(std::clamp(static_cast<int>(below), 0, classes - 1));
    mass[b.material] += sphere_mass(b.radius);
    count[b.material] += 1;
  }
  for (std::size_t k = 0; k < mass.size(); ++k) mass[k] = count[k] > 0 ? mass[k] / count[k] : 1;
  return mass;
}

}  // namespace

dem::settings settings_of(const step_case& what, step_bodies& bodies, int threads) {
  if (what.bodies() > what.packing.count) add_copies(bodies, what.copies);
  const std::vector<double> masses = set_materials(what.packing, bodies.all);
  dem::settings s;
  for (std::size_t k = 0; k < masses.size(); ++k) s.materials.add({.name = "spheres"});
  for (unsigned a = 0; a < masses.size(); ++a) {
    for (unsigned b = 0; b <= a; ++b) {
      const double reduced = masses[a] * masses[b] / (masses[a] + masses[b]);
      s.materials.set(a, b,
                      {.stiffness = what.law.stiffness,
                       .tangential_stiffness = what.law.tangential_stiffness(),
                       .viscosity = what.law.damping * reduced,
                       .tangential_viscosity = what.law.tangential_damping * reduced,
                       .friction = what.law.friction});
    }
  }
  s.contact_law = dem::named_law("hooke", s.materials);
  for (std::size_t k = 0; k < 3; ++k) s.periodic[k] = interval{0, bodies.side * what.copies[k]};
  s.time_step = what.time_step;
  s.threads = threads;
  return s;
}

step_run run_ours(const step_case& what, step_bodies bodies, int threads) {
  const dem::settings settings = settings_of(what, bodies, threads);
  stopwatch watch;
  dem::simulation simulation(settings, bodies.all);
  step_run run;
  run.start = watch.lap();
  simulation.run(what.warm_up + what.steps);
  run.seconds = watch.lap();
  const dem::times spent = simulation.spent();
  run.forces = spent.forces;
  run.search = spent.update + spent.find;
  run.integrate = spent.integrate;
  run.rebuilds = simulation.searches();
  run.bytes = static_cast<double>(simulation.bytes());
  const dem::measures end = simulation.measure();
  run.contacts = end.contacts;
  run.kinetic = end.kinetic;
  return run;
}

}  // namespace abut::cli
