#include "run/series_file.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <abut/error.hpp>

namespace abut::cli {

void cut_series(const std::string& path, const std::string& header, std::uint64_t step) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  std::string line;
  std::getline(file, line);
  if (line + "\n" != header) {
    throw error(fmt::format("{}: has other columns than this run writes; its scene has changed", path));
  }
  std::uintmax_t kept = header.size();
  while (std::getline(file, line) && !file.eof()) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (problem != std::errc() || number >= step) break;
    kept += line.size() + 1;
  }
  file.close();
  std::error_code problem;
  std::filesystem::resize_file(path, kept, problem);
  if (problem) throw error(fmt::format("{}: cannot write: {}", path, problem.message()));
}

}  // namespace abut::cli
