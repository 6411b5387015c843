#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "base/sort.hpp"
#include "bodies/world.hpp"

namespace abut {

/// One end of the interval that a row takes on an axis.
struct end_point {
  static constexpr std::uint32_t upper_bit = std::uint32_t{1} << 31;

  double at;
  std::uint32_t what;      ///< the row, with `upper_bit` set for its upper end
  std::uint32_t mark = 0;  ///< the row's mark, from `marked_interval`

  static row row_of(std::uint32_t what) { return what & ~upper_bit; }
  static bool is_upper(std::uint32_t what) { return (what & upper_bit) != 0; }

  /// Among equal ends, lower ones come first, since touching counts; then by row.
  friend bool operator<(const end_point& a, const end_point& b) {
    return a.at < b.at || (a.at == b.at && a.what < b.what);
  }
};

/// The interval that a row takes on an axis, with a mark that `end_list::sort_again` passes to every swap, so that the
/// list's owner need not look the row up. The mark uses space that would otherwise be padding.
struct marked_interval {
  // NOLINTNEXTLINE(google-explicit-constructor): most lists need no marks
  marked_interval(const interval& taken, std::uint32_t m = 0) : min(taken.min), max(taken.max), mark(m) {}

  double min;
  double max;
  std::uint32_t mark;
};

/// How many moves an insertion sort may make: `left` at the start, and `each` more for every entry. So a sort that
/// would take too long is noticed early, and a few rows that move far may use moves that the others do not need.
struct moves_allowed {
  std::uint64_t left;
  std::uint64_t each;
  std::uint64_t made = 0;  ///< how many it has made: one for every two entries that have changed places

  /// `each` moves for each of `count` entries; an eighth of the total is granted at the start.
  static moves_allowed for_entries(std::size_t count, std::uint64_t each) {
    return {count * each / 8, each - each / 8};
  }
};

/// Which rows of the last update still exist, and which are new.
struct carried_rows {
  std::span<const row> map;  ///< from old rows to new; empty if nothing is carried over
  std::vector<row> added;
  std::size_t count = 0;

  carried_rows(std::span<const row> from_old, std::size_t now) : map(from_old), count(now) {
    std::vector<bool> known(now);
    for (const row r : map) {
      if (r != no_row) known[r] = true;
    }
    for (std::size_t i = 0; i < now; ++i) {
      if (!known[i]) added.push_back(static_cast<row>(i));
    }
  }
};

/// The ends of the rows' intervals on one axis, in order. The side table of Perkins 1999, 5.1 is one bit of each entry.
class end_list {
 public:
  enum class ends : std::uint8_t { lower, both };

  explicit end_list(ends which = ends::both) : which_(which) {}

  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t rank) const { return list_[rank]; }
  [[nodiscard]] std::span<const std::uint32_t> entries() const { return list_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(list_); }

  /// Sorts rows [0, count) anew, by heap sort. `taken(row)` is the interval that a row takes on this axis.
  template <class Taken>
  void sort(std::size_t count, Taken&& taken) {
    std::vector<end_point> points = points_of(count, taken);
    std::make_heap(points.begin(), points.end());
    std::sort_heap(points.begin(), points.end());
    take(points);
  }

  /// The same order by counting, in linear time: for lists that insertion sort keeps in order later.
  template <class Taken>
  void sort_by_counting(std::size_t count, Taken&& taken) {
    key_sorter sorter;
    const std::size_t sides = which_ == ends::both ? 2 : 1;
    sorter.keys.reserve(count * sides);
    sorter.rows.reserve(count * sides);
    // Lower ends first and rows in order: counting keeps the order of equal ends.
    for (std::size_t side = 0; side < sides; ++side) {
      for (std::size_t i = 0; i < count; ++i) {
        const marked_interval t = taken(static_cast<row>(i));
        sorter.keys.push_back(ordered_bits(side == 0 ? t.min : t.max));
        sorter.rows.push_back(static_cast<row>(i) | (side == 0 ? 0 : end_point::upper_bit));
      }
    }
    sorter.sort(64, 1);
    list_ = std::move(sorter.rows);
  }

  /// Sorts again from the last order, by insertion sort, which is linear if little has changed; new rows are sorted
  /// separately and merged. `swap(moved, passed)` is called once for every two end points that change places: `moved`
  /// was behind `passed` and is now before it. `moves` counts down, and `swap` may subtract from it too. If it runs
  /// out, the sort gives up and returns false, with the list unchanged.
  template <class Taken, class Swap>
  [[nodiscard]] bool sort_again(const carried_rows& rows, Taken&& taken, moves_allowed& moves, Swap&& swap) {
    std::vector<end_point> points;
    points.reserve(rows.count * (which_ == ends::both ? 2 : 1));
    for (const std::uint32_t what : list_) {
      const row now = rows.map[end_point::row_of(what)];
      if (now == no_row) continue;
      const marked_interval t = taken(now);
      const std::uint32_t side = what & end_point::upper_bit;
      points.push_back({side != 0 ? t.max : t.min, now | side, t.mark});
    }
    if (!insertion_sort(points, moves, swap)) return false;
    const auto kept = static_cast<std::ptrdiff_t>(points.size());
    for (const row i : rows.added) add_row(i, taken(i), points);
    std::sort(points.begin() + kept, points.end());
    std::inplace_merge(points.begin(), points.begin() + kept, points.end());
    take(points);
    return true;
  }

  /// The number of entries before `x`; with `closed`, entries at `x` count too.
  template <class Taken>
  [[nodiscard]] std::size_t count_below(double x, bool closed, Taken&& taken) const {
    const auto at = [&](std::uint32_t what) {
      const interval t = taken(end_point::row_of(what));
      return end_point::is_upper(what) ? t.max : t.min;
    };
    const auto first = std::partition_point(list_.begin(), list_.end(),
                                            [&](std::uint32_t what) { return closed ? at(what) <= x : at(what) < x; });
    return static_cast<std::size_t>(first - list_.begin());
  }

  /// The moves that an insertion sort may make; with more, counting is faster (measured).
  [[nodiscard]] moves_allowed fair_moves() const {
    moves_allowed moves = moves_allowed::for_entries(size(), 16);
    moves.left += 4096;
    return moves;
  }

 private:
  template <class Taken>
  [[nodiscard]] std::vector<end_point> points_of(std::size_t count, Taken&& taken) const {
    std::vector<end_point> points;
    points.reserve(count * (which_ == ends::both ? 2 : 1));
    for (std::size_t i = 0; i < count; ++i) add_row(static_cast<row>(i), taken(static_cast<row>(i)), points);
    return points;
  }

  // A number's bits as an integer in the same order as the numbers; -0 becomes 0.
  static std::uint64_t ordered_bits(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
  }

  void add_row(row i, const marked_interval& t, std::vector<end_point>& points) const {
    points.push_back({t.min, i, t.mark});
    if (which_ == ends::both) points.push_back({t.max, i | end_point::upper_bit, t.mark});
  }

  template <class Swap>
  static bool insertion_sort(std::vector<end_point>& points, moves_allowed& moves, Swap&& swap) {
    for (std::size_t k = 1; k < points.size(); ++k) {
      moves.left += moves.each;
      const end_point moved = points[k];
      std::size_t to = k;
      for (; to > 0 && moved < points[to - 1]; --to) {
        swap(moved, points[to - 1]);
        points[to] = points[to - 1];
      }
      if (to == k) continue;
      points[to] = moved;
      moves.made += k - to;
      if (k - to > moves.left) return false;
      moves.left -= k - to;
    }
    return true;
  }

  void take(const std::vector<end_point>& points) {
    list_.resize(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) list_[k] = points[k].what;
  }

  ends which_;
  std::vector<std::uint32_t> list_;
};

}  // namespace abut
