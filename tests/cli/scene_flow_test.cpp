// Scenes in which bodies come and go: what they write, and what is refused.

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace scene_flow_test {
namespace {

using program::arguments;
using program::run;

// A funnel in 2D: 30 discs are poured, then its outlet opens.
const std::string funnel = R"(dimension = 2
law = "hooke"
gravity = [0, -10]
steps = 3000
time_step = 5e-4

[materials.sand]
density = 1

[interaction]
stiffness = 2e3
restitution = 0.3
friction = 0.3

[[wall]]
kind = "segment"
from = [-2, 2]
to = [-0.5, 0]

[[wall]]
kind = "segment"
from = [2, 2]
to = [0.5, 0]

[[wall]]
kind = "segment"
from = [-0.5, 0]
to = [0.5, 0]
opens_at = 0.7

[[pour]]
min = [-1.5, 1]
max = [1.5, 4]
count = 30
diameter = 0.2
sizes = "uniform"
ratio = 1.5
velocity = [0, -1]

[[remove]]
point = [0, -0.5]
normal = [0, -1]
)";

class cli_scene_flow : public ::testing::Test {
 protected:
  std::string good(const arguments& args) {
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  void expect_error(const std::string& what, const std::string& by, const std::string& line) {
    std::string text = funnel;
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

  program::folder folder;
};

TEST_F(cli_scene_flow, a_funnel_fills_and_runs_empty) {
  folder.write("a.toml", funnel);
  const std::string said = good({"run", "a.toml", "--out", "a", "--threads", "1", "--set", "output.frames=2"});
  EXPECT_NE(said.find("poured 30 of 30; removed 30; 0 at the end"), std::string::npos) << said;
  const std::vector<std::string> rows = lines_of("a/series.csv");
  EXPECT_NE(rows.front().find(",overlap,poured,waiting,poured_mass,removed,removed_mass,mass_flow,brought"),
            std::string::npos);
  EXPECT_EQ(rows[1].substr(0, 6), "0,0,0,");
  EXPECT_NE(rows[2].find(",30,0,"), std::string::npos) << rows[2];
  EXPECT_EQ(rows.back().substr(0, 11), "3000,1.5,0,") << rows.back();
}

// The mass flow is what was removed since the row before, per time. A run that goes on knows that row.
TEST_F(cli_scene_flow, has_a_mass_flow_per_time) {
  folder.write("a.toml", funnel);
  const arguments same = {"--threads", "1", "--set", "output.every=70"};
  const auto with = [&](arguments args) {
    args.insert(args.end(), same.begin(), same.end());
    return args;
  };
  good(with({"run", "a.toml", "--out", "whole"}));
  const std::vector<std::string> rows = lines_of("whole/series.csv");
  double time = 0, mass = 0, sum = 0;
  std::size_t flowing = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto number = [&](const char* name) { return program::csv_number(rows[0], rows[k], name); };
    const double passed = number("time") - time;
    const double flow = number("mass_flow");
    EXPECT_EQ(flow, passed > 0 ? (number("removed_mass") - mass) / passed : 0) << rows[k];
    flowing += flow > 0 ? 1 : 0;
    sum += flow * passed;
    time = number("time");
    mass = number("removed_mass");
  }
  EXPECT_GT(flowing, 5U);
  EXPECT_NEAR(sum, mass, 1e-9);
  // Stopped between two rows, while the discs run out.
  good(with({"run", "a.toml", "--out", "out", "--steps", "1730"}));
  good(with({"run", "--resume", "out", "--steps", "3000"}));
  EXPECT_EQ(lines_of("out/series.csv"), rows);
}

TEST_F(cli_scene_flow, files_do_not_depend_on_threads_and_method) {
  folder.write("a.toml", funnel);
  const arguments common = {
      "run", "a.toml", "--steps", "2200", "--set", R"(output.frame_files=["vtp", "dump"])", "--set", "output.frames=2"};
  const auto with = [&](const arguments& more) {
    arguments all = common;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  good(with({"--out", "a", "--threads", "1"}));
  good(with({"--out", "b", "--threads", "2", "--method", "dess"}));
  for (const char* file : {"/series.csv", "/state.npy", "/state.vtp", "/frames/bodies-00002.dump"}) {
    EXPECT_EQ(folder.read(std::string("a") + file), folder.read(std::string("b") + file)) << file;
  }
  // Some have left, and the others keep their ids.
  const std::vector<std::string> dump = lines_of("a/frames/bodies-00002.dump");
  const std::string last = dump.back().substr(0, dump.back().find(' '));
  EXPECT_LT(dump.size(), 11 + 30U);
  EXPECT_GT(std::stoul(last), dump.size() - 11);
}

TEST_F(cli_scene_flow, what_is_wrong_is_named) {
  expect_error("count = 30", "cuont = 30", R"(a.toml:34:1: unknown key "cuont" in pour.0, did you mean "count"?)");
  expect_error("count = 30", "", "a.toml:31:1: pour.0 has no count, rate or mass_rate; add one, such as count = 1000");
  expect_error("diameter = 0.2", "diameter = 7",
               "a.toml:31:1: pour.0: pour 0 has a region too small for a body of radius 3.5");
  expect_error("max = [1.5, 4]", "from = [1, 2]", "a.toml:33:8: pour.0.from does not go with min");
  expect_error("opens_at = 0.7", "opens_at = \"soon\"",
               "a.toml:29:12: wall.2.opens_at is \"soon\"; it must be a finite number");
  expect_error("ratio = 1.5", "size_table = [[0.1, 1]]", "a.toml:35:12: pour.0.diameter does not go with size_table");
}

}  // namespace
}  // namespace scene_flow_test
