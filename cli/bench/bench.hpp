#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/abut.hpp>

#include "base/instructions.hpp"
#include "bodies_summary.hpp"
#include "screen/progress.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"

/// The verb `bench`: its options, the measurement, its result, and the report.
namespace abut::cli {

/// Above this many bodies, quadratic methods are neither part of `all` nor the reference.
inline constexpr std::size_t most_for_quadratic = 50'000;

/// The options as given on the command line.
struct bench_arguments : search_arguments {
  std::string methods = "all";
  std::string instructions{}, steps{}, move{}, repeat{}, seed{};
  bool counts = false, json = false;
};

/// The parsed options.
struct bench_request {
  search_request search{};
  bool all = false;                     ///< every method of the table
  std::vector<plan> named{};            ///< as well as these
  std::vector<instruction_set> sets{};  ///< every plan runs with each; at least one, none twice
  int steps = 1;                        ///< at least 1
  double move = 0;                      ///< in diameters, per axis and step
  std::optional<int> repeat{};          ///< if not given: at least 5, for 2 s or more
  std::uint64_t seed = 1;
  bool counts = false;  ///< measure parts of the bodies too, to see how work grows with their number
};

/// Parses the options. Throws `error` for the first that is invalid.
[[nodiscard]] bench_request understand_bench(const bench_arguments& given);

/// The value of --instructions: the usable sets of these names. `all` stands for every one; without names, the set in
/// use.
[[nodiscard]] std::vector<instruction_set> instructions_option(const std::string& text);

/// The plans to measure for this many bodies, none twice. Adds the methods that `all` leaves out to `left_out`.
[[nodiscard]] std::vector<plan> plans_for(const bench_request& request, std::size_t bodies,
                                          std::vector<std::string>& left_out);

/// The median and the quartiles of some values.
struct spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// There must be at least one value.
[[nodiscard]] spread spread_of(std::vector<double> values);

/// What a method counts besides candidates and tests: the mean of the steps after the first, or of the only step.
struct named_count {
  std::string name{};
  double each = 0;
};

/// How a figure of a plan grows with the number of bodies.
struct growth {
  std::string name{};
  std::vector<double> values{};   ///< of all bodies together, for each of `bench_result::sizes`
  std::optional<double> power{};  ///< p in N^p; none if a value is 0
};

/// What was measured for one plan with one set of vector instructions.
struct measured_plan {
  /// The first step whose pairs differ from the reference's.
  struct mistake {
    int step = 0;  ///< from 1
    std::uint64_t pairs = 0;
    std::uint64_t right_pairs = 0;
  };

  plan asked{};
  instruction_set instructions{};
  plan planned{};                           ///< at the last step
  spread plan_seconds{};                    ///< to read the plan and make the search
  spread first_seconds{};                   ///< the first update of a search
  spread update_seconds{};                  ///< the later ones; the first if there is no other
  spread find_seconds{};                    ///< every pair, read by a user's function
  std::uint64_t candidates = 0, tests = 0;  ///< over all steps
  std::uint64_t pairs_of_all_steps = 0;     ///< over all steps
  std::uint64_t pairs = 0, hash = 0;        ///< at the last step
  std::uint64_t bytes = 0;                  ///< the most at any step
  std::vector<named_count> counts{};
  std::vector<growth> grows{};  ///< the times, candidates, tests and counts; empty unless asked for
  std::optional<mistake> wrong{};

  [[nodiscard]] bool exact() const { return !wrong; }
};

/// What `bench` reports.
struct bench_result {
  bodies_summary bodies{};
  int threads = 1;
  int steps = 1;
  int repeat = 1;
  double move = 0;
  std::uint64_t seed = 1;
  std::string reference{};
  std::uint64_t first_pairs = 0, last_pairs = 0;  ///< of the reference, at the first step and at the last
  std::string machine{};                          ///< the processor's name; empty if unknown
  std::vector<std::string> left_out{};
  std::vector<std::uint64_t> sizes{};     ///< with --counts: how many bodies each part has, all of them last
  bool names_sets = false;                ///< whether words name the instruction sets: several, or not the best
  std::vector<measured_plan> measured{};  ///< in the order of the request: plan by plan, each with every set
};

/// Measures these plans on the bodies of `file`; afterwards, the best instruction set is in use. Throws `error` as
/// `search` and its `update` do.
void measure(bench_result& result, const std::vector<plan>& plans, const bench_request& request,
             const bench_arguments& given, const bodies_file& file, const options& chosen, progress_line& progress);

/// The p for which values grow as N^p, by least squares of their logarithms; none if there are fewer than two sizes or
/// if a value is not positive.
[[nodiscard]] std::optional<double> power_of(const std::vector<std::uint64_t>& sizes,
                                             const std::vector<double>& values);

/// The `count` innermost bodies: those nearest to the middle of the box around all centers, by distances relative to
/// its sides. So parts of a set have its shape and its density. Rows keep their order.
[[nodiscard]] bodies_file innermost(const bodies_file& file, std::size_t count);

/// As `measure`, but also on the innermost half, quarter and eighth of the bodies; fills in `sizes` and `grows`. Throws
/// `error` if there are too few bodies.
void measure_growth(bench_result& result, const std::vector<plan>& plans, const bench_request& request,
                    const bench_arguments& given, const bodies_file& file, const options& chosen,
                    progress_line& progress);

/// The method that finds the right pairs of this many bodies.
[[nodiscard]] std::string reference_for(std::size_t bodies);

/// The report for people, and for programs.
[[nodiscard]] std::string in_words(const bench_result& result, const text_style& style);
/// What it says about growth, as a table.
[[nodiscard]] std::string growth_in_words(const bench_result& result, const text_style& style);
[[nodiscard]] std::string in_json(const bench_result& result);

/// One line that names the plans (and sets) whose pairs differ from the reference's; empty if there are none.
[[nodiscard]] std::string mistakes_in_words(const bench_result& result);

}  // namespace abut::cli
