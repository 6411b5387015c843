// Compares a body with smaller ones, in ranges of a finer level of the grid; compiled once for every instruction set
// (see base/kernels.hpp). Differences of whole numbers are exact. From there on single precision is a filter with three
// answers: an overlap, none, or in doubt. Only doubts read the bodies in double.

#include "methods/grid/scan.hpp"

#include <cstring>

#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/grid/scan_finer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/kernels.hpp"
#include "methods/grid/scan_dispatch.hpp"
#include "methods/grid/sure_pairs.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#define ABUT_INLINE __attribute__((always_inline)) HWY_ATTR  // for lambdas

using tag_i = hn::CappedTag<std::int32_t, 16>;
using tag_f = hn::CappedTag<float, 16>;
using vec_i = hn::Vec<tag_i>;
using vec_f = hn::Vec<tag_f>;

#if HWY_TARGET == HWY_SCALAR
constexpr std::uint32_t few = 8;  // bodies compared at a time, instead of a vector
#endif

// The body that others are compared with, in all lanes.
template <int D, shape S>
struct large_body {
  static constexpr int halves = S == shape::sphere ? 1 : D;

  vec_i center[3];
  vec_f outer[3];  // the half width plus room; spheres: only the first
  vec_f doubt;
  vec_f half_unit;

  HWY_INLINE explicit large_body(const grid_finer_job& job)
      : doubt(hn::Set(tag_f(), job.filter.doubt)), half_unit(hn::Set(tag_f(), job.filter.half_unit)) {
    for (int k = 0; k < D; ++k) center[k] = hn::Set(tag_i(), job.center[k]);
    for (int k = 0; k < halves; ++k) outer[k] = hn::Set(tag_f(), job.half[k] + job.filter.room);
  }

  // Which of the bodies from place q on may overlap, and which surely do.
  HWY_INLINE void compare(const grid_columns& others, std::uint32_t q, hn::Mask<tag_f>& may,
                          hn::Mask<tag_f>& surely) const {
    const tag_i di;
    const tag_f df;
    vec_i apart[3];
    for (int k = 0; k < D; ++k) apart[k] = hn::Sub(center[k], hn::LoadU(di, others.center[k] + q));
    vec_f reach[3];
    for (int k = 0; k < halves; ++k) {
      const hn::Rebind<std::int16_t, tag_i> dh;
      const vec_f half = hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(dh, others.half[k] + q)));
      reach[k] = hn::Add(outer[k], hn::Mul(half, half_unit));
    }
    if constexpr (S == shape::sphere) {
      const vec_f x = hn::ConvertTo(df, apart[0]);
      vec_f squares = hn::Mul(x, x);
      // Not fused, so that every machine has the same doubts and therefore the same order of pairs.
      for (int k = 1; k < D; ++k) {
        const vec_f d = hn::ConvertTo(df, apart[k]);
        squares = hn::Add(squares, hn::Mul(d, d));
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

#if HWY_TARGET == HWY_SCALAR

// Vectors of the compiler: it makes what every processor has of them.
typedef std::int16_t four_h __attribute__((vector_size(8)));
typedef std::int32_t four_i __attribute__((vector_size(16)));
typedef float four_f __attribute__((vector_size(16)));

template <class Four, class T>
HWY_INLINE Four load_four(const T* from) {
  Four v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// The same comparisons for a few bodies from place q on, of which `left` count: -1 in `surely` for those that surely
// overlap, otherwise 0. Returns whether any is in doubt.
template <int D, shape S>
HWY_INLINE bool compare_few(const large_body<D, S>& t, const grid_columns& others, std::uint32_t q, std::int32_t left,
                            std::int32_t* surely) {
  four_i in_doubt = {};
  for (std::uint32_t k = 0; k < few; k += 4) {
    const auto apart = [&](int a) ABUT_INLINE {
      return __builtin_convertvector(t.center[a].raw - load_four<four_i>(others.center[a] + q + k), four_f);
    };
    const auto reach = [&](int a) ABUT_INLINE {
      const four_f half = __builtin_convertvector(load_four<four_h>(others.half[a] + q + k), four_f);
      return t.outer[a].raw + half * t.half_unit.raw;
    };
    four_i may = four_i{0, 1, 2, 3} + static_cast<std::int32_t>(k) < left;
    four_i sure = may;
    if constexpr (S == shape::sphere) {
      four_f squares = apart(0) * apart(0);
      for (int a = 1; a < D; ++a) squares = squares + apart(a) * apart(a);
      const four_f within = reach(0);
      four_f inner = within - t.doubt.raw;
      inner = inner > 0 ? inner : four_f{};
      may &= squares <= within * within;
      sure &= squares < inner * inner;
    } else {
      for (int a = 0; a < D; ++a) {
        const four_f d = apart(a);
        const four_f distance = d < 0 ? -d : d;
        may &= distance <= reach(a);
        sure &= distance < reach(a) - t.doubt.raw;
      }
    }
    sure &= may;
    in_doubt |= may & ~sure;
    std::memcpy(surely + k, &sure, sizeof sure);
  }
  return (in_doubt[0] | in_doubt[1] | in_doubt[2] | in_doubt[3]) != 0;
}

#endif

// Repeats the comparisons of a body that had doubts, and writes those down. Doubts are rare, so this stays out of the
// hot loop.
template <class Target>
HWY_NOINLINE void keep_doubts(const grid_columns& bodies, const Target& t, std::uint32_t row, const grid_range* ranges,
                              std::size_t count, std::vector<grid_doubt>& doubts) {
  const tag_f df;
  for (std::size_t r = 0; r < count; ++r) {
    for (std::uint32_t q = ranges[r].from; q < ranges[r].to; q += static_cast<std::uint32_t>(hn::Lanes(df))) {
      hn::Mask<tag_f> may;
      hn::Mask<tag_f> surely;
      t.compare(bodies, q, may, surely);
      std::uint8_t doubtful[8] = {};
      hn::StoreMaskBits(df, hn::AndNot(surely, may), doubtful);
      for (std::uint32_t lane = 0; lane < hn::Lanes(df) && q + lane < ranges[r].to; ++lane) {
        if ((doubtful[lane / 8] >> (lane % 8) & 1) != 0) doubts.push_back({row, bodies.row[q + lane]});
      }
    }
  }
}

#if HWY_TARGET == HWY_SCALAR

// Adds those of a few partners for which `which` is -1, not 0. Returns the new size.
HWY_INLINE std::size_t add_few(sure_pairs& found, const std::uint32_t* others, const std::int32_t* which,
                               std::size_t size) {
  for (std::uint32_t k = 0; k < few; ++k) {
    *found.others(size) = others[k];
    size -= static_cast<std::size_t>(static_cast<std::ptrdiff_t>(which[k]));
  }
  return size;
}

template <class Target>
HWY_INLINE void scan_finer_range(const grid_columns& bodies, const Target& t, std::uint32_t row,
                                 const grid_range& range, sure_pairs& found, std::size_t& begin, std::size_t& size,
                                 hn::Mask<tag_f>& doubtful) {
  std::uint32_t q = range.from;
  for (;;) {
    const auto left = static_cast<std::int32_t>(range.to - q);
    std::int32_t surely[few];
    if (compare_few(t, bodies, q, left, surely)) doubtful = hn::Mask<tag_f>::FromBool(true);
    size = add_few(found, bodies.row + q, surely, size);
    if (HWY_LIKELY(left <= static_cast<std::int32_t>(few))) return;
    q += few;
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(row, begin, size);
      begin = size = found.flush(size);
    }
  }
}

#else

// One body against one range. `doubtful` gains the lanes that were in doubt.
template <class Target>
HWY_INLINE void scan_finer_range(const grid_columns& bodies, const Target& t, std::uint32_t row,
                                 const grid_range& range, sure_pairs& found, std::size_t& begin, std::size_t& size,
                                 hn::Mask<tag_f>& doubtful) {
  const tag_i di;
  const tag_u du;
  const tag_f df;
  std::uint32_t q = range.from;
  for (;;) {
    const auto left = static_cast<std::int32_t>(range.to - q);
    hn::Mask<tag_f> may;
    hn::Mask<tag_f> surely;
    t.compare(bodies, q, may, surely);
    may = hn::And(may, hn::RebindMask(df, hn::Lt(hn::Iota(di, 0), hn::Set(di, left))));
    doubtful = hn::Or(doubtful, hn::AndNot(surely, may));
    surely = hn::And(surely, may);
    if (HWY_UNLIKELY(!hn::AllFalse(df, surely))) {  // most are far apart
      size = found.add(hn::LoadU(du, bodies.row + q), hn::RebindMask(du, surely), size);
    }
    if (HWY_LIKELY(left <= static_cast<std::int32_t>(hn::Lanes(di)))) return;
    q += static_cast<std::uint32_t>(hn::Lanes(di));
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(row, begin, size);
      begin = size = found.flush(size);
    }
  }
}

#endif

template <int D, shape S>
std::uint64_t scan_finer(const grid_columns& bodies, const grid_finer_job& job, pair_batch& out,
                         std::vector<grid_doubt>& doubts) {
  const tag_f df;
  sure_pairs found(out);
  std::size_t size = 0;
  std::uint64_t tests = 0;
  const large_body<D, S> t(job);
  std::size_t begin = 0;
  hn::Mask<tag_f> doubtful = hn::MaskFromVec(hn::Zero(df));
  for (std::size_t r = 0; r < job.count; ++r) {
    tests += job.ranges[r].to - job.ranges[r].from;
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(job.row, begin, size);
      begin = size = found.flush(size);
    }
    scan_finer_range(bodies, t, job.row, job.ranges[r], found, begin, size, doubtful);
  }
  found.name(job.row, begin, size);
  if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts(bodies, t, job.row, job.ranges, job.count, doubts);
  found.flush(size);
  return tests;
}

ABUT_GRID_SCANS(scan_finer, grid_finer_job)
#undef ABUT_INLINE

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

ABUT_GRID_DISPATCH(grid_finer_job)

}  // namespace abut
#endif
