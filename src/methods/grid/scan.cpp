// The inner loops of the grid, compiled once for every instruction set (see base/kernels.hpp). Differences of whole
// numbers are exact. From there on single precision is a filter with three answers: an
// overlap, none, or in doubt. Only doubts read the bodies in double.

#include "methods/grid/scan.hpp"

#include <cstring>

#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/grid/scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/compress.hpp"
#include "base/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#define ABUT_INLINE __attribute__((always_inline)) HWY_ATTR  // for lambdas

using tag_i = hn::CappedTag<std::int32_t, 16>;
using tag_u = hn::CappedTag<std::uint32_t, 16>;
using tag_f = hn::CappedTag<float, 16>;
using vec_i = hn::Vec<tag_i>;
using vec_f = hn::Vec<tag_f>;

constexpr std::uint32_t at_once = 16;  // lanes of the longest vectors
#if HWY_TARGET == HWY_SCALAR
constexpr std::uint32_t few = 8;  // bodies compared at a time, instead of a vector
#endif

// Collects sure pairs until a batch is worth passing on. The caller keeps their number, so that it stays in a register.
class sure_pairs {
 public:
  explicit sure_pairs(pair_batch& out) : out_(out) {}

  // Adds the pairs (target, other) of the lanes in `which`. Returns the new size, as does the next one.
  HWY_INLINE std::size_t add(hn::Vec<tag_u> targets, hn::Vec<tag_u> others, hn::Mask<tag_u> which, std::size_t size) {
    hn::StoreU(compress(tag_u(), targets, which), tag_u(), targets_ + size);
    return add(others, which, size);
  }
  // Adds partners of one target, which `name` fills in later.
  HWY_INLINE std::size_t add(hn::Vec<tag_u> others, hn::Mask<tag_u> which, std::size_t size) {
    const tag_u du;
    hn::StoreU(compress(du, others, which), du, others_ + size);
    return size + hn::CountTrue(du, which);
  }
#if HWY_TARGET == HWY_SCALAR
  // Adds those of a few partners of one target for which `which` is -1, not 0.
  HWY_INLINE std::size_t add(const std::uint32_t* others, const std::int32_t* which, std::size_t size) {
    for (std::uint32_t k = 0; k < few; ++k) {
      others_[size] = others[k];
      size -= static_cast<std::size_t>(static_cast<std::ptrdiff_t>(which[k]));
    }
    return size;
  }
#endif
  // Sets the target of the pairs from `begin` on. Few bodies have more than one vector of partners.
  HWY_INLINE void name(std::uint32_t target, std::size_t begin, std::size_t size) {
    const tag_u du;
    const auto row = hn::Set(du, target);
    hn::StoreU(row, du, targets_ + begin);
    if (HWY_LIKELY(size - begin <= hn::Lanes(du))) return;
    for (begin += hn::Lanes(du); begin < size; begin += hn::Lanes(du)) hn::StoreU(row, du, targets_ + begin);
  }
  // Whether there may be too little room for the next few vectors.
  [[nodiscard]] static HWY_INLINE bool full(std::size_t size) { return size > limit; }

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
  static constexpr std::size_t capacity = limit + std::size_t{6} * at_once;

  static_assert(capacity <= pair_batch::capacity);

  pair_batch& out_;
  alignas(64) std::uint32_t others_[capacity];
  alignas(64) std::uint32_t targets_[capacity];
};

// How near a body must be to a target: one distance if all bodies are equal, otherwise it depends on their half widths.
template <int D, shape S, bool Equal>
struct nearness {
  static constexpr int halves = S == shape::sphere ? 1 : D;

  vec_f outer[3];  // the target's half width plus room (spheres: only the first); if all are equal, of both bodies
  vec_f doubt;
  vec_f most;   // equal spheres: the squared distance up to which they may overlap,
  vec_f least;  // and below which they surely do

  // For one body, in all lanes.
  HWY_INLINE nearness(const float* half, const grid_filter& filter) : doubt(hn::Set(tag_f(), filter.doubt)) {
    const tag_f df;
    for (int k = 0; k < halves; ++k) outer[k] = hn::Set(df, half[k] + filter.room);
    if (Equal && S == shape::sphere) {
      const vec_f inner = hn::Max(hn::Sub(outer[0], doubt), hn::Zero(df));
      most = hn::Mul(outer[0], outer[0]);
      least = hn::Mul(inner, inner);
    }
  }
  // For the bodies from place p on, one per lane.
  HWY_INLINE nearness(const grid_columns& bodies, std::uint32_t p, const grid_filter& filter)
      : doubt(hn::Set(tag_f(), filter.doubt)) {
    const tag_f df;
    const vec_f room = hn::Set(df, filter.room);
    for (int k = 0; k < halves; ++k) outer[k] = hn::Add(hn::LoadU(df, bodies.half[k] + p), room);
  }
};

// What other bodies are compared with: one body in all lanes, or one per lane.
template <int D, shape S, bool Equal>
struct target {
  static constexpr int halves = nearness<D, S, Equal>::halves;

  vec_i center[3];
  const nearness<D, S, Equal>& near;

  HWY_INLINE target(const std::int32_t* at, const nearness<D, S, Equal>& how) : near(how) {
    for (int k = 0; k < D; ++k) center[k] = hn::Set(tag_i(), at[k]);
  }
  HWY_INLINE target(const grid_columns& bodies, std::uint32_t p, const nearness<D, S, Equal>& how) : near(how) {
    for (int k = 0; k < D; ++k) center[k] = hn::LoadU(tag_i(), bodies.center[k] + p);
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
      reach[k] = Equal ? near.outer[k] : hn::Add(near.outer[k], hn::LoadU(df, others.half[k] + q));
    }
    if constexpr (S == shape::sphere) {
      const vec_f x = hn::ConvertTo(df, apart[0]);
      vec_f squares = hn::Mul(x, x);
      // Not fused, so that every machine has the same doubts and therefore the same order of pairs.
      for (int k = 1; k < D; ++k) {
        const vec_f d = hn::ConvertTo(df, apart[k]);
        squares = hn::Add(squares, hn::Mul(d, d));
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

#if HWY_TARGET == HWY_SCALAR

// Vectors of the compiler: it makes what every processor has of them.
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
template <int D, shape S, bool Equal>
HWY_INLINE bool compare_few(const target<D, S, Equal>& t, const grid_columns& others, std::uint32_t q,
                            std::int32_t left, std::int32_t* surely) {
  four_i in_doubt = {};
  for (std::uint32_t k = 0; k < few; k += 4) {
    const auto apart = [&](int a) ABUT_INLINE {
      return __builtin_convertvector(t.center[a].raw - load_four<four_i>(others.center[a] + q + k), four_f);
    };
    const auto reach = [&](int a) ABUT_INLINE {
      four_f r = four_f{} + t.near.outer[a].raw;
      if constexpr (!Equal) r += load_four<four_f>(others.half[a] + q + k);
      return r;
    };
    four_i may = four_i{0, 1, 2, 3} + static_cast<std::int32_t>(k) < left;
    four_i sure = may;
    if constexpr (S == shape::sphere) {
      four_f squares = apart(0) * apart(0);
      for (int a = 1; a < D; ++a) squares = squares + apart(a) * apart(a);
      if constexpr (Equal) {
        may &= squares <= t.near.most.raw;
        sure &= squares < t.near.least.raw;
      } else {
        const four_f within = reach(0);
        four_f inner = within - t.near.doubt.raw;
        inner = inner > 0 ? inner : four_f{};
        may &= squares <= within * within;
        sure &= squares < inner * inner;
      }
    } else {
      for (int a = 0; a < D; ++a) {
        const four_f d = apart(a);
        const four_f distance = d < 0 ? -d : d;
        may &= distance <= reach(a);
        sure &= distance < reach(a) - t.near.doubt.raw;
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

template <class Target>
HWY_INLINE void scan_range(const grid_columns& bodies, const Target& t, std::uint32_t row, const grid_range& range,
                           sure_pairs& found, std::size_t& begin, std::size_t& size, hn::Mask<tag_f>& doubtful) {
  std::uint32_t q = range.from;
  for (;;) {
    const auto left = static_cast<std::int32_t>(range.to - q);
    std::int32_t surely[few];
    if (compare_few(t, bodies, q, left, surely)) doubtful = hn::Mask<tag_f>::FromBool(true);
    size = found.add(bodies.row + q, surely, size);
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
HWY_INLINE void scan_range(const grid_columns& bodies, const Target& t, std::uint32_t row, const grid_range& range,
                           sure_pairs& found, std::size_t& begin, std::size_t& size, hn::Mask<tag_f>& doubtful) {
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
    size = found.add(hn::LoadU(du, bodies.row + q), hn::RebindMask(du, hn::And(surely, may)), size);
    if (HWY_LIKELY(left <= static_cast<std::int32_t>(hn::Lanes(di)))) return;
    q += static_cast<std::uint32_t>(hn::Lanes(di));
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(row, begin, size);
      begin = size = found.flush(size);
    }
  }
}

#endif

// For a vector of bodies from place p on: how many bodies follow each in its own line within its reach.
HWY_INLINE vec_i count_behind(const grid_columns& bodies, const grid_line_job& job, std::uint32_t p) {
  const tag_i di;
  const auto here = hn::Lt(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(job.to - p)));
  const vec_i x = hn::IfThenElse(here, hn::LoadU(di, bodies.center[0] + p), hn::Set(di, bodies.center[0][job.from]));
  const vec_i end = hn::GatherIndex(di, reinterpret_cast<const std::int32_t*>(job.around[0] + 1),
                                    hn::ShiftRightSame(hn::Add(x, hn::Set(di, job.reach)), job.cell_bits));
  return hn::IfThenElseZero(here, hn::Sub(end, hn::Iota(di, static_cast<std::int32_t>(p + 1))));
}

// Compares up to sixteen bodies with those behind them in their own line: each with the first behind it, then each with
// the second, and so on. If vectors are shorter than sixteen lanes, several take turns, so that all machines find the
// pairs in the same order. Calls `take(p, q, may, surely)` for the bodies from place p on against those from q on, lane
// by lane. Returns the number of comparisons.
template <int D, shape S, bool Equal, class Take>
HWY_INLINE std::uint64_t compare_behind(const grid_columns& bodies, const grid_line_job& job,
                                        const nearness<D, S, true>& equal, std::uint32_t from, Take&& take) {
  const tag_i di;
  const tag_f df;
  constexpr std::uint32_t lanes = hn::MaxLanes(tag_i());
  constexpr std::uint32_t vectors = at_once / lanes;
  vec_i behind[vectors];
  for (std::uint32_t v = 0; v < vectors; ++v) behind[v] = count_behind(bodies, job, from + v * lanes);
  std::uint64_t tests = 0;
  for (std::uint32_t k = 0;; ++k) {
    const std::uint64_t before = tests;
    for (std::uint32_t v = 0; v < vectors; ++v) {
      const auto more = hn::RebindMask(df, hn::Gt(behind[v], hn::Set(di, static_cast<std::int32_t>(k))));
      const std::size_t compared = hn::CountTrue(df, more);
      if (compared == 0) continue;
      tests += compared;
      const std::uint32_t p = from + v * lanes;
      hn::Mask<tag_f> may;
      hn::Mask<tag_f> surely;
      if constexpr (Equal) {
        target<D, S, true>(bodies, p, equal).compare(bodies, p + 1 + k, may, surely);
      } else {
        const nearness<D, S, false> near(bodies, p, job.filter);
        target<D, S, false>(bodies, p, near).compare(bodies, p + 1 + k, may, surely);
      }
      may = hn::And(may, more);
      take(p, p + 1 + k, may, hn::And(surely, may));
    }
    if (tests == before) return tests;
  }
}

template <int D, shape S, bool Equal>
HWY_NOINLINE void keep_doubts_behind(const grid_columns& bodies, const grid_line_job& job,
                                     const nearness<D, S, true>& equal, std::uint32_t from,
                                     std::vector<grid_doubt>& doubts) {
  const auto keep = [&](std::uint32_t p, std::uint32_t q, hn::Mask<tag_f> may, hn::Mask<tag_f> surely) ABUT_INLINE {
    const tag_f df;
    std::uint8_t doubtful[8] = {};
    hn::StoreMaskBits(df, hn::AndNot(surely, may), doubtful);
    for (std::uint32_t lane = 0; lane < hn::Lanes(df); ++lane) {
      if ((doubtful[lane / 8] >> (lane % 8) & 1) != 0) doubts.push_back({bodies.row[p + lane], bodies.row[q + lane]});
    }
  };
  (void)compare_behind<D, S, Equal>(bodies, job, equal, from, keep);
}

// Finds the pairs within a line.
template <int D, shape S, bool Equal>
HWY_INLINE std::uint64_t scan_own(const grid_columns& bodies, const grid_line_job& job, sure_pairs& found,
                                  std::size_t& size, std::vector<grid_doubt>& doubts) {
  const tag_u du;
  const tag_f df;
  const nearness<D, S, true> equal(job.same_half, job.filter);
  std::uint64_t tests = 0;
  for (std::uint32_t from = job.from; from < job.to; from += at_once) {
    hn::Mask<tag_f> doubtful = hn::MaskFromVec(hn::Zero(df));
    const auto add = [&](std::uint32_t p, std::uint32_t q, hn::Mask<tag_f> may, hn::Mask<tag_f> surely) ABUT_INLINE {
      if (HWY_UNLIKELY(found.full(size))) size = found.flush(size);
      doubtful = hn::Or(doubtful, hn::AndNot(surely, may));
      size = found.add(hn::LoadU(du, bodies.row + p), hn::LoadU(du, bodies.row + q), hn::RebindMask(du, surely), size);
    };
    tests += compare_behind<D, S, Equal>(bodies, job, equal, from, add);
    if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts_behind<D, S, Equal>(bodies, job, equal, from, doubts);
  }
  return tests;
}

// Bodies of a line, grouped into kinds by which later lines they must search. The kind of the next body is practically
// random, and a branch on it would often be mispredicted. So each kind gets a list, made without branches.
template <int D>
struct kinds {
  static constexpr std::size_t most = 256;  // bodies at a time
  static constexpr int count = D == 3 ? 4 : 1;
  static constexpr int lines_of[4] = {1, 1, 2, 3};
  static constexpr int line_of[4][3] = {{1}, {3}, {3, 2}, {3, 4, 1}};  // indices in grid_line_job::around

  std::uint32_t size[4] = {};
  std::uint32_t list[4][most + 16];

  HWY_INLINE kinds(const grid_columns& bodies, const grid_line_job& job, std::uint32_t from, std::uint32_t to) {
    const tag_i di;
    const tag_u du;
    const auto within = hn::Set(di, (std::int32_t{1} << job.line_bits) - 1);
    const auto low = hn::Set(di, job.reach + 1);
    const auto high = hn::Set(di, (std::int32_t{1} << job.line_bits) - 2 - job.reach);
    for (std::uint32_t p = from; p < to; p += static_cast<std::uint32_t>(hn::Lanes(di))) {
      const auto here = hn::Lt(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(to - p)));
      const auto place = hn::Iota(du, p);
      const auto keep = [&](int k, hn::Mask<tag_i> which) ABUT_INLINE {
        const auto some = hn::RebindMask(du, hn::And(here, which));
        hn::StoreU(compress(du, place, some), du, list[k] + size[k]);
        size[k] += static_cast<std::uint32_t>(hn::CountTrue(du, some));
      };
      const auto y = hn::And(hn::LoadU(di, bodies.center[1] + p), within);
      const auto y_later = hn::Gt(y, high);
      if constexpr (D == 2) {
        keep(0, y_later);
      } else {
        const auto y_before = hn::Lt(y, low);
        const auto z_later = hn::Gt(hn::And(hn::LoadU(di, bodies.center[2] + p), within), high);
        keep(0, hn::AndNot(z_later, y_later));
        keep(1, hn::AndNot(hn::Or(y_later, y_before), z_later));
        keep(2, hn::And(y_before, z_later));
        keep(3, hn::And(y_later, z_later));
      }
    }
  }
};

// The cells that a body reaches along a later line.
struct looks {
  std::int32_t first;
  std::int32_t end;

  HWY_INLINE looks(const grid_columns& bodies, const grid_line_job& job, std::uint32_t p) {
    const std::int32_t x = bodies.center[0][p];
    first = (x - job.reach) >> job.cell_bits;
    end = ((x + job.reach) >> job.cell_bits) + 1;
  }
  [[nodiscard]] HWY_INLINE grid_range in(const std::uint32_t* begin) const { return {begin[first], begin[end]}; }
};

// The center and half widths of the body at place p.
template <int D, shape S, bool Equal>
struct body_at {
  std::int32_t center[D];
  float half[D];

  HWY_INLINE body_at(const grid_columns& bodies, const grid_line_job& job, std::uint32_t p) {
    for (int k = 0; k < D; ++k) center[k] = bodies.center[k][p];
    for (int k = 0; k < (S == shape::sphere ? 1 : D); ++k) half[k] = Equal ? job.same_half[k] : bodies.half[k][p];
  }
};

template <int D, shape S, bool Equal>
HWY_NOINLINE void keep_doubts(const grid_columns& bodies, const grid_line_job& job, std::uint32_t p, int kind,
                              std::vector<grid_doubt>& doubts) {
  const body_at<D, S, Equal> b(bodies, job, p);
  const nearness<D, S, Equal> near(b.half, job.filter);
  const looks look(bodies, job, p);
  grid_range ranges[3];
  const int lines = kinds<D>::lines_of[kind];
  for (int l = 0; l < lines; ++l) ranges[l] = look.in(job.around[kinds<D>::line_of[kind][l]]);
  keep_doubts(bodies, target<D, S, Equal>(b.center, near), bodies.row[p], ranges, static_cast<std::size_t>(lines),
              doubts);
}

template <int D, shape S, bool Equal>
std::uint64_t scan_line(const grid_columns& all, const grid_line_job& asked, pair_batch& out,
                        std::vector<grid_doubt>& doubts) {
  const grid_columns bodies = all;  // local copies stay in registers: no store through a pointer can change them
  const grid_line_job job = asked;
  const tag_f df;
  sure_pairs found(out);
  std::size_t size = 0;
  std::uint64_t tests = scan_own<D, S, Equal>(bodies, job, found, size, doubts);
  const nearness<D, S, true> equal(job.same_half, job.filter);
  for (std::uint32_t from = job.from; from < job.to; from += kinds<D>::most) {
    const kinds<D> some(bodies, job, from, std::min(job.to, from + static_cast<std::uint32_t>(kinds<D>::most)));
    for (int kind = 0; kind < kinds<D>::count; ++kind) {
      const std::uint32_t* lines[3];
      const int count = kinds<D>::lines_of[kind];
      for (int l = 0; l < count; ++l) lines[l] = job.around[kinds<D>::line_of[kind][l]];
      for (std::uint32_t k = 0; k < some.size[kind]; ++k) {
        const std::uint32_t p = some.list[kind][k];
        const std::uint32_t row = bodies.row[p];
        const looks look(bodies, job, p);
        hn::Mask<tag_f> doubtful = hn::MaskFromVec(hn::Zero(df));
        if (HWY_UNLIKELY(found.full(size))) size = found.flush(size);
        std::size_t begin = size;
        const auto scan = [&](const auto& t) ABUT_INLINE {
          for (int l = 0; l < count; ++l) {
            const grid_range range = look.in(lines[l]);
            tests += range.to - range.from;
            scan_range(bodies, t, row, range, found, begin, size, doubtful);
          }
        };
        const body_at<D, S, Equal> b(bodies, job, p);
        if constexpr (Equal) {
          scan(target<D, S, true>(b.center, equal));
        } else {
          const nearness<D, S, false> near(b.half, job.filter);
          scan(target<D, S, false>(b.center, near));
        }
        found.name(row, begin, size);
        if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts<D, S, Equal>(all, asked, p, kind, doubts);
      }
    }
  }
  found.flush(size);
  return tests;
}

template <int D, shape S>
std::uint64_t scan_finer(const grid_columns& bodies, const grid_finer_job& job, pair_batch& out,
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
    scan_range(bodies, t, job.row, job.ranges[r], found, begin, size, doubtful);
  }
  found.name(job.row, begin, size);
  if (HWY_UNLIKELY(!hn::AllFalse(df, doubtful))) keep_doubts(bodies, t, job.row, job.ranges, job.count, doubts);
  found.flush(size);
  return tests;
}

#define ABUT_SCANS(NAME, D, KIND)                                                                    \
  std::uint64_t NAME##_line(const grid_columns& bodies, const grid_line_job& job, pair_batch& out,   \
                            std::vector<grid_doubt>& doubts) {                                       \
    return bodies.half[0] == nullptr ? scan_line<D, shape::KIND, true>(bodies, job, out, doubts)     \
                                     : scan_line<D, shape::KIND, false>(bodies, job, out, doubts);   \
  }                                                                                                  \
  std::uint64_t NAME##_finer(const grid_columns& bodies, const grid_finer_job& job, pair_batch& out, \
                             std::vector<grid_doubt>& doubts) {                                      \
    return scan_finer<D, shape::KIND>(bodies, job, out, doubts);                                     \
  }
ABUT_SCANS(discs, 2, sphere)
ABUT_SCANS(spheres, 3, sphere)
ABUT_SCANS(rectangles, 2, box)
ABUT_SCANS(boxes, 3, box)
#undef ABUT_SCANS
#undef ABUT_INLINE

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

#define ABUT_EXPORTS(NAME)  \
  ABUT_KERNEL(NAME##_line); \
  ABUT_KERNEL(NAME##_finer);
ABUT_EXPORTS(discs)
ABUT_EXPORTS(spheres)
ABUT_EXPORTS(rectangles)
ABUT_EXPORTS(boxes)
#undef ABUT_EXPORTS

std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_line_job& job,
                        pair_batch& out, std::vector<grid_doubt>& doubts) {
  if (kind == shape::sphere) {
    return dimension == 2 ? ABUT_CALL(discs_line)(bodies, job, out, doubts)
                          : ABUT_CALL(spheres_line)(bodies, job, out, doubts);
  }
  return dimension == 2 ? ABUT_CALL(rectangles_line)(bodies, job, out, doubts)
                        : ABUT_CALL(boxes_line)(bodies, job, out, doubts);
}

std::uint64_t grid_scan(int dimension, shape kind, const grid_columns& bodies, const grid_finer_job& job,
                        pair_batch& out, std::vector<grid_doubt>& doubts) {
  if (kind == shape::sphere) {
    return dimension == 2 ? ABUT_CALL(discs_finer)(bodies, job, out, doubts)
                          : ABUT_CALL(spheres_finer)(bodies, job, out, doubts);
  }
  return dimension == 2 ? ABUT_CALL(rectangles_finer)(bodies, job, out, doubts)
                        : ABUT_CALL(boxes_finer)(bodies, job, out, doubts);
}

}  // namespace abut
#endif
