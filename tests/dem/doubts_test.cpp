// What a simulation shows that its author has likely not meant: each kind, what is just not so, and how it is said.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/dem/dem.hpp>

namespace doubts_test {
namespace {

using namespace abut::dem;

settings some(double stiffness = 1e5) {
  settings s;
  s.materials = material_table({.stiffness = stiffness, .restitution = 0.5});
  s.materials.add({.name = "stone"});
  s.contact_law = named_law("hooke", s.materials);
  s.threads = 1;
  return s;
}

body ball(const vec& at, double radius = 0.5) { return {.position = at, .radius = radius}; }

std::vector<doubt> doubts_of(const settings& s, const std::vector<body>& bodies) {
  return doubts_about(s, simulation(s, bodies));
}

TEST(dem_doubts, nothing_to_doubt) {
  settings s = some();
  s.gravity = {0, 0, -1};
  s.walls = {plane({0, 0, 0}, {0, 0, 1}), disc({0, 0, -1}, {0, 0, 1}, 3, 0.6)};
  EXPECT_TRUE(doubts_of(s, {ball({0, 0, 0.46}), ball({1, 0, 0.5}), ball({0, 0.95, 0.5})}).empty());
  EXPECT_TRUE(doubts_of(some(), {ball({0, 0, 0})}).empty());
}

TEST(dem_doubts, a_body_behind_a_plane_is_surely_wrong) {
  settings s = some();
  s.walls = {plane({0, 0, 9}, {0, 0, -1}), plane({0, 0, 0}, {0, 0, -1})};
  const auto found = doubts_of(s, {ball({0, 0, 0.3}), ball({2, 0, 1}), ball({4, 0, 0.2})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].sure);
  EXPECT_EQ(found[0].body, 1U);
  EXPECT_EQ(found[0].wall, 1U);
  EXPECT_EQ(
      found[0].text,
      "body 1 is 1.5 deep in wall 1, more than its radius, 0.5; so are 2 others: turn the wall's normal, or move what "
      "is on the wrong side");
}

TEST(dem_doubts, bodies_beside_an_endless_cylinder_or_behind_an_open_wall) {
  settings s = some();
  s.walls = {endless_cylinder({0, 0, 0}, {0, 0, 1}, 2)};
  EXPECT_TRUE(doubts_of(s, {ball({3, 0, 0})}).at(0).sure);
  s.walls[0].opens_at = 0;
  EXPECT_TRUE(doubts_of(s, {ball({3, 0, 0})}).empty());
}

TEST(dem_doubts, what_is_deep_in_a_wall_or_in_another_body) {
  settings s = some();
  s.walls = {plane({0, 0, 0}, {0, 0, 1}), rectangle({-9, -9, 5}, {18, 0, 0}, {0, 18, 0})};
  auto found = doubts_of(s, {ball({0, 0, 0.4})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].sure);
  EXPECT_EQ(found[0].text, "body 0 is 0.1 deep in wall 0, 20 % of its radius: it will be thrown away from there");
  // A wall with borders has no wrong side.
  found = doubts_of(s, {ball({0, 0, 4.9})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].sure);
  EXPECT_EQ(found[0].text, "body 0 is 0.4 deep in wall 1, 80 % of its radius: it will be thrown away from there");
  s.walls.clear();
  EXPECT_TRUE(doubts_of(s, {ball({0, 0, 0}), ball({0.951, 0, 0})}).empty());
  found = doubts_of(s, {ball({0, 0, 0}), ball({0.9, 0, 0}), ball({0, 0.85, 0})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(
      found[0].text,
      "body 0 and body 2 overlap by 30 % of the smaller one's radius (2 pairs overlap by more than 10 %): they will be "
      "thrown apart");
}

TEST(dem_doubts, bodies_in_one_place_or_inside_of_each_other) {
  const settings s = some();
  auto found = doubts_of(s, {ball({1, 2, 3}), ball({1, 2, 3})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].sure);
  EXPECT_EQ(found[0].text, "body 0 and body 1 are in one place: move them apart, or make them one clump");
  found = doubts_of(s, {ball({0, 0, 0}), ball({0.5, 0, 0})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].sure);
  EXPECT_NE(found[0].text.find("the center of one is inside of the other"), std::string::npos) << found[0].text;
  EXPECT_FALSE(doubts_of(s, {ball({0, 0, 0}), ball({0.51, 0, 0})}).at(0).sure);
  // A small body at the surface of a large one, whose radius is what counts.
  EXPECT_FALSE(doubts_of(s, {ball({0, 0, 0}), ball({0.51, 0, 0}, 0.05)}).at(0).sure);
  EXPECT_TRUE(doubts_of(s, {ball({0, 0, 0}), ball({0.49, 0, 0}, 0.05)}).at(0).sure);
}

TEST(dem_doubts, what_may_overlap_is_not_doubted) {
  std::vector<body> all = {ball({0, 0, 0}), ball({0.1, 0, 0}), ball({5, 0, 0}), ball({5.1, 0, 0})};
  all[0].clump = all[1].clump = 7;
  all[2].moves = all[3].moves = motion::fixed;
  EXPECT_TRUE(doubts_of(some(), all).empty());
}

TEST(dem_doubts, contacts_that_the_weight_presses_flat) {
  settings s = some(100);
  s.gravity = {0, 0, -10};
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  // One ball weighs 5.2, which is an overlap of a tenth of its radius.
  const auto found = doubts_of(s, {ball({0, 0, 0.5})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "the weight of a body makes overlaps of about 10 % of a radius: make the contacts stiffer");
  // A column of twenty presses twenty times as much; beside each other, they do not.
  s = some(2000);
  s.gravity = {0, 0, -10};
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  std::vector<body> column, row;
  for (int k = 0; k < 20; ++k) {
    column.push_back(ball({0, 0, 0.5 + k}));
    row.push_back(ball({1.0 * k, 0, 0.5}));
  }
  EXPECT_EQ(
      doubts_of(s, column).at(0).text,
      "the weight of the bodies above each other makes overlaps of about 10 % of a radius: make the contacts stiffer");
  EXPECT_TRUE(doubts_of(s, row).empty());
  // Nothing holds them.
  s.walls.clear();
  EXPECT_TRUE(doubts_of(s, column).empty());
  // What will be poured counts, too.
  s.walls = box_walls({0, 0, 0}, {1, 1, 100});
  pour p;
  p.into = box_region({0, 0, 50}, {1, 1, 99});
  p.radii.largest = 0.5;
  p.count = 20;
  s.pours = {p};
  EXPECT_EQ(doubts_of(s, {}).size(), 1U);
}

TEST(dem_doubts, openings_that_are_too_narrow) {
  settings s = some();
  s.walls = {disc({0, 0, 0}, {0, 0, 1}, 3, 0.4)};
  auto found = doubts_of(s, {ball({2, 0, 2}), ball({0, 0, 2}, 0.3)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].wall, 0U);
  EXPECT_EQ(found[0].text, "wall 0 has an opening of radius 0.4, and bodies have up to 0.5: these cannot pass");
  EXPECT_TRUE(doubts_of(s, {ball({0, 0, 2}, 0.3)}).empty());
  s.walls = {cone({0, 0, 0}, {0, 0, 3}, 0.3, 3)};
  EXPECT_EQ(doubts_of(s, {ball({0, 0, 8})}).size(), 1U);
  s.walls = {cone({0, 0, 0}, {0, 0, 3}, 0, 3)};  // closed
  EXPECT_TRUE(doubts_of(s, {ball({0, 0, 8})}).empty());
}

// ---- on the way

std::vector<std::string> told(const settings& s, const std::vector<body>& bodies, int looks, std::uint64_t steps) {
  simulation run(s, bodies);
  doubt_watch watch(s, run);
  std::vector<std::string> all;
  for (int k = 0; k < looks; ++k) {
    run.run(steps);
    for (const doubt& d : watch.look(run, run.measure())) all.push_back(d.text);
  }
  return all;
}

TEST(dem_doubts, deep_overlaps_are_told_once) {
  settings s = some(1e3);
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  body fast = ball({0, 0, 0.5});
  fast.velocity = {0, 0, -6};
  const auto all = told(s, {fast}, 100, 1);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].starts_with("body 0 and wall 0 overlap by 1")) << all[0];
  EXPECT_NE(all[0].find(" % of its radius in step "), std::string::npos) << all[0];
  // As deep for a large body is not deep.
  fast.radius = 5;
  fast.position.z = 5;
  fast.mass = 4 * 3.14159 / 3 * 0.125;
  EXPECT_TRUE(told(s, {fast, ball({30, 0, 9}, 0.5)}, 100, 1).empty());
}

TEST(dem_doubts, bodies_that_fall_beside_all_walls_are_told_once) {
  settings s = some();
  s.gravity = {0, 0, -10};
  s.walls = {disc({0, 0, 0}, {0, 0, 1}, 2)};
  const std::vector<body> all = {ball({0, 0, 0.5}), ball({3, 0, 1}), ball({-3, 0, 1})};
  const auto found = told(s, all, 100, 300);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(
      found[0].starts_with("2 bodies have left all walls, and nothing will catch them (body 1): it is at (3, 0, -"))
      << found[0];
  // A floor far below will catch them.
  s.walls.push_back(plane({0, 0, -1000}, {0, 0, 1}));
  EXPECT_TRUE(told(s, all, 100, 300).empty());
  // What flies up comes down again.
  s.walls = {disc({0, 0, 0}, {0, 0, 1}, 2)};
  body up = ball({0, 0, 0.5});
  up.velocity = {0, 0, 20};
  EXPECT_TRUE(told(s, {up}, 20, 100).empty());
  // Without walls, space has no outside.
  s.walls.clear();
  EXPECT_TRUE(told(s, all, 100, 300).empty());
}

// ---- when a simulation cannot go on

std::string fault_of(const settings& s, const std::vector<body>& bodies) {
  try {
    simulation run(s, bodies);
    run.run(10000);
  } catch (const abut::error& e) {
    return e.what();
  }
  return "";
}

TEST(dem_doubts, a_fault_names_what_the_body_is_deep_in) {
  settings s = some(1e5);
  s.walls = {plane({0, 0, 0}, {0, 0, 1})};
  const std::string behind = fault_of(s, {ball({0, 0, 2}), ball({5, 0, -40})});
  EXPECT_TRUE(behind.starts_with("body 1 ")) << behind;
  EXPECT_NE(behind.find("; it is "), std::string::npos) << behind;
  EXPECT_NE(behind.find(" deep in wall 0, and its radius is 0.5: does it begin on the right side"), std::string::npos)
      << behind;
  s.walls.clear();
  const std::string inside = fault_of(s, {ball({0, 0, 0}), ball({0.01, 0, 0}, 0.001)});
  EXPECT_NE(inside.find(" deep in body "), std::string::npos) << inside;
  // One that is merely too fast is in nothing.
  body fast = ball({0, 0, 0});
  fast.velocity = {1e5, 0, 0};
  const std::string of_fast = fault_of(s, {fast});
  EXPECT_EQ(of_fast.find("deep in"), std::string::npos) << of_fast;
  EXPECT_NE(of_fast.find("make the time step"), std::string::npos) << of_fast;
}

TEST(dem_doubts, hertz_mindlin_asks_for_young) {
  settings s;
  s.materials = material_table({.restitution = 0.5});
  s.materials.add({.name = "glass"});
  s.contact_law = named_law("hertz-mindlin", s.materials);
  EXPECT_EQ(fault_of(s, {ball({0, 0, 0})}),
            "a contact of \"glass\" with \"glass\" is infinitely stiff or viscous: give one of them a Young's modulus "
            "(young), without which a material is rigid");
}

}  // namespace
}  // namespace doubts_test
