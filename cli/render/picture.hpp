#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/vec.hpp>

#include "render/image.hpp"

/// Pictures of bodies: shaded spheres or flat discs, outlines of walls, a legend.
namespace abut::cli {

/// A line in space, by its ends.
using space_line = std::array<dem::vec, 2>;

/// What is drawn.
struct picture_content {
  std::vector<dem::vec> centers{};
  std::vector<double> radii{};
  std::vector<double> values{};  ///< what the color shows, by body
  std::vector<space_line> walls{};
  bool flat = false;  ///< discs in the plane of x and y
  std::optional<double> time{};
};

/// From where bodies are seen: three directions of length 1, at right angles.
struct viewpoint {
  dem::vec right{1, 0, 0}, up{0, 0, 1}, toward{0, -1, 0};
};

/// The rectangle that is shown, in the viewpoint's directions.
struct frame_of_view {
  double left = 0, right = 0, bottom = 0, top = 0;
  bool empty = true;
  void include(double x, double y, double around);
};

/// Bodies are cut along a plane across an axis; the half nearer to the viewer is taken away.
struct picture_cut {
  std::size_t axis = 1;
  double at = 0;
};

/// How it is drawn.
struct picture_style {
  int width = 1200, height = 900;
  viewpoint from{};
  frame_of_view shown{};
  std::optional<picture_cut> cut{};
  std::string color = "radius";  ///< the name of the values
  bool kinds = false;            ///< the values number kinds, such as materials
  double low = 0, high = 1;      ///< the values at the ends of the color bar
  bool more_above = false;       ///< some values are beyond the end of the bar
  bool whole = false;            ///< the values are whole numbers
  int threads = 0;
};

/// What is seen of the content from there.
void include(frame_of_view& shown, const picture_content& what, const viewpoint& from);

[[nodiscard]] image draw_picture(const picture_content& what, const picture_style& style);

/// Where the bodies are in a picture: the pixels per length, and the pixel of the center of the rectangle that is
/// shown.
struct picture_scale {
  double per_length = 1, x = 0, y = 0;
};
[[nodiscard]] picture_scale scale_of(const picture_style& style);

/// Draws the color bar, the scale bar, the axes and the caption.
void draw_legend(image& to, const picture_content& what, const picture_style& style);

/// The color of a value.
[[nodiscard]] rgb color_for(double value, const picture_style& style);

}  // namespace abut::cli
