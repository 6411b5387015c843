// The inner loops of the grid, for every set of vector instructions that the compiler knows; Highway chooses at run
// time. Differences of whole numbers are exact; from there on single precision is a filter: it says surely in, surely
// out, or in doubt, and only doubts read the bodies in double.

#include "grid_scan.hpp"

// A target below holds vectors as members, which those whose length is known at run time only cannot be.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grid_scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace abut {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using tag_i = hn::CappedTag<std::int32_t, 16>;
using tag_u = hn::CappedTag<std::uint32_t, 16>;
using tag_f = hn::CappedTag<float, 16>;
using vec_i = hn::Vec<tag_i>;
using vec_f = hn::Vec<tag_f>;

// Pairs that are sure, gathered until a batch is worth handing on.
class sure_pairs {
 public:
  explicit sure_pairs(pair_batch& out) : out_(out) {}

  HWY_INLINE void add(hn::Vec<tag_u> rows, hn::Mask<tag_u> which) {
    const tag_u du;
    hn::StoreU(hn::Compress(rows, which), du, others_ + size_);
    size_ += hn::CountTrue(du, which);
    if (HWY_UNLIKELY(size_ > limit)) flush_part();
  }
  HWY_INLINE void begin(std::uint32_t row) { row_ = row; }
  HWY_INLINE void end() {
    const tag_u du;
    const auto row = hn::Set(du, row_);
    for (std::size_t k = done_; k < size_; k += hn::Lanes(du)) hn::StoreU(row, du, targets_ + k);
    done_ = size_;
    if (HWY_UNLIKELY(size_ > limit / 2)) flush();
  }
  void flush() {
    const tag_u du;
    pair pairs[capacity];
    for (std::size_t k = 0; k < size_; k += hn::Lanes(du)) {
      const auto a = hn::LoadU(du, targets_ + k);
      const auto b = hn::LoadU(du, others_ + k);
      hn::StoreInterleaved2(hn::Min(a, b), hn::Max(a, b), du, reinterpret_cast<std::uint32_t*>(pairs + k));
    }
    out_.add(pairs, size_);
    size_ = done_ = 0;
  }

 private:
  static constexpr std::size_t limit = 512;
  static constexpr std::size_t capacity = limit + 64;

  HWY_NOINLINE void flush_part() {
    end();
    flush();
  }

  pair_batch& out_;
  std::uint32_t row_ = 0;
  std::size_t size_ = 0;
  std::size_t done_ = 0;
  alignas(64) std::uint32_t others_[capacity];
  alignas(64) std::uint32_t targets_[capacity];
};

// One body against the bodies of a range.
template <int D, shape S, bool Equal>
struct target {
  static constexpr int halves = S == shape::sphere ? 1 : D;

  vec_i center[3];
  vec_f outer[3];  // half width with room (spheres: one), or the sum of both where all are equal
  vec_f doubt;

  template <class Center, class Half>
  HWY_INLINE target(Center&& center_at, Half&& half_at, const grid_filter& filter) {
    const tag_i di;
    const tag_f df;
    for (int k = 0; k < D; ++k) center[k] = hn::Set(di, center_at(k));
    for (int k = 0; k < halves; ++k) outer[k] = hn::Set(df, half_at(k) + filter.room);
    doubt = hn::Set(df, filter.doubt);
  }

  // Which of the bodies from place q on may overlap, and which surely do. `along`: how far they are on the contiguous
  // axis.
  HWY_INLINE void compare(const grid_columns& others, std::uint32_t q, vec_i& along, hn::Mask<tag_f>& may,
                          hn::Mask<tag_f>& surely) const {
    const tag_i di;
    const tag_f df;
    vec_i apart[3];
    for (int k = 0; k < D; ++k) apart[k] = hn::Sub(hn::LoadU(di, others.center[k] + q), center[k]);
    along = apart[0];
    vec_f reach[3];
    for (int k = 0; k < halves; ++k) {
      reach[k] = Equal ? outer[k] : hn::Add(outer[k], hn::LoadU(df, others.half[k] + q));
    }
    if constexpr (S == shape::sphere) {
      const vec_f x = hn::ConvertTo(df, apart[0]);
      vec_f squares = hn::Mul(x, x);
      for (int k = 1; k < D; ++k) {
        const vec_f d = hn::ConvertTo(df, apart[k]);
        squares = hn::MulAdd(d, d, squares);
      }
      const vec_f inner = hn::Max(hn::Sub(reach[0], doubt), hn::Zero(df));
      may = hn::Le(squares, hn::Mul(reach[0], reach[0]));
      surely = hn::Lt(squares, hn::Mul(inner, inner));
    } else {
      for (int k = 0; k < D; ++k) {
        const vec_f d = hn::Abs(hn::ConvertTo(df, apart[k]));
        const auto may_k = hn::Le(d, reach[k]);
        const auto surely_k = hn::Lt(d, hn::Sub(reach[k], doubt));
        may = k == 0 ? may_k : hn::And(may, may_k);
        surely = k == 0 ? surely_k : hn::And(surely, surely_k);
      }
    }
  }
};

template <class Target>
HWY_NOINLINE void keep_doubts(const grid_columns& bodies, const Target& t, std::uint32_t row, const grid_range* ranges,
                              std::size_t count, std::vector<grid_doubt>& doubts) {
  const tag_i di;
  const tag_f df;
  for (std::size_t r = 0; r < count; ++r) {
    for (std::uint32_t q = ranges[r].from; q < ranges[r].to; q += static_cast<std::uint32_t>(hn::Lanes(di))) {
      vec_i along;
      hn::Mask<tag_f> may;
      hn::Mask<tag_f> surely;
      t.compare(bodies, q, along, may, surely);
      alignas(64) std::int32_t along_at[16];
      std::uint8_t doubtful[8] = {};
      hn::StoreU(along, di, along_at);
      hn::StoreMaskBits(df, hn::AndNot(surely, may), doubtful);
      for (std::uint32_t lane = 0; lane < hn::Lanes(di) && q + lane < ranges[r].to; ++lane) {
        const bool in_doubt = (doubtful[lane / 8] >> (lane % 8) & 1) != 0;
        if (in_doubt && along_at[lane] > ranges[r].after) doubts.push_back({row, bodies.row[q + lane]});
      }
    }
  }
}

// One body against some ranges. Returns the number of tests.
template <class Target>
HWY_INLINE std::uint64_t scan_ranges(const grid_columns& bodies, const Target& t, std::uint32_t row,
                                     const grid_range* ranges, std::size_t count, sure_pairs& found,
                                     std::vector<grid_doubt>& doubts) {
  const tag_i di;
  const tag_u du;
  const tag_f df;
  const vec_i lane = hn::Iota(di, 0);
  std::uint64_t tests = 0;
  found.begin(row);
  hn::Mask<tag_f> doubtful = hn::MaskFromVec(hn::Zero(df));
  for (std::size_t r = 0; r < count; ++r) {
    std::uint32_t q = ranges[r].from;
    const std::uint32_t end = ranges[r].to;
    tests += end - q;
    const vec_i behind = hn::Set(di, ranges[r].after);
    do {
      vec_i along;
      hn::Mask<tag_f> may;
      hn::Mask<tag_f> surely;
      t.compare(bodies, q, along, may, surely);
      const auto inside = hn::RebindMask(
          df, hn::And(hn::Lt(lane, hn::Set(di, static_cast<std::int32_t>(end - q))), hn::Gt(along, behind)));
      doubtful = hn::Or(doubtful, hn::And(inside, hn::AndNot(surely, may)));
      found.add(hn::LoadU(du, bodies.row + q), hn::RebindMask(du, hn::And(inside, surely)));
      q += static_cast<std::uint32_t>(hn::Lanes(di));
    } while (HWY_UNLIKELY(q < end));
  }
  found.end();
  if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts(bodies, t, row, ranges, count, doubts);
  return tests;
}

HWY_INLINE grid_range range_in(const grid_view& view, std::int32_t from_cell, std::int32_t to_cell,
                               std::int32_t after) {
  const std::int32_t end = view.last + 1;
  const std::int32_t a = HWY_MIN(HWY_MAX(from_cell, view.first), end);
  const std::int32_t b = HWY_MIN(HWY_MAX(to_cell, view.first), end);
  return {view.begin[a], view.begin[b], after};
}

// Which row beside the own one a body is nearer to, -1 or 1, and whether its partners can be in there.
struct beside {
  int by;
  bool near;

  HWY_INLINE beside(const grid_row_job& job, std::int32_t at) {
    const std::int32_t high = std::int32_t{1} << job.row_bits;
    const std::int32_t within = at & (high - 1);
    by = within >= high / 2 ? 1 : -1;
    near = (by > 0 ? high - within : within) <= job.reach;
  }
};

template <int D, shape S, bool Equal>
std::uint64_t scan_row(const grid_columns& bodies, const grid_row_job& job, pair_batch& out,
                       std::vector<grid_doubt>& doubts) {
  sure_pairs found(out);
  std::uint64_t tests = 0;
  for (std::uint32_t p = job.from; p < job.to; ++p) {
    const target<D, S, Equal> t([&](int k) { return bodies.center[k][p]; },
                                [&](int k) { return Equal ? job.same_half[k] : bodies.half[k][p]; }, job.filter);
    const std::int32_t x = bodies.center[0][p];
    const beside y(job, bodies.center[1][p]);
    const std::int32_t cell = x >> job.cell_bits;
    const std::int32_t to_cell = ((x + job.reach) >> job.cell_bits) + 1;
    // Partners farther along; at the same place along, those of the later row.
    const auto after = [](int by) { return by > 0 ? -1 : 0; };
    grid_range ranges[4];
    std::size_t rows = 1;
    ranges[0] = {p + 1, HWY_MAX(p + 1, range_in(job.around[4], cell, to_cell, INT32_MIN).to), INT32_MIN};
    if (y.near) ranges[rows++] = range_in(job.around[4 + y.by], cell, to_cell, after(y.by));
    if constexpr (D == 3) {
      const beside z(job, bodies.center[2][p]);
      if (z.near) {
        ranges[rows++] = range_in(job.around[4 + 3 * z.by], cell, to_cell, after(z.by));
        if (y.near) ranges[rows++] = range_in(job.around[4 + 3 * z.by + y.by], cell, to_cell, after(z.by));
      }
    }
    tests += scan_ranges(bodies, t, bodies.row[p], ranges, rows, found, doubts);
  }
  found.flush();
  return tests;
}

template <int D, shape S>
std::uint64_t scan_cover(const grid_columns& bodies, const grid_cover_job& job, pair_batch& out,
                         std::vector<grid_doubt>& doubts) {
  sure_pairs found(out);
  const target<D, S, false> t([&](int k) { return job.center[k]; }, [&](int k) { return job.half[k]; }, job.filter);
  const std::uint64_t tests = scan_ranges(bodies, t, job.row, job.ranges, job.count, found, doubts);
  found.flush();
  return tests;
}

#define ABUT_SCANS(NAME, D, KIND)                                                                                  \
  std::uint64_t NAME##_row(const grid_columns& bodies, const grid_row_job& job, pair_batch& out,                   \
                           std::vector<grid_doubt>& doubts) {                                                      \
    return bodies.half[0] == nullptr ? scan_row<D, shape::KIND, true>(bodies, job, out, doubts)                    \
                                     : scan_row<D, shape::KIND, false>(bodies, job, out, doubts);                  \
  }                                                                                                                \
  std::uint64_t NAME##_cover(const grid_columns& bodies, const grid_cover_job& job, pair_batch& out,               \
                             std::vector<grid_doubt>& doubts) {                                                    \
    return scan_cover<D, shape::KIND>(bodies, job, out, doubts);                                                   \
  }
ABUT_SCANS(discs, 2, sphere)
ABUT_SCANS(spheres, 3, sphere)
ABUT_SCANS(rectangles, 2, box)
ABUT_SCANS(boxes, 3, box)
#undef ABUT_SCANS

}  // namespace HWY_NAMESPACE
}  // namespace abut
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

#define ABUT_EXPORTS(NAME)  \
  HWY_EXPORT(NAME##_row);   \
  HWY_EXPORT(NAME##_cover);
ABUT_EXPORTS(discs)
ABUT_EXPORTS(spheres)
ABUT_EXPORTS(rectangles)
ABUT_EXPORTS(boxes)
#undef ABUT_EXPORTS

std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_row_job& job, pair_batch& out,
                        std::vector<grid_doubt>& doubts) {
  if (kind == shape::sphere) {
    return dimension == 2 ? HWY_DYNAMIC_DISPATCH(discs_row)(bodies, job, out, doubts)
                          : HWY_DYNAMIC_DISPATCH(spheres_row)(bodies, job, out, doubts);
  }
  return dimension == 2 ? HWY_DYNAMIC_DISPATCH(rectangles_row)(bodies, job, out, doubts)
                        : HWY_DYNAMIC_DISPATCH(boxes_row)(bodies, job, out, doubts);
}

std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_cover_job& job,
                        pair_batch& out, std::vector<grid_doubt>& doubts) {
  if (kind == shape::sphere) {
    return dimension == 2 ? HWY_DYNAMIC_DISPATCH(discs_cover)(bodies, job, out, doubts)
                          : HWY_DYNAMIC_DISPATCH(spheres_cover)(bodies, job, out, doubts);
  }
  return dimension == 2 ? HWY_DYNAMIC_DISPATCH(rectangles_cover)(bodies, job, out, doubts)
                        : HWY_DYNAMIC_DISPATCH(boxes_cover)(bodies, job, out, doubts);
}

}  // namespace abut
#endif
