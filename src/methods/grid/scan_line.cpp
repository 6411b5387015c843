// Searches one line of the grid, compiled once for every instruction set (see base/kernels.hpp). Bodies are compared by
// whole numbers of 16 bits, so that a vector holds many: centers in 2^-15 of a line, modulo two lines. Bodies that are
// compared are at most one and a half lines apart, so a difference that wraps around is still at least half a line,
// more than any reach. The comparison has three answers: an overlap, none, or in doubt. Doubts are about one in a few
// hundred bodies; those are compared again in single precision, and what is still in doubt is left for double.

#include "methods/grid/scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/grid/scan_line.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/kernels.hpp"
#include "methods/grid/scan_dispatch.hpp"
#include "methods/grid/short_lanes.hpp"
#include "methods/grid/sure_pairs.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#define ABUT_INLINE __attribute__((always_inline)) HWY_ATTR  // for lambdas

using tag_i = hn::CappedTag<std::int32_t, 16>;
using vec_i = hn::Vec<tag_i>;

constexpr std::uint32_t at_once = 16;  // bodies that are compared together, with any vectors
constexpr std::uint32_t vectors = at_once / lanes;

// The two filters of a line job: the one of 16 bits, and the one in single precision for its doubts.

// How near a body must be to a target, in 2^-15 of a line. If all bodies are equal, that is the same for all.
template <int D, shape S, bool Equal>
struct line_nearness {
  static constexpr int halves = S == shape::sphere ? 1 : D;

  vec_h outer[3];  // room, and if all bodies are equal, the half widths of two (spheres: only the first)
  vec_h doubt;
  vec_h most;   // equal spheres: the sum of squares up to which they may overlap,
  vec_h least;  // and below which they surely do

  HWY_INLINE explicit line_nearness(const grid_line_job& job) : doubt(set(job.near.doubt)) {
    for (int k = 0; k < halves; ++k) outer[k] = set((Equal ? job.near.same_half[k] : 0) + job.near.room);
    if (Equal && S == shape::sphere) limits(outer[0], most, least);
  }
  // Squares are rounded down, each by less than one.
  HWY_INLINE void limits(vec_h reach, vec_h& may, vec_h& surely) const {
    may = square(reach);
    surely = minus(square(larger(minus(reach, doubt), set(0))), set(D - 1));
  }
};

// What other bodies are compared with: one body in all lanes, or one per lane.
template <int D, shape S, bool Equal>
struct line_target {
  static constexpr int halves = line_nearness<D, S, Equal>::halves;

  const line_nearness<D, S, Equal>& near;
  vec_h center[3];
  vec_h outer[3];  // half widths plus room, unless all are equal

  // The body at place p, in all lanes.
  HWY_INLINE line_target(const grid_columns& bodies, std::uint32_t p, const line_nearness<D, S, Equal>& how)
      : near(how) {
    for (int k = 0; k < D; ++k) center[k] = set(bodies.near[k][p]);
    if constexpr (!Equal) {
      for (int k = 0; k < halves; ++k) outer[k] = plus(set(bodies.half[k][p]), near.outer[k]);
    }
  }
  // The bodies from place p on, one per lane.
  HWY_INLINE line_target(const line_nearness<D, S, Equal>& how, const grid_columns& bodies, std::uint32_t p)
      : near(how) {
    for (int k = 0; k < D; ++k) center[k] = load(bodies.near[k] + p);
    if constexpr (!Equal) {
      for (int k = 0; k < halves; ++k) outer[k] = plus(load(bodies.half[k] + p), near.outer[k]);
    }
  }

  // Those of the bodies from place q on that surely overlap, and those in doubt, both only among `which`.
  HWY_INLINE mask_h compare(const grid_columns& others, std::uint32_t q, mask_h which, mask_h& doubts) const {
    mask_h far;
    mask_h surely;
    vec_h apart[3];
    for (int k = 0; k < D; ++k) apart[k] = minus(center[k], load(others.near[k] + q));
    vec_h reach[3];
    for (int k = 0; k < halves; ++k) {
      if constexpr (Equal) {
        reach[k] = near.outer[k];
      } else {
        reach[k] = plus(outer[k], load(others.half[k] + q));
      }
    }
    if constexpr (S == shape::sphere) {
      vec_h squares = square(apart[0]);
      for (int k = 1; k < D; ++k) squares = plus(squares, square(apart[k]));
      vec_h most = near.most;
      vec_h least = near.least;
      if constexpr (!Equal) near.limits(reach[0], most, least);
      far = more(squares, most);
      surely = more(least, squares);
    } else {
      for (int k = 0; k < D; ++k) {
        const vec_h d = distance(apart[k]);
        const mask_h far_k = more(d, reach[k]);
        const mask_h surely_k = more(minus(reach[k], near.doubt), d);
        far = k == 0 ? far_k : either(far, far_k);
        surely = k == 0 ? surely_k : both(surely, surely_k);
      }
    }
    doubts = but_not(which, either(far, surely));
    return both(surely, which);
  }
};

// The answer of single precision.
enum class answer { none, sure, doubt };

template <int D, shape S, bool Equal>
HWY_INLINE answer compare_again(const grid_columns& b, const grid_line_job& job, std::uint32_t p, std::uint32_t q) {
  constexpr int halves = S == shape::sphere ? 1 : D;
  bool far = false;
  bool surely = true;
  float single[3];
  float most[3];
  for (int k = 0; k < D; ++k) single[k] = static_cast<float>(b.center[k][p] - b.center[k][q]);
  for (int k = 0; k < halves; ++k) {
    most[k] = (Equal ? job.same_half[k] : static_cast<float>(b.half[k][p] + b.half[k][q]) * job.filter.half_unit) +
              job.filter.room;
  }
  if constexpr (S == shape::sphere) {
    float squares = single[0] * single[0];
    for (int k = 1; k < D; ++k) squares += single[k] * single[k];
    const float inner = std::max(most[0] - job.filter.doubt, 0.0F);
    far = squares > most[0] * most[0];
    surely = squares < inner * inner;
  } else {
    for (int k = 0; k < D; ++k) {
      far |= std::abs(single[k]) > most[k];
      surely &= std::abs(single[k]) < most[k] - job.filter.doubt;
    }
  }
  return far ? answer::none : surely ? answer::sure : answer::doubt;
}

// Compares again what the filter of 16 bits left in doubt: adds sure pairs to `found` and doubts to `doubts`.
template <int D, shape S, bool Equal>
class second_look {
 public:
  HWY_INLINE second_look(const grid_columns& bodies, const grid_line_job& job, sure_pairs& found,
                         std::vector<grid_doubt>& doubts)
      : bodies_(bodies), job_(job), found_(found), doubts_(doubts) {}

  // The body at place p against those bodies from place q on that were in doubt.
  [[nodiscard]] HWY_NOINLINE std::size_t one(std::uint32_t p, std::uint32_t q, mask_h low, mask_h high,
                                             std::size_t size) const {
    each(low, high, [&](std::uint32_t lane) HWY_ATTR { size = at(p, q + lane, size); });
    return size;
  }
  // Those bodies from place p on that were in doubt, each against the one that is so many places behind it.
  [[nodiscard]] HWY_NOINLINE std::size_t all(std::uint32_t p, std::uint32_t behind, mask_h low, mask_h high,
                                             std::size_t size) const {
    each(low, high, [&](std::uint32_t lane) HWY_ATTR { size = at(p + lane, p + lane + behind, size); });
    return size;
  }

 private:
  template <class F>
  HWY_INLINE static void each(mask_h low, mask_h high, F f) {
    std::uint32_t bits = bits_of(low);
    if (vectors == 2) bits |= bits_of(high) << (lanes % 32);
    for (; bits != 0; bits &= bits - 1) f(static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
  // A pair in doubt takes the room of one that was found.
  [[nodiscard]] HWY_INLINE std::size_t at(std::uint32_t p, std::uint32_t q, std::size_t size) const {
    const answer a = compare_again<D, S, Equal>(bodies_, job_, p, q);
    if (a == answer::doubt) doubts_.push_back({bodies_.row[p], bodies_.row[q]});
    if (a != answer::sure) return size;
    return found_.add(bodies_.row[p], bodies_.row[q], size);
  }

  const grid_columns& bodies_;
  const grid_line_job& job_;
  sure_pairs& found_;
  std::vector<grid_doubt>& doubts_;
};

// Whether any of sixteen bodies is in doubt.
HWY_INLINE bool any_of(const mask_h* doubts) {
  return !none_of(vectors == 1 ? doubts[0] : either(doubts[0], doubts[vectors - 1]));
}

// One body against one range.
template <int D, shape S, bool Equal>
HWY_INLINE void scan_range(const grid_columns& bodies, const line_target<D, S, Equal>& t, std::uint32_t p,
                           std::uint32_t row, const grid_range& range, sure_pairs& found, std::size_t& begin,
                           std::size_t& size, const second_look<D, S, Equal>& again) {
  std::uint32_t q = range.from;
  std::uint32_t left = range.to - q;
  mask_h doubts[vectors];
  const auto compare = [&](std::uint32_t v, mask_h which) ABUT_INLINE {
    const mask_h surely = t.compare(bodies, q + v * lanes, which, doubts[v]);
    // Bodies of several sizes are mostly far apart: then it pays to branch on whether any overlap. For equal bodies
    // nobody could predict it.
    if (!Equal && HWY_LIKELY(none_of(surely))) return;
    size += pick(bodies.row + q + std::size_t{v} * lanes, surely, found.others(size));
  };
  while (HWY_UNLIKELY(left > at_once)) {
    for (std::uint32_t v = 0; v < vectors; ++v) compare(v, all_lanes());
    if (HWY_UNLIKELY(any_of(doubts))) size = again.one(p, q, doubts[0], doubts[vectors - 1], size);
    q += at_once;
    left -= at_once;
    if (HWY_UNLIKELY(found.full(size))) {
      found.name(row, begin, size);
      begin = size = found.flush(size);
    }
  }
  for (std::uint32_t v = 0; v < vectors; ++v) compare(v, first(left, v));
  if (HWY_UNLIKELY(any_of(doubts))) size = again.one(p, q, doubts[0], doubts[vectors - 1], size);
}

// How many bodies follow each of up to sixteen bodies in its own line within its reach.
struct followers {
  alignas(64) std::int32_t of[at_once];
  std::uint32_t most;
  std::uint32_t sum;

  HWY_INLINE followers(const grid_columns& bodies, const grid_line_job& job, std::uint32_t p) {
    const tag_i di;
    vec_i longest = hn::Zero(di);
    vec_i all = hn::Zero(di);
    for (std::uint32_t k = 0; k < at_once; k += static_cast<std::uint32_t>(hn::Lanes(di))) {
      const vec_i lane = hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(k)));
      const auto here = hn::Lt(lane, hn::Set(di, static_cast<std::int32_t>(job.to - p)));
      const vec_i x = hn::IfThenElse(here, hn::LoadU(di, bodies.center[0] + p + k), hn::Set(di, bodies.center[0][p]));
      const vec_i end = hn::GatherIndex(di, reinterpret_cast<const std::int32_t*>(job.around[0] + 1),
                                        hn::ShiftRightSame(hn::Add(x, hn::Set(di, job.reach)), job.cell_bits));
      const vec_i own = hn::Add(lane, hn::Set(di, static_cast<std::int32_t>(p + 1)));
      const vec_i some = hn::IfThenElseZero(here, hn::Sub(end, own));
      hn::Store(some, di, of + k);
      longest = hn::Max(longest, some);
      all = hn::Add(all, some);
    }
    most = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, longest)));
    sum = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(di, all)));
  }
};

// Finds the pairs of sixteen bodies within their line: compares them with the first body behind each, then with the
// second behind each, and so on. If vectors are shorter, two take turns, so that all machines find the pairs in the
// same order.
template <int D, shape S, bool Equal>
class own_line {
 public:
  HWY_INLINE own_line(const grid_columns& bodies, const line_nearness<D, S, Equal>& near, std::uint32_t from)
      : bodies_(bodies), from_(from), low_(near, bodies, from), high_(near, bodies, from + (vectors - 1) * lanes) {}

  // `behind` followers each, from the one behind `skipped` others on.
  HWY_INLINE std::size_t scan(const followers& behind, std::uint32_t skipped, sure_pairs& found, std::size_t size,
                              const second_look<D, S, Equal>& again) const {
    alignas(32) std::int16_t left[at_once];
    for (std::uint32_t k = 0; k < at_once; ++k) {
      left[k] = static_cast<std::int16_t>(std::min(behind.of[k] - static_cast<std::int32_t>(skipped), 32767));
    }
    const std::uint32_t turns = std::min(behind.most - skipped, window);
    for (std::uint32_t k = 0; k < turns; ++k) {
      if (HWY_UNLIKELY(found.full(size))) size = found.flush(size);
      mask_h doubts[vectors];
      size = compare(low_, 0, skipped + k, more(load(left), set(static_cast<int>(k))), found, size, doubts[0]);
      if constexpr (vectors == 2) {
        size = compare(high_, lanes, skipped + k, more(load(left + lanes), set(static_cast<int>(k))), found, size,
                       doubts[vectors - 1]);
      }
      if (HWY_UNLIKELY(any_of(doubts))) size = again.all(from_, skipped + k + 1, doubts[0], doubts[vectors - 1], size);
    }
    return size;
  }

  static constexpr std::uint32_t window = 32767;  // the followers that 16 bits can count

 private:
  HWY_INLINE std::size_t compare(const line_target<D, S, Equal>& t, std::uint32_t first, std::uint32_t k, mask_h which,
                                 sure_pairs& found, std::size_t size, mask_h& doubts) const {
    const std::uint32_t p = from_ + first;
    const mask_h surely = t.compare(bodies_, p + 1 + k, which, doubts);
    if (!Equal && HWY_LIKELY(none_of(surely))) return size;
    (void)pick(bodies_.row + p, surely, found.targets(size));
    return size + pick(bodies_.row + p + 1 + k, surely, found.others(size));
  }

  const grid_columns& bodies_;
  std::uint32_t from_;
  line_target<D, S, Equal> low_;
  line_target<D, S, Equal> high_;
};

template <int D, shape S, bool Equal>
HWY_INLINE std::uint64_t scan_own(const grid_columns& bodies, const grid_line_job& job,
                                  const line_nearness<D, S, Equal>& near, sure_pairs& found, std::size_t& size,
                                  const second_look<D, S, Equal>& again) {
  std::uint64_t tests = 0;
  for (std::uint32_t from = job.from; from < job.to; from += at_once) {
    const followers behind(bodies, job, from);
    const own_line<D, S, Equal> own(bodies, near, from);
    tests += behind.sum;
    size = own.scan(behind, 0, found, size, again);
    for (std::uint32_t skipped = own.window; HWY_UNLIKELY(skipped < behind.most); skipped += own.window) {
      size = own.scan(behind, skipped, found, size, again);
    }
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
    std::uint32_t n[4] = {};  // a local copy stays in registers
    for (std::uint32_t p = from; p < to; p += static_cast<std::uint32_t>(hn::Lanes(di))) {
      const auto here = hn::Lt(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(to - p)));
      const auto place = hn::Add(hn::Iota(du, 0), hn::Set(du, p));
      const auto keep = [&](int k, hn::Mask<tag_i> which) ABUT_INLINE {
        const auto some = hn::RebindMask(du, hn::And(here, which));
        hn::StoreU(compress(du, place, some), du, list[k] + n[k]);
        n[k] += static_cast<std::uint32_t>(hn::CountTrue(du, some));
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
    std::copy_n(n, 4, size);
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

template <int D, shape S, bool Equal>
std::uint64_t scan_line_of(const grid_columns& all, const grid_line_job& asked, pair_batch& out,
                           std::vector<grid_doubt>& doubts) {
  const grid_columns bodies = all;  // local copies stay in registers: no store through a pointer can change them
  const grid_line_job job = asked;
  sure_pairs found(out);
  std::size_t size = 0;
  const line_nearness<D, S, Equal> near(job);
  const second_look<D, S, Equal> again(all, asked, found, doubts);
  std::uint64_t tests = scan_own<D, S, Equal>(bodies, job, near, found, size, again);
  for (std::uint32_t from = job.from; from < job.to; from += kinds<D>::most) {
    const kinds<D> some(bodies, job, from, std::min(job.to, from + static_cast<std::uint32_t>(kinds<D>::most)));
    // Each kind has its own copy of the loop, without an inner one over lines that would often be mispredicted.
    const auto scan = [&]<int Kind>(std::integral_constant<int, Kind>) ABUT_INLINE {
      constexpr int count = kinds<D>::lines_of[Kind];
      const std::uint32_t* lines[count];
      for (int l = 0; l < count; ++l) lines[l] = job.around[kinds<D>::line_of[Kind][l]];
      for (std::uint32_t k = 0; k < some.size[Kind]; ++k) {
        const std::uint32_t p = some.list[Kind][k];
        const std::uint32_t row = bodies.row[p];
        const looks look(bodies, job, p);
        const line_target<D, S, Equal> t(bodies, p, near);
        if (HWY_UNLIKELY(found.full(size))) size = found.flush(size);
        std::size_t begin = size;
        _Pragma("GCC unroll 3") for (int l = 0; l < count; ++l) {
          const grid_range range = look.in(lines[l]);
          tests += range.to - range.from;
          scan_range(bodies, t, p, row, range, found, begin, size, again);
        }
        found.name(row, begin, size);
      }
    };
    scan(std::integral_constant<int, 0>());
    if constexpr (D == 3) {
      scan(std::integral_constant<int, 1>());
      scan(std::integral_constant<int, 2>());
      scan(std::integral_constant<int, 3>());
    }
  }
  found.flush(size);
  return tests;
}

template <int D, shape S>
HWY_INLINE std::uint64_t scan_line(const grid_columns& bodies, const grid_line_job& job, pair_batch& out,
                                   std::vector<grid_doubt>& doubts) {
  return bodies.half[0] == nullptr ? scan_line_of<D, S, true>(bodies, job, out, doubts)
                                   : scan_line_of<D, S, false>(bodies, job, out, doubts);
}

ABUT_GRID_SCANS(scan_line, grid_line_job)
#undef ABUT_INLINE

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

ABUT_GRID_DISPATCH(grid_line_job)

}  // namespace abut
#endif
