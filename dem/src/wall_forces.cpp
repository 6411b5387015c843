// The forces of contacts between bodies and walls, which each body adds to those of other bodies, and each wall to its
// load.

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "inside.hpp"

namespace abut::dem {

// Contacts on their way to the law, and where they belong.
struct simulation::inside::wall_batch {
  std::array<contact, batch_size> all;
  std::array<row, batch_size> body;
  std::array<std::uint32_t, batch_size> wall;
  std::array<vec, batch_size> point;  // of the wall's surface, where the force acts
  std::size_t count = 0;
  std::vector<load_keeper::part> loads;

  // Keeps the contact that was just made at the end.
  void keep(row i, std::size_t w, const vec& at) {
    body[count] = i;
    wall[count] = static_cast<std::uint32_t>(w);
    point[count++] = at;
  }
};

namespace {

vec surface_velocity(const wall& w, const vec& at) {
  return w.spin == vec{} ? w.velocity : w.velocity + cross(w.spin, at - w.center);
}

}  // namespace

wall_point place_of(const wall& w, const vec& center) {
  if (w.surface) return w.surface(center);
  if (w.radius == 0) return {dot(center - w.point, w.normal), w.normal};
  const vec out = across(center - w.point, w.normal);
  const double rho = length(out);
  const vec away = rho > 0 ? out * (1 / rho) : any_across(w.normal);
  return w.radius > 0 ? wall_point{w.radius - rho, -away} : wall_point{rho + w.radius, away};
}

// A body while forces are computed.
simulation::inside::seen_body simulation::inside::seen(row i, const moment& m) const {
  const body_record& b = record_[i];
  const vec& spin = turn_.empty() ? now_.spin[i] : turn_[i].spin;
  const double back = mid_ ? 0 : m.half;
  return {b.at,
          b.radius,
          pushed_mass(i),
          b.velocity,
          spin,
          b.velocity - acceleration_[i] * back,
          spin - turning_[i] * back};
}

// The same at the end of a step, for `measure`.
simulation::inside::seen_body simulation::inside::seen_now(row i) const {
  const vec& v = now_.velocity[i];
  const vec& w = now_.spin[i];
  return {now_.position[i], now_.radius[i], pushed_mass(i), v, w, v, w};
}

// Whether a body and a wall that is no set of patches are within the law's reach.
bool simulation::inside::near_wall(const vec& center, double radius, const wall& w, wall_point& p) const {
  p = place_of(w, center);
  return radius - p.distance >= -traits_.reach;
}

// Fills in what is known of the contact of a body and a wall that is no set of patches, and where on the wall it is.
// False if they are apart.
bool simulation::inside::meet_wall(row i, std::size_t w, const moment& m, contact& c, vec& at) const {
  wall_point p;
  if (!near_wall(record_[i].at, record_[i].radius, chosen_.walls[w], p)) return false;
  const seen_body b = seen(i, m);
  at = b.at - p.normal * p.distance;
  meet_surface(i, b, w, p, at, m, c);
  return true;
}

void simulation::inside::meet_surface(row i, const seen_body& b, std::size_t w, const wall_point& p, const vec& at,
                                      const moment& m, contact& c) const {
  const wall& other = chosen_.walls[w];
  c = contact{};
  c.overlap = b.radius - p.distance;
  c.normal = -p.normal;
  c.radius = b.radius;
  c.mass = lever_.empty() ? b.mass : 1 / (1 / b.mass + along(lever_[i], c.normal));
  c.pair = chosen_.materials.pair(now_.material[i], other.material);
  vec surface = surface_velocity(other, at);
  if (box_ && box_->moves()) surface += box_->flow(at);
  const auto relative = [&](const vec& v, const vec& spin) {
    return (surface - v) - cross(spin * p.distance, c.normal);
  };
  c.velocity = relative(b.velocity, b.spin);
  c.spin = other.spin - b.spin;
  if (traits_.memory == 0 && !chosen_.half_step_velocities) return;
  finish_meeting(c, m, relative(b.half_velocity, b.half_spin), other.spin - b.half_spin);
}

// What the velocities in the middle of the step tell.
void simulation::inside::finish_meeting(contact& c, const moment& m, const vec& velocity, const vec& spin) const {
  c.slip = velocity * m.step;
  c.roll = spin * m.step;
  if (!chosen_.half_step_velocities) return;
  c.velocity = velocity;
  c.spin = spin;
}

void simulation::inside::flush(wall_batch& batch) {
  if (batch.count == 0) return;
  chosen_.contact_law->apply(std::span(batch.all.data(), batch.count));
  const stability stable{dt_, &fault_};
  for (std::size_t k = 0; k < batch.count; ++k) {
    const contact& c = batch.all[k];
    const row i = batch.body[k];
    const wall& w = chosen_.walls[batch.wall[k]];
    stable.check(c, i);
    push_[i] -= c.force;
    if (traits_.turns) {
      turn_[i].torque += cross(c.normal, c.force) * (c.overlap - record_[i].radius) - c.torque;
    }
    if (chosen_.energies) {
      wall_power_[i] += dot(c.force, surface_velocity(w, batch.point[k])) + dot(c.torque, w.spin);
    }
    if (loads_.wanted()) {
      batch.loads.push_back({batch.wall[k], {c.force, cross(batch.point[k] - w.center, c.force) + c.torque}});
    }
  }
  batch.count = 0;
}

// What the law remembers ends with the contact.
void simulation::inside::forget(std::size_t w, row i) {
  if (met_wall_.empty() || met_wall_[w * now_.size() + i] == 0) return;
  met_wall_[w * now_.size() + i] = 0;
  std::fill_n(wall_memory(w, i), traits_.memory, 0.0);
}

// A body's walls in their order, one after the other, then its patches.
void simulation::inside::push_walls(row from, row to, const moment& m) {
  if (!chosen_.contact_law || chosen_.walls.empty()) return;
  wall_batch batch;
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    if (!chosen_.walls[w].patches.empty() || is_open(chosen_.walls[w])) continue;
    for (row i = from; i < to; ++i) {
      if (!free(i)) continue;
      contact& c = batch.all[batch.count];
      vec at;
      if (!meet_wall(i, w, m, c, at)) {
        forget(w, i);
        continue;
      }
      c.memory = traits_.memory > 0 ? wall_memory(w, i) : nullptr;
      if (traits_.memory > 0) met_wall_[w * now_.size() + i] = 1;
      batch.keep(i, w, at);
      if (batch.count == batch_size) flush(batch);
    }
    flush(batch);
  }
  if (patches_) push_patches(from, to, m, batch);
  loads_.add(from, std::move(batch.loads));
}

void simulation::inside::push_patches(row from, row to, const moment& m, wall_batch& batch) {
  std::vector<patch_touch> found;
  for (row i = from; i < to; ++i) {
    if (!free(i)) continue;
    const double radius = record_[i].radius;
    patches_->touches(i, record_[i].at, radius, radius + traits_.reach, found);
    if (found.empty()) {
      if (traits_.memory > 0 && !touch_memory_[i].points.empty()) touch_memory_[i] = {};
      continue;
    }
    const seen_body b = seen(i, m);
    if (traits_.memory > 0) touch_memory_[i].recall(found, traits_.memory);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const patch_touch& t = found[k];
      contact& c = batch.all[batch.count];
      meet_surface(i, b, t.wall, {t.point.distance, t.point.normal}, t.point.at, m, c);
      c.memory = traits_.memory > 0 ? touch_memory_[i].at(k, traits_.memory) : nullptr;
      batch.keep(i, t.wall, t.point.at);
      if (batch.count == batch_size) flush(batch);
    }
  }
  flush(batch);
}

void simulation::inside::for_each_wall_contact(const contact_visitor& f) const {
  contact c;
  wall_point p;
  std::vector<patch_touch> found;
  for (row i = 0; i < now_.size(); ++i) {
    if (!free(i)) continue;
    const seen_body b = seen_now(i);
    for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
      const wall& other = chosen_.walls[w];
      if (!other.patches.empty() || is_open(other) || !near_wall(b.at, b.radius, other, p)) continue;
      const vec at = b.at - p.normal * p.distance;
      meet_surface(i, b, w, p, at, {}, c);
      f(c, {i, 0, w, at, wall_memory_.data() + (w * now_.size() + i) * traits_.memory});
    }
    if (!patches_) continue;
    patches_->touches(i, b.at, b.radius, b.radius + traits_.reach, found);
    touch_memory memory;
    if (traits_.memory > 0) memory = touch_memory_[i].recalled(found, traits_.memory);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const patch_touch& t = found[k];
      meet_surface(i, b, t.wall, {t.point.distance, t.point.normal}, t.point.at, {}, c);
      f(c, {i, 0, t.wall, t.point.at - t.shift, traits_.memory > 0 ? memory.at(k, traits_.memory) : nullptr});
    }
  }
}

}  // namespace abut::dem
