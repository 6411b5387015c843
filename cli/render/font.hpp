#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace abut::cli {

/// A character of the font.
struct glyph {
  char32_t of;
  int advance;  ///< from its start to that of the next, in units of the font
  /// Closed curves, separated by ";". "x,y" is a point that the curve passes through, "x,y~" one that pulls it: of two
  /// of these in a row, the curve passes through the middle. In units of the font, y up from the baseline.
  std::string_view curves;
};

constexpr float font_units = 2048;         ///< of the font's size
constexpr float font_digit_height = 1493;  ///< in units

/// The characters that there are, by ascending number.
[[nodiscard]] const std::vector<glyph>& font_glyphs();

}  // namespace abut::cli
