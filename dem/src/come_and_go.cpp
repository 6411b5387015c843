// Adds and removes bodies between two steps.

#include <algorithm>
#include <numeric>
#include <string>

#include <abut/error.hpp>

#include "inside.hpp"
#include "stopwatch.hpp"
#include "text.hpp"

namespace abut::dem {

double simulation::inside::energy_of(row i) const {
  if (!free(i) || in_clump(i)) return 0;
  const vec v = beside_flow(now_.velocity[i], now_.position[i]);
  const vec& w = now_.spin[i];
  return 0.5 * now_.mass[i] * dot(v, v) + 0.5 * now_.inertia[i] * dot(w, w) -
         now_.mass[i] * dot(chosen_.gravity, now_.position[i]);
}

double simulation::inside::energy_of(const clump& c) const {
  if (c.moves != motion::free) return 0;
  const vec v = beside_flow(c.velocity, c.center);
  return 0.5 * c.mass * dot(v, v) + 0.5 * dot(c.spin, c.angular_momentum) - c.mass * dot(chosen_.gravity, c.center);
}

std::uint32_t simulation::inside::add(const std::vector<body>& bodies) {
  check_whole();
  const std::size_t first = row_of_.size();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const auto id = static_cast<row>(first + k);
    check(bodies[k], id);
    if (bodies[k].clump) {
      throw error("body " + std::to_string(id) + " belongs to a clump: clumps must be there from the start", id);
    }
  }
  change({}, bodies);
  return static_cast<std::uint32_t>(first);
}

void simulation::inside::remove(std::span<const std::uint32_t> ids) {
  check_whole();
  std::vector<row> gone;
  for (const std::uint32_t id : ids) {
    const row i = row_of(id);
    if (!in_clump(i)) {
      gone.push_back(i);
      continue;
    }
    for (const std::uint32_t other : clumps_[now_.clump[i]].ids) gone.push_back(row_of_[other]);
  }
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  change(gone, {});
}

// Whether a search can be made for bodies of this radius.
void simulation::inside::check_periods(double radius, const std::string& who, std::optional<row> id) const {
  const double least = shortest_side(radius);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::optional<interval>& period = periods()[k];
    if (!period || period->max - period->min >= least) continue;
    throw error(who + " has radius " + text_of(radius) + ": the period along " + "xyz"[k] + " is " +
                    text_of(period->max - period->min) + ", and must be at least twice the largest reach, " +
                    text_of(least),
                id);
  }
}

// Removes rows, given in ascending order and with all bodies of a clump or none, and adds bodies.
void simulation::inside::change(std::span<const row> gone, const std::vector<body>& come) {
  if (gone.empty() && come.empty()) return;
  throw_fault();  // rows are about to change
  for (std::size_t k = 0; k < come.size(); ++k) {
    const std::size_t id = row_of_.size() + k;
    check_periods(come[k].radius, "body " + std::to_string(id), static_cast<row>(id));
  }
  in_one_piece([&] {
    const double elastic = chosen_.energies ? measure().elastic : 0;
    if (!gone.empty()) take_away(gone);
    if (!come.empty()) bring(come);
    renew();
    if (!chosen_.energies) return;
    const double more = measure().elastic - elastic;
    elastic_at_start_ += more;
    brought_ += more;
  });
}

void simulation::inside::take_away(std::span<const row> gone) {
  std::vector<row> kept;
  kept.reserve(now_.size() - gone.size());
  auto next = gone.begin();
  for (row i = 0; i < now_.size(); ++i) {
    if (next == gone.end() || *next != i) {
      kept.push_back(i);
      continue;
    }
    ++next;
    brought_ -= energy_of(i);
    row_of_[now_.id[i]] = no_row;
    if (!chosen_.energies) continue;
    work_of_gone_ += work_[i];
    wall_work_of_gone_ += wall_work_[i];
    if (!free(i)) held_work_of_gone_ += work_[i];
  }
  take_rows(kept);
  if (!clumps_.empty()) take_away_clumps();
  for (dem::drive& d : chosen_.drives) {
    d.bodies.erase(
        std::remove_if(d.bodies.begin(), d.bodies.end(), [&](std::uint32_t id) { return row_of_[id] == no_row; }),
        d.bodies.end());
  }
}

// Those whose bodies are gone; the others move up.
void simulation::inside::take_away_clumps() {
  std::size_t left = 0;
  for (std::size_t k = 0; k < clumps_.size(); ++k) {
    if (row_of_[clumps_[k].ids.front()] == no_row) {
      brought_ -= energy_of(clumps_[k]);
      continue;
    }
    for (const std::uint32_t id : clumps_[k].ids) {
      now_.clump[row_of_[id]] = static_cast<std::uint32_t>(left);
      group_[row_of_[id]] = static_cast<std::int32_t>(left);
    }
    if (left != k) {
      clumps_[left] = std::move(clumps_[k]);
      parts_[left] = std::move(parts_[k]);
    }
    ++left;
  }
  clumps_.resize(left);
  parts_.resize(left);
}

void simulation::inside::bring(const std::vector<body>& come) {
  const std::size_t before = now_.size();
  const std::size_t after = before + come.size();
  std::vector<row> old_rows(after, no_row);
  std::iota(old_rows.begin(), old_rows.begin() + static_cast<std::ptrdiff_t>(before), row{0});
  reorder_wall_memory(old_rows);
  if (before > 0 && !now_.clump.empty()) {
    now_.clump.resize(after, no_clump);
    for (std::size_t k = 0; k < come.size(); ++k) group_.push_back(-1 - static_cast<std::int32_t>(row_of_.size() + k));
  }
  for (const body& b : come) {
    append(b);
    const auto i = static_cast<row>(now_.size() - 1);
    smallest_ = std::min(smallest_, b.radius);
    brought_ += energy_of(i);
    if (!free(i)) continue;
    acceleration_[i] = chosen_.gravity;
    now_.force[i] = chosen_.gravity * now_.mass[i];
  }
  if (!chosen_.drives.empty()) drive_of_.resize(row_of_.size(), no_drive);
  if (chosen_.moved_by == integrator::predictor_corrector) {
    jerk_.resize(after);
    turning_jerk_.resize(after);
  }
  if (chosen_.energies) {
    for (std::vector<double>* of : {&work_, &wall_work_, &wall_power_}) of->resize(after, 0.0);
  }
  line_ = 2 * std::accumulate(now_.radius.begin(), now_.radius.end(), 0.0) / static_cast<double>(after);
}

// After rows have come or gone: makes everything else fit, and finds what is near.
void simulation::inside::renew() {
  const double path = path_;
  const std::uint64_t path_steps = path_steps_;
  resize_records();
  take_in();
  path_ = path;  // bodies have not moved
  path_steps_ = path_steps;
  sorted_ = true;
  if (box_) box_->sums.motion = box_motion();
  find_near();
  if (!patches_) return;
  const stopwatch watch(spent_.find);
  patches_->find(view(), 0);
  path_to_walls_ = 0;
}

}  // namespace abut::dem
