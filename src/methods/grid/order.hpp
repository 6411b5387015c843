#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/columns.hpp"
#include "methods/grid/deal.hpp"
#include "methods/grid/level.hpp"
#include "methods/grid/runs.hpp"

namespace abut {

/// Sorts bodies by level, then by cell. They are first dealt into buckets of some thousand (a slab of lines, or part of
/// it if it holds too many bodies), then each bucket is sorted in cache. The order depends only on the bodies and the
/// frames, not on the number of threads.
template <int D, shape S>
class grid_order {
 public:
  static constexpr int halves = grid_deal<D, S>::halves;

  /// Sets the frames for the following updates.
  void prepare(grid_frames how) { deal_.prepare(std::move(how)); }
  [[nodiscard]] const grid_frames& prepared() const { return deal_.prepared(); }
  /// These three are grid_deal's.
  [[nodiscard]] row_reader* reader(const bodies& next, int threads) { return deal_.reader(next, threads); }
  [[nodiscard]] bool unfit(const world& w) const { return deal_.unfit(w); }
  [[nodiscard]] bool folded() const { return deal_.folded(); }

  /// Sorts all bodies of a world. Sets the places and the runs of `levels`; the runs are valid until the next call.
  void place(const world& w, std::vector<grid_level>& levels);

  /// The sorted bodies; valid until the next `place`.
  [[nodiscard]] grid_columns columns() const {
    grid_columns c{};
    for (int k = 0; k < D; ++k) c.center[k] = center_[k].data();
    c.row = row_.data();
    for (int k = 0; k < D; ++k) c.near[k] = near_[k].data();
    for (int k = 0; k < halves; ++k) c.half[k] = prepared().equal ? nullptr : half_[k].data();
    return c;
  }

  void release_scratch() {
    deal_.release();
    sorters_ = std::vector<sorter>();
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = row_.bytes() + deal_.bytes() + bytes_of(parts_);
    for (const auto& c : center_) sum += c.bytes();
    for (const auto& c : near_) sum += c.bytes();
    for (const auto& c : half_) sum += c.bytes();
    for (const part& p : parts_) sum += p.runs.bytes();
    for (const sorter& s : sorters_) sum += s.bytes();
    return sum;
  }

 private:
  using halves_of = typename grid_deal<D, S>::halves_of;
  using hand = typename grid_deal<D, S>::hand;

  // Some buckets of one level, which one thread sorts, and the runs of their bodies.
  struct part {
    std::uint32_t level = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t first_bucket = 0;
    std::uint32_t end_bucket = 0;
    grid_runs runs{};
  };

  using box_of_cells = grid_box<D>;

  // A thread's scratch space.
  struct sorter {
    [[nodiscard]] std::size_t bytes() const {
      return bytes_of(next) + bytes_of(order) + bytes_of(other) + cells.bytes() + sorted.bytes() + sorted_half.bytes();
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
    buffer<std::uint32_t> cells;  // by body, in the order in which they were dealt
  };

  void make_columns(std::size_t count);
  template <bool Equal>
  void sort_bucket(std::uint32_t number, part& out, sorter& s);
  void fit(std::uint32_t number, box_of_cells& box) const;
  void count_cells(std::uint32_t number, const box_of_cells& box, sorter& s) const;
  template <bool Equal>
  void write_columns(const grid_frame& frame, std::uint32_t from, std::size_t count, sorter& s);
  static void sort_by_digits(const four* mine, std::size_t count, const box_of_cells& box, sorter& s);
  void find_runs(const grid_frame& frame, std::uint32_t from, std::uint32_t to, part& out) const;
  void split_parts(const std::vector<grid_level>& levels);
  void join(std::vector<grid_level>& levels) const;

  grid_deal<D, S> deal_;
  buffer<std::int32_t> center_[D];
  buffer<std::uint32_t> row_;
  buffer<std::int16_t> near_[D];
  buffer<std::int16_t> half_[halves];
  std::vector<part> parts_;
  std::vector<sorter> sorters_;
};

template <int D, shape S>
void grid_order<D, S>::make_columns(std::size_t count) {
  const bool equal = prepared().equal;
  for (auto& c : center_) c.make(count + grid_padding);
  row_.make(count + grid_padding);
  for (auto& c : near_) c.make(count + grid_padding);
  for (auto& c : half_) c.make(equal ? 0 : count + grid_padding);
  for (std::size_t k = count; k < count + grid_padding; ++k) {
    for (auto& c : near_) c[k] = 0;
    for (auto& c : center_) c[k] = 0;
    for (auto& c : half_) {
      if (!equal) c[k] = 0;
    }
    row_[k] = 0;
  }
}

template <int D, shape S>
void grid_order<D, S>::place(const world& w, std::vector<grid_level>& levels) {
  deal_.deal(w);
  make_columns(w.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    levels[l].from = deal_.begins()[deal_.first_bucket(l)];
    levels[l].to = deal_.begins()[deal_.end_bucket(l)];
  }
  split_parts(levels);
  const std::size_t workers = w.size() < 32768 ? 1 : static_cast<std::size_t>(std::max(1, w.threads()));
  sorters_.resize(std::max(sorters_.size(), workers));
  std::atomic<std::size_t> next_part = 0;
  parallel_for(w.threads(), workers, [&](std::size_t which) {
    for (std::size_t p = 0; (p = next_part++) < parts_.size();) {
      part& now = parts_[p];
      now.runs.clear();
      for (std::uint32_t b = now.first_bucket; b < now.end_bucket; ++b) {
        if (deal_.begins()[b] == deal_.begins()[b + 1]) continue;
        prepared().equal ? sort_bucket<true>(b, now, sorters_[which]) : sort_bucket<false>(b, now, sorters_[which]);
      }
      now.runs.end(now.to);
    }
  });
  join(levels);
}

// Each part has whole buckets of one level, with some thousand bodies or more.
template <int D, shape S>
void grid_order<D, S>::split_parts(const std::vector<grid_level>& levels) {
  const std::vector<std::uint32_t>& at = deal_.begins();
  const std::size_t some = std::clamp<std::size_t>(at.back() / 64, 1024, 8192);
  std::size_t used = 0;
  for (std::uint32_t l = 0; l < levels.size(); ++l) {
    const std::uint32_t end = deal_.end_bucket(l);
    for (std::uint32_t first = deal_.first_bucket(l); first < end;) {
      std::uint32_t b = first;
      while (b < end && at[b] - at[first] < some) ++b;
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

// Sorts by counting, unless cells by far outnumber bodies even in the smallest box around those.
template <int D, shape S>
template <bool Equal>
void grid_order<D, S>::sort_bucket(std::uint32_t number, part& out, sorter& s) {
  const std::uint32_t from = deal_.begins()[number];
  const std::size_t count = deal_.begins()[number + 1] - from;
  const grid_frame& frame = prepared().of_level[out.level];
  box_of_cells box;
  for (int a = 0; a < D; ++a) box.shift[a] = a == 0 ? frame.cell_bits() : frame.line_bits;
  deal_.box_of(out.level, number, box.low, box.cells);
  box.count();
  if (box.all > 4 * count + 64) fit(number, box);
  s.sorted.make(count);
  if (!Equal) s.sorted_half.make(count);
  const auto put = [&](std::size_t place, const hand& mine, std::size_t k) {
    s.sorted[place] = mine.bodies[k];
    if constexpr (!Equal) s.sorted_half[place] = mine.half[k];
  };
  const bool few_cells = box.all <= 4 * count + 64;
  if (few_cells) {
    count_cells(number, box, s);
    std::uint32_t* const next = s.next.data();
    add_runs(box, next, from, out.runs);
    const std::uint32_t* cell = s.cells.data();
    for (std::size_t p = 0; p < deal_.parts(); ++p) {
      const hand mine = deal_.part_of(number, p);
      for (std::size_t k = 0; k < mine.count; ++k) put(next[*cell++]++, mine, k);
    }
  } else {
    const hand mine = deal_.take(number);
    sort_by_digits(mine.bodies, count, box, s);
    for (std::size_t k = 0; k < count; ++k) put(k, mine, s.order[k].from);
  }
  write_columns<Equal>(frame, from, count, s);
  if (!few_cells) find_runs(frame, from, static_cast<std::uint32_t>(from + count), out);
}

// Sets s.cells to the bodies' cells and s.next to where each cell of the box begins, counted from the bucket's first
// place.
template <int D, shape S>
void grid_order<D, S>::count_cells(std::uint32_t number, const box_of_cells& box, sorter& s) const {
  s.next.assign(box.all + 1, 0);
  s.cells.make(deal_.begins()[number + 1] - deal_.begins()[number]);
  const cell_numbering how = box.numbering();
  std::uint32_t* const next = s.next.data();
  std::uint32_t* cells = s.cells.data();
  for (std::size_t p = 0; p < deal_.parts(); ++p) {
    const hand mine = deal_.part_of(number, p);
    number_cells(mine.bodies, mine.count, how, cells);
    for (std::size_t k = 0; k < mine.count; ++k) ++next[cells[k] + 1];
    cells += mine.count;
  }
  for (std::size_t c = 0; c < box.all; ++c) next[c + 1] += next[c];
}

// Writes the sorted bodies of a bucket to places from `from` on.
template <int D, shape S>
template <bool Equal>
void grid_order<D, S>::write_columns(const grid_frame& frame, std::uint32_t from, std::size_t count, sorter& s) {
  four_columns out{};
  for (int a = 0; a < D; ++a) {
    out.center[a] = center_[a].data() + from;
    out.near[a] = near_[a].data() + from;
  }
  out.row = row_.data() + from;
  unweave(s.sorted.data(), count, frame.line_bits, out);
  if constexpr (!Equal) {
    for (int h = 0; h < halves; ++h) {
      for (std::size_t k = 0; k < count; ++k) half_[h][from + k] = s.sorted_half[k][static_cast<std::size_t>(h)];
    }
  }
}

// Shrinks the box to the cells around its bodies.
template <int D, shape S>
void grid_order<D, S>::fit(std::uint32_t number, box_of_cells& box) const {
  std::int32_t low[D];
  std::int32_t high[D];
  std::fill_n(low, D, std::numeric_limits<std::int32_t>::max());
  std::fill_n(high, D, 0);
  for (std::size_t p = 0; p < deal_.parts(); ++p) {
    const hand mine = deal_.part_of(number, p);
    for (std::size_t k = 0; k < mine.count; ++k) {
      for (int a = 0; a < D; ++a) {
        low[a] = std::min(low[a], mine.bodies[k].center[a]);
        high[a] = std::max(high[a], mine.bodies[k].center[a]);
      }
    }
  }
  for (int a = 0; a < D; ++a) {
    box.low[a] = low[a] >> box.shift[a];
    box.cells[a] = static_cast<std::uint32_t>((high[a] >> box.shift[a]) - box.low[a] + 1);
  }
  box.count();
}

// For far more cells than bodies: a radix sort by the cell's number, the lowest digit first. There are at most 2^20
// lines on an axis and 2^22 cells along a line, so the number fits in 64 bits.
template <int D, shape S>
void grid_order<D, S>::sort_by_digits(const four* mine, std::size_t count, const box_of_cells& box, sorter& s) {
  s.order.resize(count);
  s.other.resize(count);
  std::uint64_t any = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    s.order[k] = {box.cell(mine[k]), k};
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

// Finds the runs of bodies that are sorted already.
template <int D, shape S>
void grid_order<D, S>::find_runs(const grid_frame& frame, std::uint32_t from, std::uint32_t to, part& out) const {
  for (std::uint32_t p = from; p < to; ++p) {
    const std::int32_t cell = center_[0][p] >> frame.cell_bits();
    const std::int32_t slab = D == 3 ? center_[D - 1][p] >> frame.line_bits : 0;
    const std::uint64_t code = grid_code(center_[1][p] >> frame.line_bits, slab);
    if (!out.runs.at(code, cell)) out.runs.reach(code, cell, p);
  }
}

// Concatenates the parts' runs. A line that continues in the next part has several.
template <int D, shape S>
void grid_order<D, S>::join(std::vector<grid_level>& levels) const {
  for (grid_level& l : levels) l.runs.clear();
  for (const part& p : parts_) p.runs.append_to(levels[p.level]);
}

}  // namespace abut
