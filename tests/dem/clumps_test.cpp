// Rigid clumps: their mass, their motion, and that they never touch themselves.

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/error.hpp>

#include "collision.hpp"
#include "grains.hpp"

namespace clumps_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

constexpr double pi = std::numbers::pi;

settings springs(const interaction& i = {.stiffness = 1e5}) {
  settings s;
  s.materials = one_material(i);
  s.contact_law = named_law("hooke", s.materials);
  s.threads = 1;
  return s;
}

// The clump that some bodies make.
clump only_clump(std::vector<body> bodies, int dimension = 3) {
  settings s = springs();
  s.dimension = dimension;
  for (body& b : bodies) b.clump = 7;
  return simulation(s, bodies).clumps().at(0);
}

TEST(dem_clumps, two_overlapping_balls_have_the_volume_of_the_closed_form) {
  for (const double distance : {0.2, 0.7, 1.2, 1.49, 2.0}) {
    const double r = 1;
    const double q = 0.5;
    // The lens (Weisstein, "Sphere-Sphere Intersection"), if neither contains the other.
    double lens = distance <= r - q ? 4 * pi / 3 * q * q * q : 0;
    if (distance > r - q && distance < r + q) {
      const double d = distance;
      lens = pi * (r + q - d) * (r + q - d) * (d * d + 2 * d * (r + q) - 3 * (r - q) * (r - q)) / (12 * d);
    }
    const double volume = 4 * pi / 3 * (r * r * r + q * q * q) - lens;
    const vec along{distance / 3, distance * 2 / 3, -distance * 2 / 3};
    const clump c = only_clump({{.position = {5, 6, 7}, .radius = r}, {.position = vec{5, 6, 7} + along, .radius = q}});
    EXPECT_NEAR(c.mass, volume, 1e-13 * volume) << distance;
    EXPECT_EQ(c.ids, (std::vector<std::uint32_t>{0, 1}));
  }
}

TEST(dem_clumps, two_overlapping_discs_have_the_area_of_the_closed_form) {
  const double r = 1;
  const double d = 0.9;
  const double lens = 2 * r * r * std::acos(d / (2 * r)) - d / 2 * std::sqrt(4 * r * r - d * d);
  const clump c = only_clump(
      {{.position = {0.1, 0.2, 0}, .radius = r}, {.position = {0.1 + 0.6 * d, 0.2 + 0.8 * d, 0}, .radius = r}}, 2);
  EXPECT_NEAR(c.mass, 2 * pi - lens, 1e-10);
  EXPECT_NEAR(c.center.x, 0.1 + 0.3 * d, 1e-10);
  EXPECT_NEAR(c.center.y, 0.2 + 0.4 * d, 1e-10);
}

TEST(dem_clumps, balls_that_only_touch_add_up) {
  const double m = 4 * pi / 3;
  const clump c = only_clump({{.position = {0, 0, 0}, .radius = 1}, {.position = {2, 0, 0}, .radius = 1}});
  EXPECT_NEAR(c.mass, 2 * m, 1e-13);
  EXPECT_NEAR(c.center.x, 1, 1e-14);
  EXPECT_NEAR(c.inertia.xx, 2 * 0.4 * m, 1e-12);
  EXPECT_NEAR(c.inertia.yy, 2 * (0.4 + 1) * m, 1e-12);
  EXPECT_NEAR(c.inertia.zz, 2 * (0.4 + 1) * m, 1e-12);
  EXPECT_NEAR(c.inertia.xy, 0, 1e-13);
  // An L of three, off the axes: by slices.
  const clump l = only_clump({{.position = {0, 0, 0}, .radius = 1},
                              {.position = {2, 0, 0}, .radius = 1},
                              {.position = {0, 2, 0}, .radius = 1}});
  EXPECT_NEAR(l.mass, 3 * m, 1e-6);
  EXPECT_NEAR(l.center.x, 2.0 / 3, 1e-6);
  EXPECT_NEAR(l.inertia.xx, 3 * 0.4 * m + m * (4 - 3 * 4.0 / 9), 1e-5);
  EXPECT_NEAR(l.inertia.zz, 3 * 0.4 * m + m * (8 - 3 * 8.0 / 9), 1e-5);
  EXPECT_NEAR(l.inertia.xy, m * 3 * 4.0 / 9, 1e-5);
}

// A clump of three overlapping balls against counting the points of a fine lattice.
TEST(dem_clumps, a_general_clump_has_the_moments_of_its_points) {
  const std::vector<body> balls{{.position = {0, 0, 0}, .radius = 1},
                                {.position = {0.8, 0.3, -0.2}, .radius = 0.7},
                                {.position = {0.1, 0.9, 0.5}, .radius = 0.6}};
  const clump c = only_clump(balls);
  double mass = 0, x = 0, xx = 0, xy = 0;
  const int n = 200;
  const double h = 4.0 / n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const vec p{-2 + (i + 0.5) * h, -2 + (j + 0.5) * h, -2 + (k + 0.5) * h};
        bool inside = false;
        for (const body& b : balls) inside = inside || dot(p - b.position, p - b.position) < b.radius * b.radius;
        if (!inside) continue;
        const vec d = p - c.center;
        mass += h * h * h;
        x += h * h * h * p.x;
        xx += h * h * h * (d.y * d.y + d.z * d.z);
        xy -= h * h * h * d.x * d.y;
      }
    }
  }
  EXPECT_NEAR(c.mass, mass, 1e-3 * mass);
  EXPECT_NEAR(c.center.x, x / mass, 1e-3);
  EXPECT_NEAR(c.inertia.xx, xx, 2e-3 * xx);
  EXPECT_NEAR(c.inertia.xy, xy, 2e-3 * xx);
}

// The integrals go along the axes of space, and no corner of the solid may be lost between two of their places: three
// balls that have a part in common, turned in many ways, have the same mass and the same sum of moments.
TEST(dem_clumps, a_general_clump_has_the_same_mass_however_it_is_turned) {
  const std::vector<body> balls{{.position = {0, 0, 0}, .radius = 1},
                                {.position = {0.8, 0.3, -0.2}, .radius = 0.7},
                                {.position = {0.1, 0.9, 0.5}, .radius = 0.6}};
  const auto moments = [](const clump& c) { return c.inertia.xx + c.inertia.yy + c.inertia.zz; };
  const clump first = only_clump(balls);
  dem_support::random_numbers next(1);
  for (int turn = 0; turn < 20; ++turn) {
    quaternion q{next(), next(), next(), next()};
    const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q = {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
    std::vector<body> turned = balls;
    for (body& b : turned) b.position = rotated(q, b.position);
    const clump c = only_clump(turned);
    EXPECT_NEAR(c.mass, first.mass, 1e-6 * first.mass) << turn;
    EXPECT_LT(length(c.center - rotated(q, first.center)), 1e-6) << turn;
    EXPECT_NEAR(moments(c), moments(first), 1e-6 * moments(first)) << turn;
  }
}

// Three balls in one clump that turns about no principal axis.
std::vector<body> tumbling() {
  std::vector<body> all{{.position = {0, 0, 0}, .radius = 0.5},
                        {.position = {0.6, 0.1, 0}, .radius = 0.4},
                        {.position = {0.1, 0.5, 0.3}, .radius = 0.3}};
  for (body& b : all) {
    b.velocity = {1, 2, 3};
    b.spin = {3, -5, 4};
    b.clump = 0;
  }
  return all;
}

TEST(dem_clumps, a_free_clump_keeps_its_angular_momentum_and_energy) {
  settings s = springs({.stiffness = 100});
  s.time_step = 2e-3;  // a turn takes some 450 steps
  s.sort_every = 100;
  simulation run(s, tumbling());
  const clump before = run.clumps()[0];
  const double energy = run.measure().kinetic;
  double largest = 0;
  double swung = 0;
  for (int k = 0; k < 1000; ++k) {
    run.run(20);
    largest = std::max(largest, std::abs(run.measure().kinetic / energy - 1));
    swung = std::max(swung, length(run.clumps()[0].spin - before.spin));
  }
  const clump& after = run.clumps()[0];
  EXPECT_LT(length(after.angular_momentum - before.angular_momentum), 1e-15 * length(before.angular_momentum));
  EXPECT_LT(largest, 1e-4);
  EXPECT_GT(swung, 1);  // it tumbles
  EXPECT_LT(length(after.center - before.center - vec{1, 2, 3} * run.time()), 1e-9);
  // Its bodies are where they belong.
  const auto at = [&](std::uint32_t id) { return run.bodies().position[run.row_of(id)]; };
  EXPECT_NEAR(length(at(1) - at(0)), std::sqrt(0.37), 1e-12);
  EXPECT_NEAR(length(at(2) - at(1)), std::sqrt(0.25 + 0.16 + 0.09), 1e-12);
  EXPECT_EQ(run.measure().contacts, 0U);
}

// The error of the orientation falls fourfold at half the step.
TEST(dem_clumps, rotation_is_of_the_second_order) {
  const auto end = [](double dt) {
    settings s = springs({.stiffness = 100});
    s.time_step = dt;
    simulation run(s, tumbling());
    run.run(static_cast<std::uint64_t>(std::lround(2 / dt)));
    return run.bodies().position[run.row_of(2)] - run.clumps()[0].center;
  };
  const vec exact = end(1e-3 / 8);
  const double coarse = length(end(4e-3) - exact);
  const double fine = length(end(2e-3) - exact);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
  EXPECT_LT(fine, 1e-2);
}

TEST(dem_clumps, a_clump_of_one_ball_is_that_ball) {
  for (const int dimension : {2, 3}) {
    settings s = springs({.stiffness = 1e5, .restitution = 0.6, .friction = 0.5, .rolling_friction = 0.1});
    s.dimension = dimension;
    s.walls = {plane({0, -0.7, 0}, {0, 1, 0})};
    s.gravity = {1, -9.81, 0};
    std::vector<body> two{{.position = {-0.5, 0.1, 0}, .velocity = {1, 0.2, 0}, .spin = {0, 0, 3}, .radius = 0.5},
                          {.position = {0.4, -0.1, 0}, .velocity = {-1, 0, 0}, .spin = {0, 0, -4}, .radius = 0.4}};
    simulation balls(s, two);
    two[0].clump = 1;
    two[1].clump = 5;
    s.time_step = balls.time_step();
    simulation clumps(s, two);
    balls.run(1000);
    clumps.run(1000);
    SCOPED_TRACE(dimension);
    for (const std::uint32_t id : {0U, 1U}) {
      const abut::row i = balls.row_of(id);
      const abut::row j = clumps.row_of(id);
      EXPECT_LT(length(balls.bodies().position[i] - clumps.bodies().position[j]), 1e-9);
      EXPECT_LT(length(balls.bodies().spin[i] - clumps.bodies().spin[j]), 1e-7);
      EXPECT_GT(length(clumps.bodies().spin[j] - two[id].spin), 0.1);
    }
    EXPECT_NEAR(balls.measure().kinetic, clumps.measure().kinetic, 1e-9);
  }
}

// Two dumbbells, in 3D off center, in 2D in the plane.
TEST(dem_clumps, a_collision_conserves_momentum_and_angular_momentum) {
  for (const int dimension : {2, 3}) {
    settings s = springs({.stiffness = 1e5, .restitution = 0.6, .friction = 0.5, .rolling_friction = 0.1});
    s.dimension = dimension;
    s.energies = true;
    const double up = dimension == 3 ? 0.2 : 0;
    std::vector<body> all{{.position = {0, 0, 0}, .radius = 0.5},
                          {.position = {0.6, 0.1, 0}, .radius = 0.4},
                          {.position = {0.1, 1.1, up}, .radius = 0.5},
                          {.position = {0.4, 1.7, 2 * up}, .radius = 0.4}};
    for (std::uint32_t i = 0; i < 4; ++i) {
      all[i].clump = i / 2;
      all[i].velocity = i < 2 ? vec{0, 2, up} : vec{0.3, -2, 0};
      all[i].spin = i < 2 ? vec{up, 0, 3} : vec{0, up, 1};
    }
    simulation run(s, all);
    const auto angular = [&] {
      vec sum;
      for (const clump& c : run.clumps()) sum += cross(c.center, c.velocity * c.mass) + c.angular_momentum;
      return sum;
    };
    const vec before = angular();
    const measures at_first = run.measure();
    bool touched = false;
    for (int k = 0; k < 60; ++k) {
      run.run(10);
      touched = touched || run.measure().contacts > 0;
    }
    const measures m = run.measure();
    SCOPED_TRACE(dimension);
    EXPECT_TRUE(touched);
    EXPECT_LT(length(m.momentum - at_first.momentum), 1e-12);
    EXPECT_LT(length(angular() - before), 2e-4 * length(before));
    EXPECT_GT(m.dissipated, 0.1);
    EXPECT_NEAR(m.kinetic + m.elastic + m.dissipated, at_first.kinetic + at_first.elastic, 2e-3 * at_first.kinetic);
  }
}

TEST(dem_clumps, fixed_and_driven_clumps_push_and_are_not_pushed) {
  settings s = springs({.stiffness = 1e5, .restitution = 0.3, .friction = 0.5});
  s.gravity = {0, 0, -9.81};
  std::vector<body> all{{.position = {0, 0, 0}, .radius = 0.5, .moves = motion::fixed, .clump = 0},
                        {.position = {0.6, 0, 0}, .radius = 0.5, .moves = motion::fixed, .clump = 0},
                        {.position = {3, 0, 0}, .radius = 0.5, .moves = motion::driven, .clump = 1},
                        {.position = {3.6, 0, 0}, .radius = 0.5, .moves = motion::driven, .clump = 1},
                        {.position = {0.3, 0, 0.88}, .radius = 0.5},
                        {.position = {3.3, 0, 0.88}, .radius = 0.5}};
  s.drives.push_back({.bodies = {3}, .at = [](double t) { return driven_motion{{0, 0, t}, {0, 0, 2}}; }});
  simulation run(s, all);
  while (run.time() < 0.25) run.run();
  const auto at = [&](std::uint32_t id) { return run.bodies().position[run.row_of(id)]; };
  const double t = run.time();
  EXPECT_EQ(at(1), all[1].position);
  EXPECT_NEAR(run.clumps()[1].center.z, t * t / 2, 1e-9);
  EXPECT_NEAR(at(3).x, 3.3 + 0.3 * std::cos(2 * t), 1e-5);
  EXPECT_NEAR(at(3).y, 0.3 * std::sin(2 * t), 1e-5);
  EXPECT_GT(at(4).z, 0.85);              // it lies in the valley of the fixed clump
  EXPECT_GT(at(5).z, 0.85 + t * t / 2);  // and is lifted by the driven one
  EXPECT_THROW(run.drive(2, {}), abut::error);
}

TEST(dem_clumps, a_given_mass_is_used) {
  settings s = springs();
  s.clumps.push_back({.number = 4, .mass = 10, .center = {0.2, 0, 0}, .inertia = {1, 2, 3, 0.1, 0, 0}});
  const simulation run(s, {{.position = {0, 0, 0}, .spin = {1, 0, 0}, .radius = 0.5, .clump = 4},
                           {.position = {0.5, 0, 0}, .spin = {1, 0, 0}, .radius = 0.5, .clump = 4}});
  const clump& c = run.clumps()[0];
  EXPECT_EQ(c.mass, 10);
  EXPECT_EQ(c.center, (vec{0.2, 0, 0}));
  EXPECT_EQ(c.angular_momentum, (vec{1, 0.1, 0}));
  EXPECT_EQ(run.bodies().mass[0], 5);
  EXPECT_EQ(run.bodies().mass[1], 5);
  EXPECT_NEAR(run.measure().kinetic, 0.5, 1e-15);
}

// A clump that is pushed off its center turns, so that a contact feels less than its mass.
TEST(dem_clumps, restitution_is_what_was_asked_for) {
  const std::vector<body> clump = {{.position = {0, 0, 0.5}, .velocity = {0, 0, -0.2}, .radius = 0.5, .clump = 1},
                                   {.position = {0.7, 0.2, 1.1}, .velocity = {0, 0, -0.2}, .radius = 0.6, .clump = 1},
                                   {.position = {0.9, 0.5, 0.9}, .velocity = {0, 0, -0.2}, .radius = 0.3, .clump = 1}};
  for (const char* law : {"hooke", "hertz-mindlin"}) {
    for (const double e : {0.3, 0.5, 0.9}) {
      for (const bool friction : {false, true}) {  // which has another loop over contacts, but no force without slip
        for (const char* against : {"plane", "fixed body", "body", "clump"}) {
          SCOPED_TRACE(std::string(law) + ", " + std::to_string(e) + ", " + against);
          settings s;
          s.materials = one_material({.stiffness = 1e6, .restitution = e, .friction = friction ? 1e-9 : 0},
                                     {.density = 1, .young = 1e8, .poisson = 0.2});
          s.contact_law = named_law(law, s.materials);
          s.threads = 1;
          std::vector<body> bodies = clump;
          const std::string other = against;
          if (other == "plane") s.walls = {plane({0, 0, 0}, {0, 0, 1})};
          if (other == "fixed body") bodies.push_back({.position = {0, 0, -2}, .radius = 2, .moves = motion::fixed});
          if (other == "body") bodies.push_back({.position = {0, 0, -0.4}, .radius = 0.4});
          if (other == "clump") {
            bodies.push_back({.position = {0, 0, -0.4}, .radius = 0.4, .clump = 2});
            bodies.push_back({.position = {-0.6, 0.1, -0.5}, .radius = 0.3, .clump = 2});
          }
          s.time_step = simulation(s, bodies).time_step() / 4;
          simulation run(s, bodies);
          const auto z = [&](const std::vector<vec>& of, std::uint32_t id) { return of[run.row_of(id)].z; };
          const auto below = [&](const std::vector<vec>& of) { return bodies.size() > 3 ? z(of, 3) : 0; };
          const double touching = 0.5 + (bodies.size() > 3 ? bodies[3].radius : 0);
          const auto found = dem_support::collide(
              run, [&] { return touching - (z(run.bodies().position, 0) - below(run.bodies().position)); },
              [&] { return below(run.bodies().velocity) - z(run.bodies().velocity, 0); });
          EXPECT_NEAR(found.speed_out / 0.2, e, 0.01 * e + 0.002);
        }
      }
    }
  }
}

// Pushed along n at the end of an arm d, a disc of a clump gives way by 1 / mass + (d x n)^2 / inertia, wherever the
// clump has turned to. Laws of users and reports are told so, too.
TEST(dem_clumps, laws_are_told_the_mass_that_a_contact_feels) {
  double told = 0;
  settings s = springs();
  s.dimension = 2;
  s.contact_law = make_law([&](contact& c) {
    told = c.mass;
    c.stiffness = 1;  // no force
  });
  s.time_step = 1e-3;
  simulation run(s, {{.position = {0, 0}, .spin = {0, 0, 3}, .radius = 0.5, .clump = 1},
                     {.position = {0.7, 0.4}, .spin = {0, 0, 3}, .radius = 0.3, .clump = 1},
                     {.position = {-0.5, 0.5}, .velocity = {0.2, 0}, .radius = 0.1}});
  int seen = 0;
  for (int step = 0; step < 800; ++step) {
    told = 0;
    run.run();
    if (told == 0) continue;
    ++seen;
    const double in_step = told;
    told = 0;
    const auto reports = run.contacts();
    ASSERT_EQ(reports.size(), 1U);
    const clump& c = run.clumps()[0];
    const vec at = run.bodies().position[run.row_of(reports[0].first)];
    const vec to = run.bodies().position[run.row_of(2)] - at;
    const double turn = cross(at - c.center, to * (1 / length(to))).z;
    const double expected = 1 / (1 / c.mass + turn * turn / c.inertia.zz + 1 / run.bodies().mass[run.row_of(2)]);
    EXPECT_NEAR(in_step, expected, 1e-9 * expected);
    EXPECT_NEAR(told, expected, 1e-9 * expected);
  }
  EXPECT_GT(seen, 100);
}

TEST(dem_clumps, bodies_share_their_mass) {
  settings s = springs();
  s.materials.add({.name = "heavy", .density = 5});
  s.contact_law = named_law("hooke", s.materials);
  const simulation run(s, {{.position = {0, 0, 0}, .radius = 0.5, .clump = 4},
                           {.position = {0.6, 0, 0}, .radius = 0.5, .material = 1, .clump = 4},
                           {.position = {0.3, 0.4, 0}, .radius = 0.2, .clump = 4},
                           {.position = {9, 0, 0}, .radius = 0.5}});
  const auto mass = [&](std::uint32_t id) { return run.bodies().mass[run.row_of(id)]; };
  EXPECT_NEAR(mass(0) + mass(1) + mass(2), run.clumps()[0].mass, 1e-12);
  EXPECT_NEAR(mass(1), 5 * mass(0), 1e-12);
  EXPECT_NEAR(mass(2), 0.064 * mass(0), 1e-12);
  EXPECT_NEAR(mass(3), pi / 6, 1e-12);
}

TEST(dem_clumps, what_does_not_fit_is_named) {
  const auto refused = [](const std::function<void(settings&, std::vector<body>&)>& spoil) {
    settings s = springs();
    std::vector<body> two{{.position = {0, 0, 0}, .radius = 0.5, .clump = 3},
                          {.position = {0.5, 0, 0}, .radius = 0.5, .clump = 3}};
    spoil(s, two);
    try {
      const simulation run(s, two);
    } catch (const abut::error& e) {
      return std::string(e.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(refused([](settings&, std::vector<body>& b) { b[1].moves = motion::fixed; }),
            "body 1 of clump 3 differs in how it moves from body 0");
  EXPECT_EQ(refused([](settings&, std::vector<body>& b) { b[1].velocity.x = 1; }),
            "body 1 of clump 3 differs in its velocity from body 0");
  EXPECT_EQ(refused([](settings&, std::vector<body>& b) { b[1].spin.x = 1; }),
            "body 1 of clump 3 differs in its spin from body 0");
  EXPECT_EQ(refused([](settings&, std::vector<body>& b) { b[1].mass = 1; }),
            "body 1 of clump 3 has a mass of its own: give that of the clump");
  EXPECT_EQ(refused([](settings& s, std::vector<body>&) { s.clumps.push_back({.number = 3, .mass = 0}); }),
            "clump 3 has mass 0: it must be finite and above 0");
  EXPECT_EQ(refused([](settings& s, std::vector<body>&) {
              s.clumps.push_back({.number = 3, .mass = 1, .inertia = {1, 1, -1, 0, 0, 0}});
            }),
            "clump 3 has an inertia that is not positive");
  EXPECT_EQ(refused([](settings& s, std::vector<body>&) { s.clumps.push_back({.number = 8, .mass = 1}); }),
            "clump 8 has a mass but no bodies");
  EXPECT_EQ(refused([](settings& s, std::vector<body>&) { s.moved_by = integrator::predictor_corrector; }),
            "clumps are moved by velocity Verlet only");
}

}  // namespace
}  // namespace clumps_test
