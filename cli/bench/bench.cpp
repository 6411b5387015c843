#include "bench/bench.hpp"

#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "plan/calibration.hpp"
#include "screen/standard_streams.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* bench_examples = R"(A plan is a method's name and its parameters: "neighboring-cell store=cover".
Without --repeat, there are at least 5 repeats, and more until 2 s have passed.
The pairs of every method are compared with those of bounding-volume, or, above
50,000 bodies, of neighboring-cell; the exit code is 1 if they differ.

Examples:
  abut bench --demo
  abut bench grains.csv
  abut bench grains.npy --move 0.05 --steps 20 --threads 1
  abut bench grains.npy --methods "auto,neighboring-cell store=cover"
  abut bench grains.npy --methods grid --instructions all
  abut bench grains.npy --repeat 20 --json
  abut bench grains.npy --counts --methods dess,stripe-sort --repeat 1
  abut bench planner)";

void run_bench(const bench_arguments& given) {
  const bench_request request = understand_bench(given);
  progress_line progress;
  const bodies_file file = obtain(given, request.search, progress);
  const options chosen = options_for(request.search, file, given.source());
  bench_result result{.bodies = summary_of(given.source(), file, chosen)};
  result.steps = request.steps;
  result.move = request.move;
  result.seed = request.seed;
  result.reference = reference_for(file.size);
  result.machine = processor_name();
  result.names_sets = request.sets.size() > 1 || request.sets.front() != usable_instructions().front();
  const std::vector<plan> plans = plans_for(request, file.size, result.left_out);
  (request.counts ? measure_growth : measure)(result, plans, request, given, file, chosen, progress);
  progress.stop();
  print_out(given.json ? in_json(result) : in_words(result, style_of_stdout()));
  // A wrong method is a failure of the program, which the user should not miss.
  if (const std::string mistakes = mistakes_in_words(result); !mistakes.empty()) throw std::logic_error(mistakes);
}

}  // namespace

void add_bench(program& to) {
  const auto given = std::make_shared<bench_arguments>();
  verb bench = to.add_verb("bench", "Compare the methods on your bodies: time, work and memory");
  add_bodies_options(bench, *given);
  bench.add_option("--methods", given->methods, "LIST", "Names or plans, separated by commas; all means every method");
  bench.add_option("--instructions", given->instructions, "LIST",
                   "Vector instructions: avx512,avx2,sse4,neon,scalar or all");
  bench.add_option("--steps", given->steps, "K", "The number of updates of a search (1; with --move, 10)");
  bench.add_option("--move", given->move, "F", "Move every body by up to F diameters per axis and step");
  bench.add_option("--seed", given->seed, "SEED", "The seed of the motion");
  bench.add_option("--repeat", given->repeat, "R", "The number of repeats");
  bench.add_flag("--counts", given->counts, "Show how time and work grow, by measuring parts too");
  add_search_options(bench, *given);
  bench.add_flag("--json", given->json, "Print the result as one JSON object");
  bench.set_footer(bench_examples);
  bench.set_action([given] { run_bench(*given); });
  add_bench_planner(bench);
}

}  // namespace abut::cli
