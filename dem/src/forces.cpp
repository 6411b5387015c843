// The forces of all contacts. A law sees batches of plain geometry; what it says is kept by slot, so that each body can
// sum its own forces in the order of rows, on any number of threads.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "inside.hpp"
#include "stopwatch.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

// Resizes an array whose contents are not needed, with little room to spare.
template <class T>
void fit(std::vector<T>& array, std::size_t size) {
  if (array.capacity() < size) {
    array = {};
    array.reserve(size + size / 16);
  }
  array.resize(size);
}

}  // namespace

// Contacts on their way to the law, and where they belong.
struct simulation::inside::pair_batch {
  std::array<contact, batch_size> all;
  std::array<std::uint32_t, batch_size> slot;
  std::size_t count = 0;
};

abut::bodies simulation::inside::view() const {
  const abut::bodies all = chosen_.dimension == 2
                               ? abut::spheres(now_.position, &vec::x, &vec::y, abut::column(now_.radius))
                               : abut::spheres(now_.position, &vec::x, &vec::y, &vec::z, abut::column(now_.radius));
  return group_.empty() ? all.fixed(held_) : all.fixed(held_).group(group_);
}

// A list before the step, which the predicted positions must not outrun.
void simulation::inside::search_ahead() {
  near_->expire();
  find_near();
}

void simulation::inside::find_near() {
  const abut::bodies all = view();
  if (near_->stats().updates == 0) {
    const stopwatch watch(spent_.find);
    (void)near_->follow(search_, all);
  } else {
    {
      const stopwatch watch(spent_.update);
      if (!sorted_ && near_->hold(all)) return;
      changes c;
      c.margin = near_->reach(search_);
      if (moved_) c.new_rows = std::span<const row>(*moved_);
      search_.update(all, c);
    }
    const stopwatch watch(spent_.find);
    near_->update(search_);
  }
  ++searches_;
  moved_.reset();
  sorted_ = false;
  searched_ = true;
}

void simulation::inside::push(const moment& m) {
  const stopwatch watch(spent_.forces);
  if (!chosen_.contact_law) {
    pushed_.assign(near_->size(), 0);
    return;
  }
  fit(pushed_, near_->size());
  fit(force_, near_->size());
  if (traits_.turns) fit(lever_, near_->size());
  if (traits_.turns && traits_.torques) fit(torque_, near_->size());
  near_->for_each_block([&](std::size_t from, std::size_t to) {
    pair_batch batch;
    const auto begin = near_->offsets();
    const auto seconds = near_->seconds();
    for (std::size_t i = from; i < to; ++i) {
      for (std::uint32_t slot = begin[i]; slot < begin[i + 1]; ++slot) {
        contact& c = batch.all[batch.count];
        const bool meets = meet(static_cast<row>(i), seconds[slot], near_->image_of(slot), m, c);
        pushed_[slot] = meets ? 1 : 0;
        c.memory = traits_.memory > 0 ? reinterpret_cast<double*>(near_->memory(slot)) : nullptr;
        if (!meets) {
          if (traits_.memory > 0) std::fill_n(c.memory, traits_.memory, 0.0);
          continue;
        }
        batch.slot[batch.count++] = slot;
        if (batch.count == batch_size) flush(batch);
      }
    }
    flush(batch);
  });
}

// Fills in what is known of the contact of i and j, the second one shifted by whole periods. False if they are apart.
bool simulation::inside::meet(row i, row j, const image_shift& image, const moment& m, contact& c) const {
  const vec shift{image[0] * period_.x, image[1] * period_.y, image[2] * period_.z};
  const vec d = (now_.position[j] - now_.position[i]) + shift;
  const double d2 = dot(d, d);
  const double sum = now_.radius[i] + now_.radius[j];
  const double most = sum + traits_.reach;
  if (!(d2 <= most * most)) return false;
  const double distance = std::sqrt(d2);
  c = contact{};
  c.overlap = sum - distance;
  if (c.overlap < -traits_.reach) return false;
  c.normal = distance > 0 ? d * (1 / distance) : vec{1, 0, 0};
  c.radius = now_.radius[i] * now_.radius[j] / sum;
  c.mass = 1 / (mobility_[i] + mobility_[j]);
  c.pair = chosen_.materials.pair(now_.material[i], now_.material[j]);
  const double inward = traits_.at_surfaces ? 0 : 0.5 * c.overlap;
  const double arm_i = now_.radius[i] - inward;
  const double arm_j = now_.radius[j] - inward;
  const auto relative = [&](const vec& vi, const vec& vj, const vec& wi, const vec& wj) {
    return (vj - vi) - cross(wi * arm_i + wj * arm_j, c.normal);
  };
  const vec& wi = now_.spin[i];
  const vec& wj = now_.spin[j];
  c.velocity = relative(now_.velocity[i], now_.velocity[j], wi, wj);
  c.spin = wj - wi;
  if (traits_.memory == 0 && !chosen_.half_step_velocities) return true;
  const vec half_wi = wi - turning_[i] * m.half;
  const vec half_wj = wj - turning_[j] * m.half;
  finish_meeting(c, m,
                 relative(now_.velocity[i] - acceleration_[i] * m.half, now_.velocity[j] - acceleration_[j] * m.half,
                          half_wi, half_wj),
                 half_wj - half_wi);
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

// The bounds of choose_time_step, for what the law says now: a stiffness can grow with the overlap.
void simulation::inside::check_stable(const contact& c, row i) {
  constexpr double most = std::numbers::pi * std::numbers::pi / 25;
  if (c.stiffness * dt_ * dt_ > most * c.mass) {
    fault_.add(i, [&] {
      return "has a contact too stiff for the time step " + text_of(dt_) + ": such a collision lasts " +
             text_of(std::numbers::pi * std::sqrt(c.mass / c.stiffness)) + ", of which a step may be a fifth";
    });
  }
  if (c.viscosity * dt_ > 0.5 * c.mass) {
    fault_.add(i, [&] {
      return "has a contact too viscous for the time step " + text_of(dt_) + ": a step may be at most " +
             text_of(0.5 * c.mass / c.viscosity);
    });
  }
}

void simulation::inside::flush(pair_batch& batch) {
  if (batch.count == 0) return;
  chosen_.contact_law->apply(std::span(batch.all.data(), batch.count));
  const auto firsts = near_->firsts();
  for (std::size_t k = 0; k < batch.count; ++k) {
    const contact& c = batch.all[k];
    const std::uint32_t slot = batch.slot[k];
    force_[slot] = c.force;
    check_stable(c, firsts[slot]);
    if (!traits_.turns) continue;
    lever_[slot] = {cross(c.normal, c.force), traits_.at_surfaces ? 0 : 0.5 * c.overlap};
    if (traits_.torques) torque_[slot] = c.torque;
  }
  batch.count = 0;
}

// Those as second body, by ascending row of the first, then those as first, by ascending row of the second.
void simulation::inside::sum_pushes(row i) {
  vec force;
  vec torque;
  const auto about = [&](std::uint32_t slot) { return lever_[slot].turn * (lever_[slot].inward - now_.radius[i]); };
  const auto back_begin = near_->back_offsets();
  const auto back = near_->back();
  for (std::uint32_t k = back_begin[i]; k < back_begin[i + 1]; ++k) {
    const std::uint32_t slot = back[k];
    if (pushed_[slot] == 0) continue;
    force += force_[slot];
    if (traits_.turns) torque += traits_.torques ? about(slot) + torque_[slot] : about(slot);
  }
  const auto begin = near_->offsets();
  for (std::uint32_t slot = begin[i]; slot < begin[i + 1]; ++slot) {
    if (pushed_[slot] == 0) continue;
    force -= force_[slot];
    if (traits_.turns) torque += traits_.torques ? about(slot) - torque_[slot] : about(slot);
  }
  now_.force[i] = force;
  now_.torque[i] = torque;
}

}  // namespace abut::dem
