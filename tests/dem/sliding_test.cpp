// Oblique impacts of a ball on a plane: friction while it slides, and where the energy goes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collision.hpp"

namespace sliding_test {
namespace {

using namespace abut::dem;

constexpr double radius = 0.01;
constexpr double density = 2500;

// Which loop over contacts is at work.
enum class against : std::uint8_t { wall, body };

// What an impact on the plane z = 0, or on a fixed body that is nearly one, was like.
struct impact {
  double slid = 0;      // the impulse of friction over mu times that of the normal force while it pushes
  double fallen = 0;    // the most that the dissipated energy has fallen below what it was, of the energy at the start
  double lost = 0;      // the energy that was dissipated in the end, of that at the start
  double backward = 0;  // the largest force of friction along the motion, over the largest normal force
};

impact of(const char* law, const interaction& with, const vec& velocity, against what) {
  material_table m(with);
  m.add({"ball", density, 1e8, 0.25});
  m.add({"plane", density, 1e9, 0.25});
  settings s = dem_support::with(law, m, 1);
  s.time_step.reset();
  s.energies = true;
  std::vector<body> ball = {{.position = {0, 0, radius}, .velocity = velocity, .radius = radius}};
  if (what == against::wall) {
    s.walls = {plane({0, 0, 0}, {0, 0, 1}, 1)};
  } else {
    ball.push_back({.position = {0, 0, -100}, .radius = 100, .material = 1, .moves = motion::fixed});
  }
  s.time_step = simulation(s, ball).time_step() / 20;
  simulation run(s, ball);
  impact found;
  double pushed = 0, slid = 0, most = 0, dissipated = 0, highest = 0;
  const double energy = run.measure().kinetic;
  vec before = velocity;
  for (int step = 0; step < 200'000; ++step) {
    run.run();
    const vec now = run.bodies().velocity[run.row_of(0)];
    const double push = now.z - before.z;
    pushed += std::max(push, 0.0);
    slid += before.x - now.x;
    most = std::max(most, push);
    found.backward = std::max(found.backward, now.x - before.x);
    before = now;
    dissipated = run.measure().dissipated;
    found.fallen = std::max(found.fallen, (highest - dissipated) / energy);
    highest = std::max(highest, dissipated);
    if (run.measure().contacts == 0 && now.z > 0) break;
  }
  found.slid = slid / (with.friction * pushed);
  found.lost = dissipated / energy;
  found.backward /= most;
  return found;
}

// However strong the damping: what the dashpot wants at the start of a contact is more than friction can give.
TEST(dem_sliding, friction_gives_its_coefficient_times_the_normal_force) {
  for (const char* law : {"hooke", "hertz-mindlin"}) {
    for (const double e : {0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
      for (const double mu : {0.1, 0.5}) {
        SCOPED_TRACE(std::string(law) + ", restitution " + std::to_string(e) + ", friction " + std::to_string(mu));
        const interaction with{.stiffness = 1e5, .restitution = e, .friction = mu};
        for (const against what : {against::wall, against::body}) {
          const impact found = of(law, with, {20, 0, -1}, what);
          EXPECT_NEAR(found.slid, 1, what == against::wall ? 2e-3 : 5e-3);
          EXPECT_EQ(found.backward, 0);
        }
      }
    }
  }
}

// Energy that was dissipated does not come back, at any angle.
TEST(dem_sliding, dissipated_energy_never_falls) {
  for (const double e : {0.1, 0.5, 0.9, 1.0}) {
    for (const double slope : {0.1, 0.5, 1.0, 3.0, 10.0}) {
      for (const double mu : {0.1, 0.5, 1e6}) {
        for (const double rolling : {0.0, 0.2}) {
          SCOPED_TRACE("restitution " + std::to_string(e) + ", slope " + std::to_string(slope) + ", friction " +
                       std::to_string(mu) + ", rolling friction " + std::to_string(rolling));
          const impact found = of("hertz-mindlin", {.restitution = e, .friction = mu, .rolling_friction = rolling},
                                  {slope, 0, -1}, rolling == 0 ? against::body : against::wall);
          EXPECT_LT(found.fallen, e == 1 ? 1e-5 : 1.5e-3);
          EXPECT_LE(found.lost, 1);
        }
      }
    }
  }
}

// Bodies that begin to touch at the very end of a step have no overlap then, and no area of contact.
TEST(dem_sliding, a_contact_may_begin_without_any_overlap) {
  for (const char* law : {"linear", "kelvin-voigt", "hooke", "hertz-mindlin"}) {
    for (const against what : {against::wall, against::body}) {
      SCOPED_TRACE(std::string(law) + (what == against::wall ? ", a wall" : ", a body"));
      const double step = 0x1p-10, half = 0.5;
      material_table m({.stiffness = 1e5, .restitution = 0.5, .friction = 0.5, .rolling_friction = 0.1});
      m.add({"ball", 1000, 1e5, 0.25});
      settings s = dem_support::with(law, m, step);
      body ball{.position = {0, 0, half + 4 * step}, .velocity = {0.5, 0, -1}, .spin = {0, 1, 0}, .radius = half};
      ball.velocity.x = what == against::wall ? 0.5 : 0;
      std::vector<body> bodies = {ball};
      if (what == against::wall) {
        s.walls = {plane({0, 0, 0}, {0, 0, 1})};
      } else {
        bodies.push_back({.position = {0, 0, -half}, .radius = half, .moves = motion::fixed});
      }
      simulation run(s, bodies);
      run.run(4);
      const auto i = run.row_of(0);
      EXPECT_EQ(run.bodies().position[i].z, half);
      EXPECT_EQ(run.measure().overlap, 0);
      run.run(500);
      EXPECT_GT(run.bodies().velocity[run.row_of(0)].z, 0);
    }
  }
}

// What a spring holds stays while the area of contact grows, and shrinks with it.
TEST(dem_sliding, a_tangential_force_stays_under_load_and_is_given_up_with_the_area) {
  material_table m({.friction = 1e6});
  m.add({"ball", density, 1e8, 0.25});
  const auto law = named_law("hertz-mindlin", m);
  double memory[3] = {};
  const auto force = [&](double overlap, const vec& slip) {
    contact c;
    c.overlap = overlap;
    c.normal = {0, 0, 1};
    c.slip = slip;
    c.radius = radius;
    c.mass = 1;
    c.memory = memory;
    law->apply(std::span(&c, 1));
    return c.force.x;
  };
  const double first = force(1e-5, {1e-7, 0, -1e-5});
  EXPECT_LT(first, 0);
  EXPECT_NEAR(force(4e-5, {0, 0, -3e-5}), first, 1e-12 * -first);
  const double more = force(4e-5, {1e-7, 0, 0}) - first;
  EXPECT_NEAR(more, 2 * first, 1e-12 * -first);  // twice the area's radius, twice the stiffness
  EXPECT_NEAR(force(1e-5, {0, 0, 3e-5}), 1.5 * first, 1e-12 * -first);
  EXPECT_NEAR(force(4e-5, {0, 0, -3e-5}), 1.5 * first, 1e-12 * -first);
}

}  // namespace
}  // namespace sliding_test
