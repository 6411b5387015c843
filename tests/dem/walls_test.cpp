// Walls: where they push, how they move, what they carry.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <abut/error.hpp>

#include "grains.hpp"
#include "resting.hpp"

namespace walls_test {
namespace {

using namespace abut::dem;
using namespace dem_support;

constexpr double g = 9.81;
constexpr double r = ball_radius;
constexpr double k = wall_stiffness;
constexpr interaction sticky{.stiffness = k, .restitution = 0.3, .friction = 0.5};

void expect_near(const vec& found, const vec& expected, double error) {
  EXPECT_NEAR(found.x, expected.x, error);
  EXPECT_NEAR(found.y, expected.y, error);
  EXPECT_NEAR(found.z, expected.z, error);
}

// Two triangles with the corners of a rectangle.
wall flat_mesh(const vec& corner, const vec& side, const vec& other) { return rectangle(corner, side, other); }

// ---- where they push

// The nearest point of a turned line, found by trying many.
double sampled_distance(const vec& center, double from_radius, double to_radius, double height) {
  double least = 1e300;
  constexpr int along = 200, around = 900;
  for (int a = 0; a <= along; ++a) {
    const double part = static_cast<double>(a) / along;
    const double radius = from_radius + part * (to_radius - from_radius);
    for (int b = 0; b < around; ++b) {
      const double angle = 2 * std::numbers::pi * b / around;
      const vec at{radius * std::cos(angle), radius * std::sin(angle), part * height};
      least = std::min(least, length(center - at));
    }
  }
  return least;
}

TEST(dem_walls, of_revolution_push_from_their_nearest_point) {
  struct line {
    double first, second, height;
  };
  random_numbers next(11);
  for (const line l : {line{0.03, 0.03, 0.05}, line{0.03, 0.01, 0.04}, line{0, 0.03, 0.02}, line{0.012, 0.03, 0}}) {
    const wall w = l.height > 0 ? cone({}, {0, 0, l.height}, l.first, l.second) : disc({}, {0, 0, -2}, 0.03, 0.012);
    std::size_t touched = 0;
    for (int n = 0; n < 80; ++n) {
      const vec center{0.036 * next(), 0.036 * next(), 0.02 + 0.03 * next()};
      const double distance = sampled_distance(center, l.first, l.second, l.height);
      if (distance < 1e-3) continue;  // too near for samples
      const double overlap = std::max(0.0, 0.006 - distance);
      const push found = push_on_ball({w}, center, 0.006);
      EXPECT_NEAR(length(found.force), k * overlap, k * 1e-5) << n;
      if (overlap < 1e-4) continue;
      ++touched;
      // Moved along the force by the overlap, it only just touches: the force points away from the nearest point.
      const vec out = center + found.force * (overlap / length(found.force));
      EXPECT_LT(length(push_on_ball({w}, out, 0.006).force), k * 2e-5);
    }
    EXPECT_GT(touched, 5U);
  }
}

TEST(dem_walls, of_any_axis_push_as_if_everything_was_turned) {
  const quaternion q = turned({}, {0.7, -1.1, 0.4});
  const vec by{0.3, -0.2, 0.1};
  const auto to = [&](const vec& v) { return by + rotated(q, v); };
  random_numbers next(5);
  for (int n = 0; n < 50; ++n) {
    const vec center{0.03 * next(), 0.03 * next(), 0.03 * next()};
    const push upright = push_on_ball({cone({0, 0, -0.02}, {0, 0, 0.02}, 0.01, 0.025)}, center);
    const push other = push_on_ball({cone(to({0, 0, -0.02}), to({0, 0, 0.02}), 0.01, 0.025)}, to(center));
    expect_near(other.force, rotated(q, upright.force), 1e-9);
    const push in = push_on_ball({endless_cylinder({}, {0, 0, 1}, 0.03)}, center);
    expect_near(push_on_ball({endless_cylinder(by, rotated(q, {0, 0, 5}), 0.03)}, to(center)).force,
                rotated(q, in.force), 1e-9);
  }
}

TEST(dem_walls, push_from_both_sides) {
  const double deep = 0.001;
  const wall shell = cylinder({0, 0, -1}, {0, 0, 1}, 0.1);
  expect_near(push_on_ball({shell}, {0.1 - r + deep, 0, 0}).force, {-k * deep, 0, 0}, 1e-9);
  expect_near(push_on_ball({shell}, {0, 0.1 + r - deep, 0}).force, {0, k * deep, 0}, 1e-9);
  const wall lid = disc({}, {0, 0, 1}, 0.1);
  expect_near(push_on_ball({lid}, {0.05, 0, r - deep}).force, {0, 0, k * deep}, 1e-9);
  expect_near(push_on_ball({lid}, {0, 0.05, -r + deep}).force, {0, 0, -k * deep}, 1e-9);
  expect_near(push_on_ball({lid}, {0, 0, r - deep}).force, {0, 0, k * deep}, 1e-9);
  expect_near(push_on_ball({endless_cylinder({}, {0, 1, 0}, 0.1)}, {0, 7, 0.1 - r + deep}).force, {0, 0, -k * deep},
              1e-9);
  expect_near(push_on_ball({endless_cylinder({}, {0, 1, 0}, -0.1)}, {0, 7, 0.1 + r - deep}).force, {0, 0, k * deep},
              1e-9);
}

TEST(dem_walls, with_a_hole_let_through_what_fits) {
  const wall floor = disc({}, {0, 0, 1}, 0.1, 1.5 * r);
  EXPECT_EQ(push_on_ball({floor}, {0, 0, 0}).contacts, 0U);
  EXPECT_EQ(push_on_ball({floor}, {0, 0, 0.3 * r}).contacts, 0U);
  // One that is too large touches all around; two opposite points stand for that.
  const push large = push_on_ball({floor}, {0, 0, 0.4 * r}, 1.6 * r);
  EXPECT_EQ(large.contacts, 2U);
  EXPECT_GT(large.force.z, 0);
  expect_near({large.force.x, large.force.y, 0}, {}, 1e-9);
}

TEST(dem_walls, that_share_a_rim_push_once) {
  // From inside, the joint of a hopper and the pipe below it is convex.
  const std::vector<wall> hopper = {cone({0, 0, 0}, {0, 0, 0.1}, 0.03, 0.1), cylinder({0, 0, -0.1}, {0, 0, 0}, 0.03)};
  const vec inward = vec{-1, 0, 0.3} * (1 / length({-1, 0, 0.3}));
  const double deep = 0.0005;
  const push found = push_on_ball(hopper, vec{0.03, 0, 0} + inward * (r - deep));
  EXPECT_EQ(found.contacts, 1U);
  expect_near(found.force, inward * (k * deep), 1e-9);
  // At the upper end of the hopper, the joint with the silo is concave: two contacts.
  const std::vector<wall> silo = {cone({0, 0, 0}, {0, 0, 0.1}, 0.03, 0.1), cylinder({0, 0, 0.1}, {0, 0, 0.3}, 0.1)};
  const double slope = std::atan2(0.1, 0.07);
  const double below = (r - deep) * (1 / std::cos(slope) - std::tan(slope));
  const double z = 0.1 + (r - deep) / std::cos(slope) - (r - deep) * std::tan(slope);
  EXPECT_NEAR(z, 0.1 + below, 1e-12);
  const push corner = push_on_ball(silo, {0.1 - (r - deep), 0, z});
  EXPECT_EQ(corner.contacts, 2U);
  expect_near(corner.force, {-k * deep * (1 + std::sin(slope)), 0, k * deep * std::cos(slope)}, 1e-6);
}

TEST(dem_walls, in_2d_are_lines_and_circles) {
  settings s = with_walls(
      {segment({0, 0, 0}, {1, 0, 0}), segment({1, 0, 0}, {2, 0, 0}), endless_cylinder({0, 0, 0}, {0, 0, 1}, 3)},
      {.stiffness = k}, "linear");
  s.dimension = 2;
  const auto force = [&](const vec& at) { return simulation(s, {{.position = at, .radius = r}}).bodies().force[0]; };
  expect_near(force({0.5, 0.8 * r, 0}), {0, k * 0.2 * r, 0}, 1e-9);
  expect_near(force({1, -0.8 * r, 0}), {0, -k * 0.2 * r, 0}, 1e-9);    // once at the joint
  expect_near(force({2 + 0.8 * r, 0, 0}), {k * 0.2 * r, 0, 0}, 1e-9);  // at the end
  expect_near(force({0, 3 - 0.8 * r, 0}), {0, -k * 0.2 * r, 0}, 1e-9);
  s.walls = {disc({}, {0, 0, 1}, 1)};
  EXPECT_THROW(simulation(s, {{.radius = r}}), abut::error);
}

// ---- what they carry

// Balls of some sizes settle in a silo with a hopper that a lid closes. Then its side is raised by a millimeter, so
// that friction acts upwards on the balls all along it, as in Janssen's experiment (1895), however they have come to
// lie.
TEST(dem_walls, carry_the_weight_of_what_rests_on_them) {
  settings s = with_walls({cylinder({0, 0, 0.03}, {0, 0, 0.6}, 0.03), cone({0, 0, 0}, {0, 0, 0.03}, 0.015, 0.03),
                           disc({0, 0, 0}, {0, 0, 1}, 0.015)},
                          {.stiffness = 2e3, .viscosity = 1, .friction = 0.5, .rolling_friction = 0.1});
  s.gravity = {0, 0, -g};
  s.drives = {{.walls = {0}, .at = [](double time) {
                 return driven_motion{.velocity = {0, 0, time > 1 && time < 1.1 ? 0.01 : 0.0}};
               }}};
  for (const unsigned seed : {4U, 5U, 6U}) {
    SCOPED_TRACE(seed);
    random_numbers next(seed);
    std::vector<body> bodies;
    for (int n = 0; n < 60; ++n) {  // five in a layer, turned from layer to layer
      const double angle = n % 5 * std::numbers::pi / 2 + n / 5 * 0.7;
      const double out = n % 5 == 4 ? 0 : 0.02;
      const vec at{out * std::cos(angle), out * std::sin(angle), 0.06 + 0.02 * (n / 5)};
      bodies.push_back({.position = at + vec{next(), next(), next()} * 0.0004, .radius = 0.008 + 0.0008 * next()});
    }
    simulation all(s, bodies);
    while (all.time() < 3 || (all.measure().kinetic > 1e-24 && all.time() < 25)) all.run(1000);
    double total = 0;
    for (const double m : all.bodies().mass) total += m * g;
    vec sum;
    for (const wall_load& load : all.wall_loads()) {
      sum += load.force;
      EXPECT_LT(load.force.z, -0.01 * total);  // each carries a part
    }
    EXPECT_LT(all.wall_loads()[0].force.z, -0.2 * total);  // the side a good part, by friction alone
    EXPECT_LT(all.measure().kinetic, 1e-20);
    expect_near(sum * (1 / total), {0, 0, -1}, 1e-9);
  }
}

TEST(dem_walls, carry_their_parts) {
  // A ball in the corner of a cylinder and a floor, with gravity to both.
  settings s =
      with_walls({cylinder({0, 0, 0}, {0, 0, 0.1}, 0.05), disc({}, {0, 0, 1}, 0.05)}, {.stiffness = k, .viscosity = 5});
  s.gravity = {3, 0, -g};
  simulation run(s, {{.position = {0.05 - r, 0, r}, .radius = r}});
  while (run.time() < 0.5) run.run(100);
  expect_near(run.wall_loads()[0].force, {ball_mass * 3, 0, 0}, 1e-9);
  expect_near(run.wall_loads()[1].force, {0, 0, -weight()}, 1e-9);
  // About the middle of the floor: the cylinder is pushed at height r, the floor at the ball's x.
  const vec at = run.bodies().position[0];
  expect_near(run.wall_loads()[0].torque, {0, at.z * ball_mass * 3, 0}, 1e-11);
  expect_near(run.wall_loads()[1].torque, {0, at.x * weight(), 0}, 1e-11);
}

TEST(dem_walls, hold_a_ball_that_fills_a_hopper) {
  // It touches on a circle, as two opposite points: the normal forces are N = m g / (2 sin a) each.
  settings s = with_walls({cone({}, {0, 0, 0.1}, 0, 0.1)}, {.stiffness = k, .viscosity = 5});
  s.gravity = {0, 0, -g};
  simulation run(s, {{.position = {0.0003, 0, std::sqrt(2.0) * r}, .radius = r}});
  while (run.time() < 1) run.run(100);
  const double deep = weight() / 2 * std::sqrt(2.0) / k;
  expect_near(run.bodies().position[0], {0, 0, std::sqrt(2.0) * (r - deep)}, 1e-9);
  expect_near(run.wall_loads()[0].force, {0, 0, -weight()}, 1e-9);
}

// ---- how bodies slide and roll on them

// The surface below a ball that goes down a slope along x, which falls by the angle: a plane, triangles, or the inside
// of a cone along one of its straight lines.
std::vector<wall> slopes(double angle) {
  const vec down{std::cos(angle), 0, -std::sin(angle)};
  const vec up{std::sin(angle), 0, std::cos(angle)};
  // A cone whose straight line in the half plane y = 0 has this direction, and ends 3 to the right of the origin.
  const vec low = down * 3;
  const double end = 4;
  return {plane({}, up), flat_mesh(down * -1 - vec{0, 1, 0}, down * 4, {0, 2, 0}),
          cone(low + vec{-low.x * 0 + end, 0, 0}, vec{low.x + end, 0, low.z + 4 * std::sin(angle)}, end,
               end + 4 * std::cos(angle))};
}

TEST(dem_walls, let_balls_roll_and_slide_down_a_slope) {
  struct example {
    double angle, friction;
  };
  for (const example e : {example{0.3, 0.5}, example{0.9, 0.2}}) {
    const bool rolls = std::tan(e.angle) < 3.5 * e.friction;
    const double expected =
        rolls ? 5.0 / 7 * g * std::sin(e.angle) : g * (std::sin(e.angle) - e.friction * std::cos(e.angle));
    const vec down{std::cos(e.angle), 0, -std::sin(e.angle)};
    const vec up{std::sin(e.angle), 0, std::cos(e.angle)};
    for (const wall& w : slopes(e.angle)) {
      settings s = with_walls({w}, {.stiffness = k, .restitution = 0.3, .friction = e.friction});
      s.gravity = {0, 0, -g};
      const double deep = weight() * std::cos(e.angle) / k;
      simulation run(s, {{.position = up * (r - deep), .radius = r}});
      while (run.time() < 0.2) run.run();
      const vec moved = run.bodies().position[0] - up * (r - deep);
      const double t = run.time();
      EXPECT_NEAR(dot(moved, down), expected * t * t / 2, 2e-3 * expected * t * t / 2);
      EXPECT_NEAR(dot(moved, up), 0, 1e-7);
      EXPECT_NEAR(moved.y, 0, 1e-12);
    }
  }
}

// ---- how they turn

TEST(dem_walls, that_rotate_drag_bodies_along) {
  // In a rotating drum, a ball is carried along until it turns so fast that nothing slips.
  for (const wall& drum : {endless_cylinder({}, {0, 1, 0}, 0.1), cylinder({0, -0.5, 0}, {0, 0.5, 0}, 0.1)}) {
    settings s = with_walls({drum}, {.stiffness = k, .restitution = 0.3, .tangential_viscosity = 5, .friction = 0.3});
    s.walls[0].spin = {0, 2, 0};
    s.gravity = {0, 0, -g};
    const double deep = weight() / k;
    simulation run(s, {{.position = {0, 0, -0.1 + r - deep}, .radius = r}});
    double farthest = 0;
    while (run.time() < 0.3) {
      run.run();
      farthest = std::max(farthest, std::abs(run.bodies().position[0].x));
    }
    EXPECT_GT(farthest, 1e-3);
    const vec at = run.bodies().position[0];
    const vec out = at * (1 / length(at));
    const vec of_drum = cross({0, 2, 0}, out * 0.1);
    const vec of_ball = run.bodies().velocity[0] + cross(run.bodies().spin[0], out * (0.1 - length(at)));
    EXPECT_GT(length(of_drum), 0.19);
    expect_near(of_ball, of_drum, 1e-4);
  }
}

// A ball that rolls on a turntable goes around in circles, 2/7 times as fast as the table (Weltner 1979).
TEST(dem_walls, that_rotate_are_turntables) {
  const std::vector<wall> tables = {plane({}, {0, 0, 1}), disc({}, {0, 0, 1}, 2),
                                    flat_mesh({-1, -1, 0}, {2, 0, 0}, {0, 2, 0})};
  for (const wall& table : tables) {
    settings s = with_walls({table}, {.stiffness = k, .restitution = 0.3, .friction = 1});
    s.walls[0].center = {0.1, 0, 0};
    s.walls[0].spin = {0, 0, 3};
    s.gravity = {0, 0, -g};
    const double deep = weight() / k;
    // Rolling at first, too: the ball's lowest point has the table's velocity.
    const vec at{0.3, 0, r - deep};
    const vec surface = cross({0, 0, 3}, at - vec{0.1, 0, 0});
    const vec velocity{0.1, 0.05, 0};
    const vec slip = surface - velocity;  // = cross(spin, -z) (r - deep)
    const vec spin = vec{slip.y, -slip.x, 0} * (1 / (r - deep));
    simulation run(s, {{.position = at, .velocity = velocity, .spin = spin, .radius = r}});
    const double omega = 2.0 / 7 * 3;
    while (run.time() < 0.4 * 2 * std::numbers::pi / omega) run.run();
    // The velocity turns by omega t, and the position about a fixed point.
    const double c = std::cos(omega * run.time());
    const double sine = std::sin(omega * run.time());
    const vec expected{velocity.x * c - velocity.y * sine, velocity.x * sine + velocity.y * c, 0};
    expect_near(run.bodies().velocity[0], expected, 2e-4);
    const vec middle = at - cross({0, 0, 1 / omega}, velocity) * -1;
    const vec arm = at - middle;
    expect_near(run.bodies().position[0], middle + vec{arm.x * c - arm.y * sine, arm.x * sine + arm.y * c, 0}, 3e-4);
  }
}

TEST(dem_walls, turn_in_space) {
  // A paddle pushes a ball ahead of it: all three kinds in the same way, until it is upright.
  std::vector<vec> found;
  for (wall w :
       {plane({}, {0, 0, 1}), flat_mesh({-0.3, -0.3, 0}, {0.6, 0, 0}, {0, 0.6, 0}), disc({}, {0, 0, 1}, 0.3)}) {
    w.center = {};
    w.spin = {0, -2, 0};
    settings s = with_walls({w}, {.stiffness = k, .restitution = 0.3});
    s.energies = true;
    simulation run(s, {{.position = {0.1, 0, r}, .radius = r}});
    while (run.time() < 0.3) run.run();
    const vec at = run.bodies().position[0];
    found.push_back(at);
    // The ball is on the paddle's upper side, and the paddle has turned by 2 t.
    const double angle = 2 * run.time();
    const vec up{-std::sin(angle), 0, std::cos(angle)};
    EXPECT_GT(dot(at, up), 0.9 * r);
    const wall now = run.walls()[0];
    expect_near(now.normal, up, 1e-6);
    for (const patch& p : now.patches) {
      expect_near(p.normal, up, 1e-6);
      EXPECT_NEAR(dot(p.a, up), 0, 1e-6);
    }
    const measures m = run.measure();
    EXPECT_GT(m.work, 0);
    EXPECT_NEAR(m.kinetic + m.elastic + m.dissipated, m.work, 1e-3 * m.work);
  }
  expect_near(found[1], found[0], 1e-9);
  expect_near(found[2], found[0], 1e-9);
}

// The list of near patches lasts until a wall has come nearer, even if no body has moved.
TEST(dem_walls, that_move_reach_bodies_at_rest) {
  wall moving = flat_mesh({0, -0.1, -0.1}, {0, 0.2, 0}, {0, 0, 0.2});
  moving.velocity = {0.5, 0, 0};
  wall turning = flat_mesh({0, -0.1, 0}, {0.3, 0, 0}, {0, 0.2, 0});
  turning.spin = {0, -5, 0};
  for (const wall& w : {moving, turning}) {
    settings s = with_walls({w}, {.stiffness = k, .restitution = 0.5});
    s.skin = 0.02;
    s.sort_every = 1'000'000;  // which would make a new list
    simulation run(s, {{.position = {0.1, 0, 0.05}, .radius = r}});
    while (run.time() < 0.3) run.run();
    EXPECT_GT(length(run.bodies().velocity[0]), 0.4);
  }
}

// What is near is found by boxes around patches, whose corners move on all axes at once.
TEST(dem_walls, that_move_along_a_diagonal_push_the_same_for_every_skin) {
  constexpr double h = 0.02, gap = 0.02;
  const auto final = [](double skin) {
    wall moving = mesh({{{0, 0, 0}, {h, h, h}, {0, h, 0}}});
    moving.velocity = {0.1, 0.1, 0.1};
    settings s = with_walls({moving}, sticky);
    s.skin = skin;
    s.sort_every = 1'000'000;  // which would make a new list
    const double corner = h + (gap + r) / std::sqrt(3.0);
    simulation run(s, {{.position = {corner, corner, corner}, .radius = r}});
    while (run.time() < 0.5) run.run(50);
    EXPECT_GT(run.bodies().velocity[0].x, 0.05);
    return hash_of(run.bodies());
  };
  const auto expected = final(1e-4);
  for (const double skin : {0.005, 0.012, 0.015, 0.019, 0.03}) EXPECT_EQ(final(skin), expected) << "skin " << skin;
}

TEST(dem_walls, turn_by_drives_as_by_themselves) {
  const auto final = [](bool driven) {
    settings s = with_walls({flat_mesh({-0.3, -0.3, 0}, {0.6, 0, 0}, {0, 0.6, 0})}, sticky);
    s.gravity = {0, 0, -g};
    if (driven) {
      s.drives = {{.walls = {0}, .at = [](double) { return driven_motion{{0.1, 0, 0}, {0, -0.5, 0.3}}; }}};
    } else {
      s.walls[0].velocity = {0.1, 0, 0};
      s.walls[0].spin = {0, -0.5, 0.3};
    }
    simulation run(s, {{.position = {0.1, 0, r}, .radius = r}});
    run.run(2000);
    return hash_of(run.bodies());
  };
  EXPECT_EQ(final(true), final(false));
}

// ---- pressed walls

TEST(dem_walls, that_are_pressed_come_to_rest_at_their_force) {
  settings s = with_walls(box_walls({0, 0, 0}, {0.06, 0.06, 0.1}), {.stiffness = k, .viscosity = 5, .friction = 0.3});
  s.walls[5].pressed = servo{.force = 20, .mass = 0.05, .damping = 5};
  simulation run(s, lattice(3, 0.02, r, 0.0005, 0));
  while (run.time() < 1) run.run(100);
  EXPECT_NEAR(run.wall_loads()[5].force.z, 20, 1e-6);
  EXPECT_NEAR(run.wall_loads()[4].force.z, -20, 20);
  vec sum;
  for (const wall_load& load : run.wall_loads()) sum += load.force;
  expect_near(sum, {}, 1e-6);
}

// A light lid on a ball on a floor, as two springs: no energy comes from anywhere.
TEST(dem_walls, that_are_pressed_keep_their_energy) {
  for (const double mass : {0.01, 0.003, 0.1}) {
    settings s = with_walls({plane({0, 0, 0}, {0, 0, 1}), plane({0, 0, 2 * r - 8e-5}, {0, 0, -1})}, {.stiffness = k});
    s.energies = true;
    s.walls[1].pressed = servo{.force = 5, .mass = mass};
    simulation run(s, {{.position = {0, 0, r - 4e-5}, .radius = r}});
    const auto total = [&] {
      const measures m = run.measure();
      const wall& lid = run.walls()[1];
      const double of_lid = 0.5 * mass * lid.velocity.z * lid.velocity.z + 5 * lid.point.z;
      return std::pair(m.kinetic + m.elastic + of_lid, m.kinetic + m.elastic + m.dissipated - m.work);
    };
    const auto swing = [&](double time) {
      double least = 1e300, most = -1e300, low = 1e300, high = -1e300;
      for (const double end = run.time() + time; run.time() < end;) {
        run.run();
        least = std::min(least, run.wall_loads()[1].force.z);
        most = std::max(most, run.wall_loads()[1].force.z);
        low = std::min(low, total().first);
        high = std::max(high, total().first);
      }
      return std::pair(most - least, high - low);
    };
    const double start = total().second;
    const double scale = 5 * 8e-5;
    const auto before = swing(0.02);
    EXPECT_LT(before.second, 0.1 * scale) << mass;
    const auto later = swing(0.5);
    EXPECT_LT(later.first, 1.05 * before.first) << mass;
    EXPECT_GT(later.first, 0.9 * before.first) << mass;
    EXPECT_LT(later.second, 0.12 * scale) << mass;
    EXPECT_NEAR(total().second, start, 0.05 * scale) << mass;  // the lid's work on the ball
  }
}

// Work is what a plane moves by, times the mean of its loads before and after.
TEST(dem_walls, that_are_pressed_do_the_work_of_their_force) {
  settings s = with_walls({plane({0, 0, 0}, {0, 0, 1}), plane({0, 0, 2 * r - 8e-5}, {0, 0, -1})}, {.stiffness = k});
  s.energies = true;
  s.walls[1].pressed = servo{.force = 5, .mass = 0.001, .damping = 0.1};
  simulation run(s, {{.position = {0, 0, r - 4e-5}, .radius = r}});
  double work = 0, all = 0;
  for (int step = 0; step < 500; ++step) {
    const double load = run.wall_loads()[1].force.z;
    const double from = run.walls()[1].point.z;
    run.run();
    const double part = -0.5 * (load + run.wall_loads()[1].force.z) * (run.walls()[1].point.z - from);
    work += part;
    all += std::abs(part);
  }
  EXPECT_GT(all, 0);
  EXPECT_NEAR(run.measure().work, work, 1e-9 * all);
}

TEST(dem_walls, that_are_pressed_may_be_damped_as_strongly_as_one_likes) {
  for (const double damping : {1e2, 1e4, 1e7}) {
    settings s = with_walls({plane({0, 0, 0}, {0, 0, 1}), plane({0, 0, 2 * r}, {0, 0, -1})},
                            {.stiffness = k, .restitution = 0.5});
    s.walls[1].pressed = servo{.force = 20, .mass = 0.01, .damping = damping};
    simulation run(s, {{.position = {0, 0, r}, .radius = r}});
    run.run(5000);
    EXPECT_LE(std::abs(run.walls()[1].velocity.z), 20 / damping * (1 + 1e-9));
    if (damping == 1e2) {
      EXPECT_NEAR(run.wall_loads()[1].force.z, 20, 0.1);
    }
  }
}

// ---- periods, threads, errors

TEST(dem_walls, go_on_through_periods) {
  // A pipe as long as the period is as good as an endless one, and so is a floor of triangles.
  struct example {
    wall pieces, endless;
  };
  const std::vector<example> examples = {
      {cylinder({0, 0, 0}, {0.2, 0, 0}, 0.05), endless_cylinder({}, {1, 0, 0}, 0.05)},
      {flat_mesh({0, -0.2, -0.05}, {0.2, 0, 0}, {0, 0.4, 0}), plane({0, 0, -0.05}, {0, 0, 1})}};
  for (const example& e : examples) {
    const auto run_with = [&](const wall& w) {
      settings s = with_walls({w}, sticky);
      s.periodic[0] = abut::interval{0, 0.2};
      s.gravity = {1, 0, -g};
      s.sort_every = 700;
      simulation run(s, {{.position = {0.15, 0.01, -0.03}, .velocity = {0.3, 0.1, 0}, .radius = r}});
      while (run.time() < 1) run.run();
      EXPECT_GT(run.bodies().velocity[0].x, 0.5);
      return run.bodies().position[0];
    };
    expect_near(run_with(e.pieces), run_with(e.endless), 1e-9);
  }
}

TEST(dem_walls, record_the_same_loads_for_every_number_of_threads) {
  settings s = with_walls({cylinder({0, 0, 0}, {0, 0, 0.2}, 0.1), disc({}, {0, 0, 1}, 0.1),
                           endless_cylinder({0, 0, 0}, {0, 0, 1}, -0.02), plane({0, 0, 0.001}, {0, 0, 1})},
                          sticky);
  s.gravity = {0, 0, -g};
  s.walls[0].spin = {0, 0, 5};
  std::vector<body> bodies = lattice(11, 0.012, 0.0065, 0.001, 0.3);
  for (body& b : bodies) b.position -= vec{0.066, 0.066, 0};
  std::vector<std::vector<wall_load>> found;
  for (const int threads : {1, 2, 3}) {
    s.threads = threads;
    simulation run(s, bodies);
    run.run(150);
    found.push_back(run.wall_loads());
  }
  for (std::size_t w = 0; w < s.walls.size(); ++w) {
    EXPECT_GT(length(found[0][w].force), 0);
    for (const std::size_t other : {1U, 2U}) {
      EXPECT_EQ(found[other][w].force, found[0][w].force);
      EXPECT_EQ(found[other][w].torque, found[0][w].torque);
    }
  }
}

std::string refused(const settings& s) {
  try {
    (void)simulation(s, {{.radius = r}});
  } catch (const abut::error& problem) {
    return problem.what();
  }
  return "";
}

template <class F>
std::string message(F&& f) {
  try {
    (void)f();
  } catch (const abut::error& problem) {
    return problem.what();
  }
  return "";
}

TEST(dem_walls, refuse_what_makes_no_sense) {
  EXPECT_EQ(message([] { return cylinder({}, {0, 0, 1}, -1); }), "a cylinder has radius -1");
  EXPECT_EQ(message([] { return cylinder({}, {}, 1); }), "the axis of a cylinder has no direction");
  EXPECT_EQ(message([] { return cone({}, {0, 0, 1}, 0, 0); }), "a cone has radius 0 at both ends");
  EXPECT_EQ(message([] { return disc({}, {0, 0, 1}, 1, 1); }), "a disc of radius 1 has a hole of radius 1");
  EXPECT_EQ(message([] { return endless_cylinder({}, {0, 0, 1}, 0); }), "an endless cylinder has radius 0");
  EXPECT_EQ(message([] { return rectangle({}, {1, 0, 0}, {2, 0, 0}); }), "triangle 0 of a mesh has no area");
  EXPECT_EQ(message([] { return segment({}, {}); }), "a segment has no direction");
  EXPECT_EQ(message([] { return mesh({}); }), "a mesh has no triangles");
  settings s = with_walls({plane({}, {0, 0, 1})}, sticky);
  s.periodic[0] = abut::interval{0, 1};
  s.walls[0].spin = {0, 1, 0};
  EXPECT_EQ(refused(s), "wall 0 turns away from a periodic axis");
  s.walls = {endless_cylinder({}, {1, 0, 1}, 0.3)};
  EXPECT_EQ(refused(s), "wall 0 cuts a periodic axis: a cylinder's axis must be parallel to it");
  s.walls = {disc({}, {0, 0, 1}, 0.3)};
  s.walls[0].pressed = servo{};
  EXPECT_EQ(refused(s), "wall 0 is pressed against bodies and no plane");
  s.walls = {plane({}, {0, 0, 1})};
  s.walls[0].pressed = servo{.force = 1, .mass = 0, .damping = 0};
  EXPECT_EQ(refused(s),
            "wall 0 is pressed with force 1, mass 0 and damping 0: they must be finite, the mass above 0 and "
            "the damping at least 0");
}

}  // namespace
}  // namespace walls_test
