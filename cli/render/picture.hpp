#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/vec.hpp>

#include "render/image.hpp"

/// Pictures of bodies: shaded spheres or flat discs, walls that are seen through, chains of forces, a legend.
namespace abut::cli {

/// A line in space, by its ends.
using space_line = std::array<dem::vec, 2>;

/// A triangle of a wall, with the directions in which the surface faces at its corners; either side will do.
struct space_triangle {
  std::array<dem::vec, 3> corners{};
  std::array<dem::vec, 3> normals{};
};

/// A contact: its ends, which are centers or a point of a wall, and its normal force.
struct force_line {
  space_line ends{};
  double force = 0;
};

/// What is drawn.
struct picture_content {
  std::vector<dem::vec> centers{};
  std::vector<double> radii{};
  std::vector<double> values{};  ///< what the color shows, by body
  std::vector<space_line> walls{};
  std::vector<space_triangle> surfaces{};  ///< of walls
  std::vector<force_line> forces{};
  std::vector<std::string> materials{};  ///< their names, by number; empty if they are not known
  bool from_zero = false;                ///< the color bar begins at 0
  bool whole = false;                    ///< the values are whole numbers
  bool flat = false;                     ///< discs in the plane of x and y
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

/// A box in space.
struct picture_box {
  static constexpr double endless = std::numeric_limits<double>::infinity();
  std::array<double, 3> min{-endless, -endless, -endless}, max{endless, endless, endless};
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
  bool forces = false;           ///< colors and widths of lines show the forces of contacts, and bodies are pale
  bool zoomed = false;           ///< flat bodies end where the rectangle that is shown ends
  int threads = 0;
};

/// What is seen of the content from there.
void include(frame_of_view& shown, const picture_content& what, const viewpoint& from);

/// Leaves what reaches into a box: bodies whole, walls and contacts up to its sides.
void keep_within(picture_content& what, const picture_box& box);

/// The corners of a box; where it has no end, those of the content.
[[nodiscard]] picture_box closed(const picture_box& box, const picture_content& what);

[[nodiscard]] image draw_picture(const picture_content& what, const picture_style& style);

/// Where the bodies are in a picture: the pixels per length, and the pixel of the center of the rectangle that is
/// shown.
struct picture_scale {
  double per_length = 1, x = 0, y = 0;
};
[[nodiscard]] picture_scale scale_of(const picture_style& style);

/// Sets the usual width and height, one of them less if what is shown needs no more.
void fit_size(picture_style& style);

/// Draws the color bar, the scale bar, the axes and the caption.
void draw_legend(image& to, const picture_content& what, const picture_style& style);

/// The color of a value.
[[nodiscard]] rgb color_for(double value, const picture_style& style);

}  // namespace abut::cli
