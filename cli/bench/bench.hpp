#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/abut.hpp>

#include "bodies_summary.hpp"
#include "screen/progress.hpp"
#include "search_options.hpp"

/// The parts of the verb `bench`: what is asked, how it is measured, what comes out, and how it is told.
namespace abut::cli {

/// Above this many bodies, methods whose time grows as the square are neither in `all` nor the reference.
inline constexpr std::size_t most_for_quadratic = 50'000;

/// The options as they stand on the command line.
struct bench_arguments : search_arguments {
  std::string methods = "all";
  std::string steps{}, move{}, repeat{}, seed{};
  bool json = false;
};

/// The options, understood.
struct bench_request {
  search_request search{};
  bool all = false;             ///< every method of the table
  std::vector<plan> named{};    ///< and these
  int steps = 1;                ///< at least 1
  double move = 0;              ///< in diameters, per axis and step
  std::optional<int> repeat{};  ///< nothing: at least 5, for 2 s or more
  std::uint64_t seed = 1;
};

/// Throws `error` for the first option that makes no sense.
[[nodiscard]] bench_request understand_bench(const bench_arguments& given);

/// The plans to measure for this many bodies, none twice; `left_out` gets the names of the methods that `all` leaves
/// out.
[[nodiscard]] std::vector<plan> plans_for(const bench_request& request, std::size_t bodies,
                                          std::vector<std::string>& left_out);

/// The middle of many values, and the quartiles around it.
struct spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// Not of no values.
[[nodiscard]] spread spread_of(std::vector<double> values);

/// What was measured of one plan.
struct bench_row {
  /// Pairs that are not those of the reference.
  struct mistake {
    int step = 0;  ///< the first of them, from 1
    std::uint64_t pairs = 0;
    std::uint64_t right_pairs = 0;
  };

  plan asked{};
  plan planned{};                           ///< at the last step
  spread plan_seconds{};                    ///< to read the plan and make the search
  spread first_seconds{};                   ///< the first update of a search
  spread update_seconds{};                  ///< the later ones; the first where there is no other
  spread find_seconds{};                    ///< every pair, read by the user's function
  std::uint64_t candidates = 0, tests = 0;  ///< over all steps
  std::uint64_t pairs_of_all_steps = 0;     ///< likewise
  std::uint64_t pairs = 0, hash = 0;        ///< at the last step
  std::uint64_t bytes = 0;                  ///< the most held at any step
  std::optional<mistake> wrong{};

  [[nodiscard]] bool exact() const { return !wrong; }
};

/// What came out.
struct bench_result {
  bodies_summary bodies{};
  int threads = 1;
  int steps = 1;
  int repeat = 1;
  double move = 0;
  std::uint64_t seed = 1;
  std::string reference{};
  std::uint64_t first_pairs = 0, last_pairs = 0;  ///< of the reference, at the first step and at the last
  std::string machine{};                          ///< the processor's name; empty: not known
  std::vector<std::string> left_out{};
  std::vector<bench_row> rows{};  ///< as they were asked for
};

/// Measures these plans on the bodies of `file`. Throws `error` as `search` and its `update` do.
void measure(bench_result& result, const std::vector<plan>& plans, const bench_request& request,
             const bench_arguments& given, const bodies_file& file, const options& chosen, progress_line& progress);

/// How words may look where they are going to be shown.
struct look {
  std::size_t width = 80;
  bool color = false;
  bool unicode = false;
};
[[nodiscard]] look look_of_stdout();

/// For people, and for programs.
[[nodiscard]] std::string in_words(const bench_result& result, const look& how);
[[nodiscard]] std::string in_json(const bench_result& result);

/// The plans that found other pairs than the reference, in one line; empty: none did.
[[nodiscard]] std::string mistakes_in_words(const bench_result& result);

}  // namespace abut::cli
