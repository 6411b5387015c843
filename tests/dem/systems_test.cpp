// Many bodies: what is conserved.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "collision.hpp"
#include "grains.hpp"

namespace systems_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

// Elastic spheres at a volume fraction of 0.2, as in Ogarko and Luding 2011.
struct gas {
  settings s;
  std::vector<body> bodies;
  double lasts = 0;  // a collision
};

gas elastic_gas(int per_axis, bool walls) {
  gas g;
  const double r = 0.5;
  const double k = 1e5;
  const double spacing = std::cbrt(4 * std::numbers::pi / 3 * r * r * r / 0.2);
  const double side = per_axis * spacing;
  g.bodies = dem_support::lattice(per_axis, spacing, r, 0.05, 1.0);
  g.s.materials = one_material({.stiffness = k});
  g.s.contact_law = named_law("linear", g.s.materials);
  if (walls) {
    g.s.walls = box_walls({0, 0, 0}, {side, side, side});
  } else {
    g.s.periodic = {abut::interval{0, side}, abut::interval{0, side}, abut::interval{0, side}};
  }
  g.lasts = std::numbers::pi * std::sqrt(4 * std::numbers::pi / 3 * r * r * r / 2 / k);
  g.s.sort_every = 500;
  return g;
}

// How the energy of a gas errs, relative to its value at the start. Each collision changes it by a small amount of
// random sign, since it begins and ends within a step. So the typical change from sample to sample tells how the error
// depends on the time step, while the largest error also depends on chance.
struct energy_error {
  double largest = 0;
  double typical = 0;
};

energy_error error_of(gas g, double steps_per_collision, double collisions, integrator how = integrator::verlet) {
  g.s.time_step = g.lasts / steps_per_collision;
  g.s.moved_by = how;
  simulation run(g.s, g.bodies);
  energy_error found;
  double start = 0;
  double last = 0;
  const int samples = static_cast<int>(collisions);
  for (int k = 0; k <= samples; ++k) {
    const measures m = run.measure();
    const double now = m.kinetic + m.elastic;
    if (k == 0) start = last = now;
    found.largest = std::max(found.largest, std::abs(now / start - 1));
    found.typical += (now - last) * (now - last) / (start * start);
    last = now;
    run.run(static_cast<std::uint64_t>(steps_per_collision));
  }
  found.typical = std::sqrt(found.typical / samples);
  return found;
}

TEST(dem_systems, an_elastic_gas_loses_four_times_less_at_half_the_step) {
  for (const bool walls : {false, true}) {
    const gas g = elastic_gas(5, walls);
    const energy_error at_50 = error_of(g, 50, 200);
    const energy_error at_100 = error_of(g, 100, 200);
    SCOPED_TRACE(walls);
    EXPECT_GT(at_50.typical / at_100.typical, 3);
    EXPECT_LT(at_50.typical / at_100.typical, 5);
  }
}

// How many contacts begin, each seen by both of its bodies.
class collision_counter {
 public:
  void look(const simulation& run, const vec& side) {
    const state& b = run.bodies();
    const auto apart = [](double d, double period) { return std::remainder(d, period); };
    for (std::uint32_t i = 0; i < b.size(); ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const vec d = b.position[run.row_of(i)] - b.position[run.row_of(j)];
        const vec near{apart(d.x, side.x), apart(d.y, side.y), apart(d.z, side.z)};
        const bool touches = dot(near, near) < 1;
        if (touches && !touching_[i * b.size() + j]) begun += 2;
        touching_[i * b.size() + j] = touches;
      }
    }
  }
  explicit collision_counter(std::size_t bodies) : touching_(bodies * bodies) {}
  std::size_t begun = 0;

 private:
  std::vector<bool> touching_;
};

// The errors of single collisions add up at random: relative to the energy, to about 3e-4 times the root of half the
// collisions per body and body.
TEST(dem_systems, an_elastic_gas_keeps_its_energy_over_100000_steps) {
  gas g = elastic_gas(6, false);
  g.s.time_step = g.lasts / 50;
  g.s.threads = 1;
  simulation run(g.s, g.bodies);
  const double period = g.s.periodic[0]->max;
  collision_counter counter(g.bodies.size());
  double start = 0;
  double largest = 0;
  for (int k = 0; k <= 4000; ++k) {
    const measures m = run.measure();
    if (k == 0) start = m.kinetic + m.elastic;
    largest = std::max(largest, std::abs((m.kinetic + m.elastic) / start - 1));
    counter.look(run, {period, period, period});
    if (k < 4000) run.run(25);  // a collision lasts 50
  }
  EXPECT_EQ(run.steps(), 100'000U);
  EXPECT_GE(static_cast<double>(counter.begun) / static_cast<double>(g.bodies.size()), 20.0);
  EXPECT_LT(largest, 1e-4);
  RecordProperty("collisions per body", std::to_string(counter.begun / g.bodies.size()));
  RecordProperty("largest error", std::to_string(largest * 1e6) + "e-6");
}

TEST(dem_systems, a_predictor_corrector_keeps_energy_for_a_while) {
  EXPECT_LT(error_of(elastic_gas(4, false), 100, 20, integrator::predictor_corrector).largest, 1e-3);
}

TEST(dem_systems, momentum_is_conserved_to_rounding) {
  for (const char* law_name : {"linear", "hooke", "hertz-mindlin", "kelvin-voigt"}) {
    gas g = elastic_gas(5, false);
    interaction i{.stiffness = 1e5, .restitution = 0.7, .friction = 0.4, .rolling_friction = 0.1, .cohesion = 100};
    g.s.materials = one_material(i, {.young = 1e6, .poisson = 0.3});
    g.s.contact_law = named_law(law_name, g.s.materials);
    simulation run(g.s, g.bodies);
    const vec before = run.measure().momentum;
    run.run(2000);
    const vec after = run.measure().momentum;
    SCOPED_TRACE(law_name);
    EXPECT_LT(length(after - before), 1e-11);
    EXPECT_GT(run.steps(), run.searches());
  }
}

// Angular momentum is that of the orbits and of the spins; both act at one point.
TEST(dem_systems, a_pair_keeps_its_angular_momentum) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.6, .friction = 0.5, .rolling_friction = 0.2});
  s.contact_law = named_law("hooke", s.materials);
  simulation run(s, {{.position = {-0.5, 0.1, 0}, .velocity = {1, 0.2, 0}, .spin = {1, 2, 3}, .radius = 0.5},
                     {.position = {0.28, -0.2, 0.3}, .velocity = {-1, 0, 0.5}, .spin = {0, -4, 1}, .radius = 0.4}});
  const auto momentum = [&] {
    vec sum;
    const state& b = run.bodies();
    for (std::size_t i = 0; i < 2; ++i) {
      sum += cross(b.position[i], b.velocity[i] * b.mass[i]) + b.spin[i] * b.inertia[i];
    }
    return sum;
  };
  const vec before = momentum();
  const vec spin = run.bodies().spin[run.row_of(0)];
  run.run(200);
  EXPECT_GT(length(run.bodies().spin[run.row_of(0)] - spin), 0.1);
  EXPECT_LT(length(momentum() - before), 1e-4 * length(before));
}

// Turned by 180 degrees about z, or mirrored at the plane x = 0: the bits must be the same but for signs.
TEST(dem_systems, a_mirrored_pair_stays_mirrored) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.6, .friction = 0.5, .rolling_friction = 0.2});
  s.contact_law = named_law("hooke", s.materials);
  s.sort_every = 7;
  simulation turned(s,
                    {{.position = {-0.47, 0.1, 0.3}, .velocity = {1, 0.2, 0.7}, .spin = {1, 2, 3}, .radius = 0.5},
                     {.position = {0.47, -0.1, 0.3}, .velocity = {-1, -0.2, 0.7}, .spin = {-1, -2, 3}, .radius = 0.5}});
  simulation mirrored(s,
                      {{.position = {-0.47, 0.1, 0.3}, .velocity = {1, 0.2, 0.7}, .spin = {1, 2, 3}, .radius = 0.5},
                       {.position = {0.47, 0.1, 0.3}, .velocity = {-1, 0.2, 0.7}, .spin = {1, -2, -3}, .radius = 0.5}});
  bool spun = false;
  for (int step = 0; step < 100; ++step) {
    turned.run();
    mirrored.run();
    const auto two = [](const simulation& run, const std::vector<vec>& column) {
      return std::pair(column[run.row_of(0)], column[run.row_of(1)]);
    };
    for (const auto column : {&state::position, &state::velocity, &state::spin}) {
      const auto [a, b] = two(turned, turned.bodies().*column);
      ASSERT_EQ(b, (vec{-a.x, -a.y, a.z})) << step;
    }
    for (const auto column : {&state::position, &state::velocity}) {
      const auto [a, b] = two(mirrored, mirrored.bodies().*column);
      ASSERT_EQ(b, (vec{-a.x, a.y, a.z})) << step;
    }
    const auto [a, b] = two(mirrored, mirrored.bodies().spin);
    ASSERT_EQ(b, (vec{a.x, -a.y, -a.z})) << step;
    spun = spun || a.y != 2;
  }
  EXPECT_TRUE(spun);
}

TEST(dem_systems, a_damped_bed_comes_to_rest) {
  for (const int dimension : {2, 3}) {
    settings s;
    s.dimension = dimension;
    s.materials = one_material({.stiffness = 1e5, .restitution = 0.3, .friction = 0.5, .rolling_friction = 0.05});
    s.contact_law = named_law("hooke", s.materials);
    const double up = 9.81;
    s.gravity = dimension == 2 ? vec{0, -up, 0} : vec{0, 0, -up};
    std::vector<body> all = dem_support::lattice(3, 1.2, 0.5, 0.05, 0.5, dimension);
    s.walls = box_walls({0, 0, 0}, {3.6, 3.6, 9}, 0, dimension);
    s.threads = 1;
    simulation run(s, all);
    while (run.time() < 5) run.run(100);
    const measures m = run.measure();
    SCOPED_TRACE(dimension);
    // Nothing resists a ball that turns about the normals of its contacts, so some still do, a little.
    for (const vec& v : run.bodies().velocity) EXPECT_LT(length(v), 0.01);
    EXPECT_LT(m.kinetic, 1e-5 * m.gravity);
    EXPECT_GT(m.contacts, all.size());
    EXPECT_LT(m.overlap, 0.01);
    // The weight of all lies on the walls.
    for (const vec& f : run.bodies().force) EXPECT_LT(length(f), 0.02 * up);
    for (const vec& at : run.bodies().position) {
      EXPECT_GT(at.x, 0.49);
      EXPECT_LT(at.x, 3.11);
      EXPECT_EQ(dimension == 2 ? at.z : 0, 0);
    }
  }
}

TEST(dem_systems, fixed_bodies_stay_and_driven_ones_push) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.2});
  s.contact_law = named_law("hooke", s.materials);
  simulation run(s, {{.position = {0, 0, 0}, .radius = 0.5, .moves = motion::fixed},
                     {.position = {2, 0, 0}, .radius = 0.5},
                     {.position = {4, 0, 0}, .velocity = {-1, 0, 0}, .radius = 0.5, .moves = motion::driven}});
  while (run.time() < 1.5) run.run();
  const auto x = [&](std::uint32_t id) { return run.bodies().position[run.row_of(id)].x; };
  EXPECT_EQ(x(0), 0);
  EXPECT_NEAR(x(2), 4 - run.time(), 1e-9);
  EXPECT_LT(x(1), 1.6);
  EXPECT_GT(x(1), 0.99);
  run.drive(2, {0, 0, 0});
  const double there = x(2);
  run.run(10);
  EXPECT_EQ(x(2), there);
  EXPECT_THROW(run.drive(1, {}), abut::error);
}

TEST(dem_systems, without_a_law_bodies_fall_freely) {
  settings s;
  s.materials = one_material({});
  s.gravity = {0, 0, -10};
  s.time_step = 0.01;
  simulation run(s, {{.position = {0, 0, 0}, .radius = 0.5}, {.position = {0.1, 0, 0}, .radius = 0.5}});
  run.run(100);
  EXPECT_NEAR(run.bodies().position[0].z, -5, 1e-12);
}

}  // namespace
}  // namespace systems_test
