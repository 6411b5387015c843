#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bodies/world.hpp"
#include "steps/axis_cells.hpp"
#include "steps/cell_size.hpp"

namespace abut {

/// Cells of this size along axis k, for bodies that are put into every cell that they touch.
template <int D, shape S>
[[nodiscard]] axis_cells covered_axis(const world& w, int k, double size) {
  const measures& m = w.measured();
  const interval whole = widened(m.lower[k] - w.margin(), m.upper[k] + w.margin());
  return {whole.min, whole.max, size, [&] {
            std::vector<interval> all(w.size());
            for (row i = 0; i < w.size(); ++i) all[i] = taken(w.get<D, S>(i), k, w.margin());
            return all;
          }};
}

/// Counts the entries of bodies that are stored in every cell that they touch, on the axes that a method splits into
/// cells, and finds a cell size with few enough entries. Memory must not depend on how small the cells are.
template <int D, shape S>
class cover_entries {
 public:
  /// `axes`: a bit for each axis that is split into cells. The world and the widths must outlive this.
  cover_entries(const world& w, const body_widths& widths, unsigned axes) : world_(w), widths_(widths), axes_(axes) {}

  /// The most entries over all bodies; they are numbered in 32 bits.
  [[nodiscard]] double allowed() const {
    return std::min(body_widths::most_entries * static_cast<double>(world_.size()), 4294967294.0);
  }

  /// The number of entries that cells of this size make; infinity if there are too many to make axes.
  [[nodiscard]] double count(double size) const {
    // A lower bound first, without cells: a giant over tiny cells would make axes of endless length.
    const double least = sum([&](const interval& t, int) { return std::max(1.0, (t.max - t.min) / size); });
    if (!(least <= allowed())) return std::numeric_limits<double>::infinity();
    axis_cells cells[D];
    for (int k = 0; k < D; ++k) {
      if (splits(k)) cells[k] = covered_axis<D, S>(world_, k, size);
    }
    return sum([&](const interval& t, int k) { return 1.0 + cells[k].index(t.max) - cells[k].index(t.min); });
  }

  /// A size above `asked` that works, near the smallest one: starts from the expectation and grows until it works.
  [[nodiscard]] double smallest_above(double asked) const {
    const auto expected = [&](double size) { return widths_.entries(size, axes_); };
    double size = asked;
    while (expected(size) > body_widths::most_entries) size *= 1.5;
    while (size > asked * 1.5 && expected(size / 1.1) < body_widths::most_entries) size /= 1.1;
    double works = rounded_size(std::max(size, asked * 1.02));
    while (!(count(works) <= allowed())) works = rounded_size(works * 1.1);
    return works;
  }

  /// Throws an error about the size that the user asked for. `what` names it, as in "neighboring-cell's cell".
  [[noreturn]] void refuse(const std::string& what, double asked, double entries) const {
    const double each = std::round(entries / static_cast<double>(world_.size()));
    throw error(what + " is " + number_text(asked) + ", which makes " +
                (each < 1e300 ? number_text(each) : "far too many") + " entries a body; the smallest that works is " +
                number_text(smallest_above(asked)) + " (at most 16 entries a body)");
  }

 private:
  [[nodiscard]] bool splits(int k) const { return (axes_ >> k & 1U) != 0; }

  template <class OfBody>
  [[nodiscard]] double sum(OfBody&& of_body) const {
    constexpr std::size_t block = 8192;
    std::vector<double> parts((world_.size() + block - 1) / block);
    parallel_blocks(world_.threads(), world_.size(), block, [&](std::size_t b, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const volume<D, S> v = world_.get<D, S>(static_cast<row>(i));
        double product = 1;
        for (int k = 0; k < D; ++k) {
          if (splits(k)) product *= of_body(taken(v, k, world_.margin()), k);
        }
        parts[b] += product;
      }
    });
    double total = 0;
    for (const double p : parts) total += p;
    return total;
  }

  const world& world_;
  const body_widths& widths_;
  unsigned axes_;
};

}  // namespace abut
