// Walls in pictures: surfaces that are seen through, where a cut goes through them, and what a box leaves of all.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "files/file_bytes.hpp"
#include "render/picture.hpp"
#include "render/source.hpp"
#include "render/strokes.hpp"
#include "run/wall_surfaces.hpp"
#include "run_program.hpp"

namespace render_walls_test {
namespace {

using namespace abut::cli;
using abut::dem::vec;

/// A square in a plane y = const, from -2 to 2, as two triangles.
std::vector<space_triangle> square_at(double y) {
  const vec a{-2, y, -2}, b{2, y, -2}, c{2, y, 2}, d{-2, y, 2}, n{0, 1, 0};
  return {{{a, b, c}, {n, n, n}}, {{a, c, d}, {n, n, n}}};
}

/// A picture from the front, and its pixel at a point by coordinates to the right and up.
struct front_picture {
  explicit front_picture(const picture_content& what, std::optional<picture_cut> cut = {}) {
    style.width = 600;
    style.height = 400;
    style.threads = 1;
    style.cut = cut;
    include(style.shown, what, style.from);
    drawn.emplace(draw_picture(what, style));
  }
  [[nodiscard]] rgb at(double right, double up) const {
    const picture_scale s = scale_of(style);
    const double x = s.x + (right - (style.shown.left + style.shown.right) / 2) * s.per_length;
    const double y = s.y - (up - (style.shown.bottom + style.shown.top) / 2) * s.per_length;
    return drawn->pixels[drawn->place(static_cast<int>(x), static_cast<int>(y))];
  }
  picture_style style;
  std::optional<image> drawn;
};

TEST(wall_surfaces, are_seen_through) {
  picture_content what{.centers = {{0, 0, 0}}, .radii = {1}, .values = {0}};
  const rgb alone = front_picture(what).at(0, 0);
  what.surfaces = square_at(-3);  // before the sphere
  const front_picture before(what);
  EXPECT_LT(before.at(1.7, 1.7).r, 0.95F);
  EXPECT_GT(before.at(1.7, 1.7).r, 0.6F);
  EXPECT_GT(before.at(0, 0).g, alone.g + 0.01F);
  what.surfaces = square_at(3);  // behind it
  const front_picture behind(what);
  EXPECT_NEAR(behind.at(0, 0).g, alone.g, 0.001);
  EXPECT_EQ(behind.at(1.7, 1.7).r, before.at(1.7, 1.7).r);
  // Two of them keep more light back than one, in either order.
  what.surfaces = square_at(3);
  const auto more = square_at(4);
  what.surfaces.insert(what.surfaces.end(), more.begin(), more.end());
  const front_picture both(what);
  EXPECT_LT(both.at(1.7, 1.7).r, behind.at(1.7, 1.7).r);
  std::reverse(what.surfaces.begin(), what.surfaces.end());
  EXPECT_NEAR(front_picture(what).at(1.7, 1.7).r, both.at(1.7, 1.7).r, 1e-6);
}

// The diagonal, which two triangles share, is covered once.
TEST(wall_surfaces, have_no_seams) {
  picture_content what;
  what.surfaces = square_at(0);
  const front_picture picture(what);
  const rgb one = picture.at(0.5, -0.8);
  for (double t = -1.9; t < 1.9; t += 0.01) {
    EXPECT_NEAR(picture.at(t, t).r, one.r, 1e-5) << t;
    EXPECT_NEAR(picture.at(t, t + 0.05).r, one.r, 1e-5) << t;
  }
}

TEST(wall_surfaces, are_cut_with_the_bodies) {
  picture_content what;
  what.surfaces = square_at(-1);
  const auto more = square_at(1);
  what.surfaces.insert(what.surfaces.end(), more.begin(), more.end());
  const front_picture whole(what), cut(what, picture_cut{1, 0});
  EXPECT_LT(whole.at(1, 0).r, cut.at(1, 0).r);
  what.surfaces = square_at(1);
  EXPECT_EQ(front_picture(what).at(1, 0).r, cut.at(1, 0).r);
  // A floor is a line in the section.
  const vec n{0, 0, 1}, a{-2, -2, 0}, b{2, -2, 0}, c{2, 2, 0}, d{-2, 2, 0};
  what.surfaces.insert(what.surfaces.end(), {{{a, b, c}, {n, n, n}}, {{a, c, d}, {n, n, n}}});
  const front_picture floor(what, picture_cut{1, 0});
  EXPECT_LT(floor.at(1, 0).r, 0.5F);
}

TEST(wall_surfaces, of_all_kinds_have_their_areas) {
  const auto area = [](const std::vector<wall_surface>& all) {
    double sum = 0;
    for (const wall_surface& s : all) {
      sum += length(cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0])) / 2;
      for (const vec& normal : s.normals) EXPECT_NEAR(length(normal), 1, 1e-12);
    }
    return sum;
  };
  const outline_space space{3, {0, 0, 0}, {1, 2, 3}};
  const auto of = [&](const abut::dem::wall& w) { return surfaces_of({w}, space, 0); };
  constexpr double pi = std::numbers::pi;
  EXPECT_NEAR(area(surfaces_of(abut::dem::box_walls({0, 0, 0}, {1, 2, 3}), space, 0)), 22, 1e-6);
  EXPECT_NEAR(area(of(abut::dem::plane({0, 0, 0}, {0, 0, 1}))), 2, 1e-6);
  EXPECT_NEAR(area(of(abut::dem::cylinder({0, 0, 0}, {0, 0, 2}, 1))), 4 * pi, 0.02);
  EXPECT_NEAR(area(of(abut::dem::cone({0, 0, 0}, {0, 0, 1}, 0, 1))), pi * std::sqrt(2.0), 0.02);
  EXPECT_NEAR(area(of(abut::dem::disc({0, 0, 0}, {1, 1, 0}, 2, 1))), 3 * pi, 0.02);
  EXPECT_NEAR(area(of(abut::dem::endless_cylinder({0, 0, 0}, {0, 0, 1}, 1))), 6 * pi, 0.04);
  EXPECT_NEAR(area(of(abut::dem::rectangle({0, 0, 0}, {1, 0, 0}, {0, 2, 0}))), 2, 1e-12);
  EXPECT_NEAR(area(of(abut::dem::mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}))), 0.5, 1e-12);
  EXPECT_TRUE(surfaces_of({abut::dem::segment({0, 0, 0}, {1, 0, 0})}, {2, {0, 0, 0}, {1, 1, 0}}, 0).empty());
  // Walls that are open are not there.
  abut::dem::wall door = abut::dem::disc({0, 0, 0}, {0, 0, 1}, 1);
  door.opens_at = 2;
  EXPECT_FALSE(surfaces_of({door}, space, 1.9).empty());
  EXPECT_TRUE(surfaces_of({door}, space, 2).empty());
}

TEST(wall_surfaces, come_from_the_file_of_a_run) {
  program::folder folder;
  folder.write("box.toml",
               "law = \"linear\"\nsteps = 1\ntime_step = 1e-4\n[materials.a]\n[interaction]\nstiffness = 1e3\n"
               "[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 2, 3]\n"
               "[[body]]\nposition = [0.5, 1, 1]\nradius = 0.2\n");
  const auto made = program::run(folder, {"run", "box.toml", "--threads", "1", "--out", "box"});
  ASSERT_EQ(made.code, 0) << made.err;
  const picture_source from = open_source((folder.path() / "box").string());
  EXPECT_EQ(from.walls.surfaces.size(), 12U);
  EXPECT_EQ(from.walls.lines.size(), 12U);
  for (const space_triangle& t : from.walls.surfaces) EXPECT_NEAR(length(t.normals[0]), 1, 1e-12);
}

TEST(pictures, keep_what_reaches_into_a_box) {
  picture_content what{.centers = {{0, 0, 0}, {3, 0, 0}, {1.4, 0, 0}, {0, 0, 9}}, .radii = {1, 1, 1, 1}};
  what.values = {10, 11, 12, 13};
  what.walls = {{vec{-5, 0, 0}, vec{5, 0, 0}}, {vec{-5, 7, 0}, vec{5, 7, 0}}};
  what.surfaces = square_at(0);
  what.forces = {{{vec{0, 0, 0}, vec{1.4, 0, 0}}, 5}, {{vec{3, 0, 0}, vec{4, 0, 0}}, 6}};
  picture_box box;
  box.min = {-1, -1, -1};
  box.max = {1, 1, 1};
  keep_within(what, box);
  EXPECT_EQ(what.values, (std::vector<double>{10, 12}));
  ASSERT_EQ(what.walls.size(), 1U);
  EXPECT_EQ(what.walls[0][0].x, -1);
  EXPECT_EQ(what.walls[0][1].x, 1);
  ASSERT_EQ(what.forces.size(), 1U);
  EXPECT_EQ(what.forces[0].ends[1].x, 1);
  double area = 0;
  for (const space_triangle& t : what.surfaces) {
    area += length(cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0])) / 2;
  }
  EXPECT_NEAR(area, 4, 1e-12);
  // Without limits along z, the content has the last word.
  picture_box open = box;
  open.min[2] = -picture_box::endless;
  open.max[2] = picture_box::endless;
  EXPECT_EQ(closed(open, what).max[0], 1);
  EXPECT_EQ(closed(open, what).max[2], 1);
}

// Tall content makes a narrow picture, and wide content a low one; both are filled.
TEST(pictures, have_the_shape_of_what_they_show) {
  picture_style style;
  style.shown = {0, 1, 0, 3, false};
  fit_size(style);
  EXPECT_EQ(style.height, 900);
  EXPECT_LT(style.width, 600);
  EXPECT_GT(3 * scale_of(style).per_length, 0.94 * style.height);
  style.shown = {0, 3, 0, 1.5, false};
  fit_size(style);
  EXPECT_EQ(style.width, 1200);
  EXPECT_LT(style.height, 600);
  EXPECT_GT(1.5 * scale_of(style).per_length, 0.9 * style.height);
  style.shown = {};
  fit_size(style);
  EXPECT_GE(style.width, 400);
}

// In 2D, what is outside of the part that is asked for is not drawn.
TEST(pictures, of_a_part_end_at_its_sides) {
  picture_content what{.centers = {{0, 0, 0}}, .radii = {1}, .values = {0}, .flat = true};
  picture_style style;
  style.width = 600;
  style.height = 400;
  style.threads = 1;
  style.from = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  style.shown = {-2, 0, -2, 2, false};
  style.zoomed = true;
  const image picture = draw_picture(what, style);
  const picture_scale s = scale_of(style);
  const auto white = [&](double x) {
    const rgb& p = picture.pixels[picture.place(static_cast<int>(s.x + (x + 1) * s.per_length), static_cast<int>(s.y))];
    return p.r == 1 && p.b == 1;
  };
  EXPECT_FALSE(white(-0.5));
  EXPECT_TRUE(white(0.5));
  EXPECT_TRUE(white(-1.5));
}

}  // namespace
}  // namespace render_walls_test
