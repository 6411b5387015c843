#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/api.h>
#include <abut/dem/vec.hpp>

namespace abut::dem {

/// The point of a wall that is nearest to a body's center.
struct wall_point {
  double distance = 0;  ///< from the surface to the center; negative if the center is behind the surface
  vec normal{};         ///< from the surface to the center, of length 1
};

/// A corner of a triangle after the other, in either sense.
struct triangle {
  vec a{};  ///< a corner
  vec b{};  ///< a corner
  vec c{};  ///< a corner
};

/// A piece of a wall that has borders. It has no thickness and pushes bodies away on both sides.
struct patch {
  /// What it is.
  enum class form : std::uint8_t {
    triangle,  ///< with the corners a, b, c
    segment,   ///< from a to b
    turned,    ///< what a line from `first` beside a to `second` beside b leaves when it is turned about their axis
  };
  form is = form::triangle;  ///< what it is
  vec a{};                   ///< a point
  vec b{};                   ///< a point
  vec c{};                   ///< a point
  vec normal{};              ///< of a triangle or segment; of a turned line its axis; of length 1
  double first = 0;          ///< the radius at a
  double second = 0;         ///< the radius at b
  /// Whether they are the same.
  friend bool operator==(const patch&, const patch&) = default;
};

/// Presses a plane against bodies with a constant force. It moves along its normal with the acceleration (force - what
/// bodies push back - damping * velocity) / mass, with the velocity at the end of each step.
struct servo {
  double force = 0;    ///< towards the bodies: a pressure times an area
  double mass = 1;     ///< of the wall, above 0
  double damping = 0;  ///< force per velocity, at least 0
};

/// A wall: a plane, an endless cylinder, patches, or a surface of your own. Nothing moves it but its velocity and spin.
struct wall {
  vec point{};            ///< any point of the plane, or of the cylinder's axis
  vec normal{0, 0, 1};    ///< of the plane, towards the bodies; or the direction of the cylinder's axis; of length 1
  vec velocity{};         ///< of the wall; everything moves with it, but a surface of your own only drags bodies along
  unsigned material = 0;  ///< its number in the table of materials
  /// If set, the wall is no plane: the nearest point for a body's center. Called from several threads at once.
  std::function<wall_point(const vec& center)> surface{};
  /// If not 0, the wall is an endless cylinder of this radius; bodies are inside of it, or outside if it is negative.
  double radius = 0;
  std::vector<patch> patches{};  ///< if there are any, the wall is made of these
  vec spin{};    ///< angular velocity about the center: the wall turns; a surface of your own only drags bodies along
  vec center{};  ///< about which the wall turns, and its torque is recorded; moves with the velocity
  /// The time from which the wall is open: bodies pass through it as if it were not there.
  std::optional<double> opens_at{};
  std::optional<servo> pressed{};  ///< for planes only: how hard it is pressed against the bodies
};

/// What bodies do to a wall.
struct wall_load {
  vec force{};   ///< on the wall
  vec torque{};  ///< on the wall, about `wall::center`
};

/// A plane through a point. The normal, of any length, points to the side on which bodies stay.
[[nodiscard]] ABUT_API wall plane(const vec& point, const vec& normal, unsigned material = 0);

/// The walls of a box that keeps bodies inside: four planes in 2D, six in 3D, in the order of the axes, lower ones
/// first.
[[nodiscard]] ABUT_API std::vector<wall> box_walls(const vec& min, const vec& max, unsigned material = 0,
                                                   int dimension = 3);

/// An endless cylinder about the axis through a point. A negative radius keeps bodies outside. In 2D, the axis is along
/// z: a circle.
[[nodiscard]] ABUT_API wall endless_cylinder(const vec& point, const vec& axis, double radius, unsigned material = 0);

/// The side of a cylinder, from the middle of one end to that of the other.
[[nodiscard]] ABUT_API wall cylinder(const vec& from, const vec& to, double radius, unsigned material = 0);

/// The side of a cone, cut off or with its tip (radius 0): a silo's hopper.
[[nodiscard]] ABUT_API wall cone(const vec& from, const vec& to, double from_radius, double to_radius,
                                 unsigned material = 0);

/// A flat disc, with a round hole if `hole`, its radius, is above 0. The normal may have any length and either sign.
[[nodiscard]] ABUT_API wall disc(const vec& center, const vec& normal, double radius, double hole = 0,
                                 unsigned material = 0);

/// A parallelogram with a corner and two sides that begin there; a rectangle if they are perpendicular.
[[nodiscard]] ABUT_API wall rectangle(const vec& corner, const vec& side, const vec& other_side, unsigned material = 0);

/// A straight line between two points: in 2D, a piece of a wall; in 3D, a wire.
[[nodiscard]] ABUT_API wall segment(const vec& from, const vec& to, unsigned material = 0);

/// Triangles, which may have holes between them and be in any order and sense. Edges and corners that triangles share
/// push once. Throws `error` for a triangle without an area, with its number. Turns about the origin if it has a spin.
[[nodiscard]] ABUT_API wall mesh(const std::vector<triangle>& triangles, unsigned material = 0);

/// What a file of triangles holds.
struct stl_file {
  std::vector<triangle> triangles{};  ///< in the order of the file
  std::size_t flat = 0;               ///< how many more there are that have no area, which are left out
};

/// Reads triangles from an STL file, binary or text. Normals are ignored. Throws `error` with the path and the place
/// for a file that cannot be read, is cut off, is no STL file, has no triangles, or has a coordinate that is not
/// finite.
[[nodiscard]] ABUT_API stl_file read_stl(const std::string& path);

/// The same for the contents of such a file. `name` stands for the path in errors.
[[nodiscard]] ABUT_API stl_file parse_stl(std::string_view bytes, const std::string& name);

}  // namespace abut::dem
