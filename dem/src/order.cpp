// Sorts bodies in memory and wraps them into the period, at fixed step counts. When that happens must not depend on the
// list of near pairs, since the order of rows is the order in which forces are summed.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "inside.hpp"
#include "stopwatch.hpp"

namespace abut::dem {

namespace {

template <class T>
void permute(std::vector<T>& column, std::span<const row> old_rows) {
  std::vector<T> next;
  next.reserve(std::max(column.size(), old_rows.size()));
  for (const row i : old_rows) next.push_back(i == no_row ? T{} : column[i]);
  column = std::move(next);
}

// As searches wrap: into [min, max), and to min if rounding has left it outside.
double wrapped(double x, const interval& period) {
  if (x >= period.min && x < period.max) return x;
  const double side = period.max - period.min;
  x -= std::floor((x - period.min) / side) * side;
  return x >= period.min && x < period.max ? x : period.min;
}

}  // namespace

void simulation::inside::wrap_point(vec& at) const {
  const periodic_axes& now = periods();
  if (now[0]) at.x = wrapped(at.x, *now[0]);
  if (now[1]) at.y = wrapped(at.y, *now[1]);
  if (now[2]) at.z = wrapped(at.z, *now[2]);
}

// A clump is wrapped as a whole, by its center.
void simulation::inside::wrap() {
  for (row i = 0; i < now_.size(); ++i) {
    if (!in_clump(i)) wrap_moving(now_.position[i], now_.velocity[i]);
  }
  for (std::size_t k = 0; k < clumps_.size(); ++k) {
    wrap_moving(clumps_[k].center, clumps_[k].velocity);
    place(clumps_[k], parts_[k]);
    if (box_ && box_->moves()) spread_velocity(clumps_[k], parts_[k]);
  }
}

// By lines of cells along x, then by x, so that bodies that meet are near each other in memory. No two are equal: ids
// differ.
std::vector<row> simulation::inside::rows_by_place() const {
  struct key {
    double z, y, x;
    std::uint32_t id;
    row at;
  };
  std::vector<key> keys(now_.size());
  for (row i = 0; i < keys.size(); ++i) {
    const vec& at = now_.position[i];
    keys[i] = {std::floor(at.z / line_), std::floor(at.y / line_), at.x, now_.id[i], i};
  }
  std::sort(keys.begin(), keys.end(), [](const key& a, const key& b) {
    if (a.z != b.z) return a.z < b.z;
    if (a.y != b.y) return a.y < b.y;
    if (a.x != b.x) return a.x < b.x;
    return a.id < b.id;
  });
  std::vector<row> old_rows(keys.size());
  std::transform(keys.begin(), keys.end(), old_rows.begin(), [](const key& k) { return k.at; });
  return old_rows;
}

void simulation::inside::sort_rows() {
  const stopwatch watch(spent_.update);
  wrap();
  take_rows(rows_by_place());
}

// Keeps these rows, in this order.
void simulation::inside::take_rows(std::span<const row> old_rows) {
  std::vector<row> new_rows(now_.size(), no_row);
  for (row i = 0; i < old_rows.size(); ++i) new_rows[old_rows[i]] = i;
  if (near_) reorder_contacts(new_rows, old_rows.size());
  reorder_wall_memory(old_rows);
  lever_.assign(lever_.size(), {});
  permute(now_.id, old_rows);
  permute(now_.position, old_rows);
  permute(now_.velocity, old_rows);
  permute(now_.spin, old_rows);
  permute(now_.orientation, old_rows);
  permute(now_.force, old_rows);
  permute(now_.torque, old_rows);
  permute(now_.radius, old_rows);
  permute(now_.mass, old_rows);
  permute(now_.inertia, old_rows);
  permute(now_.material, old_rows);
  permute(now_.moves, old_rows);
  if (!now_.clump.empty()) permute(now_.clump, old_rows);
  if (!group_.empty()) permute(group_, old_rows);
  permute(acceleration_, old_rows);
  permute(turning_, old_rows);
  if (chosen_.moved_by == integrator::predictor_corrector) {
    permute(jerk_, old_rows);
    permute(turning_jerk_, old_rows);
  }
  permute(mobility_, old_rows);
  permute(held_, old_rows);
  if (chosen_.energies) {
    for (std::vector<double>* of : {&work_, &wall_work_, &wall_power_}) permute(*of, old_rows);
  }
  for (row i = 0; i < now_.size(); ++i) row_of_[now_.id[i]] = i;
  if (searched_) moved_ = std::move(new_rows);
  sorted_ = near_.has_value();
}

// The list takes rows for ids, so that it lists a body's contacts by ascending row. When rows change, it is given its
// contacts anew. A contact whose bodies exchange their roles remembers the opposite.
void simulation::inside::reorder_contacts(std::span<const row> new_rows, std::size_t rows) {
  if (traits_.memory == 0) {
    near_->load({}, rows);
    return;
  }
  close_.put_back(*near_);
  const saved_contacts old = near_->save();
  struct entry {
    row first, second;
    std::uint32_t slot;
    bool exchanged;
  };
  std::vector<entry> entries;
  entries.reserve(old.firsts.size());
  for (std::uint32_t k = 0; k < old.firsts.size(); ++k) {
    const row a = new_rows[old.firsts[k]];
    const row b = new_rows[old.seconds[k]];
    if (a != no_row && b != no_row) entries.push_back({std::min(a, b), std::max(a, b), k, b < a});
  }
  std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  saved_contacts next;
  next.memory.resize(entries.size() * traits_.memory * sizeof(double));
  const auto* from = reinterpret_cast<const double*>(old.memory.data());
  auto* to = reinterpret_cast<double*>(next.memory.data());
  for (const entry& e : entries) {
    next.firsts.push_back(e.first);
    next.seconds.push_back(e.second);
    for (std::size_t n = 0; n < traits_.memory; ++n) {
      const double value = from[e.slot * traits_.memory + n];
      *to++ = e.exchanged ? -value : value;
    }
  }
  near_->load(next, rows);
}

// `no_row` stands for a body that is new.
void simulation::inside::reorder_wall_memory(std::span<const row> old_rows) {
  if (patches_) patches_->expire();
  if (traits_.memory == 0) return;
  met_wall_.assign(chosen_.walls.size() * old_rows.size(), 1);
  if (patches_) permute(touch_memory_, old_rows);
  std::vector<double> next;
  next.reserve(chosen_.walls.size() * old_rows.size() * traits_.memory);
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    for (const row i : old_rows) {
      if (i == no_row) {
        next.resize(next.size() + traits_.memory);
      } else {
        const double* at = wall_memory(w, i);
        next.insert(next.end(), at, at + traits_.memory);
      }
    }
  }
  wall_memory_ = std::move(next);
}

}  // namespace abut::dem
