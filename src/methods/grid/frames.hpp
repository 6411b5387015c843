#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "methods/grid/level.hpp"
#include "methods/grid/sizes.hpp"
#include "steps/crowd.hpp"

namespace abut {

/// How the bodies of a world map to levels, axes and units of the grid. The frames of all levels have the same origin.
struct grid_frames {
  std::array<int, 3> axes{0, 1, 2};  ///< the world's axis for each of the grid's: contiguous, middle, slow
  grid_sizes sizes;
  std::vector<grid_frame> of_level;
  bool equal = false;  ///< all bodies have the same width on every axis, so widths are not stored
  double slack = 0;    ///< how far bodies may leave today's bounds and still be within the frames
};

/// Chooses frames for the bodies of a world, from its measures and, if bodies are sparse or far apart, a probe of
/// positions. Reads every body only if sizes differ or an axis is folded.
template <int D, shape S>
class grid_frame_choice {
 public:
  explicit grid_frame_choice(const world& w) : world_(w) {}

  /// `asked` is the number of levels; 0 takes the number that costs least. `equal`: all bodies have the same width on
  /// every axis.
  [[nodiscard]] grid_frames operator()(std::size_t asked, bool equal) const;

 private:
  static constexpr double fair_crowd = 8;  // bodies wanted in a cube as wide as a line is high
  // Lines along an axis. Their numbers on two axes, and that of a cell, a quarter as long, on the third take 62 bits.
  static constexpr double most_lines = 1 << 20;
  static constexpr double many_lines = 1 << 18;  // with more, units become coarse

  // The lengths that a level needs on the world's axes, folded or not.
  struct extents {
    double length[D];
    std::shared_ptr<const folded_axis> fold[D];

    [[nodiscard]] double longest() const { return *std::max_element(length, length + D); }
  };

  // The centers of a level's bodies. Views the world's columns if they can be used as they are.
  struct places {
    places(const world& w, const grid_sizes& sizes, std::size_t level);

    std::span<const double> of[D];  // by axis
    std::vector<double> space[D];
  };

  [[nodiscard]] double slack(double widest_half, std::size_t levels) const;
  [[nodiscard]] double rounding(const grid_sizes& sizes, std::size_t level, const extents& taken) const;
  // Lines are at least twice as high as the reach.
  [[nodiscard]] double least_height(const grid_sizes& sizes, std::size_t level, const extents& taken) const {
    const double reach = 2 * sizes.levels[level].widest_half + world_.margin() + rounding(sizes, level, taken);
    return std::max(2 * reach, 1e-140);
  }
  [[nodiscard]] crowd_probe probe(const grid_sizes& sizes, std::size_t level, const extents& taken) const;
  [[nodiscard]] extents extents_of(const grid_sizes& sizes, std::size_t level) const;
  void fold(const grid_sizes& sizes, std::size_t level, extents& taken) const;
  [[nodiscard]] static std::array<int, 3> axes(const extents& taken);
  [[nodiscard]] double fair_height(const grid_sizes& sizes, std::size_t level, const extents& taken,
                                   double least) const;
  [[nodiscard]] grid_frame frame(const grid_frames& how, std::size_t level, const extents& taken) const;

  const world& world_;
};

template <int D, shape S>
[[nodiscard]] grid_frames choose_grid_frames(const world& w, std::size_t asked, bool equal) {
  return grid_frame_choice<D, S>(w)(asked, equal);
}

template <int D, shape S>
grid_frames grid_frame_choice<D, S>::operator()(std::size_t asked, bool equal) const {
  grid_frames how;
  how.sizes = choose_grid_sizes(world_, asked);
  const auto& levels = how.sizes.levels;
  how.equal = equal && levels.size() == 1;
  how.slack = slack(levels.back().widest_half, levels.size());
  std::vector<extents> taken;
  for (std::size_t l = 0; l < levels.size(); ++l) taken.push_back(extents_of(how.sizes, l));
  const auto largest =
      std::max_element(levels.begin(), levels.end(), [](const auto& a, const auto& b) { return a.count < b.count; });
  how.axes = axes(taken[static_cast<std::size_t>(largest - levels.begin())]);
  for (std::size_t l = 0; l < levels.size(); ++l) how.of_level.push_back(frame(how, l, taken[l]));
  return how;
}

// The longest axis becomes the contiguous one, so that lines are long. The next becomes the slow one, so that there are
// many slabs to deal bodies into.
template <int D, shape S>
std::array<int, 3> grid_frame_choice<D, S>::axes(const extents& taken) {
  std::array<int, 3> all{0, 1, 2};
  std::stable_sort(all.begin(), all.begin() + D, [&](int a, int b) { return taken.length[a] > taken.length[b]; });
  if (D == 3) std::swap(all[1], all[2]);
  return all;
}

// Lets bodies move half a width beyond their bounds. With several levels the widest body may be nearly as wide as the
// whole set; the slack is then limited, since it makes the units of all levels coarser.
template <int D, shape S>
double grid_frame_choice<D, S>::slack(double widest_half, std::size_t levels) const {
  if (levels == 1) return widest_half;
  const measures& m = world_.measured();
  double extent = 0;
  for (int k = 0; k < D; ++k) extent = std::max(extent, m.upper[k] - m.lower[k]);
  return std::min(widest_half, extent / 32);
}

// Probes the centers of a level's bodies, on the level's axes, folded or not.
template <int D, shape S>
crowd_probe grid_frame_choice<D, S>::probe(const grid_sizes& sizes, std::size_t level, const extents& taken) const {
  crowd_probe some(world_.size(), std::clamp<std::size_t>(world_.size() / 8, 256, 4096));
  for (std::size_t i = 0; i < world_.size(); i += some.step()) {
    const volume<D, S> body = world_.get<D, S>(static_cast<row>(i));
    if (sizes.of(half_width<D, S>(body) + 0.0) != level) continue;
    crowd_probe::place at{};
    for (int k = 0; k < D; ++k) {
      const double x = center_of<D, S>(body, k);
      at[static_cast<std::size_t>(k)] = taken.fold[k] ? taken.fold[k]->at(x) : x;
    }
    some.add(at);
  }
  return some;
}

template <int D, shape S>
grid_frame_choice<D, S>::places::places(const world& w, const grid_sizes& sizes, std::size_t level) {
  const bool all = sizes.levels.size() == 1;
  if (all && S == shape::sphere) {
    for (int k = 0; k < D; ++k) {
      double none = 0;
      if (w.at(k).see(0, 0, &none) == &none) space[k].resize(w.size());
      of[k] = {w.at(k).see(0, w.size(), space[k].data()), w.size()};
    }
    return;
  }
  for (auto& axis : space) axis.reserve(sizes.levels[level].count);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const volume<D, S> body = w.get<D, S>(static_cast<row>(i));
    if (!all && sizes.of(half_width<D, S>(body) + 0.0) != level) continue;
    for (int k = 0; k < D; ++k) space[k].push_back(center_of<D, S>(body, k));
  }
  for (int k = 0; k < D; ++k) of[k] = space[k];
}

// The rounding of two bodies of a level, also after they have moved by the slack.
template <int D, shape S>
double grid_frame_choice<D, S>::rounding(const grid_sizes& sizes, std::size_t level, const extents& taken) const {
  const measures& m = world_.measured();
  const double widest_half = sizes.levels[level].widest_half;
  double farthest = 0;
  for (int k = 0; k < D; ++k) {
    farthest = std::max(farthest, taken.fold[k] ? taken.fold[k]->farthest_together()
                                                : std::max(std::abs(m.lower[k]), std::abs(m.upper[k])));
  }
  return grid_rounding<S>(farthest + sizes.levels.back().widest_half, 2 * widest_half + world_.margin());
}

// Folds axes if both hold: the level is too long for lines that suit its bodies' sizes, and lines high enough to
// span it without folding would be crowded.
template <int D, shape S>
auto grid_frame_choice<D, S>::extents_of(const grid_sizes& sizes, std::size_t level) const -> extents {
  const measures& m = world_.measured();
  extents taken{};
  for (int k = 0; k < D; ++k) taken.length[k] = m.upper[k] - m.lower[k];
  const double high = taken.longest() / many_lines;
  if (sizes.levels[level].count > 1 && high > least_height(sizes, level, taken) &&
      probe(sizes, level, taken).others(high) > 2 * fair_crowd) {
    fold(sizes, level, taken);
  }
  return taken;
}

template <int D, shape S>
void grid_frame_choice<D, S>::fold(const grid_sizes& sizes, std::size_t level, extents& taken) const {
  const measures& m = world_.measured();
  const places at(world_, sizes, level);
  const double least = least_height(sizes, level, taken);
  const double slack = sizes.levels[level].widest_half;
  // The room beside a stretch is as wide as the largest body of all levels reaches, so that distances are right for
  // it too. If the folded axis becomes too long that way, only as wide as the level's own bodies reach.
  const double any = sizes.levels.back().widest_half + least / 2;
  parallel_for(world_.threads(), D, [&](std::size_t k) {
    if (!(taken.length[k] > 1024 * least)) return;
    std::shared_ptr<const folded_axis> fold;
    for (const double reach : {any, least / 2}) {
      const folded_axis::spacing by{reach + slack, slack};
      fold = std::make_shared<const folded_axis>(at.of[k], m.lower[k], m.upper[k], by, many_lines / 2 * least);
      if (fold->length() <= many_lines * least) break;
    }
    if (!(fold->length() < 0.5 * taken.length[k])) return;
    taken.length[k] = fold->length();
    taken.fold[k] = std::move(fold);
  });
}

// The height of lines. Sparse bodies get higher lines, so that a line holds several of them: so high that a cube of
// that edge holds about `fair_crowd`.
template <int D, shape S>
double grid_frame_choice<D, S>::fair_height(const grid_sizes& sizes, std::size_t level, const extents& taken,
                                            double least) const {
  double part = fair_crowd / static_cast<double>(std::max<std::size_t>(sizes.levels[level].count, 1));
  double edges[D];
  for (int k = 0; k < D; ++k) edges[k] = std::max(taken.length[k], least);
  // In flat sets only the long axes count.
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
  if (!(high > (world_.size() < 4096 ? 1.5 : 1.0) * least))
    return least;  // for few bodies a probe costs more than it gains
  // That height is right for bodies that are spread evenly. If they are clustered, halve it as often as needed.
  const crowd_probe some = probe(sizes, level, taken);
  int halvings = 0;
  for (int most = static_cast<int>(std::ceil(std::log2(high / least))); halvings < most;) {
    const int middle = (halvings + most) / 2;
    if (some.others(high * std::exp2(-middle)) > 2 * fair_crowd) {
      halvings = middle + 1;
    } else {
      most = middle;
    }
  }
  return std::max(high * std::exp2(-halvings), least);
}

template <int D, shape S>
grid_frame grid_frame_choice<D, S>::frame(const grid_frames& how, std::size_t level, const extents& taken) const {
  const measures& m = world_.measured();
  grid_frame f;
  double extent = 0;
  for (int a = 0; a < D; ++a) {
    const int k = how.axes[static_cast<std::size_t>(a)];
    f.origin[a] = m.lower[k] - how.slack;
    f.top[a] = m.upper[k] + how.slack;
    f.fold[a] = taken.fold[k];
    extent = std::max(extent, f.fold[a] ? f.fold[a]->length() : f.top[a] - f.origin[a]);
  }
  // Lines are at least twice as high as the reach, and no more of them than can be numbered.
  f.rounding = rounding(how.sizes, level, taken);
  double high = std::max(least_height(how.sizes, level, taken), extent / most_lines);
  // Keep only ten bits: the last bits of std::pow differ between machines, and the order of pairs must not.
  int exponent = 0;
  const double digits = std::frexp(fair_height(how.sizes, level, taken, high), &exponent);
  high = std::max(high, std::ldexp(std::floor(digits * 1024), exponent - 10));
  f.line_bits = 20;
  const double span = std::max(extent, 2 * high);
  while (f.line_bits > 10 && span / high * std::exp2(f.line_bits) > grid_frame::most) --f.line_bits;
  f.scale = (std::exp2(f.line_bits) - 16) / high;
  return f;
}

}  // namespace abut
