#pragma once

#include <string>
#include <string_view>

#include "plan/constants.hpp"

namespace abut {

/// The constants as text: a line `name ns` for each, in the order of all_costs(). Reads back to the bit.
[[nodiscard]] std::string constants_text(const cost_constants& c);

/// The constants that a text stands for: the name of a set of vector instructions, or "built-in" for the set in use, or
/// the lines of `constants_text` in any order, each once. Throws `error` that names the line and the constant.
[[nodiscard]] cost_constants read_constants(std::string_view text);

/// Checks `options::constants`, which may be empty. Throws `error` as `read_constants` does.
void check_constants(std::string_view text);

}  // namespace abut
