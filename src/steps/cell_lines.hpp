#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/gallop.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/sort.hpp"
#include "steps/axis_cells.hpp"

namespace abut {

struct interval_of_cells {
  std::uint32_t from;
  std::uint32_t to;
};

/// Things placed in cells and sorted by cell: by z, then y, then x. Empty cells take no memory. The things of one line
/// of cells (the same y and z) are contiguous and sorted by x, and a directory lists the lines that are not empty.
template <int D>
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is clang's own, in the implicit copy of the array
class cell_lines {
 public:
  axis_cells axis[D];

  using cell = std::uint32_t[D];

  /// A line of cells, as one number that orders lines: z above y.
  using code = std::uint64_t;

  /// Sorts `count` things into cells; `cells_of(k, out)` gives the cell of thing k. `order()` is the result.
  template <class CellsOf>
  void place(std::size_t count, int threads, CellsOf&& cells_of);

  /// Takes things that are already sorted: the lines' codes in order, the place where each line begins and, at the end,
  /// the place where the last one ends, and the things' cells along x.
  void adopt(std::vector<code> codes, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> x);

  /// The things in the order of their cells. Valid until `place` or `release_scratch`.
  [[nodiscard]] std::vector<row>& order() { return sorter_.rows; }

  [[nodiscard]] std::size_t size() const { return x_.size(); }
  [[nodiscard]] std::size_t lines() const { return codes_.size(); }
  [[nodiscard]] const std::uint32_t* x() const { return x_.data(); }  ///< each thing's cell on the x axis
  [[nodiscard]] code code_of(std::size_t line) const { return codes_[line]; }
  [[nodiscard]] std::uint32_t y(std::size_t line) const { return y_of(codes_[line]); }
  [[nodiscard]] std::uint32_t z(std::size_t line) const { return z_of(codes_[line]); }
  [[nodiscard]] std::uint32_t y_of(code c) const { return static_cast<std::uint32_t>(c & y_mask_); }
  [[nodiscard]] std::uint32_t z_of(code c) const { return static_cast<std::uint32_t>(c >> y_bits_); }
  [[nodiscard]] std::uint32_t begin(std::size_t line) const { return starts_[line]; }
  [[nodiscard]] std::uint32_t end(std::size_t line) const { return starts_[line + 1]; }
  [[nodiscard]] code code_at(std::uint64_t y, std::uint64_t z) const { return (z << y_bits_) | y; }

  /// The line that thing k is in.
  [[nodiscard]] std::size_t line_of(std::size_t k) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), k) - starts_.begin()) - 1;
  }

  /// The first line whose code is at least `c`. Searches from `hint` outwards, so a near hint makes it cheap.
  [[nodiscard]] std::size_t first_line(code c, std::size_t hint = 0) const;

  /// Calls `f(line)` for every line within these ranges of y and z (in 2D: z is 0), in order. `hint`: a line near the
  /// first; it is set to the first.
  template <class F>
  void for_each_line(interval_of_cells y_range, interval_of_cells z_range, std::size_t& hint, F&& f) const;

  /// Calls `f(line, from, to)` for every line that holds things [from, to) within the cells `lo` to `hi`.
  template <class F>
  void for_each_line_in(const cell& lo, const cell& hi, F&& f) const;

  /// Calls `f(line, first, last)` for every cell whose first thing is in [from, to); the cell holds things [first,
  /// last).
  template <class F>
  void for_each_cell(std::size_t from, std::size_t to, F&& f) const;

  /// Releases the memory that only `place` needs.
  void release_scratch() { sorter_.release(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void measure_codes() {
    y_bits_ = bits_for(axis[1].count());
    y_mask_ = (code{1} << y_bits_) - 1;
  }
  void fill_directory(int x_bits, const std::vector<code>& ranked, int threads);

  key_sorter sorter_;
  std::vector<std::uint32_t> x_;
  std::vector<code> codes_;
  std::vector<std::uint32_t> starts_;  // one more entry than there are lines
  int y_bits_ = 0;
  code y_mask_ = 0;
};

template <int D>
template <class CellsOf>
void cell_lines<D>::place(std::size_t count, int threads, CellsOf&& cells_of) {
  constexpr std::size_t block = 8192;
  const int x_bits = bits_for(axis[0].count());
  measure_codes();
  const int code_bits = y_bits_ + (D == 3 ? bits_for(axis[D - 1].count()) : 0);
  const auto code_of_cell = [&](const cell& c) { return D == 3 ? code_at(c[1], c[D - 1]) : code{c[1]}; };
  sorter_.keys.resize(count);
  sorter_.rows.resize(count);
  const auto fill = [&](auto&& key_of) {
    parallel_blocks(threads, count, block, [&](std::size_t, std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k) {
        cell c;
        cells_of(k, c);
        sorter_.keys[k] = key_of(c);
        sorter_.rows[k] = static_cast<row>(k);
      }
    });
  };
  std::vector<code> ranked;
  if (code_bits + x_bits <= 64) {
    fill([&](const cell& c) { return code_of_cell(c) << x_bits | c[0]; });
    sorter_.sort(code_bits + x_bits, threads);
  } else {
    // Too many cells for one 64-bit key: the lines in use are ranked first, and a rank stands for its line.
    fill(code_of_cell);
    ranked = sorter_.keys;
    std::sort(ranked.begin(), ranked.end());
    ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
    fill([&](const cell& c) {
      const auto rank = std::lower_bound(ranked.begin(), ranked.end(), code_of_cell(c)) - ranked.begin();
      return static_cast<std::uint64_t>(rank) << x_bits | c[0];
    });
    sorter_.sort(bits_for(ranked.size()) + x_bits, threads);
  }
  fill_directory(x_bits, ranked, threads);
}

template <int D>
void cell_lines<D>::adopt(std::vector<code> codes, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> x) {
  measure_codes();
  codes_ = std::move(codes);
  starts_ = std::move(starts);
  x_ = std::move(x);
}

template <int D>
void cell_lines<D>::fill_directory(int x_bits, const std::vector<code>& ranked, int threads) {
  constexpr std::size_t block = 1 << 15;
  const std::vector<std::uint64_t>& keys = sorter_.keys;
  const std::size_t count = keys.size();
  const std::uint64_t x_mask = (std::uint64_t{1} << x_bits) - 1;
  const auto line_key = [&](std::size_t k) { return keys[k] >> x_bits; };
  const auto begins_line = [&](std::size_t k) { return k == 0 || line_key(k) != line_key(k - 1); };
  x_.resize(count);
  std::vector<std::size_t> first((count + block - 1) / block + 1, 0);
  parallel_blocks(threads, count, block, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::size_t lines = 0;
    for (std::size_t k = from; k < to; ++k) {
      x_[k] = static_cast<std::uint32_t>(keys[k] & x_mask);
      lines += begins_line(k) ? 1 : 0;
    }
    first[b + 1] = lines;
  });
  for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
  codes_.resize(first.back());
  starts_.resize(first.back() + 1);
  starts_.back() = static_cast<std::uint32_t>(count);
  parallel_blocks(threads, count, block, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::size_t r = first[b];
    for (std::size_t k = from; k < to; ++k) {
      if (!begins_line(k)) continue;
      codes_[r] = ranked.empty() ? line_key(k) : ranked[line_key(k)];
      starts_[r++] = static_cast<std::uint32_t>(k);
    }
  });
}

template <int D>
std::size_t cell_lines<D>::first_line(code c, std::size_t hint) const {
  return gallop(codes_.size(), hint, [&](std::size_t l) { return codes_[l] < c; });
}

template <int D>
template <class F>
void cell_lines<D>::for_each_line(interval_of_cells y_range, interval_of_cells z_range, std::size_t& hint,
                                  F&& f) const {
  std::size_t r = hint = first_line(code_at(y_range.from, z_range.from), hint);
  while (r < lines() && z(r) <= z_range.to) {
    if (y(r) < y_range.from) {
      r = first_line(code_at(y_range.from, z(r)), r);
    } else if (y(r) > y_range.to) {
      r = first_line(code_at(y_range.from, std::uint64_t{z(r)} + 1), r);
    } else {
      f(r++);
    }
  }
}

template <int D>
template <class F>
void cell_lines<D>::for_each_line_in(const cell& lo, const cell& hi, F&& f) const {
  std::size_t hint = 0;
  const interval_of_cells z_range = D == 3 ? interval_of_cells{lo[D - 1], hi[D - 1]} : interval_of_cells{0, 0};
  for_each_line({lo[1], hi[1]}, z_range, hint, [&](std::size_t r) {
    const auto to = x_.begin() + end(r);
    const auto first = std::lower_bound(x_.begin() + begin(r), to, lo[0]);
    const auto last = std::upper_bound(first, to, hi[0]);
    if (first < last) {
      f(r, static_cast<std::size_t>(first - x_.begin()), static_cast<std::size_t>(last - x_.begin()));
    }
  });
}

template <int D>
template <class F>
void cell_lines<D>::for_each_cell(std::size_t from, std::size_t to, F&& f) const {
  std::size_t r = line_of(from);
  for (std::size_t first = from; first < to;) {
    while (first >= end(r)) ++r;
    std::size_t last = first + 1;
    while (last < end(r) && x_[last] == x_[first]) ++last;
    const bool begins = first == begin(r) || x_[first - 1] != x_[first];
    if (begins) f(r, first, last);
    first = last;
  }
}

template <int D>
std::size_t cell_lines<D>::bytes() const {
  std::size_t sum = sorter_.bytes() + bytes_of(x_) + bytes_of(codes_) + bytes_of(starts_);
  for (const axis_cells& a : axis) sum += a.bytes();
  return sum;
}

}  // namespace abut
