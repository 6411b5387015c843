#pragma once

/// The function that reports a failed check is in Highway's library, which we do without (see base/kernels.hpp). So
/// these checks are off.
#define HWY_IS_DEBUG_BUILD 0

/// The instruction sets that we do not compile for; every file that Highway compiles once per instruction set includes
/// this first. Vectors of a length known only at run time cannot be members of a class, need not be multiples of four
/// lanes, and may be shorter than a sphere's four doubles. ARM processors that have them have NEON too. Processors with
/// SSSE3 but not SSE4 are from before 2008. A build may leave out more: ABUT_INSTRUCTIONS in CMakeLists.txt.
#ifndef ABUT_LEFT_OUT
#define ABUT_LEFT_OUT 0
#endif
#define HWY_DISABLED_TARGETS (ABUT_LEFT_OUT | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
