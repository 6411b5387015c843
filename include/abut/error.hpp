#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <abut/api.h>

namespace abut {

/// A body's place in the user's arrays, from 0.
using row = std::uint32_t;

/// Means "no row", for example in the map given to `search::update`.
inline constexpr row no_row = 0xffff'ffff;

/// Thrown for invalid input. The message is one line that names the thing at fault, its value and how to fix it. A call
/// that throws it has changed nothing. The library never prints and never exits.
class ABUT_API error : public std::runtime_error {
 public:
  /// An error with this message, and the row of the body at fault, if there is one.
  explicit error(const std::string& message, std::optional<row> body = {}) : std::runtime_error(message), body_(body) {}

  /// The row of the body at fault, if there is one.
  [[nodiscard]] std::optional<row> body() const { return body_; }

 private:
  std::optional<row> body_;
};

}  // namespace abut
