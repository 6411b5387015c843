#pragma once

/// Included before Highway, by every file that is compiled once per set of vector instructions: the sets that none of
/// them uses. Vectors whose length is known at run time only cannot be members, do not come in blocks of four, and may
/// be shorter than the four doubles of a sphere. Such processors have NEON too.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
