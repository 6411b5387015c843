#pragma once

#include <string_view>

#include <abut/api.h>

namespace abut {

/// The vector instructions in use, the best that the processor has: "avx512", "avx2", "sse4", "neon" or "scalar".
[[nodiscard]] ABUT_API std::string_view instructions();

}  // namespace abut
