// The verb `render`: pixels against what geometry says, files, films, and what it refuses.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>

#include <png.h>

#include <gtest/gtest.h>

#include "environment.hpp"
#include "render/colors.hpp"
#include "render/picture.hpp"
#include "render/strokes.hpp"
#include "run_program.hpp"

namespace render_test {
namespace {

using namespace abut::cli;
using program::arguments;

/// A picture as libpng reads it.
struct png_picture {
  explicit png_picture(const std::string& bytes) {
    png_image what{};
    what.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&what, bytes.data(), bytes.size()) == 0)
      throw std::runtime_error(what.message);
    what.format = PNG_FORMAT_RGB;
    pixels.resize(PNG_IMAGE_SIZE(what));
    if (png_image_finish_read(&what, nullptr, pixels.data(), 0, nullptr) == 0) throw std::runtime_error(what.message);
    width = static_cast<int>(what.width);
    height = static_cast<int>(what.height);
  }
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

bool is_white(const rgb& p) { return p.r == 1 && p.g == 1 && p.b == 1; }

std::uint32_t hex_of(const rgb& p) {
  return std::uint32_t{byte_of(p.r)} << 16U | std::uint32_t{byte_of(p.g)} << 8U | byte_of(p.b);
}

/// Spheres, seen from the front, with a picture of 600 x 400.
struct front_view {
  explicit front_view(picture_content content) : what(std::move(content)) {
    style.width = 600;
    style.height = 400;
    style.threads = 1;
    if (what.flat) style.from = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    include(style.shown, what, style.from);
  }
  /// The pixel of a point, by its coordinates to the right and up.
  [[nodiscard]] spot pixel(double right, double up) const {
    const picture_scale s = scale_of(style);
    return {static_cast<float>(s.x + (right - (style.shown.left + style.shown.right) / 2) * s.per_length),
            static_cast<float>(s.y - (up - (style.shown.bottom + style.shown.top) / 2) * s.per_length)};
  }
  [[nodiscard]] rgb color(const image& of, double right, double up) const {
    const spot at = pixel(right, up);
    return of.pixels[of.place(static_cast<int>(at.x), static_cast<int>(at.y))];
  }
  /// Whether exactly the pixels of a disc are covered, up to one at its edge.
  void expect_disc(const image& of, double right, double up, double radius) const {
    const spot middle = pixel(right, up);
    const double r = radius * scale_of(style).per_length;
    int covered = 0;
    for (int y = static_cast<int>(middle.y - r) - 5; y <= static_cast<int>(middle.y + r) + 5; ++y) {
      for (int x = static_cast<int>(middle.x - r) - 5; x <= static_cast<int>(middle.x + r) + 5; ++x) {
        const double d = std::hypot(x + 0.5 - middle.x, y + 0.5 - middle.y);
        const bool white = is_white(of.pixels[of.place(x, y)]);
        covered += white ? 0 : 1;
        if (std::abs(d - r) > 1) {
          EXPECT_EQ(white, d > r) << x << " " << y;
        }
      }
    }
    EXPECT_NEAR(covered, std::numbers::pi * r * r, 2 * std::numbers::pi * r);
  }

  picture_content what;
  picture_style style;
};

TEST(pictures, show_a_sphere_as_a_disc_of_its_size) {
  front_view one({.centers = {{0, 5, 0}}, .radii = {2}, .values = {0}});
  const image picture = draw_picture(one.what, one.style);
  EXPECT_GT(scale_of(one.style).per_length, 50);
  one.expect_disc(picture, 0, 0, 2);
  // Lit from the upper left.
  const rgb lit = one.color(picture, -0.8, 0.8), dark = one.color(picture, 0.8, -1.4);
  EXPECT_GT(lit.g, 1.5F * dark.g);
}

TEST(pictures, show_the_nearer_sphere) {
  front_view two({.centers = {{0, 5, 0}, {0.5, -5, 0}}, .radii = {2, 1}, .values = {0, 1}});
  two.style.kinds = true;  // orange behind blue
  const image picture = draw_picture(two.what, two.style);
  EXPECT_GT(two.color(picture, 0.5, 0).b, two.color(picture, 0.5, 0).r);
  EXPECT_GT(two.color(picture, -1, 0).r, two.color(picture, -1, 0).b);
}

TEST(pictures, color_by_viridis) {
  front_view discs({.centers = {{0, 0, 0}, {3, 0, 0}, {6, 0, 0}, {9, 0, 0}},
                    .radii = {1, 1, 1, 1},
                    .values = {10, 14, 18, 100},
                    .flat = true});
  discs.style.low = 10;
  discs.style.high = 18;
  const image picture = draw_picture(discs.what, discs.style);
  // From matplotlib's table.
  EXPECT_EQ(hex_of(discs.color(picture, 0, 0)), 0x440154U);
  EXPECT_EQ(hex_of(discs.color(picture, 3, 0)), 0x21908dU);
  EXPECT_EQ(hex_of(discs.color(picture, 6, 0)), 0xfde725U);
  EXPECT_EQ(hex_of(discs.color(picture, 9, 0)), 0xfde725U);
  EXPECT_EQ(hex_of(discs.color(picture, 1.5, 0)), 0xffffffU);
  discs.expect_disc(picture, 3, 0, 1);
}

TEST(pictures, show_the_section_of_a_cut) {
  front_view one({.centers = {{0, 0, 0}}, .radii = {2}, .values = {0}});
  one.style.cut = picture_cut{1, 1};  // only what is behind y = 1 is left
  image picture = draw_picture(one.what, one.style);
  one.expect_disc(picture, 0, 0, std::sqrt(3.0));
  // The section is flat, and so of one color.
  for (const double x : {-1.5, -0.7, 0.7, 1.5}) {
    EXPECT_NEAR(one.color(picture, x, 0.3).g, one.color(picture, 0, 0).g, 0.02) << x;
  }
  one.style.cut = picture_cut{1, -1};  // a cap is off
  picture = draw_picture(one.what, one.style);
  one.expect_disc(picture, 0, 0, 2);
  EXPECT_NEAR(one.color(picture, -1.5, 0.3).g, one.color(picture, 0, 0).g, 0.02);
  EXPECT_LT(one.color(picture, 1.5, -1.1).g, 0.8F * one.color(picture, 0, 0).g);
  one.style.cut = picture_cut{1, 3};  // nothing is left
  picture = draw_picture(one.what, one.style);
  EXPECT_TRUE(is_white(one.color(picture, 0, 0)));
  one.style.cut = picture_cut{2, 0};  // seen along the plane: the upper half is off
  picture = draw_picture(one.what, one.style);
  EXPECT_TRUE(is_white(one.color(picture, 0, 0.1)));
  EXPECT_FALSE(is_white(one.color(picture, 0, -0.1)));
}

TEST(pictures, have_shadows) {
  // A small sphere between the light and a large one.
  const picture_content large{.centers = {{0, 0, 0}}, .radii = {2}, .values = {0}};
  front_view alone(large);
  picture_content both = large;
  both.centers.push_back({-1.3, -2.6, 2.4});
  both.radii.push_back(1);
  both.values.push_back(0);
  front_view shaded(both);
  const image without = draw_picture(alone.what, alone.style), with = draw_picture(shaded.what, shaded.style);
  EXPECT_LT(shaded.color(with, -0.7, 1.25).g, 0.7F * alone.color(without, -0.7, 1.25).g);
}

TEST(pictures, show_walls_as_lines) {
  picture_content what{.centers = {{0, 0, 0}}, .radii = {1}, .values = {0}};
  what.walls = {{abut::dem::vec{-3, -2, -2}, abut::dem::vec{3, -2, -2}}};
  front_view view(what);
  const image picture = draw_picture(view.what, view.style);
  const spot at = view.pixel(2, -2);
  bool found = false;
  for (int dy = -2; dy <= 2; ++dy) {
    found = found || !is_white(picture.pixels[picture.place(static_cast<int>(at.x), static_cast<int>(at.y) + dy)]);
  }
  EXPECT_TRUE(found);
}

TEST(strokes, cover_their_width) {
  image white(40, 20, {1, 1, 1});
  draw_strokes(white, {{spot{5, 10}, spot{35, 10}}}, 4, {0, 0, 0});
  double covered = 0;
  for (const rgb& p : white.pixels) covered += 1 - p.r;
  EXPECT_NEAR(covered, 30 * 4 + std::numbers::pi * 4, 3);
}

class cli_render : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = program::run(folder, {"run", "elastic-gas", "--steps", "60", "--set", "bodies.0.count=200",
                                            "--set", "output.frames=2", "--threads", "1", "--out", "gas"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  program::result ran(arguments args) {
    args.insert(args.begin(), "render");
    return program::run(folder, args);
  }
  std::string good(arguments args) {
    args.insert(args.end(), {"--size", "300x200"});
    const auto result = ran(std::move(args));
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  void expect_error(const arguments& args, const std::string& line) {
    const auto result = ran(args);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.err, line + "\n");
  }

  program::folder folder;
};

TEST_F(cli_render, writes_a_png_that_does_not_depend_on_threads) {
  for (const std::string color : {"radius", "speed", "force", "coordination", "material"}) {
    good({"gas", "--color", color, "--threads", "1", "--out", "a.png"});
    good({"gas", "--color", color, "--threads", "2", "--out", "b.png"});
    EXPECT_EQ(folder.read("a.png"), folder.read("b.png")) << color;
  }
  const png_picture picture(folder.read("a.png"));
  EXPECT_EQ(picture.width, 300);
  EXPECT_EQ(picture.height, 200);
}

TEST_F(cli_render, shows_the_frame_that_is_chosen) {
  good({"gas", "--frame", "2", "--out", "two.png"});
  good({"gas", "--out", "last.png"});
  good({"gas", "--frame", "0", "--out", "first.png"});
  EXPECT_EQ(folder.read("two.png"), folder.read("last.png"));
  EXPECT_NE(folder.read("first.png"), folder.read("last.png"));
}

TEST_F(cli_render, draws_files_of_bodies) {
  good({"gas/state.npy", "--out", "a.png"});
  good({"gas/state.vtp", "--color", "coordination", "--out", "b.png"});
  folder.write("discs.csv", "x,y,r\n0,0,1\n2,0,1\n9,0,1\n");
  const std::string said = good({"discs.csv", "--color", "coordination", "--out", "c.png"});
  EXPECT_NE(said.find("3 discs by coordination"), std::string::npos) << said;
}

// A run into which bodies are poured starts without any. It is seen as its walls are, or as its other frames are.
TEST_F(cli_render, knows_the_dimension_of_frames_without_bodies) {
  const auto make = [&](const std::string& name, int dimension, const std::string& wall) {
    const std::string high = dimension == 2 ? "[1, 1]" : "[1, 1, 1]";
    const std::string low = dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
    folder.write(name + ".toml", "dimension = " + std::to_string(dimension) +
                                     "\nlaw = \"linear\"\nsteps = 20\n[materials.a]\n[interaction]\nstiffness = 1e3\n" +
                                     "[[pour]]\nmin = " + low + "\nmax = " + high + "\ndiameter = 0.1\ncount = 9\n" +
                                     wall + "[output]\nframes = 2\n");
    const auto made = program::run(folder, {"run", name + ".toml", "--out", name, "--threads", "1"});
    EXPECT_EQ(made.code, 0) << made.err;
    const std::string said = good({name, "--frame", "0", "--out", name + ".png"});
    EXPECT_NE(good({name, "--frame", "2", "--out", name + ".png"}).find(" 9 "), std::string::npos);
    return said;
  };
  EXPECT_NE(make("a", 2, "").find("0 discs"), std::string::npos);
  EXPECT_NE(make("b", 3, "").find("0 spheres"), std::string::npos);
  EXPECT_NE(make("c", 2, "[[wall]]\nkind = \"segment\"\nfrom = [0, 0]\nto = [1, 0]\n").find("0 discs"),
            std::string::npos);
  EXPECT_NE(
      make("d", 3, "[[wall]]\nkind = \"cylinder\"\nfrom = [0, 0, 0]\nto = [0, 0, 1]\nradius = 2\n").find("0 spheres"),
      std::string::npos);
}

TEST_F(cli_render, says_what_is_wrong) {
  expect_error({}, "no run; name the folder of a run, or a file of bodies");
  expect_error({"gas"}, "no --out; name the picture to write, such as --out bed.png");
  expect_error({"none", "--out", "a.png"}, "none: there is no such folder or file");
  std::filesystem::create_directory(folder.path() / "empty");
  expect_error(
      {"empty", "--out", "a.png"},
      "empty: is not the folder of a run: it has neither frames.pvd nor state.vtp nor state.npy (abut run SCENE "
      "--out empty makes one)");
  expect_error({"gas", "--frame", "3", "--out", "a.png"}, "--frame 3: there is no such frame; gas has 0 to 2");
  expect_error({"gas", "--frame", "-1", "--out", "a.png"}, "--frame -1: there is no such frame; gas has 0 to 2");
  expect_error({"gas/state.vtp", "--frame", "0", "--out", "a.png"},
               "--frame 0: gas/state.vtp has no frames (output.frames of the scene makes some)");
  expect_error({"gas", "--color", "sped", "--out", "a.png"},
               "--color \"sped\": gas/frames/bodies-00002.vtp has no such column, did you mean speed?");
  expect_error(
      {"gas", "--color", "mauve", "--out", "a.png"},
      "--color \"mauve\": gas/frames/bodies-00002.vtp has no such column; the choices are radius, mass, velocity, "
      "spin, force, id, material, coordination, speed, contacts, pressure");
  expect_error({"gas", "--view", "frnt", "--out", "a.png"}, "--view \"frnt\": unknown, did you mean front?");
  expect_error({"gas", "--cut", "w=3", "--out", "a.png"}, "--cut w=3: write an axis and a place on it, such as y=0");
  expect_error({"gas", "--range", "2,1", "--out", "a.png"}, "--range 2,1: the first number must be the lower one");
  expect_error({"gas", "--out", "a.jpg"}, "--out a.jpg: a picture's name ends in .png");
  expect_error(
      {"gas/state.npy", "--color", "hue", "--out", "a.png"},
      "--color \"hue\": gas/state.npy has no such column; the choices are x, y, z, r, vx, vy, vz, wx, wy, wz, qw, "
      "qx, qy, qz, mass, material, id, radius, speed, coordination");
  folder.write("discs.csv", "x,y,r\n0,0,1\n");
  expect_error({"discs.csv", "--color", "speed", "--out", "a.png"},
               "discs.csv: has nothing for --color speed; its colors are radius and coordination");
  expect_error({"gas", "--in", "0,1,0", "--out", "a.png"},
               "--in 0,1,0: write xmin,xmax,ymin,ymax, or xmin,xmax,ymin,ymax,zmin,zmax");
  expect_error({"gas", "--in", "0,1,2,1", "--out", "a.png"}, "--in 0,1,2,1: ymin must be below ymax");
  expect_error({"gas", "--in", "0,1,2,three", "--out", "a.png"}, "--in 0,1,2,three: these are not all numbers");
  expect_error({"gas", "--contacts", "--color", "speed", "--out", "a.png"},
               "--contacts shows the normal force by color; leave --color out");
  expect_error({"gas", "--contacts", "--out", "a.png"},
               "--contacts needs gas/frames/contacts-00002.vtp, which is not there: output.frame_files = [\"vtp\", "
               "\"contacts\"] of the scene writes the contacts of frames");
  expect_error({"gas/state.vtp", "--color", "pressure", "--out", "a.png"},
               "--color pressure needs the contacts of a frame: output.frame_files = [\"vtp\", \"contacts\"] of the "
               "scene writes the contacts of frames");
  folder.write("junk.vtp", "nothing");
  expect_error({"junk.vtp", "--out", "a.png"},
               "junk.vtp: is no .vtp file as abut writes it (PolyData, raw appended, UInt64, LittleEndian)");
}

}  // namespace
}  // namespace render_test
