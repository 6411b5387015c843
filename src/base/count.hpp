#pragma once

#include <algorithm>
#include <cstdint>

namespace abut {

/// A count that was summed in double, since it can be greater than any integer.
[[nodiscard]] inline std::uint64_t count_of(double sum) { return static_cast<std::uint64_t>(std::min(sum, 1e19)); }

}  // namespace abut
