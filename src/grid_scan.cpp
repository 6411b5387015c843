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

// Pairs that are sure, gathered until a batch is worth handing on. Who fills it keeps their number, in a register.
class sure_pairs {
 public:
  explicit sure_pairs(pair_batch& out) : out_(out) {}

  HWY_INLINE std::size_t add(hn::Vec<tag_u> rows, hn::Mask<tag_u> which, std::size_t size) {
    const tag_u du;
    hn::StoreU(hn::Compress(rows, which), du, others_ + size);
    return size + hn::CountTrue(du, which);
  }
  // Those from `begin` on are partners of this one. Few have more than a vector of them.
  HWY_INLINE void name(std::uint32_t target, std::size_t begin, std::size_t size) {
    const tag_u du;
    const auto row = hn::Set(du, target);
    hn::StoreU(row, du, targets_ + begin);
    if (HWY_LIKELY(size - begin <= hn::Lanes(du))) return;
    for (begin += hn::Lanes(du); begin < size; begin += hn::Lanes(du)) hn::StoreU(row, du, targets_ + begin);
  }
  // No room for some vectors more.
  [[nodiscard]] HWY_INLINE bool full(std::size_t size) const { return size > limit; }

  HWY_NOINLINE std::size_t flush(std::size_t size) {
    const tag_u du;
    pair* const pairs = out_.room(size);
    for (std::size_t k = 0; k < size; k += hn::Lanes(du)) {
      const auto a = hn::LoadU(du, targets_ + k);
      const auto b = hn::LoadU(du, others_ + k);
      hn::StoreInterleaved2(hn::Min(a, b), hn::Max(a, b), du, reinterpret_cast<std::uint32_t*>(pairs + k));
    }
    out_.took(size);
    return 0;
  }

 private:
  static constexpr std::size_t limit = 384;
  static constexpr std::size_t capacity = limit + 6 * 16;

  static_assert(capacity <= pair_batch::capacity);

  pair_batch& out_;
  alignas(64) std::uint32_t others_[capacity];
  alignas(64) std::uint32_t targets_[capacity];
};

// How near bodies must be: the same for all targets where all are equal, otherwise for one.
template <int D, shape S, bool Equal>
struct nearness {
  static constexpr int halves = S == shape::sphere ? 1 : D;

  vec_f outer[3];  // half width with room (spheres: one), or the sum of both where all are equal
  vec_f doubt;
  vec_f most;   // equal spheres: the square of a distance that may be an overlap,
  vec_f least;  // and of one that surely is

  HWY_INLINE nearness(const float* half, const grid_filter& filter) {
    const tag_f df;
    for (int k = 0; k < halves; ++k) outer[k] = hn::Set(df, half[k] + filter.room);
    doubt = hn::Set(df, filter.doubt);
    if (Equal && S == shape::sphere) {
      const vec_f inner = hn::Max(hn::Sub(outer[0], doubt), hn::Zero(df));
      most = hn::Mul(outer[0], outer[0]);
      least = hn::Mul(inner, inner);
    }
  }
};

// One body against the bodies of a range.
template <int D, shape S, bool Equal>
struct target {
  static constexpr int halves = nearness<D, S, Equal>::halves;

  vec_i center[3];
  const nearness<D, S, Equal>& near;

  HWY_INLINE target(const std::int32_t* at, const nearness<D, S, Equal>& how) : near(how) {
    const tag_i di;
    for (int k = 0; k < D; ++k) center[k] = hn::Set(di, at[k]);
  }

  // Which of the bodies from place q on may overlap, and which surely do. `back`: how far they are behind the target on
  // the contiguous axis.
  HWY_INLINE void compare(const grid_columns& others, std::uint32_t q, vec_i& back, hn::Mask<tag_f>& may,
                          hn::Mask<tag_f>& surely) const {
    const tag_i di;
    const tag_f df;
    vec_i apart[3];
    for (int k = 0; k < D; ++k) apart[k] = hn::Sub(center[k], hn::LoadU(di, others.center[k] + q));
    back = apart[0];
    vec_f reach[3];
    for (int k = 0; k < halves; ++k) {
      reach[k] = Equal ? near.outer[k] : hn::Add(near.outer[k], hn::LoadU(df, others.half[k] + q));
    }
    if constexpr (S == shape::sphere) {
      const vec_f x = hn::ConvertTo(df, apart[0]);
      vec_f squares = hn::Mul(x, x);
      for (int k = 1; k < D; ++k) {
        const vec_f d = hn::ConvertTo(df, apart[k]);
        squares = hn::MulAdd(d, d, squares);
      }
      if constexpr (Equal) {
        may = hn::Le(squares, near.most);
        surely = hn::Lt(squares, near.least);
      } else {
        const vec_f inner = hn::Max(hn::Sub(reach[0], near.doubt), hn::Zero(df));
        may = hn::Le(squares, hn::Mul(reach[0], reach[0]));
        surely = hn::Lt(squares, hn::Mul(inner, inner));
      }
    } else {
      for (int k = 0; k < D; ++k) {
        const vec_f d = hn::Abs(hn::ConvertTo(df, apart[k]));
        const auto may_k = hn::Le(d, reach[k]);
        const auto surely_k = hn::Lt(d, hn::Sub(reach[k], near.doubt));
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
      vec_i back;
      hn::Mask<tag_f> may;
      hn::Mask<tag_f> surely;
      t.compare(bodies, q, back, may, surely);
      alignas(64) std::int32_t back_at[16];
      std::uint8_t doubtful[8] = {};
      hn::StoreU(back, di, back_at);
      hn::StoreMaskBits(df, hn::AndNot(surely, may), doubtful);
      for (std::uint32_t lane = 0; lane < hn::Lanes(di) && q + lane < ranges[r].to; ++lane) {
        const bool in_doubt = (doubtful[lane / 8] >> (lane % 8) & 1) != 0;
        if (in_doubt && back_at[lane] < ranges[r].before) doubts.push_back({row, bodies.row[q + lane]});
      }
    }
  }
}

// One body against one range. Which were in doubt is added to `doubtful`. Not `Bounded`: `before` does not matter.
template <bool Bounded, class Target>
HWY_INLINE void scan_range(const grid_columns& bodies, const Target& t, std::uint32_t row, const grid_range& range,
                           sure_pairs& found, std::size_t& begin, std::size_t& size, hn::Mask<tag_f>& doubtful) {
  const tag_i di;
  const tag_u du;
  const tag_f df;
  std::uint32_t q = range.from;
  const vec_i before = hn::Set(di, range.before);
  for (;;) {
    const auto left = static_cast<std::int32_t>(range.to - q);
    vec_i back;
    hn::Mask<tag_f> may;
    hn::Mask<tag_f> surely;
    t.compare(bodies, q, back, may, surely);
    auto inside = hn::RebindMask(df, hn::Lt(hn::Iota(di, 0), hn::Set(di, left)));
    if (Bounded) inside = hn::And(inside, hn::RebindMask(df, hn::Lt(back, before)));
    may = hn::And(inside, may);
    doubtful = hn::Or(doubtful, hn::AndNot(surely, may));
    size = found.add(hn::LoadU(du, bodies.row + q), hn::RebindMask(du, hn::And(surely, may)), size);
    if (HWY_LIKELY(left <= static_cast<std::int32_t>(hn::Lanes(di)))) return;
    q += static_cast<std::uint32_t>(hn::Lanes(di));
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(row, begin, size);
      begin = size = found.flush(size);
    }
  }
}

// Which row beside the own one a body is nearer to, and whether its partners can be in there. Which one is as good as
// random, so there are no branches.
struct beside {
  std::int32_t later;  // 1: the one behind, 0: the one before
  int by;              // 1 or -1
  bool near;

  HWY_INLINE beside(const grid_row_job& job, std::int32_t at) {
    const std::int32_t within = at & ((std::int32_t{1} << job.row_bits) - 1);
    later = within >> (job.row_bits - 1);
    by = 2 * later - 1;
    const std::int32_t apart = (within ^ -later) & ((std::int32_t{1} << job.row_bits) - 1);
    near = apart <= job.reach;
  }
};

#define ABUT_INLINE __attribute__((always_inline)) HWY_ATTR  // for lambdas

// A body of a row.
template <int D, shape S, bool Equal>
struct body_at {
  std::int32_t center[D];
  float half[D];

  HWY_INLINE body_at(const grid_columns& bodies, const grid_row_job& job, std::uint32_t p) {
    for (int k = 0; k < D; ++k) center[k] = bodies.center[k][p];
    for (int k = 0; k < (S == shape::sphere ? 1 : D); ++k) half[k] = Equal ? job.same_half[k] : bodies.half[k][p];
  }
};

// The ranges that a body of a row looks into: along its own row the bodies behind it; in others those farther along,
// and at the same place along those of the later row. `Tight`: rows are so low that partners are always in those
// beside.
template <int D, bool Tight, class Own, class Other>
HWY_INLINE void visit_ranges(const grid_columns& bodies, const grid_row_job& job, std::uint32_t p, Own&& own,
                             Other&& other) {
  const std::int32_t x = bodies.center[0][p];
  const beside y(job, bodies.center[1][p]);
  const std::int32_t cell = x >> job.cell_bits;
  const std::int32_t to_cell = ((x + job.reach) >> job.cell_bits) + 1;
  own(grid_range{p + 1, job.around[4][to_cell], INT32_MAX});
  const auto range_in = [&](int n, std::int32_t before) ABUT_INLINE {
    const std::uint32_t* const begin = job.around[4 + n];
    return grid_range{begin[cell], begin[to_cell], before};
  };
  if (Tight || y.near) other(range_in(y.by, y.later));
  if constexpr (D == 3) {
    const beside z(job, bodies.center[2][p]);
    if (Tight || z.near) {
      other(range_in(3 * z.by, z.later));
      if (Tight || y.near) other(range_in(3 * z.by + y.by, z.later));
    }
  }
}

template <int D, shape S, bool Equal>
HWY_NOINLINE void keep_doubts(const grid_columns& bodies, const grid_row_job& job, std::uint32_t p,
                              std::vector<grid_doubt>& doubts) {
  const body_at<D, S, Equal> b(bodies, job, p);
  const nearness<D, S, Equal> near(b.half, job.filter);
  grid_range ranges[4];
  std::size_t count = 0;
  const auto keep = [&](const grid_range& r) { ranges[count++] = r; };
  visit_ranges<D, false>(bodies, job, p, keep, keep);
  keep_doubts(bodies, target<D, S, Equal>(b.center, near), bodies.row[p], ranges, count, doubts);
}

template <int D, shape S, bool Equal, bool Tight>
std::uint64_t scan_row_so(const grid_columns& all, const grid_row_job& asked, pair_batch& out,
                          std::vector<grid_doubt>& doubts) {
  const grid_columns bodies = all;  // copies that nothing else can change, so that they stay in registers
  const grid_row_job job = asked;
  const tag_f df;
  sure_pairs found(out);
  std::size_t size = 0;
  std::uint64_t tests = 0;
  const nearness<D, S, true> equal(job.same_half, job.filter);
  for (std::uint32_t p = job.from; p < job.to; ++p) {
    const std::uint32_t row = bodies.row[p];
    hn::Mask<tag_f> doubtful = hn::MaskFromVec(hn::Zero(df));
    if (HWY_UNLIKELY(found.full(size))) size = found.flush(size);
    std::size_t begin = size;
    const auto scan = [&](const auto& t) ABUT_INLINE {
      visit_ranges<D, Tight>(
          bodies, job, p,
          [&](const grid_range& r) ABUT_INLINE {
            tests += r.to - r.from;
            scan_range<false>(bodies, t, row, r, found, begin, size, doubtful);
          },
          [&](const grid_range& r) ABUT_INLINE {
            tests += r.to - r.from;
            scan_range<true>(bodies, t, row, r, found, begin, size, doubtful);
          });
    };
    const body_at<D, S, Equal> b(bodies, job, p);
    if constexpr (Equal) {
      scan(target<D, S, true>(b.center, equal));
    } else {
      const nearness<D, S, false> near(b.half, job.filter);
      scan(target<D, S, false>(b.center, near));
    }
    found.name(row, begin, size);
    if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts<D, S, Equal>(all, asked, p, doubts);
  }
  found.flush(size);
  return tests;
}

template <int D, shape S, bool Equal>
std::uint64_t scan_row(const grid_columns& bodies, const grid_row_job& job, pair_batch& out,
                       std::vector<grid_doubt>& doubts) {
  const bool tight = job.reach + 64 >= std::int32_t{1} << (job.row_bits - 1);
  return tight ? scan_row_so<D, S, Equal, true>(bodies, job, out, doubts)
               : scan_row_so<D, S, Equal, false>(bodies, job, out, doubts);
}

template <int D, shape S>
std::uint64_t scan_cover(const grid_columns& bodies, const grid_cover_job& job, pair_batch& out,
                         std::vector<grid_doubt>& doubts) {
  const tag_f df;
  sure_pairs found(out);
  std::size_t size = 0;
  std::uint64_t tests = 0;
  const nearness<D, S, false> near(job.half, job.filter);
  const target<D, S, false> t(job.center, near);
  std::size_t begin = 0;
  hn::Mask<tag_f> doubtful = hn::MaskFromVec(hn::Zero(df));
  for (std::size_t r = 0; r < job.count; ++r) {
    tests += job.ranges[r].to - job.ranges[r].from;
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(job.row, begin, size);
      begin = size = found.flush(size);
    }
    scan_range<false>(bodies, t, job.row, job.ranges[r], found, begin, size, doubtful);
  }
  found.name(job.row, begin, size);
  if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts(bodies, t, job.row, job.ranges, job.count, doubts);
  found.flush(size);
  return tests;
}

#define ABUT_SCANS(NAME, D, KIND)                                                                    \
  std::uint64_t NAME##_row(const grid_columns& bodies, const grid_row_job& job, pair_batch& out,     \
                           std::vector<grid_doubt>& doubts) {                                        \
    return bodies.half[0] == nullptr ? scan_row<D, shape::KIND, true>(bodies, job, out, doubts)      \
                                     : scan_row<D, shape::KIND, false>(bodies, job, out, doubts);    \
  }                                                                                                  \
  std::uint64_t NAME##_cover(const grid_columns& bodies, const grid_cover_job& job, pair_batch& out, \
                             std::vector<grid_doubt>& doubts) {                                      \
    return scan_cover<D, shape::KIND>(bodies, job, out, doubts);                                     \
  }
ABUT_SCANS(discs, 2, sphere)
ABUT_SCANS(spheres, 3, sphere)
ABUT_SCANS(rectangles, 2, box)
ABUT_SCANS(boxes, 3, box)
#undef ABUT_SCANS
#undef ABUT_INLINE

}  // namespace HWY_NAMESPACE
}  // namespace abut
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

#define ABUT_EXPORTS(NAME) \
  HWY_EXPORT(NAME##_row);  \
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
