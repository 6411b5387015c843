#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <abut/api.h>

namespace abut::dem {

/// What a body or a wall is made of. Units are yours, as long as they agree: SI, for example.
struct material {
  std::string name{};  ///< for messages
  double density = 1;  ///< mass per volume; in 2D per area
  /// Young's modulus, for hertz-mindlin. Infinite for a rigid wall.
  double young = std::numeric_limits<double>::infinity();
  double poisson = 0;  ///< Poisson's ratio, for hertz-mindlin: above -1, at most 0.5
};

/// How two materials meet. Each law uses some of these numbers (abut/dem/laws.hpp).
struct interaction {
  double stiffness = 0;  ///< force per overlap
  /// Tangential force per displacement; 2/7 of the stiffness if not given.
  std::optional<double> tangential_stiffness{};

  /// Normal damping, as the ratio of the speeds after and before a collision, above 0 and at most 1. The law turns it
  /// into the right viscosity for the reduced mass of each pair.
  std::optional<double> restitution{};
  /// Normal damping, as force per velocity and reduced mass, 1 / time, as in LAMMPS; used if no restitution is given.
  std::optional<double> damping{};
  /// Normal damping, as force per velocity; used if neither a restitution nor a damping is given.
  double viscosity = 0;
  /// Tangential damping, as force per velocity and reduced mass; used if no tangential viscosity is given.
  std::optional<double> tangential_damping{};
  /// Tangential damping, as force per velocity. If neither this nor a tangential damping is given: what the restitution
  /// implies for the tangential stiffness, or half of the damping or of the viscosity.
  std::optional<double> tangential_viscosity{};

  double friction = 0;  ///< Coulomb's coefficient: the largest tangential force per normal force
  /// The coefficient of rolling resistance: the largest rolling torque per normal force and reduced radius.
  double rolling_friction = 0;
  /// Rolling stiffness, as force per rolled length; the tangential stiffness if not given.
  std::optional<double> rolling_stiffness{};

  double cohesion = 0;  ///< the largest cohesive force (kelvin-voigt)
};

/// The materials of a simulation and how each pair of them meets.
class material_table {
 public:
  /// No materials yet. Pairs meet without any force, unless `set` says otherwise.
  material_table() = default;
  /// No materials yet. Pairs meet as `common` says, unless `set` says otherwise. Throws `error` for a number outside
  /// its range.
  ABUT_API explicit material_table(const interaction& common);

  /// Adds a material and returns its number, from 0. Throws `error` for a number outside its range.
  ABUT_API unsigned add(const material& m);
  /// Says how materials a and b meet, in either order. Throws `error` for a number outside its range.
  ABUT_API void set(unsigned a, unsigned b, const interaction& i);

  /// The number of materials.
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(all_.size()); }
  /// A material.
  [[nodiscard]] const material& operator[](unsigned k) const { return all_[k]; }
  /// How materials a and b meet.
  [[nodiscard]] const interaction& between(unsigned a, unsigned b) const { return pairs_[pair(a, b)]; }
  /// The number of an ordered pair of materials, in [0, pairs()): what `contact::pair` is.
  [[nodiscard]] std::size_t pair(unsigned a, unsigned b) const { return std::size_t{a} * all_.size() + b; }
  /// The number of ordered pairs.
  [[nodiscard]] std::size_t pairs() const { return pairs_.size(); }

 private:
  interaction common_{};
  std::vector<material> all_;
  std::vector<interaction> pairs_;  // by pair(a, b)
};

}  // namespace abut::dem
