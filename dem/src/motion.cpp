// How bodies move through a step.
//
// Velocity Verlet, with the velocity at the end of the step predicted for forces that depend on it:
//   x += v dt + a dt^2 / 2,  v* = v + a dt,  a' = forces(x, v*),  v = v* + (a' - a) dt / 2.
// Without such forces it is velocity Verlet to the letter. With them it stays exact to the second order, while the
// usual half-step velocities lag by half a step.
//
// Predictor-corrector: Gear's with four values (position, velocity, acceleration, jerk), coefficients 1/6, 5/6, 1, 1/3
// (Gear 1971; Allen and Tildesley 1987, appendix E).

#include <cmath>
#include <string>

#include "inside.hpp"
#include "text.hpp"

namespace abut::dem {

void simulation::inside::predict() {
  near_->for_each_block([&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) predict(static_cast<row>(i));
  });
  for (wall& w : chosen_.walls) w.point += w.velocity * dt_;
}

void simulation::inside::predict(row i) {
  if (now_.moves[i] == motion::fixed) return;
  // Of driven bodies, accelerations are 0.
  vec& v = now_.velocity[i];
  vec& w = now_.spin[i];
  vec& a = acceleration_[i];
  vec& t = turning_[i];
  const double half = 0.5 * dt_;
  now_.orientation[i] = turned(now_.orientation[i], (w + t * half) * dt_);
  now_.position[i] += (v + a * half) * dt_;
  v += a * dt_;
  w += t * dt_;
  if (chosen_.moved_by == integrator::verlet || !free(i)) return;
  const double square = half * dt_;
  now_.position[i] += jerk_[i] * (square * dt_ / 3);
  v += jerk_[i] * square;
  w += turning_jerk_[i] * square;
  a += jerk_[i] * dt_;
  t += turning_jerk_[i] * dt_;
}

void simulation::inside::sum_and_finish(const moment& m) {
  near_->for_each_block([&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) sum_pushes(static_cast<row>(i));
    push_walls(static_cast<row>(from), static_cast<row>(to), m);
    for (std::size_t i = from; i < to; ++i) finish(static_cast<row>(i), m.half);
  });
}

void simulation::inside::finish(row i, double half) {
  vec& force = now_.force[i];
  vec& torque = now_.torque[i];
  if (chosen_.dimension == 2) {  // whatever a law says
    force.z = 0;
    torque.x = torque.y = 0;
  }
  if (free(i)) {
    const vec a = force * mobility_[i] + chosen_.gravity;
    const vec t = torque * (1 / now_.inertia[i]);
    force += chosen_.gravity * now_.mass[i];
    if (chosen_.moved_by == integrator::predictor_corrector && steps_ > 0) {
      correct(i, a, t);
    } else {
      now_.velocity[i] += (a - acceleration_[i]) * half;
      now_.spin[i] += (t - turning_[i]) * half;
    }
    acceleration_[i] = a;
    turning_[i] = t;
  }
  check_move(i);
}

void simulation::inside::correct(row i, const vec& a, const vec& t) {
  const vec off = a - acceleration_[i];
  const vec turn_off = t - turning_[i];
  now_.position[i] += off * (dt_ * dt_ / 12);
  now_.velocity[i] += off * (dt_ * (5.0 / 12));
  now_.spin[i] += turn_off * (dt_ * (5.0 / 12));
  jerk_[i] += off * (1 / dt_);
  turning_jerk_[i] += turn_off * (1 / dt_);
}

// Whether the next step can be made.
void simulation::inside::check_move(row i) {
  const vec move = (now_.velocity[i] + acceleration_[i] * (0.5 * dt_)) * dt_;
  const double move2 = dot(move, move);
  const double turn2 = dot(now_.spin[i], now_.spin[i]);
  if (move2 <= smallest_ * smallest_ && std::isfinite(turn2)) return;
  if (!std::isfinite(move2) || !std::isfinite(turn2)) {
    fault_.add(i, [] { return std::string("has a velocity that is not a number or not finite"); });
    return;
  }
  fault_.add(i, [&] {
    return "moves by " + text_of(std::sqrt(move2)) + " in one step, more than the smallest radius, " +
           text_of(smallest_) + ": it could pass through a body; make the time step, " + text_of(dt_) + ", smaller";
  });
}

void simulation::inside::throw_fault() const {
  if (!fault_.lowest()) return;
  const row i = *fault_.lowest();
  throw error("body " + std::to_string(now_.id[i]) + " in step " + std::to_string(steps_) + " " + fault_.reason(),
              now_.id[i]);
}

}  // namespace abut::dem
