#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bodies/outward.hpp"
#include "bodies/query.hpp"
#include "methods/grid/level.hpp"
#include "methods/grid/scan.hpp"

namespace abut {

/// Tells from a level's columns whether bodies touch a region: yes, no, or in doubt. So nearly all bodies are decided
/// without a look at the user's arrays, which lie in another order.
template <int D, shape S>
class grid_region_filter {
 public:
  enum class answer { no, yes, doubt };

  /// `axes` are the world's axes for the grid's; `equal`: all bodies are as wide as the level's widest, on every axis.
  grid_region_filter(const grid_level& l, const std::array<int, 3>& axes, const query& q, const measures& m, bool equal)
      : usable_(!q.repeats() && !l.frame.folded()),
        same_half_(equal ? l.widest_half * l.frame.scale : 0),
        half_unit_(grid_near_unit(l.frame.line_bits)) {
    if (!usable_) return;
    const auto* const ball = std::get_if<sphere>(&q.where());
    const auto* const block = std::get_if<box>(&q.where());
    is_ball_ = ball != nullptr;
    double farthest = 0;
    for (int a = 0; a < D; ++a) {
      const int k = axes[static_cast<std::size_t>(a)];
      low_[a] = ((ball != nullptr ? ball->center[k] : block->min[k]) - l.frame.origin[a]) * l.frame.scale;
      high_[a] = ((ball != nullptr ? ball->center[k] : block->max[k]) - l.frame.origin[a]) * l.frame.scale;
      farthest = std::max({farthest, std::abs(m.lower[k]), std::abs(m.upper[k])});
    }
    const double reach = q.margin() + (ball != nullptr ? ball->radius : 0);
    const double size = reach + 2 * l.widest_half;
    // `overlap` rounds the end of a box and the margin relative to their magnitude, the rest relative to distances.
    const double rounding =
        rounding_room(size) +
        (S == shape::box ? 4 * std::numeric_limits<double>::epsilon() * (farthest + q.margin()) : 0);
    reach_ = reach * l.frame.scale;
    // A center is within a unit of the exact one, on each axis, and a half width within its own unit. Two units more
    // are for what is computed here.
    const double on_each_axis =
        2 + (equal ? 0 : half_unit_) + rounding * l.frame.scale + size * l.frame.scale * 0x1p-20;
    error_ = 2 + outward(on_each_axis, S, ball != nullptr ? shape::sphere : shape::box, D);
  }

  [[nodiscard]] answer operator()(const grid_columns& bodies, std::uint32_t p) const {
    if (!usable_) return answer::doubt;
    double apart[D];
    for (int a = 0; a < D; ++a) {
      const auto c = static_cast<double>(bodies.center[a][p]);
      apart[a] = std::max(low_[a] - c, c - high_[a]);
      if constexpr (S == shape::box) apart[a] -= half(bodies, a, p);
    }
    if (S == shape::box && !is_ball_) {
      double most = apart[0];
      for (int a = 1; a < D; ++a) most = std::max(most, apart[a]);
      return decided(most, reach_ - error_, reach_ + error_);
    }
    double squares = 0;
    for (const double d : apart) squares += d > 0 ? d * d : 0;
    const double reach = reach_ + (S == shape::sphere ? half(bodies, 0, p) : 0);
    const double inner = reach - error_;
    const double outer = reach + error_;
    return decided(squares, inner > 0 ? inner * inner : -1, outer * outer);
  }

 private:
  // Numbers that have overflowed leave a doubt.
  [[nodiscard]] static answer decided(double x, double inner, double outer) {
    return x > outer ? answer::no : x <= inner ? answer::yes : answer::doubt;
  }
  [[nodiscard]] double half(const grid_columns& bodies, int a, std::uint32_t p) const {
    return bodies.half[a] != nullptr ? bodies.half[a][p] * half_unit_ : same_half_;
  }

  bool usable_;
  bool is_ball_ = false;
  double same_half_;
  double half_unit_;
  double low_[D] = {};  // of the region, in units; of a sphere, its center
  double high_[D] = {};
  double reach_ = 0;
  double error_ = 0;
};

}  // namespace abut
