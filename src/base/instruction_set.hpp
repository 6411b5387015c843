#pragma once

#include <string_view>

namespace abut {

/// The sets of vector instructions that the costs of methods are known for. Another set with vectors of 128 bits counts
/// as SSE4.
enum class instruction_set : unsigned char { avx512, avx2, sse4, neon, scalar };
inline constexpr instruction_set all_instruction_sets[] = {instruction_set::avx512, instruction_set::avx2,
                                                           instruction_set::sse4, instruction_set::neon,
                                                           instruction_set::scalar};

/// The set that the vector loops use in this process: the best that the machine has, unless Highway was told otherwise.
[[nodiscard]] instruction_set instructions_in_use();

/// Its name, such as "AVX-512".
[[nodiscard]] std::string_view name_of(instruction_set s);

}  // namespace abut
