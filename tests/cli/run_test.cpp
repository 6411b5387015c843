// The verb `run`: scenes, what it writes, read back, and what it refuses.

#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"
#include "scene/keys.hpp"
#include "scene/scene.hpp"

namespace run_test {
namespace {

using program::arguments;
using program::run;

/// Two discs that collide, in 17 lines; tests replace some of them.
const std::string two_discs = R"(dimension = 2
law = "hooke"
steps = 60
time_step = 1e-3

[materials.rubber]
density = 1

[interaction]
stiffness = 1e3
restitution = 0.5

[[body]]
position = [0, 0]
velocity = [1, 0]
radius = 0.5

[[body]]
position = [1.01, 0]
radius = 0.5
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no " + what);
  return text.replace(at, what.size(), by);
}

class cli_run : public ::testing::Test {
 protected:
  program::result ran(arguments args) {
    args.insert(args.begin(), "run");
    return run(folder, args);
  }
  std::string good(arguments args) {
    const auto result = ran(std::move(args));
    EXPECT_EQ(result.code, 0) << result.err;
    // If the machine is slow, a line for each tenth of the steps.
    const std::string said = program::without_warnings(result.err);
    EXPECT_TRUE(said.empty() || said.starts_with("step ")) << result.err;
    return result.out;
  }
  /// The scene is refused with this line.
  void expect_error(const std::string& scene, const std::string& line, arguments more = {}) {
    folder.write("a.toml", scene);
    more.insert(more.begin(), "a.toml");
    const auto result = ran(more);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_EQ(result.err, line + "\n");
  }
  void expect_error_with(const std::string& line, const std::string& replacement, const std::string& message) {
    expect_error(replaced(two_discs, line, replacement), message);
  }
  /// The rows of a series, without the header.
  [[nodiscard]] std::vector<std::vector<double>> series(const std::string& file) const {
    std::istringstream lines(folder.read(file));
    std::string line;
    std::getline(lines, line);
    std::vector<std::vector<double>> rows;
    while (std::getline(lines, line)) {
      rows.emplace_back();
      std::istringstream parts(line);
      for (std::string part; std::getline(parts, part, ',');) rows.back().push_back(std::stod(part));
    }
    return rows;
  }
  /// The files of a folder's run, one after the other.
  [[nodiscard]] std::string files(const std::string& out) const {
    return folder.read(out + "/series.csv") + folder.read(out + "/state.npy") + folder.read(out + "/state.vtp");
  }

  program::folder folder;
};

/// The columns of a series.
enum column { step, time_of, bodies, contacts, kinetic, elastic, gravity, potential, dissipated, work };

TEST_F(cli_run, knows_scenes_that_check_and_run) {
  const std::string list = good({"--list"});
  for (const std::string name : {"collisions", "compaction", "discs", "discs-sizes", "drum", "elastic-gas", "heap",
                                 "hourglass", "mixer", "settling-bed", "silo", "silo-fill", "silo-small"}) {
    EXPECT_NE(("\n" + list).find("\n" + name + " "), std::string::npos) << name;
    const std::string checked = good({name, "--check", "--threads", "1"});
    for (const char* word : {"bodies", "materials", "law", "step", "takes", "memory"}) {
      EXPECT_NE(checked.find(std::string("\n") + word), std::string::npos) << name << ": " << word;
    }
    const std::string done = good({name, "--steps", "30", "--threads", "1"});
    EXPECT_NE(done.find(": 30 steps of "), std::string::npos) << done;
    EXPECT_NE(done.find("\nnext "), std::string::npos);
    EXPECT_TRUE(folder.names().empty()) << "without --out nothing is written";
  }
}

TEST_F(cli_run, prints_a_scene_that_runs_as_the_original) {
  folder.write("mine.toml", good({"discs", "--print"}));
  good({"discs", "--steps", "40", "--out", "a"});
  good({"mine.toml", "--steps", "40", "--out", "b"});
  EXPECT_EQ(files("a"), files("b"));
}

TEST_F(cli_run, glass_and_limestone_collide_as_hertz_says) {
  good({"collisions", "--out", "a"});
  double deepest = 0;
  for (const auto& row : series("a/series.csv")) deepest = std::max(deepest, row.back());
  EXPECT_NEAR(deepest, 368.3e-6, 0.005 * 368.3e-6);
}

TEST_F(cli_run, the_bed_comes_to_rest_and_its_energies_add_up) {
  // A small and soft one, to save time.
  good({"settling-bed", "--threads", "1", "--out", "a", "--set", "bodies.0.max=[0.07, 0.07, 0.12]", "--set",
        "wall.0.max=[0.07, 0.07, 1]", "--set", "interaction.stiffness=1e3", "--set", "output.every=100", "--set",
        "time=0.4"});
  const auto rows = series("a/series.csv");
  ASSERT_GT(rows.size(), 50U);
  double most = 0;
  const auto sum = [](const std::vector<double>& r) { return r[kinetic] + r[potential] + r[dissipated] - r[work]; };
  for (const auto& row : rows) {
    most = std::max(most, row[kinetic]);
    EXPECT_EQ(row[potential], row[elastic] + row[gravity]);
  }
  EXPECT_LT(rows.back()[kinetic], 1e-2 * most);
  EXPECT_GT(rows.back()[contacts], rows.back()[bodies]);
  for (const auto& row : rows) EXPECT_NEAR(sum(row), sum(rows.front()), 2e-2 * most) << "step " << row[step];
}

TEST_F(cli_run, writes_the_same_files_for_every_method_and_number_of_threads) {
  const arguments common = {"elastic-gas", "--steps", "150", "--set", "bodies.0.count=300", "--set", "output.every=50"};
  const auto with = [&](const std::string& out, arguments more) {
    arguments args = common;
    args.insert(args.end(), more.begin(), more.end());
    args.insert(args.end(), {"--out", out});
    good(args);
    return files(out);
  };
  const std::string one = with("a", {"--threads", "1"});
  EXPECT_EQ(one, with("b", {"--threads", "2"}));
  EXPECT_EQ(one, with("c", {"--threads", "2", "--method", "sweep-and-prune"}));
  EXPECT_EQ(one, with("d", {"--threads", "1", "--set", "search=each-step", "--set", "skin=0.05"}));
  EXPECT_NE(one, with("e", {"--threads", "1", "--set", "bodies.0.seed=2"}));
}

TEST_F(cli_run, its_state_is_read_by_find_and_by_another_scene) {
  folder.write("a.toml", two_discs);
  good({"a.toml", "--out", "out", "--steps", "20"});
  const auto found = run(folder, {"find", "out/state.npy", "--ids", "--pairs", "pairs.csv"});
  EXPECT_EQ(found.code, 0) << found.err;
  const auto rows = series("out/series.csv");
  EXPECT_EQ(rows.back()[contacts], 1);
  EXPECT_EQ(folder.read("pairs.csv"), "id_i,id_j\n0,1\n");
  // The state as the start of another run.
  const std::size_t singles = two_discs.find("[[body]]");
  folder.write("b.toml", two_discs.substr(0, singles) + "[[bodies]]\nfile = \"out/state.npy\"\n");
  good({"b.toml", "--out", "next", "--steps", "0"});
  const std::string a = folder.read("out/state.npy"), b = folder.read("next/state.npy");
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.substr(0, 128), b.substr(0, 128));
  double x = 0, y = 0;
  std::memcpy(&x, a.data() + a.size() - 2 * 11 * 8, 8);  // 11 columns of 8 bytes
  std::memcpy(&y, b.data() + b.size() - 2 * 11 * 8, 8);
  EXPECT_EQ(x, y);
  EXPECT_NEAR(x, 0.02, 0.002);
}

TEST_F(cli_run, its_vtp_has_a_vertex_for_each_body) {
  folder.write("a.toml", two_discs);
  good({"a.toml", "--out", "out"});
  const std::string vtp = folder.read("out/state.vtp");
  EXPECT_NE(vtp.find("NumberOfPoints=\"2\" NumberOfVerts=\"2\" NumberOfLines=\"0\""), std::string::npos);
  for (const char* name :
       {"radius", "mass", "velocity", "spin", "force", "id", "material", "coordination", "connectivity", "offsets"}) {
    EXPECT_NE(vtp.find(std::string("Name=\"") + name + "\""), std::string::npos) << name;
  }
}

TEST_F(cli_run, writes_only_the_states_that_the_scene_asks_for) {
  folder.write("a.toml", two_discs + "[output]\nevery = 7\nstates = [\"vtp\"]\n");
  good({"a.toml", "--out", "out"});
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/state.vtp"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/state.npy"));
  const auto rows = series("out/series.csv");
  ASSERT_EQ(rows.size(), 10U);  // 0, 7, ..., 56, and the end
  EXPECT_EQ(rows[1][step], 7);
  EXPECT_EQ(rows.back()[step], 60);
}

TEST_F(cli_run, leaves_the_files_of_another_run_alone_unless_forced) {
  folder.write("a.toml", two_discs);
  good({"a.toml", "--out", "out"});
  const std::string before = files("out");
  const auto refused = ran({"a.toml", "--out", "out", "--steps", "5"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "--out out: out/series.csv is there already, from another run; name another folder, or add --force\n");
  EXPECT_EQ(files("out"), before);
  good({"a.toml", "--out", "out", "--steps", "5", "--force"});
  EXPECT_NE(files("out"), before);
  EXPECT_EQ(ran({"a.toml", "--out", "no/such"}).err, "--out no/such: there is no folder \"no\"; make it first\n");
}

TEST_F(cli_run, writes_the_last_good_state_if_it_cannot_go_on) {
  // The driven disc gets faster and faster.
  folder.write("a.toml", replaced(two_discs, "radius = 0.5", "radius = 0.5\nname = \"pusher\"") +
                             "[[drive]]\nof = [\"pusher\"]\ntable = [[0.03, 0, 0], [0.05, 0, 100000]]\n");
  const auto result = ran({"a.toml", "--out", "out"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("in one step"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("; the state after step "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" is in out/state.npy, out/state.vtp\n"), std::string::npos) << result.err;
  EXPECT_EQ(run(folder, {"find", "out/state.npy"}).code, 0);
  EXPECT_NE(ran({"a.toml"}).err.find("; nothing was written (--out DIR writes the last good state)"),
            std::string::npos);
  EXPECT_NE(ran({"a.toml", "--out", "none", "--set", "output.states=[]"}).err.find("; by output.states, no state was"),
            std::string::npos);
}

TEST_F(cli_run, writes_the_state_on_an_interrupt) {
  program::running long_run(folder, {"run", "elastic-gas", "--steps", "100000000", "--threads", "1", "--out", "out"});
  while (!long_run.ended() && !std::filesystem::exists(folder.path() / "out/series.csv")) ::usleep(20'000);
  ::usleep(500'000);
  long_run.signal(SIGINT);
  EXPECT_EQ(long_run.wait(), 130) << long_run.err();
  EXPECT_NE(long_run.out().find("; stopped by"), std::string::npos) << long_run.out();
  EXPECT_EQ(run(folder, {"find", "out/state.npy"}).code, 0);
}

TEST_F(cli_run, takes_changes_by_set) {
  folder.write("a.toml", two_discs);
  good({"a.toml", "--out", "a", "--set", "body.1.position=[1.5, 0]", "--set", "steps=10"});
  const auto rows = series("a/series.csv");
  EXPECT_EQ(rows.back()[step], 10);
  EXPECT_EQ(rows.back()[contacts], 0);
  EXPECT_NE(good({"a.toml", "--set", "law=linear", "--check"}).find("linear: "), std::string::npos);
  EXPECT_NE(good({"a.toml", "--set", "law=\"linear\"", "--check"}).find("linear: "), std::string::npos);
  EXPECT_NE(good({"a.toml", "--set", "materials.steel.density=7800", "--check"}).find("steel (density 7800)"),
            std::string::npos);
  expect_error(two_discs, "--set steps: write it as key=value, such as --set bodies.0.count=500", {"--set", "steps"});
  expect_error(two_discs, "--set body.2.radius=1: body is an array, and has no element \"2\": 0 to 1",
               {"--set", "body.2.radius=1"});
  expect_error(two_discs, "--set body.0.raduis=1: unknown key \"raduis\" in body.0, did you mean \"radius\"?",
               {"--set", "body.0.raduis=1"});
  expect_error(two_discs, "--set law.name=1: law is \"hooke\" and has nothing inside", {"--set", "law.name=1"});
  expect_error(two_discs, "--set body.0.radius=-1: body.0.radius is -1; it must be above 0",
               {"--set", "body.0.radius=-1"});
  const auto bad = ran({"a.toml", "--set", "gravity=[1,"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.err.find("--set gravity=[1,: \"[1,\" is not TOML: "), 0U) << bad.err;
}

TEST_F(cli_run, names_the_place_of_what_is_wrong) {
  expect_error_with("steps = 60", "stepz = 60", "a.toml:3:1: unknown key \"stepz\", did you mean \"steps\"?");
  expect_error_with("density = 1", "densty = 1",
                    "a.toml:7:1: unknown key \"densty\" in materials.rubber, did you mean \"density\"?");
  expect_error_with("dimension = 2", "dimension = 4",
                    "a.toml:1:13: dimension is 4; it must be a whole number from 2 to 3");
  expect_error_with("dimension = 2", "dimension = \"2\"",
                    "a.toml:1:13: dimension is \"2\"; it must be a whole number, at least 0");
  expect_error_with("law = \"hooke\"", "law = \"hook\"", "a.toml:2:7: law is \"hook\", did you mean \"hooke\"?");
  expect_error_with("law = \"hooke\"\n", "",
                    "a.toml: the scene has no law; the laws are linear, kelvin-voigt, hooke, "
                    "hertz-mindlin");
  expect_error_with("steps = 60\n", "", "a.toml: the scene has no time and no steps; add one, such as time = 1.0");
  expect_error_with("steps = 60", "steps = 60\ntime = 1",
                    "a.toml:3:9: steps and time are both given; give one (--steps wins over both)");
  expect_error_with(
      "[[body]]", "[body]",
      "a.toml:18:1: Error while parsing table header: cannot redefine existing table 'body' as array-of-tables");
  expect_error_with("position = [0, 0]", "position = [0, 0, 0]",
                    "a.toml:14:12: body.0.position is an array of 3; it must have 2 numbers, one for each axis");
  expect_error_with(
      "position = [0, 0]", "position = [0, nan]",
      "a.toml:14:12: body.0.position is an array of 2; it must be an array of finite numbers, such as [0, "
      "0, 1]");
  expect_error_with("position = [0, 0]\n", "",
                    "a.toml:13:1: body.0 has no position; add one, such as position = [0, 0, 0]");
  expect_error_with("radius = 0.5", "radius = 0.5\nmaterial = \"ruber\"",
                    "a.toml:17:12: body.0.material is \"ruber\", did you mean \"rubber\"?");
  expect_error_with("restitution = 0.5", "restitution = 1.5",
                    "a.toml:9:1: interaction: the restitution is 1.5: it must be above 0 and at most 1");
  expect_error_with("time_step = 1e-3", "time_step = 1e-3\nmethod = \"gird\"",
                    "a.toml:5:10: method: unknown method \"gird\", did you mean \"grid\"?");
}

TEST_F(cli_run, refuses_what_has_no_meaning) {
  const std::string start = two_discs.substr(0, two_discs.find("[[body]]"));
  expect_error(start,
               "a.toml: the scene has no bodies; add one, such as [[bodies]] with generate = \"fill\", or [[body]]");
  expect_error(start + "[[bodies]]\ngenerate = \"latice\"\ncount = 3\n",
               "a.toml:14:12: bodies.0.generate is \"latice\", did you mean \"lattice\"?");
  expect_error(start + "[[bodies]]\ngenerate = \"lattice\"\ncount = 3\nfraction = 0.2\n",
               "a.toml:16:12: bodies.0.fraction has no meaning for lattice, whose keys are count, seed, diameter, "
               "spacing, jitter, shuffle");
  expect_error(start + "[[bodies]]\ncount = 3\n",
               "a.toml:13:1: bodies.0 needs generate or file; for a single body write [[body]]");
  expect_error(start + "[[bodies]]\ngenerate = \"fill\"\nmin = [0, 0]\nmax = [3, 3]\ncount = 10\n",
               "a.toml:17:9: bodies.0.count is 10, and only 9 fit between min and max");
  expect_error(two_discs + "[[wall]]\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 0]\n",
               "a.toml:21:1: wall.0: the normal of a plane has no direction");
  expect_error(two_discs + "[[wall]]\nkind = \"box\"\nmin = [0, 0]\nmax = [1, 1]\nopen = [\"+z\"]\n",
               "a.toml:25:9: wall.0.open.0 is \"+z\", did you mean \"+x\"?");
  expect_error(two_discs + "[[drive]]\nof = [\"lid\"]\n",
               "a.toml:22:7: drive.0.of.0 is \"lid\", and no wall and no bodies have a name; add name = \"lid\"");
  expect_error(replaced(two_discs, "radius = 0.5", "radius = 0.5\nname = \"lid\"\nmoves = \"fixed\"") +
                   "[[drive]]\nof = [\"lid\"]\n",
               "a.toml:24:7: drive.0.of.0 is \"lid\", whose bodies are all fixed");
  expect_error(two_discs + "[periodic]\nz = [0, 1]\n", "a.toml:22:5: periodic.z repeats along z, and the scene is 2D");
  expect_error(two_discs + "[[interaction.between]]\nmaterials = [\"rubber\", \"glass\"]\n",
               "a.toml:22:24: interaction.between.0.materials.1 is \"glass\"; it must be one of rubber");
}

TEST_F(cli_run, names_the_scene_that_was_meant) {
  EXPECT_EQ(ran({"settling-bad"}).err, "unknown scene \"settling-bad\", did you mean settling-bed?\n");
  EXPECT_EQ(ran({}).err, "no scene; name a .toml file or one of abut run --list, such as settling-bed\n");
  EXPECT_EQ(ran({"discs", "--steps", "few"}).err,
            "--steps is \"few\"; it must be a whole number from 0 to 1000000000000000\n");
  EXPECT_EQ(ran({"no.toml"}).code, 2);
}

/// Everything at once: clumps, a driven wall, periodic and 2D, gravity, generators, a file, single bodies, pairs of
/// materials.
const std::string everything = R"(title = "everything"
dimension = 2
law = "hooke"
gravity = [0, -10]
time = 0.2

[periodic]
x = [0, 12]

[materials.grain]
density = 2
[materials.steel]
density = 8

[interaction]
stiffness = 1e4
restitution = 0.3
friction = 0.4
[[interaction.between]]
materials = ["grain", "steel"]
friction = 0.1
viscosity = 5

[[wall]]
kind = "plane"
name = "floor"
point = [0, 0]
normal = [0, 1]
material = "steel"

[[bodies]]
generate = "fill"
min = [0, 0.2]
max = [12, 6]
diameter = 1
spacing = 1.1
clump = [[-0.4, 0, 0.6], [0.4, 0, 0.6]]
turned = true
random_velocity = 0.5

[[bodies]]
file = "more.csv"
material = "steel"
at = [0, 7]

[[body]]
name = "ram"
position = [6, 10]
radius = 1
material = "steel"

[[drive]]
of = ["floor"]
amplitude = [0, 0.05]
frequency = 10

[[drive]]
of = ["ram"]
table = [[0, 0, 0], [0.1, 0, -10]]
from = 0.02
)";

TEST_F(cli_run, combines_clumps_drives_and_periodic_space) {
  folder.write("a.toml", everything);
  folder.write("more.csv", "x,y,r\n1,0.5,0.5\n3,0.5,0.4\n");
  const std::string said = good({"a.toml", "--out", "a", "--threads", "1"});
  EXPECT_NE(said.find("in clumps"), std::string::npos) << said;
  EXPECT_NE(said.find("1 of them driven"), std::string::npos) << said;
  EXPECT_NE(said.find("put in by drives and walls"), std::string::npos) << said;
  good({"a.toml", "--out", "b", "--threads", "2", "--method", "dess"});
  EXPECT_EQ(files("a"), files("b"));
  EXPECT_NE(folder.read("a/state.npy").find("('clump', "), std::string::npos);
  EXPECT_NE(folder.read("a/state.vtp").find("Name=\"clump\""), std::string::npos);
  const auto rows = series("a/series.csv");
  double scale = 0;
  for (const auto& row : rows) scale = std::max({scale, row[kinetic], std::abs(row[work])});
  const auto sum = [](const std::vector<double>& r) { return r[kinetic] + r[potential] + r[dissipated] - r[work]; };
  for (const auto& row : rows) EXPECT_NEAR(sum(row), sum(rows.front()), 2e-2 * scale) << "step " << row[step];
}

/// The keys of docs/scenes.md, by its headings and tables.
std::set<std::string> documented_keys() {
  std::ifstream page(ABUT_DOCS "/scenes.md");
  EXPECT_TRUE(page) << ABUT_DOCS;
  std::set<std::string> keys;
  std::string start, line;
  while (std::getline(page, line)) {
    if (line.starts_with("## ") || line.starts_with("### ")) {
      start.clear();
      const std::size_t from = line.find("`["), to = line.find("]`");
      if (from == std::string::npos || to == std::string::npos) continue;
      start = line.substr(from + 2, to - from - 2);
      const bool several = start.starts_with("[");
      if (several) start = start.substr(1, start.size() - 2);
      start += several ? "[]." : ".";
      if (const std::size_t at = start.find("NAME"); at != std::string::npos) start.replace(at, 4, "<name>");
    }
    if (line.starts_with("| `")) keys.insert(start + line.substr(3, line.find('`', 3) - 3));
  }
  return keys;
}

TEST(scene_keys, are_those_of_the_documentation) {
  std::set<std::string> known;
  for (const abut::cli::scene_key& key : abut::cli::scene_keys()) known.emplace(key.path);
  EXPECT_EQ(known.size(), abut::cli::scene_keys().size()) << "a key is there twice";
  EXPECT_EQ(known, documented_keys());
}

}  // namespace
}  // namespace run_test
