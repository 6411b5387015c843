#pragma once

#include "bodies/packed_volumes.hpp"
#include "methods/multilevel/level.hpp"
#include "steps/show_cells.hpp"

namespace abut {

/// Shows the cells of all levels, and which of them are searched for the chosen body. `takes` is what that body takes.
template <int D, shape S>
class multilevel_show {
 public:
  using level = multilevel_level<D>;

  multilevel_show(sketcher& out, const packed_volumes<D, S>& volumes)
      : out_(out),
        volumes_(volumes),
        place_(volumes.place_of(out.chosen())),
        cell_(out.kind("cell", "holds the bodies of its level that are centered in it", sketch::holding::anchors)),
        window_(out.any_chosen() ? out.kind("window", "where the body's partners of the level can be") : 0) {}

  void show(const std::vector<level>& levels, bool up, const interval* takes) {
    std::size_t own = 0;
    while (own + 1 < levels.size() && place_ >= levels[own + 1].first) ++own;
    for (std::size_t h = 0; h < levels.size(); ++h) {
      // Its own level, and those of smaller or larger bodies.
      const bool seen = out_.any_chosen() && (h == own || (h > own) == up);
      show_level(levels[h], static_cast<std::uint32_t>(h), seen ? takes : nullptr, h == own);
    }
  }

 private:
  void show_level(const level& l, std::uint32_t h, const interval* takes, bool own) {
    const cell_axes axes = axes_of(l.cells);
    cell_window window;
    if (takes != nullptr) {
      typename level::cell lo;
      typename level::cell hi;
      l.window(takes, lo, hi);
      std::copy_n(lo, D, window.lo.begin());
      std::copy_n(hi, D, window.hi.begin());
      out_.box(window_, h, sides_of(out_, axes, window.lo, window.hi), true);
    }
    // On its own level, a body is compared with those after it.
    const auto searched = [&](const cell_at& c, std::size_t first, std::size_t last) {
      if (takes == nullptr || !window.holds(c)) return false;
      bool any = false;
      for (std::size_t p = first; p < last; ++p) {
        if (own && p <= place_) continue;
        out_.compared(volumes_.row_of(p));
        any = true;
      }
      return any;
    };
    if (l.starts == nullptr) {
      show_cells<D>(
          out_, cell_, h, l.cells, [&](std::size_t p) { return volumes_.row_of(l.first + p); },
          [&](const cell_at& c, std::size_t first, std::size_t last) {
            return searched(c, l.first + first, l.first + last);
          });
      return;
    }
    const auto count = [&](int k) { return k < D ? l.cells.axis[k].count() : 1U; };
    const std::uint32_t* at = l.starts;
    for (cell_at c{}; c[2] < count(2); ++c[2]) {
      for (c[1] = 0; c[1] < count(1); ++c[1]) {
        for (c[0] = 0; c[0] < count(0); ++c[0], ++at) {
          if (at[0] == at[1]) continue;
          out_.box(cell_, h, sides_of(out_, axes, c, c), searched(c, at[0], at[1]));
          for (std::uint32_t p = at[0]; p < at[1]; ++p) out_.member(volumes_.row_of(p));
        }
      }
    }
  }

  sketcher& out_;
  const packed_volumes<D, S>& volumes_;
  std::size_t place_;
  std::uint32_t cell_;
  std::uint32_t window_;
};

}  // namespace abut
