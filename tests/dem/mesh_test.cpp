// Walls of triangles: edges and corners that triangles share push once, and friction goes along from one to the next.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grains.hpp"
#include "resting.hpp"

namespace mesh_test {
namespace {

using namespace abut::dem;
using namespace dem_support;

constexpr double g = 9.81;
constexpr double r = ball_radius;
constexpr double k = wall_stiffness;
constexpr double deep = 0.0005;

void expect_near(const vec& found, const vec& expected, double error) {
  EXPECT_LT(length(found - expected), error) << found.x << ' ' << found.y << ' ' << found.z;
}

// A floor of small triangles of many shapes in the plane z = 0, some of them turned over.
std::vector<triangle> uneven_floor(int per_side, double side) {
  random_numbers next(3);
  std::vector<vec> corner;
  for (int y = 0; y <= per_side; ++y) {
    for (int x = 0; x <= per_side; ++x) {
      corner.push_back({(x + 0.3 * next()) * side, (y + 0.3 * next()) * side, 0});
    }
  }
  std::vector<triangle> all;
  for (int y = 0; y < per_side; ++y) {
    for (int x = 0; x < per_side; ++x) {
      const auto at = [&](int i, int j) { return corner[static_cast<std::size_t>((y + j) * (per_side + 1) + x + i)]; };
      all.push_back({at(0, 0), at(1, 0), at(1, 1)});
      all.push_back((x + y) % 3 == 0 ? triangle{at(0, 0), at(0, 1), at(1, 1)} : triangle{at(0, 0), at(1, 1), at(0, 1)});
    }
  }
  return all;
}

std::vector<triangle> box_mesh(const vec& min, const vec& max) {
  const auto corner = [&](unsigned c) {
    return vec{(c & 1U) != 0 ? max.x : min.x, (c & 2U) != 0 ? max.y : min.y, (c & 4U) != 0 ? max.z : min.z};
  };
  std::vector<triangle> all;
  const auto side = [&](unsigned a, unsigned b, unsigned c, unsigned d) {
    all.push_back({corner(a), corner(b), corner(c)});
    all.push_back({corner(a), corner(c), corner(d)});
  };
  side(0, 1, 3, 2);
  side(4, 5, 7, 6);
  side(0, 1, 5, 4);
  side(2, 3, 7, 6);
  side(0, 2, 6, 4);
  side(1, 3, 7, 5);
  return all;
}

TEST(dem_mesh, in_a_plane_is_a_plane) {
  const std::vector<triangle> floor = uneven_floor(30, 0.004);
  for (const double rolling : {0.0, 0.05}) {
    const interaction i{.stiffness = k, .restitution = 0.4, .friction = 0.4, .rolling_friction = rolling};
    const auto path = [&](const wall& w) {
      settings s = with_walls({w}, i);
      s.gravity = {0.5, 0.2, -g};
      // It falls, slides, and rolls across dozens of edges.
      simulation run(s, {{.position = {0.02, 0.02, 1.2 * r}, .velocity = {0.3, 0.22, 0}, .radius = r}});
      std::vector<vec> all;
      while (run.time() < 0.2) {
        run.run(10);
        all.push_back(run.bodies().position[0]);
        all.push_back(run.bodies().spin[0] * r);
        EXPECT_LE(run.measure().contacts, 1U);
      }
      return all;
    };
    const std::vector<vec> on_plane = path(plane({}, {0, 0, 1}));
    const std::vector<vec> on_mesh = path(mesh(floor));
    ASSERT_EQ(on_plane.size(), on_mesh.size());
    double farthest = 0;
    for (std::size_t n = 0; n < on_plane.size(); ++n) farthest = std::max(farthest, length(on_plane[n] - on_mesh[n]));
    EXPECT_LT(farthest, 1e-12);
    EXPECT_GT(on_plane[on_plane.size() - 2].x, 0.06);
  }
}

TEST(dem_mesh, pushes_once_at_each_of_its_faces) {
  const wall box = mesh(box_mesh({0, 0, 0}, {0.1, 0.1, 0.1}));
  const double in = r - deep;
  // Inside: in a corner three faces, in an edge two, on a face one, wherever its diagonal is.
  const push corner = push_on_ball({box}, {in, in, in});
  EXPECT_EQ(corner.contacts, 3U);
  expect_near(corner.force, vec{1, 1, 1} * (k * deep), 1e-9);
  EXPECT_EQ(push_on_ball({box}, {in, 0.05, in}).contacts, 2U);
  for (const double x : {0.03, 0.05, 0.07}) {
    const push face = push_on_ball({box}, {x, 0.05, in});
    EXPECT_EQ(face.contacts, 1U);
    expect_near(face.force, {0, 0, k * deep}, 1e-9);
  }
}

TEST(dem_mesh, pushes_once_at_its_edges_and_corners) {
  const wall box = mesh(box_mesh({0, 0, 0}, {0.1, 0.1, 0.1}));
  const double out = r - deep;
  // From outside, an edge and a corner push once, along the line from them to the center.
  const vec across_edge = vec{-1, 0, -0.7} * (1 / length({-1, 0, -0.7}));
  const push edge = push_on_ball({box}, vec{0, 0.04, 0} + across_edge * out);
  EXPECT_EQ(edge.contacts, 1U);
  expect_near(edge.force, across_edge * (k * deep), 1e-9);
  const vec away = vec{-1, -0.8, -0.7} * (1 / length({-1, -0.8, -0.7}));
  const push corner = push_on_ball({box}, away * out);
  EXPECT_EQ(corner.contacts, 1U);
  expect_near(corner.force, away * (k * deep), 1e-9);
  // Beside an edge, on a face: only the face.
  const push beside = push_on_ball({box}, {0.0001, 0.05, -out});
  EXPECT_EQ(beside.contacts, 1U);
  expect_near(beside.force, {0, 0, -k * deep}, 1e-9);
}

TEST(dem_mesh, pushes_on_both_sides_however_triangles_are_turned) {
  std::vector<triangle> faces = box_mesh({0, 0, 0}, {0.1, 0.1, 0.1});
  const auto pushes = [&] {
    std::vector<vec> all;
    random_numbers next(9);
    for (int n = 0; n < 60; ++n) {
      const vec center = vec{next(), next(), next()} * 0.06 + vec{0.05, 0.05, 0.05};
      all.push_back(push_on_ball({mesh(faces)}, center).force);
    }
    return all;
  };
  const std::vector<vec> before = pushes();
  for (std::size_t n = 0; n < faces.size(); n += 2) std::swap(faces[n].a, faces[n].b);
  const std::vector<vec> after = pushes();
  for (std::size_t n = 0; n < before.size(); ++n) expect_near(after[n], before[n], 1e-9);
  // With triangles that are there twice, too.
  const std::vector<triangle> once = faces;
  faces.insert(faces.end(), once.begin(), once.end());
  const std::vector<vec> twice = pushes();
  for (std::size_t n = 0; n < before.size(); ++n) expect_near(twice[n], before[n], 1e-9);
}

TEST(dem_mesh, has_edges_where_it_has_holes) {
  // A floor without one of its triangles: a ball above the middle of a large hole falls, one at its edge is held there.
  std::vector<triangle> floor = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  EXPECT_EQ(push_on_ball({mesh(floor)}, {0.7, 0.7, 0}).contacts, 0U);
  const vec out = vec{1, 1, 0.5} * (1 / length({1, 1, 0.5}));
  const push edge = push_on_ball({mesh(floor)}, vec{0.5, 0.5, 0} + out * (r - deep));
  EXPECT_EQ(edge.contacts, 1U);
  expect_near(edge.force, out * (k * deep), 1e-9);
}

TEST(dem_mesh, whose_edges_meet_at_a_corner_of_others_pushes_once) {
  // T-junctions: the left triangle's long edge meets two triangles on the right.
  const std::vector<triangle> floor = {{{0, 0, 0}, {0, 2, 0}, {-1, 1, 0}},
                                       {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                                       {{0, 1, 0}, {0, 2, 0}, {1, 2, 0}},
                                       {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}}};
  for (const double y : {0.999, 1.0, 1.0003, 1.2}) {
    for (const double x : {-0.001, -1e-9, 0.0, 1e-12, 0.0004}) {
      const push found = push_on_ball({mesh(floor)}, {x, y, r - deep});
      EXPECT_EQ(found.contacts, 1U) << x << ' ' << y;
      expect_near(found.force, {0, 0, k * deep}, 1e-9);
    }
  }
}

TEST(dem_mesh, remembers_friction_from_one_triangle_to_the_next) {
  // A ball that sticks on a slope of triangles, on which it is dragged slowly: its spring lasts across edges. If it
  // were lost, the ball would creep down.
  const std::vector<triangle> floor = uneven_floor(30, 0.004);
  const auto creep = [&](const wall& w) {
    settings s = with_walls({w}, {.stiffness = k, .restitution = 0.3, .friction = 0.8, .rolling_friction = 0.8});
    s.gravity = {4, 0, -8};
    s.walls[0].velocity = {0, 0.05, 0};
    simulation run(s, {{.position = {0.06, 0.06, r}, .velocity = {0, 0.05, 0}, .radius = r}});
    while (run.time() < 0.05) run.run();
    const double before = run.bodies().position[0].x;
    while (run.time() < 0.2) run.run();
    return run.bodies().position[0].x - before;
  };
  const double on_plane = creep(plane({}, {0, 0, 1}));
  EXPECT_NEAR(creep(mesh(floor)), on_plane, 1e-10);
  EXPECT_LT(on_plane, 1e-4);
}

}  // namespace
}  // namespace mesh_test
