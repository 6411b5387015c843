#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace abut::dem {

/// A number for messages: the shortest text that reads back as the same number.
[[nodiscard]] inline std::string text_of(double value) {
  char text[32];
  const auto [end, failure] = std::to_chars(text, text + sizeof text, value);
  return failure == std::errc() ? std::string(text, end) : std::string("?");
}

/// "0.0123": about how much something is, whatever its last bits are.
[[nodiscard]] inline std::string rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return text_of(value);
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  const double whole = std::round(value / unit);
  return text_of(unit < 1 ? whole / std::round(1 / unit) : whole * unit);
}

}  // namespace abut::dem
