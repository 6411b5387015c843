// How bodies move through a step.
//
// Velocity Verlet, with the velocity at the end of the step predicted for forces that depend on it:
//   x += v dt + a dt^2 / 2,  v* = v + a dt,  a' = forces(x, v*),  v = v* + (a' - a) dt / 2.
// Without such forces it is velocity Verlet to the letter. With them it stays exact to the second order, while the
// usual half-step velocities lag by half a step.
//
// Predictor-corrector: Gear's with four values (position, velocity, acceleration, jerk), coefficients 1/6, 5/6, 1, 1/3
// (Gear 1971; Allen and Tildesley 1987, appendix E).

#include <algorithm>
#include <cmath>
#include <string>

#include <abut/error.hpp>

#include "inside.hpp"
#include "stopwatch.hpp"
#include "text.hpp"

namespace abut::dem {

void simulation::inside::ask_drives(double time) {
  for (std::size_t k = 0; k < chosen_.drives.size(); ++k) {
    driven_[k] = chosen_.drives[k].at(time);
    const vec& v = driven_[k].velocity;
    const vec& w = driven_[k].spin;
    const std::string who = "drive " + std::to_string(k) + " at time " + text_of(time);
    if (!std::isfinite(dot(v, v) + dot(w, w))) throw error(who + " gives a velocity that is not finite");
    if (chosen_.dimension == 2 && (v.z != 0 || w.x != 0 || w.y != 0)) throw error(who + " leaves the plane");
  }
}

// Gives driven bodies the acceleration that leads to their velocity at the step's end.
void simulation::inside::follow_drives(double time_step) {
  for (std::size_t k = 0; k < chosen_.drives.size(); ++k) {
    for (const std::uint32_t id : chosen_.drives[k].bodies) {
      const row i = row_of_[id];
      if (in_clump(i)) {
        const clump& c = clumps_[now_.clump[i]];
        clump_parts& p = parts_[now_.clump[i]];
        p.acceleration = acceleration_[i] = (driven_[k].velocity - c.velocity) * (1 / time_step);
        p.turning = (driven_[k].spin - c.spin) * (1 / time_step);
      } else {
        acceleration_[i] = (driven_[k].velocity - now_.velocity[i]) * (1 / time_step);
        turning_[i] = (driven_[k].spin - now_.spin[i]) * (1 / time_step);
      }
      check_move(i, now_.velocity[i], now_.spin[i]);
    }
    for (const std::size_t w : chosen_.drives[k].walls) wall_next_[w] = driven_[k];
  }
}

// The velocities of what is driven, as the drives have said, without rounding.
void simulation::inside::take_driven() {
  for (std::size_t k = 0; k < chosen_.drives.size(); ++k) {
    for (const std::uint32_t id : chosen_.drives[k].bodies) {
      const row i = row_of_[id];
      if (in_clump(i)) {
        clump& c = clumps_[now_.clump[i]];
        c.velocity = driven_[k].velocity;
        c.spin = driven_[k].spin;
        spread_velocity(c, parts_[now_.clump[i]]);
      } else {
        now_.velocity[i] = driven_[k].velocity;
        now_.spin[i] = driven_[k].spin;
      }
    }
  }
}

void simulation::inside::start_drives() {
  driven_.resize(chosen_.drives.size());
  ask_drives(0);
  take_driven();
  start_driven_walls();
}

void simulation::inside::start_driven_walls() {
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    for (const std::size_t w : chosen_.drives[k].walls) {
      chosen_.walls[w].velocity = driven_[k].velocity;
      chosen_.walls[w].spin = driven_[k].spin;
    }
  }
  for (const wall& w : chosen_.walls) wall_next_.push_back({w.velocity, w.spin});
}

void simulation::inside::predict() {
  const stopwatch watch(spent_.integrate);
  near_->for_each_block([&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) predict(static_cast<row>(i));
  });
  move_walls();
  predict_clumps();
  take_driven();
  take_in();
}

// Gives the loops over pairs the bodies as they are in `now_`.
void simulation::inside::take_in() {
  double moved2 = 0;
  spinning_ = false;
  alike_ = clumps_.empty();
  extent_ = 0;
  take_levers();
  for (row i = 0; i < now_.size(); ++i) {
    spinning_ = spinning_ || now_.spin[i] != vec{};
    alike_ = alike_ && now_.radius[i] == now_.radius[0] && mobility_[i] == mobility_[0];
    body_record& b = record_[i];
    const vec move = now_.position[i] - b.at;
    moved2 = std::max(moved2, dot(move, move));
    extent_ = std::max({extent_, std::abs(b.at.x), std::abs(b.at.y), std::abs(b.at.z)});
    b = {now_.position[i], now_.radius[i], now_.velocity[i], mobility_[i]};
    if (!turn_.empty()) turn_[i] = {now_.spin[i], 1 / now_.inertia[i], vec{}};
  }
  if (!kinds_.empty()) std::copy(now_.material.begin(), now_.material.end(), kinds_.begin());
  add_path(moved2);
}

void simulation::inside::predict(row i) {
  if (now_.moves[i] == motion::fixed || in_clump(i)) return;
  vec& v = now_.velocity[i];
  vec& w = now_.spin[i];
  padded_vec& a = acceleration_[i];
  padded_vec& t = turning_[i];
  const double half = 0.5 * dt_;
  const double ahead = mid_ ? half : dt_;
  now_.orientation[i] = turned(now_.orientation[i], (w + t * half) * dt_);
  now_.position[i] += (v + a * half) * dt_;
  v += a * ahead;
  w += t * ahead;
  if (chosen_.moved_by == integrator::verlet || !free(i)) return;
  const double square = half * dt_;
  now_.position[i] += jerk_[i] * (square * dt_ / 3);
  v += jerk_[i] * square;
  w += turning_jerk_[i] * square;
  a += jerk_[i] * dt_;
  t += turning_jerk_[i] * dt_;
}

// The end of a step for one body: what contacts have summed up is taken, and its state is that of `now_` again.
void simulation::inside::finish(row i, double half) {
  if (ahead_) {
    now_.position[i] = record_[i].at;
    now_.velocity[i] = record_[i].velocity;
    if (!turn_.empty()) now_.spin[i] = turn_[i].spin;
  }
  vec& force = now_.force[i];
  vec& torque = now_.torque[i];
  take_sums(i, force, torque);
  if (in_clump(i)) return;
  if (free(i)) {
    const vec a = force * mobility_[i] + chosen_.gravity;
    const vec t = torque * (1 / now_.inertia[i]);
    force += chosen_.gravity * now_.mass[i];
    if (chosen_.moved_by == integrator::predictor_corrector && steps_ > 0) {
      correct(i, a, t);
    } else if (mid_) {
      now_.velocity[i] += a * half;
      now_.spin[i] += t * half;
    } else {
      now_.velocity[i] += (a - acceleration_[i]) * half;
      now_.spin[i] += (t - turning_[i]) * half;
    }
    acceleration_[i] = a;
    turning_[i] = t;
  }
  check_move(i, now_.velocity[i], now_.spin[i]);
}

// The sums of contacts' forces and torques, which are 0 again for the next step.
void simulation::inside::take_sums(row i, vec& force, vec& torque) {
  force = push_[i];
  push_[i] = vec{};
  if (turn_.empty()) {
    torque = {};
  } else {
    torque = turn_[i].torque;
    turn_[i].torque = vec{};
  }
  if (chosen_.dimension == 2) {  // whatever a law says
    force.z = 0;
    torque.x = torque.y = 0;
  }
}

moving_bodies simulation::inside::moving() {
  moving_bodies m{};
  m.body = record_.data();
  m.push = push_.data();
  m.acceleration = acceleration_.data();
  m.turning = turning_.data();
  m.turn = turn_.empty() ? nullptr : turn_.data();
  m.spin = spinning_ ? now_.spin.data() : nullptr;
  m.spin_now = now_.spin.data();
  m.orientation = now_.orientation.data();
  m.moves = now_.moves.data();
  m.mass = now_.mass.data();
  m.force = chosen_.energies ? now_.force.data() : nullptr;
  m.torque = now_.torque.data();
  m.gravity = chosen_.gravity;
  m.step = dt_;
  m.farthest2 = smallest_ * smallest_;
  m.flat = chosen_.dimension == 2;
  m.too_far = [](void* context, row i, const vec& velocity, const vec& spin) {
    static_cast<inside*>(context)->check_move(i, velocity, spin);
  };
  m.context = this;
  m.wide = wide_;
  m.mid = mid_;
  return m;
}

// After a fault: the state at the end of the step in which it was noticed, up to rounding.
void simulation::inside::step_back() {
  const double half = 0.5 * dt_;
  for (row i = 0; i < now_.size(); ++i) {
    now_.position[i] = record_[i].at;
    now_.velocity[i] = record_[i].velocity;
    if (!turn_.empty()) now_.spin[i] = turn_[i].spin;
    if (now_.moves[i] == motion::fixed) continue;
    const double ahead = mid_ ? half : dt_;
    now_.velocity[i] -= acceleration_[i] * ahead;
    now_.position[i] -= (now_.velocity[i] + acceleration_[i] * half) * dt_;
    if (!turn_.empty()) now_.spin[i] -= turning_[i] * ahead;
  }
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
void simulation::inside::check_move(row i, const vec& velocity, const vec& spin) {
  const vec move = (velocity + acceleration_[i] * (0.5 * dt_)) * dt_;
  const double move2 = dot(move, move);
  const double turn2 = dot(spin, spin);
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
  if (interrupted_) throw error("the simulation cannot go on, since it was interrupted: " + why_);
  if (!fault_.lowest()) return;
  const row i = *fault_.lowest();
  throw error("body " + std::to_string(now_.id[i]) + " in step " + std::to_string(steps_) + " " + fault_.reason() +
                  depth_in_words(i),
              now_.id[i]);
}

// What most often is the cause, if a body is where it cannot be: "; it is 0.32 deep in wall 0, ...". Rounded, since the
// last bits of a state that was stepped back to depend on how many steps were made at once.
std::string simulation::inside::depth_in_words(row i) const {
  double most = 0.5 * now_.radius[i];
  std::string what;
  const auto deeper = [&](double overlap, const std::string& other) {
    if (!(overlap > most)) return;
    most = overlap;
    what = "; it is " + rounded(overlap) + " deep in " + other + ", and its radius is " + rounded(now_.radius[i]) +
           ": does it begin on the right side, and are contacts stiff enough?";
  };
  wall_point p;
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    const wall& other = chosen_.walls[w];
    if (!other.patches.empty() || is_open(other) || !near_wall(now_.position[i], now_.radius[i], other, p)) continue;
    deeper(now_.radius[i] - p.distance, "wall " + std::to_string(w));
  }
  const contact_list& near = *near_;
  for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
    const row a = near.firsts()[slot];
    const row b = near.seconds()[slot];
    contact c;
    if ((a != i && b != i) || !meet_now(a, b, near.image_of(slot), c)) continue;
    deeper(c.overlap, "body " + std::to_string(now_.id[a == i ? b : a]));
  }
  return what;
}

}  // namespace abut::dem
