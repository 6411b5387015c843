#pragma once

#include <array>
#include <vector>

#include "render/image.hpp"

/// Lines, drawn with a round pen and soft edges.
namespace abut::cli {

/// A point of a picture, in pixels from its upper left corner.
struct spot {
  float x = 0, y = 0;
};

/// A straight stroke.
using stroke = std::array<spot, 2>;

/// Draws strokes; where they cross, they cover once.
void draw_strokes(image& to, const std::vector<stroke>& strokes, float width, const rgb& color, float opacity = 1);

}  // namespace abut::cli
