// A box that deforms, and the bodies in it, through a step (deforming_box.cpp has the equations).

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <abut/error.hpp>

#include "axes.hpp"
#include "inside.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

void check_servo(const box_servo& s, const std::string& who) {
  const bool fits = std::isfinite(s.pressure) && s.mass > 0 && std::isfinite(s.mass) && s.damping >= 0 &&
                    std::isfinite(s.damping) && s.limit > 0;
  if (fits) return;
  throw error(who + " is held with pressure " + text_of(s.pressure) + ", mass " + text_of(s.mass) + ", damping " +
              text_of(s.damping) + " and limit " + text_of(s.limit) +
              ": the first three must be finite, the mass above 0, the damping at least 0, the limit above 0");
}

void check_side(const box_side& s, bool periodic, const std::string& who) {
  const int ways = (s.rate != 0 ? 1 : 0) + (s.rate_at ? 1 : 0) + (s.held ? 1 : 0);
  if (ways > 1) throw error(who + " has more than one of rate, rate_at and held: give one");
  if (ways > 0 && !periodic) throw error(who + " is to change, and it is not periodic");
  if (!std::isfinite(s.rate)) throw error(who + " has the rate " + text_of(s.rate) + ": it must be finite");
  if (s.held) check_servo(*s.held, who);
}

tensor& operator+=(tensor& a, const tensor& b) {
  a.xx += b.xx;
  a.yy += b.yy;
  a.zz += b.zz;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yz += b.yz;
  return a;
}

tensor operator*(const tensor& t, double s) { return {t.xx * s, t.yy * s, t.zz * s, t.xy * s, t.xz * s, t.yz * s}; }

// The symmetric part of the product of two vectors.
tensor product(const vec& a, const vec& b) {
  return {a.x * b.x,
          a.y * b.y,
          a.z * b.z,
          0.5 * (a.x * b.y + a.y * b.x),
          0.5 * (a.x * b.z + a.z * b.x),
          0.5 * (a.y * b.z + a.z * b.y)};
}

}  // namespace

void simulation::inside::check_box() const {
  if (!chosen_.deform) return;
  const box_deformation& how = *chosen_.deform;
  if (std::isnan(how.begin) || std::isnan(how.end))
    throw error("the box deforms from or until a time that is no number");
  for (std::size_t k = 0; k < 3; ++k) {
    check_side(how.sides[k], chosen_.periodic[k].has_value(),
               "the side of the box along " + std::string(axis_names[k]));
  }
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    if (chosen_.walls[w].patches.empty() && !chosen_.walls[w].surface) continue;
    throw error("wall " + std::to_string(w) +
                " is neither a plane nor an endless cylinder: no other can be stretched with a box that deforms");
  }
}

// Fixed and driven bodies would be at rest in one image of the box and move in the others.
void simulation::inside::check_box_bodies() const {
  if (!box_) return;
  for (row i = 0; i < now_.size(); ++i) {
    if (free(i)) continue;
    throw error("body " + std::to_string(now_.id[i]) + " is fixed or driven: in a box that deforms, all move freely",
                now_.id[i]);
  }
  if (box_->has_servo()) (void)volume_sides();
}

vec simulation::inside::volume_sides() const {
  vec sides = period_;
  if (chosen_.dimension == 2) sides.z = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (sides.*axes[k] > 0) continue;
    constexpr double none = std::numeric_limits<double>::infinity();
    double low = -none;
    double high = none;
    for (const wall& w : chosen_.walls) {
      if (!w.patches.empty() || w.surface || w.radius != 0) continue;
      if (w.normal.*axes[k] == 1) low = std::max(low, w.point.*axes[k]);
      if (w.normal.*axes[k] == -1) high = std::min(high, w.point.*axes[k]);
    }
    if (!(high - low > 0 && std::isfinite(high - low))) {
      throw error("stress needs a volume, and along " + std::string(axis_names[k]) +
                  " there is neither a period nor a pair of planes that face each other");
    }
    sides.*axes[k] = high - low;
  }
  return sides;
}

// Before a step: how fast the box changes through it. Bodies get the change of the flow.
void simulation::inside::start_box() {
  if (!box_) return;
  vec area{};
  if (box_->has_servo()) {
    const vec side = volume_sides();
    area = {side.y * side.z, side.x * side.z, side.x * side.y};
  }
  const vec next = box_->next_speed((static_cast<double>(steps_) + 0.5) * dt_, dt_, area);
  check_box_length(box_->sides + next * dt_);
  vec more{};
  for (const auto axis : axes) {
    if (next.*axis != box_->speed.*axis) more.*axis = (next.*axis - box_->speed.*axis) / box_->sides.*axis;
  }
  box_->speed = next;
  if (more == vec{}) return;
  const auto added = [&](const vec& at) { return by_axis(more, at - box_->center); };
  for (clump& c : clumps_) c.velocity += added(c.center);
  near_->for_each_block([&](std::size_t from, std::size_t to) {
    for (auto i = static_cast<row>(from); i < to; ++i) {
      now_.velocity[i] += added(in_clump(i) ? clumps_[now_.clump[i]].center : now_.position[i]);
      check_move(i, now_.velocity[i], now_.spin[i]);
    }
  });
}

void simulation::inside::check_box_length(const vec& sides) const {
  if (now_.size() == 0) return;
  const double least = shortest_side(*std::max_element(now_.radius.begin(), now_.radius.end()));
  for (std::size_t k = 0; k < 3; ++k) {
    if (!chosen_.periodic[k] || sides.*axes[k] >= least) continue;
    throw error("the box gets shorter along " + std::string(axis_names[k]) + " in step " + std::to_string(steps_ + 1) +
                " than bodies allow: " + text_of(sides.*axes[k]) + ", and twice the largest reach is " +
                text_of(least) + "; end its deformation before, or start with a longer box");
  }
}

// How many of the next steps find a box at rest.
std::uint64_t simulation::inside::steps_until_box() const {
  constexpr std::uint64_t forever = std::numeric_limits<std::uint64_t>::max();
  if (!box_) return forever;
  const double time = (static_cast<double>(steps_) + 0.5) * dt_;
  if (box_->moves() || box_->driven(time)) return 1;
  if (time >= box_->how().begin || box_->how().begin == std::numeric_limits<double>::infinity()) return forever;
  const double left = (box_->how().begin - time) / dt_;
  return left < 1e18 ? std::max<std::uint64_t>(static_cast<std::uint64_t>(left), 1) : forever;
}

// Through a step. Two bodies that are n periods apart come nearer by n times what the box loses.
void simulation::inside::advance_box() {
  if (!box_ || !box_->moves()) return;
  const vec images = most_images();
  const vec before = box_->sides;
  box_->advance(dt_);
  period_ = box_->sides;
  const double nearer = length(by_axis(images, box_->sides - before));
  path_ += nearer;
  box_path_ += nearer;
  const bool more = images.x > box_images_.x || images.y > box_images_.y || images.z > box_images_.z;
  if (more) {  // what was listed has not reckoned with these
    near_->expire();
    path_ = std::numeric_limits<double>::infinity();
  }
  if (more || sorted_) box_images_ = images;
}

// By how many periods two bodies that touch before the end of the step can be apart, at most.
vec simulation::inside::most_images() const {
  if (now_.size() == 0) return {};
  vec low = now_.position[0];
  vec high = low;
  double widest = 0;
  for (row i = 0; i < now_.size(); ++i) {
    for (const auto axis : axes) {
      low.*axis = std::min(low.*axis, now_.position[i].*axis);
      high.*axis = std::max(high.*axis, now_.position[i].*axis);
    }
    widest = std::max(widest, 2 * now_.radius[i]);
  }
  const double reach = widest + list_options().margin + 2 * smallest_;  // a body moves by up to the smallest radius
  vec most{};
  for (const auto axis : axes) {
    const double side = std::min(box_->sides.*axis, (box_->sides + box_->speed * dt_).*axis);
    if (side > 0) most.*axis = std::floor((high.*axis - low.*axis + reach) / side);
  }
  return most;
}

// After a step, or at the start.
void simulation::inside::finish_box() {
  if (!box_) return;
  box_sums all;
  for (row i = 0; i < now_.size(); ++i) {
    const vec at = (in_clump(i) ? clumps_[now_.clump[i]].center : record_[i].at) - box_->center;
    all.border += border_[i];
    all.pairs += by_axis(at, pair_force_[i]);
    if (chosen_.walls.empty()) continue;
    const vec weight = in_clump(i) ? vec{} : chosen_.gravity * now_.mass[i];
    all.walls += by_axis(at, now_.force[i] - weight - pair_force_[i]);
  }
  all.motion = box_motion();
  box_->finish(all);
}

// Mass times velocity squared beside the flow, by axis.
vec simulation::inside::box_motion() const {
  vec sum{};
  for_each_moving([&](double mass, const vec& velocity, const vec& at) {
    const vec v = beside_flow(velocity, at);
    sum += by_axis(v, v) * mass;
  });
  return sum;
}

vec simulation::inside::beside_flow(const vec& velocity, const vec& at) const {
  return box_ && box_->moves() ? velocity - box_->flow(at) : velocity;
}

// Wraps a point that moves, and gives it the velocity of the image.
void simulation::inside::wrap_moving(vec& at, vec& velocity) const {
  const vec from = at;
  wrap_point(at);
  if (!box_ || !box_->moves()) return;
  for (const auto axis : axes) {
    if (at.*axis != from.*axis)
      velocity.*axis -= std::round((from.*axis - at.*axis) / period_.*axis) * box_->speed.*axis;
  }
}

box_stress simulation::inside::stress() const {
  check_whole();
  const vec side = volume_sides();
  const double per_volume = 1 / (side.x * side.y * side.z);
  const auto center_of = [&](row i) { return in_clump(i) ? clumps_[now_.clump[i]].center : now_.position[i]; };
  box_stress all;
  for_each_contact([&](const contact& c, const contact_place& at) {
    const vec to = at.wall ? at.to : center_of(at.second) + (at.to - now_.position[at.second]);
    all.contacts += product(to - center_of(at.first), c.force);
  });
  for_each_moving([&](double mass, const vec& velocity, const vec& at) {
    const vec v = beside_flow(velocity, at);
    all.motion += product(v, v) * mass;
  });
  all.contacts = all.contacts * per_volume;
  all.motion = all.motion * per_volume;
  const double sum = (all.contacts.xx + all.motion.xx) + (all.contacts.yy + all.motion.yy) +
                     (chosen_.dimension == 2 ? 0 : all.contacts.zz + all.motion.zz);
  all.pressure = sum / chosen_.dimension;
  return all;
}

}  // namespace abut::dem
