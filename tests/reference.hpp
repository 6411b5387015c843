#pragma once

// The oracle: tries every pair by the contract's formulas, written out on the columns, and shares no code with the
// library. Slow and plain on purpose; its answers are kept, since the tests of every method ask for the same sets.
// Tests are compiled without fused operations, as the contract demands.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <abut/search.hpp>

#include "samples.hpp"

namespace reference {

using periods = std::array<std::optional<abut::interval>, 3>;

/// A body or a region: a sphere (c, r) or a box (min, max), with zeros on the third axis in 2D.
struct volume {
  bool is_box = false;
  double c[3] = {0, 0, 0};
  double r = 0;
  double min[3] = {0, 0, 0};
  double max[3] = {0, 0, 0};
  bool fixed = false;
  std::optional<std::int64_t> group{};
  std::uint64_t category = UINT64_MAX;  // bodies without masks are everything and collide with everything
  std::uint64_t collides = UINT64_MAX;
};

/// Whether two bodies may be a pair at all, of one set or of two.
inline bool may_pair(const volume& a, const volume& b) {
  if (a.fixed && b.fixed) return false;
  if (a.group && b.group && *a.group == *b.group) return false;
  const bool a_minds = (a.collides & b.category) == 0;
  const bool b_minds = (b.collides & a.category) == 0;
  return !a_minds && !b_minds;
}

inline bool sphere_meets_sphere(const volume& a, const volume& b, double m) {
  const double dx = a.c[0] - b.c[0];
  const double dy = a.c[1] - b.c[1];
  const double dz = a.c[2] - b.c[2];
  const double reach = (a.r + b.r) + m;
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}

inline bool box_meets_box(const volume& a, const volume& b, double m) {
  return a.min[0] <= b.max[0] + m && b.min[0] <= a.max[0] + m &&  //
         a.min[1] <= b.max[1] + m && b.min[1] <= a.max[1] + m &&  //
         a.min[2] <= b.max[2] + m && b.min[2] <= a.max[2] + m;
}

inline bool sphere_meets_box(const volume& s, const volume& b, double m) {
  double d[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    if (s.c[k] < b.min[k]) d[k] = b.min[k] - s.c[k];
    if (s.c[k] > b.max[k]) d[k] = s.c[k] - b.max[k];
  }
  const double reach = s.r + m;
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach;
}

inline bool meets(const volume& a, const volume& b, double m) {
  if (!a.is_box && !b.is_box) return sphere_meets_sphere(a, b, m);
  if (a.is_box && b.is_box) return box_meets_box(a, b, m);
  return a.is_box ? sphere_meets_box(b, a, m) : sphere_meets_box(a, b, m);
}

inline std::vector<volume> volumes(const abut::samples::set& bodies) {
  std::vector<volume> all(bodies.size());
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].is_box = bodies.kind == abut::shape::box;
    all[i].fixed = !bodies.fixed.empty() && bodies.fixed[i] != 0;
    if (!bodies.group.empty()) all[i].group = bodies.group[i];
    if (!bodies.category.empty()) {
      all[i].category = bodies.category[i];
      all[i].collides = bodies.collides[i];
    }
    for (std::size_t k = 0; k < axes; ++k) {
      if (all[i].is_box) {
        all[i].min[k] = bodies.column[k][i];
        all[i].max[k] = bodies.column[axes + k][i];
      } else {
        all[i].c[k] = bodies.column[k][i];
      }
    }
    if (!all[i].is_box) all[i].r = bodies.column[axes][i];
  }
  return all;
}

/// In 2D the third coordinate is ignored.
inline volume of_region(const abut::region& where, int dimension) {
  volume v;
  const auto axes = static_cast<std::size_t>(dimension);
  if (const auto* s = std::get_if<abut::sphere>(&where)) {
    v.r = s->radius;
    for (std::size_t k = 0; k < axes; ++k) v.c[k] = s->center[k];
    return v;
  }
  const auto& b = std::get<abut::box>(where);
  v.is_box = true;
  for (std::size_t k = 0; k < axes; ++k) {
    v.min[k] = b.min[k];
    v.max[k] = b.max[k];
  }
  return v;
}

/// In 2D a period on the third axis is ignored.
inline periods in_use(periods periodic, int dimension) {
  if (dimension == 2) periodic[2].reset();
  return periodic;
}

/// A coordinate wrapped into [min, max); unchanged if it already lies there.
inline double wrapped(double x, const abut::interval& stretch) {
  if (x >= stretch.min && x < stretch.max) return x;
  const double length = stretch.max - stretch.min;
  double y = x - length * std::floor((x - stretch.min) / length);
  if (y < stretch.min) y += length;
  if (y >= stretch.max) y -= length;
  if (y < stretch.min || y >= stretch.max) y = stretch.min;
  return y;
}

/// A sphere is wrapped by its center, a box by its lower corner; rounding never puts its upper corner below that.
inline volume wrapped(volume v, const periods& periodic) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!periodic[k]) continue;
    if (v.is_box) {
      const double min = wrapped(v.min[k], *periodic[k]);
      const double shift = min - v.min[k];
      v.min[k] = min;
      v.max[k] = std::max(min, v.max[k] + shift);
    } else {
      v.c[k] = wrapped(v.c[k], *periodic[k]);
    }
  }
  return v;
}

/// The volume moved down by one period on the axes whose bits are set.
inline volume moved_down(volume v, unsigned axes, const periods& periodic) {
  for (std::size_t k = 0; k < 3; ++k) {
    if ((axes >> k & 1U) == 0) continue;
    const double length = periodic[k]->max - periodic[k]->min;
    for (double* x : {&v.c[k], &v.min[k], &v.max[k]}) *x = *x - length;
  }
  return v;
}

/// Whether two wrapped bodies overlap, if on each periodic axis neither, the one or the other is moved down by a
/// period.
inline bool meet_somehow(const volume& a, const volume& b, double margin, const periods& periodic) {
  unsigned axes = 0;
  for (unsigned k = 0; k < 3; ++k) axes |= periodic[k] ? 1U << k : 0U;
  if (axes == 0) return meets(a, b, margin);
  for (unsigned a_down = 0; a_down < 8; ++a_down) {
    for (unsigned b_down = 0; b_down < 8; ++b_down) {
      if ((a_down & b_down) != 0 || ((a_down | b_down) & ~axes) != 0) continue;
      if (meets(moved_down(a, a_down, periodic), moved_down(b, b_down, periodic), margin)) return true;
    }
  }
  return false;
}

inline std::vector<volume> wrapped(std::vector<volume> all, const periods& periodic) {
  for (volume& v : all) v = wrapped(v, periodic);
  return all;
}

/// All pairs, sorted, found by trying every two bodies.
inline std::vector<abut::pair> tried_pairs(const abut::samples::set& bodies, double margin, const periods& periodic) {
  const std::vector<volume> all = wrapped(volumes(bodies), periodic);
  std::vector<abut::pair> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!may_pair(all[i], all[j])) continue;
      const bool together = meet_somehow(all[i], all[j], margin, periodic);
      if (together) found.push_back({static_cast<abut::row>(i), static_cast<abut::row>(j)});
    }
  }
  return found;
}

/// Everything that the pairs depend on, bit by bit.
inline std::string key(const abut::samples::set& bodies, double margin, const periods& periodic) {
  std::string bytes = bodies.kind == abut::shape::box ? "box" : "sphere";
  const auto add = [&](const auto& numbers) {
    bytes += " " + std::to_string(numbers.size()) + " ";
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
  };
  bytes += std::to_string(bodies.dimension);
  for (const auto& column : bodies.column) add(column);
  add(bodies.fixed);
  add(bodies.group);
  add(bodies.category);
  add(bodies.collides);
  add(std::array{margin});
  for (const auto& axis : periodic) add(axis ? std::vector{axis->min, axis->max} : std::vector<double>{});
  return bytes;
}

/// All pairs, sorted.
inline std::vector<abut::pair> pairs(const abut::samples::set& bodies, double margin = 0,
                                     const periods& periodic = {}) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::vector<abut::pair>> known;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = known.try_emplace(key(bodies, margin, periodic));
  if (is_new) entry->second = tried_pairs(bodies, margin, in_use(periodic, bodies.dimension));
  return entry->second;
}

/// The range of shifts of a region on one axis at which some body of the domain could meet it, plus one on either side.
inline std::array<double, 2> shifts(const volume& where, std::size_t axis, const std::vector<volume>& all,
                                    double margin, const periods& periodic) {
  if (!periodic[axis]) return {0, 0};
  const double low = where.is_box ? where.min[axis] : where.c[axis] - where.r;
  const double high = where.is_box ? where.max[axis] : where.c[axis] + where.r;
  double largest = 0;
  for (const volume& v : all) largest = std::max({largest, v.r, v.max[axis] - v.min[axis]});
  const double length = periodic[axis]->max - periodic[axis]->min;
  return {std::floor((low - margin - largest - periodic[axis]->max) / length) - 1,
          std::ceil((high + margin + largest - periodic[axis]->min) / length) + 1};
}

/// How many images of a region the oracle has to try.
inline double images(const volume& where, const std::vector<volume>& all, double margin, const periods& periodic) {
  double product = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [first, last] = shifts(where, k, all, margin, periodic);
    product *= last - first + 1;
  }
  return product;
}

/// The region moved down by k periods.
inline volume shifted(volume v, std::size_t axis, double k, const periods& periodic) {
  if (!periodic[axis] || k == 0) return v;
  const double back = k * (periodic[axis]->max - periodic[axis]->min);
  v.c[axis] = v.c[axis] - back;
  v.min[axis] = v.min[axis] - back;
  v.max[axis] = v.max[axis] - back;
  return v;
}

/// The wrapped volumes that meet the region or an image of it, in order.
inline std::vector<abut::row> rows_in(const std::vector<volume>& all, const volume& where, double margin,
                                      const periods& periodic) {
  if (!(images(where, all, margin, periodic) <= 1e6)) {
    throw std::logic_error("the oracle is not made for regions of so many periods");
  }
  std::vector<char> hit(all.size(), 0);
  const auto xs = shifts(where, 0, all, margin, periodic);
  const auto ys = shifts(where, 1, all, margin, periodic);
  const auto zs = shifts(where, 2, all, margin, periodic);
  for (double x = xs[0]; x <= xs[1]; ++x) {
    for (double y = ys[0]; y <= ys[1]; ++y) {
      for (double z = zs[0]; z <= zs[1]; ++z) {
        const volume image = shifted(shifted(shifted(where, 0, x, periodic), 1, y, periodic), 2, z, periodic);
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (hit[i] == 0 && meets(image, all[i], margin)) hit[i] = 1;
        }
      }
    }
  }
  std::vector<abut::row> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (hit[i] != 0) found.push_back(static_cast<abut::row>(i));
  }
  return found;
}

/// The bodies that overlap the region, sorted.
inline std::vector<abut::row> in(const abut::samples::set& bodies, const abut::region& where, double margin = 0,
                                 const periods& periodic = {}) {
  const periods axes = in_use(periodic, bodies.dimension);
  return rows_in(wrapped(volumes(bodies), axes), of_region(where, bodies.dimension), margin, axes);
}

/// The pairs of a body i of one set and a body j of the other, sorted by i, then j.
inline std::vector<abut::pair> between(const abut::samples::set& bodies, const abut::samples::set& others,
                                       double margin = 0, const periods& periodic = {}) {
  const periods axes = in_use(periodic, bodies.dimension);
  const std::vector<volume> all = wrapped(volumes(bodies), axes);
  const std::vector<volume> regions = volumes(others);
  std::vector<abut::pair> found;
  for (std::size_t j = 0; j < regions.size(); ++j) {
    for (const abut::row i : rows_in(all, regions[j], margin, axes)) {
      if (may_pair(all[i], regions[j])) found.push_back({i, static_cast<abut::row>(j)});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace reference
