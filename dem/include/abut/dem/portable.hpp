#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

/// Functions with the same bits on every machine: those of the C library differ between libraries and processors. They
/// use only + - * /, floor, frexp and ldexp. Compile without fused operations.
namespace abut::dem {

/// The natural logarithm of a positive finite number. Exact to about 1e-16, relative to the larger of the result and 1.
[[nodiscard]] inline double portable_log(double a) {
  int exponent = 0;
  double m = std::frexp(a, &exponent);  // in [1/2, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // log m = 2 atanh(s) with |s| < 0.172. The first omitted term is below 1e-19.
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double sum = 0;
  for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * s2;
  // log 2 in two parts: the first has so few digits that its product with the exponent is exact.
  constexpr double high = 0.693147180369123816490;
  constexpr double low = 1.90821492927058770002e-10;
  return exponent * high + (exponent * low + (2 * s + 2 * s * sum));
}

/// The cube root of a number; 0 for one that is not above 0. Exact to about 2e-16, relative to the result.
[[nodiscard]] inline double portable_cube_root(double a) {
  if (!(a > 0)) return 0;
  int exponent = 0;
  std::frexp(a, &exponent);
  double x = std::ldexp(1.0, exponent / 3 + 1);  // above the root, from where Newton's steps decrease
  for (;;) {
    const double next = (2 * x + a / (x * x)) / 3;
    if (!(next < x)) return x;
    x = next;
  }
}

/// The sine of an angle shifted by a whole number of right angles: portable_sin and portable_cos.
[[nodiscard]] inline double portable_sin_shifted(double angle, std::int64_t right_angles) {
  // pi/2 in three parts: the first two have so few digits that their products with up to 2^28 are exact.
  constexpr double high = 0x1.921fb5p+0;
  constexpr double middle = 0x1.110b46p-26;
  constexpr double low = 0x1.1a62633145c07p-54;
  if (!(std::abs(angle) <= 1e8)) return std::numeric_limits<double>::quiet_NaN();
  const double turns = std::floor(angle / (high + middle) + 0.5);
  const double a = ((angle - turns * high) - turns * middle) - turns * low;  // in [-pi/4, pi/4]
  const std::int64_t quadrant = (static_cast<std::int64_t>(turns) + right_angles) & 3;
  const double a2 = a * a;
  double sum = 0;
  if ((quadrant & 1) == 0) {  // a - a^3/3! + ... - a^19/19!
    for (int k = 19; k >= 3; k -= 2) sum = -(1 + sum) * a2 / (k * (k - 1));
    sum = a + a * sum;
  } else {  // 1 - a^2/2! + ... + a^20/20!
    for (int k = 20; k >= 4; k -= 2) sum = -(1 + sum) * a2 / (k * (k - 1));
    sum = 1 - (1 + sum) * a2 / 2;
  }
  return quadrant < 2 ? sum : -sum;
}

/// The sine of an angle in radians, of at most 1e8 in magnitude (otherwise not a number). Exact to about 2e-16.
[[nodiscard]] inline double portable_sin(double angle) { return portable_sin_shifted(angle, 0); }
/// The cosine of an angle in radians, of at most 1e8 in magnitude (otherwise not a number). Exact to about 2e-16.
[[nodiscard]] inline double portable_cos(double angle) { return portable_sin_shifted(angle, 1); }

}  // namespace abut::dem
