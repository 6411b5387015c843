#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <abut/error.hpp>
#include <abut/overlap.hpp>

namespace abut {

/// What a search keeps, as shapes: its cells, sorted ends, stripes, lists or trees, with the bodies in them. Plain data
/// for pictures, lessons and debugging; `search::show` makes it and `abut draw` draws it. All coordinates are finite;
/// in 2D the third ones are 0. The number of shapes is proportional to the number of bodies.
struct sketch {
  /// A point in space.
  using place = std::array<double, 3>;
  /// Stands for "no body" or "no box".
  static constexpr std::uint32_t none = 0xffff'ffff;

  /// How boxes of a kind hold their members, up to rounding.
  enum class holding : std::uint8_t {
    nothing,  ///< they have no members
    anchors,  ///< a member's anchor is in the box: a sphere's center, a box's lower corner (for `grid` its middle)
    parts,   ///< the box meets its members, enlarged by the margin; a cube of `fixed-cubes` next to a wide gap may hold
             ///< bodies from beyond it
    wholes,  ///< members are within the box
  };

  /// A kind of shape, such as "cell".
  struct kind {
    std::string name;                  ///< one or two words
    std::string meaning;               ///< what it is, for a legend
    holding holds = holding::nothing;  ///< for boxes
    bool beside = false;               ///< the shapes lie beside the bodies, as a sorted axis does
  };

  /// What all shapes have.
  struct mark {
    std::uint32_t kind = 0;   ///< an index into `kinds`
    std::uint32_t level = 0;  ///< of a grid (0: the smallest bodies), of a tree (0: the root); of sorted ends, the axis
    bool searched = false;    ///< partners of the chosen body are looked for here
  };

  /// A body as methods see it: wrapped into the period, and with its ghosts as bodies of their own.
  struct body {
    region volume;          ///< where it is
    row owner = 0;          ///< the row in the user's arrays
    bool ghost = false;     ///< the image of a body beyond a periodic border
    bool compared = false;  ///< the search of the chosen body compares it with this one
  };

  /// A box, with the bodies that it holds.
  struct box : mark {
    place min{};                  ///< the lower corner
    place max{};                  ///< the upper corner
    std::uint32_t first = 0;      ///< the index of its first member in `members`
    std::uint32_t count = 0;      ///< the number of its members
    std::uint32_t parent = none;  ///< the index in `boxes` of the box that contains this one, in a tree
  };
  /// A line from one point to another.
  struct segment : mark {
    place from{};  ///< where it begins
    place to{};    ///< where it ends
  };
  /// A point, or a ball.
  struct point : mark {
    place at{};                 ///< the point, or the ball's center
    double radius = 0;          ///< 0 for a point
    std::uint32_t body = none;  ///< the index in `bodies` of the body that it belongs to
  };
  /// A word or number at a point.
  struct label : mark {
    place at{};        ///< its middle
    std::string text;  ///< what it says
  };

  int dimension = 3;                   ///< 2 or 3; in 2D, z is 0
  std::uint32_t chosen = none;         ///< the index in `bodies` of the body whose search is shown
  std::vector<kind> kinds;             ///< in the order of their importance
  std::vector<body> bodies;            ///< first the user's rows in order, then the ghosts
  std::vector<box> boxes;              ///< cells, nodes, stripes and the like
  std::vector<std::uint32_t> members;  ///< the boxes' bodies, as indices into `bodies`
  std::vector<segment> segments;       ///< lists and listed pairs
  std::vector<point> points;           ///< ends, neighborhoods
  std::vector<label> labels;           ///< ranks and other numbers
  std::uint64_t left_out = 0;          ///< segments left out, since there were more than 64 for each body
};

}  // namespace abut
