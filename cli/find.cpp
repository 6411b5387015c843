#include "find.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "pairs_file.hpp"
#include "progress.hpp"
#include "scenes.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace abut::cli {
namespace {

constexpr const char* examples = R"(Files of bodies:
  .npy   shape (n, 3): x y r, or (n, 4): x y z r; float32 or float64
  .csv   a header that names x, y, (z,) r for spheres, or
         xmin, xmax, ymin, ymax(, zmin, zmax) for boxes; other columns are ignored
  dump   LAMMPS text with columns x y (z) radius: the last frame, and its box
         where --domain is not given
Without z, the bodies are in 2D. Rows count from 0.

Examples:
  abut find --demo
  abut find grains.csv
  abut find grains.csv --margin 0.01 --pairs pairs.npy
  abut find grains.npy --method neighboring-cell --param cell=1.5 --json
  abut find dump.lammpstrj --periodic x,y
  abut find grains.npy --periodic x --domain 0,10,0,10,0,5)";

class stopwatch {
 public:
  /// Seconds since the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> seconds = now - start_;
    start_ = now;
    return seconds.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bodies_file make_demo() {
  const auto made = std::make_shared<const scenes::set>(
      scenes::lattice(shape::sphere, 3, 100'000, /*spacing=*/1.0, /*jitter=*/0.1, /*r=*/0.5 * 1.05, /*seed=*/1));
  bodies_file file;
  file.size = made->size();
  for (std::size_t k = 0; k < 4; ++k) file.columns[k] = column(made->column[k]);
  file.storage = made;
  file.place = [](row r) { return fmt::format("demo: row {}", r); };
  return file;
}

bodies_file obtain(const find_arguments& given, progress_line& progress) {
  if (given.demo) return make_demo();
  return read_bodies(given.bodies, [&](std::string_view what, double part) {
    progress.stage(fmt::format("{} {}", what, given.bodies));
    progress.done(part);
  });
}

/// Multiplies the radii, in double, in a column of their own: the file's stay as they are.
void scale_radii(bodies_file& file, double scale) {
  if (file.kind == shape::box) throw error("--scale multiplies radii and boxes have none; use --margin");
  column& radius = file.columns[static_cast<std::size_t>(file.dimension)];
  const auto scaled = std::make_shared<std::vector<double>>(file.size);
  radius.read(0, file.size, scaled->data());
  for (double& r : *scaled) r *= scale;
  radius = column(*scaled);
  file.storage =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(file.storage, scaled);
}

/// The library knows the row of a body that cannot be; the user knows the line of a file.
void update_in_place(search& search, const bodies_file& file, const find_arguments& given) {
  try {
    search.update(file.view());
  } catch (const error& problem) {
    if (!problem.body()) throw;
    const std::string scaled = given.scale.empty() ? "" : fmt::format(" (with --scale {})", given.scale);
    throw error(fmt::format("{}: {}{}", file.place(*problem.body()), problem.what(), scaled));
  }
}

/// Finds the pairs; keeps them only where they will be written.
std::vector<pair> find_pairs_into(find_result& result, search& search, bool keep) {
  std::vector<pair> pairs;
  if (keep) {
    pairs = search.pairs();
    for (const pair p : pairs) result.hash += pair_hash(p);
  } else {
    search.for_each_pair([&](row i, row j) { result.hash += pair_hash({i, j}); });
  }
  result.stats = search.stats();
  result.pairs = result.stats.pairs;
  return pairs;
}

void refuse_overwriting(const find_arguments& given) {
  std::error_code ignored;
  if (!given.demo && std::filesystem::equivalent(given.bodies, given.pairs, ignored)) {
    throw error(fmt::format("--pairs {} would overwrite the bodies; choose another name", given.pairs));
  }
}

/// As from --pairs "$OUT" where OUT is not set: not the same as not given.
void refuse_empty(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.empty()) throw error(fmt::format("{} is empty; give it a value or leave it out", option->get_name()));
    }
  }
}

void run_find(const find_arguments& given) {
  const find_request request = understand(given);
  std::unique_ptr<pairs_file> output;
  if (!given.pairs.empty()) {
    refuse_overwriting(given);
    output = std::make_unique<pairs_file>(given.pairs);
  }
  progress_line progress;
  find_result result{.source = given.demo ? "demo" : given.bodies, .pairs_path = given.pairs};
  stopwatch watch;
  bodies_file file = obtain(given, progress);
  if (request.scale) scale_radii(file, *request.scale);
  result.kind = file.kind;
  result.dimension = file.dimension;
  result.bodies = file.size;
  result.note = file.note;
  result.read_seconds = watch.lap();

  options chosen = options_for(request, file, result.source);
  chosen.progress = [&](double part) { progress.done(part); };
  search search(request.plan, std::move(chosen));
  result.threads = search.threads();
  result.plan_seconds = watch.lap();

  progress.stage("updating");
  update_in_place(search, file, given);
  result.plan = search.planned();
  result.update_seconds = watch.lap();

  progress.stage("finding");
  const std::vector<pair> pairs = find_pairs_into(result, search, output != nullptr);
  result.find_seconds = watch.lap();

  if (output) {
    progress.stage("writing " + given.pairs);
    output->write(pairs);
  }
  progress.stop();
  fmt::print("{}", given.json ? in_json(result) : in_words(result));
}

}  // namespace

void add_find(CLI::App& app) {
  const auto given = std::make_shared<find_arguments>();
  CLI::App* const verb = app.add_subcommand("find", "Find every pair of touching bodies in a file");
  verb->add_option("BODIES", given->bodies, "The file: .npy, .csv or a LAMMPS dump")->type_name("");
  verb->add_flag("--demo", given->demo, "A packing of 100,000 spheres, made here, instead of a file")
      ->disable_flag_override();
  verb->add_option("--method", given->method, "How to find them (see abut methods); auto chooses")->type_name("NAME");
  verb->add_option("--param", given->parameters, "A parameter of the method; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  verb->add_option("--scale", given->scale, "Multiply every radius by this")->type_name("S");
  verb->add_option("--margin", given->margin, "Count a gap of at most this as touching")->type_name("M");
  verb->add_option("--threads", given->threads, "How many threads to use; the result is the same")->type_name("N");
  verb->add_option("--periodic", given->periodic, "The axes that repeat: some of x,y,z")->type_name("AXES");
  verb->add_option("--domain", given->domain, "Where they repeat: xmin,xmax,ymin,ymax[,zmin,zmax]")->type_name("ENDS");
  verb->add_option("--pairs", given->pairs, "Write the pairs, sorted, to this .npy or .csv")->type_name("FILE");
  verb->add_flag("--json", given->json, "Print the result as one JSON object")->disable_flag_override();
  verb->footer(examples);
  verb->callback([given, verb] {
    refuse_empty(*verb);
    run_find(*given);
  });
}

}  // namespace abut::cli
