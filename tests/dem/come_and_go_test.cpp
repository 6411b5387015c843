// Bodies that are added and removed between steps.

#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <abut/error.hpp>

#include "collision.hpp"
#include "grains.hpp"

namespace come_and_go_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

// Grains that fall on a floor, with a law that remembers.
settings falling(bool friction = true) {
  settings s;
  s.materials = one_material({.stiffness = 2e3, .restitution = 0.6, .friction = friction ? 0.5 : 0});
  s.contact_law = named_law("hooke", s.materials);
  s.gravity = {3, 0, -300};
  s.walls = {plane({0, 0, -0.05}, {0, 0, 1}),
             mesh({{{-5, -5, 0}, {9, -5, 0}, {-5, 9, 0}}, {{9, -5, 0}, {9, 9, -0.1}, {-5, 9, 0}}})};
  s.threads = 1;
  s.sort_every = 40;
  return s;
}

std::vector<body> grains() { return dem_support::lattice(4, 0.84, 0.42, 0.04, 1.0); }

// Bodies that touch nothing.
std::vector<body> far_away() {
  std::vector<body> all;
  for (int k = 0; k < 5; ++k) all.push_back({.position = {100.0 + 3 * k, 50, 1000}, .radius = 0.42});
  return all;
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

TEST(dem_come_and_go, ids_are_never_used_again) {
  simulation run(falling(), grains());
  const auto count = static_cast<std::uint32_t>(grains().size());
  EXPECT_EQ(run.add(far_away()), count);
  run.run(3);
  const std::vector<std::uint32_t> gone = {count + 1, 7, count + 1};
  run.remove(gone);
  EXPECT_EQ(run.bodies().size(), count + 3);
  EXPECT_EQ(run.add(far_away()), count + 5);
  for (abut::row i = 0; i < run.bodies().size(); ++i) EXPECT_EQ(run.row_of(run.bodies().id[i]), i);
  EXPECT_EQ(message_of([&] { (void)run.row_of(7); }), "there is no body 7 any more: it was removed");
  EXPECT_EQ(message_of([&] { (void)run.row_of(200); }), "there is no body 200: there are 74");
  EXPECT_EQ(message_of([&] {
              run.remove(std::vector<std::uint32_t>{0, 7});
            }),
            "there is no body 7 any more: it was removed");
  EXPECT_EQ(run.bodies().size(), count + 8);
  run.run(50);
}

TEST(dem_come_and_go, what_is_wrong_with_a_new_body_is_named) {
  simulation run(falling(), grains());
  const auto adding = [&](const body& b) { return message_of([&] { run.add({{.radius = 1}, b}); }); };
  EXPECT_EQ(adding({.radius = -1}), "body 65 has radius -1: it must be finite and above 0");
  EXPECT_EQ(adding({.radius = 1, .material = 3}), "body 65 has material 3: there are 1");
  EXPECT_EQ(adding({.radius = 1, .clump = 1}), "body 65 belongs to a clump: clumps must be there from the start");
  EXPECT_EQ(run.bodies().size(), 64U);
}

// What comes and goes far away changes no bit of what all others do: their contacts remember what they did.
TEST(dem_come_and_go, contacts_of_all_others_keep_their_memory) {
  for (const bool friction : {true, false}) {
    for (const integrator how : {integrator::verlet, integrator::predictor_corrector}) {
      settings s = falling(friction);
      s.moved_by = how;
      simulation alone(s, grains());
      alone.run(300);
      simulation run(s, grains());
      run.run(110);
      const std::uint32_t first = run.add(far_away());
      run.run(95);
      run.remove(std::vector<std::uint32_t>{first, first + 1, first + 2});
      run.run(5);
      run.remove(std::vector<std::uint32_t>{first + 3, first + 4});
      run.run(90);
      EXPECT_GT(alone.measure().contacts, 60U);
      EXPECT_EQ(hash_of(run.bodies()), hash_of(alone.bodies()));
    }
  }
}

TEST(dem_come_and_go, the_result_depends_on_nothing_but_what_happens) {
  const auto final = [](int threads, const char* method, double skin, std::uint64_t at_once) {
    settings s = falling();
    s.threads = threads;
    s.method = method;
    s.skin = skin;
    simulation all(s, grains());
    const auto run = [&](std::uint64_t steps) {
      for (std::uint64_t k = 0; k < steps; k += at_once) all.run(at_once);
    };
    run(120);
    all.remove(std::vector<std::uint32_t>{0, 5, 17, 33, 63});
    run(30);
    all.add({{.position = {1, 1, 5}, .velocity = {0, 0, -10}, .radius = 0.3}, {.position = {2, 2, 1}, .radius = 0.5}});
    run(120);
    return hash_of(all.bodies());
  };
  const std::uint64_t expected = final(1, "pairing", 0, 1);
  EXPECT_EQ(final(1, "grid", 0.1, 30), expected);
  EXPECT_EQ(final(3, "grid", 0.05, 10), expected);
  EXPECT_EQ(final(2, "nearest-neighbor", 0.2, 30), expected);
}

TEST(dem_come_and_go, everything_may_go_and_other_bodies_come) {
  for (const integrator how : {integrator::verlet, integrator::predictor_corrector}) {
    settings s = falling();
    s.moved_by = how;
    s.energies = true;
    simulation run(s, grains());
    run.run(150);
    std::vector<std::uint32_t> all(64);
    for (std::uint32_t k = 0; k < 64; ++k) all[k] = k;
    run.remove(all);
    EXPECT_EQ(run.bodies().size(), 0U);
    EXPECT_EQ(run.measure().kinetic, 0);
    run.run(100);
    EXPECT_EQ(run.add(grains()), 64U);
    run.run(200);
    EXPECT_EQ(run.bodies().size(), 64U);
    EXPECT_GT(run.measure().contacts, 60U);
  }
}

TEST(dem_come_and_go, a_clump_goes_as_a_whole) {
  settings s = falling();
  s.energies = true;
  std::vector<body> bodies = grains();
  for (std::uint32_t k = 0; k < 3; ++k) {
    const vec at{1.0 + 2 * k, 1, 8};
    for (const double off : {0.0, 0.5}) bodies.push_back({.position = at + vec{off, 0, 0}, .radius = 0.4, .clump = k});
  }
  simulation run(s, bodies);
  const auto total = [&] {
    const measures m = run.measure();
    return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought;
  };
  run.run(50);
  const double before = total();
  run.remove(std::vector<std::uint32_t>{67});  // of the second
  EXPECT_NEAR(total(), before, 1e-9 * std::abs(before));
  ASSERT_EQ(run.clumps().size(), 2U);
  EXPECT_EQ(run.clumps()[1].number, 2U);
  EXPECT_EQ(run.clumps()[1].ids, (std::vector<std::uint32_t>{68, 69}));
  EXPECT_EQ(run.bodies().size(), bodies.size() - 2);
  run.run(150);
  const clump& c = run.clumps()[1];
  const vec between = run.bodies().position[run.row_of(69)] - run.bodies().position[run.row_of(68)];
  EXPECT_NEAR(length(between), 0.5, 1e-12);
  EXPECT_LT(c.center.z, 7);
}

// A clump's bodies have its number in a column that is as long as the others.
TEST(dem_come_and_go, bodies_come_beside_clumps) {
  const auto final = [](std::size_t few) {
    settings s = falling();
    s.energies = true;
    std::vector<body> bodies = grains();
    for (const double off : {0.0, 0.5}) bodies.push_back({.position = {1 + off, 1, 8}, .radius = 0.4, .clump = 3});
    simulation run(s, bodies);
    run.run(50);
    const auto total = [&] {
      const measures m = run.measure();
      return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought;
    };
    const double before = total();
    std::vector<body> come;
    for (std::size_t k = 0; k < 40; ++k) {
      come.push_back({.position = {20.0 + 2 * static_cast<double>(k), 5, 9}, .velocity = {0, 0, 7}, .radius = 0.3});
    }
    for (std::size_t k = 0; k < come.size(); k += few) {
      run.add({come.begin() + static_cast<std::ptrdiff_t>(k), come.begin() + static_cast<std::ptrdiff_t>(k + few)});
    }
    EXPECT_NEAR(total(), before, 1e-9 * std::abs(before));
    run.run(100);
    std::ostringstream saved;
    run.save(saved);
    EXPECT_EQ(run.clumps().size(), 1U);
    return std::pair(hash_of(run.bodies()), run.measure().brought);
  };
  const auto expected = final(40);
  EXPECT_EQ(final(1).first, expected.first);
  EXPECT_EQ(final(5).first, expected.first);
  EXPECT_NEAR(final(1).second, expected.second, 1e-9 * std::abs(expected.second));
}

// The skin must not be longer than the new bodies allow.
TEST(dem_come_and_go, larger_bodies_come_into_a_narrow_period) {
  const auto final = [](std::optional<double> skin, const char* method) {
    settings s = falling();
    s.walls.clear();
    s.gravity = {};
    s.skin = skin;
    s.method = method;
    s.periodic[0] = abut::interval{0, 2.6};
    simulation run(s, {{.position = {0.3, 0, 0}, .velocity = {1, 0, 0}, .radius = 0.25},
                       {.position = {1.7, 0.1, 0}, .velocity = {-1, 0, 0}, .radius = 0.25}});
    run.run(20);
    run.add({{.position = {1, 0.2, 1}, .velocity = {0, 0, -3}, .radius = 0.6}});
    run.run(400);
    return hash_of(run.bodies());
  };
  const std::uint64_t expected = final(0.01, "pairing");
  for (const std::optional<double> skin : {std::optional<double>(), {0.05}, {0.3}, {1.0}}) {
    for (const char* method : {"grid", "auto", "nearest-neighbor"}) {
      EXPECT_EQ(final(skin, method), expected) << skin.value_or(0) << ", " << method;
    }
  }
}

TEST(dem_come_and_go, what_is_refused_has_changed_nothing) {
  settings s = falling();
  s.walls.clear();
  s.periodic[1] = abut::interval{0, 4};
  simulation run(s, grains());
  run.run(10);
  const std::uint64_t before = hash_of(run.bodies());
  const auto saved = [&] {
    std::ostringstream to;
    run.save(to);
    return to.str();
  };
  const std::string bytes = saved();
  EXPECT_NE(
      message_of([&] {
        run.add({{.position = {9, 1, 1}, .radius = 0.3}, {.radius = 1.01}});
      }).find("body 65 has radius 1.01: the period along y is 4, and must be at least twice the largest reach, 4.04"),
      std::string::npos);
  EXPECT_EQ(run.bodies().size(), 64U);
  EXPECT_EQ(hash_of(run.bodies()), before);
  EXPECT_EQ(saved(), bytes);
  run.run(10);
  EXPECT_EQ(run.add({{.position = {9, 1, 1}, .radius = 0.99}}), 64U);
  run.run(10);
  s.pours = {{.into = box_region({20, 20, 20}, {30, 30, 30}), .radii = {.largest = 1.3}, .count = 1}};
  EXPECT_NE(message_of([&] { simulation(s, grains()); }).find("the largest body of pour 0 has radius 1.3"),
            std::string::npos);
}

TEST(dem_come_and_go, driven_bodies_may_go) {
  settings s = falling();
  std::vector<body> bodies = grains();
  bodies.push_back({.position = {0, 0, 9}, .radius = 0.4, .moves = motion::driven});
  bodies.push_back({.position = {0, 2, 9}, .radius = 0.4, .moves = motion::driven});
  s.drives = {{.bodies = {64, 65}, .at = [](double) { return driven_motion{{0, 0, 1}}; }}};
  simulation run(s, bodies);
  run.run(10);
  run.remove(std::vector<std::uint32_t>{64});
  const std::uint32_t id = run.add({{.position = {5, 5, 9}, .radius = 0.4, .moves = motion::driven}});
  run.run(10);
  EXPECT_EQ(run.bodies().velocity[run.row_of(65)], (vec{0, 0, 1}));
  run.drive(id, {1, 0, 0});
  run.run(10);
  EXPECT_NEAR(run.bodies().position[run.row_of(id)].x, 5 + 10 * run.time_step(), 1e-12);
}

// What a driven body has put in stays counted when it goes.
TEST(dem_come_and_go, the_work_of_driven_bodies_stays) {
  settings s = falling();
  s.energies = true;
  std::vector<body> bodies = grains();
  bodies.push_back({.position = {1.2, 1.2, 4}, .velocity = {0, 0, -10}, .radius = 0.6, .moves = motion::driven});
  simulation run(s, bodies);
  run.run(200);
  const measures before = run.measure();
  EXPECT_GT(before.work, 1);
  run.remove(std::vector<std::uint32_t>{64});
  const measures after = run.measure();
  EXPECT_NEAR(after.work, before.work, 1e-9 * before.work);
  EXPECT_NEAR(after.dissipated, before.dissipated, 1e-9 * before.dissipated);
}

// No body may move farther in a step than the smallest is wide, also if that has come later.
TEST(dem_come_and_go, the_smallest_body_counts_from_when_it_comes) {
  settings s = falling();
  s.gravity = {};
  s.time_step = 1e-3;
  s.contact_law = nullptr;
  s.walls.clear();
  simulation run(s, {{.position = {0, 0, 0}, .velocity = {20, 0, 0}, .radius = 0.5}});
  run.run(10);
  run.add({{.position = {0, 9, 0}, .radius = 0.01}});
  const std::string text = message_of([&] { run.run(); });
  EXPECT_NE(text.find("moves by 0.02 in one step, more than the smallest radius, 0.01"), std::string::npos) << text;
}

// A parabola is exact in velocity Verlet, from the first step on.
TEST(dem_come_and_go, new_bodies_fall_like_those_that_were_there) {
  settings s = falling();
  s.walls.clear();
  const vec speed{1, -2, 3};
  simulation run(s, {{.position = {0, 0, 0}, .velocity = speed, .radius = 0.5}});
  run.run(7);
  const vec from{9, 9, 9};
  const abut::row i = run.row_of(run.add({{.position = from, .velocity = speed, .radius = 0.5}}));
  EXPECT_EQ(run.bodies().force[i], s.gravity * run.bodies().mass[i]);
  run.run(20);
  const double time = 20 * run.time_step();
  const vec moved = run.bodies().position[i] - from;
  EXPECT_LT(length(moved - (speed * time + s.gravity * (0.5 * time * time))), 1e-12);
  EXPECT_LT(length(run.bodies().velocity[i] - (speed + s.gravity * time)), 1e-12);
}

// What moving walls have put into a body stays counted when it goes.
TEST(dem_come_and_go, the_work_of_walls_on_bodies_that_go_stays) {
  settings s = falling();
  s.energies = true;
  s.walls.pop_back();
  s.walls[0].velocity = {0, 0, 5};
  simulation run(s, grains());
  run.run(200);
  const measures before = run.measure();
  EXPECT_GT(before.work, 1);
  std::vector<std::uint32_t> all;
  for (std::uint32_t id = 0; id < 32; ++id) all.push_back(id);
  run.remove(all);
  const measures after = run.measure();
  EXPECT_NEAR(after.work, before.work, 1e-9 * before.work);
  EXPECT_NEAR(after.dissipated, before.dissipated, 1e-9 * before.work);
}

TEST(dem_come_and_go, energies_balance) {
  settings s = falling();
  s.energies = true;
  s.walls.pop_back();
  s.time_step = simulation(s, grains()).time_step() / 4;
  simulation run(s, grains());
  const auto total = [&] {
    const measures m = run.measure();
    return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought;
  };
  const double start = total();
  run.run(1200);
  const double scale = run.measure().dissipated;
  EXPECT_GT(scale, 0);
  const double drift = std::abs(total() - start);
  EXPECT_LT(drift, 2e-2 * scale);
  const double before = total();
  const double dissipated = run.measure().dissipated;
  run.remove(std::vector<std::uint32_t>{0, 1, 2, 3, 20, 40});
  EXPECT_NEAR(total(), before, 1e-9 * scale);
  EXPECT_NEAR(run.measure().dissipated, dissipated, 1e-9 * scale);
  run.add({{.position = {1, 1, 1}, .velocity = {1, 2, 3}, .spin = {1, 1, 1}, .radius = 0.3}});  // on top of others
  EXPECT_NEAR(total(), before, 1e-9 * scale);
  EXPECT_NE(run.measure().brought, 0);
  run.run(1200);
  EXPECT_LT(std::abs(total() - start), 3e-2 * run.measure().dissipated);
}

}  // namespace
}  // namespace come_and_go_test
