#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "grid_level.hpp"
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
    scratch_.release();
    parts_ = std::vector<part>();
    sorters_ = std::vector<sorter>();
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = row_.bytes() + scratch_.bytes() + bytes_of(parts_);
    for (const auto& c : center_) sum += c.bytes();
    for (const auto& c : half_) sum += c.bytes();
    for (const part& p : parts_) sum += bytes_of(p.runs) + bytes_of(p.starts);
    for (const sorter& s : sorters_) sum += s.bytes();
    return sum;
  }

 private:
  static constexpr std::size_t block = 512;
  static constexpr std::size_t bucket_size = 16384;  // bodies that are sorted in cache
  static constexpr std::size_t part_size = 8192;     // bodies or more that make a task

  // A body on its way to its cell.
  template <int H>
  struct record_of {
    std::int32_t center[D];
    std::uint32_t row;
    float half[H];
  };
  struct record_without {
    std::int32_t center[D];
    std::uint32_t row;
  };

  // How the bodies of a level are dealt: by the highest bits of the slow, then the middle, then the contiguous axis.
  struct deal {
    int shift[D];               // by axis; 30: not by this one
    std::uint32_t chunks[D];    // of each axis
    std::uint32_t first = 0;    // the first bucket

    [[nodiscard]] std::uint32_t bucket(const std::int32_t* center) const {
      std::uint32_t b = 0;
      for (int a = D - 1; a >= 0; --a) b = b * chunks[a] + static_cast<std::uint32_t>(center[a] >> shift[a]);
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
    std::vector<grid_run> runs{};
    std::vector<std::uint32_t> starts{};
  };

  // What a thread sorts with.
  struct sorter {
    [[nodiscard]] std::size_t bytes() const {
      return bytes_of(next) + bytes_of(cell) + bytes_of(order) + bytes_of(other);
    }

    struct entry {
      std::uint64_t key;
      std::uint32_t from;
    };
    std::vector<std::uint32_t> next;
    std::vector<std::uint32_t> cell;
    std::vector<entry> order;
    std::vector<entry> other;
  };

  [[nodiscard]] deal deal_of(const world& w, const std::array<int, 3>& axes, const grid_level& l) const;
  void read(const world& w, const std::array<int, 3>& axes, int axis, std::size_t from, std::size_t count,
            double* out) const;
  template <class Record>
  void place_records(const world& w, const std::array<int, 3>& axes, const grid_sizes& sizes,
                     std::vector<grid_level>& levels);
  template <class Record>
  void fill(const world& w, const std::array<int, 3>& axes, const grid_sizes& sizes,
            const std::vector<grid_level>& levels, std::size_t from, std::size_t count, std::uint32_t* bucket,
            Record* out) const;
  template <class Record>
  void sort_bucket(const Record* records, std::uint32_t from, std::uint32_t to, const grid_frame& frame, sorter& s);
  template <class Record>
  void put(std::uint32_t place, const Record& r);
  void find_runs(const grid_frame& frame, part& out) const;
  void cut_parts(const std::vector<grid_level>& levels, const std::vector<std::uint32_t>& at);
  void join(std::vector<grid_level>& levels) const;

  bool equal_ = false;
  std::vector<deal> deals_;
  buffer<std::int32_t> center_[D];
  buffer<float> half_[halves];
  buffer<std::uint32_t> row_;
  buffer<std::byte> scratch_;
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
    place_records<record_without>(w, axes, sizes, levels);
  } else {
    place_records<record_of<halves>>(w, axes, sizes, levels);
  }
}

template <int D, shape S>
auto grid_order<D, S>::deal_of(const world& w, const std::array<int, 3>& axes, const grid_level& l) const -> deal {
  const std::size_t count = l.to - l.from;
  const std::size_t wanted = count / bucket_size + 1;
  const std::size_t most = 4 * wanted + 1024;
  deal d{};
  std::size_t have = 1;
  bool whole = true;  // as fine as can be, so far
  for (int a = D - 1; a >= 0; --a) {
    const std::int32_t last = l.frame.units(w.measured().upper[axes[static_cast<std::size_t>(a)]], a);
    int shift = a == 0 ? l.frame.cell_bits() : l.frame.row_bits;
    if (!whole || have >= wanted) shift = 30;
    // Slabs in any case; the other axes only as far as it takes. Finer axes can only be used where this is used whole.
    const std::size_t limit = a == D - 1 ? most : std::max<std::size_t>(1, 2 * wanted / have);
    while (shift < 30 && static_cast<std::size_t>(last >> shift) >= limit) {
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
void grid_order<D, S>::read(const world& w, const std::array<int, 3>& axes, int axis, std::size_t from,
                            std::size_t count, double* out) const {
  const int k = axes[static_cast<std::size_t>(axis)];
  w.at(k).read(from, count, out);
  if constexpr (S == shape::box) {
    double upper[block];
    w.at(D + k).read(from, count, upper);
    for (std::size_t i = 0; i < count; ++i) out[i] += (upper[i] - out[i]) / 2;
  }
}

// Bodies as records, with their buckets; without records, only those.
template <int D, shape S>
template <class Record>
void grid_order<D, S>::fill(const world& w, const std::array<int, 3>& axes, const grid_sizes& sizes,
                            const std::vector<grid_level>& levels, std::size_t from, std::size_t count,
                            std::uint32_t* bucket, Record* out) const {
  double x[block];
  double half[halves][block];
  std::uint8_t level[block];
  const bool one = levels.size() == 1;
  if (!one || (!equal_ && out != nullptr)) {
    for (int h = 0; h < halves; ++h) {
      const int k = S == shape::box ? axes[static_cast<std::size_t>(h)] : 0;
      w.at(D + k).read(from, count, half[h]);
      if constexpr (S == shape::box) {
        w.at(k).read(from, count, x);
        for (std::size_t i = 0; i < count; ++i) half[h][i] = (half[h][i] - x[i]) / 2;
      }
    }
  }
  if (!one) {
    for (std::size_t i = 0; i < count; ++i) {
      double most = half[0][i];
      for (int h = 1; h < halves; ++h) most = std::max(most, half[h][i]);
      level[i] = sizes.of(most + 0.0);
    }
  }
  std::fill(bucket, bucket + count, 0);
  for (int a = D - 1; a >= 0; --a) {
    if (out == nullptr && one && deals_[0].chunks[a] == 1) continue;
    read(w, axes, a, from, count, x);
    if (one) {
      const grid_frame frame = levels[0].frame;
      const deal& d = deals_[0];
      std::int32_t at[block];
      for (std::size_t i = 0; i < count; ++i) at[i] = frame.units(x[i], a);
      for (std::size_t i = 0; i < count; ++i) {
        bucket[i] = bucket[i] * d.chunks[a] + static_cast<std::uint32_t>(at[i] >> d.shift[a]);
      }
      if (out != nullptr) {
        for (std::size_t i = 0; i < count; ++i) out[i].center[a] = at[i];
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const deal& d = deals_[level[i]];
        const std::int32_t at = levels[level[i]].frame.units(x[i], a);
        bucket[i] = bucket[i] * d.chunks[a] + static_cast<std::uint32_t>(at >> d.shift[a]);
        if (out != nullptr) out[i].center[a] = at;
      }
    }
  }
  if (!one) {
    for (std::size_t i = 0; i < count; ++i) bucket[i] += deals_[level[i]].first;
  }
  if (out == nullptr) return;
  for (std::size_t i = 0; i < count; ++i) out[i].row = static_cast<std::uint32_t>(from + i);
  if constexpr (sizeof(Record) > sizeof(record_without)) {
    for (int h = 0; h < halves; ++h) {
      for (std::size_t i = 0; i < count; ++i) {
        const double scale = levels[one ? 0 : level[i]].frame.scale;
        out[i].half[h] = static_cast<float>(half[h][i] * scale);
      }
    }
  }
}

template <int D, shape S>
template <class Record>
void grid_order<D, S>::place_records(const world& w, const std::array<int, 3>& axes, const grid_sizes& sizes,
                                     std::vector<grid_level>& levels) {
  const std::size_t n = w.size();
  std::uint32_t buckets = 0;
  deals_.clear();
  for (const grid_level& l : levels) {
    deals_.push_back(deal_of(w, axes, l));
    deals_.back().first = buckets;
    buckets += deals_.back().buckets();
  }
  scratch_.make(n * sizeof(Record));
  auto* const dealt = reinterpret_cast<Record*>(scratch_.data());

  // Each piece of the rows counts by itself, then knows where to deal to: rows stay in order within a bucket.
  const std::size_t pieces = n < 32768 ? 1 : static_cast<std::size_t>(std::max(1, w.threads()));
  const auto begin = [&](std::size_t p) { return n * p / pieces; };
  std::vector<std::vector<std::uint32_t>> next(pieces);
  parallel_for(w.threads(), pieces, [&](std::size_t p) {
    next[p].assign(buckets, 0);
    std::uint32_t bucket[block];
    for (std::size_t from = begin(p); from < begin(p + 1); from += block) {
      const std::size_t count = std::min(block, begin(p + 1) - from);
      fill<Record>(w, axes, sizes, levels, from, count, bucket, nullptr);
      for (std::size_t i = 0; i < count; ++i) ++next[p][bucket[i]];
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
  parallel_for(w.threads(), pieces, [&](std::size_t p) {
    std::uint32_t bucket[block];
    Record some[block];
    for (std::size_t from = begin(p); from < begin(p + 1); from += block) {
      const std::size_t count = std::min(block, begin(p + 1) - from);
      fill<Record>(w, axes, sizes, levels, from, count, bucket, some);
      for (std::size_t i = 0; i < count; ++i) dealt[next[p][bucket[i]]++] = some[i];
    }
  });

  cut_parts(levels, at);
  sorters_.resize(std::max(sorters_.size(), pieces));
  std::atomic<std::size_t> next_part = 0;
  parallel_for(w.threads(), pieces, [&](std::size_t which) {
    for (std::size_t p = 0; (p = next_part++) < parts_.size();) {
      part& now = parts_[p];
      const grid_frame& frame = levels[now.level].frame;
      for (std::uint32_t b = now.first_bucket; b < now.end_bucket; ++b) {
        if (at[b] < at[b + 1]) sort_bucket(dealt, at[b], at[b + 1], frame, sorters_[which]);
      }
      find_runs(frame, now);
    }
  });
  join(levels);
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
template <class Record>
void grid_order<D, S>::put(std::uint32_t place, const Record& r) {
  for (int k = 0; k < D; ++k) center_[k][place] = r.center[k];
  if constexpr (sizeof(Record) > sizeof(record_without)) {
    for (int k = 0; k < halves; ++k) half_[k][place] = r.half[k];
  }
  row_[place] = r.row;
}

template <int D, shape S>
template <class Record>
void grid_order<D, S>::sort_bucket(const Record* records, std::uint32_t from, std::uint32_t to, const grid_frame& frame,
                                   sorter& s) {
  const std::size_t count = to - from;
  const Record* const mine = records + from;
  std::int32_t low[D];
  std::int32_t high[D];
  for (int a = 0; a < D; ++a) low[a] = high[a] = mine[0].center[a];
  for (std::size_t k = 1; k < count; ++k) {
    for (int a = 0; a < D; ++a) {
      low[a] = std::min(low[a], mine[k].center[a]);
      high[a] = std::max(high[a], mine[k].center[a]);
    }
  }
  int shift[D];
  std::uint64_t cells[D];
  std::uint64_t all = 1;
  for (int a = 0; a < D; ++a) {
    shift[a] = a == 0 ? frame.cell_bits() : frame.row_bits;
    low[a] >>= shift[a];
    cells[a] = static_cast<std::uint64_t>((high[a] >> shift[a]) - low[a] + 1);
    all = std::min(all, std::uint64_t{1} << 60 / D) * cells[a];
  }
  const auto cell_of = [&](const Record& r) {
    std::uint64_t c = 0;
    for (int a = D - 1; a >= 0; --a) {
      c = c * cells[a] + static_cast<std::uint64_t>((r.center[a] >> shift[a]) - low[a]);
    }
    return c;
  };
  if (all <= 4 * count + 64) {
    s.next.assign(all + 1, 0);
    s.cell.resize(std::max(s.cell.size(), count));
    for (std::size_t k = 0; k < count; ++k) {
      const auto c = static_cast<std::uint32_t>(cell_of(mine[k]));
      s.cell[k] = c;
      ++s.next[c + 1];
    }
    s.next[0] = from;
    for (std::size_t c = 0; c < all; ++c) s.next[c + 1] += s.next[c];
    for (std::size_t k = 0; k < count; ++k) put(s.next[s.cell[k]]++, mine[k]);
    return;
  }
  // Far more cells than bodies: by digits of the cell's number, the lowest first. Rows are at least 2^10 units high, so
  // that it has at most 20 + 20 + 22 bits.
  s.order.resize(count);
  s.other.resize(count);
  std::uint64_t any = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    s.order[k] = {cell_of(mine[k]), k};
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
  for (std::uint32_t k = 0; k < count; ++k) put(from + k, mine[s.order[k].from]);
}

template <int D, shape S>
void grid_order<D, S>::find_runs(const grid_frame& frame, part& out) const {
  out.runs.clear();
  out.starts.clear();
  const int cell_bits = frame.cell_bits();
  const int row_bits = frame.row_bits;
  std::uint64_t code = ~std::uint64_t{0};
  std::int32_t last = 0;
  for (std::uint32_t p = out.from; p < out.to; ++p) {
    const std::int32_t cell = center_[0][p] >> cell_bits;
    const std::uint64_t here = grid_code(center_[1][p] >> row_bits, D == 3 ? center_[D - 1][p] >> row_bits : 0);
    if (here != code || cell > last + grid_level::gap) {
      if (!out.runs.empty()) out.starts.push_back(p);
      out.runs.push_back({here, cell, cell, static_cast<std::uint32_t>(out.starts.size())});
      out.starts.push_back(p);
      code = here;
      last = cell;
    }
    for (; last < cell; ++last) out.starts.push_back(p);
    out.runs.back().last = cell;
  }
  if (out.from < out.to) out.starts.push_back(out.to);
}

// The parts' runs, one after the other; a run that goes on from part to part becomes one.
template <int D, shape S>
void grid_order<D, S>::join(std::vector<grid_level>& levels) const {
  for (grid_level& l : levels) {
    l.runs.clear();
    l.starts.clear();
  }
  for (const part& p : parts_) {
    if (p.runs.empty()) continue;
    grid_level& l = levels[p.level];
    if (!l.runs.empty() && l.runs.back().code == p.runs.front().code &&
        p.runs.front().first <= l.runs.back().last + grid_level::gap) {
      // What was the run's end is now where the cell behind its last begins, unless that cell goes on.
      grid_run& before = l.runs.back();
      const grid_run& first = p.runs.front();
      if (first.first == before.last) {
        l.starts.pop_back();
      } else {
        l.starts.insert(l.starts.end(), static_cast<std::size_t>(first.first - before.last - 1), p.from);
      }
      before.last = first.last;
      const auto offset = static_cast<std::uint32_t>(l.starts.size()) - 1;
      l.starts.insert(l.starts.end(), p.starts.begin() + 1, p.starts.end());
      for (std::size_t k = 1; k < p.runs.size(); ++k) {
        l.runs.push_back(p.runs[k]);
        l.runs.back().starts += offset;
      }
      continue;
    }
    const auto offset = static_cast<std::uint32_t>(l.starts.size());
    for (grid_run r : p.runs) {
      r.starts += offset;
      l.runs.push_back(r);
    }
    l.starts.insert(l.starts.end(), p.starts.begin(), p.starts.end());
  }
}

}  // namespace abut
