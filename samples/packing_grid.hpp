#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <abut/error.hpp>

#include "portable.hpp"

/// The bodies of a packing so far, and the test whether a place is free.
namespace abut::samples {

template <int D>
using point = std::array<double, D>;

/// Levels of cells, each half as wide as those of the level above. A body is stored in the finest level whose cells are
/// at least as wide as the body, so that the bodies that can touch a smaller one are in at most 3 cells per axis of
/// every level. No level has more than four cells for each body that it or a finer level will hold, so that memory is
/// O(bodies) for any sizes.
template <int D>
class packing_grid {
 public:
  struct body {
    point<D> center;
    double r;
    row next;  ///< in the chain of the same cell
    row id;
  };

  packing_grid(double side, const std::vector<double>& radii, double r_max) {
    bodies_.reserve(radii.size());
    const auto count = static_cast<double>(radii.size());
    for (double width = std::max(2 * r_max, side / root(D, 4 * count));; width /= 2) {
      const auto fits = std::count_if(radii.begin(), radii.end(), [&](double r) { return 2 * r <= width; });
      const double n = std::floor(side / width);
      if (!levels_.empty() && (fits == 0 || power(n, D) > 4 * static_cast<double>(fits))) break;
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

  /// Whether a body at p would overlap another. With a negative radius: whether p is inside another body, at least that
  /// deep.
  [[nodiscard]] bool occupied(const point<D>& p, double r) const {
    return std::any_of(levels_.begin(), levels_.end(), [&](const level& l) { return l.r_max > 0 && in(l, p, r); });
  }

 private:
  static constexpr row slots = 3;

  struct cell {
    row size = 0;
    std::array<row, slots> slot{};  ///< the last one begins a chain of all further bodies
  };

  struct level {
    level(double side, double count, double w)
        : width(w), per_length(count / side), n(static_cast<std::size_t>(count)) {
      this->cells.resize(static_cast<std::size_t>(power(count, D)));
    }
    [[nodiscard]] std::size_t index(double x) const {
      // Signed, because processors convert to signed integers in one instruction.
      const auto at = static_cast<std::int64_t>(x * per_length);
      return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(n) - 1));
    }
    double width;
    double per_length;
    double r_max = 0;
    std::size_t n;
    std::vector<cell> cells{};
  };

  // The cells of one axis within reach, the body's own first, because most candidates are refused there. There are 3,
  // or 4 if a candidate is a little larger than the bodies of the level, as within a class of sizes.
  struct cell_range {
    std::array<std::size_t, 5> cell;
    std::size_t size;
  };

  static void find_near(const level& l, double x, double reach, cell_range& s) {
    const std::size_t own = l.index(x);
    const std::size_t low = l.index(x - reach);
    const std::size_t high = l.index(x + reach);
    s.cell[0] = own;
    s.size = 1;
    for (std::size_t c = own; c > low; --c) s.cell[s.size++] = c - 1;
    for (std::size_t c = own + 1; c <= high; ++c) s.cell[s.size++] = c;
  }

  [[nodiscard]] bool in(const level& l, const point<D>& p, double r) const {
    // With room for rounding, because cells are no wider than the reach.
    const double reach = (std::max(r, 0.0) + l.r_max) * (1 + 1e-12);
    std::array<cell_range, 3> s;
    for (int k = 0; k < D; ++k) find_near(l, p[k], reach, s[k]);
    const std::size_t layers = D == 3 ? s[2].size : 1;
    for (std::size_t c = 0; c < layers; ++c) {
      // Copies all slots, used or not: a branch for each cell would be unpredictable and slow.
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

  // Tests the bodies of a chain by the definition of overlap.
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
