// Laws by themselves, contact by contact, and what a simulation does with a law of the user's.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "collision.hpp"

namespace laws_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

// A contact that was just stretched sideways by `slip`.
contact stretched(double overlap, const vec& normal, const vec& slip, double* memory) {
  contact c;
  c.overlap = overlap;
  c.normal = normal;
  c.slip = slip;
  c.radius = 0.01;
  c.mass = 0.1;
  c.memory = memory;
  return c;
}

TEST(dem_laws, the_table_has_all_of_them) {
  std::set<std::string> names;
  for (const law_info& l : laws()) {
    EXPECT_NE(named_law(l.name, one_material({.stiffness = 1}, {.young = 1})), nullptr);
    names.emplace(l.name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"linear", "kelvin-voigt", "hooke", "hertz-mindlin"}));
}

TEST(dem_laws, mindlin_has_the_stiffness_of_the_closed_form) {
  const auto law = named_law("hertz-mindlin", one_material({.friction = 1}, {"glass", 2500, 48e9, 0.2}));
  ASSERT_EQ(law->traits().memory, 3U);
  std::array<double, 3> memory{};
  contact c = stretched(1e-6, {1, 0, 0}, {5e-9, 0, 1e-8}, memory.data());
  law->apply(std::span(&c, 1));
  const double young = 48e9 / (2 * (1 - 0.04));
  const double shear = 48e9 / (2 * 1.2) / (2 * 1.8);
  const double a = std::sqrt(0.01 * 1e-6);
  EXPECT_NEAR(c.force.x, 4.0 / 3 * young * a * 1e-6, 1e-9);
  EXPECT_NEAR(c.force.z, -8 * shear * a * 1e-8, 1e-9);
  EXPECT_EQ(c.force.y, 0);
  EXPECT_EQ(memory[0], 0);  // the normal part of the slip does not count
  EXPECT_NEAR(memory[2], 1e-8, 1e-22);
}

TEST(dem_laws, friction_is_limited_and_turns_with_the_contact) {
  const auto law = named_law("hooke", one_material({.stiffness = 1e6, .tangential_stiffness = 5e5, .friction = 0.5}));
  std::array<double, 3> memory{};
  contact c = stretched(1e-6, {1, 0, 0}, {0, 3e-6, 4e-6}, memory.data());
  law->apply(std::span(&c, 1));
  EXPECT_NEAR(c.force.x, 1, 1e-12);
  EXPECT_NEAR(c.force.y, -0.5 * 0.6, 1e-12);
  EXPECT_NEAR(c.force.z, -0.5 * 0.8, 1e-12);
  EXPECT_NEAR(std::hypot(memory[1], memory[2]), 1e-6, 1e-18);
  EXPECT_NEAR(c.energy, 0.5 * 1e6 * 1e-12 + 0.5 * 5e5 * 1e-12, 1e-18);
  // Turned about z by an angle whose cosine is 0.8: the spring is as long as before and lies in the new plane.
  contact later = stretched(1e-6, {0.8, 0.6, 0}, {}, memory.data());
  law->apply(std::span(&later, 1));
  EXPECT_NEAR(std::hypot(std::hypot(memory[0], memory[1]), memory[2]), 1e-6, 1e-18);
  EXPECT_NEAR(memory[0] * 0.8 + memory[1] * 0.6, 0, 1e-18);
}

// A rolling spring that is stiffer than the tangential one has a dashpot of its own.
TEST(dem_laws, rolling_is_damped_as_its_own_stiffness_wants) {
  const auto torque = [](const interaction& i) {
    const auto law = named_law("hooke", one_material(i));
    std::array<double, 6> memory{};
    contact c = stretched(1e-3, {1, 0, 0}, {}, memory.data());
    c.spin = {5, 0, 2};  // rolls with 2 times the radius
    law->apply(std::span(&c, 1));
    return c.torque;
  };
  const double rolling = 2 * 0.01;
  interaction i{.stiffness = 1e6, .tangential_stiffness = 2e5, .friction = 1, .rolling_friction = 1};
  i.rolling_stiffness = 8e5;
  i.restitution = 0.5;
  const double log = std::log(0.5);
  const double share = -log / std::hypot(log, std::numbers::pi);
  EXPECT_NEAR(torque(i).z, -2 * share * std::sqrt(0.1 * 8e5) * rolling * 0.01, 1e-9);
  i.restitution.reset();
  i.damping = 100;
  i.tangential_damping = 30;
  EXPECT_NEAR(torque(i).z, -30 * 0.1 * rolling * 0.01, 1e-9);
  EXPECT_EQ(torque(i).x, 0);
}

// Of all springs and dashpots, the stiffest and the most viscous bound the step; tangential ones count 3.5 times.
TEST(dem_laws, time_steps_are_bounded_by_what_is_stiffest) {
  const auto step = [](const interaction& i) {
    settings s;
    s.materials = one_material(i);
    s.contact_law = named_law("hooke", s.materials);
    return simulation(s, {{.radius = 0.5}, {.position = {2, 0, 0}, .radius = 0.5}}).time_step();
  };
  interaction i{.stiffness = 1e5, .friction = 1, .rolling_friction = 1};
  const double base = step(i);
  i.rolling_stiffness = 4e5 / 3.5;
  EXPECT_NEAR(step(i), base / 2, 1e-12 * base);
  i.rolling_stiffness.reset();
  i.tangential_stiffness = 4e5 / 3.5;
  EXPECT_NEAR(step(i), base / 2, 1e-12 * base);
  i = {.stiffness = 1, .viscosity = 700, .friction = 1};
  const double viscous = step(i);
  i.viscosity = 0;
  i.tangential_viscosity = 350;  // half of the normal one, which is what is taken if none is given
  EXPECT_NEAR(step(i), viscous, 1e-12 * viscous);
  i.tangential_viscosity = 0;
  EXPECT_GT(step(i), 10 * viscous);
}

// A law that counts the steps of a contact, of two balls that bounce between two planes: each contact begins at 0.
TEST(dem_laws, memory_begins_and_ends_with_the_contact) {
  std::array<double, 2> most{};  // between balls, at planes
  settings s;
  s.materials = one_material({}, {"ball", 1});
  const unsigned plane_material = s.materials.add({"plane", 1});
  s.threads = 1;
  s.skin = 3;  // pairs stay in the list
  int contacts = 0;
  s.contact_law = make_law(
      [&](contact& c) {
        c.memory[0] += 1;
        contacts += c.memory[0] == 1 ? 1 : 0;
        double& largest = most[c.pair == 0 ? 0 : 1];
        largest = std::max(largest, c.memory[0]);
        c.force = c.normal * (1e5 * c.overlap);
        c.stiffness = 1e5;
      },
      {.memory = 1, .reach = 0, .turns = false});
  s.walls = {plane({-1.2, 0, 0}, {1, 0, 0}, plane_material), plane({1.2, 0, 0}, {-1, 0, 0}, plane_material)};
  simulation run(s, {{.position = {-0.55, 0, 0}, .velocity = {2, 0, 0}, .radius = 0.5},
                     {.position = {0.55, 0, 0}, .velocity = {-2, 0, 0}, .radius = 0.5}});
  run.run(20'000);
  EXPECT_GT(contacts, 20);
  // A collision takes 50 steps between the lighter of two bodies, sqrt(2) times as many at a plane.
  EXPECT_GT(most[0], 48);
  EXPECT_LT(most[0], 53);
  EXPECT_GT(most[1], 69);
  EXPECT_LT(most[1], 74);
}

// A smooth oscillation: two balls in a contact that does not end, about an overlap of 0.1.
double error_after_a_period(integrator how, int steps) {
  settings s;
  s.materials = one_material({}, {"ball", 1});
  s.contact_law = make_law([](contact& c) { c.force = c.normal * (1e3 * (c.overlap - 0.1)); });
  s.moved_by = how;
  s.threads = 1;
  const double mass = 4 * std::numbers::pi / 3 * 0.125 / 2;  // reduced
  s.time_step = 2 * std::numbers::pi * std::sqrt(mass / 1e3) / steps;
  simulation run(s, {{.position = {-0.445, 0, 0}, .radius = 0.5}, {.position = {0.445, 0, 0}, .radius = 0.5}});
  run.run(static_cast<std::uint64_t>(3 * steps + steps / 4));  // where it crosses the middle
  return std::abs(run.bodies().position[run.row_of(1)].x - 0.45);
}

TEST(dem_laws, integrators_are_of_their_order) {
  const double verlet = error_after_a_period(integrator::verlet, 100);
  const double verlet_ratio = verlet / error_after_a_period(integrator::verlet, 200);
  const double gear = error_after_a_period(integrator::predictor_corrector, 100);
  const double gear_ratio = gear / error_after_a_period(integrator::predictor_corrector, 200);
  EXPECT_NEAR(verlet_ratio, 4, 0.1);
  EXPECT_NEAR(gear_ratio, 16, 2);
}

}  // namespace
}  // namespace laws_test
