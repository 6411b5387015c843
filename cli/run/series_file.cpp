#include "run/series_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <abut/error.hpp>

namespace abut::cli {

std::optional<std::string> cut_series(const std::string& path, const std::string& header, std::uint64_t step) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::string line;
  std::getline(file, line);
  if (line + "\n" != header) {
    throw error(fmt::format("{}: has other columns than this run writes; its scene has changed", path));
  }
  std::uintmax_t kept = header.size();
  std::optional<std::string> last;
  while (std::getline(file, line) && !file.eof()) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (problem != std::errc() || number >= step) break;
    kept += line.size() + 1;
    last = line;
  }
  file.close();
  std::error_code problem;
  std::filesystem::resize_file(path, kept, problem);
  if (problem) throw error(fmt::format("{}: cannot write: {}", path, problem.message()));
  return last;
}

std::optional<double> series_number(std::string_view header, std::string_view row, std::string_view name) {
  const auto next = [](std::string_view& line) {
    const std::string_view first = line.substr(0, line.find(','));
    line.remove_prefix(std::min(first.size() + 1, line.size()));
    return first;
  };
  while (!header.empty() && !row.empty()) {
    const std::string_view number = next(row);
    if (next(header) != name) continue;
    double value = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (problem == std::errc() && end == number.data() + number.size()) return value;
    return {};
  }
  return {};
}

}  // namespace abut::cli
