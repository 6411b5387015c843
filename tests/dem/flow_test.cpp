// Pours, removals and walls that open.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/error.hpp>

#include "collision.hpp"
#include "grains.hpp"

namespace flow_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;
using law_of_radii = radius_distribution::law;

settings still(int dimension = 3) {
  settings s;
  s.dimension = dimension;
  s.materials = one_material({.stiffness = 2e3, .restitution = 0.6, .friction = 0.4});
  s.contact_law = named_law("hooke", s.materials);
  s.threads = 1;
  return s;
}

// A bin with a funnel whose outlet is closed by a disc; bodies that fall out are removed.
settings bin(double outlet) {
  settings s = still();
  s.gravity = {0, 0, -10};
  s.walls = {cone({0, 0, 0}, {0, 0, 3}, outlet, 3), cylinder({0, 0, 3}, {0, 0, 12}, 3),
             disc({0, 0, 0}, {0, 0, 1}, outlet)};
  s.removals = {{.from = half_space({0, 0, -3}, {0, 0, -1}), .every = 20}};
  s.sort_every = 150;
  return s;
}

pour balls(double radius, std::uint64_t count) {
  return {.into = cylinder_region({0, 0, 5}, {0, 0, 11}, 2.9), .radii = {.largest = radius}, .count = count};
}

// The smallest gap between two bodies; in 2D and 3D, not periodic.
double least_gap(const state& s) {
  double least = 1e300;
  for (abut::row i = 0; i < s.size(); ++i) {
    for (abut::row j = 0; j < i; ++j) {
      least = std::min(least, length(s.position[i] - s.position[j]) - s.radius[i] - s.radius[j]);
    }
  }
  return least;
}

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const abut::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(dem_pours, new_bodies_overlap_nothing) {
  settings s = still();
  s.walls = {plane({0, 0, 1}, {0, 0, 1}), endless_cylinder({5, 5, 0}, {0, 0, 1}, -1.5),
             mesh({{{0, 0, 4}, {10, 0, 5}, {0, 10, 4}}})};
  s.pours = {{.into = box_region({0, 0, 0}, {10, 10, 8}),
              .radii = {.is = law_of_radii::uniform, .largest = 0.5, .ratio = 3},
              .count = 700,
              .every = 1},
             {.into = cylinder_region({5, 0, 5}, {5, 10, 5}, 2), .radii = {.largest = 0.2}, .count = 100, .every = 2}};
  std::vector<body> fixed = {{.position = {2, 2, 2}, .radius = 2, .moves = motion::fixed}};
  simulation run(s, fixed);
  run.run(5);
  const pour_progress all = run.poured()[0];
  EXPECT_GT(all.poured, 300U);
  EXPECT_EQ(all.poured + all.waiting, 700U);
  EXPECT_GT(run.poured()[1].poured, 30U);
  EXPECT_EQ(run.bodies().size(), 1 + all.poured + run.poured()[1].poured);
  EXPECT_GT(least_gap(run.bodies()), 0);
  EXPECT_EQ(run.measure().contacts, 0U);
  double mass = 0;
  for (abut::row i = 0; i < run.bodies().size(); ++i) {
    if (run.bodies().moves[i] == motion::fixed) continue;
    const vec& at = run.bodies().position[i];
    const double r = run.bodies().radius[i];
    mass += run.bodies().mass[i];
    EXPECT_GT(at.z - r, 1);
    EXPECT_LE(at.z + r, 8);
    EXPECT_GE(std::min(at.x, at.y) - r, 0);
    EXPECT_GT(std::hypot(at.x - 5, at.y - 5) - r, 1.5);
  }
  EXPECT_NEAR(all.mass + run.poured()[1].mass, mass, 1e-9 * mass);
}

TEST(dem_pours, new_bodies_overlap_nothing_in_2d_and_across_periods) {
  settings s = still(2);
  s.periodic[0] = abut::interval{0, 10};
  s.walls = {segment({0, 2}, {10, 3})};
  s.pours = {{.into = box_region({0, 0}, {10, 10}), .radii = {.largest = 0.4}, .count = 60, .every = 1}};
  simulation run(s, {{.position = {0, 5}, .radius = 1, .moves = motion::fixed}});
  run.run(5);
  EXPECT_GT(run.poured()[0].poured, 40U);
  EXPECT_EQ(run.measure().contacts, 0U);
  EXPECT_LT(run.measure().overlap, 1e-300);
}

// Cohesion acts before bodies touch: new bodies are beyond its reach.
TEST(dem_pours, new_bodies_are_beyond_cohesion) {
  settings s = still();
  s.materials = one_material({.stiffness = 1e3, .cohesion = 100});
  s.contact_law = named_law("kelvin-voigt", s.materials);
  s.pours = {{.into = box_region({0, 0, 0}, {6, 6, 6}), .radii = {.largest = 0.4}, .count = 200, .every = 1}};
  s.walls = {plane({0, 0, 1}, {0, 0, 1})};
  simulation run(s, {});
  run.run(3);
  EXPECT_GT(run.poured()[0].poured, 50U);
  EXPECT_GT(least_gap(run.bodies()), 0.1);
  for (const vec& at : run.bodies().position) EXPECT_GT(at.z, 1 + 0.4 + 0.1);
}

TEST(dem_pours, keep_their_rate) {
  settings s = still();
  s.time_step = 0.01;
  s.materials = one_material({.stiffness = 1});
  s.contact_law = named_law("linear", s.materials);
  s.pours = {{.into = box_region({0, 0, 0}, {50, 50, 50}),
              .radii = {.largest = 0.5},
              .rate = 40,
              .start = 1,
              .end = 4,
              .every = 10},
             {.into = box_region({60, 0, 0}, {99, 50, 50}),
              .radii = {.is = law_of_radii::uniform, .largest = 0.5, .ratio = 2},
              .mass_rate = 10,
              .every = 10}};
  simulation run(s, {});
  run.run(100);
  EXPECT_EQ(run.poured()[0].poured, 0U);
  run.run(101);  // at time 2 and the step after
  EXPECT_EQ(run.poured()[0].poured, 40U);
  EXPECT_NEAR(run.poured()[1].mass, 20, 0.53);
  run.run(400);
  EXPECT_EQ(run.poured()[0].poured, 116U);  // the last at 3.9
  EXPECT_NEAR(run.poured()[1].mass, 60, 0.53);
  EXPECT_EQ(run.poured()[0].waiting + run.poured()[1].waiting, 0U);
}

TEST(dem_pours, bodies_wait_until_there_is_room) {
  settings s = still();
  s.pours = {{.into = box_region({0, 0, 0}, {2, 2, 2}), .radii = {.largest = 0.9}, .count = 5, .every = 10}};
  simulation run(s, {});
  run.run(100);
  EXPECT_EQ(run.poured()[0].poured, 1U);
  EXPECT_EQ(run.poured()[0].waiting, 4U);
  for (std::uint32_t id = 0; id < 4; ++id) {
    run.remove(std::vector<std::uint32_t>{id});
    run.run(10);
    EXPECT_EQ(run.poured()[0].poured, id + 2U);
    EXPECT_EQ(run.poured()[0].waiting, 3U - id);
  }
  EXPECT_EQ(run.bodies().size(), 1U);
}

TEST(dem_pours, nothing_is_placed_inside_of_a_wall) {
  settings s = still();
  s.walls = {plane({0, 0, 5}, {0, 0, 1})};
  s.pours = {{.into = box_region({0, 0, 0}, {4, 4, 4.9}), .radii = {.largest = 0.1}, .count = 50}};
  simulation run(s, {});
  run.run(300);
  EXPECT_EQ(run.poured()[0].poured, 0U);
  EXPECT_EQ(run.poured()[0].waiting, 50U);
  EXPECT_EQ(run.bodies().size(), 0U);
}

TEST(dem_pours, radii_follow_their_distribution) {
  const auto radii_of = [](const radius_distribution& d, int dimension) {
    settings s = still(dimension);
    const vec far = dimension == 2 ? vec{4000, 4000} : vec{200, 200, 200};
    s.pours = {{.into = box_region({}, far), .radii = d, .count = 4000, .every = 1}};
    simulation run(s, {});
    run.run(10);
    EXPECT_EQ(run.poured()[0].poured, 4000U);
    std::vector<double> all = run.bodies().radius;
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const int dimension : {2, 3}) {
    const std::vector<double> uniform = radii_of({.is = law_of_radii::uniform, .largest = 1, .ratio = 4}, dimension);
    EXPECT_NEAR(uniform[2000], 0.625, 0.03);
    EXPECT_GE(uniform.front(), 0.25);
    EXPECT_LE(uniform.back(), 1);
    const std::vector<double> cube = radii_of({.is = law_of_radii::inverse_cube, .largest = 1, .ratio = 4}, dimension);
    EXPECT_NEAR(cube[2000], 0.25 / std::sqrt(1 - 0.5 * (1 - 1.0 / 16)), 0.01);
    const std::vector<double> mass = radii_of({.is = law_of_radii::by_mass, .largest = 1, .ratio = 4}, dimension);
    EXPECT_NEAR(mass[2000], 0.25 / std::pow(1 - 0.5 * (1 - std::pow(0.25, dimension)), 1.0 / dimension), 0.01);
    const std::vector<double> table =
        radii_of({.is = law_of_radii::table, .table = {{0.5, 1}, {0.7, 0}, {0.2, 3}}}, dimension);
    const auto small = std::count(table.begin(), table.end(), 0.2);
    EXPECT_NEAR(static_cast<double>(small) / 4000, 0.75, 0.03);
    EXPECT_EQ(std::count(table.begin(), table.end(), 0.5), 4000 - small);
  }
}

TEST(dem_pours, what_is_wrong_is_named) {
  const auto with = [](const pour& p, int dimension = 3) {
    settings s = still(dimension);
    s.pours = {p};
    return message_of([&] { simulation(s, {}); });
  };
  const region box = box_region({}, {1, 1, 1});
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.6}, .count = 1}),
            "pour 0 has a region too small for a body of radius 0.6");
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.1}}), "pour 0 has neither a count nor a rate");
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.1}, .rate = 1, .mass_rate = 1}),
            "pour 0 has a rate and a mass_rate");
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.1}, .rate = -1}),
            "pour 0 has a rate of -1: it must be finite and above 0");
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.1}, .material = 2, .count = 1}),
            "pour 0 has material 2: there are 1");
  EXPECT_EQ(with({.into = half_space({}, {0, 0, 1}), .radii = {.largest = 0.1}, .count = 1}),
            "pour 0 has a half space: it needs a box or a cylinder");
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.1}, .count = 1, .every = 0}),
            "pour 0 takes place every 0 steps: it must be at least 1");
  EXPECT_EQ(with({.into = box, .radii = {.is = law_of_radii::table}, .count = 1}),
            "pour 0 has a table of radii without any share");
  EXPECT_EQ(with({.into = box, .radii = {.largest = 0.1}, .count = 1}, 2), "pour 0 has a region with z in 2D");
  EXPECT_EQ(message_of([] { (void)cylinder_region({}, {}, 1); }), "the cylinder of a region has no axis");
  EXPECT_EQ(message_of([] { simulation(still(), {}); }), "there are no bodies to simulate");
}

TEST(dem_removals, count_what_leaves) {
  settings s = still();
  s.removals = {{.from = box_region({0, 0, 0}, {1, 1, 1}), .every = 10},
                {.from = half_space({0, 0, 5}, {0, 0, 1}), .start = 0.001},
                {.from = box_region({2, 2, 2}, {3, 3, 3}), .held = true}};
  s.time_step = 1e-4;
  const std::vector<body> bodies = {{.position = {0.5, 0.5, 0.5}, .radius = 0.1},
                                    {.position = {0.5, 0.5, 6}, .radius = 0.1},
                                    {.position = {0.5, 0.5, 0.9}, .radius = 0.1, .moves = motion::fixed},
                                    {.position = {2.5, 2.5, 2.5}, .radius = 0.1},
                                    {.position = {2.2, 2.5, 2.5}, .radius = 0.1, .moves = motion::fixed},
                                    {.position = {-0.05, 0.5, 0.5}, .velocity = {100, 0, 0}, .radius = 0.1}};
  simulation run(s, bodies);
  run.run(10);
  EXPECT_EQ(run.removed()[0].removed, 1U);
  EXPECT_EQ(run.removed()[1].removed, 0U);
  EXPECT_EQ(run.removed()[2].removed, 1U);
  run.run(1);
  EXPECT_EQ(run.removed()[0].removed, 2U);
  EXPECT_NEAR(run.removed()[0].mass, 2 * dem_support::mass_of(1, 0.1), 1e-15);
  run.run(100);
  EXPECT_EQ(run.removed()[1].removed, 1U);
  EXPECT_EQ(run.bodies().size(), 2U);
  EXPECT_NO_THROW((void)run.row_of(2));
  EXPECT_NO_THROW((void)run.row_of(3));
}

TEST(dem_removals, look_at_the_period) {
  settings s = still();
  s.periodic[0] = abut::interval{0, 10};
  s.removals = {{.from = box_region({0, 0, 0}, {1, 1, 1}), .every = 1}};
  simulation run(s, {{.position = {10.5, 0.5, 0.5}, .radius = 0.1}, {.position = {9.5, 0.5, 0.5}, .radius = 0.1}});
  run.run(1);
  EXPECT_EQ(run.removed()[0].removed, 1U);
  EXPECT_EQ(run.bodies().id, (std::vector<std::uint32_t>{1}));
}

// Bodies may be beyond the border for a while before they are moved back.
TEST(dem_removals, look_at_the_period_of_bodies_that_have_just_left) {
  settings s = still();
  s.periodic[0] = abut::interval{0, 10};
  s.removals = {{.from = box_region({0, 0, 0}, {1, 1, 1}), .every = 1}};
  s.contact_law = nullptr;
  s.sort_every = 1'000'000;
  s.skin = 2;
  s.time_step = 1e-3;
  simulation run(s, {{.position = {9.995, 0.5, 0.5}, .velocity = {1, 0, 0}, .radius = 0.1},
                     {.position = {5, 0.5, 0.5}, .radius = 0.1}});
  run.run(4);
  EXPECT_EQ(run.removed()[0].removed, 0U);
  run.run(4);
  EXPECT_EQ(run.removed()[0].removed, 1U);
}

TEST(dem_removals, take_clumps_as_a_whole_by_their_centers) {
  settings s = still();
  s.removals = {{.from = half_space({0, 0, 0}, {0, 0, -1}), .every = 1}};
  const auto pair_at = [](double z, std::uint32_t number) {
    return std::vector<body>{{.position = {4.0 * number, 0, z}, .radius = 0.5, .clump = number},
                             {.position = {4.0 * number, 0, z + 0.6}, .radius = 0.5, .clump = number}};
  };
  std::vector<body> bodies;
  for (const auto& [z, number] : {std::pair(-0.2, 0U), {-0.4, 1U}, {3.0, 2U}}) {
    for (const body& b : pair_at(z, number)) bodies.push_back(b);
  }
  simulation run(s, bodies);
  const double mass = run.clumps()[1].mass;
  run.run(2);
  EXPECT_EQ(run.removed()[0].removed, 2U);
  EXPECT_NEAR(run.removed()[0].mass, mass, 1e-12);
  EXPECT_EQ(run.clumps().size(), 2U);
  EXPECT_EQ(run.bodies().size(), 4U);
  EXPECT_NO_THROW((void)run.row_of(0));
  EXPECT_THROW((void)run.row_of(2), abut::error);
}

TEST(dem_flow, a_bin_fills_opens_and_runs_empty) {
  settings s = bin(1.2);
  s.walls[2].opens_at = 3;
  s.pours = {balls(0.4, 60)};
  s.energies = true;
  simulation run(s, {});
  const auto total = [&] {
    const measures m = run.measure();
    return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought;
  };
  const auto run_to = [&](double time) { run.run(static_cast<std::uint64_t>((time - run.time()) / run.time_step())); };
  run_to(2.9);
  EXPECT_EQ(run.poured()[0].poured, 60U);
  EXPECT_EQ(run.removed()[0].removed, 0U);
  EXPECT_LT(run.wall_loads()[2].force.z, 0);
  for (const vec& at : run.bodies().position) EXPECT_GT(at.z, 0);
  run_to(9);
  EXPECT_EQ(run.removed()[0].removed, 60U);
  EXPECT_NEAR(run.removed()[0].mass, run.poured()[0].mass, 1e-9);
  EXPECT_EQ(run.bodies().size(), 0U);
  EXPECT_EQ(run.wall_loads()[2].force, vec{});
  const measures m = run.measure();
  EXPECT_NEAR(total(), 0, 1e-2 * m.dissipated);
  run.run(200);  // empty
}

TEST(dem_flow, bodies_larger_than_the_outlet_stay) {
  settings s = bin(0.35);
  s.walls[2].opens_at = 0.5;
  s.pours = {balls(0.4, 20)};
  simulation run(s, {});
  run.run(static_cast<std::uint64_t>(4 / run.time_step()));
  EXPECT_EQ(run.removed()[0].removed, 0U);
  EXPECT_EQ(run.bodies().size(), 20U);
}

// What closes an outlet may also be bodies.
TEST(dem_flow, fixed_bodies_open_an_outlet) {
  settings s = bin(1.2);
  s.walls.pop_back();
  s.removals.push_back({.from = box_region({-2, -2, -1.5}, {2, 2, 0}), .start = 1, .held = true});
  s.pours = {balls(0.4, 20)};
  const body plug{.position = {0, 0, -0.5}, .radius = 1.3, .moves = motion::fixed};
  simulation run(s, {plug});
  run.run(static_cast<std::uint64_t>(0.9 / run.time_step()));
  EXPECT_EQ(run.bodies().size(), 21U);
  run.run(static_cast<std::uint64_t>(4 / run.time_step()));
  EXPECT_EQ(run.removed()[0].removed, 20U);
  EXPECT_EQ(run.removed()[1].removed, 1U);
}

struct how {
  int threads;
  const char* method;
  double skin;
  std::uint64_t at_once;
};

std::uint64_t final(settings s, const how& h, std::vector<std::uint64_t>& counts) {
  s.threads = h.threads;
  s.method = h.method;
  s.skin = h.skin;
  simulation all(std::move(s), {{.position = {0, 0, 4}, .radius = 0.35}});
  for (std::uint64_t k = 0; k < 600; k += h.at_once) all.run(h.at_once);
  counts = {all.poured()[0].poured, all.poured()[0].waiting, all.removed()[0].removed, all.bodies().size()};
  return hash_of(all.bodies());
}

TEST(dem_flow, the_result_depends_on_nothing_but_the_settings) {
  for (const bool periodic : {false, true}) {
    settings s = bin(1.2);
    s.gravity.z = -200;
    s.walls[2].opens_at = 0.05;
    s.removals[0].from.a.z = -0.1;
    s.pours = {balls(0.4, 70)};
    s.pours[0].into.a.z = 0.2;
    s.pours[0].radii = {.is = law_of_radii::uniform, .largest = 0.45, .ratio = 2};
    if (periodic) s.periodic = {abut::interval{-4, 4}, abut::interval{-4, 4}, {}};
    std::vector<std::uint64_t> expected, found;
    const std::uint64_t hash = final(s, {1, "pairing", 0, 1}, expected);
    EXPECT_EQ(expected[0], 70U);
    EXPECT_GT(expected[2], 4U);
    for (const how& h : {how{1, "grid", 0.1, 40}, how{3, "grid", 0.02, 600}, how{2, "nearest-neighbor", 0.1, 300}}) {
      EXPECT_EQ(final(s, h, found), hash);
      EXPECT_EQ(found, expected);
    }
  }
}

}  // namespace
}  // namespace flow_test
