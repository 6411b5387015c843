// Walls at the start and through a step.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <abut/error.hpp>

#include "axes.hpp"
#include "finite.hpp"
#include "inside.hpp"
#include "stopwatch.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

bool finite(const patch& p) {
  return finite(p.a) && finite(p.b) && finite(p.c) && finite(p.normal) && std::isfinite(p.first + p.second);
}

bool is_flat(const patch& p) { return p.is == patch::form::segment && p.a.z == 0 && p.b.z == 0; }

void check_servo(const wall& w, const std::string& who) {
  if (!w.pressed) return;
  const bool is_plane = w.patches.empty() && !w.surface && w.radius == 0;
  if (!is_plane) throw error(who + " is pressed against bodies and no plane");
  const servo& s = *w.pressed;
  if (!(s.mass > 0) || !(s.damping >= 0) || !std::isfinite(s.force + s.mass + s.damping)) {
    throw error(who + " is pressed with force " + text_of(s.force) + ", mass " + text_of(s.mass) + " and damping " +
                text_of(s.damping) + ": they must be finite, the mass above 0 and the damping at least 0");
  }
}

}  // namespace

void load_keeper::sum(std::size_t walls) {
  if (!wanted_) return;
  std::sort(blocks_.begin(), blocks_.end(), [](const block& a, const block& b) { return a.from < b.from; });
  all_.assign(walls, {});
  for (const block& b : blocks_) {
    for (const part& p : b.parts) {
      all_[p.wall].force += p.load.force;
      all_[p.wall].torque += p.load.torque;
    }
  }
  blocks_.clear();
}

void simulation::inside::check_walls() const {
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    const wall& at = chosen_.walls[w];
    const std::string who = "wall " + std::to_string(w);
    if (at.material >= chosen_.materials.size()) {
      throw error(who + " has material " + std::to_string(at.material) + ": there are " +
                  std::to_string(chosen_.materials.size()));
    }
    if (!finite(at.point) || !finite(at.velocity)) throw error(who + " has a point or velocity that is not finite");
    if (!finite(at.center) || !finite(at.spin)) throw error(who + " has a center or spin that is not finite");
    if (chosen_.dimension == 2 && (at.spin.x != 0 || at.spin.y != 0)) {
      throw error(who + " leaves the plane: in 2D, the angular velocity has only z");
    }
    if (at.opens_at && std::isnan(*at.opens_at)) throw error(who + " opens at a time that is not a number");
    check_servo(at, who);
    if (!at.patches.empty()) {
      check_patches(at, who);
      check_extent(at, who);
    } else if (!at.surface) {
      check_endless(at, who);
    }
  }
}

void simulation::inside::check_patches(const wall& w, const std::string& who) const {
  for (std::size_t k = 0; k < w.patches.size(); ++k) {
    const std::string which = who + " has patch " + std::to_string(k);
    if (!finite(w.patches[k])) throw error(which + ", which is not finite");
    if (chosen_.dimension == 2 && !is_flat(w.patches[k])) {
      throw error(which +
                  ", which is no segment in the plane: in 2D, walls are planes, endless cylinders and segments");
    }
  }
}

// Each point of a wall is there once for every period that the wall spans, and all of them touch a body at once.
void simulation::inside::check_extent(const wall& w, const std::string& who) const {
  patch_box all = box_of(w.patches.front());
  for (const patch& p : w.patches) {
    const patch_box box = box_of(p);
    for (const auto axis : axes) {
      all.min.*axis = std::min(all.min.*axis, box.min.*axis);
      all.max.*axis = std::max(all.max.*axis, box.max.*axis);
    }
  }
  constexpr double most = 8;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!chosen_.periodic[k]) continue;
    const double periods =
        (all.max.*axes[k] - all.min.*axes[k]) / (chosen_.periodic[k]->max - chosen_.periodic[k]->min);
    if (periods <= most) continue;
    throw error(who + " is " + text_of(periods) + " periods long along " + std::string(axis_names[k]) +
                ", and may be " + text_of(most) + ": leave out what repeats");
  }
}

// Planes and endless cylinders must go on through periods, however they turn.
void simulation::inside::check_endless(const wall& w, const std::string& who) const {
  if (!(std::abs(dot(w.normal, w.normal) - 1) < 1e-9)) throw error(who + " has a normal that is not of length 1");
  const bool flat = w.radius == 0;
  const std::array<double, 3> n = {w.normal.x, w.normal.y, w.normal.z};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!chosen_.periodic[k]) continue;
    if (flat && n[k] != 0) throw error(who + " cuts a periodic axis: a plane must be parallel to it");
    if (!flat && std::abs(n[k]) != 1)
      throw error(who + " cuts a periodic axis: a cylinder's axis must be parallel to it");
  }
  check_turning(w, w.spin, who);
  if (chosen_.dimension == 2 && flat && w.normal.z != 0) throw error(who + " has a normal with z in 2D");
  if (chosen_.dimension == 2 && !flat && std::abs(w.normal.z) != 1) {
    throw error(who + " has an axis that is not z in 2D");
  }
}

void simulation::inside::check_turning(const wall& w, const vec& spin, const std::string& who) const {
  const bool periodic = chosen_.periodic[0] || chosen_.periodic[1] || chosen_.periodic[2];
  if (!periodic || !w.patches.empty() || w.surface) return;
  if (length(cross(spin, w.normal)) > 1e-9 * length(spin)) throw error(who + " turns away from a periodic axis");
}

void simulation::inside::start_walls() {
  loads_.sum(chosen_.walls.size());
  bool any = false;
  for (const wall& w : chosen_.walls) {
    wall_start_.push_back({w.point, w.normal});
    poses_.push_back({w.center, w.center, {}});
    any = any || !w.patches.empty();
  }
  if (!any) return;
  contact_options o = list_options();
  o.looks = 1;  // all that is listed, in each step
  o.keep = [this](row i, row k) { return free(i) && patches_->may_touch(k, record_[i].at, record_[i].radius); };
  patches_.emplace(chosen_.walls, chosen_.dimension, search_options(), chosen_.method, o);
  path_to_walls_ = 0;
  touch_memory_.resize(traits_.memory > 0 ? now_.size() : 0);
}

// `on`: whether another step follows before anyone can look at the loads.
void simulation::inside::start_pass(bool on) {
  const bool pressed =
      std::any_of(chosen_.walls.begin(), chosen_.walls.end(), [](const wall& w) { return w.pressed.has_value(); });
  loads_.want(!on || pressed);
  if (!patches_) return;
  const stopwatch watch(spent_.find);
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    if (is_open(chosen_.walls[w])) patches_->open(w);
  }
  patches_->move(poses_);
  patches_->find(view(), std::exchange(path_to_walls_, 0));
}

std::vector<wall> simulation::inside::walls() const {
  std::vector<wall> all = chosen_.walls;
  std::size_t next = 0;
  for (wall& w : all) {
    for (patch& p : w.patches) p = patches_->all()[next++];
  }
  return all;
}

// The velocity along its normal that a pressed plane has through the next step, and at its end. The place follows that
// velocity, so that a plane on springs keeps its energy; and the damping is that of the velocity at the end, so that it
// can be as strong as one likes. As the servo of a box.
void simulation::inside::press(std::size_t w) {
  const wall& at = chosen_.walls[w];
  const servo& s = *at.pressed;
  const double speed = dot(at.velocity, at.normal);
  const vec load = loads_.all()[w].force;
  const double push = s.force + dot(load, at.normal);
  const double next = (speed + dt_ * push / s.mass) / (1 + dt_ * s.damping / s.mass);
  const vec more = at.normal * (next - speed);
  wall_next_[w].velocity = at.velocity + more;
  // The start of the step has been counted with the velocity before it.
  if (chosen_.energies) wall_work_of_gone_ += 0.5 * dt_ * dot(load, more);
}

void simulation::inside::move_walls() {
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    wall& at = chosen_.walls[w];
    wall_pose& pose = poses_[w];
    if (at.pressed) press(w);
    const driven_motion& next = wall_next_[w];
    const vec step = at.pressed ? next.velocity * dt_ : (at.velocity + next.velocity) * (0.5 * dt_);
    check_turning(at, next.spin, "wall " + std::to_string(w));
    const vec turn = (at.spin + next.spin) * (0.5 * dt_);
    pose.to = at.center += step;
    if (!(turn == vec{})) pose.turned = turned(pose.turned, turn);
    if (pose.turned == quaternion{}) {
      at.point += step;
    } else {
      at.point = moved(pose, wall_start_[w].point);
      at.normal = rotated(pose.turned, wall_start_[w].normal);
    }
    at.velocity = next.velocity;
    at.spin = next.spin;
  }
}

}  // namespace abut::dem
