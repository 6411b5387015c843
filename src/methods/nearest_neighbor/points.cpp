#include "methods/nearest_neighbor/points.hpp"

#include <algorithm>
#include <bit>

#include "base/memory.hpp"
#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/nearest_neighbor/points.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/compress.hpp"
#include "base/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How far ahead to prefetch: the spheres of listed pairs, places to write to, columns to read.
constexpr std::size_t pairs_ahead = 32;
constexpr std::size_t places_ahead = 64;
constexpr std::size_t columns_ahead = 256;  // the processor's own prefetching stops at the end of a page

constexpr float least_width = 1e-37F;  // moves in widths are divided by at least this

// The move of a sphere whose center has moved by d and whose radius was `then` and is `now` (both 0 if all are equal).
float move_of_point(const float* d, float now, float then, const point_moves& how) {
  const float distance = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + std::max(now - then, how.growth);
  return how.in_widths ? distance / std::max(then + then, least_width) : distance * how.per_unit;
}

// Makes the point of one row, without vectors.
template <bool Equal>
void make_point(const near_frame& frame, const double* const columns[4], row first, std::size_t k, float* const then[4],
                const point_moves& how, near_point& point, float* moves) {
  constexpr int axes = Equal ? 3 : 4;
  const double origin[4] = {frame.origin[0], frame.origin[1], frame.origin[2], 0};
  float unit[4] = {};
  for (int c = 0; c < axes; ++c) unit[c] = static_cast<float>((columns[c][k] - origin[c]) * frame.scale);
  point = {{unit[0], unit[1], unit[2]},
           Equal ? static_cast<std::uint32_t>(first + k) : std::bit_cast<std::uint32_t>(unit[3])};
  if (moves == nullptr) {
    for (int c = 0; c < axes; ++c) then[c][k] = unit[c];
    return;
  }
  const float d[3] = {unit[0] - then[0][k], unit[1] - then[1][k], unit[2] - then[2][k]};
  moves[k] = move_of_point(d, unit[3], Equal ? 0 : then[3][k], how);
}

// Makes the points of some rows, in their order.
template <bool Equal>
void make_points(const near_frame& frame, const double* const columns[4], row first, std::size_t count,
                 float* const then[4], const point_moves& how, near_point* points, float* moves) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  const double origin[4] = {frame.origin[0], frame.origin[1], frame.origin[2], 0};
  const hn::CappedTag<double, 8> dd;
  const hn::Rebind<float, decltype(dd)> df;
  const hn::Rebind<std::uint32_t, decltype(dd)> du;
  const std::size_t lanes = hn::Lanes(dd);
  const auto scale = hn::Set(dd, frame.scale);
  const auto growth = hn::Set(df, how.growth);
  const auto per_unit = hn::Set(df, how.per_unit);
  for (; k + lanes <= count; k += lanes) {
    const auto unit = [&](int c) __attribute__((always_inline)) HWY_ATTR {
      ask_for(columns[c], k + columns_ahead);
      return hn::DemoteTo(df, hn::Mul(hn::Sub(hn::LoadU(dd, columns[c] + k), hn::Set(dd, origin[c])), scale));
    };
    const auto x = unit(0);
    const auto y = unit(1);
    const auto z = unit(2);
    auto last = hn::BitCast(df, hn::Iota(du, static_cast<std::uint32_t>(first + k)));
    if constexpr (!Equal) last = unit(3);
    hn::StoreInterleaved4(x, y, z, last, df, reinterpret_cast<float*>(points + k));
    if (moves == nullptr) {
      hn::StoreU(x, df, then[0] + k);
      hn::StoreU(y, df, then[1] + k);
      hn::StoreU(z, df, then[2] + k);
      if constexpr (!Equal) hn::StoreU(last, df, then[3] + k);
      continue;
    }
    const auto dx = hn::Sub(x, hn::LoadU(df, then[0] + k));
    const auto dy = hn::Sub(y, hn::LoadU(df, then[1] + k));
    const auto dz = hn::Sub(z, hn::LoadU(df, then[2] + k));
    auto move = hn::Sqrt(hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz)));
    if constexpr (Equal) {
      move = hn::Mul(hn::Add(move, growth), per_unit);
    } else {
      const auto radius = hn::LoadU(df, then[3] + k);
      move = hn::Add(move, hn::Max(hn::Sub(last, radius), growth));
      move = how.in_widths ? hn::Div(move, hn::Max(hn::Add(radius, radius), hn::Set(df, least_width)))
                           : hn::Mul(move, per_unit);
    }
    hn::StoreU(move, df, moves + k);
  }
#endif
  for (; k < count; ++k) make_point<Equal>(frame, columns, first, k, then, how, points[k], moves);
}

void place_all_points(const near_frame& frame, const double* const columns[4], row first, const row* places,
                      std::size_t count, std::size_t known, float* const then[4], const point_moves& how,
                      near_point* now, float* moves) {
  alignas(64) near_point points[most_points_placed];
  if (columns[3] == nullptr) {
    make_points<true>(frame, columns, first, count, then, how, points, moves);
  } else {
    make_points<false>(frame, columns, first, count, then, how, points, moves);
  }
  for (std::size_t k = 0; k < count; ++k) {
    ask_for(now, places[std::min(k + places_ahead, known - 1)]);
    const row p = places[k];
    if (HWY_LIKELY(p != no_row)) {
      now[p] = points[k];
    } else if (moves != nullptr) {
      moves[k] = 0;
    }
  }
}

#if HWY_TARGET != HWY_SCALAR

using tag_f = hn::CappedTag<float, 16>;
using tag_u = hn::CappedTag<std::uint32_t, 16>;
using vec_f = hn::Vec<tag_f>;
using vec_u = hn::Vec<tag_u>;
using tag_four = hn::FixedTag<float, 4>;

HWY_INLINE hn::Vec<tag_four> load(const near_point* at) { return hn::LoadU(tag_four(), at->center); }

// Loads one point of every fourth pair, each into a block of four lanes; `of` chooses the first or second of a pair.
template <class Of>
HWY_INLINE vec_f blocks(const near_point* at, const pair* p, Of of) {
#if HWY_MAX_BYTES >= 64
  const hn::FixedTag<float, 8> half;
  return hn::Combine(tag_f(), hn::Combine(half, load(at + of(p[12])), load(at + of(p[8]))),
                     hn::Combine(half, load(at + of(p[4])), load(at + of(p[0]))));
#elif HWY_MAX_BYTES >= 32
  return hn::Combine(tag_f(), load(at + of(p[4])), load(at + of(p[0])));
#else
  return load(at + of(p[0]));
#endif
}

HWY_INLINE vec_f low_pairs(vec_f a, vec_f b) {
  const hn::RepartitionToWide<tag_f> wide;
  return hn::BitCast(tag_f(), hn::InterleaveLower(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
}
HWY_INLINE vec_f high_pairs(vec_f a, vec_f b) {
  const hn::RepartitionToWide<tag_f> wide;
  return hn::BitCast(tag_f(), hn::InterleaveUpper(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
}

// As many pairs as a vector has lanes. It has a constructor because the compiler's own would be compiled without the
// vector instructions.
struct some_pairs {
  vec_f x, y, z;  // the differences of centers
  vec_u i, j;     // near_point::last of both

  HWY_INLINE some_pairs(const near_point* at, const pair* listed) {
    const tag_f t;
    const auto first = [](const pair& p) __attribute__((always_inline)) HWY_ATTR { return p.i; };
    const auto second = [](const pair& p) __attribute__((always_inline)) HWY_ATTR { return p.j; };
    vec_f a[4], b[4], d[4];
    a[0] = blocks(at, listed, first), a[1] = blocks(at, listed + 1, first);
    a[2] = blocks(at, listed + 2, first), a[3] = blocks(at, listed + 3, first);
    b[0] = blocks(at, listed, second), b[1] = blocks(at, listed + 1, second);
    b[2] = blocks(at, listed + 2, second), b[3] = blocks(at, listed + 3, second);
    for (int k = 0; k < 4; ++k) d[k] = hn::Sub(a[k], b[k]);
    const vec_f low_01 = hn::InterleaveLower(t, d[0], d[1]);
    const vec_f low_23 = hn::InterleaveLower(t, d[2], d[3]);
    x = low_pairs(low_01, low_23);
    y = high_pairs(low_01, low_23);
    z = low_pairs(hn::InterleaveUpper(t, d[0], d[1]), hn::InterleaveUpper(t, d[2], d[3]));
    const auto last = [&](const vec_f* v) __attribute__((always_inline)) HWY_ATTR {
      return hn::BitCast(tag_u(), high_pairs(hn::InterleaveUpper(t, v[0], v[1]), hn::InterleaveUpper(t, v[2], v[3])));
    };
    i = last(a);
    j = last(b);
  }
};

// Writes (i, j) of the pairs in `which`; returns how many.
HWY_INLINE std::size_t put(const some_pairs& p, hn::Mask<tag_u> which, pair* to) {
  const tag_u tu;
  const vec_u a = compress(tu, p.i, which);
  const vec_u b = compress(tu, p.j, which);
  hn::StoreInterleaved2(hn::Min(a, b), hn::Max(a, b), tu, reinterpret_cast<std::uint32_t*>(to));
  return hn::CountTrue(tu, which);
}

// Doubts are rare, so this stays out of the hot loop.
HWY_NOINLINE void add_doubts(const pair* some, std::size_t count, std::vector<pair>& doubts) {
  for (std::size_t k = 0; k < count; ++k) doubts.push_back(some[k]);
}

// Adds pairs that surely overlap to `found`, and those that only may to `doubts`.
template <bool Equal>
std::size_t scan_points(const near_point* at, const point_filter& filter, float sum, const pair* listed,
                        std::size_t count, pair* found, std::vector<pair>& doubts) {
  const tag_f t;
  const tag_u tu;
  constexpr std::size_t lanes = hn::MaxLanes(t);
  const vec_f outer_share = hn::Set(t, filter.outer_share);
  const vec_f inner_share = hn::Set(t, filter.inner_share);
  vec_f outer = hn::Set(t, filter.outer);
  vec_f inner = hn::Set(t, filter.inner);
  if constexpr (Equal) {
    outer = hn::Add(hn::Mul(hn::Set(t, sum), outer_share), outer);
    outer = hn::Mul(outer, outer);
    inner = hn::Max(hn::Add(hn::Mul(hn::Set(t, sum), inner_share), inner), hn::Zero(t));
    inner = hn::Mul(inner, inner);
  }
  std::size_t size = 0;
  for (std::size_t e = 0; e < count; e += lanes) {
    // Only the second of a pair is prefetched: the first is mostly that of an earlier pair.
    for (std::size_t k = e + pairs_ahead; k < e + pairs_ahead + lanes; ++k) ask_for(at, listed[k].j);
    some_pairs p(at, listed + e);
    // Not fused, so that every machine has the same doubts and therefore the same order of pairs.
    const vec_f squares = hn::Add(hn::Add(hn::Mul(p.x, p.x), hn::Mul(p.y, p.y)), hn::Mul(p.z, p.z));
    vec_f most = outer;
    vec_f least = inner;
    if constexpr (!Equal) {
      const vec_f both = hn::Add(hn::BitCast(t, p.i), hn::BitCast(t, p.j));
      most = hn::Add(hn::Mul(both, outer_share), outer);
      most = hn::Mul(most, most);
      least = hn::Max(hn::Add(hn::Mul(both, inner_share), inner), hn::Zero(t));
      least = hn::Mul(least, least);
      hn::LoadInterleaved2(tu, reinterpret_cast<const std::uint32_t*>(listed + e), p.i, p.j);
    }
    auto may = hn::Le(squares, most);
    if (HWY_UNLIKELY(count - e < lanes)) may = hn::And(may, hn::FirstN(t, count - e));
    const auto surely = hn::And(may, hn::Lt(squares, least));
    const auto in_doubt = hn::AndNot(surely, may);
    size += put(p, hn::RebindMask(tu, surely), found + size);
    if (HWY_UNLIKELY(!hn::AllFalse(t, in_doubt))) {
      pair some[lanes];
      const std::size_t more = put(p, hn::RebindMask(tu, in_doubt), some);
      add_doubts(some, more, doubts);
    }
  }
  return size;
}

#else

template <bool Equal>
std::size_t scan_points(const near_point* at, const point_filter& filter, float sum, const pair* listed,
                        std::size_t count, pair* found, std::vector<pair>& doubts) {
  std::size_t size = 0;
  for (std::size_t e = 0; e < count; ++e) {
    const near_point& a = at[listed[e].i];
    const near_point& b = at[listed[e].j];
    float squares = 0;
    for (int k = 0; k < 3; ++k) squares += (a.center[k] - b.center[k]) * (a.center[k] - b.center[k]);
    const float both = Equal ? sum : std::bit_cast<float>(a.last) + std::bit_cast<float>(b.last);
    const float most = both * filter.outer_share + filter.outer;
    const float least = std::max(both * filter.inner_share + filter.inner, 0.0F);
    if (!(squares <= most * most)) continue;
    const pair p = Equal ? pair{std::min(a.last, b.last), std::max(a.last, b.last)} : listed[e];
    if (squares < least * least) {
      found[size++] = p;
    } else {
      doubts.push_back(p);
    }
  }
  return size;
}

#endif

std::size_t scan_equal(const near_point* at, const point_filter& filter, float sum, const pair* listed,
                       std::size_t count, pair* found, std::vector<pair>& doubts) {
  return scan_points<true>(at, filter, sum, listed, count, found, doubts);
}
std::size_t scan_unequal(const near_point* at, const point_filter& filter, float sum, const pair* listed,
                         std::size_t count, pair* found, std::vector<pair>& doubts) {
  return scan_points<false>(at, filter, sum, listed, count, found, doubts);
}

void rows_of_places(const row* rows, const pair* places, std::size_t count, pair* named) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  const tag_u tu;
  const hn::RebindToSigned<tag_u> ti;
  for (; k + hn::Lanes(tu) <= count; k += hn::Lanes(tu)) {
    vec_u i, j;
    hn::LoadInterleaved2(tu, reinterpret_cast<const std::uint32_t*>(places + k), i, j);
    i = hn::GatherIndex(tu, rows, hn::BitCast(ti, i));
    j = hn::GatherIndex(tu, rows, hn::BitCast(ti, j));
    hn::StoreInterleaved2(hn::Min(i, j), hn::Max(i, j), tu, reinterpret_cast<std::uint32_t*>(named + k));
  }
#endif
  for (; k < count; ++k) {
    const row i = rows[places[k].i];
    const row j = rows[places[k].j];
    named[k] = {std::min(i, j), std::max(i, j)};
  }
}

// Keeps sixteen sums, one for every sixteenth move, so that the result is the same with all vector lengths.
moves sum_of_point_moves(const float* move, std::size_t count, float distance, float limit) {
  const float half_distance = distance / 2;
  float largest[16] = {};
  float second[16] = {};
  float sum[16] = {};
  float largest_near[16] = {};
  std::uint32_t far[16] = {};
  const auto add = [&](float m, std::size_t l) {
    second[l] = std::max(second[l], std::min(largest[l], m));
    largest[l] = std::max(largest[l], m);
    sum[l] += std::min(m, limit);
    far[l] += m > half_distance ? 1 : 0;
    largest_near[l] = std::max(largest_near[l], m > half_distance ? 0.0F : m);
  };
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  const tag_f t;
  const tag_u tu;
  const vec_f half = hn::Set(t, half_distance);
  const vec_f most = hn::Set(t, limit);
  for (std::size_t l = 0; l < 16; l += hn::Lanes(t)) {
    vec_f most_of_all = hn::Zero(t);
    vec_f second_of_all = most_of_all;
    vec_f total = most_of_all;
    vec_f most_near = most_of_all;
    vec_u many = hn::Zero(tu);
    for (k = 0; k + 16 <= count; k += 16) {
      const vec_f m = hn::LoadU(t, move + k + l);
      const auto is_far = hn::Gt(m, half);
      second_of_all = hn::Max(second_of_all, hn::Min(most_of_all, m));
      most_of_all = hn::Max(most_of_all, m);
      total = hn::Add(total, hn::Min(m, most));
      many = hn::Add(many, hn::IfThenElseZero(hn::RebindMask(tu, is_far), hn::Set(tu, 1)));
      most_near = hn::Max(most_near, hn::IfThenZeroElse(is_far, m));
    }
    hn::StoreU(most_of_all, t, largest + l);
    hn::StoreU(second_of_all, t, second + l);
    hn::StoreU(total, t, sum + l);
    hn::StoreU(many, tu, far + l);
    hn::StoreU(most_near, t, largest_near + l);
  }
#endif
  for (; k < count; ++k) add(move[k], k % 16);
  moves all;
  for (int l = 0; l < 16; ++l) all.add({largest[l], second[l], sum[l], far[l], largest_near[l]});
  return all;
}

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

ABUT_KERNEL(place_all_points);
ABUT_KERNEL(scan_equal);
ABUT_KERNEL(scan_unequal);
ABUT_KERNEL(rows_of_places);
ABUT_KERNEL(sum_of_point_moves);

near_frame near_frame::of(const world& w) {
  const measures& m = w.measured();
  near_frame f;
  double extent = 0;
  double widest = 0;
  f.equal = true;
  for (int k = 0; k < w.dimension(); ++k) {
    extent = std::max(extent, m.upper[k] - m.lower[k]);
    widest = std::max(widest, m.widest[k]);
    f.equal = f.equal && m.widest[k] == m.least_width;
    f.origin[k] = m.lower[k] / 2 + m.upper[k] / 2;
  }
  constexpr double least = 1e-25;  // beyond these, squares underflow or overflow in single precision
  constexpr double most = 1e25;
  if (w.size() < least_spheres || !(extent > least && extent < most)) return {};
  f.scale = 1 / extent;
  // If single precision is coarse for most bodies, too many pairs would be listed and in doubt.
  if (!(f.rounding(widest + w.margin()) < m.mean_width / 64)) return {};
  return f;
}

bool near_frame::fits(const world& w) const {
  const measures& m = w.measured();
  bool all = w.size() > 0;
  for (int k = 0; k < w.dimension(); ++k) {
    const double farthest = std::max(std::abs(m.lower[k] - origin[k]), std::abs(m.upper[k] - origin[k]));
    all = all && farthest * scale <= 1 && (!equal || m.widest[k] == m.least_width);
  }
  return all;
}

// Two roundings of a coordinate on each axis add up to at most sqrt(3) 2^-24 units; operations in single precision, to
// a few parts in 2^24.
point_filter::point_filter(const near_frame& frame, double margin) {
  const double share = std::ldexp(1, -20);
  const double error = 3 * std::ldexp(1, -24);
  outer_share = static_cast<float>(1 + share);
  outer = static_cast<float>(margin * frame.scale * (1 + share) + error);
  inner_share = static_cast<float>(1 - share);
  inner = static_cast<float>(margin * frame.scale * (1 - share) - error);
}

void place_points(const near_frame& frame, const double* const columns[4], row first, const row* places,
                  std::size_t count, std::size_t known, float* const then[4], const point_moves& how, near_point* now,
                  float* moves) {
  ABUT_CALL(place_all_points)(frame, columns, first, places, count, known, then, how, now, moves);
}

std::size_t overlapping_equal(const near_point* at, const point_filter& filter, float sum, const pair* listed,
                              std::size_t count, pair* found, std::vector<pair>& doubts) {
  return ABUT_CALL(scan_equal)(at, filter, sum, listed, count, found, doubts);
}

std::size_t overlapping_unequal(const near_point* at, const point_filter& filter, const pair* listed, std::size_t count,
                                pair* found, std::vector<pair>& doubts) {
  return ABUT_CALL(scan_unequal)(at, filter, 0, listed, count, found, doubts);
}

void name_rows(const row* rows, const pair* places, std::size_t count, pair* named) {
  ABUT_CALL(rows_of_places)(rows, places, count, named);
}

moves all_of(const float* move, std::size_t count, float distance, float limit) {
  return ABUT_CALL(sum_of_point_moves)(move, count, distance, limit);
}

}  // namespace abut
#endif
