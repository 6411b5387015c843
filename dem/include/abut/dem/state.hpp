#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <abut/api.h>
#include <abut/dem/vec.hpp>

namespace abut::dem {

/// How a body moves.
enum class motion : std::uint8_t {
  free,    ///< by forces
  fixed,   ///< not at all
  driven,  ///< at its velocity and angular velocity, whatever pushes it
};

/// A body to simulate: a sphere, or in 2D a disc.
struct body {
  vec position{};               ///< of its center
  vec velocity{};               ///< of its center
  vec spin{};                   ///< angular velocity
  double radius = 0;            ///< above 0
  unsigned material = 0;        ///< its number in the table of materials
  motion moves = motion::free;  ///< by forces, not at all, or at its velocity
  /// If not given, that of a solid sphere of the material's density; in 2D, of a disc of thickness 1.
  std::optional<double> mass{};
  /// Bodies with the same number here are one rigid clump (`settings::clumps`). They never touch each other. They must
  /// agree in velocity, which is that of the clump's center of mass, in spin, and in how they move.
  std::optional<std::uint32_t> clump{};
};

/// All bodies of a simulation, as columns by row. Rows change from time to time (`simulation`), ids never.
struct state {
  std::vector<std::uint32_t> id;        ///< the body's number, in the order in which bodies came; never used again
  std::vector<vec> position;            ///< of the center; on a periodic axis, it may have left the period a little
  std::vector<vec> velocity;            ///< of the center
  std::vector<vec> spin;                ///< angular velocity
  std::vector<quaternion> orientation;  ///< the rotation since the start
  std::vector<vec> force;               ///< of all contacts and of gravity, in the last step; in a clump, of contacts
  std::vector<vec> torque;              ///< of all contacts, in the last step
  std::vector<double> radius;           ///< above 0
  std::vector<double> mass;             ///< above 0; the bodies of a clump share its mass by their volumes
  std::vector<double> inertia;          ///< moment of inertia, about any axis: 2/5 m r^2; of a disc, m r^2 / 2
  std::vector<std::uint32_t> material;  ///< a number in the table of materials
  std::vector<motion> moves;            ///< by forces, not at all, or at its velocity
  std::vector<std::uint32_t> clump;     ///< its place in `simulation::clumps`, or `no_clump`; empty if there are none

  /// The number of bodies.
  [[nodiscard]] std::size_t size() const { return id.size(); }
};

/// For bodies of no clump.
inline constexpr std::uint32_t no_clump = 0xffff'ffffU;

/// The mass of a clump and how it is distributed.
struct clump_mass {
  std::uint32_t number = 0;  ///< which clump: `body::clump`
  double mass = 0;           ///< above 0
  vec center{};              ///< of mass, at the start
  tensor inertia{};          ///< about the center, at the start, along the axes of space; in 2D only zz counts
};

/// A rigid clump of bodies. Its angular momentum changes by torques alone; its angular velocity follows from it.
struct clump {
  std::uint32_t number = 0;          ///< as given: `body::clump`
  motion moves = motion::free;       ///< by forces, not at all, or at its velocity
  double mass = 0;                   ///< of all bodies, what overlaps counted once
  vec center{};                      ///< of mass
  vec velocity{};                    ///< of the center
  vec spin{};                        ///< angular velocity
  vec angular_momentum{};            ///< about the center
  quaternion orientation{};          ///< the rotation since the start
  tensor inertia{};                  ///< about the center, as it was at the start
  vec force{};                       ///< of all contacts and of gravity, in the last step
  vec torque{};                      ///< of all contacts about the center, in the last step
  std::vector<std::uint32_t> ids{};  ///< its bodies, ascending
};

/// A hash of the bits of all positions, velocities, angular velocities and orientations, in the order of ids.
[[nodiscard]] ABUT_API std::uint64_t hash_of(const state& s);

}  // namespace abut::dem
