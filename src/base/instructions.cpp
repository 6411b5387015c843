#include "base/instructions.hpp"

#include <array>
#include <iterator>

#include <abut/instructions.hpp>

#include "base/vector_targets.hpp"

#include <hwy/highway.h>

#include "base/kernels.hpp"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace abut {

namespace {

#if HWY_ARCH_X86

bool has_bit_of_cpuid(unsigned leaf, unsigned bit) {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (c >> bit & 1) != 0;
}

// The builtin returns an int in g++ and a bool in clang.
#define ABUT_HAS(NAME) static_cast<bool>(__builtin_cpu_supports(NAME))

// Whether the processor has the instructions that Highway's code for a set may use, and the system saves their
// registers.
bool processor_has(instruction_set set) {
  __builtin_cpu_init();
  constexpr unsigned f16c = 29;
  constexpr unsigned lzcnt = 5;
  switch (set) {
    case instruction_set::sse4:
      return ABUT_HAS("ssse3") && ABUT_HAS("sse4.1") && ABUT_HAS("sse4.2") && ABUT_HAS("aes") && ABUT_HAS("pclmul");
    case instruction_set::avx2:
      return processor_has(instruction_set::sse4) && ABUT_HAS("avx2") && ABUT_HAS("bmi") && ABUT_HAS("bmi2") &&
             ABUT_HAS("fma") && has_bit_of_cpuid(1, f16c) && has_bit_of_cpuid(0x80000001U, lzcnt);
    case instruction_set::avx512:
      return processor_has(instruction_set::avx2) && ABUT_HAS("avx512f") && ABUT_HAS("avx512vl") &&
             ABUT_HAS("avx512dq") && ABUT_HAS("avx512bw") && ABUT_HAS("avx512cd");
    case instruction_set::neon:
    case instruction_set::scalar:
      break;
  }
  return false;
}

#undef ABUT_HAS

#else

bool processor_has(instruction_set) { return false; }

#endif

struct usable_sets {
  std::array<instruction_set, std::size(all_instruction_sets)> sets{};
  std::size_t count = 0;

  usable_sets() {
    add(instruction_set::avx512, HWY_AVX3);
    add(instruction_set::avx2, HWY_AVX2);
    add(instruction_set::sse4, HWY_SSE4);
    add(baseline_instructions, HWY_STATIC_TARGET);
  }
  void add(instruction_set set, long long target) {
    if ((HWY_TARGETS & target) == 0 || (count > 0 && sets[count - 1] == set)) return;
    if (set == baseline_instructions || processor_has(set)) sets[count++] = set;
  }
};

}  // namespace

const char* name_of(instruction_set set) {
  constexpr const char* names[] = {"avx512", "avx2", "sse4", "neon", "scalar"};
  return names[static_cast<std::size_t>(set)];
}

std::span<const instruction_set> usable_instructions() {
  static const usable_sets found;
  return {found.sets.data(), found.count};
}

std::optional<instruction_set> instructions_named(std::string_view name) {
  for (const instruction_set set : usable_instructions()) {
    if (name == name_of(set)) return set;
  }
  return {};
}

void use_instructions(std::optional<instruction_set> set) {
  detail::chosen_instructions.store(static_cast<int>(set.value_or(usable_instructions().front())),
                                    std::memory_order_relaxed);
}

std::string_view instructions() { return name_of(instructions_in_use()); }

int detail::choose_instructions() {
  use_instructions({});
  return chosen_instructions.load(std::memory_order_relaxed);
}

}  // namespace abut
