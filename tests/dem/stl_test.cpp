// Files of triangles: text, binary, and what is neither.

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/dem/walls.hpp>
#include <abut/error.hpp>

namespace stl_test {
namespace {

using namespace abut::dem;

class dem_stl : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  // Writes a file and reads it.
  stl_file read(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return read_stl(path_);
  }
  // The message of the error, without the path.
  std::string refusal(const std::string& bytes) const {
    try {
      (void)read(bytes);
    } catch (const abut::error& problem) {
      const std::string said = problem.what();
      EXPECT_TRUE(said.starts_with(path_)) << said;
      return said.substr(path_.size());
    }
    return "";
  }

  const std::string path_ = (std::filesystem::temp_directory_path() / "abut_stl_test.stl").string();
};

void append(std::string& to, std::uint32_t value) {
  for (unsigned k = 0; k < 4; ++k) to += static_cast<char>(value >> (8 * k) & 0xffU);
}

std::string binary(const std::vector<std::vector<float>>& triangles, const std::string& start = "made by hand") {
  std::string all = start;
  all.resize(80, ' ');
  append(all, static_cast<std::uint32_t>(triangles.size()));
  for (const std::vector<float>& t : triangles) {
    for (int k = 0; k < 3; ++k) append(all, 0);
    for (const float x : t) append(all, std::bit_cast<std::uint32_t>(x));
    all += std::string(2, '\0');
  }
  return all;
}

const std::string facet =
    "  facet normal 0 0 1\n    outer loop\n      vertex 0 0 0\n      vertex 1.5 0 0\n"
    "      vertex 0 2e-1 -3\n    endloop\n  endfacet\n";

TEST_F(dem_stl, is_read_as_text) {
  const stl_file one = read("solid a thing: with words\n" + facet + facet + "endsolid a thing\n");
  ASSERT_EQ(one.triangles.size(), 2U);
  EXPECT_EQ(one.triangles[1].b, (vec{1.5, 0, 0}));
  EXPECT_EQ(one.triangles[1].c, (vec{0, 0.2, -3}));
  EXPECT_EQ(one.flat, 0U);
  EXPECT_EQ(read("solid\n" + facet + "endsolid\nsolid b\r\n" + facet + "endsolid b").triangles.size(), 2U);
}

TEST_F(dem_stl, is_read_as_binary) {
  const stl_file one = read(binary({{0, 0, 0, 1.5F, 0, 0, 0, 0.25F, -3}}));
  ASSERT_EQ(one.triangles.size(), 1U);
  EXPECT_EQ(one.triangles[0].c, (vec{0, 0.25, -3}));
  // Some programs begin binary files like text.
  EXPECT_EQ(read(binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}}, "solid by a program")).triangles.size(), 1U);
}

TEST_F(dem_stl, counts_triangles_without_an_area) {
  const stl_file one =
      read(binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 1, 1, 1, 2, 2, 2}, {1, 2, 3, 1, 2, 3, 1, 2, 3}}));
  EXPECT_EQ(one.triangles.size(), 1U);
  EXPECT_EQ(one.flat, 2U);
  EXPECT_EQ(refusal(binary({{0, 0, 0, 1, 1, 1, 2, 2, 2}})), ": has no triangles with an area");
  EXPECT_EQ(refusal(binary({})), ": has no triangles");
  EXPECT_EQ(refusal("solid nothing\nendsolid nothing\n"), ": has no triangles");
}

TEST_F(dem_stl, that_is_junk_or_cut_off_is_refused_with_its_place) {
  const std::string whole = binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 1, 0, 0, 0, 1, 1}});
  EXPECT_EQ(refusal(whole.substr(0, 150)),
            ": is cut off or no STL file: its 2 triangles need 184 bytes, and it has 150");
  EXPECT_EQ(refusal(whole + "more"), ": is cut off or no STL file: its 2 triangles need 184 bytes, and it has 188");
  EXPECT_EQ(refusal(""), ": is no STL file: it has 0 bytes");
  EXPECT_EQ(refusal("junk"), ": is no STL file: it has 4 bytes");
  EXPECT_EQ(refusal("solid a\n" + facet), ":9: the file ends, expected \"facet\" or \"endsolid\"");
  EXPECT_EQ(refusal("solid a\n" + facet.substr(0, 60)), ":5: the file ends, expected \"vertex\"");
  EXPECT_EQ(refusal("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 zero 0\n"),
            ":4: there is \"zero\", expected a finite number");
  EXPECT_EQ(refusal("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0\n"),
            ":4: there is \"nan\", expected a finite number");
  EXPECT_EQ(refusal("solid a\nfasset\n"), ":2: there is \"fasset\", expected \"facet\" or \"endsolid\"");
  EXPECT_EQ(refusal("solid a\n" + facet + "endsolid\nrest"), ":10: there is \"rest\", expected \"solid\" or the end");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refusal(binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, nan, 0, 0, 0, 1, 1}})),
            ": triangle 1 has a coordinate that is not finite");
  EXPECT_THROW((void)read_stl(path_ + ".is-not-there"), abut::error);
  EXPECT_THROW((void)read_stl(std::filesystem::temp_directory_path().string()), abut::error);
}

TEST_F(dem_stl, cut_off_anywhere_is_refused) {
  const std::string text = "solid a\n" + facet + "endsolid a\n";
  const std::string bytes = binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}});
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_NE(refusal(bytes.substr(0, n)), "") << n;
  for (std::size_t n = 0; n < text.find("endsolid") + 8; ++n) EXPECT_NE(refusal(text.substr(0, n)), "") << n;
}

}  // namespace
}  // namespace stl_test
