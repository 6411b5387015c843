#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/columns.hpp"
#include "methods/grid/frames.hpp"

namespace abut {

/// Deals bodies into buckets of some thousand, like cards. A bucket is a box of cells of one level; bodies are written
/// to it as whole numbers of the level's unit, in the order of their rows, for any number of threads.
///
/// Bodies are counted by bucket, then dealt: two passes. If the last update dealt as many rows with the same frames,
/// its counts nearly hold again. Then bodies are dealt *ahead*, while they are checked, into buckets with some room to
/// spare, and every row is read only once.
template <int D, shape S>
class grid_deal final : public row_reader {
 public:
  static constexpr int halves = S == shape::sphere ? 1 : D;
  using halves_of = std::array<std::int16_t, halves>;  // in `grid_near_half`

  /// Bodies of a bucket, in the order of rows. Valid until the next deal.
  struct hand {
    std::size_t count;
    const four* bodies;
    const halves_of* half;  ///< null if all are equal
  };

  /// Sets the frames for the following updates.
  void prepare(grid_frames how);

  /// Deals all rows of a world, unless they were dealt ahead.
  void deal(const world& w);

  /// Returns a reader that deals the next world's rows ahead, or null if that is not possible.
  [[nodiscard]] row_reader* reader(const bodies& b, int threads);
  [[nodiscard]] std::size_t parts() const override { return next_.size(); }
  void feed(std::size_t part, std::size_t from, std::size_t to, const double* const* columns) override;
  /// Whether the frames do not serve some body: it is larger than its level allows, or too far from where bodies were
  /// when an axis was folded. Costs a pass over the bodies unless they were dealt ahead.
  [[nodiscard]] bool unfit(const world& w) const;

  [[nodiscard]] const grid_frames& prepared() const { return how_; }
  [[nodiscard]] bool folded() const { return folded_; }
  [[nodiscard]] std::uint32_t first_bucket(std::size_t level) const { return deals_[level].first; }
  [[nodiscard]] std::uint32_t end_bucket(std::size_t level) const {
    return deals_[level].first + deals_[level].buckets();
  }
  /// The place where each bucket begins, and where the last one ends.
  [[nodiscard]] const std::vector<std::uint32_t>& begins() const { return at_; }
  /// The bodies that one part of the rows dealt to a bucket.
  [[nodiscard]] hand part_of(std::uint32_t bucket, std::size_t part) const {
    const std::uint32_t from = first_[part][bucket];
    return {next_[part][bucket] - from, dealt_.data() + from, how_.equal ? nullptr : dealt_half_.data() + from};
  }
  /// All bodies of a bucket, moved together. May be called once per bucket, from several threads.
  [[nodiscard]] hand take(std::uint32_t bucket);
  /// The lowest cell of a bucket and its number of cells on each axis.
  void box_of(std::size_t level, std::uint32_t bucket, std::int32_t* low, std::uint32_t* cells) const;

  void release() {
    dealt_.release();
    dealt_half_.release();
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = dealt_.bytes() + dealt_half_.bytes() + bytes_of(at_);
    for (const auto& n : next_) sum += bytes_of(n);
    for (const auto& n : first_) sum += bytes_of(n);
    return sum;
  }

 private:
  static constexpr std::size_t block = 128;
  static constexpr std::size_t bucket_size = 4096;  // bodies that are sorted in cache, nearly in the first level of it

  // The buckets of a level: chunks of the slow, then the middle, then the contiguous axis.
  struct level_deal {
    int shift[D];             // a chunk is 2^shift units long; 31: the axis is not split
    std::uint32_t chunks[D];  // how many, by axis
    std::int32_t last[D];     // the greatest number of units, by axis
    std::uint32_t first = 0;  // the first bucket
    double half_scale;        // from lengths to the unit of `grid_near_half`

    // Clamps: a body that is dealt ahead may be outside the frame, which is found out only after the check.
    template <class Center>
    [[nodiscard]] std::uint32_t bucket_of(Center&& center) const {
      std::uint32_t b = 0;
      for (int a = D - 1; a >= 0; --a) {
        if (chunks[a] == 1) continue;
        b = b * chunks[a] + std::min(static_cast<std::uint32_t>(center(a) >> shift[a]), chunks[a] - 1);
      }
      return first + b;
    }
    [[nodiscard]] std::uint32_t buckets() const {
      std::uint32_t n = 1;
      for (const std::uint32_t c : chunks) n *= c;
      return n;
    }
  };

  // The columns of bodies, or those that a reader is fed, which begin at row `first`.
  class source {
   public:
    explicit source(const bodies& all) : all_(&all) {}
    source(const double* const* seen, std::size_t first) : seen_(seen), first_(first) {}
    [[nodiscard]] const double* see(int k, std::size_t from, std::size_t count, double* space) const {
      return seen_ != nullptr ? seen_[k] + (from - first_) : all_->at(k).see(from, count, space);
    }

   private:
    const bodies* all_ = nullptr;
    const double* const* seen_ = nullptr;
    std::size_t first_ = 0;
  };

  // A block of consecutive rows.
  struct piece {
    std::size_t count;
    bool unfit;                     // the frames do not serve one of them
    std::int32_t center[3][block];  // in 2D the last one is 0
    four woven[block];
    double half[halves][block];
    std::int16_t near_half[halves][block];
    double scale[block];  // units per length in its level
    std::uint8_t level[block];
    std::uint32_t bucket[block];
  };

  [[nodiscard]] static std::size_t parts_for(std::size_t rows, int threads) {
    return rows < 32768 ? 1 : static_cast<std::size_t>(std::max(1, threads));
  }
  [[nodiscard]] static bool none_of(const std::vector<std::uint8_t>& flags) {
    return std::none_of(flags.begin(), flags.end(), [](auto f) { return f != 0; });
  }
  [[nodiscard]] static level_deal deal_of(const grid_frame& f, std::size_t count);
  void read_halves(const source& in, std::size_t from, piece& out) const;
  void round_halves(piece& out) const;
  void read_levels(const source& in, std::size_t from, piece& out) const;
  void read_centers(const source& in, int axis, std::size_t from, piece& out) const;
  void fold(const double* x, int axis, double* to, piece& out) const;
  void read(const source& in, std::size_t from, std::size_t count, bool whole, piece& out) const;
  void read_buckets(piece& out) const;
  void count(const source& in, std::size_t part, std::size_t from, std::size_t to);
  template <bool Equal, bool Bounded>
  [[nodiscard]] bool deal_rows(const source& in, std::size_t part, std::size_t from, std::size_t to);
  template <class Room>
  void make_room(Room&& room);
  void number_places();

  grid_frames how_;
  std::vector<level_deal> deals_;
  std::uint32_t buckets_ = 0;
  bool folded_ = false;   // some level has a folded axis
  std::size_t rows_ = 0;  // in the last deal; 0 if there was none
  // By part of the rows, then by bucket:
  std::vector<std::vector<std::uint32_t>> first_;  // where its bodies begin in `dealt_`
  std::vector<std::vector<std::uint32_t>> next_;   // where the next body goes; while counting, how many there are
  std::vector<std::uint8_t> full_;                 // by part: a bucket had no room for a body
  std::vector<std::uint8_t> unfit_;                // by part: the frames do not serve some body
  bool reading_ = false;                           // the next world is being dealt ahead
  std::vector<std::uint32_t> at_;                  // the places where buckets begin
  buffer<four> dealt_;
  buffer<halves_of> dealt_half_;
};

template <int D, shape S>
void grid_deal<D, S>::prepare(grid_frames how) {
  how_ = std::move(how);
  deals_.clear();
  buckets_ = 0;
  for (std::size_t l = 0; l < how_.of_level.size(); ++l) {
    deals_.push_back(deal_of(how_.of_level[l], how_.sizes.levels[l].count));
    deals_.back().first = buckets_;
    buckets_ += deals_.back().buckets();
  }
  folded_ = std::any_of(how_.of_level.begin(), how_.of_level.end(), [](const auto& f) { return f.folded(); });
  rows_ = 0;
  reading_ = false;
}

// A small level is one bucket. Otherwise the slow axis is split as finely as `most` allows, and the others only as long
// as there are too few buckets. Buckets must be in the order of cells, so an axis can be split only if those before it
// are split into single lines.
template <int D, shape S>
auto grid_deal<D, S>::deal_of(const grid_frame& f, std::size_t count) -> level_deal {
  const std::size_t wanted = count / bucket_size + 1;
  const std::size_t most = std::max(4 * wanted + 1024, count / 128);
  level_deal d{};
  d.half_scale = f.scale / grid_near_unit(f.line_bits);
  std::size_t have = 1;
  bool whole = true;  // all axes so far are split into single lines
  for (int a = D - 1; a >= 0; --a) {
    d.last[a] = f.units(f.top[a], a);
    int shift = a == 0 ? f.cell_bits() : f.line_bits;
    if (!whole || have >= wanted) shift = 31;
    const std::size_t limit = a == D - 1 ? most : std::max<std::size_t>(1, 2 * wanted / have);
    while (shift < 31 && static_cast<std::size_t>(d.last[a] >> shift) >= limit) {
      ++shift;
      whole = false;
    }
    d.shift[a] = shift;
    d.chunks[a] = static_cast<std::uint32_t>(d.last[a] >> shift) + 1;
    have *= d.chunks[a];
  }
  return d;
}

template <int D, shape S>
void grid_deal<D, S>::box_of(std::size_t level, std::uint32_t bucket, std::int32_t* low, std::uint32_t* cells) const {
  const level_deal& d = deals_[level];
  const grid_frame& f = how_.of_level[level];
  std::uint32_t number = bucket - d.first;
  for (int a = 0; a < D; ++a) {
    const int shift = a == 0 ? f.cell_bits() : f.line_bits;
    const std::int64_t chunk = number % d.chunks[a];
    number /= d.chunks[a];
    low[a] = static_cast<std::int32_t>((chunk << d.shift[a]) >> shift);
    const std::int64_t end = std::min(std::int64_t{d.last[a]}, ((chunk + 1) << d.shift[a]) - 1);
    cells[a] = static_cast<std::uint32_t>((end >> shift) - low[a] + 1);
  }
}

template <int D, shape S>
void grid_deal<D, S>::read_halves(const source& in, std::size_t from, piece& out) const {
  for (int h = 0; h < halves; ++h) {
    const int k = S == shape::box ? how_.axes[static_cast<std::size_t>(h)] : 0;
    double space[block];
    const double* const wide = in.see(D + k, from, out.count, space);
    if constexpr (S == shape::sphere) {
      std::copy_n(wide, out.count, out.half[h]);
    } else {
      double lower_space[block];
      const double* const lower = in.see(k, from, out.count, lower_space);
      for (std::size_t i = 0; i < out.count; ++i) out.half[h][i] = (wide[i] - lower[i]) / 2;
    }
  }
}

template <int D, shape S>
void grid_deal<D, S>::round_halves(piece& out) const {
  const bool one = how_.of_level.size() == 1;
  const double scale = deals_[0].half_scale;
  for (int h = 0; h < halves; ++h) {
    for (std::size_t i = 0; one && i < out.count; ++i) out.near_half[h][i] = grid_near_half(out.half[h][i] * scale);
    for (std::size_t i = 0; !one && i < out.count; ++i) {
      out.near_half[h][i] = grid_near_half(out.half[h][i] * deals_[out.level[i]].half_scale);
    }
  }
}

template <int D, shape S>
void grid_deal<D, S>::read_levels(const source& in, std::size_t from, piece& out) const {
  read_halves(in, from, out);
  for (std::size_t i = 0; i < out.count; ++i) {
    double most = out.half[0][i];
    for (int h = 1; h < halves; ++h) most = std::max(most, out.half[h][i]);
    out.level[i] = how_.sizes.of(most + 0.0);  // -0.0 is 0
    out.scale[i] = how_.of_level[out.level[i]].scale;
    out.unfit |= most > how_.sizes.levels[out.level[i]].widest_half;
  }
}

template <int D, shape S>
void grid_deal<D, S>::read_centers(const source& in, int axis, std::size_t from, piece& out) const {
  const int k = how_.axes[static_cast<std::size_t>(axis)];
  double space[block];
  const double* x = in.see(k, from, out.count, space);
  if constexpr (S == shape::box) {
    double upper_space[block];
    const double* const upper = in.see(D + k, from, out.count, upper_space);
    for (std::size_t i = 0; i < out.count; ++i) space[i] = x[i] + (upper[i] - x[i]) / 2;
    x = space;
  }
  const grid_frame& frame = how_.of_level[0];
  const bool one = how_.of_level.size() == 1;
  const double most = one ? deals_[0].last[axis] : grid_frame::most - 1;
  if (folded_) {
    fold(x, axis, space, out);
    to_units(space, one ? nullptr : out.scale, frame.scale, out.count, 0, most, out.center[axis]);
  } else {
    to_units(x, one ? nullptr : out.scale, frame.scale, out.count, frame.origin[axis], most, out.center[axis]);
  }
}

// Writes coordinates, each relative to the origin of its level, on an axis that may be folded in some levels.
template <int D, shape S>
void grid_deal<D, S>::fold(const double* x, int axis, double* to, piece& out) const {
  for (std::size_t i = 0; i < out.count;) {
    // Consecutive bodies of one level are folded together.
    std::size_t end = out.count;
    if (how_.of_level.size() > 1) {
      for (end = i + 1; end < out.count && out.level[end] == out.level[i];) ++end;
    }
    const grid_frame& frame = how_.of_level[how_.of_level.size() > 1 ? out.level[i] : 0];
    if (frame.fold[axis]) {
      out.unfit |= !frame.fold[axis]->fold(x + i, end - i, to + i);
    } else {
      for (std::size_t k = i; k < end; ++k) to[k] = x[k] - frame.origin[axis];
    }
    i = end;
  }
}

// Reads bodies from row `from` on and finds their buckets. If not `whole`, reads only what the buckets depend on.
template <int D, shape S>
void grid_deal<D, S>::read(const source& in, std::size_t from, std::size_t count, bool whole, piece& out) const {
  const bool one = how_.of_level.size() == 1;
  out.count = count;
  out.unfit = false;
  if (!one) {
    read_levels(in, from, out);
  } else if (whole && !how_.equal) {
    read_halves(in, from, out);
  }
  for (int a = 0; a < D; ++a) {
    if (whole || !one || deals_[0].chunks[a] > 1) read_centers(in, a, from, out);
  }
  if (whole && !how_.equal) round_halves(out);
  if (whole) {
    if (D == 2) std::fill_n(out.center[2], count, 0);
    weave(out.center[0], out.center[1], out.center[2], static_cast<std::uint32_t>(from), count, out.woven);
  }
  read_buckets(out);
}

template <int D, shape S>
void grid_deal<D, S>::read_buckets(piece& out) const {
  if (how_.of_level.size() > 1) {
    for (std::size_t i = 0; i < out.count; ++i) {
      out.bucket[i] = deals_[out.level[i]].bucket_of([&](int a) { return out.center[a][i]; });
    }
    return;
  }
  const level_deal d = deals_[0];
  const int slow = D - 1;
  if (d.buckets() == 1) {
    std::fill_n(out.bucket, out.count, 0U);
  } else if (d.buckets() == d.chunks[slow]) {
    for (std::size_t i = 0; i < out.count; ++i) {
      out.bucket[i] = static_cast<std::uint32_t>(out.center[slow][i] >> d.shift[slow]);
    }
  } else {
    for (std::size_t i = 0; i < out.count; ++i) out.bucket[i] = d.bucket_of([&](int a) { return out.center[a][i]; });
  }
}

template <int D, shape S>
void grid_deal<D, S>::count(const source& in, std::size_t part, std::size_t from, std::size_t to) {
  next_[part].assign(buckets_, 0);
  piece some;
  for (; from < to; from += block) {
    read(in, from, std::min(block, to - from), false, some);
    for (std::size_t i = 0; i < some.count; ++i) ++next_[part][some.bucket[i]];
  }
}

// Returns false once a bucket has no room for a body. Without `Bounded`, there is room for all.
template <int D, shape S>
template <bool Equal, bool Bounded>
bool grid_deal<D, S>::deal_rows(const source& in, std::size_t part, std::size_t from, std::size_t to) {
  piece some;
  std::uint32_t* const next = next_[part].data();
  const std::uint32_t* const end = part + 1 < first_.size() ? first_[part + 1].data() : first_[0].data() + 1;
  for (; from < to; from += block) {
    read(in, from, std::min(block, to - from), true, some);
    if (Bounded && some.unfit) unfit_[part] = 1;
    for (std::size_t i = 0; i < some.count; ++i) {
      const std::uint32_t place = next[some.bucket[i]];
      if (Bounded && place == end[some.bucket[i]]) return false;
      next[some.bucket[i]] = place + 1;
      dealt_[place] = some.woven[i];
      ask_for(dealt_.data(), place + 8);
      if constexpr (!Equal) {
        for (int h = 0; h < halves; ++h) {
          dealt_half_[place][static_cast<std::size_t>(h)] = some.near_half[h][i];
        }
      }
    }
  }
  return true;
}

// Lays out `dealt_`: each part of the rows has room for `room(part, bucket)` bodies in each bucket.
template <int D, shape S>
template <class Room>
void grid_deal<D, S>::make_room(Room&& room) {
  first_.resize(next_.size());
  for (auto& f : first_) f.resize(buckets_ + 1);
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b < buckets_; ++b) {
    for (std::size_t p = 0; p < first_.size(); ++p) {
      const std::uint32_t some = room(p, b);
      first_[p][b] = sum;
      sum += some;
    }
  }
  for (auto& f : first_) f[buckets_] = sum;
  for (std::size_t p = 0; p < first_.size(); ++p) next_[p].assign(first_[p].begin(), first_[p].end() - 1);
  dealt_.make(sum + grid_padding);
  if (!how_.equal) dealt_half_.make(sum);
}

template <int D, shape S>
row_reader* grid_deal<D, S>::reader(const bodies& b, int threads) {
  reading_ = false;
  if (rows_ == 0 || b.size() != rows_ || b.kind() != S || b.dimension() != D ||
      parts_for(rows_, threads) != next_.size()) {
    return nullptr;
  }
  // With many threads and many small buckets, the spare room would take too much memory.
  constexpr std::uint32_t spare = 8;
  if (std::size_t{buckets_} * next_.size() * spare > rows_ / 2 + 1024) return nullptr;
  make_room([&](std::size_t p, std::uint32_t k) {
    const std::uint32_t last = next_[p][k] - first_[p][k];
    return last + last / 8 + spare;
  });
  full_.assign(next_.size(), 0);
  unfit_.assign(next_.size(), 0);
  reading_ = true;
  return this;
}

template <int D, shape S>
void grid_deal<D, S>::feed(std::size_t part, std::size_t from, std::size_t to, const double* const* columns) {
  if (full_[part] != 0) return;
  const source in(columns, from);
  full_[part] = how_.equal ? !deal_rows<true, true>(in, part, from, to) : !deal_rows<false, true>(in, part, from, to);
}

template <int D, shape S>
bool grid_deal<D, S>::unfit(const world& w) const {
  if (reading_ && w.size() == rows_ && none_of(full_)) return !none_of(unfit_);
  std::vector<std::uint8_t> found(parts_for(w.size(), w.threads()), 0);
  parallel_for(w.threads(), found.size(), [&](std::size_t p) {
    const source in(w.rows());
    const std::size_t end = row_reader::begin(w.size(), found.size(), p + 1);
    piece some;
    for (std::size_t from = row_reader::begin(w.size(), found.size(), p); from < end; from += block) {
      some.count = std::min(block, end - from);
      some.unfit = false;
      folded_ ? read(in, from, some.count, true, some) : read_levels(in, from, some);
      if (some.unfit) found[p] = 1;
    }
  });
  return !none_of(found);
}

template <int D, shape S>
void grid_deal<D, S>::deal(const world& w) {
  const std::size_t n = w.size();
  const bool done = reading_ && n == rows_ && none_of(full_);
  reading_ = false;
  if (!done) {
    const source in(w.rows());
    next_.resize(parts_for(n, w.threads()));
    const auto begin = [&](std::size_t p) { return row_reader::begin(n, next_.size(), p); };
    parallel_for(w.threads(), next_.size(), [&](std::size_t p) { count(in, p, begin(p), begin(p + 1)); });
    make_room([&](std::size_t p, std::uint32_t b) { return next_[p][b]; });
    parallel_for(w.threads(), next_.size(), [&](std::size_t p) {
      (void)(how_.equal ? deal_rows<true, false>(in, p, begin(p), begin(p + 1))
                        : deal_rows<false, false>(in, p, begin(p), begin(p + 1)));
    });
  }
  rows_ = n;
  number_places();
}

template <int D, shape S>
void grid_deal<D, S>::number_places() {
  at_.resize(buckets_ + 1);
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b < buckets_; ++b) {
    at_[b] = sum;
    for (std::size_t p = 0; p < next_.size(); ++p) sum += next_[p][b] - first_[p][b];
  }
  at_[buckets_] = sum;
}

template <int D, shape S>
auto grid_deal<D, S>::take(std::uint32_t bucket) -> hand {
  hand all = part_of(bucket, 0);
  for (std::size_t p = 1; p < next_.size(); ++p) {
    const hand more = part_of(bucket, p);
    const std::size_t to = first_[0][bucket] + all.count;
    if (more.bodies != &dealt_[to] && more.count > 0) {
      std::memmove(&dealt_[to], more.bodies, more.count * sizeof(four));
      if (!how_.equal) std::memmove(&dealt_half_[to], more.half, more.count * sizeof(halves_of));
    }
    all.count += more.count;
  }
  return all;
}

}  // namespace abut
