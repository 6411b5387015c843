#pragma once

// Some loops are compiled twice: for any processor (`plain`), and for those with AVX2 (`wide`). They are in files that
// are included twice, with ABUT_SET as the name of the namespace; ABUT_WIDE_BEGIN and ABUT_WIDE_END enclose the second
// time, in which ABUT_WIDE_SET is 1. What such a file includes must have been included before. Fused operations are not
// among AVX2, so results have the same bits.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__x86_64__) && !defined(__AVX2__)
#define ABUT_TWO_SETS 1
#if defined(__clang__)
#define ABUT_WIDE_BEGIN _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define ABUT_WIDE_END _Pragma("clang attribute pop")
#else
#define ABUT_WIDE_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define ABUT_WIDE_END _Pragma("GCC pop_options")
#endif
#else
#define ABUT_TWO_SETS 0
#endif

// 32 bytes are passed in memory or in a register, depending on the set; all functions that take them are inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
