#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string_view>

/// The vector instructions in use. Kernels are compiled once per instruction set (see base/kernels.hpp); the best one
/// that the processor has is chosen at run time. All sets find the same pairs in the same order.
namespace abut {

/// From the best to the least. If the compiler's baseline is none of the others, it counts as scalar.
enum class instruction_set : unsigned char { avx512, avx2, sse4, neon, scalar };
inline constexpr instruction_set all_instruction_sets[] = {instruction_set::avx512, instruction_set::avx2,
                                                           instruction_set::sse4, instruction_set::neon,
                                                           instruction_set::scalar};

/// Its name: "avx512", for example.
[[nodiscard]] const char* name_of(instruction_set set);

/// The sets that this build and this processor have, from the best to the least.
[[nodiscard]] std::span<const instruction_set> usable_instructions();
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
