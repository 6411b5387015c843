#include "base/instruction_set.hpp"

#include <cstddef>

#include "base/vector_targets.hpp"  // before Highway

#include <hwy/targets.h>

namespace abut {

// Reads what Highway chose instead of asking the processor, which takes microseconds in a virtual machine.
instruction_set instructions_in_use() {
#if HWY_ARCH_ARM
  return (HWY_TARGETS & HWY_NEON) != 0 ? instruction_set::neon : instruction_set::scalar;
#elif HWY_ARCH_X86
  hwy::ChosenTarget& chosen = hwy::GetChosenTarget();
  if (!chosen.IsInitialized()) chosen.Update(hwy::SupportedTargets());
  const long long target = 1LL << chosen.GetIndex();  // better sets have lower bits
  if (target == HWY_CHOSEN_TARGET_MASK_SCALAR) return instruction_set::scalar;
  constexpr long long avx2 = HWY_CHOSEN_TARGET_SHIFT(HWY_AVX2);
  if (target < avx2) return instruction_set::avx512;
  return target == avx2 ? instruction_set::avx2 : instruction_set::sse4;
#else
  return (HWY_TARGETS & (HWY_SCALAR | HWY_EMU128)) == HWY_TARGETS ? instruction_set::scalar : instruction_set::sse4;
#endif
}

std::string_view name_of(instruction_set s) {
  constexpr std::string_view names[] = {"AVX-512", "AVX2", "SSE4", "NEON", "scalar"};
  return names[static_cast<std::size_t>(s)];
}

}  // namespace abut
