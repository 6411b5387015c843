#pragma once

#include <algorithm>
#include <string>

#include "bodies/world.hpp"
#include "steps/axis_cells.hpp"
#include "steps/cell_size.hpp"

namespace abut {

/// Cells of this size along axis k, for bodies that are stored in every cell that they touch.
[[nodiscard]] axis_cells covered_axis(const world& w, int k, double size);

/// Counts the entries of bodies that are stored in every cell that they touch, on the axes that a method splits into
/// cells, and finds a cell size with few enough of them, since memory must not depend on how small the cells are.
class cover_entries {
 public:
  /// `axes`: a bit for each axis that is split into cells. The world and the widths must outlive this.
  cover_entries(const world& w, const body_widths& widths, unsigned axes) : world_(w), widths_(widths), axes_(axes) {}

  /// The most entries over all bodies; they are numbered in 32 bits.
  [[nodiscard]] double allowed() const {
    return std::min(body_widths::most_entries * static_cast<double>(world_.size()), 4294967294.0);
  }

  /// The number of entries with cells of this size; infinity if there would be too many cells to make the axes.
  [[nodiscard]] double count(double size) const;

  /// A size above `asked` that works, close to the smallest such size: starts from the expectation and grows until it
  /// works.
  [[nodiscard]] double smallest_above(double asked) const;

  /// Throws an error about the size that the user asked for. `what` names it, as in "neighboring-cell's cell".
  [[noreturn]] void refuse(const std::string& what, double asked, double entries) const;

  /// For a plan's reason: says that the cell or width was raised from this size because of the limit.
  [[nodiscard]] static std::string raised(const std::string& what, double from);

 private:
  [[nodiscard]] bool splits(int k) const { return (axes_ >> k & 1U) != 0; }

  template <class OfBody>
  [[nodiscard]] double sum(const OfBody& of_body) const;

  const world& world_;
  const body_widths& widths_;
  unsigned axes_;
};

}  // namespace abut
