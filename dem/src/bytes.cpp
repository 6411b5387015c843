#include <cstddef>

#include "inside.hpp"

namespace abut::dem {

namespace {

template <class... Columns>
std::size_t bytes_of(const Columns&... columns) {
  return (0 + ... + (columns.capacity() * sizeof(columns[0])));
}

std::size_t bytes_of_state(const state& s) {
  return bytes_of(s.id, s.position, s.velocity, s.spin, s.orientation, s.force, s.torque, s.radius, s.mass, s.inertia,
                  s.material, s.moves, s.clump);
}

}  // namespace

std::size_t simulation::inside::bytes() const {
  std::size_t sum = bytes_of_state(now_) + (kept_ ? bytes_of_state(kept_->bodies) : 0);
  sum += bytes_of(acceleration_, turning_, jerk_, turning_jerk_, mobility_, lever_, held_, row_of_, drive_of_, group_);
  sum += bytes_of(record_, push_, turn_, border_, pair_force_, wall_memory_, met_wall_, work_, wall_work_, wall_power_);
  if (moved_) sum += bytes_of(*moved_);
  if (patches_) sum += patches_->bytes();
  for (const touch_memory& t : touch_memory_) sum += sizeof(t) + bytes_of(t.points, t.numbers);
  for (std::size_t k = 0; k < clumps_.size(); ++k) {
    sum += sizeof(clump) + sizeof(clump_parts) + bytes_of(clumps_[k].ids, parts_[k].at);
  }
  return sum + close_.bytes() + search_.stats().bytes + near_->stats().bytes;
}

}  // namespace abut::dem
