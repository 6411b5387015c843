// Writes the curves of docs/validation.md to standard output, as CSV: plot, curve, x, y. The numbers are the same on
// every machine, so a test compares the file with what this program writes.

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "collision.hpp"
#include "grains.hpp"

namespace {

using namespace abut::dem;
using dem_support::head_on;
using dem_support::mass_of;
using dem_support::on_plane;
using dem_support::one_material;
using dem_support::with;

constexpr double pi = std::numbers::pi;

void point(const std::string& plot, const std::string& curve, double x, double y) {
  std::printf("%s,%s,%.5g,%.5g\n", plot.c_str(), curve.c_str(), x, y);
}

// A spring and dashpot: the restitution and the time of contact, relative to that without damping.
void damped_collisions() {
  const double r = 0.5;
  const double k = 1e5;
  const double m = mass_of(1, r) / 2;
  const double alone = pi * std::sqrt(m / k);
  for (int share = 0; share <= 90; share += 10) {  // of the critical damping, in hundredths
    const double g = 2 * std::sqrt(k / m) * share / 100;
    const double lasts = pi / std::sqrt(k / m - g * g / 4);
    const auto found = head_on(with("hooke", one_material({.stiffness = k, .viscosity = g * m}), lasts / 100), r, 0.5);
    point("dashpot", "restitution", share / 100.0, found.speed_out);
    point("dashpot", "time", share / 100.0, found.lasts / alone);
  }
}

// Chung and Ooi 2011, test 1: the force while two spheres collide.
void hertz_impacts() {
  const struct {
    const char* name;
    double young, poisson, density, lasts;
  } all[] = {{"glass", 48e9, 0.20, 2800, 40.3e-6}, {"limestone", 20e9, 0.25, 2500, 54.2e-6}};
  for (const auto& i : all) {
    material_table m;
    m.add({i.name, i.density, i.young, i.poisson});
    simulation run(with("hertz-mindlin", m, i.lasts / 100),
                   {{.position = {-0.01, 0, 0}, .velocity = {10, 0, 0}, .radius = 0.01},
                    {.position = {0.01, 0, 0}, .velocity = {-10, 0, 0}, .radius = 0.01}});
    for (int step = 0; step <= 104; step += 2) {
      point("hertz", i.name, run.time() * 1e6, length(run.bodies().force[0]) / 1e3);
      run.run(2);
    }
  }
}

void restitutions() {
  const double r = 0.0025;
  const double mass = mass_of(4000, r);
  for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    const double k = 1e6;
    const double lasts = pi * std::sqrt(mass / 2 / k);
    const interaction i{.stiffness = k, .restitution = e};
    point("restitution", "hooke", e,
          head_on(with("hooke", one_material(i, {.density = 4000}), lasts / 100), r, 1).speed_out / 2);
    material_table m({.restitution = e});
    m.add({"aluminium oxide", 4000, 380e9, 0.23});
    m.add({.name = "rigid"});
    point("restitution", "hertz-mindlin", e,
          on_plane(with("hertz-mindlin", m, 14e-8), r, {0, 0, -3.9}).speed_out / 3.9);
  }
}

// Chung and Ooi 2011, test 4: a sphere meets a plane at an angle. Angles are given by their tangents, from the normal.
void oblique_impacts() {
  material_table m({.restitution = 0.98, .friction = 0.092});
  m.add({"aluminium oxide", 4000, 380e9, 0.23});
  m.add({.name = "rigid"});
  const double speed = 3.9;
  for (const double tangent : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.4, 1.7320508075688772, 2.5, 4.0, 8.0}) {
    const double along = speed * tangent / std::sqrt(1 + tangent * tangent);
    const double down = speed / std::sqrt(1 + tangent * tangent);
    const auto found = on_plane(with("hertz-mindlin", m, 14e-8), 0.0025, {along, 0, -down});
    point("oblique", "velocity", tangent, found.velocity.x / along);
    point("oblique", "spin", tangent, found.spin.y);
  }
}

// A tangential spring without damping and slip.
void tangential_springs() {
  const double k = 1e6;
  const double r = 0.01;
  const double lasts = pi * std::sqrt(mass_of(2500, r) / k);
  for (int part = 1; part <= 8; ++part) {
    const double ratio = part / 14.0;
    material_table m({.stiffness = k, .tangential_stiffness = ratio * k, .friction = 1e6});
    m.add({.name = "ball", .density = 2500});
    m.add({.name = "plane"});
    point("tangential", "velocity", ratio, on_plane(with("hooke", m, lasts / 100), r, {0.01, 0, -0.1}).tracked / 0.01);
  }
}

// A ball on a plane: it slides and ends up rolling, or it rolls and rolling resistance stops it.
void rolling_balls() {
  const double r = 0.01;
  const double g = 9.81;
  const double k = 1e6;
  for (const bool slides : {true, false}) {
    interaction i{.stiffness = k, .restitution = 0.5, .friction = slides ? 0.3 : 0.5};
    if (!slides) i.rolling_friction = 0.1;
    settings s;
    s.materials = one_material(i, {.density = 2500});
    s.contact_law = named_law("hooke", s.materials);
    s.gravity = {0, 0, -g};
    s.walls = {plane({}, {0, 0, 1})};
    s.threads = 1;
    body b{.position = {0, 0, r - mass_of(2500, r) * g / k}, .velocity = {0.1, 0, 0}, .radius = r};
    if (!slides) b.spin = {0, 0.1 / r, 0};
    simulation run(s, {b});
    const double ends = slides ? 0.02 : 0.16;
    for (int sample = 0; sample <= 40; ++sample) {
      while (run.time() < ends * sample / 40) run.run();
      const state& now = run.bodies();
      point(slides ? "sliding" : "resistance", "center", run.time(), now.velocity[0].x);
      point(slides ? "sliding" : "resistance", "surface", run.time(), now.spin[0].y * r);
    }
  }
}

// The error of an elastic gas's energy, relative to the energy, at two time steps.
void gas_energies() {
  for (const int steps : {50, 100}) {
    settings s;
    s.materials = one_material({.stiffness = 1e5});
    s.contact_law = named_law("linear", s.materials);
    const double spacing = 1.3782;  // a volume fraction of 0.2
    const int per_axis = 5;
    const double side = per_axis * spacing;
    s.periodic = {abut::interval{0, side}, abut::interval{0, side}, abut::interval{0, side}};
    const double lasts = pi * std::sqrt(mass_of(1, 0.5) / 2 / 1e5);
    s.time_step = lasts / steps;
    s.threads = 1;
    simulation run(s, dem_support::lattice(per_axis, spacing, 0.5, 0.05, 1.0));
    double start = 0;
    for (int sample = 0; sample <= 200; ++sample) {
      const measures m = run.measure();
      if (sample == 0) start = m.kinetic + m.elastic;
      point("gas", std::to_string(steps), sample, ((m.kinetic + m.elastic) / start - 1) * 1e6);
      run.run(static_cast<std::uint64_t>(steps));
    }
  }
}

}  // namespace

int main() {
  std::puts("plot,curve,x,y");
  damped_collisions();
  hertz_impacts();
  restitutions();
  oblique_impacts();
  tangential_springs();
  rolling_balls();
  gas_energies();
}
