#include "plan.hpp"

#include <memory>

#include <fmt/format.h>

#include "files/output_file.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/stopwatch.hpp"
#include "screen/words.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* plan_examples = R"(Predictions are for an update and a search for all pairs, on one thread.
--method auto uses the chosen plan. The constants of this machine are measured
once and kept in $ABUT_CACHE, $XDG_CACHE_HOME/abut or ~/.cache/abut, and so are
the results of --measure. With --constants neither is read or written; the same
bodies and constants give the same plan on every machine.

Examples:
  abut plan --demo
  abut plan grains.csv
  abut plan grains.npy --motion 0.001
  abut plan grains.npy --measure --threads 1
  abut plan grains.npy --calibrate --json
  abut plan grains.npy --save-constants mine.txt
  abut plan grains.npy --constants avx2)";

void save(output_file& to, const std::string& text) {
  to.open();
  to.write(text.data(), text.size());
  to.commit();
}

void run_plan(const plan_arguments& given) {
  if (given.calibrate && !given.constants.empty()) {
    throw error("--calibrate measures this machine's constants and --constants uses others; give one of them");
  }
  const search_request request = understand_search(given);
  std::optional<output_file> output;
  if (!given.save_constants.empty()) {
    refuse_overwriting("--save-constants", given.save_constants, given);
    output.emplace(given.save_constants);
  }
  std::optional<double> motion;
  if (!given.motion.empty()) {
    motion = number_option("--motion", given.motion,
                           "a finite number >= 0, the largest displacement on an axis between updates",
                           [](double v) { return v >= 0; });
  }
  progress_line progress;
  plan_result result{.motion = motion, .constants = given.constants, .saved = given.save_constants};
  const bodies_file file = obtain(given, request, progress);
  options chosen = options_for(request, file, given.source());
  result.bodies = summary_of(given.source(), file, chosen);
  chosen.motion = motion;
  if (given.constants.empty()) {
    progress.stage("measuring this machine");
    calibrate_once(given.calibrate, [&](const std::string& line) { progress.say(line); });
    result.calibrated = calibrated();
  }
  progress.stage(given.measure ? "trying plans" : "planning");
  stopwatch watch;
  result.candidates = in_place(file, given, [&] {
    return given.measure ? measured_candidates(file.view(), chosen) : estimated_candidates(file.view(), chosen);
  });
  result.seconds = watch.lap();
  if (output) save(*output, constants(chosen.constants));
  progress.stop();
  print_out(given.json ? in_json(result) : in_words(result));
}

}  // namespace

void calibrate_once(bool must, const std::function<void(const std::string& line)>& say) {
  if (calibrated() && !must) return;
  say("measuring the constants of this machine, once");
  const std::string problem = in_words(calibrate());
  if (!problem.empty()) say(problem);
}

void add_plan(program& to) {
  const auto given = std::make_shared<plan_arguments>();
  verb plan = to.add_verb("plan", "Say which method suits your bodies, and what each would cost");
  add_bodies_options(plan, *given);
  plan.add_flag("--measure", given->measure, "Try the most promising plans on the bodies, and remember");
  plan.add_option("--motion", given->motion, "LENGTH", "The largest displacement on an axis between updates");
  add_search_options(plan, *given);
  plan.add_flag("--calibrate", given->calibrate, "Measure the constants of this machine again");
  plan.add_option("--save-constants", given->save_constants, "FILE", "Write the constants in use, as text");
  plan.add_flag("--json", given->json, "Print the result as one JSON object");
  plan.set_footer(plan_examples);
  plan.set_action([given] { run_plan(*given); });
}

}  // namespace abut::cli
