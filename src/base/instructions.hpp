#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

/// The vector instructions in use. Kernels are compiled once per instruction set (see base/kernels.hpp); the best one
/// that the processor has is chosen at run time. All sets find the same pairs in the same order.
namespace abut {

/// From the least to the best. `baseline` is what the compiler may use everywhere: on x86-64, unless it is told
/// otherwise, no vectors; on ARM, NEON.
enum class instruction_set : unsigned char { baseline, sse4, avx2, avx512 };
inline constexpr std::size_t instruction_set_count = 4;

/// The sets that this build and this processor have, from the least to the best.
[[nodiscard]] std::span<const instruction_set> usable_instructions();

/// "scalar", "sse4", "avx2", "avx512" or "neon".
[[nodiscard]] const char* name_of(instruction_set set);
/// The usable set of this name, if there is one.
[[nodiscard]] std::optional<instruction_set> instructions_named(std::string_view name);

/// Uses one of the usable sets from now on, in the whole process; without one, the best. For tests and measurements.
void use_instructions(std::optional<instruction_set> set);

namespace detail {
inline std::atomic<int> chosen_instructions{-1};  // -1: not chosen yet
[[nodiscard]] int choose_instructions();
}  // namespace detail

/// The set in use.
[[nodiscard]] inline instruction_set instructions_in_use() {
  const int chosen = detail::chosen_instructions.load(std::memory_order_relaxed);
  return static_cast<instruction_set>(chosen >= 0 ? chosen : detail::choose_instructions());
}

}  // namespace abut
