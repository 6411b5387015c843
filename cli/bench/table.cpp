#include "bench/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace abut::cli {

std::string colored(std::string_view text, std::string_view color, const text_style& style) {
  if (!style.color || color.empty() || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", color, text);
}

std::string padding(std::string_view text, std::size_t width) {
  const std::size_t length = characters(text);
  return fmt::format("{:{}}", "", width > length ? width - length : 0);
}

std::string table(std::vector<table_line> lines, std::size_t names, const text_style& style) {
  for (cell& c : lines.front()) c.color = heading;
  std::vector<std::size_t> widths(lines.front().size());
  for (const table_line& cells : lines) {
    for (std::size_t k = 0; k < cells.size(); ++k) widths[k] = std::max(widths[k], characters(cells[k].text));
  }
  const std::size_t rest = std::accumulate(widths.begin() + 1, widths.end(), 2 * (widths.size() - 1));
  const bool apart = widths[0] + rest > style.width;
  std::string text;
  for (const table_line& cells : lines) {
    text += colored(cells[0].text, cells[0].color, style);
    if (!apart) text += padding(cells[0].text, widths[0]);
    if (apart && !cells[0].text.empty()) text += '\n';
    for (std::size_t k = 1; k < cells.size(); ++k) {
      const std::string filling = padding(cells[k].text, widths[k]);
      text += (k < names ? "  " : "  " + filling) + colored(cells[k].text, cells[k].color, style);
      if (k < names) text += filling;
    }
    text += '\n';
  }
  return text;
}

std::string figure(double value) {
  if (value > 0 && value < 0.005) return "<0.01";
  if (value >= 999.5) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  return three_digits(value);
}

}  // namespace abut::cli
