#include "touch_memory.hpp"

#include <algorithm>

namespace abut::dem {

namespace {

// Normals that differ by more than 60 degrees belong to different contacts.
constexpr double least_similar = 0.5;

}  // namespace

void touch_memory::recall(const std::vector<patch_touch>& now, std::size_t count) {
  if (points.size() != 1 || now.size() != 1) {
    *this = recalled(now, count);
    return;
  }
  const bool same = points[0].wall == now[0].wall && dot(points[0].normal, now[0].point.normal) > least_similar;
  if (!same) std::fill(numbers.begin(), numbers.end(), 0.0);
  points[0] = {now[0].wall, now[0].point.normal};
}

touch_memory touch_memory::recalled(const std::vector<patch_touch>& now, std::size_t count) const {
  touch_memory next;
  next.numbers.assign(now.size() * count, 0.0);
  for (const patch_touch& t : now) next.points.push_back({t.wall, t.point.normal});
  std::vector<bool> taken(points.size(), false);
  std::vector<bool> given(now.size(), false);
  for (;;) {  // the most similar pair first
    double best = least_similar;
    std::size_t from = points.size(), to = 0;
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = 0; b < now.size(); ++b) {
        if (taken[a] || given[b] || points[a].wall != now[b].wall) continue;
        const double similar = dot(points[a].normal, now[b].point.normal);
        if (!(similar > best)) continue;
        best = similar;
        from = a;
        to = b;
      }
    }
    if (from == points.size()) return next;
    taken[from] = given[to] = true;
    std::copy_n(numbers.data() + from * count, count, next.at(to, count));
  }
}

}  // namespace abut::dem
