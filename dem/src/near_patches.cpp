// Which patches of walls a body touches, and where.

#include "near_patches.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace abut::dem {

namespace {

// How many whole periods a center can be moved down by to come within `reach` of [min, max]. Without a period, by none.
struct shifts {
  std::int64_t first = 0, last = 0;
};
shifts shifts_on(double center, double reach, double min, double max, double period) {
  if (period == 0) return {};
  return {static_cast<std::int64_t>(std::ceil((center - reach - max) / period)),
          static_cast<std::int64_t>(std::floor((center + reach - min) / period))};
}

bool within(const patch_box& box, const vec& center, double reach) {
  return center.x >= box.min.x - reach && center.x <= box.max.x + reach && center.y >= box.min.y - reach &&
         center.y <= box.max.y + reach && center.z >= box.min.z - reach && center.z <= box.max.z + reach;
}

}  // namespace

near_patches::near_patches(const std::vector<wall>& walls, int dimension, const options& o, std::string_view method,
                           const contact_options& near)
    : dimension_(dimension), options_(o), search_(plan(method), o), near_(near) {
  const auto side = [&](std::size_t k) { return o.periodic[k] ? o.periodic[k]->max - o.periodic[k]->min : 0.0; };
  period_ = {side(0), side(1), side(2)};
  for (std::uint32_t w = 0; w < walls.size(); ++w) {
    poses_.push_back({walls[w].center, walls[w].center, {}});
    start_.insert(start_.end(), walls[w].patches.begin(), walls[w].patches.end());
    wall_of_.resize(start_.size(), w);
  }
  now_ = start_;
  open_.resize(walls.size(), 0);
  moving_.resize(walls.size(), 0);
  box_.resize(now_.size());
  for (std::size_t k = 0; k < now_.size(); ++k) box_[k] = box_of(now_[k]);
}

void near_patches::use_method(std::string_view method) {
  search_ = search(plan(method), options_);
  expire();
}

void near_patches::expire() {
  near_.expire();
  allowed_ = -1;
}

void near_patches::find(const bodies& b, double moved) {
  path_ += moved;
  if (path_ < allowed_) return;
  (void)near_.follow_between(search_, b, boxes());
  path_ = 0;
  allowed_ = near_.left() * (1 - 1e-9);
}

void near_patches::move(const std::vector<wall_pose>& poses) {
  double farthest = 0;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const std::uint32_t w = wall_of_[k];
    if (poses[w] == poses_[w]) continue;
    const patch before = now_[k];
    farthest = std::max(farthest, place(k, poses[w]));
    if (moving_[w] != 0 || now_[k] == before) continue;
    moving_[w] = 1;
    expire();
  }
  path_ += farthest;
  poses_ = poses;
}

// Returns how far the surface of the box has moved, at most.
double near_patches::place(std::size_t k, const wall_pose& pose) {
  now_[k].a = moved(pose, start_[k].a);
  now_[k].b = moved(pose, start_[k].b);
  now_[k].c = moved(pose, start_[k].c);
  now_[k].normal = rotated(pose.turned, start_[k].normal);
  const patch_box before = std::exchange(box_[k], box_of(now_[k]));
  return length(box_[k].min - before.min) + length(box_[k].max - before.max);
}

bodies near_patches::boxes() const {
  const auto all = [&](const double& first) { return column(&first, box_.size(), sizeof(patch_box)); };
  const patch_box& b = box_.front();
  if (dimension_ == 2) return abut::boxes(all(b.min.x), all(b.max.x), all(b.min.y), all(b.max.y));
  return abut::boxes(all(b.min.x), all(b.max.x), all(b.min.y), all(b.max.y), all(b.min.z), all(b.max.z));
}

void near_patches::touches(row i, const vec& center, double radius, double reach,
                           std::vector<patch_touch>& found) const {
  found.clear();
  const auto begin = near_.offsets();
  const auto seconds = near_.seconds();
  for (std::uint32_t slot = begin[i]; slot < begin[i + 1]; ++slot) add_touches(seconds[slot], center, reach, found);
  if (found.size() < 2) return;
  const std::vector<patch_touch> all = found;
  const double tolerance = 1e-6 * radius;
  const auto drop = [&](const patch_touch& t) { return !counts(t, all, tolerance); };
  found.erase(std::remove_if(found.begin(), found.end(), drop), found.end());
}

void near_patches::mark_near(const bodies& b, std::span<const ball> places, double reach,
                             std::vector<bool>& marked) const {
  search those(plan("grid"), options_);
  those.update(b, {.margin = reach});
  std::vector<patch_touch> found;
  those.for_each_pair_between(boxes(), [&](row i, row k) {
    if (marked[i]) return;
    found.clear();
    add_touches(k, places[i].at, places[i].radius + reach, found);
    marked[i] = !found.empty();
  });
}

// Calls `f(shift)` for the whole periods by which the center can be moved to be within `reach` of the patch's box.
template <class F>
void near_patches::for_each_image(std::uint32_t k, const vec& center, double reach, F&& f) const {
  const patch_box& box = box_[k];
  const shifts x = shifts_on(center.x, reach, box.min.x, box.max.x, period_.x);
  const shifts y = shifts_on(center.y, reach, box.min.y, box.max.y, period_.y);
  const shifts z = shifts_on(center.z, reach, box.min.z, box.max.z, period_.z);
  const auto back = [](std::int64_t count, double period) { return -static_cast<double>(count) * period; };
  for (std::int64_t kz = z.first; kz <= z.last; ++kz) {
    for (std::int64_t ky = y.first; ky <= y.last; ++ky) {
      for (std::int64_t kx = x.first; kx <= x.last; ++kx) {
        const vec shift{back(kx, period_.x), back(ky, period_.y), back(kz, period_.z)};
        if (within(box, center + shift, reach)) f(shift);
      }
    }
  }
}

void near_patches::add_touches(std::uint32_t k, const vec& center, double reach,
                               std::vector<patch_touch>& found) const {
  if (open_[wall_of_[k]] != 0) return;
  for_each_image(k, center, reach, [&](const vec& shift) {
    const patch_point p = nearest(now_[k], center + shift);
    if (!(p.distance <= reach)) return;
    found.push_back({wall_of_[k], k, p, shift});
    const auto opposite = opposite_side(now_[k], center + shift);
    if (opposite && opposite->distance <= reach) found.push_back({wall_of_[k], k, *opposite, shift});
  });
}

bool near_patches::may_touch(std::uint32_t k, const vec& center, double radius) const {
  if (open_[wall_of_[k]] != 0) return false;
  if (moving_[wall_of_[k]] != 0) return true;
  const double reach = (radius + search_.chosen().margin) * (1 + 1e-9);
  bool found = false;
  for_each_image(k, center, reach,
                 [&](const vec& shift) { found = found || nearest(now_[k], center + shift).distance <= reach; });
  return found;
}

// Of two patches that have the point in common, the one that is nearer counts: one on the inside of a patch before one
// on an edge, so that rounding does not matter, and the first of equals.
bool near_patches::counts(const patch_touch& a, const std::vector<patch_touch>& all, double tolerance) const {
  const auto key = [](const patch_touch& t) {
    return std::tuple(!t.point.inside, t.point.distance, t.patch, t.shift.x, t.shift.y, t.shift.z);
  };
  return std::none_of(all.begin(), all.end(), [&](const patch_touch& b) {
    if (a.patch == b.patch && a.shift == b.shift) return false;
    if (!(key(b) < key(a))) return false;
    return nearest(now_[b.patch], (a.point.at - a.shift) + b.shift).distance <= tolerance;
  });
}

std::size_t near_patches::bytes() const {
  return (start_.capacity() + now_.capacity()) * sizeof(patch) + box_.capacity() * sizeof(patch_box) +
         wall_of_.capacity() * sizeof(std::uint32_t) + search_.stats().bytes + near_.stats().bytes;
}

}  // namespace abut::dem
