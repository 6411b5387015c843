#include "methods/nearest_neighbor/scan.hpp"

#include "base/memory.hpp"
#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/nearest_neighbor/scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/compress.hpp"
#include "base/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#undef ABUT_NEAR_VECTORS
// If vectors have four lanes of double or more, a sphere is a vector, and four spheres are transposed into one vector
// per coordinate.
#if HWY_MAX_BYTES >= 32 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#define ABUT_NEAR_VECTORS 1
#else
#define ABUT_NEAR_VECTORS 0
#endif

#if ABUT_NEAR_VECTORS

// How far ahead to prefetch: neither loop goes through memory in order.
constexpr std::size_t ahead = 32;

using four_t = hn::FixedTag<double, 4>;
using four_v = hn::Vec<four_t>;

// Transposes the matrix of four vectors.
HWY_INLINE void transpose(four_v& a, four_v& b, four_v& c, four_v& d) {
  const four_t t;
  const four_v ab_low = hn::InterleaveLower(t, a, b);  // a0 b0 a2 b2
  const four_v ab_high = hn::InterleaveUpper(t, a, b);
  const four_v cd_low = hn::InterleaveLower(t, c, d);
  const four_v cd_high = hn::InterleaveUpper(t, c, d);
  a = hn::ConcatLowerLower(t, cd_low, ab_low);
  b = hn::ConcatLowerLower(t, cd_high, ab_high);
  c = hn::ConcatUpperUpper(t, cd_low, ab_low);
  d = hn::ConcatUpperUpper(t, cd_high, ab_high);
}

HWY_INLINE four_v squares_of(four_v x, four_v y, four_v z) {
  return hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
}

HWY_INLINE four_v load(const near_sphere* at) { return hn::LoadU(four_t(), at->center); }

#endif

std::size_t overlapping_spheres(const near_sphere* at, double margin, const pair* listed, std::size_t count,
                                pair* found) {
  std::size_t size = 0;
  std::size_t e = 0;
#if ABUT_NEAR_VECTORS
  const four_t t;
  const hn::RebindToUnsigned<four_t> tu;
  alignas(32) const double flips[4] = {0.0, 0.0, 0.0, -0.0};
  const four_v flip = hn::Load(t, flips);  // flips the sign of the other radius, so that subtracting gives the sum
  const four_v gap = hn::Set(t, margin);
  const auto apart = [&](const pair& p) HWY_ATTR { return hn::Sub(load(at + p.i), hn::Xor(load(at + p.j), flip)); };
  for (; e + 4 <= count; e += 4) {
    for (std::size_t k = e + ahead; k < e + ahead + 4; ++k) {
      ask_for(at, listed[k].i);
      ask_for(at, listed[k].j);
    }
    four_v x = apart(listed[e]);
    four_v y = apart(listed[e + 1]);
    four_v z = apart(listed[e + 2]);
    four_v r = apart(listed[e + 3]);
    transpose(x, y, z, r);
    const four_v reach = hn::Add(r, gap);
    const auto in = hn::RebindMask(tu, hn::Le(squares_of(x, y, z), hn::Mul(reach, reach)));
    const auto pairs = hn::LoadU(tu, reinterpret_cast<const std::uint64_t*>(listed + e));
    hn::StoreU(compress(tu, pairs, in), tu, reinterpret_cast<std::uint64_t*>(found + size));
    size += hn::CountTrue(tu, in);
  }
#endif
  for (; e < count; ++e) {
    found[size] = listed[e];
    size += overlap(at[listed[e].i], at[listed[e].j], margin) ? 1 : 0;
  }
  return size;
}

void place_all_spheres(const double* const columns[4], const row* places, std::size_t count, const near_sphere* then,
                       double shrink, near_sphere* now, double* moves) {
  const double* const x_at = columns[0];
  const double* const y_at = columns[1];
  const double* const z_at = columns[2];
  const double* const r_at = columns[3];
  const auto place_one = [&](std::size_t k) {
    moves[k] = 0;
    if (places[k] == no_row) return;
    now[places[k]] = {{x_at[k], y_at[k], z_at[k]}, r_at[k]};
    const near_sphere& was = then[places[k]];
    moves[k] = shrink == 0 ? move_of(now[places[k]], was) : share_of(now[places[k]], was, shrink);
  };
  std::size_t k = 0;
#if ABUT_NEAR_VECTORS
  const four_t t;
  const auto place_four = [&](const row* at) HWY_ATTR {
    four_v a = hn::LoadU(t, x_at + k);
    four_v b = hn::LoadU(t, y_at + k);
    four_v c = hn::LoadU(t, z_at + k);
    four_v d = hn::LoadU(t, r_at + k);
    transpose(a, b, c, d);
    const auto moved = [&](four_v& v, row p) HWY_ATTR {
      hn::StoreU(v, t, now[p].center);
      v = hn::Sub(v, load(then + p));
    };
    moved(a, at[0]);
    moved(b, at[1]);
    moved(c, at[2]);
    moved(d, at[3]);
    transpose(a, b, c, d);
    const four_v distance = hn::Sqrt(squares_of(a, b, c));
    if (shrink == 0) {
      hn::StoreU(hn::Add(distance, hn::Max(d, hn::Zero(t))), t, moves + k);
    } else {
      const four_v radius = hn::LoadU(t, r_at + k);
      const four_v then_radius = hn::Mul(hn::Sub(radius, d), hn::Set(t, shrink));
      const four_v move = hn::Add(distance, hn::Max(hn::Sub(radius, then_radius), hn::Zero(t)));
      const four_v width = hn::Max(hn::Add(then_radius, then_radius), hn::Set(t, least_width_divided_by));
      hn::StoreU(hn::Div(move, width), t, moves + k);
    }
  };
  for (; k + 4 <= count; k += 4) {
    const row* const at = places + k;
    const row* const soon = places + std::min(k + ahead, count - 4);
    for (int i = 0; i < 4; ++i) {
      ask_for(then, soon[i]);
      ask_for(now, soon[i]);
    }
    if (HWY_UNLIKELY(std::max({at[0], at[1], at[2], at[3]}) == no_row)) {
      for (std::size_t i = k; i < k + 4; ++i) place_one(i);
    } else {
      place_four(at);
    }
  }
#endif
  for (; k < count; ++k) place_one(k);
}

// Keeps four sums, one for every fourth move, so that the result is the same with and without vectors.
moves sum_of_moves(const double* move, std::size_t count, double distance, double limit) {
  std::size_t summed = 0;
#if ABUT_NEAR_VECTORS
  const four_t t;
  const four_v half = hn::Set(t, distance / 2);
  const four_v most = hn::Set(t, limit);
  const four_v one = hn::Set(t, 1.0);
  four_v largest = hn::Zero(t);
  four_v second = largest;
  four_v sum = largest;
  four_v far = largest;
  four_v largest_near = largest;
  for (; summed + 4 <= count; summed += 4) {
    const four_v m = hn::LoadU(t, move + summed);
    const auto is_far = hn::Gt(m, half);
    second = hn::Max(second, hn::Min(largest, m));
    largest = hn::Max(largest, m);
    sum = hn::Add(sum, hn::Min(m, most));
    far = hn::Add(far, hn::IfThenElseZero(is_far, one));
    largest_near = hn::Max(largest_near, hn::IfThenZeroElse(is_far, m));
  }
  alignas(32) double lanes[5][4];
  hn::Store(largest, t, lanes[0]);
  hn::Store(second, t, lanes[1]);
  hn::Store(sum, t, lanes[2]);
  hn::Store(far, t, lanes[3]);
  hn::Store(largest_near, t, lanes[4]);
#endif
  moves all;
  for (std::size_t l = 0; l < 4; ++l) {
    moves part;
#if ABUT_NEAR_VECTORS
    part = {lanes[0][l], lanes[1][l], lanes[2][l], static_cast<std::size_t>(lanes[3][l]), lanes[4][l]};
#endif
    for (std::size_t k = summed + l; k < count; k += 4) part.add(move[k], distance, limit);
    all.add(part);
  }
  return all;
}

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

ABUT_KERNEL(overlapping_spheres);
ABUT_KERNEL(place_all_spheres);
ABUT_KERNEL(sum_of_moves);

std::size_t overlapping(const near_sphere* at, double margin, const pair* listed, std::size_t count, pair* found) {
  return ABUT_CALL(overlapping_spheres)(at, margin, listed, count, found);
}

void place_spheres(const double* const columns[4], const row* places, std::size_t count, const near_sphere* then,
                   double shrink, near_sphere* now, double* moves) {
  ABUT_CALL(place_all_spheres)(columns, places, count, then, shrink, now, moves);
}

moves all_of(const double* move, std::size_t count, double distance, double limit) {
  return ABUT_CALL(sum_of_moves)(move, count, distance, limit);
}

}  // namespace abut
#endif
