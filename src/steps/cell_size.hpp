#pragma once

#include <string>
#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// The two ways of putting bodies into cells.
enum class cell_store : std::uint8_t {
  center,  ///< a body is in the cell of its center, and searches as far as the largest body reaches
  cover    ///< a body is in every cell that it touches, and searches only those
};

/// A cell size, and what the model expects of it, per body on average.
struct cell_choice {
  cell_store store = cell_store::center;
  double size = 1;
  double load = 0;    ///< in units of one overlap test
  double tests = 0;   ///< fine contact checks
  double visits = 0;  ///< center: lines of cells searched; cover: entries, one for each cell touched
};

/// A size rounded to three digits, so that a plan that shows it reads back as the same number.
[[nodiscard]] double rounded_size(double size);

/// Statistics of the bodies' widths: how many cells of a size a body is expected to touch.
class body_widths {
 public:
  static constexpr double most_entries = 16;      ///< per body on average, in any method
  static constexpr double entries_aimed_at = 12;  ///< fewer than that, since the expectation is not exact

  explicit body_widths(const world& w);

  /// The expected number of cells that a body touches if these axes, one bit each, are split into cells.
  [[nodiscard]] double entries(double size, unsigned axes) const;

  /// The widest and the mean width on an axis, with the margin and room for rounding.
  [[nodiscard]] double widest(int k) const { return widest_[k]; }
  [[nodiscard]] double mean(int k) const { return widest_[k] * products_[1U << k]; }

 private:
  int dimension_;
  double room_ = 0;
  double widest_[3]{};
  double products_[8]{};  // mean over bodies of the product of width / widest, for every subset of the axes
};

/// How load depends on the cell size, after Mio et al. (DEM lecture 11): load = k_SC n_SC + k_CC n_CC.
///
/// `center`: a body searches n_S = 1 + 2 R / c cells along each axis, where R is how far its partners' centers can be;
/// for equal spheres R = 2 r, and this is the n_S = 1 + 4 / lambda that reproduces Mio's optimum. Here a whole line of
/// cells is searched at once, since its bodies are contiguous, so n_SC counts lines: n_S^(D-1) / 2. n_CC is half
/// the bodies in the searched volume. `cover`: n_SC counts the entries of a body, and n_CC the pairs met in its cells.
/// The constants are measured on our loops (bench/figures cells); Mio's own ratio was k_CC / k_SC = 10.47 for cells.
class cell_model {
 public:
  // In units of one overlap test, as measured (bench/figures cells).
  static constexpr double load_of_line = 3;  ///< of cells, to search it
  static constexpr double load_of_entry = 30;
  static constexpr double load_of_meeting = 1;

  explicit cell_model(const world& w);

  /// The cell size of least load, for one way of storing, or for the better of the two.
  [[nodiscard]] cell_choice best(cell_store store) const;
  [[nodiscard]] cell_choice best() const;

  /// What the model expects of this cell size.
  [[nodiscard]] cell_choice expect(cell_store store, double size) const;

  /// The expected number of cells that a body touches.
  [[nodiscard]] double entries(double size) const { return widths_.entries(size, (1U << dimension_) - 1); }

  [[nodiscard]] const body_widths& widths() const { return widths_; }

 private:
  // Other bodies per unit^D around a body, on average over bodies, as seen in cells of this edge.
  struct density {
    double edge;
    double value;
  };

  void measure_densities(const world& w);
  [[nodiscard]] double density_at(double edge) const;

  body_widths widths_;
  int dimension_;
  double count_;
  double unit_ = 1;                 // the unit of length for densities: about the mean width of a body
  std::vector<density> densities_;  // from the scale of a mean body up to that of the largest one's reach
  double reach_[3]{};               // the mean distance within which a partner's center can be
};

}  // namespace abut
