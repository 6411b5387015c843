// Single collisions against closed forms and published figures, at a hundredth of the time of contact per step.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "collision.hpp"

namespace collisions_test {
namespace {

using namespace abut::dem;
using dem_support::head_on;
using dem_support::mass_of;
using dem_support::on_plane;
using dem_support::one_material;
using dem_support::with;

constexpr double pi = std::numbers::pi;

void expect_within(double value, double expected, double share) {
  EXPECT_NEAR(value, expected, std::abs(expected) * share);
}

TEST(dem_collision, a_spring_and_dashpot_last_and_lose_as_computed) {
  const double r = 0.5;
  const double k = 1e5;
  const double m = mass_of(1, r) / 2;  // reduced
  for (const char* law_name : {"hooke", "kelvin-voigt"}) {
    for (const double g : {0.0, 40.0, 200.0, 400.0}) {  // per reduced mass
      const double lasts = pi / std::sqrt(k / m - g * g / 4);
      for (const interaction& damped : {interaction{.stiffness = k, .viscosity = g * m},
                                        interaction{.stiffness = k, .damping = g, .viscosity = 7}}) {
        // Kelvin-Voigt's dashpot acts only if there is an overlap.
        const auto found = head_on(with(law_name, one_material(damped), lasts / 100), r, 0.5, 1e-14);
        SCOPED_TRACE(std::string(law_name) + " " + std::to_string(g));
        expect_within(found.lasts, lasts, 1e-3);
        expect_within(found.speed_out, std::exp(-g * lasts / 2), 1e-3);
      }
    }
  }
}

TEST(dem_collision, hooke_gives_the_restitution_asked_for) {
  for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    const double k = 1e6;
    const double m = mass_of(2500, 0.01) / 2;
    const double l = std::log(e);
    const double lasts = std::sqrt(m / k * (pi * pi + l * l));
    const auto found = head_on(
        with("hooke", one_material({.stiffness = k, .restitution = e}, {.density = 2500}), lasts / 100), 0.01, 1);
    SCOPED_TRACE(e);
    expect_within(found.lasts, lasts, 1e-3);
    expect_within(found.speed_out / 2, e, 1e-3);
  }
}

TEST(dem_collision, restitution_holds_for_any_two_masses) {
  const material_table m = one_material({.stiffness = 1e6, .restitution = 0.5}, {.density = 2500});
  settings s = with("hooke", m, 0);
  s.time_step.reset();
  simulation run(s, {{.position = {-0.001, 0, 0}, .velocity = {1, 0, 0}, .radius = 0.001},
                     {.position = {0.02, 0, 0}, .radius = 0.02}});
  const double dt = run.time_step();
  s.time_step = dt / 2;
  simulation finer(s, {{.position = {-0.001, 0, 0}, .velocity = {1, 0, 0}, .radius = 0.001},
                       {.position = {0.02, 0, 0}, .radius = 0.02}});
  const auto found = dem_support::collide(
      finer,
      [&] {
        const state& b = finer.bodies();
        return 0.021 - (b.position[finer.row_of(1)].x - b.position[finer.row_of(0)].x);
      },
      [&] {
        const state& b = finer.bodies();
        return b.velocity[finer.row_of(0)].x - b.velocity[finer.row_of(1)].x;
      });
  expect_within(found.speed_out, 0.5, 1e-3);
}

struct impact {
  const char* name;
  double young, poisson, density, radius, speed;
  bool rigid_plane;
  double overlap, force, lasts;
};

// Chung and Ooi 2011, tests 1 and 2.
TEST(dem_collision, hertz_impacts_are_those_of_chung_and_ooi) {
  const impact all[] = {{"glass", 48e9, 0.20, 2800, 0.01, 10, false, 274.1e-6, 10.70e3, 40.3e-6},
                        {"limestone", 20e9, 0.25, 2500, 0.01, 10, false, 368.3e-6, 7.108e3, 54.2e-6},
                        {"aluminium", 70e9, 0.30, 2699, 0.1, 0.2, true, 49.7e-6, 11.37e3, 732e-6}};
  for (const impact& i : all) {
    material_table m;
    m.add({i.name, i.density, i.young, i.poisson});
    m.add({.name = "rigid"});
    const settings s = with("hertz-mindlin", m, i.lasts / 100);
    const auto found = i.rigid_plane ? on_plane(s, i.radius, {0, 0, -i.speed}) : head_on(s, i.radius, i.speed);
    SCOPED_TRACE(i.name);
    expect_within(found.overlap, i.overlap, 5e-3);
    expect_within(found.force, i.force, 5e-3);
    expect_within(found.lasts, i.lasts, 5e-3);
    expect_within(found.speed_out, i.rigid_plane ? i.speed : 2 * i.speed, 1e-3);
  }
}

// Test 3.
TEST(dem_collision, hertz_gives_the_restitution_asked_for_at_any_speed) {
  for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    for (const double speed : {0.2, 5.0}) {
      material_table m({.restitution = e});
      m.add({"aluminium oxide", 4000, 380e9, 0.23});
      m.add({.name = "rigid"});
      const double r = 0.0025;
      // The time of an elastic impact: 2.868 (m^2 / (R E*^2 v))^(1/5).
      const double young = 380e9 / (1 - 0.23 * 0.23);
      const double mass = mass_of(4000, r);
      const double lasts = 2.868 * std::pow(mass * mass / (r * young * young * speed), 0.2);
      const auto found = on_plane(with("hertz-mindlin", m, lasts / 100), r, {0, 0, -speed});
      SCOPED_TRACE(std::to_string(e) + " at " + std::to_string(speed));
      expect_within(found.speed_out / speed, e, 1e-2);
      if (e == 1) expect_within(found.lasts, lasts, 2e-3);
    }
  }
}

// Test 4: at these angles the sphere slides through the whole contact.
TEST(dem_collision, an_oblique_impact_is_that_of_chung_and_ooi) {
  material_table m({.restitution = 0.98, .friction = 0.092});
  m.add({"aluminium oxide", 4000, 380e9, 0.23});
  m.add({.name = "rigid"});
  const double speed = 3.9;
  struct {
    double degrees, ratio, spin;
  } const all[] = {{45, 0.818, 502}, {60, 0.895, 355}};
  for (const auto& c : all) {
    const double angle = c.degrees * pi / 180;
    const auto found =
        on_plane(with("hertz-mindlin", m, 14e-6 / 100), 0.0025, {speed * std::sin(angle), 0, -speed * std::cos(angle)});
    SCOPED_TRACE(c.degrees);
    expect_within(found.velocity.x / (speed * std::sin(angle)), c.ratio, 1e-2);
    expect_within(found.spin.y, c.spin, 1e-2);
  }
}

// A tangential spring without damping and slip turns the velocity of the contact point like a pendulum.
TEST(dem_collision, a_tangential_spring_swings_as_computed) {
  for (const double ratio : {2.0 / 7, 1.0 / 7, 0.5 / 7}) {
    const double k = 1e6;
    const double r = 0.01;
    material_table m({.stiffness = k, .tangential_stiffness = ratio * k, .friction = 1e6});
    m.add({.name = "ball", .density = 2500});
    m.add({.name = "plane"});
    const double lasts = pi * std::sqrt(mass_of(2500, r) / k);
    const auto found = on_plane(with("hooke", m, lasts / 100), r, {0.01, 0, -0.1});
    SCOPED_TRACE(ratio);
    EXPECT_NEAR(found.tracked / 0.01, std::cos(pi * std::sqrt(3.5 * ratio)), 5e-3);
  }
}

// The same between two spheres, where both give way.
TEST(dem_collision, a_tangential_spring_between_two_spheres_swings_as_computed) {
  const double k = 1e6;
  const double r = 0.01;
  for (const double ratio : {2.0 / 7, 1.0 / 7, 0.5 / 7}) {
    const double lasts = pi * std::sqrt(mass_of(2500, r) / 2 / k);
    simulation run(
        with("hooke",
             one_material({.stiffness = k, .tangential_stiffness = ratio * k, .friction = 1e6}, {.density = 2500}),
             lasts / 100),
        {{.position = {-r, 0, 0}, .velocity = {0.1, -0.005, 0}, .radius = r},
         {.position = {r, 0, 0}, .velocity = {-0.1, 0.005, 0}, .radius = r}});
    const auto of = [&](const std::vector<vec>& column, std::uint32_t id) { return column[run.row_of(id)]; };
    const state& b = run.bodies();
    const auto found = dem_support::collide(
        run, [&] { return 2 * r - length(of(b.position, 1) - of(b.position, 0)); },
        [&] { return of(b.velocity, 0).x - of(b.velocity, 1).x; },
        [&] {
          const double arm = length(of(b.position, 1) - of(b.position, 0)) / 2;
          return of(b.velocity, 1).y - of(b.velocity, 0).y - (of(b.spin, 0).z + of(b.spin, 1).z) * arm;
        });
    SCOPED_TRACE(ratio);
    EXPECT_NEAR(found.tracked / 0.01, std::cos(pi * std::sqrt(3.5 * ratio)), 5e-3);
  }
}

// Within the reach of cohesion a spring pulls bodies that move apart, and nothing pulls or pushes while they approach.
TEST(dem_collision, cohesion_pulls_only_what_moves_apart) {
  const double r = 0.5;
  const double k = 1e5;
  const double reach = 1e-3;
  const double m = mass_of(1, r) / 2;
  const double lasts = pi * std::sqrt(m / k);
  const settings s = with("kelvin-voigt", one_material({.stiffness = k, .cohesion = k * reach}), lasts / 1000);
  const double gap = 0.9 * reach;
  const auto run_at = [&](double speed, int steps) {
    simulation run(s, {{.position = {-r, 0, 0}, .velocity = {speed, 0, 0}, .radius = r},
                       {.position = {r + gap, 0, 0}, .radius = r}});
    double out = 0;
    for (int k2 = 0; k2 < steps; ++k2) {
      run.run();
      const state& b = run.bodies();
      out = b.velocity[run.row_of(1)].x - b.velocity[run.row_of(0)].x;
    }
    return out;
  };
  // Approaching: not pulled, so the speed at the first touch is that at the start. Leaving: k reach^2 of energy is
  // lost.
  const double speed = 1;
  const double out = run_at(speed, 4000);
  expect_within(out, std::sqrt(speed * speed - k * reach * reach / m), 1e-3);
  // Too slow to leave: the spring turns it back.
  const double slow = 0.9 * reach * std::sqrt(k / m);
  EXPECT_LT(run_at(slow, static_cast<int>(1000 * (gap / slow / lasts + 1.9))), 0);
}

// The reach of a law is that of its most cohesive pair of materials; others pull no farther than they can.
TEST(dem_collision, cohesion_ends_where_its_own_force_does) {
  const double r = 0.5;
  material_table m({.stiffness = 1e3, .cohesion = 100});
  m.add({.name = "sticky"});
  m.add({.name = "dry"});
  m.set(0, 1, {.stiffness = 1e3, .cohesion = 10});
  for (const unsigned other : {0U, 1U}) {
    for (const double gap : {0.005, 0.05}) {
      settings s;
      s.materials = m;
      s.contact_law = named_law("kelvin-voigt", m);
      simulation run(s, {{.position = {-r, 0, 0}, .radius = r},
                         {.position = {r + gap, 0, 0}, .velocity = {0.1, 0, 0}, .radius = r, .material = other}});
      run.run(2);
      const double speed = run.bodies().velocity[run.row_of(1)].x;
      SCOPED_TRACE(gap);
      if (other == 0 || gap < 0.01) {
        EXPECT_LT(speed, 0.1);
      } else {
        EXPECT_EQ(speed, 0.1);
      }
    }
  }
}

}  // namespace
}  // namespace collisions_test
