// Frames of a run: which steps, what is in them, the contacts' forces, equal files for equal runs.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include <gtest/gtest.h>

#include "files/read_polydata.hpp"
#include "run/frame_contacts.hpp"
#include "run/wall_outlines.hpp"
#include "run_program.hpp"

namespace {

using abut::cli::polydata;
using program::arguments;

/// Two discs that touch at the start, and one far away.
const std::string discs = R"(dimension = 2
law = "hooke"
steps = 10
time_step = 1e-3

[materials.rubber]
density = 1
[materials.steel]
density = 7

[interaction]
stiffness = 1e3

[[body]]
position = [5, 7]
radius = 0.25
material = "steel"

[[body]]
position = [0, 0]
radius = 0.5

[[body]]
position = [0.75, 0]
radius = 0.5
)";

class cli_frames : public ::testing::Test {
 protected:
  program::result ran(arguments args) {
    args.insert(args.begin(), "run");
    return program::run(folder, args);
  }
  void good(const arguments& args) {
    const auto result = ran(args);
    ASSERT_EQ(result.code, 0) << result.err;
  }
  [[nodiscard]] polydata vtp(const std::string& name) const {
    return abut::cli::read_polydata(name, folder.read(name));
  }
  /// All files of a run's folder, by their names.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& out) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path() / out)) {
      if (!entry.is_regular_file()) continue;
      const std::string name = std::filesystem::relative(entry.path(), folder.path() / out).string();
      all[name] = folder.read(out + "/" + name);
    }
    return all;
  }

  program::folder folder;
};

TEST_F(cli_frames, are_at_equal_distances_from_the_start_to_the_end) {
  folder.write("a.toml", discs + "[output]\nframes = 4\nframe_files = [\"vtp\", \"contacts\", \"dump\"]\n");
  good({"a.toml", "--out", "out"});
  // Steps 0, 2, 5, 7 and 10, each a thousandth.
  std::string wanted = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n  <Collection>\n";
  for (const char* line :
       {"0\" part=\"0\" file=\"frames/bodies-00000", "0.002\" part=\"0\" file=\"frames/bodies-00001",
        "0.005\" part=\"0\" file=\"frames/bodies-00002", "0.007\" part=\"0\" file=\"frames/bodies-00003",
        "0.01\" part=\"0\" file=\"frames/bodies-00004"}) {
    wanted += std::string("    <DataSet timestep=\"") + line + ".vtp\"/>\n";
  }
  EXPECT_EQ(folder.read("out/frames.pvd"), wanted + "  </Collection>\n</VTKFile>\n");
  std::size_t count = 0;
  for (const auto& [name, text] : files("out")) count += name.starts_with("frames/") ? 1 : 0;
  EXPECT_EQ(count, 15U);
  EXPECT_EQ(folder.read("out/frames/bodies-00002.dump").substr(0, 36), "ITEM: TIMESTEP\n5\nITEM: TIME\n0.005\nIT");
  EXPECT_EQ(folder.read("out/frames/bodies-00004.vtp"), folder.read("out/state.vtp"));
}

TEST_F(cli_frames, of_short_runs_are_as_many_as_there_are_steps) {
  folder.write("a.toml", discs + "[output]\nframes = 40\n");
  good({"a.toml", "--out", "few", "--steps", "3"});
  EXPECT_TRUE(files("few").contains("frames/bodies-00003.vtp"));
  EXPECT_FALSE(files("few").contains("frames/bodies-00004.vtp"));
  good({"a.toml", "--out", "none", "--steps", "0"});
  EXPECT_TRUE(files("none").contains("frames/bodies-00000.vtp"));
  EXPECT_FALSE(files("none").contains("frames/bodies-00001.vtp"));
}

TEST_F(cli_frames, hold_what_is_known_of_each_body) {
  folder.write("a.toml", discs + "[output]\nframes = 1\nframe_files = [\"vtp\", \"contacts\", \"dump\"]\n");
  good({"a.toml", "--out", "out"});
  const polydata bodies = vtp("out/frames/bodies-00000.vtp");
  EXPECT_EQ(bodies.find("Points")->numbers, (std::vector<double>{5, 7, 0, 0, 0, 0, 0.75, 0, 0}));
  EXPECT_EQ(bodies.find("radius")->numbers, (std::vector<double>{0.25, 0.5, 0.5}));
  EXPECT_EQ(bodies.find("coordination")->numbers, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(bodies.find("material")->numbers, (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(bodies.find("id")->numbers, (std::vector<double>{0, 1, 2}));
  // An overlap of a quarter at a stiffness of 1000.
  EXPECT_EQ(bodies.find("force")->numbers, (std::vector<double>{0, 0, 0, -250, 0, 0, 250, 0, 0}));
  const polydata contacts = vtp("out/frames/contacts-00000.vtp");
  EXPECT_EQ(contacts.find("Points")->numbers, (std::vector<double>{0, 0, 0, 0.75, 0, 0}));
  EXPECT_EQ(contacts.find("force")->numbers, (std::vector<double>{250}));
  EXPECT_EQ(contacts.find("overlap")->numbers, (std::vector<double>{0.25}));
  EXPECT_EQ(contacts.find("id_i")->numbers, (std::vector<double>{1}));
  EXPECT_EQ(contacts.find("id_j")->numbers, (std::vector<double>{2}));
  EXPECT_EQ(contacts.find("connectivity")->numbers, (std::vector<double>{0, 1}));
  EXPECT_EQ(contacts.find("offsets")->numbers, (std::vector<double>{2}));
  const std::string dump = folder.read("out/frames/bodies-00000.dump");
  EXPECT_NE(dump.find("BOX BOUNDS ff ff pp\n-0.5 5.25\n-0.5 7.25\n-0.5 0.5\n"), std::string::npos) << dump;
  EXPECT_NE(dump.find("\n3 1 0.75 0 0.5 0 0 0 0 0 0 250 0 0 1\n"), std::string::npos) << dump;
  EXPECT_EQ(program::run(folder, {"find", "out/frames/bodies-00000.dump", "--pairs", "pairs.csv"}).code, 0);
  EXPECT_EQ(folder.read("pairs.csv"), "i,j\n1,2\n");
}

TEST_F(cli_frames, are_the_same_for_every_method_and_number_of_threads) {
  const auto with = [&](const std::string& out, const arguments& more) {
    arguments args = {"elastic-gas",
                      "--steps",
                      "150",
                      "--set",
                      "bodies.0.count=300",
                      "--set",
                      "output.frames=3",
                      "--set",
                      R"(output.frame_files=["vtp", "contacts", "dump"])",
                      "--out",
                      out};
    args.insert(args.end(), more.begin(), more.end());
    good(args);
    return files(out);
  };
  const auto one = with("a", {"--threads", "1"});
  EXPECT_EQ(one.size(), 3 + 1 + 2 + 12U);  // series and states, walls, lists, frames
  EXPECT_EQ(one, with("b", {"--threads", "2"}));
  EXPECT_EQ(one, with("c", {"--threads", "2", "--method", "sweep-and-prune"}));
  EXPECT_NE(one, with("d", {"--threads", "1", "--set", "bodies.0.seed=2"}));
}

TEST_F(cli_frames, of_another_run_stay_unless_forced) {
  folder.write("a.toml", discs);
  good({"a.toml", "--out", "out", "--set", "output.frames=2"});
  std::filesystem::remove(folder.path() / "out/series.csv");
  std::filesystem::remove(folder.path() / "out/state.npy");
  std::filesystem::remove(folder.path() / "out/state.vtp");
  EXPECT_EQ(ran({"a.toml", "--out", "out"}).err,
            "--out out: out/frames.pvd is there already, from another run; name another folder, or add --force\n");
  folder.write("out/frames/mine.txt", "keep");
  good({"a.toml", "--out", "out", "--force"});
  EXPECT_FALSE(files("out").contains("frames.pvd"));
  EXPECT_FALSE(files("out").contains("frames/bodies-00000.vtp"));
  EXPECT_TRUE(files("out").contains("frames/mine.txt"));
}

TEST_F(cli_frames, need_words_that_are_known) {
  folder.write("a.toml", discs + "[output]\nframe_files = [\"vtk\"]\n");
  EXPECT_NE(ran({"a.toml"}).err.find("did you mean"), std::string::npos);
  folder.write("a.toml", discs + "[output]\nframes = 100001\n");
  EXPECT_EQ(ran({"a.toml"}).code, 2);
}

/// Elastic spheres in a periodic box, without walls and friction.
abut::dem::settings gas_settings() {
  abut::dem::settings s;
  s.materials = abut::dem::material_table({.stiffness = 1e3});
  s.materials.add({.name = "rubber", .density = 1});
  s.contact_law = abut::dem::named_law("hooke", s.materials);
  s.periodic = {abut::interval{0, 4}, abut::interval{0, 4}, abut::interval{0, 4}};
  return s;
}

TEST(frame_contacts, push_as_the_simulation_does) {
  const abut::dem::settings settings = gas_settings();
  std::vector<abut::dem::body> bodies;
  for (int k = 0; k < 64; ++k) {
    const double x = k % 4 + 0.1 * std::sin(k), y = k / 4 % 4 + 0.1 * std::cos(3 * k),
                 z = k / 16 + 0.1 * std::sin(7 * k);
    bodies.push_back({.position = {x, y, z}, .velocity = {std::sin(5 * k), std::cos(k), 0}, .radius = 0.5 + 0.001 * k});
  }
  abut::dem::simulation run(settings, bodies);
  run.run(50);
  const abut::dem::state& now = run.bodies();
  const auto found = abut::cli::contacts_of(now, settings);
  ASSERT_GT(found.all.size(), 64U);
  std::vector<abut::dem::vec> sum(bodies.size());
  double largest = 0;
  for (const auto& c : found.all) {
    EXPECT_LT(c.first, c.second);
    const double distance = length(c.to - c.from);
    EXPECT_NEAR(distance + c.overlap, now.radius[run.row_of(c.first)] + now.radius[run.row_of(c.second)], 1e-12);
    const abut::dem::vec push = (c.to - c.from) * (c.force / distance);
    sum[c.first] -= push;
    sum[c.second] += push;
    largest = std::max(largest, c.force);
  }
  EXPECT_GT(largest, 1);
  for (std::uint32_t id = 0; id < bodies.size(); ++id) {
    EXPECT_NEAR(length(sum[id] - now.force[run.row_of(id)]), 0, 1e-9 * largest) << id;
  }
}

TEST(frame_contacts, leave_out_clumps_and_what_nothing_can_push) {
  abut::dem::settings settings = gas_settings();
  settings.periodic = {};
  const auto fixed = abut::dem::motion::fixed;
  const std::vector<abut::dem::body> bodies = {{.position = {0, 0, 0}, .radius = 0.5, .clump = 7},
                                               {.position = {0.8, 0, 0}, .radius = 0.5, .clump = 7},
                                               {.position = {5, 0, 0}, .radius = 0.5, .moves = fixed},
                                               {.position = {5.9, 0, 0}, .radius = 0.5, .moves = fixed},
                                               {.position = {5.9, 0.95, 0}, .radius = 0.5},
                                               {.position = {0, 0.95, 0}, .radius = 0.5}};
  const abut::dem::simulation run(settings, bodies);
  const auto found = abut::cli::contacts_of(run.bodies(), settings);
  EXPECT_EQ(found.coordination, (std::vector<std::uint32_t>{1, 0, 0, 1, 1, 1}));
  ASSERT_EQ(found.all.size(), 2U);
  EXPECT_EQ(found.all[0].second, 5U);
  EXPECT_NEAR(found.all[1].force, 1e3 * 0.05, 1e-9);
}

TEST(wall_outlines, of_a_box_are_its_twelve_edges) {
  abut::cli::scene what;
  what.bodies.push_back({.position = {1, 1, 1}, .radius = 0.1});
  what.settings.walls = abut::dem::box_walls({0, 0, 0}, {2, 3, 4});
  EXPECT_EQ(abut::cli::outlines_of(what).size(), 12U);
  double total = 0;
  for (const auto& line : abut::cli::outlines_of(what)) total += length(line[1] - line[0]);
  EXPECT_NEAR(total, 4 * (2 + 3 + 4), 1e-6);
  what.settings.walls[5].velocity = {0, 0, -1};  // a lid that moves
  for (const auto& line : abut::cli::outlines_of(what)) EXPECT_LE(std::max(line[0].z, line[1].z), 1.2);
  what.settings.dimension = 2;
  what.bodies.front().position.z = 0;
  what.settings.walls = abut::dem::box_walls({0, 0, 0}, {2, 3, 0}, 0, 2);
  EXPECT_EQ(abut::cli::outlines_of(what).size(), 4U);
  what.settings.walls.clear();
  EXPECT_TRUE(abut::cli::outlines_of(what).empty());
}

TEST(read_polydata, refuses_what_is_cut_short_or_foreign) {
  const std::string start =
      "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
      "<DataArray type=\"Float64\" Name=\"radius\" NumberOfComponents=\"1\" format=\"appended\" offset=\"0\"/>"
      "<AppendedData encoding=\"raw\">_";
  const std::string length("\x08\0\0\0\0\0\0\0", 8), number("\0\0\0\0\0\0\xf0\x3f", 8);
  EXPECT_EQ(abut::cli::read_polydata("a", start + length + number).find("radius")->numbers, std::vector<double>{1});
  for (const std::string& wrong :
       {std::string(), std::string("x"), start, start + length, start + length + number.substr(1), start.substr(0, 40),
        start + std::string(16, '\xff')}) {
    EXPECT_THROW((void)abut::cli::read_polydata("a", wrong), abut::error);
  }
}

}  // namespace
