#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <variant>

namespace reference {
namespace {

/// Whether two bodies may be a pair at all, of one set or of two.
bool may_pair(const volume& a, const volume& b) {
  if (a.fixed && b.fixed) return false;
  if (a.group && b.group && *a.group == *b.group) return false;
  const bool a_minds = (a.collides & b.category) == 0;
  const bool b_minds = (b.collides & a.category) == 0;
  return !a_minds && !b_minds;
}

bool sphere_meets_sphere(const volume& a, const volume& b, double m) {
  const double dx = a.c[0] - b.c[0];
  const double dy = a.c[1] - b.c[1];
  const double dz = a.c[2] - b.c[2];
  const double reach = (a.r + b.r) + m;
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}

bool box_meets_box(const volume& a, const volume& b, double m) {
  return a.min[0] <= b.max[0] + m && b.min[0] <= a.max[0] + m &&  //
         a.min[1] <= b.max[1] + m && b.min[1] <= a.max[1] + m &&  //
         a.min[2] <= b.max[2] + m && b.min[2] <= a.max[2] + m;
}

bool sphere_meets_box(const volume& s, const volume& b, double m) {
  double d[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    if (s.c[k] < b.min[k]) d[k] = b.min[k] - s.c[k];
    if (s.c[k] > b.max[k]) d[k] = s.c[k] - b.max[k];
  }
  const double reach = s.r + m;
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach;
}

/// A coordinate wrapped into [min, max); unchanged if it already lies there.
double wrapped_coordinate(double x, const abut::interval& stretch) {
  if (x >= stretch.min && x < stretch.max) return x;
  const double length = stretch.max - stretch.min;
  double y = x - length * std::floor((x - stretch.min) / length);
  if (y < stretch.min) y += length;
  if (y >= stretch.max) y -= length;
  if (y < stretch.min || y >= stretch.max) y = stretch.min;
  return y;
}

/// A sphere is wrapped by its center, a box by its lower corner; rounding never puts its upper corner below that.
volume wrapped_volume(volume v, const periods& periodic) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!periodic[k]) continue;
    if (v.is_box) {
      const double min = wrapped_coordinate(v.min[k], *periodic[k]);
      const double shift = min - v.min[k];
      v.min[k] = min;
      v.max[k] = std::max(min, v.max[k] + shift);
    } else {
      v.c[k] = wrapped_coordinate(v.c[k], *periodic[k]);
    }
  }
  return v;
}

/// The volume moved down by one period on the axes whose bits are set.
volume moved_down(volume v, unsigned axes, const periods& periodic) {
  for (std::size_t k = 0; k < 3; ++k) {
    if ((axes >> k & 1U) == 0) continue;
    const double length = periodic[k]->max - periodic[k]->min;
    for (double* x : {&v.c[k], &v.min[k], &v.max[k]}) *x = *x - length;
  }
  return v;
}

/// All pairs, sorted, found by trying every two bodies: they overlap if on each periodic axis neither, the one or the
/// other is moved down by a period.
std::vector<abut::pair> tried_pairs(const abut::samples::set& bodies, double margin, const periods& periodic) {
  unsigned axes = 0;
  for (unsigned k = 0; k < 3; ++k) axes |= periodic[k] ? 1U << k : 0U;
  // moved[down][i] is body i moved down on the axes whose bits are set in `down`.
  std::array<std::vector<volume>, 8> moved;
  const std::vector<volume> all = wrapped(volumes(bodies), periodic);
  struct way {
    const volume* a;
    const volume* b;
  };
  std::vector<way> ways;
  for (unsigned down = 0; down < 8; ++down) {
    if ((down & ~axes) != 0) continue;
    for (const volume& v : all) moved[down].push_back(moved_down(v, down, periodic));
  }
  for (unsigned a = 0; a < 8; ++a) {
    for (unsigned b = 0; b < 8; ++b) {
      if ((a & b) == 0 && ((a | b) & ~axes) == 0) ways.push_back({moved[a].data(), moved[b].data()});
    }
  }
  std::vector<abut::pair> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!may_pair(all[i], all[j])) continue;
      const auto meet = [&](const way& w) { return meets(w.a[i], w.b[j], margin); };
      if (std::any_of(ways.begin(), ways.end(), meet)) {
        found.push_back({static_cast<abut::row>(i), static_cast<abut::row>(j)});
      }
    }
  }
  return found;
}

/// The range of shifts of a region on one axis at which some body of the domain could meet it, plus one on either side.
std::array<double, 2> shifts(const volume& where, std::size_t axis, const std::vector<volume>& all, double margin,
                             const periods& periodic) {
  if (!periodic[axis]) return {0, 0};
  const double low = where.is_box ? where.min[axis] : where.c[axis] - where.r;
  const double high = where.is_box ? where.max[axis] : where.c[axis] + where.r;
  double largest = 0;
  for (const volume& v : all) largest = std::max({largest, v.r, v.max[axis] - v.min[axis]});
  const double length = periodic[axis]->max - periodic[axis]->min;
  return {std::floor((low - margin - largest - periodic[axis]->max) / length) - 1,
          std::ceil((high + margin + largest - periodic[axis]->min) / length) + 1};
}

/// The region moved down by k periods.
volume shifted(volume v, std::size_t axis, double k, const periods& periodic) {
  if (!periodic[axis] || k == 0) return v;
  const double back = k * (periodic[axis]->max - periodic[axis]->min);
  v.c[axis] = v.c[axis] - back;
  v.min[axis] = v.min[axis] - back;
  v.max[axis] = v.max[axis] - back;
  return v;
}

/// The wrapped volumes that meet the region or an image of it, in order.
std::vector<abut::row> rows_in(const std::vector<volume>& all, const volume& where, double margin,
                               const periods& periodic) {
  if (!(images(where, all, margin, periodic) <= 1e6)) {
    throw std::logic_error("the oracle is not made for regions of so many periods");
  }
  std::vector<char> hit(all.size(), 0);
  const auto xs = shifts(where, 0, all, margin, periodic);
  const auto ys = shifts(where, 1, all, margin, periodic);
  const auto zs = shifts(where, 2, all, margin, periodic);
  for (int x = 0; x <= xs[1] - xs[0]; ++x) {
    for (int y = 0; y <= ys[1] - ys[0]; ++y) {
      for (int z = 0; z <= zs[1] - zs[0]; ++z) {
        volume image = shifted(where, 0, xs[0] + x, periodic);
        image = shifted(shifted(image, 1, ys[0] + y, periodic), 2, zs[0] + z, periodic);
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

/// 128 bits that depend on every bit of a question. No two questions of the tests will share them by chance.
class fingerprint {
 public:
  fingerprint(const abut::samples::set& bodies, double margin, const periods& periodic) {
    add(bodies);
    add(std::array{margin});
    for (const auto& axis : periodic) add(axis ? std::vector{axis->min, axis->max} : std::vector<double>{});
  }

  fingerprint& add(const abut::samples::set& bodies) {
    add(std::array{bodies.kind == abut::shape::box ? 1 : 0, bodies.dimension});
    for (const auto& column : bodies.column) add(column);
    add(bodies.fixed);
    add(bodies.group);
    add(bodies.category);
    return add(bodies.collides);
  }
  /// Numbers, and how many they are.
  template <class Numbers>
  fingerprint& add(const Numbers& numbers) {
    mix(numbers.size());
    const std::size_t bytes = numbers.size() * sizeof(numbers[0]);
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const char*>(numbers.data()) + at, std::min(sizeof word, bytes - at));
      mix(word);
    }
    return *this;
  }

  bool operator==(const fingerprint&) const = default;
  struct hash {
    std::size_t operator()(const fingerprint& f) const { return f.first_; }
  };

 private:
  void mix(std::uint64_t word) {
    first_ = (first_ ^ word) * 0x9e37'79b9'7f4a'7c15U;
    first_ ^= first_ >> 29U;
    second_ = (second_ + word) * 0xc2b2'ae3d'27d4'eb4fU;
    second_ ^= second_ >> 32U;
  }

  std::uint64_t first_ = 1;
  std::uint64_t second_ = 2;
};

/// The answers to questions of one kind.
template <class Answer>
class answers {
 public:
  template <class F>
  Answer to(const fingerprint& question, const F& find) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most) known_.clear();  // the fuzzer never stops asking
    const auto entry = known_.find(question);
    return entry != known_.end() ? entry->second : known_.emplace(question, find()).first->second;
  }

 private:
  static constexpr std::size_t most = 200'000;
  std::mutex mutex_;
  std::unordered_map<fingerprint, Answer, fingerprint::hash> known_;
};

}  // namespace

bool meets(const volume& a, const volume& b, double m) {
  if (!a.is_box && !b.is_box) return sphere_meets_sphere(a, b, m);
  if (a.is_box && b.is_box) return box_meets_box(a, b, m);
  return a.is_box ? sphere_meets_box(b, a, m) : sphere_meets_box(a, b, m);
}

std::vector<volume> volumes(const abut::samples::set& bodies) {
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

volume of_region(const abut::region& where, int dimension) {
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

periods in_use(periods periodic, int dimension) {
  if (dimension == 2) periodic[2].reset();
  return periodic;
}

std::vector<volume> wrapped(std::vector<volume> all, const periods& periodic) {
  for (volume& v : all) v = wrapped_volume(v, periodic);
  return all;
}

double images(const volume& where, const std::vector<volume>& all, double margin, const periods& periodic) {
  double product = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [first, last] = shifts(where, k, all, margin, periodic);
    product *= last - first + 1;
  }
  return product;
}

std::vector<abut::pair> pairs(const abut::samples::set& bodies, double margin, const periods& periodic) {
  static answers<std::vector<abut::pair>> known;
  return known.to(fingerprint(bodies, margin, periodic),
                  [&] { return tried_pairs(bodies, margin, in_use(periodic, bodies.dimension)); });
}

std::vector<abut::row> in(const abut::samples::set& bodies, const abut::region& where, double margin,
                          const periods& periodic) {
  static answers<std::vector<abut::row>> known;
  const volume region = of_region(where, bodies.dimension);
  fingerprint question(bodies, margin, periodic);
  question.add(std::array{region.is_box ? 1.0 : 0.0, region.r});
  for (const auto* numbers : {&region.c, &region.min, &region.max}) question.add(std::span(*numbers));
  return known.to(question, [&] {
    const periods axes = in_use(periodic, bodies.dimension);
    return rows_in(wrapped(volumes(bodies), axes), region, margin, axes);
  });
}

std::vector<abut::pair> between(const abut::samples::set& bodies, const abut::samples::set& others, double margin,
                                const periods& periodic) {
  static answers<std::vector<abut::pair>> known;
  return known.to(fingerprint(bodies, margin, periodic).add(others), [&] {
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
  });
}

}  // namespace reference
