// Frames of a run: which steps, what is in them, the contacts' forces, equal files for equal runs.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "files/read_polydata.hpp"
#include "run/frame_contacts.hpp"
#include "run/wall_outlines.hpp"
#include "run_program.hpp"

namespace frames_test {
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
  good({"a.toml", "--out", "more", "--set", R"(output.frame_columns=["torque", "orientation"])"});
  EXPECT_EQ(folder.read("more/frames/bodies-00004.vtp"), folder.read("out/state.vtp"));
}

TEST_F(cli_frames, have_torques_and_orientations_if_they_are_asked_for) {
  // A spinning ball that touches another one, with friction.
  folder.write("a.toml", R"(law = "hooke"
steps = 1000
time_step = 1e-3
materials.rubber.density = 1
interaction = { stiffness = 1e3, friction = 0.5 }
[[body]]
position = [0, 0, 0]
radius = 0.5
spin = [0, 0, 3]
[[body]]
position = [0.95, 0, 0]
radius = 0.5
moves = "fixed"
[output]
frames = 100
frame_files = ["vtp", "dump"]
)");
  const std::string both = R"(output.frame_columns=["torque", "orientation"])";
  good({"a.toml", "--out", "out", "--set", both});
  const polydata early = vtp("out/frames/bodies-00001.vtp"), end = vtp("out/state.vtp");
  ASSERT_NE(early.find("torque"), nullptr);
  EXPECT_EQ(early.find("torque")->components, 3U);
  EXPECT_LT(early.find("torque")->numbers[2], 0);
  ASSERT_NE(end.find("orientation"), nullptr);
  EXPECT_EQ(end.find("orientation")->components, 4U);
  const std::vector<double>& q = end.find("orientation")->numbers;
  ASSERT_EQ(q.size(), 8U);
  EXPECT_NEAR(q[0] * q[0] + q[3] * q[3], 1, 1e-12);
  EXPECT_GT(q[3], 0.1);
  EXPECT_EQ((std::vector<double>{q[4], q[5], q[6], q[7]}), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_NE(folder.read("out/frames/bodies-00100.dump").find(" coordination tqx tqy tqz quatw quati quatj quatk\n"),
            std::string::npos);
  EXPECT_EQ(program::run(folder, {"find", "out/frames/bodies-00100.dump"}).code, 0);
  good({"a.toml", "--out", "plain"});
  EXPECT_EQ(vtp("plain/frames/bodies-00001.vtp").find("torque"), nullptr);
  EXPECT_EQ(vtp("plain/frames/bodies-00001.vtp").find("orientation"), nullptr);
  EXPECT_EQ(ran({"a.toml", "--out", "b", "--set", "output.frame_columns=[\"torqe\"]"}).err,
            "--set output.frame_columns=[\"torqe\"]: output.frame_columns.0 is \"torqe\", did you mean \"torque\"?\n");
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
  EXPECT_EQ(contacts.find("normal_force")->numbers, (std::vector<double>{250}));
  EXPECT_EQ(contacts.find("tangential_force")->numbers, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(contacts.find("wall")->numbers, (std::vector<double>{-1}));
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
  EXPECT_EQ(one.size(), 3 + 1 + 1 + 2 + 12U);  // series and states, walls, a checkpoint, lists, frames
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
  EXPECT_EQ(program::without_warnings(ran({"a.toml", "--out", "out"}).err),
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

/// The sums of all contacts' forces on each body, by id.
std::vector<abut::dem::vec> sums_of(const std::vector<abut::dem::contact_report>& all, std::size_t bodies) {
  std::vector<abut::dem::vec> sum(bodies);
  for (const auto& c : all) {
    const abut::dem::vec along = (c.to - c.from) * (1 / length(c.to - c.from));
    const abut::dem::vec force = along * c.normal_force + c.tangential_force;
    EXPECT_NEAR(dot(along, c.tangential_force), 0, 1e-9 * length(force));
    sum[c.first] -= force;
    if (!c.wall) sum[c.second] += force;
  }
  return sum;
}

std::vector<abut::dem::body> uneven_lattice(double spacing) {
  std::vector<abut::dem::body> bodies;
  for (int k = 0; k < 64; ++k) {
    const double x = k % 4 + 0.1 * std::sin(k), y = k / 4 % 4 + 0.1 * std::cos(3 * k),
                 z = k / 16 + 0.1 * std::sin(7 * k);
    bodies.push_back({.position = abut::dem::vec{x, y, z} * spacing,
                      .velocity = {std::sin(5 * k), std::cos(k), 0},
                      .spin = {0, std::sin(k), std::cos(2 * k)},
                      .radius = 0.5 + 0.001 * k});
  }
  return bodies;
}

TEST(frame_contacts, push_as_the_simulation_does) {
  const abut::dem::settings settings = gas_settings();
  abut::dem::simulation run(settings, uneven_lattice(1));
  run.run(50);
  const abut::dem::state& now = run.bodies();
  const auto all = abut::cli::contacts_of(run);
  ASSERT_GT(all.size(), 64U);
  std::vector<std::uint32_t> counts(now.size());
  for (const auto& c : all) {
    EXPECT_LT(c.first, c.second);
    EXPECT_EQ(c.from, now.position[run.row_of(c.first)]);
    EXPECT_NEAR(length(c.to - c.from) + c.overlap, now.radius[run.row_of(c.first)] + now.radius[run.row_of(c.second)],
                1e-12);
    ++counts[run.row_of(c.first)];
    ++counts[run.row_of(c.second)];
  }
  EXPECT_EQ(abut::cli::coordination_of(now, settings), counts);
  const auto sum = sums_of(all, now.size());
  double largest = 0;
  for (const auto& c : all) largest = std::max(largest, c.normal_force);
  EXPECT_GT(largest, 1);
  for (std::uint32_t id = 0; id < now.size(); ++id) {
    EXPECT_NEAR(length(sum[id] - now.force[run.row_of(id)]), 0, 1e-9 * largest) << id;
  }
}

TEST(frame_contacts, have_tangential_forces_and_walls) {
  abut::dem::settings settings = gas_settings();
  settings.materials = abut::dem::material_table({.stiffness = 1e3, .friction = 0.5});
  settings.materials.add({.name = "rubber", .density = 1});
  settings.contact_law = abut::dem::named_law("hooke", settings.materials);
  settings.periodic = {};
  settings.gravity = {0, 0, -1};
  settings.walls = abut::dem::box_walls({-0.5, -0.5, -0.5}, {3.6, 3.6, 3.6});
  settings.walls.push_back(abut::dem::disc({1.5, 1.5, -0.3}, {0, 0, 1}, 1));
  abut::dem::simulation run(settings, uneven_lattice(1));
  run.run(50);
  const abut::dem::state& now = run.bodies();
  const auto all = abut::cli::contacts_of(run);
  const auto sum = sums_of(all, now.size());
  std::vector<abut::dem::vec> on_wall(settings.walls.size());
  double sliding = 0;
  for (const auto& c : all) {
    sliding = std::max(sliding, length(c.tangential_force));
    if (!c.wall) continue;
    on_wall[*c.wall] += (c.to - c.from) * (c.normal_force / length(c.to - c.from)) + c.tangential_force;
  }
  EXPECT_GT(sliding, 1);
  for (std::uint32_t id = 0; id < now.size(); ++id) {
    const abut::row i = run.row_of(id);
    EXPECT_NEAR(length(sum[id] + settings.gravity * now.mass[i] - now.force[i]), 0, 1e-9) << id;
  }
  for (std::size_t w = 0; w < on_wall.size(); ++w) {
    EXPECT_GT(length(on_wall[w]), 0.1) << w;
    EXPECT_NEAR(length(on_wall[w] - run.wall_loads()[w].force), 0, 1e-9) << w;
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
  const std::vector<std::uint32_t> counts = abut::cli::coordination_of(run.bodies(), settings);
  std::vector<std::uint32_t> by_id;
  for (std::uint32_t id = 0; id < bodies.size(); ++id) by_id.push_back(counts[run.row_of(id)]);
  EXPECT_EQ(by_id, (std::vector<std::uint32_t>{1, 0, 0, 1, 1, 1}));
  const auto all = abut::cli::contacts_of(run);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].second, 5U);
  EXPECT_NEAR(all[1].normal_force, 1e3 * 0.05, 1e-9);
}

TEST_F(cli_frames, have_the_outlines_of_walls_that_move) {
  folder.write("a.toml", discs +
                             "[[wall]]\nkind = \"segment\"\nfrom = [-1, 3]\nto = [1, 3]\nvelocity = [0, 10]\n"
                             "[[wall]]\nkind = \"plane\"\npoint = [0, -2]\nnormal = [0, 1]\n"
                             "[output]\nframes = 2\n");
  good({"a.toml", "--out", "out"});
  const auto heights = [&](const std::string& name) {
    std::vector<double> all;
    const std::vector<double> numbers = vtp(name).find("Points")->numbers;
    for (std::size_t k = 1; k < numbers.size(); k += 3) all.push_back(numbers[k]);
    return all;
  };
  EXPECT_EQ(heights("out/frames/walls-00000.vtp"), (std::vector<double>{-2, -2, 3, 3}));
  EXPECT_NEAR(heights("out/frames/walls-00002.vtp").back(), 3.1, 1e-12);
  EXPECT_EQ(heights("out/walls.vtp"), heights("out/frames/walls-00002.vtp"));
  EXPECT_NE(folder.read("out/walls.pvd").find("frames/walls-00002.vtp"), std::string::npos);
  good({"a.toml", "--out", "still", "--set", "wall.0.velocity=[0, 0]"});
  EXPECT_FALSE(files("still").contains("walls.pvd"));
}

TEST_F(cli_frames, name_the_walls_of_outlines) {
  folder.write("a.toml",
               discs +
                   "[[wall]]\nkind = \"segment\"\nname = \"a \\\"bar\\\", <x>\"\nfrom = [-1, 9]\nto = [1, 9]\n"
                   "[[wall]]\nkind = \"plane\"\npoint = [0, -2]\nnormal = [0, 1]\n"
                   "[[wall]]\nkind = \"segment\"\nname = \"c\"\nfrom = [-1, 10]\nto = [1, 10]\nopens_at = 0\n");
  good({"a.toml", "--out", "out"});
  EXPECT_EQ(vtp("out/walls.vtp").find("wall")->numbers, (std::vector<double>{1, 0}));  // planes first
  const std::string text = folder.read("out/walls.vtp");
  EXPECT_NE(text.find("<Array type=\"String\" Name=\"name\" NumberOfComponents=\"1\" format=\"appended\""),
            std::string::npos);
  using namespace std::string_literals;
  EXPECT_NE(text.find("\0a \"bar\", <x>\0"s), std::string::npos);
  EXPECT_EQ(text.find("\0c\0"s), std::string::npos);  // it is open
}

std::vector<abut::cli::outline> outlines(const std::vector<abut::dem::wall>& walls, int dimension = 3) {
  abut::cli::scene what;
  what.settings.dimension = dimension;
  what.bodies.push_back({.position = {1, 1, dimension == 3 ? 1.0 : 0.0}, .radius = 0.1});
  what.settings.walls = walls;
  return outlines_of(walls, outline_space_of(what), 0).lines;
}

double total_length(const std::vector<abut::cli::outline>& lines) {
  double total = 0;
  for (const auto& line : lines) total += length(line[1] - line[0]);
  return total;
}

TEST(wall_outlines, of_a_box_are_its_twelve_edges) {
  std::vector<abut::dem::wall> walls = abut::dem::box_walls({0, 0, 0}, {2, 3, 4});
  EXPECT_EQ(outlines(walls).size(), 12U);
  EXPECT_NEAR(total_length(outlines(walls)), 4 * (2 + 3 + 4), 1e-6);
  EXPECT_EQ(outlines(abut::dem::box_walls({0, 0, 0}, {2, 3, 0}, 0, 2), 2).size(), 4U);
  EXPECT_TRUE(outlines({}).empty());
}

TEST(wall_outlines, of_round_walls_are_circles_and_lines_between_them) {
  constexpr double circle = 2 * std::numbers::pi;
  // A circle is drawn with 64 corners, which makes it shorter by less than a thousandth.
  EXPECT_NEAR(total_length(outlines({abut::dem::cylinder({0, 0, 0}, {0, 0, 5}, 2)})), 2 * circle * 2 + 4 * 5, 0.02);
  EXPECT_NEAR(total_length(outlines({abut::dem::cone({0, 0, 0}, {3, 0, 0}, 4, 0)})), circle * 4 + 4 * 5, 0.02);
  EXPECT_NEAR(total_length(outlines({abut::dem::disc({0, 0, 0}, {0, 1, 0}, 2, 1)})), circle * 3, 0.02);
  EXPECT_NEAR(total_length(outlines({abut::dem::endless_cylinder({1, 1, 0}, {0, 0, 1}, 3)})), 2 * circle * 3 + 4 * 0.2,
              0.03);
  EXPECT_NEAR(total_length(outlines({abut::dem::endless_cylinder({1, 1, 0}, {0, 0, 1}, -3)}, 2)), circle * 3, 0.02);
  for (const auto& line : outlines({abut::dem::cylinder({0, 0, 0}, {0, 0, 5}, 2)})) {
    for (const auto& p : line) EXPECT_NEAR(std::hypot(p.x, p.y), 2, 1e-12);
  }
}

TEST(wall_outlines, of_meshes_are_the_edges_where_they_bend_or_end) {
  EXPECT_EQ(outlines({abut::dem::rectangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0})}).size(), 4U);
  // Two squares that meet at a right angle: one common edge.
  const abut::dem::triangle a{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, b{{0, 0, 0}, {1, 1, 0}, {0, 1, 0}},
      c{{0, 0, 0}, {0, 1, 0}, {0, 1, 1}}, d{{0, 0, 0}, {0, 1, 1}, {0, 0, 1}};
  EXPECT_EQ(outlines({abut::dem::mesh({a, b, c, d})}).size(), 7U);
  EXPECT_EQ(outlines({abut::dem::segment({0, 0, 0}, {1, 0, 0})}, 2).size(), 1U);
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
}  // namespace frames_test
