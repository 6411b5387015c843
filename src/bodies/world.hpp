#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/search.hpp>

#include "bodies/volumes.hpp"

namespace abut {

/// What one pass over the bodies tells: the methods and the planner start from it.
struct measures {
  double lower[3]{};   ///< the least lower end of a volume on each axis (0 without bodies)
  double upper[3]{};   ///< the greatest upper end
  double widest[3]{};  ///< the greatest width (for spheres: the largest diameter)
  double mean_width = 0;
  double least_width = 0;
};

/// Reads rows while they are checked, so that nobody needs to read them again.
class row_reader {
 public:
  virtual ~row_reader() = default;

  /// The number of parts. Parts are read on several threads at once, the rows of a part in order.
  [[nodiscard]] virtual std::size_t parts() const = 0;
  [[nodiscard]] static std::size_t begin(std::size_t rows, std::size_t parts, std::size_t part) {
    return part == parts ? rows : rows * part / parts / block * block;
  }
  static constexpr std::size_t block = 256;

  /// Takes rows [from, to), whose numbers are `columns`. Called only for rows that passed the check.
  virtual void feed(std::size_t part, std::size_t from, std::size_t to, const double* const* columns) = 0;
};

/// The bodies as the methods see them: rows [0, count), each with its volume, all in one unbounded space.
///
/// Without periodic axes the rows are the user's own, read in place. With them, the world holds a wrapped copy, and
/// after the user's rows come *ghosts*: the images of bodies near an upper border, moved down by a period on one axis
/// or more. Two rows are muted, which means that they are never a pair, if their `mute` bytes share a bit: two fixed
/// bodies, two ghosts that were moved down on the same axis. So two bodies meet once for each way of moving, on each
/// axis, the one or the other or neither.
class world {
 public:
  static constexpr std::size_t most_rows = std::size_t{1} << 30;
  static constexpr double largest = 1e150;  // past that, squares overflow

  /// Checks the bodies and takes them in. Throws `error`, naming the first body at fault and its value.
  /// `reader` is fed the rows unless an axis is periodic: then the rows are wrapped copies and ghosts.
  world(const bodies& b, const options& o, int threads, row_reader* reader = nullptr);

  /// The rows of another world, ghosts included, as bodies of their own in an unbounded space.
  [[nodiscard]] static world of_rows(const bodies& rows, double margin, int threads);

  [[nodiscard]] shape kind() const { return bodies_.kind(); }
  [[nodiscard]] int dimension() const { return bodies_.dimension(); }
  [[nodiscard]] std::size_t size() const { return bodies_.size(); }  ///< rows, ghosts included
  [[nodiscard]] std::size_t own() const { return own_; }             ///< the user's rows
  [[nodiscard]] double margin() const { return margin_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const measures& measured() const { return measured_; }          ///< of all rows
  [[nodiscard]] const measures& measured_own() const { return measured_own_; }  ///< of the user's rows, wrapped
  [[nodiscard]] const bodies& rows() const { return bodies_; }
  [[nodiscard]] const column& at(int k) const { return bodies_.at(k); }
  [[nodiscard]] std::size_t bytes() const;

  /// Whether two rows are never a pair.
  [[nodiscard]] bool muted(row i, row j) const { return !mute_.empty() && (mute_[i] & mute_[j]) != 0; }
  [[nodiscard]] bool mutes() const { return !mute_.empty(); }  ///< whether there may be such rows
  static constexpr std::uint8_t fixed_bit = 1;
  static constexpr std::uint8_t first_axis_bit = 2;  // of a ghost: moved down on x; then y, then z
  [[nodiscard]] bool fixed(row i) const { return !mute_.empty() && (mute_[i] & fixed_bit) != 0; }

  /// The volume of a row, in double.
  template <int D, shape S>
  [[nodiscard]] volume<D, S> get(row i) const {
    volume<D, S> v{};
    if constexpr (S == shape::sphere) {
      for (int k = 0; k < D; ++k) v.center[k] = at(k)[i];
      v.radius = at(D)[i];
    } else {
      for (int k = 0; k < D; ++k) v.min[k] = at(k)[i];
      for (int k = 0; k < D; ++k) v.max[k] = at(D + k)[i];
    }
    return v;
  }
  [[nodiscard]] region get(row i) const;

  /// Turns pairs of rows into pairs of the user's rows: replaces ghosts by their owners, i < j, and drops a pair that
  /// is met through another image as well. Returns how many are left.
  std::size_t own_pairs(pair* first, std::size_t count) const;
  [[nodiscard]] bool has_ghosts() const { return size() > own_; }

  /// The stretch over which an axis repeats, if it does, and its length.
  [[nodiscard]] const std::optional<interval>& period(int k) const { return periodic_[k]; }
  [[nodiscard]] double side(int k) const { return periodic_[k]->max - periodic_[k]->min; }

  /// A region moved down on a periodic axis by a whole number of periods.
  [[nodiscard]] region moved_down(region where, int k, double periods) const;

  /// The map of rows from another world to this one, ghosts included, given that of the user's rows. `no_row`: gone.
  [[nodiscard]] std::vector<row> map_from(const world& before, std::span<const row> new_rows) const;

 private:
  struct ghost {
    row owner;
    unsigned down;  // bit k: moved down by a period on axis k
  };
  world() = default;

  void take_periods();
  void check_sides() const;
  void wrap(int axis, double* lower, double* upper, std::size_t count) const;
  void add_ghosts();
  void add_ghost(row owner, unsigned down);
  void take_fixed(const bodies& b);
  [[nodiscard]] region image(row i, unsigned down) const;
  [[nodiscard]] bool first_image(const pair& p, unsigned i_down, unsigned j_down) const;

  bodies bodies_;
  std::size_t own_ = 0;
  double margin_ = 0;
  int threads_ = 1;
  std::array<std::optional<interval>, 3> periodic_{};
  bool repeats_ = false;  // a side is so short that a pair might touch through two images
  measures measured_;
  measures measured_own_;
  std::vector<double> columns_[6];
  std::vector<ghost> ghosts_;
  std::vector<std::uint8_t> mute_;
};

/// Checks a set of bodies and measures it. Throws `error`.
[[nodiscard]] measures check(const bodies& b, int threads, double largest = world::largest,
                             row_reader* reader = nullptr);

/// Checks what a user asks of a search. Throws `error`.
void check(const options& o);

/// Checks a region. Throws `error`.
void check(const region& where);

}  // namespace abut
