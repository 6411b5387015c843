#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "render/image.hpp"

/// Lines and text, drawn with a round pen and soft edges.
namespace abut::cli {

/// A point of a picture, in pixels from its upper left corner.
struct spot {
  float x = 0, y = 0;
};

/// A straight stroke.
using stroke = std::array<spot, 2>;

/// Draws strokes; where they cross, they cover once.
void draw_strokes(image& to, const std::vector<stroke>& strokes, float width, const rgb& color, float opacity = 1);

/// Where a text stands relative to the given spot.
enum class align : unsigned char { left, middle, right };

/// Writes a text. `at` is on its baseline; `size` is the height of its digits. Small letters stand for capitals, and
/// characters without a shape leave a gap.
void draw_text(image& to, std::string_view text, spot at, float size, const rgb& color, align how = align::left);
/// How wide a text is.
[[nodiscard]] float text_width(std::string_view text, float size);

}  // namespace abut::cli
