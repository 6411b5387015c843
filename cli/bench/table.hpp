#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "screen/words.hpp"

/// Tables of figures for people.
namespace abut::cli {

inline constexpr std::string_view heading = "1", red = "1;31", update_color = "36", find_color = "33";

/// The text in a color, if the style has colors.
[[nodiscard]] std::string colored(std::string_view text, std::string_view color, const text_style& style);

/// Spaces that make a text this wide.
[[nodiscard]] std::string padding(std::string_view text, std::size_t width);

struct cell {
  std::string text{};
  std::string_view color{};
};
using table_line = std::vector<cell>;

/// A table under a heading: the first `names` columns to the left, figures to the right. If it is too wide, the first
/// column stands on lines of its own.
[[nodiscard]] std::string table(std::vector<table_line> lines, std::size_t names, const text_style& style);

/// 0.123 as "0.12", 12345 as "12,345"; "<0.01" instead of a value that rounds to 0.
[[nodiscard]] std::string figure(double value);

}  // namespace abut::cli
