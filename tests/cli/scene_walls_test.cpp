// Walls in scenes: every kind, what moves them, files of triangles, and what is refused.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "files/read_polydata.hpp"
#include "run_program.hpp"
#include "scene/scene.hpp"

namespace scene_walls_test {
namespace {

using program::arguments;
using program::run;

const std::string one_ball = R"(law = "hooke"
gravity = [0, 0, -9.81]
steps = 300

[materials.rubber]
density = 1100

[interaction]
stiffness = 1e4
restitution = 0.7
friction = 0.3

[[body]]
position = [0, 0, 0.5]
radius = 0.05

)";

const std::string triangle =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nendsolid\n";

// A silo with a lid that turns, a mesh in it, and a lid that is pressed on.
const std::string silo = R"(
[[wall]]
kind = "cylinder"
name = "drum"
from = [0, 0, 0.5]
to = [0, 0, 4]
radius = 0.6
[[wall]]
kind = "cylinder"
from = [0, 0, 0]
to = [0, 0, 1]
radius = 0.62
keeps = "inside"
[[wall]]
kind = "cone"
from = [0, 0, 0]
to = [0, 0, 0.5]
radius = 0.3
end_radius = 0.6
[[wall]]
kind = "disc"
point = [0, 0, 0]
normal = [0, 0, 1]
radius = 0.3
hole = 0.02
spin = [0, 0, -3]
[[wall]]
kind = "rectangle"
point = [-0.5, -0.5, 0.4]
side = [0.3, 0, 0]
other_side = [0, 0.3, 0]
center = [0, 0, 0.4]
spin = [0, 0, 1]
velocity = [0, 0, 0.1]
[[wall]]
kind = "mesh"
file = "t.stl"
scale = 0.1
at = [0, 0, 0.5]
[[wall]]
kind = "plane"
point = [0, 0, 1.7]
normal = [0, 0, -1]
pressure = 1e4
area = 0.1
mass = 50
damping = 3
[[bodies]]
generate = "fill"
min = [-0.4, -0.4, 0.6]
max = [0.4, 0.4, 1.6]
diameter = 0.1
[[drive]]
of = ["drum"]
spin = [0, 0, 4]
)";

class cli_scene_walls : public ::testing::Test {
 protected:
  void SetUp() override { folder.write("t.stl", triangle); }
  std::string good(arguments args) {
    args.insert(args.begin(), "run");
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  void expect_error(const std::string& wall, const std::string& line) {
    folder.write("a.toml", one_ball + wall);
    const auto result = run(folder, {"run", "a.toml"});
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.err, line + "\n");
  }
  abut::cli::scene read(const std::string& text) {
    abut::cli::scene_request request;
    request.name = "a.toml";
    request.folder = folder.path().string();
    request.progress = [](const std::string&, double) {};
    return abut::cli::read_scene(request, text);
  }

  program::folder folder;
};

TEST_F(cli_scene_walls, of_all_kinds_run_the_same_on_any_number_of_threads) {
  folder.write("a.toml", one_ball + silo);
  std::string states;
  for (const std::string threads : {"1", "2"}) {
    (void)good({"a.toml", "--threads", threads, "--out", "out" + threads});
    states += folder.read("out" + threads + "/state.npy");
  }
  EXPECT_EQ(states.substr(0, states.size() / 2), states.substr(states.size() / 2));
}

TEST_F(cli_scene_walls, are_those_of_the_library) {
  const abut::cli::scene s = read(one_ball + silo);
  ASSERT_EQ(s.settings.walls.size(), 7U);
  EXPECT_EQ(s.settings.walls[0].patches.at(0).second, 0.6);
  EXPECT_EQ(s.settings.walls[1].radius, 0.62);
  EXPECT_EQ(s.settings.walls[2].patches.at(0).first, 0.3);
  EXPECT_EQ(s.settings.walls[3].patches.at(0).first, 0.02);
  EXPECT_EQ(s.settings.walls[3].spin, (abut::dem::vec{0, 0, -3}));
  EXPECT_EQ(s.settings.walls[4].patches.size(), 2U);
  EXPECT_EQ(s.settings.walls[4].center, (abut::dem::vec{0, 0, 0.4}));
  EXPECT_EQ(s.settings.walls[5].patches.at(0).b, (abut::dem::vec{0.1, 0, 0.5}));
  EXPECT_EQ(s.settings.walls[6].pressed->force, 1000);
  EXPECT_TRUE(s.notes.empty());
  EXPECT_EQ(s.settings.drives.at(0).walls, std::vector<std::size_t>{0});
}

TEST_F(cli_scene_walls, leave_out_triangles_without_an_area) {
  const std::string flat =
      "solid b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0\nendloop\n"
      "endfacet\nendsolid\n";
  folder.write("t.stl", triangle + flat);
  const abut::cli::scene s = read(one_ball + silo);
  EXPECT_EQ(s.settings.walls[5].patches.size(), 1U);
  ASSERT_EQ(s.notes.size(), 1U);
  EXPECT_TRUE(s.notes[0].ends_with("t.stl has 1 triangle without an area, left out")) << s.notes[0];
}

TEST_F(cli_scene_walls, in_2d_are_circles_and_segments) {
  const abut::cli::scene s = read(R"(dimension = 2
law = "linear"
steps = 1
[materials.a]
[interaction]
stiffness = 1
[[body]]
position = [0, 0.5]
radius = 0.05
[[wall]]
kind = "circle"
point = [0, 0]
radius = 2
keeps = "outside"
[[wall]]
kind = "segment"
from = [-1, 0]
to = [1, 0]
spin = 3
)");
  ASSERT_EQ(s.settings.walls.size(), 2U);
  EXPECT_EQ(s.settings.walls[0].radius, -2);
  EXPECT_EQ(s.settings.walls[1].spin, (abut::dem::vec{0, 0, 3}));
}

TEST_F(cli_scene_walls, with_mistakes_are_refused) {
  expect_error("[[wall]]\nkind = \"cone\"\nfrom = [0, 0, 0]\nto = [0, 0, 1]\nradius = 1\n",
               "a.toml:17:1: wall.0 has no end_radius; add one, such as end_radius = 0.1");
  expect_error("[[wall]]\nkind = \"cilinder\"\n",
               "a.toml:18:8: wall.0.kind is \"cilinder\", did you mean \"cylinder\"?");
  expect_error("[[wall]]\nkind = \"disc\"\nhle = 1\n",
               "a.toml:19:1: unknown key \"hle\" in wall.0, did you mean \"hole\"?");
  expect_error("[[wall]]\nkind = \"segment\"\n",
               "a.toml:18:8: wall.0.kind is \"segment\", which is for 2D, and the scene is 3D");
  expect_error(
      "[[wall]]\nkind = \"disc\"\nopen = [\"+x\"]\n",
      "a.toml:19:8: wall.0.open has no meaning for a disc, whose keys are point, normal, radius, hole, velocity, "
      "spin, center");
  expect_error("[[wall]]\nkind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmass = 3\n",
               "a.toml:21:8: wall.0.mass is for walls that have a pressure");
  folder.write("junk.stl", "junk");
  expect_error("[[wall]]\nkind = \"mesh\"\nfile = \"junk.stl\"\n",
               "a.toml:19:8: wall.0.file: junk.stl: is no STL file: it has 4 bytes");
  expect_error("[[bodies]]\ngenerate = \"silo-wall\"\noutlet = 3\nwidth = 2\nhopper = 1\nheight = 1\n",
               "a.toml:19:10: bodies.0.outlet is 3, wider than the silo");
}

// The wall of Lazarević et al. (2002), Table 1; the sizes of the silo are not in the paper.
TEST_F(cli_scene_walls, of_balls_are_rings_on_a_cylinder_over_a_cone) {
  const abut::cli::scene s = read(one_ball + R"(
[[bodies]]
generate = "silo-wall"
moves = "fixed"
outlet = 2.21
width = 10
hopper = 6
height = 16.8
diameter = 0.45
spacing = 0.935
sizes = "uniform"
ratio = 1.046511627906977
)");
  EXPECT_EQ(s.bodies.size(), 1U + 3821U);
  for (std::size_t n = 0; n + 1 < s.bodies.size(); ++n) {
    const abut::dem::body& b = s.bodies[n];
    const double rho = abut::dem::length({b.position.x, b.position.y, 0});
    EXPECT_NEAR(rho, b.position.z < 6 ? 1.105 + b.position.z / 6 * 3.895 : 5, 1e-9);
    EXPECT_EQ(b.moves, abut::dem::motion::fixed);
    EXPECT_GE(b.radius, 0.215 - 1e-9);
    EXPECT_LE(b.radius, 0.225);
  }
}

TEST(cli_wall_series, has_forces_and_torques_for_each_name) {
  const program::folder folder;
  // A ball rests on a floor of two halves, of one name, and leans on nothing else.
  folder.write("a.toml", R"(law = "hooke"
gravity = [0, 0, -10]
time = 1
[materials.rubber]
density = 1000
[interaction]
stiffness = 1e4
restitution = 0.3
[[body]]
position = [0.2, 0.1, 0.05]
radius = 0.05
mass = 2
[[wall]]
kind = "rectangle"
name = "floor"
point = [-1, -1, 0]
side = [1, 0, 0]
other_side = [0, 2, 0]
center = [0, 0, 0]
[[wall]]
kind = "rectangle"
name = "floor"
point = [0, -1, 0]
side = [1, 0, 0]
other_side = [0, 2, 0]
[[wall]]
kind = "plane"
name = "lid, \"upper\""
point = [0, 0, 1]
normal = [0, 0, -1]
[[wall]]
kind = "plane"
point = [0, 0, 2]
normal = [0, 0, -1]
[output]
every = 100000
)");
  ASSERT_EQ(run(folder, {"run", "a.toml", "--out", "out"}).code, 0);
  std::istringstream lines(folder.read("out/series.csv"));
  std::string header, last;
  std::getline(lines, header);
  EXPECT_TRUE(
      header.ends_with(",overlap,floor_force_x,floor_force_y,floor_force_z,floor_torque_x,floor_torque_y,"
                       "floor_torque_z,\"lid, \"\"upper\"\"_force_x\",\"lid, \"\"upper\"\"_force_y\",\"lid, "
                       "\"\"upper\"\"_force_z\",\"lid, \"\"upper\"\"_torque_x\",\"lid, \"\"upper\"\"_torque_y\",\"lid, "
                       "\"\"upper\"\"_torque_z\""))
      << header;
  for (std::string line; std::getline(lines, line);) last = line;
  std::vector<double> numbers;
  std::istringstream parts(last);
  for (std::string part; std::getline(parts, part, ',');) numbers.push_back(std::stod(part));
  ASSERT_EQ(numbers.size(), 14U + 12U);
  const std::vector<double> loads(numbers.begin() + 14, numbers.end());
  // 20 downwards at (0.2, 0.1), about the center of the first half, the origin.
  const std::vector<double> wanted = {0, 0, -20, -2, 4, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(loads[k], wanted[k], 1e-3) << k;
}

/// A ball between a lid that is pressed down, a side that is driven, a drum that turns and a floor that opens.
const std::string moving = R"(law = "hooke"
steps = 100
time_step = 1e-3
materials.rubber.density = 1000
interaction.stiffness = 1e4

[[body]]
position = [0, 0, 1]
radius = 0.05

[[wall]]
kind = "plane"
name = "lid"
point = [0, 0, 2]
normal = [0, 0, -1]
pressure = 1
area = 1
mass = 10
[[wall]]
kind = "rectangle"
name = "side"
point = [1, -1, 0]
side = [0, 2, 0]
other_side = [0, 0, 2]
[[wall]]
kind = "cylinder"
name = "drum"
from = [0, 0, 0]
to = [0, 0, 2]
radius = 3
spin = [0, 0, 1]
[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
opens_at = 0.05
[[drive]]
of = ["side"]
velocity = [-2, 0, 0]

[output]
every = 10
frames = 4
)";

TEST_F(cli_scene_walls, series_have_the_positions_of_those_that_move) {
  folder.write("a.toml", moving);
  ASSERT_EQ(run(folder, {"run", "a.toml", "--out", "out"}).code, 0);
  std::istringstream lines(folder.read("out/series.csv"));
  std::string header, last;
  std::getline(lines, header);
  for (std::string line; std::getline(lines, line);) last = line;
  EXPECT_NE(header.find(",lid_torque_z,lid_position_x,lid_position_y,lid_position_z,side_force_x,"), std::string::npos);
  EXPECT_EQ(header.find("drum_position"), std::string::npos);
  EXPECT_EQ(header.find("floor_position"), std::string::npos);
  EXPECT_NEAR(program::csv_number(header, last, "side_position_x"), 1 - 2 * 0.1, 1e-12);
  EXPECT_NEAR(program::csv_number(header, last, "lid_position_z"), 2 - 0.5 * 0.1 * 0.1 * 0.1, 1e-4);
}

TEST_F(cli_scene_walls, series_in_2d_have_nothing_along_z) {
  folder.write("a.toml", R"(dimension = 2
law = "hooke"
steps = 10
time_step = 1e-3
materials.rubber.density = 1000
interaction.stiffness = 1e4
[[body]]
position = [0, 1]
radius = 0.05
[[wall]]
kind = "segment"
name = "bar"
from = [-1, 0]
to = [1, 0]
velocity = [0, -1]
)");
  ASSERT_EQ(run(folder, {"run", "a.toml", "--out", "out"}).code, 0);
  std::istringstream lines(folder.read("out/series.csv"));
  std::string header, row;
  std::getline(lines, header);
  EXPECT_TRUE(header.ends_with(
      ",momentum_x,momentum_y,overlap,bar_force_x,bar_force_y,bar_torque_z,bar_position_x,bar_position_y"))
      << header;
  while (std::getline(lines, row)) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  }
}

TEST_F(cli_scene_walls, that_are_open_are_not_drawn) {
  folder.write("a.toml", moving);
  ASSERT_EQ(run(folder, {"run", "a.toml", "--out", "out"}).code, 0);
  const auto lowest = [&](const std::string& name) {
    const auto points = abut::cli::read_polydata(name, folder.read(name)).find("Points")->numbers;
    double least = 1e9;
    // Of the plane of the floor alone: it reaches as far as the drum's box, to its corners.
    for (std::size_t k = 0; k < points.size(); k += 3) {
      if (std::abs(points[k]) > 2.9 && std::abs(points[k + 1]) > 2.9) least = std::min(least, points[k + 2]);
    }
    return least;
  };
  EXPECT_EQ(lowest("out/frames/walls-00001.vtp"), 0);
  EXPECT_GT(lowest("out/frames/walls-00002.vtp"), 1);  // at 0.05
  EXPECT_GT(lowest("out/frames/walls-00004.vtp"), 1);
  EXPECT_GT(lowest("out/walls.vtp"), 1);
  // A scene whose only wall opens has frames without outlines.
  std::string floor = moving.substr(0, moving.find("[[wall]]")) + moving.substr(moving.rfind("[[wall]]"));
  floor.erase(floor.find("[[drive]]"), floor.find("[output]") - floor.find("[[drive]]"));
  folder.write("b.toml", floor);
  ASSERT_EQ(run(folder, {"run", "b.toml", "--out", "b"}).code, 0);
  const auto points = [&](const std::string& name) {
    return abut::cli::read_polydata(name, folder.read(name)).find("Points")->numbers.size();
  };
  EXPECT_GT(points("b/frames/walls-00000.vtp"), 0U);
  EXPECT_EQ(points("b/frames/walls-00003.vtp"), 0U);
  EXPECT_EQ(points("b/walls.vtp"), 0U);
}

}  // namespace
}  // namespace scene_walls_test
