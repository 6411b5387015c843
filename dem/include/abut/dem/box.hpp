#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// Holds the stress along an axis at a pressure. The side L of the box changes with the acceleration
/// ((stress - pressure) * area - damping * L') / mass, like a plane that is pressed against bodies (`servo`). This is
/// the equation of Andersen, and of Parrinello and Rahman, for the axis of a box.
struct box_servo {
  double pressure = 0;  ///< above 0 if it compresses
  double mass = 1;      ///< of the side, above 0: a heavy one moves slowly; the mass of all bodies is a good start
  double damping = 0;   ///< force per velocity, at least 0
  /// The largest rate |L'| / L, above 0.
  double limit = std::numeric_limits<double>::infinity();
};

/// How the length of one periodic axis changes. At most one of the three may be set; if none is, it stays.
struct box_side {
  /// The true strain rate L' / L: below 0 if the box is compressed. The length follows exp(rate * time).
  double rate = 0;
  /// The same as a function of time. Called once in each step, with the time of the middle of the step, on one thread.
  /// For bits that are the same on every machine, use portable_sin and portable_cos (abut/dem/portable.hpp).
  std::function<double(double time)> rate_at{};
  std::optional<box_servo> held{};  ///< by a pressure
};

/// How a periodic box changes its shape. Its center stays where it is.
///
/// The box carries bodies along: when its rate changes, each free body gets the change of the box's flow at its place,
/// L' / L times the distance from the center, as a further velocity. So a packing is compressed everywhere at once, and
/// not by a wave from the border. Velocities are those in space. Bodies that touch through a border see its velocity,
/// and a body that is wrapped takes it over. Walls are stretched along with the box.
struct box_deformation {
  std::array<box_side, 3> sides{};  ///< by axis
  /// All sides with a servo keep their proportions: they have one rate, by the mean of what drives them.
  bool isotropic = false;
  double begin = 0;                                      ///< the time before which the box rests
  double end = std::numeric_limits<double>::infinity();  ///< the time from which the box rests
};

/// The mean stress in the box. Pressure is above 0: it is the opposite of the sign that solid mechanics uses.
struct box_stress {
  /// The sum over all contacts of the vector from the first center to the second times the force on the second, made
  /// symmetric, per volume. Of a clump, its center of mass counts. With a wall, the vector ends at the wall.
  tensor contacts{};
  /// The sum over all free bodies of mass * velocity * velocity per volume. Velocities are those beside the box's flow.
  tensor motion{};
  double pressure = 0;  ///< the mean of the normal components of both, over two or three axes
};

}  // namespace abut::dem
