#include "bodies/columns.hpp"

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bodies/columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How many elements ahead to prefetch: the processor's own prefetching stops at the end of a page.
constexpr std::size_t ahead = 256;

sphere_ends ends_of_spheres(const double* center, const double* radius, std::size_t count, double largest) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  sphere_ends e{center[0] - radius[0], center[0] + radius[0], true};
  std::size_t i = 0;
  if (count >= lanes) {
    auto lower = hn::Set(d, e.lower);
    auto upper = hn::Set(d, e.upper);
    auto sound = hn::Eq(hn::Zero(d), hn::Zero(d));  // a lane stays false after its first invalid number
    const auto limit = hn::Set(d, largest);
    for (; i + lanes <= count; i += lanes) {
      ask_for(center, i + ahead);
      ask_for(radius, i + ahead);
      const auto c = hn::LoadU(d, center + i);
      const auto r = hn::LoadU(d, radius + i);
      sound = hn::And(sound, hn::Le(hn::Abs(c), limit));
      lower = hn::Min(lower, hn::Sub(c, r));
      upper = hn::Max(upper, hn::Add(c, r));
    }
    e = {hn::GetLane(hn::MinOfLanes(d, lower)), hn::GetLane(hn::MaxOfLanes(d, upper)), hn::AllTrue(d, sound)};
  }
  for (; i < count; ++i) {
    e.sound = e.sound && std::abs(center[i]) <= largest;
    e.lower = std::min(e.lower, center[i] - radius[i]);
    e.upper = std::max(e.upper, center[i] + radius[i]);
  }
  return e;
}

sphere_ends range_of_radii(const double* radius, std::size_t count, double largest) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  sphere_ends e{radius[0], radius[0], true};
  std::size_t i = 0;
  if (count >= lanes) {
    auto lower = hn::Set(d, e.lower);
    auto upper = lower;
    auto sound = hn::Eq(hn::Zero(d), hn::Zero(d));
    const auto limit = hn::Set(d, largest);
    for (; i + lanes <= count; i += lanes) {
      ask_for(radius, i + ahead);
      const auto r = hn::LoadU(d, radius + i);
      sound = hn::And(sound, hn::And(hn::Le(hn::Zero(d), r), hn::Le(r, limit)));
      lower = hn::Min(lower, r);
      upper = hn::Max(upper, r);
    }
    e = {hn::GetLane(hn::MinOfLanes(d, lower)), hn::GetLane(hn::MaxOfLanes(d, upper)), hn::AllTrue(d, sound)};
  }
  for (; i < count; ++i) {
    e.sound = e.sound && radius[i] >= 0 && radius[i] <= largest;
    e.lower = std::min(e.lower, radius[i]);
    e.upper = std::max(e.upper, radius[i]);
  }
  return e;
}

void units_of(const double* x, const double* scales, double scale, std::size_t count, double origin, double most,
              std::int32_t* out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto from = hn::Set(d, origin);
  const auto last = hn::Set(d, most);
  const auto same = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    ask_for(x, i + ahead);
    const auto by = scales != nullptr ? hn::LoadU(d, scales + i) : same;
    const auto units = hn::Mul(hn::Sub(hn::LoadU(d, x + i), from), by);
    hn::StoreU(hn::DemoteTo(di, hn::Min(hn::Max(units, hn::Zero(d)), last)), di, out + i);
  }
  for (; i < count; ++i) {
    const double units = (x[i] - origin) * (scales != nullptr ? scales[i] : scale);
    out[i] = static_cast<std::int32_t>(std::clamp(units, 0.0, most));
  }
}

void weave_four(const std::int32_t* x, const std::int32_t* y, const std::int32_t* z, std::uint32_t first_row,
                std::size_t count, four* out) {
  const hn::ScalableTag<std::int32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreInterleaved4(hn::LoadU(d, x + i), hn::LoadU(d, y + i), hn::LoadU(d, z + i),
                          hn::Iota(d, static_cast<std::int32_t>(first_row + i)), d,
                          reinterpret_cast<std::int32_t*>(out + i));
  }
  for (; i < count; ++i) out[i] = {{x[i], y[i], z[i]}, first_row + static_cast<std::uint32_t>(i)};
}

// The 15 bits below `bits` and the one above them, as a number of 16 bits.
HWY_INLINE std::int16_t near_of(std::int32_t center, int bits) {
  return static_cast<std::int16_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(center) << (31 - bits)) >> 16);
}

template <int D>
HWY_INLINE void unweave_axes(const four* in, std::size_t count, int bits, const four_columns& out) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::Rebind<std::int16_t, decltype(d)> dh;
  const std::size_t lanes = hn::Lanes(d);
  const four_columns to = out;  // a local copy: the compiler knows that writing to the columns does not change it
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<decltype(d)> x, y, z, row;
    hn::LoadInterleaved4(d, reinterpret_cast<const std::int32_t*>(in + i), x, y, z, row);
    const auto put = [&](int a, hn::Vec<decltype(d)> v) HWY_ATTR {
      hn::StoreU(v, d, to.center[a] + i);
      hn::StoreU(hn::DemoteTo(dh, hn::ShiftRight<16>(hn::ShiftLeftSame(v, 31 - bits))), dh, to.near[a] + i);
    };
    put(0, x);
    put(1, y);
    if constexpr (D == 3) put(2, z);
    hn::StoreU(row, d, reinterpret_cast<std::int32_t*>(to.row + i));
  }
  for (; i < count; ++i) {
    for (int a = 0; a < D; ++a) {
      to.center[a][i] = in[i].center[a];
      to.near[a][i] = near_of(in[i].center[a], bits);
    }
    to.row[i] = in[i].row;
  }
}

void unweave_four(const four* in, std::size_t count, int bits, const four_columns& out) {
  out.center[2] == nullptr ? unweave_axes<2>(in, count, bits, out) : unweave_axes<3>(in, count, bits, out);
}

void number_cells_of(const four* in, std::size_t count, const cell_numbering& by, std::uint32_t* out) {
  const hn::ScalableTag<std::int32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const cell_numbering how = by;
  const auto along_x = hn::Set(d, static_cast<std::int32_t>(how.cells[0]));
  const auto along_y = hn::Set(d, static_cast<std::int32_t>(how.cells[1]));
  const auto first = hn::Set(d, static_cast<std::int32_t>(how.first));
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<decltype(d)> x, y, z, row;
    hn::LoadInterleaved4(d, reinterpret_cast<const std::int32_t*>(in + i), x, y, z, row);
    auto c = hn::ShiftRightSame(z, how.shift[2]);
    c = hn::Add(hn::Mul(c, along_y), hn::ShiftRightSame(y, how.shift[1]));
    c = hn::Add(hn::Mul(c, along_x), hn::ShiftRightSame(x, how.shift[0]));
    hn::StoreU(hn::Sub(c, first), d, reinterpret_cast<std::int32_t*>(out + i));
  }
  for (; i < count; ++i) {
    const auto cell = [&](int a) HWY_ATTR { return static_cast<std::uint32_t>(in[i].center[a] >> how.shift[a]); };
    out[i] = (cell(2) * how.cells[1] + cell(1)) * how.cells[0] + cell(0) - how.first;
  }
}

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace abut {

ABUT_KERNEL(ends_of_spheres);
ABUT_KERNEL(range_of_radii);
ABUT_KERNEL(units_of);
ABUT_KERNEL(weave_four);
ABUT_KERNEL(unweave_four);
ABUT_KERNEL(number_cells_of);

sphere_ends ends_of(const double* center, const double* radius, std::size_t count, double largest) {
  return ABUT_CALL(ends_of_spheres)(center, radius, count, largest);
}

sphere_ends range_of(const double* radius, std::size_t count, double largest) {
  return ABUT_CALL(range_of_radii)(radius, count, largest);
}

void to_units(const double* x, const double* scales, double scale, std::size_t count, double origin, double most,
              std::int32_t* out) {
  ABUT_CALL(units_of)(x, scales, scale, count, origin, most, out);
}

void weave(const std::int32_t* x, const std::int32_t* y, const std::int32_t* z, std::uint32_t first_row,
           std::size_t count, four* out) {
  ABUT_CALL(weave_four)(x, y, z, first_row, count, out);
}

void unweave(const four* in, std::size_t count, int bits, const four_columns& out) {
  ABUT_CALL(unweave_four)(in, count, bits, out);
}

void number_cells(const four* in, std::size_t count, const cell_numbering& by, std::uint32_t* out) {
  ABUT_CALL(number_cells_of)(in, count, by, out);
}

}  // namespace abut
#endif
