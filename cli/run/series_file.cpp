#include "run/series_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {

namespace {

std::optional<std::uint64_t> step_of_row(const std::string& row) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(row.data(), row.data() + row.size(), number);
  return problem == std::errc() ? std::optional(number) : std::nullopt;
}

/// Throws if rows are missing before the step. There is one at the start, and after each `every` steps.
void check_rows(const std::string& path, const std::optional<std::string>& first,
                const std::optional<std::string>& last, const going_on& at) {
  const auto refuse_rows = [&](const std::string& how) {
    throw error(
        fmt::format("{}: {}; put the file back as it was, or add --force to go on without these rows", path, how));
  };
  if (at.begun >= at.step) return;
  if (!first || !last) refuse_rows(fmt::format("has no rows, and the run goes on from step {}", at.step));
  const std::uint64_t from = step_of_row(*first).value_or(0);
  const std::uint64_t to = step_of_row(*last).value_or(0);
  if (from != at.begun) {
    refuse_rows(fmt::format("rows are missing: the first is of step {}, and the run began at {}", from, at.begun));
  }
  if ((to / at.every + 1) * at.every < at.step) {
    refuse_rows(fmt::format("rows are missing: the last is of step {}, and the run goes on from {}, with a row each {}",
                            to, at.step, counted(at.every, "step")));
  }
}

}  // namespace

std::optional<std::string> cut_series(const std::string& path, const std::string& header, const going_on& at,
                                      bool whole) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  std::optional<std::string> first, last;
  std::uintmax_t kept = 0;
  if (!line.empty()) {
    if (line + "\n" != header) {
      throw error(
          fmt::format("{}: has other columns than this run writes, since its scene or the version of abut has changed; "
                      "move it away "
                      "and add --force to begin another one",
                      path));
    }
    kept = header.size();
    while (std::getline(file, line) && !file.eof()) {
      const auto number = step_of_row(line);
      if (!number || *number >= at.step) break;
      kept += line.size() + 1;
      last = line;
      if (!first) first = line;
    }
  }
  if (whole) check_rows(path, first, last, at);
  file.close();
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return {};
  if (kept == 0) {
    std::filesystem::remove(path, problem);  // it begins anew
  } else {
    std::filesystem::resize_file(path, kept, problem);
  }
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
