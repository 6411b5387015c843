// Text in pictures: its letters, its width, and numbers for color bars.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "render/font.hpp"
#include "render/text.hpp"

namespace render_text_test {
namespace {

using namespace abut::cli;

image drawn(const std::string& text, float size) {
  image to(400, 60, {1, 1, 1});
  draw_text(to, text, {10, 40}, size, {0, 0, 0});
  return to;
}

/// The area that is covered, as it is before it is darkened for screens.
double area(const image& of) {
  double sum = 0;
  for (const rgb& p : of.pixels) sum += 1 - std::pow(static_cast<double>(p.r), 1 / 1.8);
  return sum;
}

/// The first and the last column of a picture that are not white.
std::pair<int, int> extent(const image& of) {
  int first = of.width, last = -1;
  for (int y = 0; y < of.height; ++y) {
    for (int x = 0; x < of.width; ++x) {
      if (of.pixels[of.place(x, y)].r > 0.9F) continue;
      first = std::min(first, x);
      last = std::max(last, x);
    }
  }
  return {first, last};
}

TEST(text, has_a_shape_for_every_character_that_pictures_may_need) {
  std::u32string all = U"µ°²³·×√–−⁰¹⁴⁵⁶⁷⁸⁹⁻";
  for (char32_t c = U'!'; c <= U'~'; ++c) all += c;
  for (const char32_t c : all) {
    const auto& glyphs = font_glyphs();
    const auto found = std::find_if(glyphs.begin(), glyphs.end(), [&](const glyph& g) { return g.of == c; });
    ASSERT_NE(found, glyphs.end()) << static_cast<unsigned>(c);
    EXPECT_FALSE(found->curves.empty()) << static_cast<unsigned>(c);
    EXPECT_GT(found->advance, 0);
  }
}

// The glyph of | is a rectangle of 170 x 2048 units, with the digits 1493 high; the hole of an 0 is left open.
TEST(text, covers_the_area_of_its_outlines) {
  const double unit = 24 / 1493.0;
  EXPECT_NEAR(area(drawn("|", 24)), 170 * 2048 * unit * unit, 0.5);
  EXPECT_NEAR(area(drawn("|||", 24)), 3 * 170 * 2048 * unit * unit, 1);
  const image zero = drawn("0", 24);
  const auto [first, last] = extent(zero);
  EXPECT_GT(zero.pixels[zero.place((first + last) / 2, 28)].r, 0.95F);
  EXPECT_LT(zero.pixels[zero.place(first + 1, 28)].r, 0.3F);
}

TEST(text, shows_the_point_of_a_number) {
  EXPECT_GT(text_width("1.5", 20), text_width("15", 20) + 5);
  EXPECT_GT(area(drawn("1.5", 20)), area(drawn("15", 20)) + 4);
  EXPECT_NE(drawn("speed", 20).pixels.size(), 0U);
  EXPECT_NE(area(drawn("speed", 20)), area(drawn("SPEED", 20)));
}

TEST(text, stands_where_it_is_put) {
  image to(400, 60, {1, 1, 1});
  draw_text(to, "12", {200, 40}, 20, {0, 0, 0}, align::middle);
  const auto [first, last] = extent(to);
  EXPECT_NEAR(first + last, 399, 6);
  image right(400, 60, {1, 1, 1});
  draw_text(right, "12", {200, 40}, 20, {0, 0, 0}, align::right);
  EXPECT_LT(extent(right).second, 200);
  image outside(20, 20, {1, 1, 1});
  draw_text(outside, "wide", {-500, 300}, 20, {0, 0, 0});  // nothing happens
  EXPECT_EQ(area(outside), 0);
}

TEST(text, is_shortened_if_there_is_no_room) {
  EXPECT_EQ(shortened("glass", 10, 1000), "glass");
  const std::string cut = shortened("µµµµµµµµµµµµ", 10, 60);
  EXPECT_TRUE(cut.ends_with("...")) << cut;
  EXPECT_LE(text_width(cut, 10), 60);
  EXPECT_EQ((cut.size() - 3) % 2, 0U);  // no half of a character
}

TEST(text, shows_numbers_with_the_digits_of_their_step) {
  EXPECT_EQ(number_text(1.5, 0.5), "1.5");
  EXPECT_EQ(number_text(1, 0.5), "1.0");
  EXPECT_EQ(number_text(0, 0.5), "0.0");
  EXPECT_EQ(number_text(-0.02, 0.01), "−0.02");
  EXPECT_EQ(number_text(40, 20), "40");
  EXPECT_EQ(number_text(150000, 50000), "150000");
  EXPECT_EQ(number_text(2e6, 1e6), "2·10⁶");
  EXPECT_EQ(number_text(1.5e-7, 5e-8), "1.5·10⁻⁷");
  EXPECT_EQ(number_text(0, 5e-8), "0");
  EXPECT_EQ(number_text(0.02, 0.02), "0.02");
}

}  // namespace
}  // namespace render_text_test
