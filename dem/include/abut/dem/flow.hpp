#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <abut/api.h>
#include <abut/dem/vec.hpp>

namespace abut::dem {

/// A part of space.
struct region {
  /// What it is.
  enum class form : std::uint8_t {
    box,         ///< from the corner a to the corner b; in 2D a rectangle, with z = 0
    cylinder,    ///< from a to b, in 3D only
    half_space,  ///< all on the side of a plane through a to which b points
  };
  form is = form::box;  ///< what it is
  vec a{};              ///< a point
  vec b{};              ///< a point, or the direction of a half space
  double radius = 0;    ///< of a cylinder
};

/// An axis-aligned box, its borders included. In 2D, a rectangle.
[[nodiscard]] ABUT_API region box_region(const vec& min, const vec& max);
/// A cylinder about any axis, from the middle of one end to that of the other, its borders included.
[[nodiscard]] ABUT_API region cylinder_region(const vec& from, const vec& to, double radius);
/// All points on the side of a plane to which the normal, of any length, points.
[[nodiscard]] ABUT_API region half_space(const vec& point, const vec& normal);
/// Whether a point is in a region.
[[nodiscard]] ABUT_API bool contains(const region& r, const vec& point);

/// How often a radius occurs.
struct radius_share {
  double radius = 0;  ///< above 0
  double share = 0;   ///< of the number of bodies, relative to the other shares; at least 0
};

/// How the radii of bodies are distributed, between `largest / ratio` and `largest`.
struct radius_distribution {
  /// The law.
  enum class law : std::uint8_t {
    equal,         ///< all are the largest
    uniform,       ///< uniform
    inverse_cube,  ///< number density ~ r^-3
    by_mass,       ///< equal mass on a logarithmic scale: number density ~ r^-4, in 2D r^-3
    table,         ///< those of the table
  };
  law is = law::equal;                ///< the law
  double largest = 0;                 ///< the largest radius; not for tables
  double ratio = 1;                   ///< of the largest radius to the smallest, at least 1; not for tables
  std::vector<radius_share> table{};  ///< radii and how often they occur
};

/// The smallest radius that occurs.
[[nodiscard]] ABUT_API double smallest_radius(const radius_distribution& d);

/// Pours bodies into a region. A new body is wholly inside of the region and overlaps no body and no wall, and is
/// beyond the reach of cohesion. One that finds no room waits and tries again later; none is lost.
struct pour {
  region into{};                ///< a box or a cylinder
  radius_distribution radii{};  ///< of the bodies
  unsigned material = 0;        ///< of the bodies: its number in the table of materials
  vec velocity{};               ///< of the bodies; in a box that deforms, beside its flow
  vec spin{};                   ///< angular velocity of the bodies

  /// How many bodies are poured in all. Without end if not given.
  std::optional<std::uint64_t> count{};
  /// Bodies per time. Without this and `mass_rate`, all are poured from the start on, as fast as there is room.
  std::optional<double> rate{};
  std::optional<double> mass_rate{};                     ///< mass per time, instead of `rate`
  double start = 0;                                      ///< the time from which bodies are poured
  double end = std::numeric_limits<double>::infinity();  ///< the time from which none are, not even those that wait

  std::uint64_t seed = 1;     ///< of radii and places
  std::uint64_t every = 100;  ///< the steps from one pouring to the next; the first is before the first step
};

/// How far a pour has come.
struct pour_progress {
  std::uint64_t poured = 0;   ///< bodies
  std::uint64_t waiting = 0;  ///< bodies whose turn has come, but that have found no room yet
  double mass = 0;            ///< of the bodies that were poured
};

/// Removes bodies whose centers are in a region. A clump is removed as a whole if its center of mass is.
struct removal {
  region from{};                                         ///< where
  double start = 0;                                      ///< the time from which bodies are removed
  double end = std::numeric_limits<double>::infinity();  ///< the time from which none are
  bool held = false;          ///< whether bodies that are fixed or driven are removed, instead of free ones
  std::uint64_t every = 100;  ///< the steps from one removal to the next; the first is before the first step
};

/// What a removal has removed.
struct removal_progress {
  std::uint64_t removed = 0;  ///< bodies
  double mass = 0;            ///< of these
};

}  // namespace abut::dem
