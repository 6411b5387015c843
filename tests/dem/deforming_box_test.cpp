// Boxes that deform: what they do to bodies, beside closed forms.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collision.hpp"
#include "grains.hpp"
#include "saved.hpp"

namespace deforming_box_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

double side_of(const simulation& run, std::size_t axis) {
  const auto period = run.periods()[axis];
  return period->max - period->min;
}

// How fast a side grows: the difference of the flow at its ends.
double speed_of(const simulation& run, std::size_t axis) {
  const double side = side_of(run, axis);
  const vec along{axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
  const vec grown = run.box_flow(along) - run.box_flow({});
  return grown.x + grown.y + grown.z;
}

// Velocities beside the flow of the box, by id.
std::vector<vec> beside_flow(const simulation& run) {
  const state& s = run.bodies();
  std::vector<vec> all(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) all[s.id[i]] = s.velocity[i] - run.box_flow(s.position[i]);
  return all;
}

double total(const measures& m) { return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought; }

settings gas(double side, int dimension = 3) {
  settings s;
  s.dimension = dimension;
  s.materials = one_material({.stiffness = 1e5});
  for (int k = 0; k < dimension; ++k) s.periodic[static_cast<std::size_t>(k)] = abut::interval{-1, side - 1};
  s.deform.emplace();
  s.energies = true;
  s.threads = 2;
  return s;
}

// ---- bodies that do not touch

TEST(dem_box, without_forces_velocities_beside_the_flow_are_inverse_to_the_sides) {
  for (const integrator how : {integrator::verlet, integrator::predictor_corrector}) {
    settings s = gas(8);
    s.moved_by = how;
    s.time_step = 0.01;
    s.sort_every = 37;
    s.deform->sides[0].rate = -0.5;
    s.deform->sides[1].rate = 0.25;
    simulation run(s, dem_support::lattice(6, 1.2, 0.3, 0.2, 5.0));
    const std::vector<vec> start = beside_flow(run);
    run.run(200);
    EXPECT_NEAR(side_of(run, 0), 8 * std::exp(-1.0), 1e-4 * 8);  // to the third order in rate * step
    EXPECT_NEAR(side_of(run, 1), 8 * std::exp(0.5), 1e-4 * 8);
    EXPECT_EQ(side_of(run, 2), 8);
    EXPECT_NEAR(run.periods()[0]->min + run.periods()[0]->max, 6, 1e-12);  // the center stays
    const std::vector<vec> end = beside_flow(run);
    for (std::size_t id = 0; id < end.size(); ++id) {
      EXPECT_NEAR(end[id].x * side_of(run, 0), start[id].x * 8, 1e-11);
      EXPECT_NEAR(end[id].y * side_of(run, 1), start[id].y * 8, 1e-11);
      EXPECT_NEAR(end[id].z, start[id].z, 1e-13);
    }
    // All of the change is the work of the box, which is the integral of stress times area.
    const measures m = run.measure();
    EXPECT_NEAR(total(m), total(simulation(s, dem_support::lattice(6, 1.2, 0.3, 0.2, 5.0)).measure()), 1e-4 * m.work);
    EXPECT_EQ(m.dissipated, 0);
    const double volume = side_of(run, 0) * side_of(run, 1) * side_of(run, 2);
    EXPECT_NEAR(run.stress().pressure * volume, 2 * m.kinetic / 3, 1e-12 * m.kinetic);
  }
}

TEST(dem_box, a_side_follows_the_exponential_of_its_rate) {
  settings s = gas(10, 2);
  s.time_step = 1e-3;
  s.deform->sides[0].rate = -1;
  s.deform->sides[1].rate_at = [](double time) { return portable_cos(time); };
  simulation run(s, {{.position = {3, 3, 0}, .radius = 0.1}});
  run.run(1000);
  EXPECT_NEAR(side_of(run, 0), 10 * std::exp(-1), 1e-6);
  EXPECT_NEAR(side_of(run, 1), 10 * std::exp(std::sin(1.0)), 1e-5);
}

// What begins and ends is a motion: a box at rest is one like any other.
TEST(dem_box, deforms_between_two_times_and_rests_before_and_after) {
  settings s = gas(8);
  s.contact_law = named_law("linear", s.materials);
  s.time_step = 1e-3;
  s.deform->sides[2].rate = -2;
  s.deform->begin = 0.05;
  s.deform->end = 0.15;
  const std::vector<body> all = dem_support::lattice(7, 1.1, 0.5, 0.05, 5.0);
  settings still = s;
  still.deform.reset();
  simulation run(s, all);
  simulation other(still, all);
  run.run(50);
  other.run(50);
  EXPECT_EQ(hash_of(run.bodies()), hash_of(other.bodies()));
  EXPECT_EQ(side_of(run, 2), 8);
  EXPECT_EQ(run.box_flow({1, 2, 3}), vec{});
  run.run(1);
  EXPECT_LT(side_of(run, 2), 8);
  EXPECT_LT(run.box_flow({0, 0, 7}).z, -1);
  run.run(99);
  const double after = side_of(run, 2);
  EXPECT_NEAR(after, 8 * std::exp(-0.2), 1e-5);
  run.run(100);
  EXPECT_EQ(side_of(run, 2), after);
  EXPECT_EQ(run.box_flow({1, 2, 3}), vec{});
}

// ---- a gas of elastic spheres: its temperature by the equation of state of Carnahan and Starling

double gas_growth(double from, double to) {  // of the temperature, from one volume fraction to another
  const auto z = [](double f) { return (1 + f + f * f - f * f * f) / ((1 - f) * (1 - f) * (1 - f)); };
  double sum = 0;
  constexpr int parts = 1000;
  for (int k = 0; k < parts; ++k) {
    const double f = from + (to - from) * (k + 0.5) / parts;
    sum += z(f) / f * (to - from) / parts;
  }
  return std::exp(2.0 / 3 * sum);
}

// So fast that bodies collide many times while the box gets shorter by a diameter.
TEST(dem_box, an_elastic_gas_heats_up_as_the_equation_of_state_says) {
  constexpr int per_axis = 8;
  constexpr double spacing = 1.8;
  settings s = gas(per_axis * spacing);
  s.materials = one_material({.stiffness = 1e6});
  s.contact_law = named_law("linear", s.materials);
  for (box_side& side : s.deform->sides) side.rate = -0.8;
  s.deform->begin = 0.2;  // after the lattice has melted
  simulation run(s, dem_support::lattice(per_axis, spacing, 0.5, 0.1, 30.0));
  const double start = total(run.measure());
  while (run.time() < 0.2) run.run(100);
  const double before = run.measure().kinetic + run.measure().elastic;
  const double spheres = std::numbers::pi / 6 * per_axis * per_axis * per_axis;
  const auto fraction = [&] { return spheres / (side_of(run, 0) * side_of(run, 1) * side_of(run, 2)); };
  const double from = fraction();
  while (run.time() < 0.45) run.run(100);
  const measures m = run.measure();
  EXPECT_GT(fraction(), 1.7 * from);
  EXPECT_NEAR((m.kinetic + m.elastic) / before, gas_growth(from, fraction()), 0.03 * gas_growth(from, fraction()));
  EXPECT_NEAR(total(m), start, 5e-3 * m.work);
  EXPECT_NEAR(m.dissipated, 0, 5e-3 * m.work);
}

// A piston of Andersen's: the enthalpy, with the energy of the sides' own motion, stays constant.
TEST(dem_box, a_servo_without_damping_conserves_the_enthalpy) {
  for (const bool isotropic : {false, true}) {
    settings s = gas(8);
    s.periodic[2]->max += 2;
    s.contact_law = named_law("linear", s.materials);
    s.deform->isotropic = isotropic;
    constexpr double mass = 5;
    constexpr double pressure = 3;
    for (box_side& side : s.deform->sides) side.held = box_servo{.pressure = pressure, .mass = mass};
    simulation run(s, dem_support::lattice(6, 1.3, 0.5, 0.05, 2.0));
    const auto enthalpy = [&] {
      const measures m = run.measure();
      double sum = m.kinetic + m.elastic + pressure * side_of(run, 0) * side_of(run, 1) * side_of(run, 2);
      std::array<double, 3> before{};
      for (std::size_t k = 0; k < 3; ++k) before[k] = speed_of(run, k);
      run.run(1);
      for (std::size_t k = 0; k < 3; ++k) {  // speeds are those of the middle of a step
        const double speed = 0.5 * (before[k] + speed_of(run, k));
        sum += 0.5 * mass * speed * speed;
      }
      return sum;
    };
    run.run(1);
    const double start = enthalpy();
    double least = 1e9;
    double most = 0;
    double largest = 0;
    while (run.time() < 2.5) {
      run.run(200);
      largest = std::max(largest, std::abs(enthalpy() - start));
      least = std::min(least, side_of(run, 0));
      most = std::max(most, side_of(run, 0));
      if (isotropic) {
        EXPECT_NEAR(side_of(run, 2) / side_of(run, 0), 10.0 / 8, 1e-10);
      }
    }
    SCOPED_TRACE(isotropic);
    EXPECT_GT(most, 1.1 * least);  // it has moved to and fro
    EXPECT_LT(largest, 2e-3 * start);
  }
}

// What moves presses on the sides from the step on in which it comes, and until it goes.
TEST(dem_box, bodies_that_come_and_go_count_in_the_pressure_at_once) {
  settings s = gas(8);
  s.contact_law = named_law("linear", s.materials);
  for (box_side& side : s.deform->sides) side.held = box_servo{.pressure = 1, .mass = 5};
  s.time_step = 1e-4;
  const body one{.position = {1, 1, 1}, .velocity = {5, 6, 7}, .radius = 0.5};
  const body other{.position = {4, 4, 4}, .velocity = {8, -9, 7}, .radius = 0.5};
  simulation both(s, {one, other});
  simulation comes(s, {one});
  comes.add({other});
  simulation goes(s, {one, other});
  goes.remove(std::vector<std::uint32_t>{1});
  simulation alone(s, {one});
  for (simulation* run : {&both, &comes, &goes, &alone}) run->run(10);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(side_of(comes, k), side_of(both, k));
    EXPECT_EQ(side_of(goes, k), side_of(alone, k));
    EXPECT_NE(side_of(both, k), side_of(alone, k));
  }
}

// The damping is that of the rate at the end of the step.
TEST(dem_box, a_servo_may_be_damped_as_strongly_as_one_likes) {
  for (const bool isotropic : {false, true}) {
    for (const double damping : {1e2, 1e5, 1e8}) {
      settings s = gas(8);
      s.contact_law = named_law("linear", s.materials);
      s.deform->isotropic = isotropic;
      for (box_side& side : s.deform->sides) side.held = box_servo{.pressure = 1, .mass = 5, .damping = damping};
      simulation run(s, dem_support::lattice(6, 1.3, 0.5, 0, 0));
      run.run(200);
      // Sides shrink by pressure times area over damping at most.
      const double fastest = 64 / damping * (1 + 1e-9);
      EXPECT_LE(std::abs(speed_of(run, 0)), fastest) << damping;
      EXPECT_LT(speed_of(run, 0), 0) << damping;
    }
  }
}

TEST(dem_box, a_servo_is_no_faster_than_its_limit) {
  for (const bool isotropic : {false, true}) {
    settings s = gas(8);
    s.contact_law = named_law("linear", s.materials);
    s.deform->isotropic = isotropic;
    const double limits[3] = {0.02, 0.03, 0.04};
    for (std::size_t k = 0; k < 3; ++k) {
      s.deform->sides[k].held = box_servo{.pressure = 1e3, .mass = 5, .limit = limits[k]};
    }
    simulation run(s, dem_support::lattice(6, 1.3, 0.5, 0, 0));
    run.run(300);
    for (std::size_t k = 0; k < 3; ++k) {
      const double expected = isotropic ? limits[0] : limits[k];
      EXPECT_NEAR(speed_of(run, k) / side_of(run, k), -expected, 1e-3 * expected) << isotropic << ", " << k;
    }
  }
}

// ---- a lattice of spheres that touch

struct lattice_case {
  double friction;
  bool half_step;
  integrator how;
};

std::vector<body> touching(int per_axis, int dimension) {
  return dem_support::lattice(per_axis, 1.0, 0.5, 0, 0, dimension);
}

settings lattice_box(int per_axis, const lattice_case& with, int dimension) {
  settings s;
  s.dimension = dimension;
  s.materials = one_material({.stiffness = 1e4, .restitution = 0.5, .friction = with.friction});
  s.contact_law = named_law("hooke", s.materials);
  for (int k = 0; k < dimension; ++k) s.periodic[static_cast<std::size_t>(k)] = abut::interval{0, 1.0 * per_axis};
  s.half_step_velocities = with.half_step;
  s.moved_by = with.how;
  s.energies = true;
  s.deform.emplace();
  return s;
}

// If a contact through the border saw another velocity than the others, the dashpots would push bodies out of place.
TEST(dem_box, a_lattice_stays_one_and_has_the_stress_of_its_springs) {
  const lattice_case cases[] = {{0, false, integrator::verlet},
                                {0.3, false, integrator::verlet},
                                {0.3, true, integrator::verlet},
                                {0.3, false, integrator::predictor_corrector}};
  for (const lattice_case& with : cases) {
    for (const int dimension : {2, 3}) {
      constexpr int per_axis = 5;
      SCOPED_TRACE("friction " + std::to_string(with.friction) + " in " + std::to_string(dimension) + "D");
      settings s = lattice_box(per_axis, with, dimension);
      s.deform->sides[0].rate = -0.1;
      s.deform->end = 0.1;
      s.sort_every = 30;
      simulation run(s, touching(per_axis, dimension));
      while (run.time() < 0.05) run.run(10);
      const double rate = speed_of(run, 0) / side_of(run, 0);
      EXPECT_NEAR(rate, -0.1, 1e-4);
      for (const vec& force : run.bodies().force) EXPECT_LT(length(force), 1e-7);
      // Springs, and dashpots by the velocity of two neighbors.
      const double overlap = 1 - side_of(run, 0) / per_axis;
      const double spring = 1e4 * overlap;
      EXPECT_GT(run.stress().contacts.xx, spring * 1.01);
      while (run.time() < 0.12) run.run(10);
      const double gone = 1 - side_of(run, 0) / per_axis;
      EXPECT_NEAR(gone, 1 - std::exp(-0.01), 1e-5);
      EXPECT_EQ(speed_of(run, 0), 0);
      const box_stress stress = run.stress();
      EXPECT_NEAR(stress.contacts.xx, 1e4 * gone, 1e-7);
      EXPECT_NEAR(stress.contacts.yy, 0, 1e-7);
      EXPECT_NEAR(stress.contacts.xy, 0, 1e-7);
      EXPECT_NEAR(stress.motion.xx, 0, 1e-7);
      EXPECT_NEAR(stress.pressure, 1e4 * gone / dimension, 1e-7);
      const measures m = run.measure();
      EXPECT_NEAR(total(m), 0, 2e-4 * m.work);
      const double elastic = 0.5 * 1e4 * gone * gone * std::pow(per_axis, dimension);
      EXPECT_NEAR(m.elastic, elastic, 1e-9 * elastic);
      EXPECT_GT(m.dissipated, 0.01 * m.work);
    }
  }
}

TEST(dem_box, a_servo_reaches_its_pressure_on_each_axis) {
  for (const int dimension : {2, 3}) {
    settings s = lattice_box(5, {0.3, false, integrator::verlet}, dimension);
    const double pressures[3] = {20, 50, 80};
    for (int k = 0; k < dimension; ++k) {
      s.deform->sides[static_cast<std::size_t>(k)].held =
          box_servo{.pressure = pressures[k], .mass = 50, .damping = 2000, .limit = 0.1};
    }
    simulation run(s, touching(5, dimension));
    double fastest = 0;
    while (run.time() < 2) {
      run.run(100);
      fastest = std::max(fastest, std::abs(speed_of(run, 1)) / side_of(run, 1));
    }
    EXPECT_LE(fastest, 0.1 * (1 + 1e-9));
    EXPECT_NEAR(run.stress().contacts.xx, 20, 1e-3);
    EXPECT_NEAR(run.stress().contacts.yy, 50, 1e-3);
    if (dimension == 3) {
      EXPECT_NEAR(run.stress().contacts.zz, 80, 1e-3);
    }
    EXPECT_NEAR(1e4 * (1 - side_of(run, 0) / 5),
                dimension == 2 ? 20 * side_of(run, 1) / 5 : 20 * side_of(run, 1) * side_of(run, 2) / 25, 1e-3);
  }
}

TEST(dem_box, an_isotropic_servo_holds_the_mean_stress) {
  settings s = lattice_box(5, {0, false, integrator::verlet}, 3);
  s.periodic[2]->max = 5.01;  // no contacts along z until the others are compressed
  for (box_side& side : s.deform->sides) side.held = box_servo{.pressure = 60, .mass = 50, .damping = 2000};
  s.deform->isotropic = true;
  simulation run(s, touching(5, 3));
  while (run.time() < 2) run.run(100);
  EXPECT_NEAR(run.stress().pressure, 60, 1e-2);
  EXPECT_GT(run.stress().contacts.xx, run.stress().contacts.zz + 1);
  EXPECT_NEAR(side_of(run, 2) / side_of(run, 0), 5.01 / 5, 1e-12);
}

// ---- whatever meets, the energies add up, and the work is the integral of the stress that is reported

struct packing {
  std::string name;
  settings s;
  std::vector<body> bodies;
};

packing frictional() {
  packing p{"frictional", {}, dem_support::lattice(6, 0.98, 0.5, 0.06, 1.0)};
  p.s.materials = one_material({.stiffness = 1e5, .restitution = 0.5, .friction = 0.5, .rolling_friction = 0.1});
  p.s.contact_law = named_law("hooke", p.s.materials);
  const abut::interval side{0, 5.88};
  p.s.periodic = {side, side, side};
  p.s.deform.emplace();
  for (std::size_t k = 0; k < 3; ++k) p.s.deform->sides[k].rate = k == 2 ? 0.2 : -0.5;
  return p;
}

packing with_hertz() {
  packing p = frictional();
  p.name = "hertz";
  p.s.materials = one_material({.restitution = 0.6, .friction = 0.3}, {.young = 1e6, .poisson = 0.3});
  p.s.contact_law = named_law("hertz-mindlin", p.s.materials);
  return p;
}

packing smooth() {
  packing p = frictional();
  p.name = "smooth";
  p.s.materials = one_material({.stiffness = 1e5, .restitution = 0.7});
  p.s.contact_law = named_law("hooke", p.s.materials);
  return p;
}

packing of_the_user() {
  packing p = frictional();
  p.name = "user";
  p.s.contact_law = make_law(
      [](contact& c) {
        c.force = c.normal * (1e5 * c.overlap) + c.velocity * -20.0;
        c.energy = 0.5e5 * c.overlap * c.overlap;
        c.stiffness = 1e5;
        c.viscosity = 20;
      },
      {.turns = true});
  return p;
}

packing between_walls() {
  packing p = frictional();
  p.name = "walls";
  p.s.periodic[2].reset();
  p.s.walls = {plane({0, 0, -0.1}, {0, 0, 1}), plane({0, 0, 5.9}, {0, 0, -1})};
  p.s.walls[0].velocity = {0.5, 0, 0};
  p.s.walls[1].pressed = servo{.force = 1000, .mass = 20, .damping = 10};
  p.s.deform->sides[2] = {};
  return p;
}

packing in_a_tube() {
  packing p = frictional();
  p.name = "tube";
  p.s.periodic[1].reset();
  p.s.periodic[2].reset();
  p.s.walls = {endless_cylinder({0, 2.94, 2.94}, {1, 0, 0}, 4.2)};
  p.s.deform->sides[1] = p.s.deform->sides[2] = {};
  return p;
}

packing of_clumps() {
  packing p = frictional();
  p.name = "clumps";
  dem_support::random_numbers next(5);
  const std::vector<body> seeds = p.bodies;
  p.bodies.clear();
  for (std::uint32_t k = 0; k < seeds.size(); ++k) {
    const vec along = vec{next(), next(), next()} * 0.15;
    for (const double sign : {-1.0, 1.0}) {
      if (k % 3 == 0 && sign > 0) continue;  // some are alone
      body b = seeds[k];
      b.position += along * sign;
      b.radius = 0.42;
      b.clump = k;
      p.bodies.push_back(b);
    }
  }
  return p;
}

packing flat() {
  packing p{"flat", {}, dem_support::lattice(10, 0.98, 0.5, 0.06, 1.0, 2)};
  p.s.dimension = 2;
  p.s.materials = one_material({.stiffness = 1e5, .restitution = 0.5, .friction = 0.5});
  p.s.contact_law = named_law("hooke", p.s.materials);
  p.s.periodic[0] = p.s.periodic[1] = abut::interval{0, 9.8};
  p.s.deform.emplace();
  p.s.deform->sides[0].rate_at = [](double time) { return -0.5 * portable_cos(20 * time); };
  p.s.deform->sides[1].held = box_servo{.pressure = 500, .mass = 30, .damping = 10};
  return p;
}

class dem_box_energies : public ::testing::TestWithParam<packing (*)()> {};

TEST_P(dem_box_energies, add_up_and_the_work_is_that_of_the_stress) {
  packing p = GetParam()();
  p.s.energies = true;
  p.s.sort_every = 70;
  p.s.time_step = simulation(p.s, p.bodies).time_step() / 2;
  p.s.threads = 2;
  simulation run(p.s, p.bodies);
  const double start = total(run.measure());
  const bool walls = !p.s.walls.empty();
  // By axis, stress times volume over the side, or nothing if the axis does not deform.
  const auto pushes = [&] {
    std::array<double, 3> all{};
    if (walls && !p.s.walls[0].pressed && p.s.walls.size() == 1) return all;  // no volume
    const box_stress stress = run.stress();
    const std::array<double, 3> normal = {stress.contacts.xx + stress.motion.xx, stress.contacts.yy + stress.motion.yy,
                                          stress.contacts.zz + stress.motion.zz};
    double volume = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      if (run.periods()[k]) volume *= side_of(run, k);
    }
    if (walls) volume *= run.walls()[1].point.z - run.walls()[0].point.z;
    for (std::size_t k = 0; k < 3; ++k) all[k] = run.periods()[k] ? normal[k] * volume / side_of(run, k) : 0;
    return all;
  };
  double work = 0;
  double largest = 0;
  std::array<double, 3> before = pushes();
  for (int step = 0; step < 1000; ++step) {
    std::array<double, 3> sides{};
    for (std::size_t k = 0; k < 3; ++k) sides[k] = run.periods()[k] ? side_of(run, k) : 0;
    run.run();
    const std::array<double, 3> after = pushes();
    for (std::size_t k = 0; k < 3; ++k) {
      if (run.periods()[k]) work -= 0.5 * (before[k] + after[k]) * (side_of(run, k) - sides[k]);
    }
    before = after;
    largest = std::max(largest, std::abs(total(run.measure()) - start));
  }
  const measures m = run.measure();
  EXPECT_GT(m.contacts, p.bodies.size() / 5);
  EXPECT_GT(m.dissipated, 1);
  EXPECT_LT(largest, 5e-3 * m.dissipated);
  if (!walls) {
    EXPECT_NEAR(work, m.work, 5e-3 * std::abs(m.work) + 1e-3 * m.dissipated);
  }
}

INSTANTIATE_TEST_SUITE_P(all, dem_box_energies,
                         ::testing::Values(frictional, with_hertz, smooth, of_the_user, between_walls, in_a_tube,
                                           of_clumps, flat),
                         [](const auto& of) { return of.param().name; });

// A wall along a side that shrinks goes along: a body that the box carries does not rub on it.
TEST(dem_box, walls_go_along_with_the_box) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .viscosity = 50, .tangential_viscosity = 0, .friction = 0.5});
  s.contact_law = named_law("hooke", s.materials);
  s.gravity = {0, 0, -10};
  s.periodic[0] = abut::interval{0, 10};
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  s.deform.emplace();
  s.deform->sides[0].rate = -0.2;
  s.energies = true;
  const double rest = 0.5 - dem_support::mass_of(1, 0.5) * 10 / 1e5;
  simulation run(s, {{.position = {1, 0, rest}, .radius = 0.5}, {.position = {6, 0, rest}, .radius = 0.5}});
  while (run.time() < 1) run.run(100);
  EXPECT_NEAR(run.bodies().position[run.row_of(1)].x - run.bodies().position[run.row_of(0)].x,
              5 * std::exp(-0.2 * run.time()), 1e-6);
  EXPECT_LT(run.measure().kinetic, 1e-12);
  EXPECT_LT(std::abs(run.measure().dissipated), 1e-12);
  for (const vec& spin : run.bodies().spin) EXPECT_LT(length(spin), 1e-6);
}

TEST(dem_box, the_stress_between_planes_is_force_per_area) {
  settings s;
  s.materials = one_material({.stiffness = 1e4});
  s.contact_law = named_law("linear", s.materials);
  s.periodic[0] = abut::interval{0, 3};
  s.periodic[1] = abut::interval{0, 4};
  s.walls = {plane({0, 0, 0}, {0, 0, 1}), plane({0, 0, 0.9}, {0, 0, -1})};
  const simulation run(s, {{.position = {1, 1, 0.45}, .velocity = {1, 0, 0}, .radius = 0.5}});
  EXPECT_NEAR(run.stress().contacts.zz, 1e4 * 0.05 / 12, 1e-9);
  EXPECT_EQ(run.stress().contacts.xx, 0);
  const double mass = dem_support::mass_of(1, 0.5);
  EXPECT_NEAR(run.stress().motion.xx, mass / (3 * 4 * 0.9), 1e-12);
  EXPECT_NEAR(run.stress().pressure, (1e4 * 0.05 / 12 + mass / (3 * 4 * 0.9)) / 3, 1e-9);
}

// ---- bodies that come and go

TEST(dem_box, poured_bodies_have_their_velocity_beside_the_flow) {
  settings s = gas(12);
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.6, .friction = 0.3});
  s.contact_law = named_law("hooke", s.materials);
  for (box_side& side : s.deform->sides) side.rate = -0.5;
  s.pours.push_back({.into = box_region({-1, -1, -1}, {11, 11, 11}),
                     .radii = {.largest = 0.5},
                     .velocity = {0.2, 0, 0},
                     .count = 900,
                     .rate = 4000});
  s.pours[0].every = 20;
  s.removals.push_back({.from = half_space({0, 0, 8}, {0, 0, 1}), .every = 150});
  s.removals[0].start = 0.1;
  s.time_step = 2e-4;
  simulation run(s, {});
  run.run(21);
  ASSERT_GT(run.bodies().size(), 2U);
  for (const vec& v : beside_flow(run)) EXPECT_NEAR(length(v - vec{0.2, 0, 0}), 0, 1e-3);
  double largest = 0;
  while (run.time() < 0.6) {
    run.run(50);
    largest = std::max(largest, std::abs(total(run.measure())));
  }
  const measures m = run.measure();
  EXPECT_GT(run.removed()[0].removed, 50U);
  EXPECT_GT(run.poured()[0].poured, 800U);
  EXPECT_GT(m.contacts, 50U);
  EXPECT_LT(largest, 1e-2 * m.dissipated);
}

// ---- stopping and going on

TEST(dem_box, a_box_that_is_not_to_deform_any_more_keeps_its_shape) {
  packing p = frictional();
  simulation run(p.s, p.bodies);
  run.run(100);
  const std::string bytes = dem_support::saved(run);
  settings other = p.s;
  other.deform.reset();
  EXPECT_THROW((void)dem_support::gone_on(other, bytes), abut::error);
  simulation rests = dem_support::gone_on(other, bytes, resume::changed);
  EXPECT_EQ(rests.periods()[0]->max, run.periods()[0]->max);
  EXPECT_EQ(rests.box_flow({0, 0, 0}), run.box_flow({0, 0, 0}));
  rests.run(1);
  EXPECT_EQ(rests.periods()[0]->max, run.periods()[0]->max);
  EXPECT_EQ(rests.box_flow({0, 0, 0}), vec{});
  // Velocities beside the flow have not changed but by forces.
  run.run(1);
  for (std::uint32_t id = 0; id < p.bodies.size(); ++id) {
    const vec one = run.bodies().velocity[run.row_of(id)] - run.box_flow(run.bodies().position[run.row_of(id)]);
    EXPECT_LT(length(one - rests.bodies().velocity[rests.row_of(id)]), 1e-2);
  }
  // And the other way round: a box that did not deform begins to.
  simulation still(other, p.bodies);
  still.run(10);
  simulation moves = dem_support::gone_on(p.s, dem_support::saved(still), resume::changed);
  moves.run(10);
  EXPECT_LT(side_of(moves, 0), 5.88);
}

// ---- what is refused

std::string message(const settings& s, const std::vector<body>& bodies, std::uint64_t steps = 0) {
  try {
    simulation run(s, bodies);
    run.run(steps);
  } catch (const abut::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(dem_box, what_cannot_be_is_refused_by_name) {
  const packing p = frictional();
  const auto refused = [&](auto change) {
    packing q = p;
    change(q);
    return message(q.s, q.bodies);
  };
  EXPECT_EQ(refused([](packing& q) { q.s.periodic[1].reset(); }),
            "the side of the box along y is to change, and it is not periodic");
  EXPECT_EQ(refused([](packing& q) { q.s.deform->sides[0].held = box_servo{}; }),
            "the side of the box along x has more than one of rate, rate_at and held: give one");
  EXPECT_EQ(
      refused([](packing& q) { q.s.deform->sides[0] = {.held = box_servo{.mass = 0}}; }),
      "the side of the box along x is held with pressure 0, mass 0, damping 0 and limit inf: the first three must "
      "be finite, the mass above 0, the damping at least 0, the limit above 0");
  EXPECT_EQ(refused([](packing& q) { q.s.deform->end = std::nan(""); }),
            "the box deforms from or until a time that is no number");
  EXPECT_EQ(refused([](packing& q) { q.s.deform->sides[2].rate = std::nan(""); }),
            "the side of the box along z has the rate nan: it must be finite");
  EXPECT_EQ(refused([](packing& q) { q.bodies[7].moves = motion::fixed; }),
            "body 7 is fixed or driven: in a box that deforms, all move freely");
  EXPECT_EQ(refused([](packing& q) {
              q.s.walls = {disc({0, 0, 3}, {0, 0, 1}, 1)};
            }),
            "wall 0 is neither a plane nor an endless cylinder: no other can be stretched with a box that deforms");
  EXPECT_EQ(refused([](packing& q) {
              q.s.periodic[2].reset();
              q.s.deform->sides[2] = {};
              q.s.deform->sides[0] = {.held = box_servo{.pressure = 1}};
            }),
            "stress needs a volume, and along z there is neither a period nor a pair of planes that face each other");
  settings s = p.s;
  s.deform->sides[0] = {.rate_at = [](double) { return std::nan(""); }};
  s.time_step = 0.0009765625;
  EXPECT_EQ(message(s, p.bodies, 1), "the rate of the box along x at time 0.00048828125 is not finite");
}

TEST(dem_box, a_box_that_gets_too_short_is_refused_with_axis_and_lengths) {
  settings s = gas(3);
  s.time_step = 1e-3;
  s.deform->sides[1].rate = -1;
  simulation run(s, {{.position = {0, 0, 0}, .radius = 0.5}});
  try {
    run.run(1000);
    FAIL() << "nothing was thrown";
  } catch (const abut::error& e) {
    const std::string text = e.what();
    EXPECT_TRUE(text.starts_with("the box gets shorter along y in step 406 than bodies allow: 1.99")) << text;
    EXPECT_NE(text.find("and twice the largest reach is 2.0"), std::string::npos) << text;
  }
  // Nothing has changed, and it stays so.
  EXPECT_GT(side_of(run, 1), 2);
  EXPECT_EQ(run.steps(), 405U);
  EXPECT_THROW(run.run(), abut::error);
  EXPECT_EQ(run.steps(), 405U);
}

}  // namespace
}  // namespace deforming_box_test
