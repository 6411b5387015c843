#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bodies/world.hpp"
#include "steps/sizes.hpp"

namespace abut {

/// Bodies of nearly one size, as Ogarko and Luding 2011 counts them.
struct size_class {
  double size;   ///< an upper bound: the widest side with the margin
  double count;  ///< N: how many bodies
  double cells;  ///< N^c: the number of cells of this size that the bodies fill
};

/// Levels as stretches of classes, both from small to large: level h ends before class `ends[h]`.
struct multilevel_split {
  std::vector<std::size_t> ends;
  double per_cell = 0;  ///< m: bodies per cell, in the fullest level
};

/// Splits the classes into at most `levels` levels with equal numbers of bodies per cell, m_h = N_h / N_h^c (Ogarko and
/// Luding 2011, equation (2)). Sizes come in classes and bodies in whole numbers, so "equal" means that the fullest
/// level is as empty as possible.
[[nodiscard]] multilevel_split split_evenly(std::span<const size_class> classes, int levels);

/// Divides the fullest levels further until there are as many as this, or each has a single class.
void divide_further(std::span<const size_class> classes, std::size_t levels, multilevel_split& split);

/// The number of levels, up to `most`, that makes N L (m + K) least (Ogarko and Luding 2011, equation (3)); K is
/// `overhead`.
[[nodiscard]] int best_levels(std::span<const size_class> classes, double overhead, int most);

/// The sizes of a world's bodies, in classes of a few percent, or `fine` ones of two in a thousand if the ratio of
/// sizes is at most 256; empty classes are left out.
class multilevel_sizes {
 public:
  explicit multilevel_sizes(const world& w, bool fine = false);

  [[nodiscard]] std::span<const size_class> classes() const { return classes_; }

  /// The level of each of rows [from, to), by the split that was set.
  void read_levels(const world& w, std::size_t from, std::size_t to, std::uint8_t* out) const;

  /// Sets where the levels end; there are at most 255.
  void set_levels(const multilevel_split& split);

  /// The edge of cells that hold `per_cell` of `count` bodies on average, if they are as dense as the smallest bodies.
  [[nodiscard]] double edge_for(double count, double per_cell) const;

 private:
  // How many cells of an edge are filled.
  struct scale {
    double edge;
    double cells;
  };

  void count_classes(const world& w, bool fine);
  void measure_space(const world& w);
  [[nodiscard]] double median_size() const;
  [[nodiscard]] double cells_of(double size) const;

  int dimension_;
  size_measure size_;
  size_ranges ranges_;
  std::vector<std::size_t> range_of_class_;
  std::vector<std::uint8_t> level_of_;  // by range
  std::vector<size_class> classes_;
  std::vector<scale> scales_;
};

}  // namespace abut
