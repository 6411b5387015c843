// The forces of all contacts between bodies. Pairs are computed in the order of rows, and each adds its force to the
// sums of both bodies at once: a body then gets first the pairs in which it is second, by ascending row of the first,
// and then those in which it is first. So a row's sum is complete as soon as its own pairs are done, and the body can
// be moved.
//
// With several threads, each has a part of the rows. Pairs across parts are computed before; their sums are added in
// the same order.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "inside.hpp"
#include "stopwatch.hpp"
#include "text.hpp"

namespace abut::dem {

abut::bodies simulation::inside::view() const {
  const auto column_at = [&](const double& first) { return abut::column(&first, now_.size(), sizeof(body_record)); };
  const body_record& b = record_.front();
  const abut::bodies all =
      chosen_.dimension == 2
          ? abut::spheres(column_at(b.at.x), column_at(b.at.y), column_at(b.radius))
          : abut::spheres(column_at(b.at.x), column_at(b.at.y), column_at(b.at.z), column_at(b.radius));
  return group_.empty() ? all.fixed(held_) : all.fixed(held_).group(group_);
}

// A list before the step, which the predicted positions must not outrun.
void simulation::inside::search_ahead() {
  take_in();
  near_->expire();
  path_ = std::numeric_limits<double>::infinity();
  find_near();
}

// Makes sure that all pairs that may touch now are listed.
void simulation::inside::find_near() {
  if (!sorted_ && path_ <= path_allowed_) return;
  catch_up_all();
  close_.put_back(*near_);
  skin_.lasted(path_, static_cast<double>(path_steps_));
  const abut::bodies all = view();
  bool holds = false;
  {
    const stopwatch watch(spent_.update);
    holds = !sorted_ && near_holds(all);
    if (!holds && near_->stats().updates > 0) {
      changes c;
      if (box_) c.periodic = box_->periods();
      c.margin = near_->reach(search_, all, c.periodic);
      if (moved_) c.new_rows = std::span<const row>(*moved_);
      search_.update(all, c);
    }
  }
  const stopwatch watch(spent_.find);
  if (!holds) {
    if (near_->stats().updates == 0) {
      (void)near_->follow(search_, all);
    } else {
      near_->update(search_);
    }
    near_skin_ = near_->left();
    near_path_ = 0;
    near_steps_ = near_looked_ = 0;
    box_path_ = 0;
    ++searches_;
    moved_.reset();
    sorted_ = false;
    searched_ = true;
  }
  take_close();
}

// Whether the list of near pairs will do for some more steps. The sum of the farthest moves often tells without a look
// at all bodies. It is not asked alone for long, since the list has an eye on how fast bodies really are.
bool simulation::inside::near_holds(const abut::bodies& all) {
  const double spare = std::min(0.5 * skin_.wanted(), 0.25 * near_skin_) + box_path_;
  near_path_ += path_;
  near_steps_ += path_steps_;
  if (near_->left() - near_path_ >= spare && near_steps_ < std::max<std::uint64_t>(near_looked_, 8)) return true;
  const bool holds = near_->hold(all, spare, near_steps_);
  near_looked_ += near_steps_;
  near_path_ = 0;
  near_steps_ = 0;
  return holds;
}

// Moves the bodies that have waited to where they would be now.
void simulation::inside::catch_up_all() {
  if (!close_.some_waited()) return;
  const stopwatch watch(spent_.integrate);
  std::vector<close_part>& parts = close_.parts();
  near_->for_each_task(parts.size(), [&](std::size_t k) { catch_up(moving(), parts[k]); });
}

void simulation::inside::take_close() {
  skin_used_ = std::min(skin_.wanted(), std::max(near_->left() - near_path_ - box_path_, 0.0));
  close_.take(*near_, {record_.data(), period_, traits_.reach, skin_used_, static_cast<std::size_t>(search_.threads()),
                       traits_.memory, law_ != nullptr && law_->in_groups(),
                       chosen_.walls.empty() && !chosen_.energies && turn_.empty() && !spinning_ && !box_,
                       chosen_.gravity == vec{}, dt_});
  skin_.taken(skin_used_, near_skin_, static_cast<double>(now_.size()), static_cast<double>(near_->size()),
              static_cast<double>(close_.size()));
  path_ = 0;
  path_steps_ = 0;
  path_allowed_ = skin_used_ - rounding_room * smallest_;
}

pair_arrays simulation::inside::arrays(const moment& m) {
  double* memory = traits_.memory > 0 ? reinterpret_cast<double*>(near_->memory(0)) : nullptr;
  return {record_.data(),
          push_.data(),
          acceleration_.data(),
          turning_.data(),
          turn_.empty() ? nullptr : turn_.data(),
          kinds_.data(),
          chosen_.materials.size(),
          memory,
          traits_.reach,
          m.half,
          m.step,
          mid_ ? m.step : m.half,
          mid_ ? 0 : 0.5 * dt_,
          wide_,
          alike_,
          box_ && box_->moves(),
          nullptr,
          lever_.empty() ? nullptr : lever_.data(),
          {dt_, &fault_}};
}

// All forces of a step, and then what follows from them: the state at its end in `now_`, or, if `on`, the bodies as
// predicted for the end of the next step.
void simulation::inside::pass(const moment& m, bool on) {
  start_pass(on);
  if (box_ && box_->moves()) close_.shift(period_, box_->speed);
  if (box_ && !on) std::fill(border_.begin(), border_.end(), padded_vec{});
  double seconds = 0;
  std::vector<close_part>& parts = close_.parts();
  std::vector<part_result> results(parts.size());
  {
    const stopwatch watch(seconds);
    pair_arrays a = arrays(m);
    if (box_ && !on) a.border = border_.data();
    if (parts.size() > 1 && law_ != nullptr) {
      near_->for_each_task(parts.size(), [&](std::size_t k) { law_->push_across(a, parts[k]); });
    }
    near_->for_each_task(parts.size(), [&](std::size_t k) { results[k] = pass_part(a, parts, k, m, on); });
  }
  loads_.sum(chosen_.walls.size());
  part_result all;
  for (const part_result& r : results) {
    all.moved2 = std::max(all.moved2, r.moved2);
    all.pushing += r.pushing;
    all.moving += r.moving;
  }
  if (on) add_path(all.moved2);
  const double share = all.moving / std::max(all.pushing + all.moving, 1e-9);
  spent_.integrate += seconds * share;
  spent_.forces += seconds * (1 - share);
}

// The sum of the farthest moves of two bodies since close pairs were taken, or more. A move is rounded when it is added
// to a position.
void simulation::inside::add_path(double moved2) {
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * (extent_ + path_);
  path_ += 2 * (std::sqrt(moved2) + rounding);
  path_to_walls_ += std::sqrt(moved2) + rounding;
  ++path_steps_;
}

simulation::inside::part_result simulation::inside::pass_part(const pair_arrays& a, std::vector<close_part>& parts,
                                                              std::size_t number, const moment& m, bool on) {
  constexpr row rows_at_once = close_part::rows_at_once;
  constexpr row blocks_per_look = 16;  // a look at the clock takes time
  close_part& part = parts[number];
  part.next_across = 0;
  add_incoming(a, part, parts.data());
  part_result result;
  if (on && part.some_wait) {
    ++part.waited;
    result.moved2 = part.waiting_move2;
  }
  for (row from = part.from; from < part.to; from += rows_at_once) {
    const row to = std::min(from + rows_at_once, part.to);
    const bool timed = (from - part.from) / rows_at_once % blocks_per_look == 0;
    const auto in_time = [&](double& sum, auto&& f) {
      if (!timed) return f();
      const stopwatch watch(sum);
      f();
    };
    in_time(result.pushing, [&] {
      if (law_ != nullptr) law_->push(a, part, from, to);
    });
    if (box_ && !on) std::copy(push_.begin() + from, push_.begin() + to, pair_force_.begin() + from);
    in_time(result.moving, [&] {
      for (row i = from; i < to && chosen_.energies; ++i) add_work_before(i, m);
      push_walls(from, to, m);
      for (row i = from; i < to && chosen_.energies; ++i) add_work_after(i, m);
      if (on) {
        result.moved2 = std::max(result.moved2, move_on(moving(), part, from, to));
      } else {
        for (row i = from; i < to; ++i) finish(i, m.half);
      }
    });
  }
  return result;
}

vec simulation::inside::shift_by(const image_shift& image) const {
  return {image[0] * period_.x, image[1] * period_.y, image[2] * period_.z};
}

// How fast that changes.
vec simulation::inside::shift_speed(const image_shift& image) const {
  if (!box_ || !box_->moves()) return {};
  return {image[0] * box_->speed.x, image[1] * box_->speed.y, image[2] * box_->speed.z};
}

// The loop over pairs remembers the middle of the next step, by the velocities that were predicted. Slip and roll lead
// back from there to the end of the last step.
void simulation::inside::step_back_half(row i, row j, const vec& border, double inward, contact& c) const {
  if (turn_.empty()) return;
  const body_record& one = record_[i];
  const body_record& two = record_[j];
  const vec& wi = turn_[i].spin;
  const vec& wj = turn_[j].spin;
  const vec arms = wi * (one.radius - inward) + wj * (two.radius - inward);
  c.slip = ((two.velocity - one.velocity) + border - cross(arms, c.normal)) * (-0.5 * dt_);
  c.roll = (wj - wi) * (-0.5 * dt_);
}

// A contact as laws see it, for `measure`.
bool simulation::inside::meet_now(row i, row j, const image_shift& image, contact& c) const {
  const double sum = now_.radius[i] + now_.radius[j];
  c = contact{};
  if (!meet((now_.position[j] - now_.position[i]) + shift_by(image), sum, traits_.reach, c)) return false;
  c.radius = now_.radius[i] * now_.radius[j] / sum;
  double mobility = mobility_[i] + mobility_[j];
  if (!lever_.empty()) mobility += along(lever_[i], c.normal) + along(lever_[j], c.normal);
  c.mass = 1 / mobility;
  c.pair = chosen_.materials.pair(now_.material[i], now_.material[j]);
  const double inward = traits_.at_surfaces ? 0 : 0.5 * c.overlap;
  const vec arms = now_.spin[i] * (now_.radius[i] - inward) + now_.spin[j] * (now_.radius[j] - inward);
  const vec border = shift_speed(image);
  c.velocity = (now_.velocity[j] - now_.velocity[i]) + border - cross(arms, c.normal);
  c.spin = now_.spin[j] - now_.spin[i];
  if (batches_ || mid_) return true;
  step_back_half(i, j, border, inward, c);
  return true;
}

void stability::too_stiff(const contact& c, row i) const {
  fault->add(i, [&] {
    return "has a contact too stiff for the time step " + text_of(time_step) + ": such a collision lasts " +
           text_of(std::numbers::pi * std::sqrt(c.mass / c.stiffness)) + ", of which a step may be a fifth";
  });
}

void stability::too_viscous(const contact& c, row i) const {
  fault->add(i, [&] {
    return "has a contact too viscous for the time step " + text_of(time_step) + ": a step may be at most " +
           text_of(0.5 * c.mass / c.viscosity);
  });
}

}  // namespace abut::dem
