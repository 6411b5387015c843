// The forces of contacts between bodies and walls, which each body adds to those of other bodies.

#include <algorithm>
#include <array>
#include <span>

#include "inside.hpp"

namespace abut::dem {

// Contacts on their way to the law, and where they belong.
struct simulation::inside::wall_batch {
  std::array<contact, batch_size> all;
  std::array<row, batch_size> body;
  std::size_t count = 0;
};

// A body while forces are computed.
simulation::inside::seen_body simulation::inside::seen(row i, const moment& m) const {
  const body_record& b = record_[i];
  const vec& spin = turn_.empty() ? now_.spin[i] : turn_[i].spin;
  const vec& turning = turn_.empty() ? turning_[i] : turn_[i].turning;
  return {b.at,     b.radius, now_.mass[i], b.velocity, spin, b.velocity - acceleration_[i] * m.half,
          spin - turning * m.half};
}

// Fills in what is known of the contact of a body and a wall. False if they are apart.
bool simulation::inside::meet_wall(row i, std::size_t w, const moment& m, contact& c) const {
  const seen_body b = seen(i, m);
  const wall& at = chosen_.walls[w];
  wall_point p;
  if (at.surface) {
    p = at.surface(b.at);
  } else {
    p = {dot(b.at - at.point, at.normal), at.normal};
  }
  const double overlap = b.radius - p.distance;
  if (!(overlap >= -traits_.reach)) return false;
  c = contact{};
  c.overlap = overlap;
  c.normal = -p.normal;
  c.radius = b.radius;
  c.mass = b.mass;
  c.pair = chosen_.materials.pair(now_.material[i], at.material);
  const auto relative = [&](const vec& v, const vec& spin) {
    return (at.velocity - v) - cross(spin * p.distance, c.normal);
  };
  c.velocity = relative(b.velocity, b.spin);
  c.spin = -b.spin;
  if (traits_.memory == 0 && !chosen_.half_step_velocities) return true;
  finish_meeting(c, m, relative(b.half_velocity, b.half_spin), -b.half_spin);
  return true;
}

// What the velocities in the middle of the step tell.
void simulation::inside::finish_meeting(contact& c, const moment& m, const vec& velocity, const vec& spin) const {
  c.slip = velocity * m.step;
  c.roll = spin * m.step;
  if (!chosen_.half_step_velocities) return;
  c.velocity = velocity;
  c.spin = spin;
}

void simulation::inside::flush(wall_batch& batch, const vec& wall_velocity) {
  if (batch.count == 0) return;
  chosen_.contact_law->apply(std::span(batch.all.data(), batch.count));
  const stability stable{dt_, &fault_};
  for (std::size_t k = 0; k < batch.count; ++k) {
    const contact& c = batch.all[k];
    const row i = batch.body[k];
    stable.check(c, i);
    push_[i] -= c.force;
    if (chosen_.energies) wall_power_[i] += dot(c.force, wall_velocity);
    if (traits_.turns) {
      turn_[i].torque += cross(c.normal, c.force) * (c.overlap - record_[i].radius) - c.torque;
    }
  }
  batch.count = 0;
}

void simulation::inside::push_walls(row from, row to, const moment& m) {
  if (!chosen_.contact_law) return;
  wall_batch batch;
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    for (row i = from; i < to; ++i) {
      if (!free(i)) continue;
      contact& c = batch.all[batch.count];
      const bool meets = meet_wall(i, w, m, c);
      c.memory = traits_.memory > 0 ? wall_memory(w, i) : nullptr;
      if (!meets) {
        if (traits_.memory > 0) std::fill_n(c.memory, traits_.memory, 0.0);
        continue;
      }
      batch.body[batch.count++] = i;
      if (batch.count == batch_size) flush(batch, chosen_.walls[w].velocity);
    }
    flush(batch, chosen_.walls[w].velocity);  // a body's walls in their order, one after the other
  }
}

}  // namespace abut::dem
