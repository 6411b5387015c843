#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators.hpp"

/// The verb `generate`: its options, the kinds of samples, and the report.
namespace abut::cli {

/// The options as given on the command line.
struct generate_arguments {
  std::string kind{}, count{}, seed{}, diameter{}, out{};
  std::string dimension{}, spacing{}, jitter{}, sizes{}, ratio{}, fraction{}, each{}, side{}, arrangement{},
      direction{};
  bool shuffle = false, no_shuffle = false;
  bool single = false, json = false;
};

/// The parsed options. An optional one has a default that depends on the kind.
struct generate_request {
  std::string kind{};
  std::size_t count = 0;
  std::uint64_t seed = 1;
  int dimension = 3;
  double diameter = 1;
  std::array<double, 3> spacing = {1, 1, 1};  ///< on each axis; spacing and jitter are in diameters
  std::optional<double> jitter{};
  samples::size_law sizes = samples::size_law::equal;
  std::optional<double> ratio{};
  double fraction = 0.3;
  std::size_t each = 1000;
  double side = 1e5;  ///< in diameters
  samples::arrangement arrangement = samples::arrangement::cubic;
  std::array<double, 3> direction = {1, 0, 0};
  bool shuffled = true;
  bool single = false;
  std::function<void(double part)> progress{};
};

/// One kind of sample.
struct generate_kind {
  std::string_view name;
  std::string_view summary;
  std::vector<std::string_view> options;                     ///< the options that not every kind has
  samples::packed (*make)(const generate_request& request);  ///< `side` is 0 if there is no box
};
[[nodiscard]] const std::vector<generate_kind>& generate_kinds();

/// Parses the options. Throws `error` for the first that is invalid.
[[nodiscard]] generate_request understand_generate(const generate_arguments& given);

/// What `generate` reports.
struct generate_result {
  std::string kind{};
  std::uint64_t seed = 1;
  int dimension = 3;
  std::uint64_t bodies = 0;
  std::array<double, 3> min{}, max{};  ///< of the box around the bodies
  double d_min = 0, d_max = 0;         ///< the smallest and largest diameter
  double volume = 0;                   ///< of all bodies together
  double side = 0;                     ///< of the box at the origin that a packing fills; 0 for other kinds
  std::string file{};
  std::uint64_t bytes = 0;
  double make_seconds = 0, write_seconds = 0;

  /// The bodies' volume as a part of the packing's box, or else of the box around the bodies.
  [[nodiscard]] double fraction() const;
};

/// Fills in what depends on the bodies. Throws `error` if a number is too large for the file or for a search.
void measure(generate_result& result, const samples::set& bodies, bool single);

/// The report for people, and for programs.
[[nodiscard]] std::string in_words(const generate_result& result);
[[nodiscard]] std::string in_json(const generate_result& result);

}  // namespace abut::cli
