#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace abut::dem {

/// A number for messages: the shortest text that reads back as the same number.
[[nodiscard]] inline std::string text_of(double value) {
  char text[32];
  const auto [end, failure] = std::to_chars(text, text + sizeof text, value);
  return failure == std::errc() ? std::string(text, end) : std::string("?");
}

}  // namespace abut::dem
