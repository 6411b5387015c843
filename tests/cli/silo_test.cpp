// A silo through the program: it is filled, killed, goes on, opens and runs empty; outlets that let nothing through;
// silos without bodies; hoppers from files of triangles, good and bad ones.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace silo_test {
namespace {

using program::arguments;
using program::run;
namespace fs = std::filesystem;

const std::string material = R"(law = "hooke"
gravity = [0, 0, -9.81]
time_step = 1e-4
steps = 9000
sort_every = 333

[materials.grain]
density = 2500

[interaction]
stiffness = 1e3
restitution = 0.3
friction = 0.3
rolling_friction = 0.02

)";

// A cylinder over a hopper.
const std::string silo = R"([[wall]]
kind = "cone"
name = "hopper"
from = [0, 0, 0]
to = [0, 0, 0.05]
radius = 0.05
end_radius = 0.07

[[wall]]
kind = "cylinder"
name = "shaft"
from = [0, 0, 0.05]
to = [0, 0, 0.25]
radius = 0.07

)";

// What closes the outlet; the key `opens_at` may follow.
const std::string lid = R"([[wall]]
kind = "disc"
point = [0, 0, 0]
normal = [0, 0, 1]
radius = 0.05
)";

// Half a step after step 5000.
const std::string opens = "opens_at = 0.50005\n";

const std::string pour = R"(
[[pour]]
from = [0, 0, 0.12]
to = [0, 0, 0.24]
radius = 0.065
count = 150
rate = 600
velocity = [0, 0, -0.5]
diameter = 0.02
sizes = "uniform"
ratio = 1.2
)";

const std::string removal = R"(
[[remove]]
point = [0, 0, -0.05]
normal = [0, 0, -1]
)";

const std::string output = R"(
[output]
every = 50
frames = 6
)";

class cli_silo : public ::testing::Test {
 protected:
  std::string good(arguments args) {
    args.insert(args.begin(), "run");
    args.insert(args.end(), {"--threads", "1"});
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  /// The last whole row of a run's series; empty if there is none yet.
  [[nodiscard]] std::string last_row(const std::string& of, std::string& header) const {
    const fs::path path = folder.path() / of / "series.csv";
    if (!fs::exists(path)) return "";
    std::istringstream lines(folder.read(of + "/series.csv"));
    std::string row;
    std::getline(lines, header);
    for (std::string line; std::getline(lines, line) && !lines.eof();) row = line;
    return row;
  }
  [[nodiscard]] double last(const std::string& of, const std::string& column) const {
    std::string header;
    const std::string row = last_row(of, header);
    return row.empty() ? 0 : program::csv_number(header, row, column);
  }
  /// Starts a run, kills it as soon as a column of its series is above a bound and there is a checkpoint, and lets it
  /// go on to its end with another number of threads, from the last checkpoint.
  void kill_once(const arguments& args, const std::string& out, const std::string& column, double bound) {
    program::running process(folder, args);
    while (!process.ended() && !(fs::exists(folder.path() / out / "checkpoint.abut") && last(out, column) > bound)) {
      ::usleep(500);
    }
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait(), -1) << "it had ended: " << process.err();
  }
  /// All files of a run as one text, apart from the checkpoint before the last, in which runs may differ.
  [[nodiscard]] std::string files(const std::string& of) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() / of)) {
      const std::string name = fs::relative(entry.path(), folder.path() / of).string();
      if (entry.is_regular_file() && name != "checkpoint.previous.abut") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += name + "\n" + folder.read(of + "/" + name) + "\n";
    return all;
  }
  /// The balls of the final state.
  struct ball {
    double x, y, z, r;
  };
  [[nodiscard]] std::vector<ball> balls(const std::string& of) const {
    constexpr std::size_t columns = 17;
    const std::string file = folder.read(of + "/state.npy");
    const std::size_t start = 10 + static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
    std::vector<ball> all((file.size() - start) / (columns * sizeof(double)));
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::memcpy(&all[k], file.data() + start + k * columns * sizeof(double), sizeof(ball));
    }
    return all;
  }
  /// Every ball is in the silo, up to what contacts give way.
  void expect_inside(const std::string& of, std::size_t count) const {
    const std::vector<ball> all = balls(of);
    EXPECT_EQ(all.size(), count);
    for (const ball& b : all) {
      const double give = 0.2 * b.r;
      EXPECT_GE(b.z, -give);
      EXPECT_LE(b.z, 0.25);
      EXPECT_LE(std::hypot(b.x, b.y) + b.r, 0.07 + give);
    }
  }
  void expect_refused(const std::string& text, const std::string& line) {
    folder.write("bad.toml", text);
    const auto result = run(folder, {"run", "bad.toml"});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, line + "\n");
  }

  program::folder folder;
};

// ---- filled, killed, opened

TEST_F(cli_silo, filled_killed_resumed_opened_and_killed_again_has_the_bits_of_one_run) {
  folder.write("a.toml", material + silo + lid + opens + pour + removal + output);
  const std::string often = "output.checkpoints=90";
  const std::string said = good({"a.toml", "--out", "whole", "--set", often});
  EXPECT_NE(said.find("poured 150 of 150; removed 150; 0 at the end"), std::string::npos) << said;
  kill_once({"run", "a.toml", "--out", "out", "--set", often, "--threads", "1"}, "out", "poured", 40);
  EXPECT_LT(last("out", "poured"), 150);
  kill_once({"run", "--resume", "out", "--threads", "2", "--method", "hashing"}, "out", "removed", 30);
  EXPECT_LT(last("out", "removed"), 150);
  good({"--resume", "out"});
  EXPECT_TRUE(files("out") == files("whole"));
}

TEST_F(cli_silo, filled_by_one_scene_and_emptied_by_another_has_the_bits_of_one_run) {
  folder.write("a.toml", material + silo + lid + opens + pour + removal);
  folder.write("fill.toml", material + silo + lid + pour + removal);
  folder.write("empty.toml", material + silo + removal);  // without the lid
  const std::string often = "output.checkpoints=90";
  good({"a.toml", "--out", "whole", "--steps", "7000"});
  kill_once({"run", "fill.toml", "--steps", "5000", "--out", "fill", "--set", often}, "fill", "poured", 40);
  good({"--resume", "fill"});
  expect_inside("fill", 150);
  const arguments discharge = {"run",   "empty.toml", "--steps", "7000", "--from",    "fill",
                               "--out", "empty",      "--set",   often,  "--threads", "2"};
  kill_once(discharge, "empty", "removed", 10);
  good({"--resume", "empty"});
  EXPECT_GT(last("empty", "removed"), 30);
  EXPECT_LT(last("empty", "removed"), 150);
  EXPECT_TRUE(folder.read("empty/state.npy") == folder.read("whole/state.npy"));
}

// ---- outlets that let nothing through

TEST_F(cli_silo, lets_no_body_through_that_is_larger_than_the_outlet) {
  std::string narrow = silo;
  narrow.replace(narrow.find("radius = 0.05"), 13, "radius = 0.008");
  std::string small_lid = lid;
  small_lid.replace(small_lid.find("radius = 0.05"), 13, "radius = 0.008");
  folder.write("a.toml", material + narrow + small_lid + opens + pour + removal);
  const std::string said = good({"a.toml", "--out", "out", "--steps", "8000"});
  EXPECT_NE(said.find("poured 150 of 150; removed 0; 150 at the end"), std::string::npos) << said;
  expect_inside("out", 150);
  EXPECT_EQ(last("out", "mass_flow"), 0);
}

TEST_F(cli_silo, is_blocked_by_a_large_body_in_the_outlet) {
  const std::string plug = "\n[[body]]\nposition = [0, 0, 0.055]\nradius = 0.06\nmass = 0.05\n";
  folder.write("a.toml", material + silo + lid + opens + plug + pour + removal);
  const std::string said = good({"a.toml", "--out", "out", "--steps", "8000", "--set", "pour.0.count=40"});
  EXPECT_NE(said.find("poured 40 of 40; removed 0; 41 at the end"), std::string::npos) << said;
  EXPECT_EQ(last("out", "mass_flow"), 0);
  // It hangs in the outlet, and what is above it rests on it and on the hopper.
  EXPECT_LT(last("out", "kinetic"), 1e-3);
  for (const ball& b : balls("out")) EXPECT_GT(b.z, 0);
}

TEST_F(cli_silo, that_stays_closed_keeps_all) {
  folder.write("a.toml", material + silo + lid + pour + removal);
  good({"a.toml", "--out", "out", "--steps", "8000"});
  expect_inside("out", 150);
  EXPECT_LT(last("out", "kinetic"), 1e-3);
}

// ---- silos without bodies

TEST_F(cli_silo, that_is_empty_can_be_opened) {
  folder.write("a.toml", material + silo + lid + opens + pour + removal + output);
  folder.write("b.toml", material + silo + removal + output);
  // Before the first body comes, the run has none.
  good({"a.toml", "--set", "pour.0.start=100", "--steps", "300", "--out", "none"});
  EXPECT_EQ(balls("none").size(), 0U);
  const std::string said = good({"b.toml", "--from", "none", "--steps", "600", "--out", "more"});
  EXPECT_NE(said.find("removed 0; 0 at the end"), std::string::npos) << said;
  EXPECT_EQ(last("more", "step"), 600);
  EXPECT_EQ(last("more", "bodies"), 0);
  EXPECT_EQ(balls("more").size(), 0U);
  EXPECT_TRUE(fs::exists(folder.path() / "more/frames/bodies-00006.vtp"));
  good({"--resume", "more"});
  // It can be filled afterwards.
  good({"a.toml", "--from", "more", "--steps", "3000", "--out", "full"});
  EXPECT_GT(balls("full").size(), 100U);
  expect_refused(
      material + silo + removal,
      "bad.toml: the scene has no bodies; add one, such as [[bodies]] with generate = \"fill\", or [[body]]");
}

TEST_F(cli_silo, that_has_run_empty_goes_on_without_bodies) {
  folder.write("a.toml", material + silo + lid + opens + pour + removal);
  good({"a.toml", "--out", "out", "--set", "wall.2.opens_at=0.3", "--set", "pour.0.count=30", "--steps", "9000"});
  EXPECT_EQ(balls("out").size(), 0U);
  EXPECT_EQ(last("out", "removed"), 30);
  EXPECT_EQ(last("out", "kinetic"), 0);
  EXPECT_EQ(last("out", "hopper_force_z"), 0);
}

// ---- hoppers from files

struct corner {
  float x, y, z;
};
using facets = std::vector<std::vector<corner>>;

std::string as_text(const facets& all) {
  std::ostringstream text;
  text << "solid floor\n";
  for (const auto& f : all) {
    text << "facet normal 0 0 0\nouter loop\n";
    for (const corner& c : f) text << "vertex " << c.x << ' ' << c.y << ' ' << c.z << '\n';
    text << "endloop\nendfacet\n";
  }
  text << "endsolid floor\n";
  return text.str();
}

std::string as_binary(const facets& all) {
  std::string bytes(80, ' ');
  const auto append = [&](const void* from, std::size_t count) { bytes.append(static_cast<const char*>(from), count); };
  const auto count = static_cast<std::uint32_t>(all.size());
  append(&count, 4);
  const float normal[3] = {};
  for (const auto& f : all) {
    append(normal, sizeof normal);
    append(f.data(), 3 * sizeof(corner));
    bytes.append(2, '\0');
  }
  return bytes;
}

// A square floor with sides of 8, of two triangles for each unit, without those whose numbers are left out.
facets floor_of_triangles(const std::function<bool(int x, int y)>& there) {
  facets all;
  for (int x = 0; x < 8; ++x) {
    for (int y = 0; y < 8; ++y) {
      if (!there(x, y)) continue;
      const auto at = [&](int i, int j) { return corner{static_cast<float>(x + i), static_cast<float>(y + j), 0}; };
      all.push_back({at(0, 0), at(1, 0), at(1, 1)});
      all.push_back({at(0, 0), at(1, 1), at(0, 1)});
    }
  }
  return all;
}

const std::string two_balls = R"([[wall]]
kind = "mesh"
file = "floor.stl"
scale = 0.01

[[body]]
position = [0.021, 0.019, 0.02]
radius = 0.006

[[body]]
position = [0.056, 0.054, 0.02]
radius = 0.006
)";

class cli_silo_mesh : public cli_silo {
 protected:
  /// The heights of the two balls after a while.
  std::vector<double> heights(const std::string& stl) {
    folder.write("floor.stl", stl);
    folder.write("a.toml", material + two_balls);
    good({"a.toml", "--out", "out", "--steps", "3000", "--force"});
    std::vector<double> all;
    for (const ball& b : balls("out")) all.push_back(b.z);
    EXPECT_EQ(all.size(), 2U);
    return all;
  }
  static bool everywhere(int, int) { return true; }
};

TEST_F(cli_silo_mesh, holds_balls_and_lets_them_through_its_holes) {
  const auto whole = heights(as_text(floor_of_triangles(everywhere)));
  EXPECT_NEAR(whole[0], 0.006, 1e-4);
  EXPECT_NEAR(whole[1], 0.006, 1e-4);
  // A hole of 1 cm does not let a ball of 1.2 cm through, one of 2 cm does.
  const auto small_hole = heights(as_text(floor_of_triangles([](int x, int y) { return x != 5 || y != 5; })));
  EXPECT_NEAR(small_hole[0], 0.006, 1e-4);
  EXPECT_GT(small_hole[1], 0.002);
  EXPECT_LT(small_hole[1], 0.0055);
  const auto large_hole =
      heights(as_text(floor_of_triangles([](int x, int y) { return x < 5 || x > 6 || y < 5 || y > 6; })));
  EXPECT_NEAR(large_hole[0], 0.006, 1e-4);
  EXPECT_LT(large_hole[1], -0.1);
}

TEST_F(cli_silo_mesh, holds_balls_however_its_triangles_are_turned) {
  facets turned = floor_of_triangles(everywhere);
  for (std::size_t k = 0; k < turned.size(); k += 3) std::swap(turned[k][0], turned[k][1]);
  const auto all = heights(as_text(turned));
  EXPECT_NEAR(all[0], 0.006, 1e-4);
  EXPECT_NEAR(all[1], 0.006, 1e-4);
}

TEST_F(cli_silo_mesh, may_be_text_or_binary_and_nothing_else) {
  const facets all = floor_of_triangles(everywhere);
  (void)heights(as_text(all));
  const std::string from_text = folder.read("out/state.npy");
  (void)heights(as_binary(all));
  EXPECT_TRUE(folder.read("out/state.npy") == from_text);
  const auto refused = [&](const std::string& stl, const std::string& why) {
    folder.write("floor.stl", stl);
    expect_refused(material + two_balls, "bad.toml:18:8: wall.0.file: floor.stl" + why);
  };
  const std::string binary = as_binary(all);
  refused(binary.substr(0, binary.size() - 1),
          ": is cut off or no STL file: its 128 triangles need 6484 bytes, and it has 6483");
  refused(as_text(all).substr(0, 300), ":25: the file ends, expected \"vertex\"");
  refused("\x7f" + std::string("ELF") + std::string(200, '\1'),
          ": is cut off or no STL file: its 16843009 triangles need 842150534 bytes, and it has 204");
  refused("solid nothing\nendsolid nothing\n", ": has no triangles");
}

}  // namespace
}  // namespace silo_test
