// Where energy goes: what contacts dissipate and drives put in.

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "collision.hpp"
#include "grains.hpp"

namespace energies_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

double total(const measures& m) { return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work; }

// The largest change of the total, relative to the most that was dissipated.
double imbalance(simulation& run, int samples, std::uint64_t steps) {
  const double start = total(run.measure());
  double largest = 0;
  for (int k = 0; k < samples; ++k) {
    run.run(steps);
    largest = std::max(largest, std::abs(total(run.measure()) - start));
  }
  return largest / run.measure().dissipated;
}

TEST(dem_energies, a_collision_dissipates_what_its_restitution_says) {
  const double speed = 1;
  for (const double e : {0.3, 0.8, 1.0}) {
    settings s;
    s.materials = one_material({.stiffness = 1e5, .restitution = e});
    s.contact_law = named_law("hooke", s.materials);
    s.energies = true;
    s.time_step = simulation(s, {{.radius = 0.5}}).time_step() / 4;
    simulation run(s, {{.position = {-0.5, 0, 0}, .velocity = {speed, 0, 0}, .radius = 0.5},
                       {.position = {0.5, 0, 0}, .velocity = {-speed, 0, 0}, .radius = 0.5}});
    const double before = run.measure().kinetic;
    run.run(1000);
    const measures after = run.measure();
    SCOPED_TRACE(e);
    EXPECT_EQ(after.contacts, 0U);
    EXPECT_NEAR(after.dissipated / before, 1 - e * e, 5e-3);
    EXPECT_NEAR(total(after) / before, 1, 2e-4);
    EXPECT_EQ(after.work, 0);
  }
}

TEST(dem_energies, the_balance_holds_with_friction_and_rolling_resistance) {
  for (const char* law_name : {"hooke", "hertz-mindlin"}) {
    for (const integrator how : {integrator::verlet, integrator::predictor_corrector}) {
      settings s;
      s.materials = one_material({.stiffness = 1e5, .restitution = 0.6, .friction = 0.5, .rolling_friction = 0.2},
                                 {.young = 1e6, .poisson = 0.3});
      s.contact_law = named_law(law_name, s.materials);
      s.energies = true;
      s.moved_by = how;
      simulation run(s, {{.position = {-0.5, 0.1, 0}, .velocity = {1, 0.2, 0}, .spin = {1, 2, 3}, .radius = 0.5},
                         {.position = {0.28, -0.2, 0.3}, .velocity = {-1, 0, 0.5}, .spin = {0, -4, 1}, .radius = 0.4}});
      SCOPED_TRACE(law_name);
      EXPECT_LT(imbalance(run, 20, 20), 5e-3);
      EXPECT_GT(run.measure().dissipated, 0.1);
    }
  }
}

TEST(dem_energies, sliding_dissipates_friction_times_distance) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .viscosity = 100, .tangential_viscosity = 0, .friction = 0.3});
  s.contact_law = named_law("hooke", s.materials);
  s.gravity = {0, 0, -10};
  s.energies = true;
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  s.drives.push_back({.walls = {0}, .at = [](double) { return driven_motion{{2, 0, 0}, {}}; }});
  const double mass = 4 * std::numbers::pi / 3;
  simulation run(s, {{.position = {0, 0, 1 - mass * 10 / 1e5}, .radius = 1}});
  while (run.time() < 0.05) run.run();
  const measures m = run.measure();
  // The friction accelerates the ball and turns it: the contact point slips at 2 - 3.5 a t.
  const double a = 0.3 * 10;
  const double t = run.time();
  EXPECT_NEAR(m.work, mass * a * 2 * t, 0.01 * m.work);
  EXPECT_NEAR(m.dissipated, mass * a * (2 * t - 3.5 * a * t * t / 2), 0.01 * m.dissipated);
  EXPECT_NEAR(m.kinetic, mass * a * 3.5 * a * t * t / 2, 0.02 * m.kinetic);
}

TEST(dem_energies, the_balance_holds_in_a_bed_with_drives_and_is_the_same_on_all_threads) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.5, .friction = 0.5, .rolling_friction = 0.05});
  s.contact_law = named_law("hooke", s.materials);
  s.gravity = {0, 0, -30};
  s.walls = box_walls({0, 0, 0}, {6, 6, 20});
  s.energies = true;
  s.sort_every = 150;
  s.drives.push_back({.bodies = {3}, .walls = {4}, .at = [](double time) {
                        return driven_motion{{0, 0, 0.5 * portable_sin(20 * time)}, {0, 0, 1}};
                      }});
  std::vector<body> all = dem_support::lattice(5, 1.2, 0.55, 0.04, 1.0);
  all[3].moves = motion::driven;
  s.threads = 1;
  simulation one(s, all);
  s.threads = 3;
  s.method = "pairing";
  simulation three(s, all);
  EXPECT_LT(imbalance(one, 10, 400), 1e-2);
  three.run(4000);
  EXPECT_EQ(one.measure().dissipated, three.measure().dissipated);
  EXPECT_EQ(one.measure().work, three.measure().work);
  EXPECT_GT(one.measure().contacts, all.size());
  EXPECT_NE(one.measure().work, 0);
  s.energies = false;
  simulation without(s, all);
  without.run(4000);
  EXPECT_EQ(hash_of(without.bodies()), hash_of(one.bodies()));
  EXPECT_EQ(without.measure().dissipated, 0);
}

}  // namespace
}  // namespace energies_test
