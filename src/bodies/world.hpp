#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/search.hpp>

#include "base/memory.hpp"
#include "bodies/muting.hpp"
#include "bodies/view.hpp"
#include "bodies/volumes.hpp"

namespace abut {

/// What one pass over the bodies measures; methods and the planner start from it. All 0 without bodies.
struct measures {
  double lower[3]{};   ///< the least lower end of a volume on each axis
  double upper[3]{};   ///< the greatest upper end
  double widest[3]{};  ///< the greatest width (for spheres: the largest diameter)
  // A body's width is its diameter or its longest side.
  double mean_width = 0;
  double least_width = 0;
  double least_side = 0;  ///< the shortest side of a box; of spheres, the least diameter
};

/// Receives rows while they are checked, so that a method need not read them a second time.
class row_reader {
 public:
  virtual ~row_reader() = default;

  /// The number of parts that the rows are split into. Parts are fed on several threads at once, each in order of rows.
  [[nodiscard]] virtual std::size_t parts() const = 0;
  /// The first row of a part.
  [[nodiscard]] static std::size_t begin(std::size_t rows, std::size_t parts, std::size_t part) {
    return part == parts ? rows : rows * part / parts / block * block;
  }
  static constexpr std::size_t block = 256;

  /// Receives rows [from, to): `columns[k][i]` is column k of row from + i, valid during the call. Called only for
  /// blocks in which all rows passed the check; rows of other blocks may still be refused after it.
  virtual void feed(std::size_t part, std::size_t from, std::size_t to, const double* const* columns) = 0;
};

/// The bodies that methods search: rows [0, size), each with its volume, in one unbounded space.
///
/// Without periodic axes the rows are the user's own, read in place. With them, the world holds a wrapped copy, and
/// *ghosts* follow the user's rows: images of bodies near an upper border, moved down by a period on one axis or more.
///
/// Some rows never form a pair; such pairs are *muted*: two fixed bodies, two of one group, two whose masks exclude
/// each other, or two ghosts that were moved down on the same axis. So for each periodic axis two bodies can meet in
/// three ways (neither is moved, or one, or the other), and each way is met once. Methods may find muted pairs and
/// pairs with ghosts: `own_pairs` removes the former and translates the latter. Nearest-neighbor asks for `muted` only
/// to keep such pairs out of its list.
class world {
 public:
  static constexpr std::size_t most_rows = std::size_t{1} << 30;
  static constexpr double largest = 1e150;  // squares of larger numbers overflow

  /// Checks and measures the bodies. Throws `error`, naming the first invalid body and its value. `reader`, if any, is
  /// fed the user's rows as they are; give none if an axis is periodic, since the world's rows are then others.
  world(const bodies& b, const options& o, int threads, row_reader* reader = nullptr);

  /// Rows of another world, ghosts included, as bodies in their own right: unbounded space, nothing muted.
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
  [[nodiscard]] bool muted(row i, row j) const { return mute_.muted(i, mute_, j); }
  /// Whether one of the user's rows and a row of a world without ghosts are never a pair.
  [[nodiscard]] bool muted_between(row i, const world& other, row j) const { return mute_.muted(i, other.mute_, j); }
  [[nodiscard]] const muting& mutes() const { return mute_; }
  [[nodiscard]] bool fixed(row i) const { return mute_.fixed(i); }

  /// The volume of a row, in double.
  template <int D, shape S>
  [[nodiscard]] volume<D, S> get(row i) const {
    return volume_of<D, S>([&](int c) { return at(c)[i]; });
  }
  [[nodiscard]] region get(row i) const;

  /// Turns pairs of rows into pairs of the user's rows, in place: removes muted pairs, replaces ghosts by their owners
  /// (with i < j), and keeps only one of the pairs that touch through several images. Returns how many are left.
  std::size_t own_pairs(pair* first, std::size_t count) const;
  /// The user's row that a row stands for: itself, or the one that it is a ghost of.
  [[nodiscard]] row owner(row i) const { return i < own_ ? i : ghosts_[i - own_].owner; }
  [[nodiscard]] bool has_ghosts() const { return size() > own_; }

  /// The interval over which an axis repeats, if it does, and its length.
  [[nodiscard]] const std::optional<interval>& period(int k) const { return periodic_[k]; }
  [[nodiscard]] double side(int k) const { return periodic_[k]->max - periodic_[k]->min; }

  /// A region moved down on a periodic axis by a whole number of periods.
  [[nodiscard]] region moved_down(region where, int k, double periods) const;

  /// Extends the map of the user's rows from `before` to this world by the ghosts; `no_row` means that a row is gone.
  [[nodiscard]] std::vector<row> map_from(const world& before, std::span<const row> new_rows) const;

 private:
  struct ghost {
    row owner;
    unsigned down;  // bit k: moved down by a period on axis k
  };
  world() = default;

  void apply_periods();
  void check_sides() const;
  void copy_wrapped(std::size_t from, std::size_t to);
  void wrap(int axis, double* lower, double* upper, std::size_t count) const;
  void add_ghosts();
  [[nodiscard]] unsigned ghost_axes(row i) const;
  void copy_ghosts();
  void view_columns(std::size_t rows);
  void set_muting(const bodies& b);
  [[nodiscard]] region image(row i, unsigned down) const;
  [[nodiscard]] bool first_image(const pair& p, unsigned i_down, unsigned j_down) const;

  bodies bodies_;
  std::size_t own_ = 0;
  double margin_ = 0;
  int threads_ = 1;
  std::array<std::optional<interval>, 3> periodic_{};
  bool repeats_ = false;  // whether a side is so short that two bodies may touch through two images
  measures measured_;
  measures measured_own_;
  std::array<buffer<double>, 6> columns_;  // empty without periodic axes: the user's are read in place
  std::vector<ghost> ghosts_;
  muting mute_;
};

/// Checks and measures bodies; numbers may be up to `largest` in magnitude. Throws `error`, naming the first invalid
/// body. The result does not depend on the number of threads.
[[nodiscard]] measures check(const bodies& b, int threads, double largest = world::largest,
                             row_reader* reader = nullptr);

/// Checks the options of a search. Throws `error`.
void check(const options& o);

/// Checks a region. Throws `error`.
void check(const region& where);

/// Calls `f.operator()<D, S>()` with the world's dimension and shape.
template <class F>
decltype(auto) with_shape_of(const world& w, F&& f) {
  if (w.kind() == shape::sphere) {
    return w.dimension() == 2 ? f.template operator()<2, shape::sphere>() : f.template operator()<3, shape::sphere>();
  }
  return w.dimension() == 2 ? f.template operator()<2, shape::box>() : f.template operator()<3, shape::box>();
}

}  // namespace abut
