// Rigid clumps. Each body of a clump has a row of its own, with forces like any other; after they are summed, the clump
// gathers them in the order of ids, and its bodies follow its motion.
//
// Translation is velocity Verlet (motion.cpp). Rotation: the angular momentum L, along the axes of space, changes by
// the mean of the torques at the start and the end of a step, so that without torques it does not change at all. The
// orientation turns by the angular velocity that L has in the middle of the step, at the orientation in the middle,
// which is found by iteration: the midpoint rule, which keeps the energy bounded.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <abut/error.hpp>

#include "inside.hpp"
#include "solid.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

[[noreturn]] void refuse(const clump& c, const std::string& what) {
  throw error("clump " + std::to_string(c.number) + " " + what, c.ids.empty() ? 0 : c.ids.front());
}

tensor inverse_of(const tensor& t, int dimension) {
  if (dimension == 2) return {.zz = 1 / t.zz};
  const double xx = t.yy * t.zz - t.yz * t.yz;
  const double xy = t.xz * t.yz - t.xy * t.zz;
  const double xz = t.xy * t.yz - t.xz * t.yy;
  const double s = 1 / (t.xx * xx + t.xy * xy + t.xz * xz);
  return {s * xx, s * (t.xx * t.zz - t.xz * t.xz), s * (t.xx * t.yy - t.xy * t.xy), s * xy,
          s * xz, s * (t.xy * t.xz - t.xx * t.yz)};
}

// Whether a tensor can be one of inertia: all rotations have energy.
bool positive(const tensor& t, int dimension) {
  if (dimension == 2) return t.zz > 0 && std::isfinite(t.zz);
  const double two = t.xx * t.yy - t.xy * t.xy;
  const double three =
      t.xx * (t.yy * t.zz - t.yz * t.yz) - t.xy * (t.xy * t.zz - t.yz * t.xz) + t.xz * (t.xy * t.yz - t.yy * t.xz);
  return t.xx > 0 && two > 0 && three > 0 && std::isfinite(three);
}

}  // namespace

// Clumps by ascending number, their bodies by ascending id.
void simulation::inside::make_clumps(const std::vector<body>& bodies) {
  std::map<std::uint32_t, clump> found;
  for (row i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].clump) continue;
    clump& c = found[*bodies[i].clump];
    c.number = *bodies[i].clump;
    join(bodies[i], i, c, bodies[c.ids.empty() ? i : c.ids.front()]);
    c.ids.push_back(i);
  }
  for (const clump_mass& m : chosen_.clumps) {
    if (!found.contains(m.number)) {
      throw error("clump " + std::to_string(m.number) + " has a mass but no bodies");
    }
  }
  if (found.empty()) return;
  if (chosen_.moved_by != integrator::verlet) throw error("clumps are moved by velocity Verlet only");
  now_.clump.assign(bodies.size(), no_clump);
  for (row i = 0; i < bodies.size(); ++i) group_.push_back(-1 - static_cast<std::int32_t>(i));
  for (auto& [number, c] : found) {
    for (const std::uint32_t id : c.ids) {
      now_.clump[id] = static_cast<std::uint32_t>(clumps_.size());
      group_[id] = static_cast<std::int32_t>(clumps_.size());
    }
    give_mass(c, bodies);
    clumps_.push_back(std::move(c));
  }
}

// Checks that a body fits the clump's first body.
void simulation::inside::join(const body& b, row i, const clump& c, const body& first) {
  const auto differs = [&](const std::string& in) {
    throw error("body " + std::to_string(i) + " of clump " + std::to_string(c.number) + " differs in " + in +
                    " from body " + std::to_string(c.ids.front()),
                i);
  };
  if (b.moves != first.moves) differs("how it moves");
  if (b.velocity != first.velocity) differs("its velocity");
  if (b.spin != first.spin) differs("its spin");
  if (b.mass) {
    throw error("body " + std::to_string(i) + " of clump " + std::to_string(c.number) +
                    " has a mass of its own: give that of the clump",
                i);
  }
}

void simulation::inside::give_mass(clump& c, const std::vector<body>& bodies) {
  std::vector<solid_ball> balls;
  for (const std::uint32_t id : c.ids) {
    balls.push_back({bodies[id].position, bodies[id].radius, chosen_.materials[bodies[id].material].density});
  }
  const auto given = std::find_if(chosen_.clumps.begin(), chosen_.clumps.end(),
                                  [&](const clump_mass& m) { return m.number == c.number; });
  const solid mass = given != chosen_.clumps.end() ? solid{given->mass, given->center, given->inertia}
                                                   : solid_of(balls, chosen_.dimension);
  if (!(mass.mass > 0) || !std::isfinite(mass.mass)) {
    refuse(c, "has mass " + text_of(mass.mass) + ": it must be finite and above 0");
  }
  if (!std::isfinite(dot(mass.center, mass.center))) refuse(c, "has a center that is not finite");
  if (!positive(mass.inertia, chosen_.dimension)) refuse(c, "has an inertia that is not positive");
  const body& first = bodies[c.ids.front()];
  c.moves = first.moves;
  c.mass = mass.mass;
  c.center = mass.center;
  c.inertia = mass.inertia;
  c.velocity = c.moves == motion::fixed ? vec{} : first.velocity;
  c.spin = c.moves == motion::fixed ? vec{} : first.spin;
  c.angular_momentum = chosen_.dimension == 2 ? vec{0, 0, c.inertia.zz * c.spin.z} : c.inertia * c.spin;
  clump_parts p;
  p.inverse = inverse_of(c.inertia, chosen_.dimension);
  for (const solid_ball& b : balls) p.at.push_back(b.center - c.center);
  double sum = 0;  // of the balls as if they did not overlap, by which they share the mass
  for (const std::uint32_t id : c.ids) sum += mass_of(bodies[id].radius, bodies[id].material);
  for (const std::uint32_t id : c.ids) {
    now_.mass[id] = c.mass * (mass_of(bodies[id].radius, bodies[id].material) / sum);
    const tensor& t = c.inertia;
    now_.inertia[id] = chosen_.dimension == 2 ? t.zz : (t.xx + t.yy + t.zz) / 3;
    mobility_[id] = c.moves == motion::free ? 1 / c.mass : 0;
  }
  parts_.push_back(std::move(p));
}

// The mass that a body of a clump, pushed where it is, seems to have at least: the clump also turns.
double simulation::inside::lever_mass(row i) const {
  if (!in_clump(i)) return now_.mass[i];
  const clump& c = clumps_[now_.clump[i]];
  const clump_parts& p = parts_[now_.clump[i]];
  double most = 0;
  for (const vec& at : p.at) {
    double sum = 0;
    for (const vec& axis : {vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}}) {
      const vec arm = cross(at, axis);
      sum += dot(arm, p.inverse * arm);
    }
    most = std::max(most, sum);
  }
  return 1 / (1 / c.mass + most);
}

// A force at the surface of a ball, along its normal n, has an arm to the clump's center whose part across n is that of
// the ball's center d. So the contact point gives way by n · n / mass + (d x n) · I^-1 (d x n) of the force.
void simulation::inside::take_levers() {
  for (std::size_t k = 0; k < clumps_.size(); ++k) {
    const clump& c = clumps_[k];
    if (c.moves != motion::free) continue;
    const clump_parts& p = parts_[k];
    const auto turns = [&](const vec& arm) {
      return rotated(c.orientation, p.inverse * rotated(opposite(c.orientation), arm));
    };
    for (std::size_t n = 0; n < c.ids.size(); ++n) {
      const vec d = rotated(c.orientation, p.at[n]);
      const vec x = cross(d, {1, 0, 0}), y = cross(d, {0, 1, 0}), z = cross(d, {0, 0, 1});
      const vec tx = turns(x), ty = turns(y), tz = turns(z);
      lever_[row_of_[c.ids[n]]] = {dot(x, tx), dot(y, ty), dot(z, tz), dot(x, ty), dot(x, tz), dot(y, tz)};
    }
  }
}

// Calls f(clump) for all clumps on all threads: clump k together with the block that has row k.
template <class F>
void simulation::inside::for_each_clump(F&& f) {
  if (clumps_.empty()) return;
  near_->for_each_block([&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < std::min(to, clumps_.size()); ++k) f(clumps_[k], parts_[k]);
  });
}

void simulation::inside::start_clumps() {
  for (std::size_t k = 0; k < clumps_.size(); ++k) {
    place(clumps_[k], parts_[k]);
    spread_velocity(clumps_[k], parts_[k]);
  }
}

void simulation::inside::predict_clumps() {
  for_each_clump([&](clump& c, clump_parts& p) { predict(c, p); });
}

void simulation::inside::finish_clumps(double half) {
  for_each_clump([&](clump& c, clump_parts& p) {
    if (c.moves == motion::free) finish(c, p, half);
    spread_velocity(c, p);
  });
}

// Places the bodies by the clump's center and orientation.
void simulation::inside::place(const clump& c, const clump_parts& p) {
  for (std::size_t k = 0; k < c.ids.size(); ++k) {
    const row i = row_of_[c.ids[k]];
    now_.position[i] = c.center + rotated(c.orientation, p.at[k]);
    now_.orientation[i] = c.orientation;
  }
}

void simulation::inside::spread_velocity(const clump& c, const clump_parts& p) {
  for (std::size_t k = 0; k < c.ids.size(); ++k) {
    const row i = row_of_[c.ids[k]];
    now_.velocity[i] = c.velocity + cross(c.spin, rotated(c.orientation, p.at[k]));
    now_.spin[i] = c.spin;
    check_move(i, now_.velocity[i], now_.spin[i]);
  }
}

// The angular velocity of a clump with this angular momentum and orientation.
vec simulation::inside::spin_of(const clump_parts& p, const vec& momentum, const quaternion& orientation) {
  return rotated(orientation, p.inverse * rotated(opposite(orientation), momentum));
}

// To the end of the step, as `predict` of a row does. Its bodies get velocities that are extrapolated to the end, and
// accelerations by which those in the middle of the step follow.
void simulation::inside::predict(clump& c, clump_parts& p) {
  if (c.moves == motion::fixed) return;
  const double half = 0.5 * dt_;
  vec middle = c.spin + p.turning * half;
  if (c.moves == motion::free) {
    const vec momentum = c.angular_momentum + c.torque * half;
    middle = c.spin;
    for (int repeat = 0; repeat < 4; ++repeat) {
      middle = spin_of(p, momentum, turned(c.orientation, middle * half));
    }
    c.angular_momentum += c.torque * dt_;
  }
  const quaternion before = c.orientation;
  const vec step = (c.velocity + p.acceleration * half) * dt_;
  c.orientation = turned(c.orientation, middle * dt_);
  c.center += step;
  c.velocity += p.acceleration * dt_;
  c.spin = c.moves == motion::free ? spin_of(p, c.angular_momentum, c.orientation) : c.spin + p.turning * dt_;
  const double per_half = 1 / half;
  for (std::size_t k = 0; k < c.ids.size(); ++k) {
    const row i = row_of_[c.ids[k]];
    const vec at = rotated(c.orientation, p.at[k]);
    const vec moved = step + (at - rotated(before, p.at[k]));
    now_.position[i] = c.center + at;
    now_.orientation[i] = c.orientation;
    now_.velocity[i] = c.velocity + cross(c.spin, at);
    now_.spin[i] = c.spin;
    acceleration_[i] = (now_.velocity[i] - moved * (1 / dt_)) * per_half;
    turning_[i] = (c.spin - middle) * per_half;
  }
}

// Gathers the forces on its bodies and corrects its velocity, as `finish` of a row does.
void simulation::inside::finish(clump& c, clump_parts& p, double half) {
  vec force;
  vec torque;
  for (std::size_t k = 0; k < c.ids.size(); ++k) {
    const row i = row_of_[c.ids[k]];
    force += now_.force[i];
    torque += cross(rotated(c.orientation, p.at[k]), now_.force[i]) + now_.torque[i];
  }
  const vec a = force * (1 / c.mass) + chosen_.gravity;
  c.velocity += (a - p.acceleration) * half;
  c.angular_momentum += (torque - c.torque) * half;
  c.spin = spin_of(p, c.angular_momentum, c.orientation);
  c.force = force + chosen_.gravity * c.mass;
  c.torque = torque;
  p.acceleration = a;
}

}  // namespace abut::dem
