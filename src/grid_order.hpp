#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "column_steps.hpp"
#include "grid_level.hpp"
#include "grid_runs.hpp"
#include "grid_sizes.hpp"
#include "parallel.hpp"

namespace abut {

/// Brings bodies into the order of their cells, level after level. They are dealt into buckets of some thousand first
/// (a slab of rows, where there are not too many bodies in it), then each bucket is sorted in cache. The order depends
/// on the bodies alone, not on the number of threads.
template <int D, shape S>
class grid_order {
 public:
  static constexpr int halves = S == shape::sphere ? 1 : D;

  /// `axes`: the grid's axes as axes of the world. `levels` have frames and counts (from, to); this finds their runs.
  /// `equal`: all have the same width on every axis, so that widths need not be kept.
  void place(const world& w, const std::array<int, 3>& axes, const grid_sizes& sizes, bool equal,
             std::vector<grid_level>& levels);

  [[nodiscard]] grid_columns columns() const {
    grid_columns c{};
    for (int k = 0; k < D; ++k) c.center[k] = center_[k].data();
    for (int k = 0; k < halves; ++k) c.half[k] = equal_ ? nullptr : half_[k].data();
    c.row = row_.data();
    return c;
  }

  void release_scratch() {
    dealt_.release();
    dealt_half_.release();
    parts_ = std::vector<part>();
    sorters_ = std::vector<sorter>();
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = row_.bytes() + dealt_.bytes() + dealt_half_.bytes() + bytes_of(parts_);
    for (const auto& c : center_) sum += c.bytes();
    for (const auto& c : half_) sum += c.bytes();
    for (const part& p : parts_) sum += p.rows.bytes();
    for (const sorter& s : sorters_) sum += s.bytes();
    return sum;
  }

 private:
  static constexpr std::size_t block = 128;
  static constexpr std::size_t bucket_size = 16384;  // bodies that are sorted in cache
  static constexpr std::size_t part_size = 8192;     // bodies or more that make a task

  using halves_of = std::array<float, halves>;

  // How the bodies of a level are dealt: by the highest bits of the slow, then the middle, then the contiguous axis.
  struct deal {
    int shift[D];             // by axis; 31: not by this one
    std::uint32_t chunks[D];  // of each axis
    std::uint32_t first = 0;  // the first bucket

    template <class Center>
    [[nodiscard]] std::uint32_t bucket_of(Center&& center) const {
      std::uint32_t b = 0;
      for (int a = D - 1; a >= 0; --a) {
        if (chunks[a] > 1) b = b * chunks[a] + static_cast<std::uint32_t>(center(a) >> shift[a]);
      }
      return first + b;
    }
    [[nodiscard]] std::uint32_t buckets() const {
      std::uint32_t n = 1;
      for (const std::uint32_t c : chunks) n *= c;
      return n;
    }
  };

  // The bodies of some buckets, sorted: the runs that they make.
  struct part {
    std::uint32_t level = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t first_bucket = 0;
    std::uint32_t end_bucket = 0;
    grid_runs rows{};
  };

  // The bodies at places [from, to), on their way.
  struct bucket {
    std::uint32_t number;
    std::uint32_t from;
    std::uint32_t to;
  };
  using box_of_cells = grid_box<D>;

  // What a thread sorts with.
  struct sorter {
    [[nodiscard]] std::size_t bytes() const {
      return bytes_of(next) + bytes_of(order) + bytes_of(other) + sorted.bytes() + sorted_half.bytes() + rest.bytes();
    }

    struct entry {
      std::uint64_t key;
      std::uint32_t from;
    };
    std::vector<std::uint32_t> next;
    std::vector<entry> order;
    std::vector<entry> other;
    buffer<four> sorted;
    buffer<halves_of> sorted_half;
    buffer<std::int32_t> rest;

    // Where what is of no use may be written.
    [[nodiscard]] std::int32_t* nothing(std::size_t count) {
      rest.make(count);
      return rest.data();
    }
  };

  // Some bodies one after the other, as they are read.
  struct piece {
    std::size_t count;
    std::int32_t center[3][block];  // 2D: the last one is 0
    four woven[block];
    double half[halves][block];
    double scale[block];
    std::uint8_t level[block];
    std::uint32_t bucket[block];
  };

  // What place is about.
  struct job {
    const world& w;
    const std::array<int, 3>& axes;
    const grid_sizes& sizes;
    std::vector<grid_level>& levels;
  };

  [[nodiscard]] deal deal_of(const job& j, const grid_level& l) const;
  void read_halves(const job& j, std::size_t from, piece& out) const;
  void read_centers(const job& j, int axis, std::size_t from, piece& out) const;
  void read(const job& j, std::size_t from, std::size_t count, bool whole, piece& out) const;
  template <bool Equal>
  void place_all(const job& j);
  template <bool Equal>
  void sort_bucket(const job& j, const bucket& b, part& out, sorter& s);
  static void fit(const four* mine, std::size_t count, box_of_cells& box);
  static void sort_by_digits(const four* mine, std::size_t count, const box_of_cells& box, sorter& s);
  void find_runs(const grid_frame& frame, std::uint32_t from, std::uint32_t to, part& out) const;
  void cut_parts(const std::vector<grid_level>& levels, const std::vector<std::uint32_t>& at);
  void join(std::vector<grid_level>& levels) const;

  bool equal_ = false;
  std::vector<deal> deals_;
  buffer<std::int32_t> center_[D];
  buffer<float> half_[halves];
  buffer<std::uint32_t> row_;
  buffer<four> dealt_;
  buffer<halves_of> dealt_half_;
  std::vector<part> parts_;
  std::vector<sorter> sorters_;
};

template <int D, shape S>
void grid_order<D, S>::place(const world& w, const std::array<int, 3>& axes, const grid_sizes& sizes, bool equal,
                             std::vector<grid_level>& levels) {
  const std::size_t count = w.size();
  equal_ = equal;
  for (auto& c : center_) c.make(count + grid_padding);
  for (auto& c : half_) c.make(equal ? 0 : count + grid_padding);
  row_.make(count + grid_padding);
  for (std::size_t k = count; k < count + grid_padding; ++k) {
    for (auto& c : center_) c[k] = 0;
    for (auto& c : half_) {
      if (!equal) c[k] = 0;
    }
    row_[k] = 0;
  }
  if (equal) {
    place_all<true>({w, axes, sizes, levels});
  } else {
    place_all<false>({w, axes, sizes, levels});
  }
}

template <int D, shape S>
auto grid_order<D, S>::deal_of(const job& j, const grid_level& l) const -> deal {
  const std::size_t count = l.to - l.from;
  const std::size_t wanted = count / bucket_size + 1;
  const std::size_t most = std::max(4 * wanted + 1024, count / 128);
  deal d{};
  std::size_t have = 1;
  bool whole = true;  // as fine as can be, so far
  for (int a = D - 1; a >= 0; --a) {
    const std::int32_t last = l.frame.units(j.w.measured().upper[j.axes[static_cast<std::size_t>(a)]], a);
    int shift = a == 0 ? l.frame.cell_bits() : l.frame.row_bits;
    if (!whole || have >= wanted) shift = 31;
    // Slabs in any case; the other axes only as far as it takes. Finer axes can only be used where this is used whole.
    const std::size_t limit = a == D - 1 ? most : std::max<std::size_t>(1, 2 * wanted / have);
    while (shift < 31 && static_cast<std::size_t>(last >> shift) >= limit) {
      ++shift;
      whole = false;
    }
    d.shift[a] = shift;
    d.chunks[a] = static_cast<std::uint32_t>(last >> shift) + 1;
    have *= d.chunks[a];
  }
  return d;
}

template <int D, shape S>
void grid_order<D, S>::read_halves(const job& j, std::size_t from, piece& out) const {
  for (int h = 0; h < halves; ++h) {
    const int k = S == shape::box ? j.axes[static_cast<std::size_t>(h)] : 0;
    j.w.at(D + k).read(from, out.count, out.half[h]);
    if constexpr (S == shape::box) {
      double space[block];
      const double* const lower = j.w.at(k).see(from, out.count, space);
      for (std::size_t i = 0; i < out.count; ++i) out.half[h][i] = (out.half[h][i] - lower[i]) / 2;
    }
  }
}

template <int D, shape S>
void grid_order<D, S>::read_centers(const job& j, int axis, std::size_t from, piece& out) const {
  const int k = j.axes[static_cast<std::size_t>(axis)];
  double space[block];
  const double* x = j.w.at(k).see(from, out.count, space);
  if constexpr (S == shape::box) {
    double upper_space[block];
    const double* const upper = j.w.at(D + k).see(from, out.count, upper_space);
    for (std::size_t i = 0; i < out.count; ++i) space[i] = x[i] + (upper[i] - x[i]) / 2;
    x = space;
  }
  const grid_frame& frame = j.levels[0].frame;  // all have the same origin
  const double* const scales = j.levels.size() == 1 ? nullptr : out.scale;
  to_units(x, scales, frame.scale, out.count, frame.origin[axis], grid_frame::most - 1, out.center[axis]);
}

// Bodies from row `from` on, with their buckets; not `whole`: no more of them than it takes for those.
template <int D, shape S>
void grid_order<D, S>::read(const job& j, std::size_t from, std::size_t count, bool whole, piece& out) const {
  const bool one = j.levels.size() == 1;
  out.count = count;
  if (!one || (whole && !equal_)) read_halves(j, from, out);
  if (!one) {
    for (std::size_t i = 0; i < count; ++i) {
      double most = out.half[0][i];
      for (int h = 1; h < halves; ++h) most = std::max(most, out.half[h][i]);
      out.level[i] = j.sizes.of(most + 0.0);  // -0.0 is 0
      out.scale[i] = j.levels[out.level[i]].frame.scale;
    }
  }
  for (int a = 0; a < D; ++a) {
    if (whole || !one || deals_[0].chunks[a] > 1) read_centers(j, a, from, out);
  }
  if (whole) {
    if (D == 2) std::fill_n(out.center[2], count, 0);
    weave(out.center[0], out.center[1], out.center[2], static_cast<std::uint32_t>(from), count, out.woven);
  }
  if (one) {
    const deal d = deals_[0];
    const int slow = D - 1;
    if (d.buckets() == 1) {
      std::fill_n(out.bucket, count, 0U);
      return;
    }
    if (d.buckets() == d.chunks[slow]) {
      for (std::size_t i = 0; i < count; ++i) {
        out.bucket[i] = static_cast<std::uint32_t>(out.center[slow][i] >> d.shift[slow]);
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) out.bucket[i] = d.bucket_of([&](int a) { return out.center[a][i]; });
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      out.bucket[i] = deals_[out.level[i]].bucket_of([&](int a) { return out.center[a][i]; });
    }
  }
}

template <int D, shape S>
template <bool Equal>
void grid_order<D, S>::place_all(const job& j) {
  const std::size_t n = j.w.size();
  const int threads = j.w.threads();
  std::uint32_t buckets = 0;
  deals_.clear();
  for (const grid_level& l : j.levels) {
    deals_.push_back(deal_of(j, l));
    deals_.back().first = buckets;
    buckets += deals_.back().buckets();
  }
  dealt_.make(n + grid_padding);
  if (!Equal) dealt_half_.make(n);

  // Each part of the rows counts by itself, then knows where to deal to: rows stay in order within a bucket.
  const std::size_t pieces = n < 32768 ? 1 : static_cast<std::size_t>(std::max(1, threads));
  const auto begin = [&](std::size_t p) { return n * p / pieces; };
  std::vector<std::vector<std::uint32_t>> next(pieces);
  parallel_for(threads, pieces, [&](std::size_t p) {
    next[p].assign(buckets, 0);
    piece some;
    for (std::size_t from = begin(p); from < begin(p + 1); from += block) {
      read(j, from, std::min(block, begin(p + 1) - from), false, some);
      for (std::size_t i = 0; i < some.count; ++i) ++next[p][some.bucket[i]];
    }
  });
  std::vector<std::uint32_t> at(buckets + 1, 0);
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b < buckets; ++b) {
    at[b] = sum;
    for (auto& counts : next) {
      const std::uint32_t count = counts[b];
      counts[b] = sum;
      sum += count;
    }
  }
  at[buckets] = sum;
  const bool one = j.levels.size() == 1;
  const double scale = j.levels[0].frame.scale;
  parallel_for(threads, pieces, [&](std::size_t p) {
    piece some;
    std::uint32_t* const to = next[p].data();
    for (std::size_t from = begin(p); from < begin(p + 1); from += block) {
      read(j, from, std::min(block, begin(p + 1) - from), true, some);
      for (std::size_t i = 0; i < some.count; ++i) {
        const std::uint32_t place = to[some.bucket[i]]++;
        dealt_[place] = some.woven[i];
        __builtin_prefetch(dealt_.data() + place + 8, 1);
        if constexpr (!Equal) {
          for (int h = 0; h < halves; ++h) {
            dealt_half_[place][static_cast<std::size_t>(h)] =
                static_cast<float>(some.half[h][i] * (one ? scale : some.scale[i]));
          }
        }
      }
    }
  });

  cut_parts(j.levels, at);
  sorters_.resize(std::max(sorters_.size(), pieces));
  std::atomic<std::size_t> next_part = 0;
  parallel_for(threads, pieces, [&](std::size_t which) {
    for (std::size_t p = 0; (p = next_part++) < parts_.size();) {
      part& now = parts_[p];
      now.rows.clear();
      for (std::uint32_t b = now.first_bucket; b < now.end_bucket; ++b) {
        if (at[b] < at[b + 1]) sort_bucket<Equal>(j, {b, at[b], at[b + 1]}, now, sorters_[which]);
      }
      now.rows.end(now.to);
    }
  });
  join(j.levels);
}

// Whole buckets of one level, some thousand bodies or more.
template <int D, shape S>
void grid_order<D, S>::cut_parts(const std::vector<grid_level>& levels, const std::vector<std::uint32_t>& at) {
  std::size_t used = 0;
  for (std::uint32_t l = 0; l < levels.size(); ++l) {
    const std::uint32_t end = deals_[l].first + deals_[l].buckets();
    for (std::uint32_t first = deals_[l].first; first < end;) {
      std::uint32_t b = first;
      while (b < end && at[b] - at[first] < part_size) ++b;
      if (used == parts_.size()) parts_.emplace_back();
      part& p = parts_[used++];
      p.level = l;
      p.first_bucket = first;
      p.end_bucket = b;
      p.from = at[first];
      p.to = at[b];
      first = b;
    }
  }
  parts_.resize(used);
}

template <int D, shape S>
template <bool Equal>
void grid_order<D, S>::sort_bucket(const job& j, const bucket& b, part& out, sorter& s) {
  const deal& d = deals_[out.level];
  const grid_level& l = j.levels[out.level];
  const four* const mine = dealt_.data() + b.from;
  const std::size_t count = b.to - b.from;
  box_of_cells box;
  std::uint32_t number = b.number - d.first;
  for (int a = 0; a < D; ++a) {
    box.shift[a] = a == 0 ? l.frame.cell_bits() : l.frame.row_bits;
    const std::int32_t last = l.frame.units(j.w.measured().upper[j.axes[static_cast<std::size_t>(a)]], a);
    const auto chunk = static_cast<std::int32_t>(number % d.chunks[a]);
    number /= d.chunks[a];
    box.low[a] = static_cast<std::int32_t>((std::int64_t{chunk} << d.shift[a]) >> box.shift[a]);
    const std::int64_t end = std::min(std::int64_t{last}, ((std::int64_t{chunk} + 1) << d.shift[a]) - 1);
    box.cells[a] = static_cast<std::uint32_t>((end >> box.shift[a]) - box.low[a] + 1);
  }
  box.count();
  if (box.all > 4 * count + 64) fit(mine, count, box);
  s.sorted.make(count);
  if (!Equal) s.sorted_half.make(count);
  const auto put = [&](std::size_t place, std::size_t k) {
    s.sorted[place] = mine[k];
    if constexpr (!Equal) s.sorted_half[place] = dealt_half_[b.from + k];
  };
  const bool few_cells = box.all <= 4 * count + 64;
  if (few_cells) {
    s.next.assign(box.all + 1, 0);
    std::uint32_t* const next = s.next.data();
    for (std::size_t k = 0; k < count; ++k) ++next[box.template cell<std::uint32_t>(mine[k]) + 1];
    for (std::size_t c = 0; c < box.all; ++c) next[c + 1] += next[c];
    runs_of_cells(box, next, b.from, out.rows);
    for (std::size_t k = 0; k < count; ++k) put(next[box.template cell<std::uint32_t>(mine[k])]++, k);
  } else {
    sort_by_digits(mine, count, box, s);
    for (std::size_t k = 0; k < count; ++k) put(k, s.order[k].from);
  }
  std::int32_t* const slow = D == 3 ? center_[D - 1].data() + b.from : s.nothing(count);
  unweave(s.sorted.data(), count, center_[0].data() + b.from, center_[1].data() + b.from, slow, row_.data() + b.from);
  if constexpr (!Equal) {
    for (int h = 0; h < halves; ++h) {
      for (std::size_t k = 0; k < count; ++k) half_[h][b.from + k] = s.sorted_half[k][static_cast<std::size_t>(h)];
    }
  }
  if (!few_cells) find_runs(l.frame, b.from, b.to, out);
}

// The box around the bodies alone.
template <int D, shape S>
void grid_order<D, S>::fit(const four* mine, std::size_t count, box_of_cells& box) {
  std::int32_t low[D];
  std::int32_t high[D];
  for (int a = 0; a < D; ++a) low[a] = high[a] = mine[0].center[a];
  for (std::size_t k = 1; k < count; ++k) {
    for (int a = 0; a < D; ++a) {
      low[a] = std::min(low[a], mine[k].center[a]);
      high[a] = std::max(high[a], mine[k].center[a]);
    }
  }
  for (int a = 0; a < D; ++a) {
    box.low[a] = low[a] >> box.shift[a];
    box.cells[a] = static_cast<std::uint32_t>((high[a] >> box.shift[a]) - box.low[a] + 1);
  }
  box.count();
}

// Far more cells than bodies: by digits of the cell's number, the lowest first. There are at most 2^18
// rows on an axis, four cells in each, so that it has less than 64 bits.
template <int D, shape S>
void grid_order<D, S>::sort_by_digits(const four* mine, std::size_t count, const box_of_cells& box, sorter& s) {
  s.order.resize(count);
  s.other.resize(count);
  std::uint64_t any = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    s.order[k] = {box.template cell<std::uint64_t>(mine[k]), k};
    any |= s.order[k].key ^ s.order[0].key;
  }
  for (int digit = 0; digit < 64; digit += 8) {
    if ((any >> digit & 255) == 0) continue;
    std::uint32_t next[257] = {};
    for (const auto& e : s.order) ++next[(e.key >> digit & 255) + 1];
    for (int k = 0; k < 256; ++k) next[k + 1] += next[k];
    for (const auto& e : s.order) s.other[next[e.key >> digit & 255]++] = e;
    s.order.swap(s.other);
  }
}

// From bodies that are in order.
template <int D, shape S>
void grid_order<D, S>::find_runs(const grid_frame& frame, std::uint32_t from, std::uint32_t to, part& out) const {
  for (std::uint32_t p = from; p < to; ++p) {
    const std::int32_t cell = center_[0][p] >> frame.cell_bits();
    const std::int32_t slab = D == 3 ? center_[D - 1][p] >> frame.row_bits : 0;
    const std::uint64_t code = grid_code(center_[1][p] >> frame.row_bits, slab);
    if (!out.rows.at(code, cell)) out.rows.reach(code, cell, p);
  }
}

// The parts' runs, one after the other.
template <int D, shape S>
void grid_order<D, S>::join(std::vector<grid_level>& levels) const {
  for (grid_level& l : levels) {
    l.runs.clear();
    l.starts.clear();
  }
  for (const part& p : parts_) append(levels[p.level], p.rows, p.from);
}

}  // namespace abut
