#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "bodies_summary.hpp"
#include "contact_counts.hpp"
#include "search_options.hpp"

/// The verb `find`: its options, its result, and the report.
namespace abut::cli {

/// The options as given on the command line.
struct find_arguments : search_arguments {
  std::string method = "auto";
  std::vector<std::string> parameters{};
  std::string pairs{}, with{};
  bool ids = false, json = false;
};

/// What `find` reports.
struct find_result {
  bodies_summary bodies{};
  std::uint64_t pairs = 0;
  std::uint64_t hash = 0;
  coordination_histogram coordination{};
  abut::plan plan{};
  int threads = 1;
  double read_seconds = 0, update_seconds = 0, find_seconds = 0;
  abut::stats stats{};
  std::string pairs_path{};
};

/// The report for people, and for programs.
[[nodiscard]] std::string in_words(const find_result& result);
[[nodiscard]] std::string in_json(const find_result& result);

}  // namespace abut::cli
