#pragma once

namespace abut {

/// x to the power of a dimension, 2 or 3.
[[nodiscard]] constexpr double power(double x, int dimension) { return dimension == 2 ? x * x : x * x * x; }

}  // namespace abut
