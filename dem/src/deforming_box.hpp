#pragma once

#include <abut/dem/box.hpp>
#include <abut/search.hpp>

#include "axes.hpp"

namespace abut::dem {

/// What drives a box and does work on it, by axis; lengths times forces. Places are seen from the center of the box.
struct box_sums {
  vec border{};  ///< over all pairs through a border: the shift by periods times the force on the second
  vec pairs{};   ///< over all bodies: the place times the force of all pairs
  vec walls{};   ///< the same for the force of walls
  vec motion{};  ///< over all bodies: mass times velocity squared, beside the flow

  /// The stress times the volume.
  [[nodiscard]] vec virial() const { return border + pairs + motion; }
};

/// The periods of a simulation as they are now. A length changes linearly through a step. Between two steps its rate
/// changes, and bodies follow (`simulation::inside::start_box`).
struct deforming_box {
  deforming_box() = default;
  deforming_box(box_deformation how, const periodic_axes& start);

  vec center{};
  vec sides{};  ///< 0 on axes that are not periodic
  vec speed{};  ///< how fast they grow in the step that has ended; 0 if the box rests
  box_sums sums{};
  double work = 0;          ///< of the box on the bodies, since the start
  double contact_work = 0;  ///< that part of the work of contacts that bodies' own motion does not account for

  /// As they are now.
  [[nodiscard]] const periodic_axes& periods() const { return periods_; }
  /// The speed of the sides through the next step of this length. `area`: of each side's cross-section.
  [[nodiscard]] vec next_speed(double time, double step, const vec& area) const;
  /// Through a step.
  void advance(double step);
  /// The sums at the end of the step.
  void finish(const box_sums& now);
  /// After sides were loaded.
  void restore();

  [[nodiscard]] bool moves() const { return !(speed == vec{}); }
  /// L' / L.
  [[nodiscard]] vec rate() const;
  /// How fast the box carries a point.
  [[nodiscard]] vec flow(const vec& at) const { return by_axis(rate(), at - center); }
  /// Whether the box is driven through the step whose middle is at this time.
  [[nodiscard]] bool driven(double time) const { return time >= how_.begin && time < how_.end; }
  [[nodiscard]] const box_deformation& how() const { return how_; }
  [[nodiscard]] bool has_servo() const;

 private:
  void place();

  box_deformation how_{};
  periodic_axes start_{};
  periodic_axes periods_{};
  vec sides_before_{};  // the last step
};

}  // namespace abut::dem
