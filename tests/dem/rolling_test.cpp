// Balls and discs that slide and roll on a plane, under gravity.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "collision.hpp"

namespace rolling_test {
namespace {

using namespace abut::dem;

constexpr double g = 9.81;
constexpr double radius = 0.01;
constexpr double k = 1e6;

// A body that lies on a plane, pressed in by its weight. In 3D the plane is z = 0, in 2D y = 0.
simulation lying(int dimension, const interaction& i, const std::string& law_name, double speed, double spin,
                 const vec& plane_velocity = {}) {
  material_table m(i);
  m.add({"ball", 2500, 1e9, 0.3});
  m.add({.name = "plane"});
  settings s;
  s.dimension = dimension;
  s.materials = m;
  s.contact_law = named_law(law_name, m);
  s.threads = 1;
  const vec up = dimension == 2 ? vec{0, 1, 0} : vec{0, 0, 1};
  s.walls = {plane({}, up, 1)};
  s.walls[0].velocity = plane_velocity;
  s.gravity = up * -g;
  const double mass = 2500 * std::numbers::pi * (dimension == 2 ? radius * radius : 4.0 / 3 * radius * radius * radius);
  double overlap = mass * g / k;
  if (law_name == "hertz-mindlin") {
    const double young = 1e9 / (1 - 0.09);
    overlap = std::pow(mass * g * 0.75 / (young * std::sqrt(radius)), 2.0 / 3);
  }
  body b;
  b.position = up * (radius - overlap);
  b.velocity = {speed, 0, 0};
  b.spin = dimension == 2 ? vec{0, 0, -spin} : vec{0, spin, 0};
  b.radius = radius;
  return {s, {b}};
}

TEST(dem_rolling, a_sliding_ball_ends_up_rolling_at_five_sevenths_of_its_speed) {
  for (const char* law_name : {"hooke", "hertz-mindlin"}) {
    simulation run = lying(3, {.stiffness = k, .restitution = 0.5, .friction = 0.3}, law_name, 0.1, 0);
    // It slides for 2 v / (7 mu g).
    while (run.time() < 2 * 2 * 0.1 / (7 * 0.3 * g)) run.run();
    const state& b = run.bodies();
    SCOPED_TRACE(law_name);
    EXPECT_NEAR(b.velocity[0].x, 0.1 * 5 / 7, 1e-4);
    EXPECT_NEAR(b.spin[0].y * radius, 0.1 * 5 / 7, 1e-4);
    EXPECT_EQ(b.velocity[0].y, 0);
  }
}

TEST(dem_rolling, a_sliding_ball_slows_down_by_friction_alone) {
  simulation run = lying(3, {.stiffness = k, .restitution = 0.5, .friction = 0.3}, "hooke", 0.1, 0);
  while (run.time() < 0.5 * 2 * 0.1 / (7 * 0.3 * g)) run.run();
  EXPECT_NEAR(run.bodies().velocity[0].x, 0.1 - 0.3 * g * run.time(), 1e-4 * 0.1);
}

TEST(dem_rolling, a_sliding_disc_ends_up_rolling_at_two_thirds_of_its_speed) {
  simulation run = lying(2, {.stiffness = k, .restitution = 0.5, .friction = 0.3}, "hooke", 0.1, 0);
  while (run.time() < 2 * 0.1 / (3 * 0.3 * g)) run.run();
  const state& b = run.bodies();
  EXPECT_NEAR(b.velocity[0].x, 0.1 * 2 / 3, 1e-4);
  EXPECT_NEAR(-b.spin[0].z * radius, 0.1 * 2 / 3, 1e-4);
  EXPECT_EQ(b.position[0].z, 0);
}

TEST(dem_rolling, rolling_resistance_stops_a_ball_after_the_computed_way) {
  for (const char* law_name : {"hooke", "hertz-mindlin"}) {
    const double v = 0.05;
    const double resistance = 0.1;
    simulation run = lying(3, {.stiffness = k, .restitution = 0.5, .friction = 0.5, .rolling_friction = resistance},
                           law_name, v, v / radius);
    while (run.time() < 1.5 * 7 * v / (5 * resistance * g)) run.run();
    const state& b = run.bodies();
    SCOPED_TRACE(law_name);
    const double way = 7 * v * v / (10 * resistance * g);
    EXPECT_NEAR(b.position[0].x, way, 0.02 * way);
    EXPECT_LT(std::abs(b.velocity[0].x), 1e-3 * v);  // and stays there
  }
}

TEST(dem_rolling, a_ball_without_resistance_rolls_on) {
  simulation run = lying(3, {.stiffness = k, .restitution = 0.5, .friction = 0.5}, "hooke", 0.05, 0.05 / radius);
  while (run.time() < 0.2) run.run();
  EXPECT_NEAR(run.bodies().velocity[0].x, 0.05, 1e-4 * 0.05);
  EXPECT_NEAR(run.bodies().position[0].x, 0.01, 1e-6);
  // It has turned by x / r about y: the quaternion's w is the cosine of half of that, once around or not.
  EXPECT_NEAR(std::abs(run.bodies().orientation[0].w), std::abs(std::cos(0.5 * 0.01 / radius)), 1e-3);
}

// The push J of friction gives v = J / m and r w = 5/2 J / m; the lowest point then moves like the plane.
TEST(dem_rolling, a_moving_plane_drags_a_ball_along_at_two_sevenths_of_its_speed) {
  simulation run = lying(3, {.stiffness = k, .restitution = 0.5, .friction = 0.3}, "hooke", 0, 0, {0.07, 0, 0});
  while (run.time() < 0.1) run.run();
  EXPECT_NEAR(run.bodies().velocity[0].x, 0.02, 1e-5);
  EXPECT_NEAR(run.bodies().spin[0].y * radius, -0.05, 1e-5);
}

}  // namespace
}  // namespace rolling_test
