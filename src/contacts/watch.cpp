#include "contacts/watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/outward.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_at_once = 512;  // in the nearest cache
constexpr std::size_t rows_per_task = 1U << 16;
constexpr std::size_t lanes = 8;

// The two largest of many numbers. Each lane has its own, so that the loop can be vectorized.
struct two_largest {
  double first[lanes] = {};
  double second[lanes] = {};
  double sum = 0;  // not a number, or infinite, if one of the numbers was

  void add(const double* x, std::size_t count) {
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      for (std::size_t k = 0; k < lanes; ++k) {
        const double v = x[i + k];
        const double lower = v < first[k] ? v : first[k];
        first[k] = v > first[k] ? v : first[k];
        second[k] = lower > second[k] ? lower : second[k];
        sums[k] += v;
      }
    }
    for (; i < count; ++i) {
      sum += x[i];
      add(x[i], 0);
    }
    for (const double s : sums) sum += s;
  }
  void add(double v, std::size_t k) {
    second[k] = std::max(second[k], std::min(first[k], v));
    first[k] = std::max(first[k], v);
  }
  void add(const two_largest& other) {
    for (std::size_t k = 0; k < lanes; ++k) {
      add(other.first[k], k);
      add(other.second[k], k);
    }
    sum += other.sum;
  }
  void join() {
    for (std::size_t k = 1; k < lanes; ++k) {
      add(first[k], 0);
      add(second[k], 0);
    }
  }
};

// What one task has seen: squared moves of centers and growth of radii, or moves of faces, squared if they add up.
struct seen {
  two_largest moves;
  double growth = 0;
};

void look_at_spheres(const double* const* now, const double* const* then, int d, std::size_t count, seen& out) {
  double squares[rows_at_once];
  for (std::size_t i = 0; i < count; ++i) {
    const double dx = now[0][i] - then[0][i];
    const double dy = now[1][i] - then[1][i];
    squares[i] = dx * dx + dy * dy;
  }
  if (d == 3) {
    for (std::size_t i = 0; i < count; ++i) {
      const double dz = now[2][i] - then[2][i];
      squares[i] += dz * dz;
    }
  }
  out.moves.add(squares, count);
  double growth = 0;
  double change = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double grown = now[d][i] - then[d][i];
    growth = grown > growth ? grown : growth;
    change += grown;
  }
  out.growth = std::max(out.growth, growth);
  if (!std::isfinite(change)) out.moves.sum = std::numeric_limits<double>::infinity();
}

// The farthest that a face has moved outward on some axis, or the squares of the moves on all of them.
template <bool ByAxes>
void look_at_boxes(const double* const* now, const double* const* then, int d, std::size_t count, seen& out) {
  double moves[rows_at_once] = {};
  double change = 0;
  for (int k = 0; k < d; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      const double down = then[k][i] - now[k][i];
      const double up = now[d + k][i] - then[d + k][i];
      const double most = down > up ? down : up;
      if constexpr (ByAxes) {
        moves[i] = most > moves[i] ? most : moves[i];
      } else {
        moves[i] += most > 0 ? most * most : 0;
      }
      change += down + up;
    }
  }
  out.moves.add(moves, count);
  if (!std::isfinite(change)) out.moves.sum = std::numeric_limits<double>::infinity();
}

}  // namespace

void body_watch::remember(const bodies& b, int threads) {
  const auto used = static_cast<std::size_t>(b.columns());
  for (std::size_t k = 0; k < used; ++k) columns_[k].make(b.size());
  for (std::size_t k = used; k < columns_.size(); ++k) columns_[k].release();
  parallel_blocks(threads, b.size(), rows_per_task, [&](std::size_t, std::size_t from, std::size_t until) {
    for (std::size_t at = from; at < until; at += rows_at_once) {  // members of structs are read in one pass
      const std::size_t count = std::min(rows_at_once, until - at);
      double* into[6] = {};
      const double* seen[6] = {};
      for (std::size_t k = 0; k < used; ++k) into[k] = columns_[k].data() + at;
      b.see(at, count, b.columns(), into, seen);
      for (std::size_t k = 0; k < used; ++k) {
        if (seen[k] != into[k]) std::copy_n(seen[k], count, into[k]);
      }
    }
  });
  size_ = b.size();
  kind_ = b.kind();
  dimension_ = b.dimension();
}

body_watch::moves body_watch::since(const bodies& b, shape seen_from, int threads) const {
  const bool by_axes = apart_by_axes(kind_, seen_from);
  const auto look = kind_ == shape::sphere ? look_at_spheres : by_axes ? look_at_boxes<true> : look_at_boxes<false>;
  std::vector<seen> by_task((size_ + rows_per_task - 1) / rows_per_task);
  parallel_blocks(threads, size_, rows_per_task, [&](std::size_t task, std::size_t from, std::size_t until) {
    double space[6][rows_at_once];
    double* const into[6] = {space[0], space[1], space[2], space[3], space[4], space[5]};
    for (std::size_t at = from; at < until; at += rows_at_once) {
      const std::size_t count = std::min(rows_at_once, until - at);
      const double* now[6] = {};
      const double* then[6] = {};
      b.see(at, count, b.columns(), into, now);
      for (std::size_t k = 0; k < 6; ++k) then[k] = columns_[k].data() == nullptr ? nullptr : columns_[k].data() + at;
      look(now, then, dimension_, count, by_task[task]);
    }
  });
  seen all;
  for (const seen& s : by_task) {
    all.moves.add(s.moves);
    all.growth = std::max(all.growth, s.growth);
  }
  all.moves.join();
  if (!std::isfinite(all.moves.sum)) {
    constexpr double far = std::numeric_limits<double>::infinity();
    return {far, far};
  }
  if (by_axes) return {all.moves.first[0], all.moves.second[0]};
  return {std::sqrt(all.moves.first[0]) + all.growth, std::sqrt(all.moves.second[0]) + all.growth};
}

std::size_t body_watch::bytes() const {
  std::size_t sum = 0;
  for (const auto& c : columns_) sum += c.bytes();
  return sum;
}

}  // namespace abut
