#include "contacts/neighbors.hpp"

#include <cmath>

#include "base/parallel.hpp"
#include "bodies/world.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_per_task = 4096;
constexpr std::size_t slots_per_task = 1U << 15;

template <int D, shape S>
[[nodiscard]] volume<D, S> get(const bodies& b, row i) {
  return volume_of<D, S>([&](int c) { return b.at(c)[i]; });
}

template <int D, shape S>
void move_down(volume<D, S>& v, int k, double by) {
  if constexpr (S == shape::sphere) {
    v.center[k] -= by;
  } else {
    v.min[k] -= by;
    v.max[k] -= by;
  }
}

template <int D, shape S>
[[nodiscard]] double center(const volume<D, S>& v, int k) {
  if constexpr (S == shape::sphere) {
    return v.center[k];
  } else {
    return (v.min[k] + v.max[k]) / 2;
  }
}

// Whether two wrapped bodies of one set overlap, on each periodic axis with neither or the upper one moved down.
template <int D, shape S>
bool overlap_somehow(const volume<D, S>& a, const volume<D, S>& b, double margin, const world& w, int k = 0) {
  if (k == D) return overlap(a, b, margin);
  if (overlap_somehow(a, b, margin, w, k + 1)) return true;
  if (!w.period(k)) return false;
  // Nearer than a quarter of a side, the other image is three quarters away, and no reach is more than half a side.
  const double ahead = center(a, k) - center(b, k);
  if (std::abs(ahead) < w.side(k) / 4) return false;
  volume<D, S> upper = ahead > 0 ? a : b;
  move_down(upper, k, w.side(k));
  return ahead > 0 ? overlap_somehow(upper, b, margin, w, k + 1) : overlap_somehow(a, upper, margin, w, k + 1);
}

// Whether a wrapped body overlaps some image of a body of another set.
template <int D, shape S, shape R>
bool overlaps_image(const volume<D, S>& a, const volume<D, R>& other, double margin, const world& w, int k = 0) {
  if (k == D) return overlap(other, a, margin);
  if (!w.period(k)) return overlaps_image(a, other, margin, w, k + 1);
  const double nearest = std::nearbyint((center(other, k) - center(a, k)) / w.side(k));
  for (const double periods : {nearest, nearest - 1, nearest + 1}) {
    volume<D, R> moved = other;
    if (periods != 0) move_down(moved, k, periods * w.side(k));
    if (overlaps_image(a, moved, margin, w, k + 1)) return true;
  }
  return false;
}

// A byte per slot: whether its bodies overlap now.
class touching_slots {
 public:
  touching_slots(const listed_contacts& list, const bodies& b, const bodies& others)
      : list_(list), b_(b), others_(others), touch_(list.all.size) {
    if (any_period(list.periodic)) {
      world_.emplace(b, options{.margin = list.margin, .periodic = list.periodic}, list.threads);
    }
    const bool spheres = b.kind() == shape::sphere;
    if (b.dimension() == 2) {
      spheres ? with<2, shape::sphere>() : with<2, shape::box>();
    } else {
      spheres ? with<3, shape::sphere>() : with<3, shape::box>();
    }
  }
  [[nodiscard]] bool operator[](std::uint32_t slot) const { return touch_[slot] != 0; }

 private:
  template <int D, shape S>
  void with() {
    if (!list_.between) {
      test([&](row i, row j) {
        if (!world_) return overlap(get<D, S>(b_, i), get<D, S>(b_, j), list_.margin);
        return overlap_somehow(world_->get<D, S>(i), world_->get<D, S>(j), list_.margin, *world_);
      });
    } else if (others_.kind() == shape::sphere) {
      between<D, S, shape::sphere>();
    } else {
      between<D, S, shape::box>();
    }
  }
  template <int D, shape S, shape R>
  void between() {
    test([&](row i, row j) {
      const volume<D, R> other = get<D, R>(others_, j);
      if (!world_) return overlap(other, get<D, S>(b_, i), list_.margin);
      return overlaps_image(world_->get<D, S>(i), other, list_.margin, *world_);
    });
  }
  template <class Overlap>
  void test(Overlap&& overlaps) {
    parallel_blocks(list_.threads, touch_.size(), slots_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
      for (std::size_t s = from; s < to; ++s) {
        touch_[s] = overlaps(list_.all.firsts[s], list_.all.seconds[s]) ? 1 : 0;
      }
    });
  }

  const listed_contacts& list_;
  const bodies& b_;
  const bodies& others_;
  std::optional<world> world_;  // if an axis is periodic
  std::vector<std::uint8_t> touch_;
};

// Writes one neighbor after the other.
class neighbor_writer {
 public:
  neighbor_writer(const listed_contacts& list, const bodies& b, const bodies& others, const neighbor_options& o,
                  neighbor_list& out)
      : list_(list), b_(b), others_(others), options_(o), out_(out) {}

  // Entry `at`: the body on the other side of a slot, seen from its first body or from its second.
  void write(std::size_t at, std::uint32_t slot, bool from_first) const {
    const row first = list_.all.firsts[slot];
    const row second = list_.all.seconds[slot];
    const int sign = from_first ? 1 : -1;
    out_.neighbors[at] = from_first ? second : first;
    const image_shift shift = list_.images == nullptr ? image_shift{} : list_.images[slot];
    if (options_.images) out_.images[at] = {sign * shift[0], sign * shift[1], sign * shift[2]};
    if (!options_.distances && !options_.vectors) return;
    std::array<double, 3> v{};
    double squares = 0;
    for (int k = 0; k < b_.dimension(); ++k) {
      const auto axis = static_cast<std::size_t>(k);
      v[axis] = center_of(others_, second, k) - center_of(b_, first, k);
      if (shift[axis] != 0) v[axis] += shift[axis] * (list_.periodic[axis]->max - list_.periodic[axis]->min);
      squares += v[axis] * v[axis];
    }
    if (options_.distances) out_.distances[at] = std::sqrt(squares);
    if (options_.vectors) out_.vectors[at] = {sign * v[0], sign * v[1], sign * v[2]};
  }

 private:
  const listed_contacts& list_;
  const bodies& b_;
  const bodies& others_;
  const neighbor_options& options_;
  neighbor_list& out_;
};

}  // namespace

neighbor_list neighbors_now(const listed_contacts& list, const bodies& b, const bodies& others,
                            const neighbor_options& o) {
  const slots& all = list.all;
  const touching_slots touch(list, b, others);
  const bool both_sides = !o.half && !list.between;
  // Visits the neighbors of row i: those with lower ids first, in which i is second.
  const auto visit = [&](std::size_t i, auto&& f) {
    if (both_sides) {
      for (std::uint32_t k = all.back_offsets[i]; k < all.back_offsets[i + 1]; ++k) {
        if (touch[all.back[k]]) f(all.back[k], false);
      }
    }
    for (std::uint32_t slot = all.offsets[i]; slot < all.offsets[i + 1]; ++slot) {
      if (touch[slot]) f(slot, true);
    }
  };
  neighbor_list out;
  out.offsets.resize(all.rows + 1);
  parallel_blocks(list.threads, all.rows, rows_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      visit(i, [&](std::uint32_t, bool) { ++out.offsets[i + 1]; });
    }
  });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < all.rows; ++i) {
    sum += out.offsets[i + 1];
    if (sum > std::numeric_limits<std::uint32_t>::max()) {
      throw error("there are more than 4294967295 neighbors: ask for half of them, each pair once");
    }
    out.offsets[i + 1] = static_cast<std::uint32_t>(sum);
  }
  const std::size_t count = out.offsets.back();
  out.neighbors.resize(count);
  out.distances.resize(o.distances ? count : 0);
  out.vectors.resize(o.vectors ? count : 0);
  out.images.resize(o.images ? count : 0);
  const neighbor_writer writer(list, b, others, o, out);
  parallel_blocks(list.threads, all.rows, rows_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    std::size_t at = out.offsets[from];
    for (std::size_t i = from; i < to; ++i) {
      visit(i, [&](std::uint32_t slot, bool from_first) { writer.write(at++, slot, from_first); });
    }
  });
  return out;
}

}  // namespace abut
