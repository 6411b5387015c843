#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <abut/error.hpp>

#include "portable.hpp"

/// The bodies of a packing so far, and the question whether another one finds room.
namespace abut::samples {

template <int D>
using point = std::array<double, D>;

/// Levels of cells, each half as wide as the one above. A body lies in the finest level whose cells are as wide as the
/// body, so that the bodies that can touch a smaller one lie in at most 3 cells per axis of every level. No level has
/// more than four cells for each body that it or a finer one will hold: memory is O(bodies) whatever the sizes.
template <int D>
class packing_grid {
 public:
  struct body {
    point<D> center;
    double r;
    row next;  ///< in the same cell, where its slots are full
    row id;
  };

  packing_grid(double side, const std::vector<double>& radii, double r_max) {
    bodies_.reserve(radii.size());
    const auto count = static_cast<double>(radii.size());
    for (double width = std::max(2 * r_max, side / root(D, 4 * count));; width /= 2) {
      const auto fits = std::count_if(radii.begin(), radii.end(), [&](double r) { return 2 * r <= width; });
      const double n = std::floor(side / width);
      if (!levels_.empty() && (fits == 0 || power(D, n) > 4 * static_cast<double>(fits))) break;
      levels_.emplace_back(side, std::max(n, 1.0), width);
    }
  }

  [[nodiscard]] const std::vector<body>& bodies() const { return bodies_; }

  void add(const point<D>& center, double r, row id) {
    std::size_t l = 0;
    while (l + 1 < levels_.size() && 2 * r <= levels_[l + 1].width) ++l;
    level& at = levels_[l];
    at.r_max = std::max(at.r_max, r);
    std::size_t index = 0;
    for (int k = D; k-- > 0;) index = index * at.n + at.index(center[k]);
    cell& c = at.cells[index];
    const row mine = static_cast<row>(bodies_.size());
    if (c.size < slots) {
      bodies_.push_back({center, r, no_row, id});
      c.slot[c.size++] = mine;
    } else {
      bodies_.push_back({center, r, c.slot[slots - 1], id});
      c.slot[slots - 1] = mine;
    }
  }

  /// Whether a body there would overlap another. A radius below 0 asks whether the point is that deep in the reach of
  /// another.
  [[nodiscard]] bool occupied(const point<D>& p, double r) const {
    return std::any_of(levels_.begin(), levels_.end(), [&](const level& l) { return l.r_max > 0 && in(l, p, r); });
  }

 private:
  static constexpr row slots = 3;

  struct cell {
    row size = 0;
    std::array<row, slots> slot{};  ///< the last one begins a chain of all that the others do not hold
  };

  struct level {
    level(double side, double count, double w)
        : width(w), per_length(count / side), n(static_cast<std::size_t>(count)) {
      this->cells.resize(static_cast<std::size_t>(power(D, count)));
    }
    [[nodiscard]] std::size_t index(double x) const {
      // Signed, because a processor converts signed numbers in one step.
      const auto at = static_cast<std::int64_t>(x * per_length);
      return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(n) - 1));
    }
    double width;
    double per_length;
    double r_max = 0;
    std::size_t n;
    std::vector<cell> cells{};
  };

  // The cells of one axis that a reach can meet, its own first: most candidates are refused, and so sooner. There
  // are 3, or 4 where a candidate is a little larger than the bodies of the level, as within a class of sizes.
  struct stretch {
    std::array<std::size_t, 5> cell;
    std::size_t size;
  };

  static void find_near(const level& l, double x, double reach, stretch& s) {
    const std::size_t own = l.index(x);
    const std::size_t low = l.index(x - reach);
    const std::size_t high = l.index(x + reach);
    s.cell[0] = own;
    s.size = 1;
    for (std::size_t c = own; c > low; --c) s.cell[s.size++] = c - 1;
    for (std::size_t c = own + 1; c <= high; ++c) s.cell[s.size++] = c;
  }

  [[nodiscard]] bool in(const level& l, const point<D>& p, double r) const {
    // Room for rounding: cells are as wide as the reach, not wider.
    const double reach = (std::max(r, 0.0) + l.r_max) * (1 + 1e-12);
    std::array<stretch, 3> s;
    for (int k = 0; k < D; ++k) find_near(l, p[k], reach, s[k]);
    const std::size_t layers = D == 3 ? s[2].size : 1;
    for (std::size_t c = 0; c < layers; ++c) {
      // Slots are copied whole, whether used or not: a branch for each cell would be taken at random, and that is slow.
      std::array<row, 25 * slots + 1> some;
      std::size_t size = 0;
      for (std::size_t b = 0; b < s[1].size; ++b) {
        const std::size_t line = ((D == 3 ? s[2].cell[c] * l.n : 0) + s[1].cell[b]) * l.n;
        for (std::size_t a = 0; a < s[0].size; ++a) {
          const cell& from = l.cells[line + s[0].cell[a]];
          for (row k = 0; k < slots; ++k) some[size + k] = from.slot[k];
          size += from.size;
        }
      }
      for (std::size_t k = 0; k < size; ++k) {
        if (in_chain(some[k], p, r)) return true;
      }
    }
    return false;
  }

  // The definition of overlap, and so the only test that matters.
  [[nodiscard]] bool in_chain(row i, const point<D>& p, double r) const {
    do {
      const body& b = bodies_[i];
      const double reach = b.r + r;
      double square = 0;
      for (int k = 0; k < D; ++k) square += (p[k] - b.center[k]) * (p[k] - b.center[k]);
      if (square <= reach * reach && reach > 0) return true;
      i = b.next;
    } while (i != no_row);
    return false;
  }

  std::vector<level> levels_;
  std::vector<body> bodies_;
};

}  // namespace abut::samples
