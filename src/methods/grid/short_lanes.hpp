// Vectors of 16-bit lanes for the grid's kernels, eight or sixteen of them. Like Highway's own headers, this one is
// included once per instruction set. Without vector instructions it uses vectors of the compiler, which makes of them
// what every processor has.

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if defined(ABUT_SHORT_LANES_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ABUT_SHORT_LANES_HPP
#undef ABUT_SHORT_LANES_HPP
#else
#define ABUT_SHORT_LANES_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/compress.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

constexpr std::uint32_t lanes = 8;
typedef std::int16_t vec_h __attribute__((vector_size(16)));
typedef std::uint16_t vec_u __attribute__((vector_size(16)));  // for differences that wrap around
using mask_h = vec_h;                                          // -1 for the lanes that are selected, otherwise 0

HWY_INLINE vec_h load(const std::int16_t* from) {
  vec_h v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
HWY_INLINE vec_h set(int value) { return vec_h{} + static_cast<std::int16_t>(value); }
HWY_INLINE vec_h minus(vec_h a, vec_h b) {
  return reinterpret_cast<vec_h>(reinterpret_cast<vec_u>(a) - reinterpret_cast<vec_u>(b));
}
HWY_INLINE vec_h larger(vec_h a, vec_h b) { return a > b ? a : b; }
HWY_INLINE mask_h more(vec_h a, vec_h b) { return a > b; }
HWY_INLINE mask_h both(mask_h a, mask_h b) { return a & b; }
HWY_INLINE mask_h either(mask_h a, mask_h b) { return a | b; }
HWY_INLINE mask_h but_not(mask_h a, mask_h b) { return a & ~b; }
HWY_INLINE mask_h all_lanes() { return set(-1); }
HWY_INLINE bool none_of(mask_h m) {
  std::uint64_t half[2];
  std::memcpy(half, &m, sizeof half);
  return (half[0] | half[1]) == 0;
}
HWY_INLINE std::uint32_t bits_of(mask_h m) {
  std::uint32_t bits = 0;
  for (std::uint32_t k = 0; k < lanes; ++k) bits |= static_cast<std::uint32_t>(m[k] & 1) << k;
  return bits;
}
#ifdef __SSE2__
// Compilers do not find these two instructions by themselves.
HWY_INLINE vec_h square(vec_h d) {
  return reinterpret_cast<vec_h>(_mm_mulhi_epi16(reinterpret_cast<__m128i>(d), reinterpret_cast<__m128i>(d)));
}
HWY_INLINE vec_h plus(vec_h a, vec_h b) {
  return reinterpret_cast<vec_h>(_mm_adds_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}
#else
HWY_INLINE vec_h square(vec_h d) {
  for (std::uint32_t k = 0; k < lanes; ++k) d[k] = static_cast<std::int16_t>(d[k] * d[k] >> 16);
  return d;
}
HWY_INLINE vec_h plus(vec_h a, vec_h b) {
  for (std::uint32_t k = 0; k < lanes; ++k) a[k] = static_cast<std::int16_t>(a[k] + b[k] > 32767 ? 32767 : a[k] + b[k]);
  return a;
}
#endif
HWY_INLINE vec_h distance(vec_h d) {
  const vec_h sign = d >> 15;
  const vec_h size = minus(d ^ sign, sign);
  return size ^ (size >> 15);
}
HWY_INLINE std::size_t pick(const std::uint32_t* from, mask_h which, std::uint32_t* to) {
  std::size_t size = 0;
  for (std::uint32_t k = 0; k < lanes; ++k) {
    to[size] = from[k];
    size -= static_cast<std::size_t>(static_cast<std::ptrdiff_t>(which[k]));
  }
  return size;
}

#else

using tag_h = hn::CappedTag<std::int16_t, 16>;
constexpr std::uint32_t lanes = hn::MaxLanes(tag_h());
using vec_h = hn::Vec<tag_h>;
using mask_h = hn::Mask<tag_h>;

HWY_INLINE vec_h load(const std::int16_t* from) { return hn::LoadU(tag_h(), from); }
HWY_INLINE vec_h set(int value) { return hn::Set(tag_h(), static_cast<std::int16_t>(value)); }
HWY_INLINE vec_h minus(vec_h a, vec_h b) { return hn::Sub(a, b); }
HWY_INLINE vec_h larger(vec_h a, vec_h b) { return hn::Max(a, b); }
HWY_INLINE mask_h more(vec_h a, vec_h b) { return hn::Gt(a, b); }
HWY_INLINE mask_h both(mask_h a, mask_h b) { return hn::And(a, b); }
HWY_INLINE mask_h either(mask_h a, mask_h b) { return hn::Or(a, b); }
HWY_INLINE mask_h but_not(mask_h a, mask_h b) { return hn::AndNot(b, a); }
HWY_INLINE mask_h all_lanes() { return hn::Eq(hn::Zero(tag_h()), hn::Zero(tag_h())); }
HWY_INLINE bool none_of(mask_h m) { return hn::AllFalse(tag_h(), m); }
/// A bit for each lane.
HWY_INLINE std::uint32_t bits_of(mask_h m) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(tag_h(), m, bytes);
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}
/// The high half of the product of each lane with itself.
HWY_INLINE vec_h square(vec_h d) { return hn::MulHigh(d, d); }
/// The sum, at most 32767.
HWY_INLINE vec_h plus(vec_h a, vec_h b) { return hn::SaturatedAdd(a, b); }
/// The magnitude, at most 32767.
HWY_INLINE vec_h distance(vec_h d) { return hn::Max(d, hn::SaturatedSub(hn::Zero(tag_h()), d)); }

/// Writes those of the numbers from `from` on whose lanes are selected, in order. Returns how many there are; may write
/// `lanes` numbers all the same.
HWY_INLINE std::size_t pick(const std::uint32_t* from, mask_h which, std::uint32_t* to) {
  const hn::CappedTag<std::uint32_t, 16> du;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const hn::Mask<decltype(du)> wide{which.raw};
  hn::StoreU(hn::Compress(hn::LoadU(du, from), wide), du, to);
  return hn::CountTrue(du, wide);
#else
  constexpr std::uint32_t some = hn::MaxLanes(hn::CappedTag<std::uint32_t, 16>());
#if HWY_TARGET == HWY_AVX2
  // The lower eight lanes become bits 0 to 7 and the upper ones bits 16 to 23.
  const auto bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_packs_epi16(which.raw, which.raw)));
  constexpr int apart = 16;
#elif HWY_ARCH_X86
  const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(which.raw, which.raw)));
  constexpr int apart = 4;
#else
  const auto bits = static_cast<std::uint32_t>(number_of(tag_h(), which));
  constexpr int apart = 4;
#endif
  std::size_t size = 0;
  for (std::uint32_t k = 0; k < lanes / some; ++k) {
    const std::size_t number = bits >> (apart * k) & ((1U << some) - 1);
    hn::StoreU(compress_by(number, du, hn::LoadU(du, from + std::size_t{k} * some)), du, to + size);
    size += static_cast<std::size_t>(std::popcount(number));
  }
  return size;
#endif
}

#endif

/// The lanes of the v-th vector that are among the first `left` of up to sixteen.
HWY_INLINE mask_h first(std::uint32_t left, std::uint32_t v) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  (void)v;
  return hn::FirstN(tag_h(), left);
#else
  alignas(64) static constexpr std::int16_t before[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                          -1, -1, -1, -1, -1, -1, -1, -1};
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return load(before + 16 - left + std::size_t{v} * lanes);
#else
  return hn::MaskFromVec(load(before + 16 - left + std::size_t{v} * lanes));
#endif
#endif
}

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
