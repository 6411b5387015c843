// The motion of a periodic box by itself; what it does to bodies is in box_steps.cpp.
//
// With the flow u = (L' / L) (x - center), a body moves by x'' = force / mass + (L'' / L) (x - center). This equation
// has the same form for all images of a body; without forces, the velocity beside the flow times L stays constant, as
// in a gas that is compressed slowly. L' is constant through a step and changes between two steps, when bodies get
// the change of the flow at once. So through a step bodies move as in a box that rests, only that images move.

#include "deforming_box.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <abut/error.hpp>

#include "axes.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

// What drives sides that change together, for the rate L' / L that they have in common: the generalized force, mass
// and damping of that rate.
struct common_drive {
  double force = 0;
  double mass = 0;
  double damping = 0;
  double limit = std::numeric_limits<double>::infinity();

  void add(const box_servo& s, double side, double virial, double area) {
    force += virial - s.pressure * area * side;
    mass += s.mass * side * side;
    damping += s.damping * side * side;
    limit = std::min(limit, s.limit);
  }
  // The damping is that of the rate at the end, so that it can be as strong as one likes.
  [[nodiscard]] double rate_after(double rate, double step) const {
    const double next = (rate + step * force / mass) / (1 + step * damping / mass);
    return std::clamp(next, -limit, limit);
  }
};

}  // namespace

deforming_box::deforming_box(box_deformation how, const periodic_axes& start) : how_(std::move(how)), start_(start) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!start[k]) continue;
    center.*axes[k] = 0.5 * (start[k]->min + start[k]->max);
    sides.*axes[k] = start[k]->max - start[k]->min;
  }
  restore();
}

void deforming_box::restore() {
  place();
  sides_before_ = sides;
}

// A side that is as long as at the start has the very bits of the start.
void deforming_box::place() {
  periods_ = start_;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!start_[k] || sides.*axes[k] == start_[k]->max - start_[k]->min) continue;
    const double half = 0.5 * (sides.*axes[k]);
    periods_[k] = interval{center.*axes[k] - half, center.*axes[k] + half};
  }
}

bool deforming_box::has_servo() const {
  return std::any_of(how_.sides.begin(), how_.sides.end(), [](const box_side& s) { return s.held.has_value(); });
}

vec deforming_box::next_speed(double time, double step, const vec& area) const {
  vec next{};
  if (!driven(time)) return next;
  const vec virial = sums.virial();
  common_drive together;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& held = how_.sides[k].held;
    if (held) together.add(*held, sides.*axes[k], virial.*axes[k], area.*axes[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const box_side& how = how_.sides[k];
    const double side = sides.*axes[k];
    if (how.held) {
      common_drive alone;
      alone.add(*how.held, side, virial.*axes[k], area.*axes[k]);
      const double rate = speed.*axes[k] / side;
      next.*axes[k] = side * (how_.isotropic ? together : alone).rate_after(rate, step);
    } else {
      const double rate = how.rate_at ? how.rate_at(time) : how.rate;
      if (!std::isfinite(rate)) {
        throw error("the rate of the box along " + std::string(axis_names[k]) + " at time " + text_of(time) +
                    " is not finite");
      }
      // Nearly exp(rate * step) times as long after the step: (1 + h) / (1 - h), to the third order.
      const double h = 0.5 * rate * step;
      next.*axes[k] = side * rate / (1 - h);
    }
  }
  return next;
}

void deforming_box::advance(double step) {
  sides_before_ = sides;
  sides += speed * step;
  place();
}

// Work is displacement times the mean of the forces at the start and the end of a step, as for contacts.
void deforming_box::finish(const box_sums& now) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double before = sides_before_.*axes[k];
    const double after = sides.*axes[k];
    if (after == before) continue;
    const double half = 0.5 * (after - before);
    work -= half * (sums.virial().*axes[k] / before + now.virial().*axes[k] / after);
    const vec start = sums.border - sums.walls;
    const vec end = now.border - now.walls;
    contact_work += half * (start.*axes[k] / before + end.*axes[k] / after);
  }
  sums = now;
  sides_before_ = sides;
}

vec deforming_box::rate() const {
  vec r{};
  for (const auto axis : axes) {
    if (speed.*axis != 0) r.*axis = speed.*axis / sides.*axis;
  }
  return r;
}

}  // namespace abut::dem
