#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/balls.hpp"
#include "render/image.hpp"
#include "render/picture.hpp"
#include "render/projection.hpp"

/// Lines in a picture that stand for something in space.
namespace abut::cli {

/// Draws the outlines of walls, faintly behind bodies, and where the cut goes through walls.
void draw_walls(image& to, const picture_content& what, const projection& place, const depth_image& view,
                const std::optional<cut_plane>& cut, const std::vector<std::array<seen, 2>>& section);

/// Draws a line for each contact, as wide and of such a color as its force is large; the nearest and largest on top.
void draw_forces(image& to, const picture_content& what, const picture_style& style, const projection& place,
                 const std::optional<cut_plane>& cut);

}  // namespace abut::cli
