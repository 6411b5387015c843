#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "methods/grid/level.hpp"
#include "methods/grid/sizes.hpp"

namespace abut {

/// Half of a body's width on an axis of the world.
template <int D, shape S>
[[nodiscard]] double grid_half(const volume<D, S>& body, int k) {
  return S == shape::sphere ? half_width<D, S>(body) : (body.upper(k) - body.lower(k)) / 2;
}

/// Where the partners of a body can be in a level of smaller bodies, in that level's units.
template <int D, shape S>
struct grid_look {
  double center[D];
  double reach[D];  ///< around the center
  double low[D];    ///< bounds of the partners' centers
  double high[D];
  std::int32_t low_line[3] = {};  ///< the lines of those bounds, on the middle and the slow axis
  std::int32_t high_line[3] = {};
  bool straight = true;  ///< no axis is folded within those bounds: differences in units are distances

  /// `axes` are the world's axes for the grid's, `widest_half` is half the width of the level's widest body, and
  /// `rounding` is grid_rounding for the two.
  grid_look(const grid_frame& f, const std::array<int, 3>& axes, const volume<D, S>& body, double widest_half,
            double margin, double rounding) {
    for (int a = 0; a < D; ++a) {
      const int k = axes[static_cast<std::size_t>(a)];
      const double middle = center_of<D, S>(body, k);
      const double far = grid_half<D, S>(body, k) + widest_half + margin + rounding;
      center[a] = f.units(middle, a);
      reach[a] = far * f.scale + 3;
      low[a] = center[a] - reach[a];
      high[a] = center[a] + reach[a];
      if (!f.fold[a]) continue;
      const interval real = widened(middle - far, middle + far);
      straight = straight && f.fold[a]->straight(real.min, real.max);
      low[a] = f.units(real.min, a) - 2;
      high[a] = f.units(real.max, a) + 2;
    }
    for (int a = 0; a < D; ++a) {
      low[a] = std::max(low[a], 0.0);
      high[a] = std::min(high[a], grid_frame::most - 1);
    }
    for (int a = 1; a < D; ++a) {
      low_line[a] = static_cast<std::int32_t>(low[a]) >> f.line_bits;
      high_line[a] = static_cast<std::int32_t>(high[a]) >> f.line_bits;
    }
  }

  /// Sets `ranges` to all places of the level where partners can be: in each line within reach, as far as the body
  /// reaches there. `r` is a hint for the first run, and is moved to behind the last one.
  void find_ranges(const grid_level& l, std::size_t& r, std::vector<grid_range>& ranges) const;

 private:
  // How far the body reaches along a line; negative if the line is out of reach.
  [[nodiscard]] double along(const grid_frame& f, std::int32_t middle, std::int32_t slow) const {
    if (S == shape::box || !straight) return grid_frame::most;
    const double beside = apart(f, 1, middle);
    const double far = D == 3 ? apart(f, D - 1, slow) : 0;
    const double left = reach[0] * reach[0] - beside * beside - far * far;
    return left < 0 ? -1 : std::sqrt(left) + 1;
  }

  // How far away a line is, on the middle or the slow axis.
  [[nodiscard]] double apart(const grid_frame& f, int a, std::int32_t number) const {
    const auto from = static_cast<double>(static_cast<std::int64_t>(number) << f.line_bits);
    const double to = from + static_cast<double>(std::int32_t{1} << f.line_bits);
    return std::max({from - center[a], center[a] - to, 0.0});
  }
};

template <int D, shape S>
void grid_look<D, S>::find_ranges(const grid_level& l, std::size_t& r, std::vector<grid_range>& ranges) const {
  const grid_frame& f = l.frame;
  ranges.clear();
  const auto next_line = [&](std::uint64_t code) {
    if (++r < l.runs.size() && l.runs[r].code == code) r = l.run_at(code + 1, 0, r);
  };
  for (r = l.run_at(grid_code(low_line[1], low_line[2]), 0, r); r < l.runs.size();) {
    const std::uint64_t code = l.runs[r].code;
    const auto middle = static_cast<std::int32_t>(code & 0xffffffffU);
    const auto slow = static_cast<std::int32_t>(code >> 32);
    if (slow > high_line[2]) break;
    if (middle < low_line[1] || middle > high_line[1]) {
      r = l.run_at(grid_code(low_line[1], slow + (middle < low_line[1] ? 0 : 1)), 0, r);
      continue;
    }
    const double reached = along(f, middle, slow);
    if (reached < 0) {
      next_line(code);
      continue;
    }
    const auto from = static_cast<std::int32_t>(std::max(center[0] - reached, low[0])) >> f.cell_bits();
    const auto to = static_cast<std::int32_t>(std::min(center[0] + reached, high[0])) >> f.cell_bits();
    if (l.runs[r].last < from) {
      r = l.run_at(code, from, r);
      continue;
    }
    if (l.runs[r].first > to) {
      next_line(code);
      continue;
    }
    const grid_run& run = l.runs[r];
    ranges.push_back({run.begin(std::max(from, run.first)), run.begin(std::min(to, run.last) + 1)});
    ++r;
  }
}

}  // namespace abut
