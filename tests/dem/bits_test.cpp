// The same bits for every method, number of threads, skin and instruction set, and on every machine.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/methods.hpp>

#include "grains.hpp"
#include "saved.hpp"
#ifdef ABUT_DEM_INSTRUCTIONS
#include "instruction_sets.hpp"
#endif

namespace bits_test {
namespace {

using namespace abut::dem;

struct scene {
  const char* name;
  settings s;
  std::vector<body> bodies;
  std::uint64_t steps;
  std::uint64_t hash;      // what every machine must find
  double contacts = 0.25;  // per body at the end, at least: with none, tests would show little
};

// Grains of two materials and several sizes fall onto a floor between two planes, in a slot that is periodic in x. Some
// are fixed, one is driven. Everything that remembers: friction and rolling resistance, with bodies and walls.
scene falling_grains(int per_axis) {
  scene g{"grains", {}, dem_support::lattice(per_axis, 0.85, 0.5, 0.1, 10.0), 300, 0xbdfbc8e8cda597d1U};
  const double side = 0.85 * per_axis;
  dem_support::random_numbers next(7);
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    body& b = g.bodies[i];
    b.radius = 0.4 + 0.12 * next();
    b.spin = {next(), next(), next()};
    b.material = static_cast<unsigned>(i % 2);
    if (i % 40 == 13) b.moves = motion::fixed;
  }
  g.bodies[62].moves = motion::driven;
  g.s.materials = material_table({.stiffness = 2e3, .restitution = 0.7, .friction = 0.4, .rolling_friction = 0.1});
  g.s.materials.add({"light", 1});
  g.s.materials.add({"heavy", 2});
  g.s.materials.set(1, 1, {.stiffness = 3e3, .damping = 12, .tangential_damping = 4, .friction = 0.6});
  g.s.contact_law = named_law("hooke", g.s.materials);
  g.s.gravity = {0.5, 0, -9.81};
  g.s.periodic[0] = abut::interval{0, side};
  g.s.walls = {plane({0, 0, 0}, {0, 0, 1}), plane({0, 0, 0}, {0, 1, 0.1}, 1), plane({0, side, 0}, {0, -1, 0})};
  g.s.sort_every = 45;
  return g;
}

scene grains() { return falling_grains(5); }

// The same by Hertz's and Mindlin's law, whose springs change with the area of contact, those of rolling too.
scene grains_hertz() {
  scene g = falling_grains(5);
  g.name = "grains_hertz";
  g.s.materials = material_table({.restitution = 0.7, .friction = 0.4, .rolling_friction = 0.1});
  g.s.materials.add({"light", 1, 1e4, 0.3});
  g.s.materials.add({"heavy", 2, 3e4, 0.2});
  g.s.contact_law = named_law("hertz-mindlin", g.s.materials);
  g.hash = 0xbc7f006f30b1d206U;
  return g;
}

// So many that threads share the work; the others are too few for that.
scene crowd() {
  scene c = falling_grains(11);
  c.name = "crowd";
  c.steps = 40;
  c.s.sort_every = 15;
  c.hash = 0x3164d3dd35095012U;
  return c;
}

// Discs in a periodic square, by Hertz's law and the predictor-corrector.
scene discs() {
  scene d{"discs", {}, dem_support::lattice(9, 1.0, 0.52, 0.05, 6.0, 2), 300, 0x232008232cbecc74U};
  d.s.dimension = 2;
  d.s.materials = material_table({.restitution = 0.8, .friction = 0.3});
  d.s.materials.add({"disc", 1, 1e4, 0.3});
  d.s.contact_law = named_law("hertz-mindlin", d.s.materials);
  d.s.periodic = {abut::interval{-1, 8}, abut::interval{2, 11}};
  d.s.moved_by = integrator::predictor_corrector;
  d.s.sort_every = 70;
  return d;
}

// A cohesive gas in a box: fast, so that lists are rebuilt often.
scene cohesive() {
  scene c{"cohesive", {}, dem_support::lattice(6, 1.0, 0.5, 0.04, 20.0), 300, 0x3c2a5b9e38a3b16bU};
  c.s.materials = material_table({.stiffness = 2e4, .viscosity = 5, .cohesion = 200});
  c.s.materials.add({"grain"});
  c.s.contact_law = named_law("kelvin-voigt", c.s.materials);
  c.s.walls = box_walls({0, 0, 0}, {6, 6, 6});
  c.s.sort_every = 90;
  return c;
}

// A thin gas that falls through periodic space: most bodies touch none, and only gravity acts on them. Some are fixed,
// some are driven, and there are enough for several threads.
scene gas() {
  scene g{"gas", {}, dem_support::lattice(13, 1.4, 0.3, 0.3, 40.0), 250, 0x7ffe1718e092d1f7U, 0.03};
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    if (i % 90 == 13) g.bodies[i].moves = motion::fixed;
    if (i % 90 == 50) g.bodies[i].moves = motion::driven;
  }
  g.s.materials = material_table({.stiffness = 2e4, .restitution = 0.9});
  g.s.materials.add({"grain"});
  g.s.contact_law = named_law("hooke", g.s.materials);
  g.s.gravity = {0, 1, -9.81};
  for (auto& period : g.s.periodic) period = abut::interval{0, 13 * 1.4};
  g.s.sort_every = 110;
  return g;
}

// The same without gravity: bodies that are alone wait, and are moved by many steps at once.
scene drift() {
  scene g = gas();
  g.name = "drift";
  g.hash = 0x03beed5304f6ec7cU;
  g.steps = 130;
  g.s.sort_every = 55;
  g.s.gravity = {};
  for (body& b : g.bodies) {
    if (b.moves == motion::driven) b.moves = motion::free;
  }
  return g;
}

// Clumps of one to three balls, some fixed, one driven by a function of time, that fall onto a shaken floor, in a slot
// that is periodic in x and y.
scene clumps() {
  scene c{"clumps", {}, {}, 300, 0x0476d1461326850dU};
  const std::vector<body> seeds = dem_support::lattice(5, 1.0, 0.4, 0.1, 5.0);
  dem_support::random_numbers next(3);
  for (std::uint32_t k = 0; k < seeds.size(); ++k) {
    const vec spin{5 * next(), 5 * next(), 5 * next()};
    for (std::uint32_t part = 0; part <= k % 3; ++part) {
      body b = seeds[k];
      b.spin = spin;
      b.position += vec{next(), next(), next()} * (part == 0 ? 0.0 : 0.4);
      b.radius = 0.35 + 0.15 * next();
      b.clump = k;
      if (k % 20 == 7) b.moves = motion::fixed;
      if (k == 62) b.moves = motion::driven;
      c.bodies.push_back(b);
    }
  }
  for (std::uint32_t id = 0; id < c.bodies.size(); ++id) {
    if (c.bodies[id].clump == 62U) c.s.drives.resize(2), c.s.drives[0].bodies.push_back(id);
  }
  const auto velocity = [](double time) { return vec{0, portable_cos(50 * time), 2 * portable_sin(50 * time)}; };
  c.s.drives[0].at = [velocity](double time) { return driven_motion{velocity(time), {1, 0, 2}}; };
  c.s.drives[1].walls = {0};
  c.s.drives[1].at = [velocity](double time) { return driven_motion{velocity(time), {}}; };
  c.s.materials = material_table({.stiffness = 2e3, .restitution = 0.7, .friction = 0.4, .rolling_friction = 0.1});
  c.s.materials.add({"grain"});
  c.s.contact_law = named_law("hooke", c.s.materials);
  c.s.gravity = {0.5, 0, -30};
  c.s.periodic = {abut::interval{0, 5}, abut::interval{0, 5}};
  c.s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  c.s.sort_every = 45;
  c.s.energies = true;
  return c;
}

material_table rough() {
  material_table m({.stiffness = 2e3, .restitution = 0.7, .friction = 0.4, .rolling_friction = 0.1});
  m.add({"grain"});
  return m;
}

// Grains fall into a hopper with a small outlet, below a silo that turns.
scene hopper() {
  scene h{"hopper", {}, dem_support::lattice(5, 0.85, 0.42, 0.04, 3.0), 300, 0xe1bb3135816af107U};
  h.s.materials = rough();
  h.s.contact_law = named_law("hooke", h.s.materials);
  h.s.gravity = {0, 0, -30};
  const vec low{2.125, 2.125, -1.5};
  const vec middle = low + vec{0, 0, 1.5};
  h.s.walls = {cylinder(middle, middle + vec{0, 0, 5}, 3.1), cone(low, middle, 1, 3.1), disc(low, {0, 0, 1}, 1, 0.4),
               endless_cylinder(low, {0, 0.2, 1}, -0.3), endless_cylinder(low, {0, 0, 1}, 3.3)};
  h.s.walls[0].spin = {0, 0, 3};
  h.s.walls[2].spin = {0, 0, -5};
  h.s.sort_every = 45;
  return h;
}

// Grains between an uneven floor of triangles that repeats along x, a paddle that turns, and a lid that is pressed
// down.
scene paddle() {
  scene p{"paddle", {}, dem_support::lattice(5, 0.85, 0.4, 0.04, 3.0), 300, 0xe6395115032e5632U};
  for (body& b : p.bodies) b.position.z += 1.3;
  constexpr int across = 6;
  constexpr double side = 0.85 * 5;
  dem_support::random_numbers next(17);
  std::vector<double> height;
  for (int n = 0; n < across * (across + 1); ++n) height.push_back(0.2 * next());
  const auto corner = [&](int x, int y) {
    const double z = height[static_cast<std::size_t>(y * across + x % across)];
    return vec{x == across ? side : x * (side / across), y * (side / across), z};
  };
  std::vector<triangle> floor;
  for (int y = 0; y < across; ++y) {
    for (int x = 0; x < across; ++x) {
      floor.push_back({corner(x, y), corner(x + 1, y), corner(x, y + 1)});
      floor.push_back({corner(x + 1, y), corner(x, y + 1), corner(x + 1, y + 1)});
    }
  }
  p.s.materials = rough();
  p.s.contact_law = named_law("hooke", p.s.materials);
  p.s.gravity = {0.5, 0, -20};
  p.s.periodic[0] = abut::interval{0, side};
  p.s.walls = {mesh(floor), plane({0, 0, 0}, {0, 1, 0}), plane({0, side, 0}, {0, -1, 0}),
               rectangle({1.2, 1.2, 0.7}, {2, 0, 0}, {0, 2, 0}), plane({0, 0, 7}, {0, 0, -1})};
  p.s.walls[3].center = {2.2, 2.2, 0.7};
  p.s.walls[3].spin = {0, 2, 4};
  p.s.walls[3].velocity = {1, 0, 0};
  p.s.walls[4].pressed = servo{.force = 300, .mass = 10, .damping = 5};
  p.s.sort_every = 45;
  p.s.energies = true;
  return p;
}

// Discs in an hourglass of lines, one of which is turned to and fro.
scene hourglass() {
  scene h{"hourglass", {}, dem_support::lattice(9, 1.0, 0.5, 0.05, 15.0, 2), 300, 0x2884a0f9c2fc3587U};
  h.s.dimension = 2;
  h.s.materials = rough();
  h.s.contact_law = named_law("hooke", h.s.materials);
  h.s.gravity = {0, -20, 0};
  h.s.walls = {segment({-0.1, 12, 0}, {-0.1, -0.1, 0}), segment({-0.1, -0.1, 0}, {4, -3, 0}),
               segment({9.1, 12, 0}, {9.1, -0.1, 0}), segment({9.1, -0.1, 0}, {5, -3, 0}),
               endless_cylinder({4.5, -1, 0}, {0, 0, 1}, 14)};
  h.s.drives = {{.walls = {3}, .at = [](double time) {
                   return driven_motion{{}, {0, 0, 0.5 * portable_sin(30 * time)}};
                 }}};
  h.s.sort_every = 45;
  return h;
}

// Smooth grains of two materials that are damped in all ways, some of them spinning, in a box
// that is periodic on all axes: pairs across it, in parts and groups of all kinds.
scene smooth(const char* name, const std::string& law, std::uint64_t hash) {
  scene g{name, {}, dem_support::lattice(13, 0.95, 0.5, 0.1, 3.0), 60, hash};
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    g.bodies[i].material = static_cast<unsigned>(i % 3 == 0);
    if (i % 5 == 0) g.bodies[i].spin = {1, -2, 0.5};
    if (i % 97 == 11) g.bodies[i].moves = i % 2 == 0 ? motion::fixed : motion::driven;
  }
  if (law == "hooke") {  // two in the same place: the direction is a convention
    g.bodies[500].position = g.bodies[501].position;
    g.bodies[500].velocity = g.bodies[501].velocity = {1, 0, 0};
  }
  g.s.materials = material_table({.stiffness = 2e3, .restitution = 0.7});
  g.s.materials.add({"light", 1, 2e4, 0.2});
  g.s.materials.add({"heavy", 2, 4e4, 0.3});
  if (law == "hooke") {
    g.s.materials.set(0, 1, {.stiffness = 3e3, .viscosity = 2});
    g.s.materials.set(1, 1, {.stiffness = 2e3, .damping = 10});
  }
  g.s.contact_law = named_law(law, g.s.materials);
  const double side = 0.95 * 13;
  g.s.periodic = {abut::interval{0, side}, abut::interval{0, side}, abut::interval{0, side}};
  g.s.sort_every = 25;
  return g;
}
scene smooth_hooke() { return smooth("smooth_hooke", "hooke", 0x3097f4a000499e54U); }
scene smooth_hertz() { return smooth("smooth_hertz", "hertz-mindlin", 0x5a719780c0fe0035U); }
scene smooth_linear() { return smooth("smooth_linear", "linear", 0xb17add0f3d0d6f9dU); }

// Rough grains that are all alike, so that loops know their sizes and masses.
scene alike() {
  scene g{"alike", {}, dem_support::lattice(13, 0.95, 0.5, 0.1, 3.0), 60, 0x0f65add4156a2c76U};
  for (std::size_t i = 0; i < g.bodies.size(); i += 3) g.bodies[i].spin = {1, -2, 0.5};
  g.s.materials = material_table({.stiffness = 2e3, .damping = 10, .tangential_damping = 5, .friction = 0.4});
  g.s.materials.add({"grain"});
  g.s.contact_law = named_law("hooke", g.s.materials);
  g.s.gravity = {0.5, 0, -9.81};
  for (auto& period : g.s.periodic) period = abut::interval{0, 0.95 * 13};
  g.s.sort_every = 25;
  return g;
}

// Scenes whose damping and friction see velocities in mid-step.
scene half_step(scene of, const char* name, std::uint64_t hash) {
  of.name = name;
  of.hash = hash;
  of.s.half_step_velocities = true;
  return of;
}
scene half_alike() { return half_step(alike(), "half_alike", 0x0456c7068bf2eb41U); }
scene half_smooth() { return half_step(smooth_hooke(), "half_smooth", 0x789e01906c7e4490U); }
scene half_gas() { return half_step(gas(), "half_gas", 0xec34c0ae1914f92bU); }
scene half_drift() { return half_step(drift(), "half_drift", 0x433ff3f561848deeU); }

// A box that a servo compresses on two axes together while it is stretched on the third, by a function of time that
// begins late, with so many rough grains that threads share the work.
scene squeezed() {
  scene g = smooth("squeezed", "linear", 0x6eecaa437faea6b2U);
  g.s.materials = material_table({.stiffness = 2e3, .restitution = 0.7, .friction = 0.4, .rolling_friction = 0.1});
  g.s.materials.add({"light", 1});
  g.s.materials.add({"heavy", 2});
  g.s.contact_law = named_law("hooke", g.s.materials);
  for (body& b : g.bodies) b.moves = motion::free;
  g.s.deform.emplace();
  g.s.deform->sides[0].held = g.s.deform->sides[1].held = box_servo{.pressure = 300, .mass = 500, .damping = 100};
  g.s.deform->sides[2].rate_at = [](double time) { return 0.3 + 0.2 * portable_sin(30 * time); };
  g.s.deform->isotropic = true;
  g.s.deform->begin = 0.01;
  return g;
}

// The same without friction: the loop for central forces.
scene squeezed_smooth() {
  scene g = smooth("squeezed_smooth", "hooke", 0xd9e2dbac350c2df1U);
  for (body& b : g.bodies) b.moves = motion::free;
  g.s.deform.emplace();
  for (box_side& side : g.s.deform->sides) side.rate = -0.4;
  return g;
}

// Clumps that fall to the floor of a slot that is compressed along x, faster than bodies fall, and stretched along y.
scene squeezed_clumps() {
  scene c = clumps();
  c.name = "squeezed_clumps";
  c.hash = 0x63bb5623a9b4e6abU;
  for (body& b : c.bodies) b.moves = motion::free;
  c.s.drives.erase(c.s.drives.begin());
  c.s.deform.emplace();
  c.s.deform->sides[0].rate = -1;
  c.s.deform->sides[1].rate = 0.5;
  return c;
}

// Discs by Hertz's law and the predictor-corrector, in a box that gets narrow until a time.
scene squeezed_discs() {
  scene d = discs();
  d.name = "squeezed_discs";
  d.hash = 0xfc821e858b376510U;
  d.s.deform.emplace();
  d.s.deform->sides[0].rate = -1;
  d.s.deform->sides[1].held = box_servo{.pressure = 100, .mass = 20, .limit = 0.5};
  d.s.deform->end = 0.03;
  return d;
}

std::uint64_t run(const scene& with, const std::string& method, int threads, std::optional<double> skin = {},
                  const std::function<void(simulation&)>& between = {}) {
  settings s = with.s;
  s.method = method;
  s.threads = threads;
  s.skin = skin;
  simulation all(s, with.bodies);
  while (all.steps() < with.steps) {
    all.run(10);
    if (between) between(all);
  }
  return hash_of(all.bodies());
}

class dem_bits : public ::testing::TestWithParam<scene (*)()> {};

TEST_P(dem_bits, are_those_of_every_machine) {
  const scene s = GetParam()();
  const std::uint64_t found = run(s, "auto", 2);
  EXPECT_EQ(found, s.hash) << std::hex << "0x" << found;
}

TEST_P(dem_bits, do_not_depend_on_method_and_threads) {
  const scene s = GetParam()();
  const std::uint64_t expected = run(s, "pairing", 1, 0.0);
  for (const abut::method_info* method : abut::methods()) {
    for (const int threads : {1, 2, 3}) {
      EXPECT_EQ(run(s, std::string(method->name), threads), expected) << method->name << " on " << threads;
    }
  }
  for (const double skin : {0.0, 1e-3, 0.03, 0.3}) EXPECT_EQ(run(s, "grid", 2, skin), expected) << "skin " << skin;
}

// Several steps in one call are made in one go, without the state in between.
TEST_P(dem_bits, do_not_depend_on_how_many_steps_are_made_at_once) {
  const scene s = GetParam()();
  simulation at_once(s.s, s.bodies);
  at_once.run(s.steps);
  simulation one_by_one(s.s, s.bodies);
  while (one_by_one.steps() < s.steps) one_by_one.run(1);
  EXPECT_EQ(hash_of(at_once.bodies()), hash_of(one_by_one.bodies()));
  EXPECT_EQ(at_once.bodies().force, one_by_one.bodies().force);
  EXPECT_EQ(at_once.bodies().torque, one_by_one.bodies().torque);
  EXPECT_EQ(at_once.measure().kinetic, one_by_one.measure().kinetic);
  EXPECT_EQ(at_once.measure().elastic, one_by_one.measure().elastic);
  EXPECT_EQ(at_once.measure().dissipated, one_by_one.measure().dissipated);
  for (const int threads : {1, 3}) {
    settings shared = s.s;
    shared.threads = threads;
    simulation same(shared, s.bodies);
    same.run(s.steps);
    EXPECT_EQ(hash_of(same.bodies()), hash_of(at_once.bodies())) << threads << " threads";
  }
  settings watched = s.s;
  watched.energies = !watched.energies;
  watched.keep_every = 7;
  simulation other(watched, s.bodies);
  other.run(s.steps);
  EXPECT_EQ(hash_of(other.bodies()), hash_of(at_once.bodies()));
}

TEST_P(dem_bits, do_not_change_if_the_method_does) {
  const scene s = GetParam()();
  const std::uint64_t expected = run(s, "pairing", 1, 0.0);
  std::size_t k = 0;
  const auto all = abut::methods();
  EXPECT_EQ(run(s, "auto", 2, {}, [&](simulation& of) { of.use_method(all[k++ % all.size()]->name); }), expected);
}

// What is saved at the end has all bits of a simulation.
TEST_P(dem_bits, are_the_same_after_a_stop) {
  scene s = GetParam()();
  s.s.energies = true;
  s.s.threads = 2;
  simulation whole(s.s, s.bodies);
  struct stop {
    std::uint64_t step;
    measures measured;
    std::string bytes;
  };
  std::vector<stop> stops;
  for (const std::uint64_t step : {s.s.sort_every, s.steps / 2 + 1}) {
    whole.run(step - whole.steps());
    stops.push_back({step, whole.measure(), dem_support::saved(whole)});
  }
  whole.run(s.steps - whole.steps());
  for (const stop& at : stops) {
    settings other = s.s;
    other.method = at.step % 2 == 0 ? "pairing" : "grid";
    other.threads = 1 + static_cast<int>(at.step % 3);
    if (at.step % 2 == 0) other.skin = 0;
    simulation again = dem_support::gone_on(other, at.bytes);
    EXPECT_TRUE(dem_support::saved(again) == at.bytes);
    EXPECT_EQ(again.steps(), at.step);
    EXPECT_EQ(again.measure().elastic, at.measured.elastic);
    EXPECT_EQ(again.measure().dissipated, at.measured.dissipated);
    EXPECT_EQ(again.measure().contacts, at.measured.contacts);
    again.run(s.steps - at.step);
    EXPECT_TRUE(dem_support::saved(again) == dem_support::saved(whole)) << "after step " << at.step;
    EXPECT_EQ(hash_of(again.bodies()), hash_of(whole.bodies()));
    EXPECT_EQ(again.measure().dissipated, whole.measure().dissipated);
  }
}

#ifdef ABUT_DEM_INSTRUCTIONS
TEST_P(dem_bits, do_not_depend_on_instructions) {
  const scene s = GetParam()();
  const std::uint64_t expected = run(s, "pairing", 1, 0.0);
  support::with_each_instruction_set([&](const std::string& name) {
    for (const char* method : {"grid", "nearest-neighbor"}) EXPECT_EQ(run(s, method, 2), expected) << method << name;
  });
}
#endif

// How far apart two runs of a scene are: the largest distance between a body's two positions, through periods too.
double distance(const simulation& a, const simulation& b, const abut::periodic_axes& periodic) {
  const auto apart = [](double d, const std::optional<abut::interval>& period) {
    return period ? std::remainder(d, period->max - period->min) : d;
  };
  double largest = 0;
  for (std::uint32_t id = 0; id < a.bodies().size(); ++id) {
    const vec d = a.bodies().position[a.row_of(id)] - b.bodies().position[b.row_of(id)];
    largest = std::max(largest, length(vec{apart(d.x, periodic[0]), apart(d.y, periodic[1]), apart(d.z, periodic[2])}));
  }
  return largest;
}

// Sorting changes the order of sums and the roles of bodies, and so the last bits, but nothing else.
TEST_P(dem_bits, change_with_sorting_and_nothing_else_does) {
  const scene s = GetParam()();
  simulation sorted(s.s, s.bodies);
  sorted.run(s.steps);
  EXPECT_GT(static_cast<double>(sorted.measure().contacts), s.contacts * static_cast<double>(s.bodies.size()));
  EXPECT_LT(sorted.searches(), sorted.steps());
  settings unsorted = s.s;
  unsorted.sort_every = 1'000'000;
  simulation other(unsorted, s.bodies);
  other.run(s.steps);
  EXPECT_NE(hash_of(other.bodies()), hash_of(sorted.bodies()));
  EXPECT_LT(distance(sorted, other, sorted.periods()), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(all, dem_bits,
                         ::testing::Values(grains, grains_hertz, crowd, discs, cohesive, gas, drift, clumps, hopper,
                                           paddle, hourglass, smooth_hooke, smooth_hertz, smooth_linear, alike,
                                           half_alike, half_smooth, half_gas, half_drift, squeezed, squeezed_smooth,
                                           squeezed_clumps, squeezed_discs),
                         [](const auto& of) { return std::string(of.param().name); });

}  // namespace
}  // namespace bits_test
