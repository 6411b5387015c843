// Moving selected lanes to the front: with every instruction set of the machine and for every mask, the same as a plain
// loop.

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steps/compress_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/compress.hpp"
#include "base/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace abut::HWY_NAMESPACE {

// Writes the values that the bits of `mask` select to the front of `to`; returns the number of lanes.
template <class D, class T>
std::size_t compress_all(D d, const T* values, std::uint64_t mask, T* to) {
  std::uint8_t bits[8];
  for (int byte = 0; byte < 8; ++byte) bits[byte] = static_cast<std::uint8_t>(mask >> (8 * byte));
  hn::StoreU(compress(d, hn::LoadU(d, values), hn::LoadMaskBits(d, bits)), d, to);
  return hn::Lanes(d);
}

// The vectors that the kernels use.
std::size_t compress_32(const std::uint32_t* values, std::uint64_t mask, std::uint32_t* to) {
  return compress_all(hn::CappedTag<std::uint32_t, 16>(), values, mask, to);
}
std::size_t compress_64(const std::uint64_t* values, std::uint64_t mask, std::uint64_t* to) {
  return compress_all(hn::CappedTag<std::uint64_t, 4>(), values, mask, to);
}
// Vectors shorter than the longest.
std::size_t compress_4x32(const std::uint32_t* values, std::uint64_t mask, std::uint32_t* to) {
  return compress_all(hn::CappedTag<std::uint32_t, 4>(), values, mask, to);
}

}  // namespace abut::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "instruction_sets.hpp"

namespace abut {
namespace {

ABUT_KERNEL(compress_32);
ABUT_KERNEL(compress_64);
ABUT_KERNEL(compress_4x32);

template <class T, class Compress>
void expect_plain(const Compress& compress) {
  const T all = static_cast<T>(~T{0});
  const std::vector<T> values = {7, all, 0, 3, 1, 2, all - 1, 5, 9, 8, 11, 13, 12, 10, 14, 6};
  std::vector<T> to(values.size());
  const std::size_t lanes = compress(values.data(), std::uint64_t{0}, to.data());
  ASSERT_GE(lanes, 1U);
  for (std::uint64_t mask = 0; mask < std::uint64_t{1} << lanes; ++mask) {
    std::vector<T> expected;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if ((mask >> lane & 1) != 0) expected.push_back(values[lane]);
    }
    to.assign(values.size(), 99);
    compress(values.data(), mask, to.data());
    to.resize(expected.size());
    ASSERT_EQ(to, expected) << lanes << " lanes, mask " << mask;
  }
}

TEST(compress, all_masks_with_every_set_of_instructions) {
  support::with_each_instruction_set([](const char* instructions) {
    SCOPED_TRACE(instructions);
    expect_plain<std::uint32_t>([](auto... a) { return ABUT_CALL(compress_32)(a...); });
    expect_plain<std::uint64_t>([](auto... a) { return ABUT_CALL(compress_64)(a...); });
    expect_plain<std::uint32_t>([](auto... a) { return ABUT_CALL(compress_4x32)(a...); });
  });
}

}  // namespace
}  // namespace abut
#endif
