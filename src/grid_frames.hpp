#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "grid_level.hpp"
#include "grid_sizes.hpp"

namespace abut {

/// How rows become bodies of the grid's cells. All frames have the same origin.
struct grid_frames {
  std::array<int, 3> axes{0, 1, 2};  ///< the grid's axes (contiguous, middle, slow) as axes of the world
  grid_sizes sizes;
  std::vector<grid_frame> of_level;
  bool equal = false;  ///< all have the same width on every axis, so that widths need not be kept
  double slack = 0;    ///< how far bodies may move out of their bounds and still be within
};

/// Chooses them for the bodies of a world: from its measures and a sample of places.
template <int D, shape S>
class grid_frame_choice {
 public:
  grid_frame_choice(const world& w, double gap) : world_(w), gap_(gap) {}

  /// `asked`: so many levels; 0: as many as cost least. `equal`: all bodies have the same width on every axis.
  [[nodiscard]] grid_frames operator()(std::size_t asked, bool equal) const {
    grid_frames how;
    how.axes = axes();
    how.sizes = choose_grid_sizes(world_, gap_, asked);
    const auto& levels = how.sizes.levels;
    how.equal = equal && levels.size() == 1;
    how.slack = slack(levels.back().widest_half, levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l) how.of_level.push_back(frame(how, l));
    return how;
  }

 private:
  static constexpr std::size_t most_samples = 4096;
  static constexpr double fair_crowd = 8;

  struct some_bodies {
    std::vector<std::array<double, D>> lower;
    std::size_t stride;
  };

  [[nodiscard]] std::array<int, 3> axes() const;
  [[nodiscard]] double slack(double widest_half, std::size_t levels) const;
  [[nodiscard]] some_bodies sample(const grid_sizes& sizes, std::size_t level) const;
  [[nodiscard]] static double crowd(const some_bodies& some, double edge);
  [[nodiscard]] double fair_height(const grid_sizes& sizes, std::size_t level, double least) const;
  [[nodiscard]] grid_frame frame(const grid_frames& how, std::size_t level) const;

  const world& world_;
  double gap_;
};

template <int D, shape S>
[[nodiscard]] grid_frames choose_grid_frames(const world& w, double gap, std::size_t asked, bool equal) {
  return grid_frame_choice<D, S>(w, gap)(asked, equal);
}

// The longest axis is the contiguous one, so that rows are long; the next is the slow one, so that there are many slabs
// to deal bodies into.
template <int D, shape S>
std::array<int, 3> grid_frame_choice<D, S>::axes() const {
  const measures& m = world_.measured();
  std::array<int, 3> all{0, 1, 2};
  std::stable_sort(all.begin(), all.begin() + D,
                   [&](int a, int b) { return m.upper[a] - m.lower[a] > m.upper[b] - m.lower[b]; });
  if (D == 3) std::swap(all[1], all[2]);
  return all;
}

// Half a width for bodies to move beyond their bounds, where that is little.
template <int D, shape S>
double grid_frame_choice<D, S>::slack(double widest_half, std::size_t levels) const {
  if (levels == 1) return widest_half;
  const measures& m = world_.measured();
  double extent = 0;
  for (int k = 0; k < D; ++k) extent = std::max(extent, m.upper[k] - m.lower[k]);
  return std::min(widest_half, extent / 32);
}

// Some of the bodies of a level: their lowest corners.
template <int D, shape S>
auto grid_frame_choice<D, S>::sample(const grid_sizes& sizes, std::size_t level) const -> some_bodies {
  const std::size_t n = world_.size();
  const std::size_t wanted = std::clamp<std::size_t>(n / 8, 256, most_samples);
  some_bodies some{{}, (n + wanted - 1) / wanted};
  some.lower.reserve(wanted);
  for (std::size_t i = 0; i < n; i += some.stride) {
    const volume<D, S> body = world_.get<D, S>(static_cast<row>(i));
    if (sizes.of(half_width<D, S>(body) + 0.0) != level) continue;
    std::array<double, D> lower;
    for (int k = 0; k < D; ++k) lower[static_cast<std::size_t>(k)] = body.lower(k) - world_.measured().lower[k];
    some.lower.push_back(lower);
  }
  return some;
}

// How many others are in a body's own cube of this edge, on average over some bodies.
template <int D, shape S>
double grid_frame_choice<D, S>::crowd(const some_bodies& some, double edge) {
  if (some.lower.empty()) return 0;
  std::vector<std::uint64_t> cells;
  cells.reserve(some.lower.size());
  for (const auto& lower : some.lower) {
    std::uint64_t hash = 0;
    for (const double c : lower) {
      hash = (hash + static_cast<std::uint64_t>(std::clamp(c / edge, 0.0, 1e18))) * 0x9e37'79b9'7f4a'7c15U;
      hash ^= hash >> 29;
    }
    cells.push_back(hash);
  }
  std::sort(cells.begin(), cells.end());
  double others = 0;
  for (std::size_t from = 0, to = 0; from < cells.size(); from = to) {
    while (to < cells.size() && cells[to] == cells[from]) ++to;
    others += static_cast<double>(to - from) * static_cast<double>(to - from - 1);
  }
  return others / static_cast<double>(cells.size()) * static_cast<double>(some.stride);
}

// Where bodies are far from each other, higher rows, so that a row holds some of them: as high as that a cube of it
// holds about `fair_crowd`.
template <int D, shape S>
double grid_frame_choice<D, S>::fair_height(const grid_sizes& sizes, std::size_t level, double least) const {
  const measures& m = world_.measured();
  double part = fair_crowd / static_cast<double>(std::max<std::size_t>(sizes.levels[level].count, 1));
  double edges[D];
  for (int k = 0; k < D; ++k) edges[k] = std::max(m.upper[k] - m.lower[k], least);
  // Of flat sets only the long axes count.
  std::sort(edges, edges + D);
  double high = least;
  for (int k = 0; k < D; ++k) {
    double cube = part;
    for (int a = k; a < D; ++a) cube *= edges[a] / edges[k];
    const double edge = edges[k] * std::pow(cube, 1.0 / (D - k));
    if (edge > edges[k] && k + 1 < D) continue;
    high = edge;
    break;
  }
  if (!(high > (world_.size() < 4096 ? 1.5 : 1.0) * least)) return least;  // few win less than looking at them costs
  // That is right for an even spread; where it is not, halved until it is so for most: the fewest halvings that do.
  const some_bodies some = sample(sizes, level);
  int halvings = 0;
  for (int most = static_cast<int>(std::ceil(std::log2(high / least))); halvings < most;) {
    const int middle = (halvings + most) / 2;
    if (crowd(some, high * std::exp2(-middle)) > 2 * fair_crowd) {
      halvings = middle + 1;
    } else {
      most = middle;
    }
  }
  return std::max(high * std::exp2(-halvings), least);
}

template <int D, shape S>
grid_frame grid_frame_choice<D, S>::frame(const grid_frames& how, std::size_t level) const {
  const measures& m = world_.measured();
  grid_frame f;
  double extent = 0;
  for (int a = 0; a < D; ++a) {
    const int k = how.axes[static_cast<std::size_t>(a)];
    f.origin[a] = m.lower[k] - how.slack;
    f.top[a] = m.upper[k] + how.slack;
    extent = std::max(extent, f.top[a] - f.origin[a]);
  }
  // Rows as high as twice the reach, and no less than so many of the extent.
  double high = std::max({2 * (2 * how.sizes.levels[level].widest_half + gap_), extent / (1 << 18), 1e-140});
  high = std::max(high, fair_height(how.sizes, level, high));
  f.row_bits = 20;
  const double span = std::max(extent, 2 * high);
  while (f.row_bits > 10 && span / high * std::exp2(f.row_bits) > grid_frame::most) --f.row_bits;
  f.scale = (std::exp2(f.row_bits) - 16) / high;
  return f;
}

}  // namespace abut
