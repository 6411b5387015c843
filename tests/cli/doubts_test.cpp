// What `abut run` says of scenes that are surely or likely not meant as they are, and where it says that the mistake
// is.

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace doubts_test {
namespace {

using program::arguments;

/// A ball on a floor, in 23 lines; tests replace some of them.
const std::string one_ball = R"(law = "hooke"
steps = 20
gravity = [0, 0, -10]

[materials.stone]
density = 1

[interaction]
stiffness = 1e5
restitution = 0.5

[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]

[[body]]
position = [0, 0, 0.5]
radius = 0.5
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no " + what);
  return text.replace(at, what.size(), by);
}

class cli_doubts : public ::testing::Test {
 protected:
  program::result ran(const std::string& scene, arguments more = {}) {
    folder.write("a.toml", scene);
    more.insert(more.begin(), {"run", "a.toml"});
    return program::run(folder, more);
  }
  /// The scene is refused with this line, also by --check.
  void expect_refused(const std::string& scene, const std::string& line) {
    for (const arguments& how : {arguments{}, arguments{"--check"}, arguments{"--out", "out"}}) {
      const auto result = ran(scene, how);
      EXPECT_EQ(result.code, 2) << line;
      EXPECT_EQ(result.err, line + "\n");
    }
  }
  /// The scene runs with this warning; --check has it too, and --strict refuses it.
  void expect_warned(const std::string& scene, const std::string& line) {
    const auto result = ran(scene);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "warning: " + line + "\n");
    const auto checked = ran(scene, {"--check"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_NE(checked.out.find("\nwarning "), std::string::npos) << checked.out;
    for (const arguments& how : {arguments{"--strict"}, arguments{"--strict", "--check"}}) {
      const auto strict = ran(scene, how);
      EXPECT_EQ(strict.code, 2);
      EXPECT_EQ(strict.err, line + "\n");
    }
  }
  program::folder folder;
};

TEST_F(cli_doubts, a_good_scene_has_no_warnings) {
  const auto result = ran(one_ball, {"--strict"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.find("\nwarning"), std::string::npos) << result.out;
}

TEST_F(cli_doubts, scenes_that_come_with_abut_have_none) {
  const auto list = program::run(folder, {"run", "--list"});
  std::istringstream lines(list.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    const auto result = program::run(folder, {"run", name, "--steps", "1", "--strict"});
    if (result.err.find("the scene has no bodies") != std::string::npos) continue;  // it takes those of another run
    EXPECT_EQ(result.code, 0) << name << ": " << result.err;
  }
}

TEST_F(cli_doubts, of_bodies_behind_walls_and_in_one_place_are_errors) {
  expect_refused(
      replaced(one_ball, "[0, 0, 1]", "[0, 0, -1]"),
      "a.toml:18:1: body.0: body 0 is 1 deep in wall 0, more than its radius, 0.5: turn the wall's normal, or "
      "move what is on the wrong side");
  expect_refused(
      replaced(one_ball, "[0, 0, 0.5]", "[0, 0, -1]"),
      "a.toml:18:1: body.0: body 0 is 1.5 deep in wall 0, more than its radius, 0.5: turn the wall's normal, "
      "or move what is on the wrong side");
  expect_refused(one_ball + "[[body]]\nposition = [0, 0, 0.5]\nradius = 0.5\n",
                 "a.toml:18:1: body.0: body 0 and body 1 are in one place: move them apart, or make them one clump");
  const auto lattice = ran(replaced(one_ball, "[[body]]\nposition = [0, 0, 0.5]\nradius = 0.5\n",
                                    "[[bodies]]\ngenerate = \"lattice\"\ncount = 27\nspacing = 0.5\nat = [0, 0, 3]\n"));
  EXPECT_EQ(lattice.code, 2);
  EXPECT_TRUE(lattice.err.starts_with("a.toml:18:1: bodies.0: body ")) << lattice.err;
  EXPECT_NE(lattice.err.find("so that the center of one is inside of the other"), std::string::npos) << lattice.err;
}

TEST_F(cli_doubts, of_overlaps_and_weights_are_warnings) {
  expect_warned(
      replaced(one_ball, "[0, 0, 0.5]", "[0, 0, 0.4]"),
      "a.toml:18:1: body.0: body 0 is 0.1 deep in wall 0, 20 % of its radius: it will be thrown away from there");
  expect_warned(
      one_ball + "[[body]]\nposition = [0, 0.9, 0.5]\nradius = 0.5\n",
      "a.toml:18:1: body.0: body 0 and body 1 overlap by 20 % of the smaller one's radius: they will be thrown "
      "apart");
  expect_warned(replaced(one_ball, "1e5", "100"),
                "the weight of a body makes overlaps of about 10 % of a radius: make the contacts stiffer");
}

TEST_F(cli_doubts, of_openings_name_the_wall) {
  expect_warned(
      one_ball + "[[wall]]\nkind = \"disc\"\npoint = [0, 0, 5]\nnormal = [0, 0, 1]\nradius = 4\nhole = 0.3\n",
      "a.toml:21:1: wall.1: wall 1 has an opening of radius 0.3, and bodies have up to 0.5: these cannot pass");
}

TEST_F(cli_doubts, of_numbers_that_the_law_does_not_use) {
  const std::string friction = replaced(one_ball, "restitution = 0.5", "friction = 0.3");
  EXPECT_EQ(ran(friction, {"--strict"}).code, 0);
  expect_warned(replaced(friction, "hooke", "linear"),
                "a.toml:10:12: interaction.friction is 0.3, and the law linear does not use it; it uses stiffness");
  expect_warned(
      replaced(one_ball, "restitution", "cohesion"),
      "a.toml:10:12: interaction.cohesion is 0.5, and the law hooke does not use it; it uses damping, friction, "
      "restitution, rolling_friction, rolling_stiffness, stiffness, tangential_damping, "
      "tangential_stiffness, tangential_viscosity, viscosity");
  const std::string hertz = replaced(one_ball, "hooke", "hertz-mindlin");
  expect_warned(
      replaced(hertz, "density = 1", "density = 1\nyoung = 1e6"),
      "a.toml:10:13: interaction.stiffness is 100000, and the law hertz-mindlin does not use it; it uses friction, "
      "poisson, restitution, rolling_friction, young");
  expect_warned(
      replaced(one_ball, "density = 1", "density = 1\nyoung = 1e6"),
      "a.toml:7:9: materials.stone.young is 1000000, and the law hooke does not use it; it uses damping, friction, "
      "restitution, rolling_friction, rolling_stiffness, stiffness, tangential_damping, "
      "tangential_stiffness, tangential_viscosity, viscosity");
  // What is 0 does nothing anyway.
  EXPECT_EQ(ran(replaced(one_ball, "restitution = 0.5", "cohesion = 0"), {"--strict"}).code, 0);
  const auto rigid = ran(replaced(hertz, "stiffness = 1e5\n", ""));
  EXPECT_EQ(rigid.code, 2);
  EXPECT_EQ(
      rigid.err,
      "a.toml:5:1: materials: a contact of \"stone\" with \"stone\" is infinitely stiff or viscous: give one of them a "
      "Young's modulus (young), without which a material is rigid\n");
}

TEST_F(cli_doubts, on_the_way_are_said_and_reported) {
  const std::string fast = replaced(one_ball, "radius = 0.5\n", "radius = 0.5\nvelocity = [0, 0, -60]\n");
  for (const arguments& how : {arguments{}, arguments{"--out", "out", "--set", "output.every=1"}}) {
    const auto result = ran(replaced(fast, "steps = 20", "steps = 30"), how);
    EXPECT_EQ(result.code, 0) << result.err;
    if (!how.empty()) {
      EXPECT_TRUE(result.err.starts_with("warning: body 0 and wall 0 overlap by ")) << result.err;
      EXPECT_NE(result.out.find("\nwarning   body 0 and wall 0 overlap by "), std::string::npos) << result.out;
    }
  }
  const auto strict = ran(fast, {"--out", "strict", "--strict", "--set", "output.every=1"});
  EXPECT_EQ(strict.code, 2);
  EXPECT_TRUE(strict.err.starts_with("body 0 and wall 0 overlap by ")) << strict.err;
  EXPECT_NE(strict.err.find("the state after step"), std::string::npos) << strict.err;
}

TEST_F(cli_doubts, of_bodies_that_have_left) {
  const std::string table = replaced(one_ball, "kind = \"plane\"", "kind = \"disc\"\nradius = 1");
  const auto result = ran(replaced(replaced(table, "[0, 0, 0.5]", "[3, 0, 0.5]"), "steps = 20", "time = 3"));
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(
      result.err.starts_with("warning: body 0 has left all walls, and nothing will catch it: it is at (3, 0, -"))
      << result.err;
  EXPECT_NE(result.out.find("\nwarning   body 0 has left all walls, "), std::string::npos) << result.out;
}

TEST_F(cli_doubts, a_fault_on_the_way_names_the_table_and_the_cause) {
  const auto result = ran(replaced(one_ball, "radius = 0.5\n", "radius = 0.5\nvelocity = [0, 0, -30000]\n"));
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(result.err.starts_with("a.toml:18:1: body.0: body 0 in step ")) << result.err;
}

// ---- where it is

TEST_F(cli_doubts, errors_of_the_simulation_name_the_table) {
  expect_refused(
      replaced(one_ball, "steps = 20", "time = 1e15"),
      "a.toml:2:8: a time of 1e+15 takes 9.8e+18 steps of 0.0001, which no machine makes; the time is too long "
      "or the contacts are too stiff");
}

TEST_F(cli_doubts, a_period_too_short_names_the_body) {
  const auto result = ran(replaced(one_ball, "gravity", "periodic.x = [0, 1.5]\ngravity"));
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(
      result.err.starts_with("a.toml:19:1: body.0: body 0 has radius 0.5: the period along x is 1.5, and must be "
                             "at least twice the largest reach, 2."))
      << result.err;
}

TEST_F(cli_doubts, a_pour_without_room_names_the_table) {
  const auto result = ran(one_ball + "[[pour]]\nmin = [0, 0, 2]\nmax = [0.5, 0.5, 3]\ncount = 3\ndiameter = 1\n");
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, "a.toml:21:1: pour.0: pour 0 has a region too small for a body of radius 0.5\n");
}

TEST_F(cli_doubts, a_drive_that_is_too_fast_names_the_body) {
  const auto result = ran(replaced(one_ball, "[[body]]",
                                   "[[drive]]\nof = [\"ball\"]\nvelocity = [1e9, 0, 0]\n\n[[body]]\n"
                                   "name = \"ball\"") +
                          "[[body]]\nposition = [0, 0, 9]\nradius = 0.5\n");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(result.err.starts_with("a.toml:22:1: body.0: body 0 in step ")) << result.err;
}

// ---- how long it takes

TEST_F(cli_doubts, a_check_counts_what_will_be_poured) {
  const std::string pour = R"([[pour]]
min = [-5, -5, 5]
max = [5, 5, 30]
diameter = 0.5
)";
  const auto takes = [&](const std::string& count) {
    const auto result =
        ran(replaced(one_ball, "steps = 20", "steps = 10000") + pour + count, {"--check", "--threads", "1"});
    EXPECT_EQ(result.code, 0) << result.err;
    const std::size_t at = result.out.find("\ntakes     about ");
    return result.out.substr(at, result.out.find("\nmemory", at) - at);
  };
  // Two hundred thousand take minutes. Ten that are there after the first steps need no forecast.
  const std::string many = takes("count = 200000\nrate = 1e6\n");
  EXPECT_NE(many.find(" min "), std::string::npos) << many;
  EXPECT_NE(many.find("that will be poured"), std::string::npos) << many;
  const std::string few = takes("count = 10\n");
  EXPECT_EQ(few.find("poured"), std::string::npos) << few;
}

}  // namespace
}  // namespace doubts_test
