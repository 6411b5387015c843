#include "bench/planner.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "plan.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* planner_examples =
    R"(For each sample: the time of the chosen plan (ns per body for update and find)
and of the best plan found by trying every method, with the parameters that it
chooses by itself and with other values. Planning is done once. Samples that
move are measured over many steps; there the choice is that of auto, which
observes the motion. One thread. Takes some minutes.

Examples:
  abut bench planner
  abut bench planner --seed 7
  abut bench planner --only giant,sheet)";

std::vector<planner_sample> samples_of(const std::string& names) {
  if (names.empty()) return planner_samples();
  std::vector<planner_sample> some;
  std::vector<std::string> known;
  for (const planner_sample& s : planner_samples()) known.push_back(s.name);
  for (const std::string_view name : comma_separated(names)) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      const std::string near = nearest(name, known);
      throw error(fmt::format(
          "--only {}: there is no sample {}{}", in_quotes(names), in_quotes(name),
          near.empty() ? "; they are " + joined(known) : fmt::format(", did you mean {}?", in_quotes(near))));
    }
    some.push_back(planner_samples()[static_cast<std::size_t>(at - known.begin())]);
  }
  return some;
}

void print_result(const planner_result& result) {
  std::string good;
  for (const tried_plan& t : result.as_good) good += fmt::format("{}{}", good.empty() ? "" : ", ", t.what.text());
  print_out(fmt::format("{:<14} {:>9}  {:>8}  {:>6}  {:>6}  {:>5.2f}  {}\n", result.name, with_commas(result.bodies),
                        three_digits(result.planning_time), three_digits(result.chosen_time),
                        three_digits(result.best.time), result.ratio(), result.chosen.text()));
  print_out(fmt::format("{:<57}best of {}: {}\n", "", result.tried, result.best.what.text()));
  if (!good.empty()) print_out(fmt::format("{:<57}as good: {}\n", "", good));
  flush_out();
}

void run_planner_bench(const planner_arguments& given) {
  const std::uint64_t seed = seed_option(given.seed);
  const std::vector<planner_sample> samples = samples_of(given.only);
  calibrate_once(false, print_err);
  print_out(fmt::format("{:<14} {:>9}  {:>8}  {:>6}  {:>6}  {:>5}  {}\n", "sample", "bodies", "planning", "chosen",
                        "best", "ratio", "the chosen plan, and the best"));
  flush_out();
  double worst = 0;
  std::string where;
  for (const planner_sample& sample : samples) {
    progress_line progress;
    const std::string which =
        fmt::format("{}, sample {} of {}", sample.name, &sample - samples.data() + 1, samples.size());
    progress.stage(which);
    const planner_result result = try_sample(sample, seed, given.quick, [&](const std::string& what) {
      progress.rename(fmt::format("{}: {}", which, what));
    });
    progress.stop();
    print_result(result);
    if (result.ratio() > worst) {
      worst = result.ratio();
      where = result.name;
    }
  }
  print_out(fmt::format("worst: {:.2f} times the best, for {} (seed {})\n", worst, where, seed));
}

}  // namespace

void add_bench_planner(verb bench) {
  const auto given = std::make_shared<planner_arguments>();
  verb planner = bench.add_verb("planner", "Compare the planner with the best of all plans, on samples");
  planner.add_option("--seed", given->seed, "SEED", "The seed of the samples");
  planner.add_option("--only", given->only, "SAMPLES", "Only these samples, separated by commas");
  planner.add_flag("--quick", given->quick, "Few bodies and rounds, to see that it works");
  planner.set_footer(planner_examples);
  planner.set_action([given, bench] {
    for (const std::string& option : bench.given()) {
      throw error(fmt::format("bench planner has samples of its own: leave {} out", option));
    }
    run_planner_bench(*given);
  });
}

}  // namespace abut::cli
