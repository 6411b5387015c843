#include "find.hpp"

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "files/pairs_file.hpp"
#include "quadratic.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/stopwatch.hpp"
#include "screen/words.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* find_examples = R"(Files of bodies:
  .npy   shape (n, 4): x y z r; (n, 3) with --radius: x y z; any other with
         --columns; or records with named fields. float32 or float64
  .csv   a header that names x, y, (z,) r (or radius or diameter) for spheres, or
         xmin, xmax, ymin, ymax(, zmin, zmax) for boxes; other columns are ignored
  dump   LAMMPS text with columns x y (z), radius or diameter: the last frame, with
         the periodic axes of its box unless --periodic is given
Without z, the bodies are in 2D. Rows count from 0.

--columns names the columns in order (- skips one) or, if the file names its
columns, chooses some: x,y,z or x=cx,y=cy,diameter=d or xmin,xmax,...

Files of pairs: .npy and .csv hold the rows i, j of each pair; .vtp, for ParaView,
has a line between the centers of each. --with adds how deep the two overlap, the
unit vector from i to j (nx, ny, nz) and the middle of the overlap (px, py, pz).

The coordination number is the mean number of contacts of a body; the bars show
how many bodies have 0, 1, 2, ... of them. Times per body are for update and
find; predictions (with auto) hold for one thread and a search that has been
updated before.

Examples:
  abut find --demo
  abut find grains.csv
  abut find grains.csv --scale 1.1
  abut find grains.csv --margin 0.01 --pairs pairs.npy
  abut find grains.csv --pairs pairs.csv --with overlap,normal
  abut find grains.csv --pairs pairs.vtp --with overlap
  abut find grains.npy --method neighboring-cell --param cell=1.5 --json
  abut find positions.npy --radius 0.5
  abut find discs.npy --columns x,y,r
  abut find dump.lammpstrj --radius 0.5 --pairs pairs.csv --ids
  abut find grains.npy --periodic x --domain 0,10,0,10,0,5)";

/// Reports the part of the work that is done.
auto part_of_work(progress_line& progress, const abut::plan& plan, bool sorts) {
  return [&progress, &plan, sorts](double part) {
    progress.done(is_quadratic(plan) ? quadratic_part(part) : part);
    if (sorts && part >= 1) progress.stage("sorting the pairs");
  };
}

/// Finds the pairs; keeps them only if they will be written. The time for counting the contacts of each body is not
/// part of the search's: they are counted in portions that stay in the cache, for which the clock stops.
std::vector<pair> find_pairs_into(find_result& result, search& search, bool keep) {
  constexpr std::size_t portion = std::size_t{1} << 15U;
  contact_counts counts(result.bodies.count);
  std::vector<pair> pairs;
  double counting = 0;
  const auto count = [&] {
    stopwatch watch;
    counts.add(pairs);
    counting += watch.lap();
  };
  pairs.reserve(keep ? 0 : portion);
  stopwatch watch;
  if (keep) {
    pairs = search.pairs();
    for (const pair p : pairs) result.hash += pair_hash(p);
  } else {
    search.for_each_pair([&](row i, row j) {
      result.hash += pair_hash({i, j});
      pairs.push_back({i, j});
      if (pairs.size() < portion) return;
      count();
      pairs.clear();
    });
  }
  result.find_seconds = watch.lap() - counting;
  count();
  result.coordination = counts.histogram();
  result.stats = search.stats();
  result.pairs = result.stats.pairs;
  return pairs;
}

/// The file for the pairs; null if they are only counted.
std::unique_ptr<pairs_file> make_output(const find_arguments& given) {
  if (given.ids && given.demo) throw error("--ids is for files with ids, and --demo has none; leave it out");
  if (given.ids && given.pairs.empty()) throw error("--ids says what --pairs writes; add --pairs FILE");
  if (!given.with.empty() && given.pairs.empty()) throw error("--with says what --pairs writes; add --pairs FILE");
  const pair_details details = given.with.empty() ? pair_details() : read_details(given.with);
  if (given.pairs.empty()) return nullptr;
  refuse_overwriting("--pairs", given.pairs, given);
  return std::make_unique<pairs_file>(given.pairs, details);
}

void run_find(const find_arguments& given) {
  search_request request = understand_search(given);
  request.columns.ids = given.ids;
  const plan asked = plan_of(given.method, given.parameters);
  const std::unique_ptr<pairs_file> output = make_output(given);
  progress_line progress;
  find_result result{.pairs_path = given.pairs};
  stopwatch watch;
  const bodies_file file = obtain(given, request, progress);
  result.read_seconds = watch.lap();

  options chosen = options_for(request, file, given.source());
  result.bodies = summary_of(given.source(), file, chosen);
  chosen.progress = part_of_work(progress, result.plan, output != nullptr);
  search search(asked, std::move(chosen));
  result.threads = search.threads();

  progress.stage("planning and sorting the bodies");
  update_in_place(search, file.view(), file, given);
  result.plan = search.planned();
  result.update_seconds = watch.lap();

  progress.stage(fmt::format("finding pairs ({})", result.plan.method()));
  std::vector<pair> pairs = find_pairs_into(result, search, output != nullptr);
  if (output) {
    progress.stage("writing " + given.pairs);
    output->write({.pairs = std::move(pairs),
                   .of = file.view(),
                   .periodic = search.chosen().periodic,
                   .ids = file.ids,
                   .threads = search.threads()});
  }
  progress.stop();
  print_out(given.json ? in_json(result) : in_words(result));
}

}  // namespace

void add_find(program& to) {
  const auto given = std::make_shared<find_arguments>();
  verb find = to.add_verb("find", "Find every pair of touching bodies in a file");
  add_bodies_options(find, *given);
  find.add_option("--method", given->method, "NAME", "The method (see abut methods); auto chooses one");
  find.add_option("--param", given->parameters, "KEY=VALUE", "A parameter of the method; may be repeated");
  add_search_options(find, *given);
  find.add_option("--pairs", given->pairs, "FILE", "Write the pairs, sorted, to this .npy, .csv or .vtp");
  find.add_option("--with", given->with, "LIST", "Write with each pair some of overlap,normal,point");
  find.add_flag("--ids", given->ids, "Write the bodies' ids instead of their rows");
  find.add_flag("--json", given->json, "Print the result as one JSON object");
  find.set_footer(find_examples);
  find.set_action([given] { run_find(*given); });
}

}  // namespace abut::cli
