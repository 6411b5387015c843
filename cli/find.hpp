#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "bodies_file.hpp"

/// The parts of the verb `find`: what is asked, what comes out, and how it is told.
namespace abut::cli {

/// The options as they stand on the command line.
struct find_arguments {
  std::string bodies;
  bool demo = false;
  std::string method = "auto";
  std::vector<std::string> parameters;
  std::string scale, margin, threads, periodic, domain, pairs;
  bool json = false;
};

/// The options, understood. What depends on the bodies (the axes they have) is checked later.
struct find_request {
  abut::plan plan{};
  std::optional<double> scale{};
  double margin = 0;
  int threads = 0;
  std::array<bool, 3> periodic{};
  std::vector<interval> domain{};  ///< empty: not given
};

/// Throws `error` for the first option that makes no sense.
[[nodiscard]] find_request understand(const find_arguments& given);

/// What the search is to keep to for these bodies. Throws `error` where an axis or a stretch is missing.
[[nodiscard]] options options_for(const find_request& request, const bodies_file& file, const std::string& name);

/// What came out.
struct find_result {
  std::string source{};  ///< the file as the user named it, or "demo"
  shape kind = shape::sphere;
  int dimension = 3;
  std::uint64_t bodies = 0;
  std::uint64_t pairs = 0;
  std::uint64_t hash = 0;
  abut::plan plan{};
  int threads = 1;
  double read_seconds = 0, plan_seconds = 0, update_seconds = 0, find_seconds = 0;
  abut::stats stats{};
  std::string note{};
  std::string pairs_path{};
};

/// For people, and for programs.
[[nodiscard]] std::string in_words(const find_result& result);
[[nodiscard]] std::string in_json(const find_result& result);

}  // namespace abut::cli
