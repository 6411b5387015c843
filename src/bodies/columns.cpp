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

void unweave_four(const four* in, std::size_t count, std::int32_t* x, std::int32_t* y, std::int32_t* z,
                  std::uint32_t* row) {
  const hn::ScalableTag<std::int32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<decltype(d)> a, b, c, e;
    hn::LoadInterleaved4(d, reinterpret_cast<const std::int32_t*>(in + i), a, b, c, e);
    hn::StoreU(a, d, x + i);
    hn::StoreU(b, d, y + i);
    hn::StoreU(c, d, z + i);
    hn::StoreU(e, d, reinterpret_cast<std::int32_t*>(row + i));
  }
  for (; i < count; ++i) {
    x[i] = in[i].center[0];
    y[i] = in[i].center[1];
    z[i] = in[i].center[2];
    row[i] = in[i].row;
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

void unweave(const four* in, std::size_t count, std::int32_t* x, std::int32_t* y, std::int32_t* z,
             std::uint32_t* rows) {
  ABUT_CALL(unweave_four)(in, count, x, y, z, rows);
}

}  // namespace abut
#endif
