// The cycle's options: drives, when to search, velocities of the half step, states that are kept, times.

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <abut/error.hpp>

#include "collision.hpp"
#include "grains.hpp"

namespace cycle_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

settings springs() {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.5, .friction = 0.5});
  s.contact_law = named_law("hooke", s.materials);
  return s;
}

TEST(dem_cycle, drives_move_bodies_and_walls_as_their_integral_says) {
  settings s = springs();
  s.walls = {plane({0, 0, -9}, {0, 0, 1})};
  const auto shake = [](double time) {
    return driven_motion{{portable_cos(30 * time), 0, portable_sin(30 * time)}, {0, 2, 0}};
  };
  s.drives.push_back({.bodies = {1, 2}, .walls = {0}, .at = shake});
  s.time_step = 1e-3;
  simulation run(s, {{.position = {0, 0, 5}, .radius = 0.5},
                     {.position = {3, 0, 0}, .radius = 0.5, .moves = motion::driven},
                     {.position = {6, 0, 0}, .radius = 0.5, .moves = motion::driven}});
  const auto at = [&](const std::vector<vec>& column, std::uint32_t id) { return column[run.row_of(id)]; };
  EXPECT_EQ(at(run.bodies().velocity, 1), (vec{1, 0, 0}));
  run.run(500);
  const double t = run.time();
  for (const std::uint32_t id : {1U, 2U}) {
    EXPECT_NEAR(at(run.bodies().position, id).x, 3 * id + std::sin(30 * t) / 30, 1e-5);
    EXPECT_NEAR(at(run.bodies().position, id).z, (1 - std::cos(30 * t)) / 30, 1e-5);
    EXPECT_EQ(at(run.bodies().velocity, id), shake(t).velocity);
    EXPECT_EQ(at(run.bodies().spin, id), (vec{0, 2, 0}));
  }
  EXPECT_EQ(at(run.bodies().position, 0), (vec{0, 0, 5}));
  EXPECT_THROW(run.drive(1, {}), abut::error);
}

// A ball that lies on a plate follows it up; the plate moves by its drive.
TEST(dem_cycle, a_driven_wall_pushes) {
  settings s = springs();
  s.gravity = {0, 0, -10};
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  s.drives.push_back({.walls = {0}, .at = [](double time) { return driven_motion{{0, 0, 2 * time}, {}}; }});
  const double mass = 4 * std::numbers::pi / 3 * 0.125;
  simulation run(s, {{.position = {0, 0, 0.5 - mass * 12 / 1e5}, .radius = 0.5}});
  while (run.time() < 0.5) run.run();
  const double t = run.time();
  EXPECT_NEAR(run.bodies().position[0].z, 0.5 - mass * 12 / 1e5 + t * t, 1e-5);
  EXPECT_NEAR(run.bodies().velocity[0].z, 2 * t, 1e-3);
}

TEST(dem_cycle, a_search_before_each_step_gives_the_same_bits) {
  settings s = springs();
  s.gravity = {0, 0, -9.81};
  s.walls = box_walls({0, 0, 0}, {5, 5, 20});
  s.sort_every = 40;
  const std::vector<body> all = dem_support::lattice(4, 1.2, 0.55, 0.04, 10.0);
  simulation needed(s, all);
  needed.run(300);
  s.searching = search_when::each_step;
  for (const double slack : {0.0, 1e-9, 0.05}) {  // the first two are too small, and searched for twice
    s.skin = slack;
    simulation each(s, all);
    each.run(300);
    EXPECT_EQ(hash_of(each.bodies()), hash_of(needed.bodies())) << slack;
    EXPECT_EQ(each.searches(), slack == 0.05 ? 301U : 601U);
  }
  s.skin.reset();
  simulation each(s, all);
  each.run(300);
  EXPECT_EQ(hash_of(each.bodies()), hash_of(needed.bodies()));
  EXPECT_LT(needed.searches(), 150U);
}

// With a dashpot, the half-step velocities lag: an error of the first order. Without one there is no difference.
TEST(dem_cycle, half_step_velocities_lag_by_half_a_step) {
  const auto speed_out = [](double restitution, bool half, double steps) {
    settings s;
    s.materials = one_material({.stiffness = 1e5, .restitution = restitution});
    s.contact_law = named_law("hooke", s.materials);
    s.half_step_velocities = half;
    const double mass = 4 * std::numbers::pi / 3 * 0.125 / 2;
    s.time_step = std::numbers::pi * std::sqrt(mass / 1e5) / steps;
    return dem_support::head_on(s, 0.5, 1).speed_out / 2;
  };
  EXPECT_NEAR(speed_out(1, true, 100), speed_out(1, false, 100), 1e-13);
  const double lag_100 = speed_out(0.5, true, 100) - 0.5;
  const double lag_200 = speed_out(0.5, true, 200) - 0.5;
  EXPECT_GT(std::abs(lag_100), 5e-4);
  EXPECT_LT(std::abs(speed_out(0.5, false, 100) - 0.5), 2e-4);
  EXPECT_NEAR(lag_100 / lag_200, 2, 0.3);
}

// There are two loops for them, one of which knows walls. Both find the same, up to rounding.
TEST(dem_cycle, half_step_velocities_are_the_same_beside_a_wall_far_away) {
  for (const double friction : {0.0, 0.5}) {
    settings s;
    s.materials = one_material({.stiffness = 2e3, .damping = 10, .tangential_damping = 5, .friction = friction});
    s.contact_law = named_law("hooke", s.materials);
    s.half_step_velocities = true;
    s.gravity = {0, 0, -1};
    s.time_step = 1e-3;
    s.sort_every = 35;
    for (std::size_t axis = 0; axis < 2; ++axis) s.periodic[axis] = abut::interval{0, 5 * 0.95};
    std::vector<body> all = dem_support::lattice(5, 0.95, 0.5, 0.1, 3.0);
    for (std::size_t i = 0; i < all.size(); i += 2) all[i].spin = {1, -2, 0.5};
    simulation alone(s, all);
    s.walls = {plane({0, 0, -1000}, {0, 0, 1})};
    simulation beside(s, all);
    for (int k = 0; k < 4; ++k) {
      alone.run(20);
      beside.run(20);
      EXPECT_GT(alone.measure().contacts, 100U);
      EXPECT_EQ(alone.measure().contacts, beside.measure().contacts);
      EXPECT_NEAR(alone.measure().elastic, beside.measure().elastic, 1e-9);
      EXPECT_EQ(alone.bodies().id, beside.bodies().id);
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_LT(length(alone.bodies().position[i] - beside.bodies().position[i]), 1e-11);
        EXPECT_LT(length(alone.bodies().velocity[i] - beside.bodies().velocity[i]), 1e-9);
        EXPECT_LT(length(alone.bodies().spin[i] - beside.bodies().spin[i]), 1e-9);
      }
    }
  }
}

TEST(dem_cycle, a_good_state_is_kept_for_when_a_run_fails) {
  settings s = springs();
  s.gravity = {3e4, 0, 0};
  s.time_step = 1e-3;
  s.keep_every = 4;
  const std::vector<body> two{{.position = {0, 0, 0}, .radius = 1}, {.position = {9, 0, 0}, .radius = 0.5}};
  simulation run(s, two);
  EXPECT_FALSE(run.last_good());
  EXPECT_THROW(run.run(100), abut::error);
  ASSERT_TRUE(run.last_good());
  EXPECT_GT(run.steps(), 10U);
  EXPECT_EQ(run.last_good()->steps, (run.steps() - 1) / 4 * 4);
  simulation again(s, two);
  again.run(run.last_good()->steps);
  EXPECT_EQ(hash_of(again.bodies()), hash_of(run.last_good()->bodies));
}

TEST(dem_cycle, time_is_counted) {
  settings s = springs();
  s.threads = 1;
  simulation run(s, dem_support::lattice(8, 0.98, 0.5, 0.0, 1.0));
  EXPECT_EQ(run.spent().forces, 0);
  while (run.searches() < 3) run.run(20);
  const times t = run.spent();
  for (const double part : {t.update, t.forces, t.integrate}) {
    EXPECT_GT(part, 0);
    EXPECT_LT(part, 60);
  }
  EXPECT_GE(t.find, 0);
}

TEST(dem_cycle, wrong_drives_are_named) {
  const auto refused = [](const drive& d) {
    settings s = springs();
    s.drives = {d};
    try {
      simulation run(s, {{.radius = 0.5}, {.position = {3, 0, 0}, .radius = 0.5, .moves = motion::driven}});
      run.run(3);
    } catch (const abut::error& e) {
      return std::string(e.what());
    }
    return std::string("nothing was thrown");
  };
  const auto still = [](double) { return driven_motion{}; };
  EXPECT_EQ(refused({.bodies = {1}}), "drive 0 has no function");
  EXPECT_EQ(refused({.bodies = {0}, .at = still}), "body 0 has a drive but is not driven");
  EXPECT_EQ(refused({.bodies = {2}, .at = still}), "drive 0 has body 2, which is not there");
  EXPECT_EQ(refused({.bodies = {1, 1}, .at = still}), "body 1 has two drives");
  EXPECT_EQ(refused({.walls = {0}, .at = still}), "drive 0 has wall 0, which is not there");
  EXPECT_EQ(refused({.bodies = {1},
                     .at =
                         [](double time) {
                           return driven_motion{{time > 0 ? std::sqrt(-time) : 0, 0, 0}, {}};
                         }})
                .rfind("drive 0 at time ", 0),
            0U);
  EXPECT_EQ(refused({.bodies = {1},
                     .at =
                         [](double time) {
                           return driven_motion{{time > 0 ? 1e9 : 0, 0, 0}, {}};
                         }})
                .rfind("body 1 in step 1 moves by ", 0),
            0U);
}

}  // namespace
}  // namespace cycle_test
