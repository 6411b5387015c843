#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <abut/api.h>

namespace abut {

/// The row of a body, from 0, in the order of the user's own arrays.
using row = std::uint32_t;

/// Stands for "no row", for example in the map given to `search::update`.
inline constexpr row no_row = 0xffff'ffff;

/// What the library throws for bad input: one line that names the thing, its value and the way out. It is thrown at the
/// door (`update`, `plan`, `search`), before anything is changed. The library never prints and never exits.
class ABUT_API error : public std::runtime_error {
 public:
  /// An error with this message, about this body where one is at fault.
  explicit error(const std::string& message, std::optional<row> body = {}) : std::runtime_error(message), body_(body) {}

  /// The row of the body at fault, where there is one.
  [[nodiscard]] std::optional<row> body() const { return body_; }

 private:
  std::optional<row> body_;
};

}  // namespace abut
