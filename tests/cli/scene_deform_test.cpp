// Scenes with a box that deforms: what they write, and what is refused.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace scene_deform_test {
namespace {

using program::arguments;
using program::run;

// Discs that are squeezed along x, by a table of rates, and held along y.
const std::string squeeze = R"(dimension = 2
law = "hooke"
steps = 2000

[periodic]
x = [0, 8.4]
y = [1, 9.4]

[deform]
table = [[0, -0.1, 0], [0.1, -0.2, 0]]
pressure = 20
axes = ["y"]
mass = 6
damping = 60
from = 0.05

[materials.disc]
density = 1

[interaction]
stiffness = 1e4
restitution = 0.5
friction = 0.4

[[bodies]]
generate = "fill"
min = [0, 1]
max = [8.4, 9.4]
spacing = 1.05
jitter = 0.02

[output]
every = 50
frames = 3
frame_files = ["vtp", "dump"]
)";

class cli_scene_deform : public ::testing::Test {
 protected:
  std::string good(const arguments& args) {
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  void expect_error(const std::string& what, const std::string& by, const std::string& line) {
    std::string text = squeeze;
    folder.write("a.toml", text.replace(text.find(what), what.size(), by));
    const auto result = run(folder, {"run", "a.toml"});
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.err, line + "\n");
  }
  [[nodiscard]] std::vector<std::string> lines_of(const std::string& file) const {
    std::istringstream text(folder.read(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  /// A column of a series, by its name.
  [[nodiscard]] std::vector<double> column(const std::string& file, const std::string& name) const {
    const std::vector<std::string> lines = lines_of(file);
    const auto fields = [](const std::string& line) {
      std::istringstream text(line);
      std::vector<std::string> all;
      for (std::string field; std::getline(text, field, ',');) all.push_back(field);
      return all;
    };
    const std::vector<std::string> names = fields(lines.front());
    const auto at = std::find(names.begin(), names.end(), name);
    EXPECT_NE(at, names.end()) << name;
    std::vector<double> numbers;
    for (std::size_t k = 1; k < lines.size() && at != names.end(); ++k) {
      numbers.push_back(std::stod(fields(lines[k])[static_cast<std::size_t>(at - names.begin())]));
    }
    return numbers;
  }

  program::folder folder;
};

TEST_F(cli_scene_deform, series_and_frames_show_the_box) {
  folder.write("a.toml", squeeze);
  const std::string said = good({"run", "a.toml", "--out", "a", "--threads", "1"});
  EXPECT_NE(said.find("\nbox "), std::string::npos) << said;
  EXPECT_NE(said.find("(at the start 8.4) along x"), std::string::npos) << said;
  EXPECT_NE(said.find("put in by drives, walls and the box"), std::string::npos) << said;
  const std::vector<std::string> rows = lines_of("a/series.csv");
  EXPECT_TRUE(rows.front().ends_with(",overlap,side_x,side_y,stress_xx,stress_yy")) << rows.front();
  const std::vector<double> time = column("a/series.csv", "time");
  const std::vector<double> side = column("a/series.csv", "side_x");
  for (std::size_t k = 0; k < time.size(); ++k) {
    // The integral of the table's rates, from 0.05 on.
    const double early = std::clamp(time[k], 0.05, 0.1);
    const double strain =
        0.1 * (early - 0.05) + 0.5 * (early * early - 0.05 * 0.05) + 0.2 * std::max(time[k] - 0.1, 0.0);
    EXPECT_NEAR(side[k], 8.4 * std::exp(-strain), 1e-4) << time[k];
  }
  EXPECT_LT(side.back(), 8.2);
  EXPECT_LT(column("a/series.csv", "side_y").back(), 8.4);
  EXPECT_GT(column("a/series.csv", "stress_xx").back(), 5);
  // Energies add up.
  const std::vector<double> kinetic = column("a/series.csv", "kinetic");
  const std::vector<double> potential = column("a/series.csv", "potential");
  const std::vector<double> dissipated = column("a/series.csv", "dissipated");
  const std::vector<double> work = column("a/series.csv", "work");
  for (std::size_t k = 0; k < time.size(); ++k) {
    EXPECT_NEAR(kinetic[k] + potential[k] + dissipated[k] - work[k], kinetic[0] + potential[0], 1e-2 * work.back());
  }
  // A dump has the box of its time.
  const std::vector<std::string> dump = lines_of("a/frames/bodies-00003.dump");
  const auto box = std::find(dump.begin(), dump.end(), "ITEM: BOX BOUNDS pp pp pp");
  ASSERT_LT(box, dump.end() - 2);
  std::istringstream bounds(*(box + 1));
  double low = 0, high = 0;
  bounds >> low >> high;
  EXPECT_NEAR(high - low, side.back(), 1e-12);
  EXPECT_NEAR(0.5 * (high + low), 4.2, 1e-12);
  // The outline: four lines, smaller at the end.
  for (const char* file : {"a/walls.vtp", "a/frames/walls-00000.vtp", "a/frames/walls-00003.vtp"}) {
    EXPECT_NE(folder.read(file).find("NumberOfLines=\"4\""), std::string::npos) << file;
  }
  EXPECT_NE(folder.read("a/frames/walls-00000.vtp"), folder.read("a/frames/walls-00003.vtp"));
  EXPECT_EQ(folder.read("a/walls.vtp"), folder.read("a/frames/walls-00003.vtp"));
}

TEST_F(cli_scene_deform, files_do_not_depend_on_threads_and_method_or_a_stop) {
  folder.write("a.toml", squeeze);
  good({"run", "a.toml", "--out", "a", "--threads", "1"});
  good({"run", "a.toml", "--out", "b", "--threads", "2", "--method", "mr"});
  good({"run", "a.toml", "--out", "c", "--steps", "700", "--set", "output.frames=0"});
  good({"run", "a.toml", "--from", "c", "--out", "d", "--set", "output.frames=0"});
  for (const char* file : {"/series.csv", "/state.npy", "/state.vtp", "/walls.vtp", "/frames/bodies-00002.dump"}) {
    EXPECT_EQ(folder.read(std::string("a") + file), folder.read(std::string("b") + file)) << file;
  }
  EXPECT_EQ(folder.read("a/state.npy"), folder.read("d/state.npy"));
}

TEST_F(cli_scene_deform, without_a_volume_there_is_no_stress) {
  std::string text = squeeze;
  text.replace(text.find("y = [1, 9.4]\n"), 13, "");
  text.replace(text.find("pressure = 20\naxes = [\"y\"]\nmass = 6\ndamping = 60\n"), 49, "");
  folder.write("a.toml", text);
  const std::string said = good({"run", "a.toml", "--out", "a", "--steps", "100"});
  EXPECT_TRUE(lines_of("a/series.csv").front().ends_with(",overlap,side_x"));
  EXPECT_EQ(said.find("pressure"), std::string::npos) << said;
  good({"run", "a.toml", "--out", "b", "--steps", "100", "--set",
        R"(wall=[{kind = "box", min = [0, 0.9], max = [8.4, 9.5]}])"});
  EXPECT_TRUE(lines_of("b/series.csv").front().ends_with(",overlap,side_x,stress_xx,stress_yy"));
}

TEST_F(cli_scene_deform, what_is_wrong_is_named) {
  expect_error("damping = 60", "dampning = 60",
               R"(a.toml:14:1: unknown key "dampning" in deform, did you mean "damping"?)");
  expect_error("mass = 6\n", "", "a.toml:9:1: deform has no mass; add one, such as mass = 0.1, that of all bodies");
  expect_error("mass = 6", "mass = 0", "a.toml:13:8: deform.mass is 0; it must be above 0");
  expect_error("axes = [\"y\"]", "axes = [\"w\"]", R"(a.toml:12:9: deform.axes.0 is "w", did you mean "x"?)");
  expect_error("axes = [\"y\"]", "axes = [\"z\"]", R"(a.toml:12:9: deform.axes.0 is "z", did you mean "x"?)");
  expect_error("axes = [\"y\"]", "",
               "a.toml:11:12: deform.pressure acts on x, which has a rate too; give axes that have none");
  expect_error("pressure = 20\n", "", "a.toml:11:8: deform.axes is for a box that has a pressure");
  expect_error("[0, -0.1, 0]", "[0, -0.1]", "a.toml:10:10: deform.table.0 is an array of 2; it must be [t, rx, ry]");
  expect_error("[0.1, -0.2, 0]", "[0, -0.2, 0]",
               "a.toml:10:24: deform.table.1 is at time 0, which is not after the one before it");
  expect_error("from = 0.05", "rate = [-1, 0]", "a.toml:10:9: deform.table and rate are both given; give one");
  expect_error("x = [0, 8.4]\n", "",
               "a.toml:9:9: deform.table concerns x, which is not periodic; add x = [min, max] to [periodic]");
  expect_error("jitter = 0.02", "fixed_within = 1",
               "a.toml:25:1: bodies.0: body 0 is fixed or driven: in a box that deforms, all move freely");
}

TEST_F(cli_scene_deform, the_compaction_reaches_its_pressure) {
  // A small one, to save time.
  good({"run",       "compaction",
        "--out",     "a",
        "--threads", "1",
        "--set",     "bodies.0.max=[0.072, 0.072, 0.072]",
        "--set",     "periodic.x=[0, 0.072]",
        "--set",     "periodic.y=[0, 0.072]",
        "--set",     "periodic.z=[0, 0.072]",
        "--set",     "deform.mass=0.3",
        "--set",     "deform.damping=190",
        "--set",     "output.frames=0"});
  const double side = column("a/series.csv", "side_x").back();
  EXPECT_EQ(column("a/series.csv", "side_z").back(), side);
  double mean = 0;
  for (const char* name : {"stress_xx", "stress_yy", "stress_zz"}) mean += column("a/series.csv", name).back() / 3;
  EXPECT_NEAR(mean, 5000, 0.05 * 5000);
  const double fraction = 216 * 3.14159 / 6 * 1e-6 / (side * side * side);
  EXPECT_GT(fraction, 0.55);
  EXPECT_LT(fraction, 0.68);
}

}  // namespace
}  // namespace scene_deform_test
