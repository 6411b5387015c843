// For a file that Highway compiles once per instruction set. Include it after <hwy/highway.h>, and use it where
// HWY_ONCE holds. `ABUT_KERNEL(f)` makes a table of the functions f of all sets, and `ABUT_CALL(f)` is the function of
// the set in use.
//
// Highway's own HWY_EXPORT and HWY_DYNAMIC_DISPATCH need its shared library, which spends milliseconds at the start of
// every process to measure the clock. This needs its headers only.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>

#include "base/instructions.hpp"

namespace abut {

/// The set that the compiler may use everywhere.
inline constexpr instruction_set baseline_instructions = HWY_STATIC_TARGET == HWY_AVX3   ? instruction_set::avx512
                                                         : HWY_STATIC_TARGET == HWY_AVX2 ? instruction_set::avx2
                                                         : HWY_STATIC_TARGET == HWY_SSE4 ? instruction_set::sse4
                                                         : HWY_STATIC_TARGET == HWY_NEON ? instruction_set::neon
                                                                                         : instruction_set::scalar;

/// The functions of a kernel, by instruction set; null for sets that are not compiled.
template <class F>
using kernel_table = std::array<F, std::size(all_instruction_sets)>;

template <class F>
constexpr kernel_table<F> table_of(F baseline, kernel_table<F> others) {
  others[static_cast<std::size_t>(baseline_instructions)] = baseline;
  return others;
}

}  // namespace abut

#if HWY_TARGETS & HWY_AVX3
#define ABUT_OF_AVX512(F) &N_AVX3::F
#else
#define ABUT_OF_AVX512(F) nullptr
#endif
#if HWY_TARGETS & HWY_AVX2
#define ABUT_OF_AVX2(F) &N_AVX2::F
#else
#define ABUT_OF_AVX2(F) nullptr
#endif
#if HWY_TARGETS & HWY_SSE4
#define ABUT_OF_SSE4(F) &N_SSE4::F
#else
#define ABUT_OF_SSE4(F) nullptr
#endif

#define ABUT_KERNEL(F)                                                      \
  constexpr auto F##_kernels = table_of<decltype(&HWY_STATIC_DISPATCH(F))>( \
      &HWY_STATIC_DISPATCH(F), {ABUT_OF_AVX512(F), ABUT_OF_AVX2(F), ABUT_OF_SSE4(F)})
#define ABUT_CALL(F) F##_kernels[static_cast<std::size_t>(instructions_in_use())]
