#pragma once

#include <cmath>

namespace abut::dem {

/// The natural logarithm of a positive finite number, with the same bits on every machine: std::log differs between
/// libraries and processors. Exact to about 1e-16, relative to the larger of the result and 1. Uses only + - * / and
/// frexp. Compile without fused operations.
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

}  // namespace abut::dem
