// What the colors of `render` show: columns, and what is computed from contacts; and lines of force.

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "render/source.hpp"
#include "run_program.hpp"

namespace render_values_test {
namespace {

using namespace abut::cli;

// Two balls of radius 1 that overlap by 0.1, above a plane into which the first is pressed by 0.05, in a linear law.
class render_values : public ::testing::Test {
 protected:
  void SetUp() override {
    folder.write(
        "two.toml",
        "law = \"linear\"\nsteps = 1\ntime_step = 1e-6\n[materials.glass]\ndensity = 2\n[materials.\"hard µ\"]\n"
        "[interaction]\nstiffness = 1000\n"
        "[[wall]]\nkind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
        "[[body]]\nposition = [0, 0, 0.95]\nradius = 1\nvelocity = [3, 0, -4]\n"
        "[[body]]\nposition = [1.9, 0, 2.9]\nradius = 1\nmaterial = \"hard µ\"\n"
        "[[body]]\nposition = [1.9, 0, 1]\nradius = 0.95\n"
        "[output]\nframes = 1\nframe_files = [\"vtp\", \"contacts\"]\n");
    const auto made = program::run(folder, {"run", "two.toml", "--threads", "1", "--out", "two"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  [[nodiscard]] picture_content shown(const std::string& color, const std::string& of = "two") const {
    const picture_source from = open_source((folder.path() / of).string());
    return read_content(from, 0, color);
  }

  program::folder folder;
};

TEST_F(render_values, are_columns_their_lengths_and_components) {
  EXPECT_EQ(shown("mass").values[0], 2 * 4.0 / 3 * std::numbers::pi);
  EXPECT_NEAR(shown("speed").values[0], 5, 1e-12);
  EXPECT_NEAR(shown("velocity").values[0], 5, 1e-12);
  EXPECT_EQ(shown("velocity.x").values[0], 3);
  EXPECT_EQ(shown("velocity.z").values[0], -4);
  EXPECT_EQ(shown("material").values[1], 1);
  EXPECT_TRUE(shown("speed").from_zero);
  EXPECT_FALSE(shown("velocity.z").from_zero);
  EXPECT_TRUE(shown("material").whole);
}

TEST_F(render_values, are_columns_of_arrays) {
  EXPECT_NEAR(shown("speed", "two/state.npy").values[0], 5, 0.01);
  EXPECT_NEAR(shown("velocity.z", "two/state.npy").values[0], -4, 0.01);
  EXPECT_NEAR(shown("vx", "two/state.npy").values[0], 3, 0.01);
  EXPECT_EQ(shown("id", "two/state.npy").values[2], 2);
}

TEST_F(render_values, know_the_names_of_materials) {
  EXPECT_EQ(shown("material").materials, (std::vector<std::string>{"glass", "hard µ"}));
}

// The first ball touches the plane and the third ball; the second one touches the third, too.
TEST_F(render_values, are_computed_from_contacts) {
  const picture_content contacts = shown("contacts");
  EXPECT_EQ(contacts.values, (std::vector<double>{2, 1, 2}));
  const picture_content pressure = shown("pressure");
  picture_content lines = pressure;
  add_forces(lines, open_source((folder.path() / "two").string()), 0);
  ASSERT_EQ(lines.forces.size(), 3U);
  // The linear law: stiffness times overlap.
  const auto apart = [](double x, double z) { return std::sqrt(x * x + z * z); };
  const double beside = apart(1.9, 0.05), above = 1.9;
  const double push = 1000 * (1.95 - beside);
  EXPECT_NEAR(pressure.values[0], (1000 * 0.05 * 0.95 + push * beside / 1.95) / (4 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(pressure.values[1], (1000 * (1.95 - above)) * above / 1.95 / (4 * std::numbers::pi), 1e-9);
}

}  // namespace
}  // namespace render_values_test
