// For a file that Highway compiles once per instruction set; included after <hwy/highway.h>, used where HWY_ONCE holds.
// `ABUT_KERNEL(f)` makes a table of the functions f of all sets, and `ABUT_CALL(f)` is the one of the set in use.
//
// Highway's own HWY_EXPORT and HWY_DYNAMIC_DISPATCH need its shared library, which spends milliseconds at the start of
// every process to measure the clock. This needs its headers only.
#pragma once

#include <cstddef>

#include "base/instructions.hpp"

#if (HWY_TARGETS & HWY_SSE4) && HWY_STATIC_TARGET != HWY_SSE4
#define ABUT_OF_SSE4(F) &N_SSE4::F
#else
#define ABUT_OF_SSE4(F) nullptr
#endif
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
#define ABUT_OF_AVX2(F) &N_AVX2::F
#else
#define ABUT_OF_AVX2(F) nullptr
#endif
#if (HWY_TARGETS & HWY_AVX3) && HWY_STATIC_TARGET != HWY_AVX3
#define ABUT_OF_AVX512(F) &N_AVX3::F
#else
#define ABUT_OF_AVX512(F) nullptr
#endif

// In the order of `instruction_set`.
#define ABUT_KERNEL(F)                                                                                \
  constexpr decltype(&HWY_STATIC_DISPATCH(F)) F##_kernels[instruction_set_count] = {                  \
      &HWY_STATIC_DISPATCH(F), ABUT_OF_SSE4(F), ABUT_OF_AVX2(F), ABUT_OF_AVX512(F)}
#define ABUT_CALL(F) F##_kernels[static_cast<std::size_t>(instructions_in_use())]
