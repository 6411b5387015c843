#include "generate/generate.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/spheres_file.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/stopwatch.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* sizes_and_examples = R"(
Sizes of a packing, between the diameter and the diameter / ratio:
  equal    one size
  uniform  any diameter as likely as any other (ratio 2)
  r-3      number density ~ r^-3 (ratio 50)
  mass     equal mass in each octave of sizes (ratio 32)

Random insertion fills a box to about 0.38 with equal spheres, to 0.547 with
equal discs, and further with wide ranges of sizes; larger fractions are
refused. The same seed gives the same file on every machine.

Examples:
  abut generate packing --count 1e6 --fraction 0.35 --out grains.npy
  abut find grains.npy --scale 1.1      (unscaled, a packing's bodies do not touch)
  abut generate packing --count 125001 --sizes r-3 --ratio 50 --fraction 0.4 --out wide.npy
  abut generate lattice --count 8000 --spacing 2 --jitter 0.5 --no-shuffle --out lattice.csv
  abut generate touching --count 1000 --arrangement hexagonal --dimension 2 --out discs.csv
  abut generate clusters --count 1e6 --each 500 --side 1e9 --out clusters.npy
  abut generate giant --count 1e5 --ratio 1000 --single --out giant.npy)";

std::string help_text() {
  std::string text = "Kinds:\n";
  for (const generate_kind& kind : generate_kinds()) {
    text += fmt::format("  {:<9}{}\n", kind.name, kind.summary);
    std::vector<std::string> options(kind.options.begin(), kind.options.end());
    options.erase(std::remove(options.begin(), options.end(), "--no-shuffle"), options.end());
    text += fmt::format("           {}\n", joined(options, " "));
  }
  return text + sizes_and_examples;
}

void add_options(verb& to, generate_arguments& given) {
  to.add_option("KIND", given.kind, "", "What to make: see below");
  to.add_option("--count", given.count, "N", "The number of bodies, up to 5e7");
  to.add_option("--out", given.out, "FILE", "The file to write: .npy or .csv");
  to.add_option("--seed", given.seed, "S", "The seed of the random numbers (1)");
  to.add_option("--diameter", given.diameter, "D", "The diameter of the bodies; in a packing, of the largest (1)");
  to.add_option("--dimension", given.dimension, "2|3", "Discs or spheres (3)");
  to.add_option("--spacing", given.spacing, "S",
                "Between sites, in diameters (1); for a lattice, also one for each axis");
  to.add_option("--jitter", given.jitter, "J", "The largest random displacement, in diameters (0.1; shell: 0)");
  to.add_flag("--shuffle", given.shuffle, "Rows in random order (the default)");
  to.add_flag("--no-shuffle", given.no_shuffle, "Rows in the order of the sites; in a packing, largest first");
  to.add_option("--sizes", given.sizes, "LAW", "equal, uniform, r-3 or mass (equal)");
  to.add_option("--ratio", given.ratio, "R", "The largest diameter over the smallest (giant: 100)");
  to.add_option("--fraction", given.fraction, "F", "The part of the packing's box that the bodies fill (0.3)");
  to.add_option("--each", given.each, "M", "Bodies per cluster (1000)");
  to.add_option("--side", given.side, "L", "The side of the clusters' space, in diameters (1e5)");
  to.add_option("--arrangement", given.arrangement, "A", "cubic or hexagonal (cubic)");
  to.add_option("--direction", given.direction, "X,Y,Z", "The direction of the line (along x)");
  to.add_flag("--single", given.single, "Write float32 numbers to the .npy");
  to.add_flag("--json", given.json, "Print the result as one JSON object");
}

/// Refuses options that other kinds have and this one does not, rather than ignore them.
void refuse_foreign_options(const std::vector<std::string>& names, const generate_kind& kind) {
  for (const std::string& name : names) {
    const auto has = [&](const generate_kind& k) {
      return std::find(k.options.begin(), k.options.end(), name) != k.options.end();
    };
    const auto& all = generate_kinds();
    if (has(kind) || std::none_of(all.begin(), all.end(), has)) continue;
    throw error(fmt::format("{} has no option {}; it has {}", kind.name, name,
                            joined({kind.options.begin(), kind.options.end()})));
  }
}

void run_generate(const generate_arguments& given, const std::vector<std::string>& names) {
  generate_request request = understand_generate(given);
  const auto& kinds = generate_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == given.kind; });
  refuse_foreign_options(names, *kind);
  spheres_file output(given.out, given.single);
  progress_line progress;
  const auto report = [&](double part) { progress.done(part); };
  request.progress = report;
  generate_result result{.kind = given.kind, .seed = request.seed, .file = given.out};

  stopwatch watch;
  progress.stage("making the " + given.kind);
  const samples::packed made = kind->make(request);
  measure(result, made.bodies, given.single);
  result.side = made.side;
  result.make_seconds = watch.lap();

  progress.stage("writing " + given.out);
  result.bytes = output.write(made.bodies, report);
  result.write_seconds = watch.lap();
  progress.stop();
  print_out(given.json ? in_json(result) : in_words(result));
}

}  // namespace

void add_generate(program& to) {
  const auto given = std::make_shared<generate_arguments>();
  verb generate = to.add_verb("generate", "Make a sample of bodies, for tests, benchmarks and examples");
  add_options(generate, *given);
  generate.set_footer(help_text());
  generate.set_action([given, generate] { run_generate(*given, generate.given()); });
}

}  // namespace abut::cli
