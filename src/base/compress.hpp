// `compress`: moves the lanes of a vector that a mask selects to its front, in order. Highway's own Compress keeps its
// tables as local constants, which g++ copies to the stack on every call: with AVX2 that took five times as long as the
// rest of the grid's search. Our tables are static. Like Highway's own headers, this one is included once per
// instruction set.

#ifndef ABUT_COMPRESS_TABLES
#define ABUT_COMPRESS_TABLES

#include <cstddef>
#include <cstdint>

namespace abut {

/// For every mask of `Lanes` lanes, the source of each lane of the result: the selected lanes in order, then lane 0. A
/// lane has `Parts` entries, because processors permute bytes or 32-bit words rather than lanes.
template <class Entry, std::size_t Lanes, std::size_t Parts>
struct compress_table {
  alignas(64) Entry from[std::size_t{1} << Lanes][Lanes * Parts] = {};

  constexpr compress_table() {
    for (std::size_t mask = 0; mask < (std::size_t{1} << Lanes); ++mask) {
      std::size_t size = 0;
      for (std::size_t lane = 0; lane < Lanes; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        for (std::size_t part = 0; part < Parts; ++part) {
          from[mask][size++] = static_cast<Entry>(lane * Parts + part);
        }
      }
    }
  }
};

constexpr compress_table<std::uint8_t, 4, 4> compress_4x32_bytes;
constexpr compress_table<std::uint32_t, 4, 2> compress_4x64_words;
constexpr compress_table<std::uint8_t, 8, 1> compress_8x32_words;  // stored as bytes: 2 KiB instead of 8

}  // namespace abut

#endif

#if defined(ABUT_COMPRESS_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ABUT_COMPRESS_HPP
#undef ABUT_COMPRESS_HPP
#else
#define ABUT_COMPRESS_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A mask of at most eight lanes as a number.
template <class D>
HWY_INLINE std::size_t number_of(D d, hn::Mask<D> which) {
  std::uint8_t bits[8];
  hn::StoreMaskBits(d, which, bits);
  return bits[0];
}

/// The lanes of v that the bits of a number select, in order, at the front; the lanes after them are unspecified. For
/// four or eight lanes of 32 bits, on processors that have no instruction for it.
#if HWY_TARGET == HWY_NEON || (HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 && HWY_TARGET <= HWY_SSSE3)
template <class D>
HWY_INLINE hn::Vec<D> compress_by(std::size_t number, D d, hn::Vec<D> v) {
  static_assert(sizeof(hn::TFromD<D>) == 4);
#if HWY_TARGET == HWY_AVX2
  if constexpr (hn::MaxLanes(D()) == 8) {
    const hn::FixedTag<std::uint32_t, 8> words;
    const hn::Rebind<std::uint8_t, decltype(words)> bytes;
    const auto from = hn::PromoteTo(words, hn::Load(bytes, compress_8x32_words.from[number]));
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(words, v), hn::IndicesFromVec(words, from)));
  }
#endif
  if constexpr (hn::MaxLanes(D()) == 4) {
    const hn::Repartition<std::uint8_t, D> bytes;
    const auto from = hn::Load(bytes, compress_4x32_bytes.from[number]);
    return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), from));
  }
}
#endif

/// The same for the lanes that a mask selects, for any lanes on any processor.
template <class D>
HWY_INLINE hn::Vec<D> compress([[maybe_unused]] D d, hn::Vec<D> v, hn::Mask<D> which) {
  [[maybe_unused]] constexpr std::size_t lane_bytes = sizeof(hn::TFromD<D>);
  [[maybe_unused]] constexpr std::size_t lanes = hn::MaxLanes(D());
#if HWY_TARGET == HWY_NEON || (HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 && HWY_TARGET <= HWY_SSSE3)
  if constexpr (lane_bytes == 4 && (lanes == 4 || lanes == 8)) return compress_by(number_of(d, which), d, v);
#endif
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  // Highway uses a local table for 64-bit lanes even with AVX-512; for 32-bit lanes it uses AVX-512's own instruction.
  if constexpr (lane_bytes == 8 && lanes == 4) {
    const hn::FixedTag<std::uint32_t, 8> words;
    const auto from = hn::Load(words, compress_4x64_words.from[number_of(d, which)]);
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(words, v), hn::IndicesFromVec(words, from)));
  }
#endif
  return hn::Compress(v, which);
}

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
