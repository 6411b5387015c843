// What is refused, and how the message names it.

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "collision.hpp"

namespace errors_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

settings plain() {
  settings s;
  s.materials = one_material({.stiffness = 1e5}, {.name = "stone"});
  s.contact_law = named_law("hooke", s.materials);
  s.threads = 1;
  return s;
}

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const abut::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::string refused(const settings& s, const std::vector<body>& bodies) {
  return message([&] { const simulation run(s, bodies); });
}

TEST(dem_errors, bodies_outside_their_range_are_named) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused(plain(), {}), "there are no bodies to simulate");
  EXPECT_EQ(refused(plain(), {{.radius = 1}, {.radius = 0}}), "body 1 has radius 0: it must be finite and above 0");
  EXPECT_EQ(refused(plain(), {{.position = {0, nan, 0}, .radius = 1}}), "body 0 has a position that is not finite");
  EXPECT_EQ(refused(plain(), {{.velocity = {0, nan, 0}, .radius = 1}}), "body 0 has a velocity that is not finite");
  EXPECT_EQ(refused(plain(), {{.radius = 1, .material = 3}}), "body 0 has material 3: there are 1");
  EXPECT_EQ(refused(plain(), {{.radius = 1, .mass = -1}}), "body 0 has mass -1: it must be finite and above 0");
  settings flat = plain();
  flat.dimension = 2;
  EXPECT_EQ(refused(flat, {{.position = {0, 0, 1}, .radius = 1}}),
            "body 0 leaves the plane: in 2D, z is 0, and the angular velocity has only z");
}

TEST(dem_errors, settings_outside_their_range_are_named) {
  settings s = plain();
  s.dimension = 4;
  EXPECT_EQ(refused(s, {{.radius = 1}}), "the dimension is 4: it must be 2 or 3");
  s = plain();
  s.walls = {plane({}, {0, 0, 1}, 2)};
  EXPECT_EQ(refused(s, {{.radius = 1}}), "wall 0 has material 2: there are 1");
  s = plain();
  s.walls = {plane({}, {1, 0, 1})};
  s.periodic[0] = abut::interval{0, 9};
  EXPECT_EQ(refused(s, {{.radius = 1}}), "wall 0 cuts a periodic axis: a plane must be parallel to it");
  s = plain();
  s.sort_every = 0;
  EXPECT_EQ(refused(s, {{.radius = 1}}), "sort_every is 0: it must be at least 1");
  EXPECT_EQ(message([] { (void)plane({}, {}); }), "the normal of a plane has no direction");
  EXPECT_EQ(message([] { (void)box_walls({0, 0, 0}, {1, 0, 1}); }), "a box of walls needs min < max on every axis");
}

TEST(dem_errors, materials_and_laws_are_named) {
  material_table m;
  EXPECT_EQ(message([&] {
              m.add({"sand", -1});
            }),
            "the density of the material \"sand\" is -1: it must be finite and above 0");
  m.add({"sand"});
  m.add({"steel"});
  EXPECT_EQ(message([&] { m.set(0, 1, {.restitution = 0}); }),
            "the restitution of \"sand\" with \"steel\" is 0: it must be above 0 and at most 1");
  EXPECT_EQ(message([&] { m.set(0, 2, {}); }), "there is no material 2: there are 2");
  m.set(0, 0, {.stiffness = 1});
  EXPECT_EQ(message([&] { (void)named_law("hooke", m); }),
            "the law hooke needs a stiffness above 0 for \"sand\" with \"steel\"");
  EXPECT_EQ(message([&] { (void)named_law("hook", m); }),
            "there is no law \"hook\"; there are linear, kelvin-voigt, hooke, hertz-mindlin");
  EXPECT_EQ(message([&] { (void)named_law("linear", {}); }), "a law needs materials: there are none");
}

TEST(dem_errors, the_time_step_follows_from_the_law) {
  settings s = plain();
  const simulation run(s, {{.radius = 1}});
  const double mass = 4 * std::numbers::pi / 3;
  EXPECT_NEAR(run.time_step(), std::numbers::pi * std::sqrt(mass / 2 / 1e5) / 50, 1e-15);
  s.contact_law = nullptr;
  EXPECT_EQ(refused(s, {{.radius = 1}}), "no time step follows from the contacts' stiffness: give one");
  s = plain();
  s.time_step = 0.01;
  const std::string text = refused(s, {{.radius = 1}});
  EXPECT_EQ(text.rfind("the time step 0.01 is too large for a contact of \"stone\" with \"stone\": it may be at most "
                       "0.00287",
                       0),
            0U)
      << text;
  s.materials = one_material({.stiffness = 1e5, .viscosity = 1e6}, {.name = "tar"});
  s.contact_law = named_law("hooke", s.materials);
  s.time_step.reset();
  EXPECT_NEAR(simulation(s, {{.radius = 1}}).time_step(), 0.1 * mass / 2 / 1e6, 1e-15);
}

TEST(dem_errors, a_run_that_cannot_go_on_names_body_step_and_reason) {
  settings s = plain();
  s.time_step = 1e-3;
  simulation fast(
      s, {{.position = {0, 0, 0}, .radius = 1}, {.position = {9, 0, 0}, .velocity = {400, 0, 0}, .radius = 0.5}});
  EXPECT_NO_THROW(fast.run(10));
  s.gravity = {1e5, 0, 0};
  simulation falling(s, {{.position = {0, 0, 0}, .radius = 1}, {.position = {9, 0, 0}, .radius = 0.5}});
  const std::string text = message([&] { falling.run(100); });
  EXPECT_EQ(text.rfind("body 0 in step 5 moves by 0.55", 0), 0U) << text;
  EXPECT_EQ(message([&] { falling.run(); }), text);  // and it stays so
}

// Bodies that are alone are moved by many steps at once; they must be where they belong when a run ends early.
TEST(dem_errors, all_bodies_are_at_the_last_step_when_a_run_cannot_go_on) {
  settings s;
  s.materials = one_material({.stiffness = 1500}, {.name = "stone"});
  s.contact_law = named_law("hooke", s.materials);
  s.time_step = 1e-3;
  std::vector<body> bodies{{.position = {0, 0, 0}, .velocity = {300, 0, 0}, .radius = 10, .mass = 1e6},
                           {.position = {45, 0, 0}, .radius = 5, .mass = 0.01}};
  for (int k = 0; k < 100; ++k) {
    bodies.push_back({.position = {0, 100.0 + 10 * k, 0}, .velocity = {1.0 + k, 0, 0}, .radius = 0.5});
  }
  simulation run(s, bodies);
  const std::string text = message([&] { run.run(1000); });
  EXPECT_EQ(text.rfind("body 1 in step 1", 0), 0U) << text;
  ASSERT_GT(run.steps(), 100U);
  for (std::uint32_t id = 2; id < bodies.size(); ++id) {
    EXPECT_NEAR(run.bodies().position[run.row_of(id)].x, bodies[id].velocity.x * run.time(), 1e-9);
  }
}

TEST(dem_errors, a_law_that_returns_no_number_is_noticed) {
  settings s = plain();
  s.time_step = 1e-3;
  s.contact_law = make_law([](contact& c) { c.force.x = std::sqrt(0.01 - c.overlap); });
  simulation run(s, {{.position = {5, 0, 0}, .radius = 0.5},
                     {.position = {0, 0, 0}, .velocity = {1, 0, 0}, .radius = 0.5},
                     {.position = {1, 0, 0}, .radius = 0.5}});
  EXPECT_EQ(message([&] { run.run(100); }), "body 1 in step 11 has a velocity that is not a number or not finite");
}

// What a user's function leaves half made is not gone on from.
TEST(dem_errors, an_exception_of_the_users_ends_the_simulation) {
  int calls = 0, most = 1'000'000;
  const auto count = [&] {
    if (++calls > most) throw std::runtime_error("enough");
  };
  settings s = plain();
  s.time_step = 1e-3;
  s.energies = true;
  s.contact_law = make_law([&](contact& c) {
    count();
    c.force = c.normal * (1e3 * c.overlap);
    c.stiffness = 1e3;
  });
  wall ball;
  ball.surface = [&](const vec& center) {
    count();
    return wall_point{10 - center.x, {-1, 0, 0}};
  };
  s.walls = {ball};
  for (const int threads : {1, 2}) {
    for (int more = 0; more < 40; ++more) {
      s.threads = threads;
      most = 1'000'000;
      simulation run(s, {{.position = {0, 0, 0}, .velocity = {1, 0, 0}, .radius = 0.5},
                         {.position = {0.99, 0, 0}, .radius = 0.5}});
      run.run(5);
      most = calls + more;
      const auto go = [&] {
        if (more % 2 == 0) run.run(20);
        if (more % 2 == 1) run.add({{.position = {3, 0, 0}, .radius = 0.5}});
      };
      try {
        go();
        continue;
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "enough");
      }
      most = 1'000'000;
      const std::string text = "the simulation cannot go on, since it was interrupted: enough";
      EXPECT_EQ(message([&] { run.run(); }), text);
      std::ostringstream file;
      EXPECT_EQ(message([&] { run.save(file); }), text);
      EXPECT_EQ(message([&] { run.add({{.position = {6, 0, 0}, .radius = 0.5}}); }), text);
      EXPECT_EQ(message([&] { run.remove(std::vector<std::uint32_t>{0}); }), text);
      EXPECT_EQ(message([&] { (void)run.measure(); }), text);
      EXPECT_EQ(message([&] { (void)run.contacts(); }), text);
      EXPECT_EQ(message([&] { run.use_method("pairing"); }), text);
    }
  }
}

TEST(dem_errors, a_law_knows_all_materials) {
  settings s = plain();
  s.materials = one_material({.stiffness = 1e3});
  s.contact_law = named_law("hooke", s.materials);
  s.materials.add({.name = "late"});
  EXPECT_EQ(message([&] { simulation(s, {{.radius = 1}}); }),
            "the contact law was made for 1 materials, and there are 2: make it when all have been added");
}

TEST(dem_errors, a_wall_much_wider_than_a_period_is_refused) {
  settings s = plain();
  s.time_step = 1e-3;
  s.periodic[0] = abut::interval{0, 4};
  s.walls = {rectangle({-50, 0, -2}, {100, 0, 0}, {0, 1, 0})};
  EXPECT_EQ(message([&] { simulation(s, {{.radius = 1}}); }),
            "wall 0 is 25 periods long along x, and may be 8: leave out what repeats");
}

TEST(dem_errors, a_contact_that_becomes_too_stiff_is_noticed) {
  settings s;
  s.materials = one_material({}, {"glass", 2500, 1e9, 0.2});
  s.contact_law = named_law("hertz-mindlin", s.materials);
  simulation probe(s, {{.radius = 0.01}});
  s.time_step = probe.time_step() * 9;
  simulation run(s, {{.position = {-0.01, 0, 0}, .velocity = {30, 0, 0}, .radius = 0.01},
                     {.position = {0.01, 0, 0}, .velocity = {-30, 0, 0}, .radius = 0.01}});
  const std::string text = message([&] { run.run(1000); });
  EXPECT_NE(text.find(" has a contact too stiff for the time step "), std::string::npos) << text;
}

}  // namespace
}  // namespace errors_test
