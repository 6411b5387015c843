#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "generate/generate.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"

namespace abut::cli {
namespace {

constexpr double most_bodies = 5e7;

std::size_t read_count(std::string_view name, const std::string& text) {
  const std::optional<double> value = to_number(text);
  if (value && *value >= 1 && *value <= most_bodies && *value == std::floor(*value)) {
    return static_cast<std::size_t>(*value);
  }
  throw error(
      fmt::format("{} is {}; it must be a whole number from 1 to 50000000 (1e6 is a million)", name, in_quotes(text)));
}

/// Reads one of these words, which are in the order of the enum.
template <class Enum>
Enum read_word(std::string_view name, const std::string& text, const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<Enum>(found - words.begin());
  throw error(fmt::format("{} is {}; it must be one of {}", name, in_quotes(text), joined(words)));
}

void read_direction(generate_request& request, const std::string& text) {
  const std::vector<std::string_view> parts = comma_separated(text);
  double square = 0;
  for (std::size_t k = 0; k < parts.size() && k < 3; ++k) {
    const std::optional<double> value = to_number(parts[k]);
    request.direction[k] = value.value_or(std::nan(""));
    square += request.direction[k] * request.direction[k];
  }
  // The square must neither vanish nor overflow; NaN fails too.
  if (parts.size() == static_cast<std::size_t>(request.dimension) && square > 1e-100 && square < 1e100) return;
  throw error(fmt::format("--direction is {}; it must be {} numbers, not all 0, such as {}", in_quotes(text),
                          request.dimension, request.dimension == 2 ? "1,2" : "1,2,3"));
}

/// Reads one number, or for a lattice one for each axis.
void read_spacing(generate_request& request, const std::string& text) {
  const std::vector<std::string_view> parts = comma_separated(text);
  const auto axes = static_cast<std::size_t>(request.dimension);
  if (parts.size() > 1 && (request.kind != "lattice" || parts.size() != axes)) {
    throw error(fmt::format("--spacing is {}; it must be one number{}", in_quotes(text),
                            request.kind == "lattice" ? fmt::format(" or {}, one for each axis", axes) : ""));
  }
  for (std::size_t k = 0; k < axes; ++k) {
    request.spacing[k] =
        number_option("--spacing", std::string(parts[parts.size() > 1 ? k : 0]),
                      "a number of diameters, above 0 and up to 1e6", [](double v) { return v > 1e-6 && v <= 1e6; });
  }
}

void read_lengths(generate_request& request, const generate_arguments& given) {
  if (!given.diameter.empty()) {
    request.diameter = number_option("--diameter", given.diameter, "a number from 1e-30 to 1e30",
                                     [](double v) { return v >= 1e-30 && v <= 1e30; });
  }
  if (!given.spacing.empty()) read_spacing(request, given.spacing);
  if (!given.jitter.empty()) {
    request.jitter = number_option("--jitter", given.jitter, "a number of diameters from 0 to 1e6",
                                   [](double v) { return v >= 0 && v <= 1e6; });
  }
  if (!given.side.empty()) {
    request.side = number_option("--side", given.side, "a number of diameters from 0 to 1e100",
                                 [](double v) { return v >= 0 && v <= 1e100; });
  }
}

void read_sizes(generate_request& request, const generate_arguments& given) {
  if (!given.sizes.empty()) {
    request.sizes = read_word<samples::size_law>("--sizes", given.sizes, {"equal", "uniform", "r-3", "mass"});
  }
  if (!given.ratio.empty()) {
    request.ratio =
        number_option("--ratio", given.ratio, "a number from 1 to 1e6", [](double v) { return v >= 1 && v <= 1e6; });
  }
  if (request.kind == "packing" && request.ratio.value_or(1) != 1 && request.sizes == samples::size_law::equal) {
    throw error(fmt::format("--ratio {} is for sizes that differ; add --sizes uniform, r-3 or mass", given.ratio));
  }
  if (!given.fraction.empty()) {
    request.fraction = number_option("--fraction", given.fraction, "a number above 0 and below 1",
                                     [](double v) { return v > 1e-9 && v < 1; });
  }
}

void check_kind(const generate_arguments& given) {
  std::vector<std::string> names;
  for (const generate_kind& kind : generate_kinds()) names.emplace_back(kind.name);
  if (given.kind.empty()) throw error(fmt::format("no kind; name one of {}", joined(names)));
  if (std::find(names.begin(), names.end(), given.kind) != names.end()) return;
  const std::string near = nearest(given.kind, names);
  if (!near.empty()) throw error(fmt::format("unknown kind {}, did you mean {}?", in_quotes(given.kind), near));
  throw error(fmt::format("unknown kind {}; the kinds are {}", in_quotes(given.kind), joined(names)));
}

}  // namespace

generate_request understand_generate(const generate_arguments& given) {
  check_kind(given);
  generate_request request{.kind = given.kind, .single = given.single};
  if (given.count.empty()) throw error("no count; add --count N, such as --count 1e6");
  request.count = read_count("--count", given.count);
  if (given.out.empty()) throw error("no file to write; add --out FILE, a .npy or .csv");
  request.seed = seed_option(given.seed);
  if (!given.dimension.empty())
    request.dimension = static_cast<int>(whole_option("--dimension", given.dimension, 2, 3));
  read_lengths(request, given);
  read_sizes(request, given);
  if (!given.each.empty()) request.each = read_count("--each", given.each);
  if (!given.arrangement.empty()) {
    request.arrangement = read_word<samples::arrangement>("--arrangement", given.arrangement, {"cubic", "hexagonal"});
  }
  if (!given.direction.empty()) read_direction(request, given.direction);
  if (given.shuffle && given.no_shuffle) throw error("both --shuffle and --no-shuffle are given; choose one");
  request.shuffled = !given.no_shuffle;
  return request;
}

}  // namespace abut::cli
