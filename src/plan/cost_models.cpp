#include "plan/cost_models.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/text.hpp"

namespace abut {

namespace {

// Bodies past these outgrow the caches: each doubling makes what goes from row to row at random a little dearer.
constexpr double near_bodies = 16384;

double power(double x, int n) { return n == 2 ? x * x : x * x * x; }
double per_search(const features& f) { return 1 / std::max(1.0, f.count); }
double far_memory(const features& f) { return std::max(0.0, std::log2(f.count / near_bodies)); }
double all_others(const features& f) { return std::max(0.0, f.count - 1) / 2; }

std::string about(double v) { return number_text(v < 9.95 ? std::round(v * 10) / 10 : std::round(v)); }

// A typical size of a range that ends at `size`.
double typical(const features& f, const features::size_range& r) {
  return f.sizes.size() == 1 ? f.mean : std::max(f.least, 0.72 * r.size);
}

work bounding_volume_work(const features& f) {
  return {{cost::bounding_search, per_search(f)}, {cost::bounding_body, 1}, {cost::bounding_test, all_others(f)}};
}
std::string few(const features&) { return "so few bodies are compared with each other faster than sorted"; }

// Mio's load (document 001), k_SC n_SC + k_CC n_CC, as src/steps/cell_size.hpp has it for our rows of cells: n_S = 1 +
// 2 R / c cells along an axis.
struct cell_load {
  double rows = 0;
  double tests = 0;
  double entries = 0;
  double meetings = 0;
  double load = std::numeric_limits<double>::infinity();
};

double entries_of(const features& f, double cell) {
  double sum = 0;
  for (const auto& r : f.sizes) sum += r.share * power(1 + typical(f, r) / cell, f.dimension);
  return sum;
}

cell_load least_load(const features& f) {
  constexpr double row = 3, entry = 30;  // as cell_size.cpp has them
  constexpr double most_entries = 12;
  const double reach = (f.mean + f.widest) / 2;
  cell_load best;
  for (double cell = f.mean / 4; cell < 16 * f.widest; cell *= 1.5) {
    cell_load center;
    center.rows = std::min(0.5 * power(1 + 2 * reach / cell, f.dimension) / (1 + 2 * reach / cell), f.count);
    center.tests = f.others(cell + 2 * reach) / 2;
    center.load = row * center.rows + center.tests;
    if (center.load < best.load) best = center;
    cell_load cover;
    cover.entries = entries_of(f, cell);
    if (!(cover.entries <= most_entries)) continue;
    cover.meetings = cover.entries * std::min(f.others(cell) * cover.entries, f.count) / 2;
    cover.load = entry * cover.entries + cover.meetings;
    if (cover.load < best.load) best = cover;
  }
  return best;
}

work neighboring_cell_work(const features& f) {
  const cell_load l = least_load(f);
  return {{cost::cell_search, per_search(f)}, {cost::cell_body, 1},       {cost::cell_far, far_memory(f)},
          {cost::cell_row, l.rows},           {cost::cell_test, l.tests}, {cost::cell_entry, l.entries},
          {cost::cell_meeting, l.meetings}};
}
std::string neighboring_cell_why(const features&) { return "cells of one size are enough"; }

work hashing_work(const features& f) {
  return {{cost::hashing_search, per_search(f)},
          {cost::hashing_body, 1},
          {cost::hashing_far, far_memory(f)},
          {cost::hashing_test, f.others(3 * f.widest) / 2}};
}
std::string hashing_why(const features& f) { return "about " + about(f.others(3 * f.widest) / 2) + " tests per body"; }

// Levels of sizes: a body looks into its own and the coarser ones, so that work is N L (m + K) (document 004, equation
// (3)); here with what each range of sizes meets in each, and the number of levels that makes it least.
struct level_load {
  double levels = 0;
  double visits = 0;
  double tests = 0;
  double load = std::numeric_limits<double>::infinity();
};

level_load load_of_levels(const features& f, std::size_t ranges_per_level, double overhead) {
  std::vector<features::size_range> levels;
  for (std::size_t from = 0; from < f.sizes.size(); from += ranges_per_level) {
    const std::size_t to = std::min(f.sizes.size(), from + ranges_per_level);
    double share = 0;
    for (std::size_t k = from; k < to; ++k) share += f.sizes[k].share;
    levels.push_back({f.sizes[to - 1].size, share});
  }
  level_load l;
  l.levels = static_cast<double>(levels.size());
  for (std::size_t own = 0; own < levels.size(); ++own) {
    l.visits += levels[own].share * static_cast<double>(levels.size() - own);
    for (std::size_t other = own; other < levels.size(); ++other) {
      const double met = levels[other].share * f.others(2 * levels[other].size + levels[own].size);
      l.tests += levels[own].share * (own == other ? met / 2 : met);
    }
  }
  l.load = overhead * l.visits + l.tests;
  return l;
}

level_load least_load_of_levels(const features& f) {
  constexpr double overhead = 8;  // K, in tests
  level_load best;
  for (const std::size_t ranges : {1, 2, 3, 4, 6, 8, 12, 64}) {
    const level_load l = load_of_levels(f, ranges, overhead);
    if (l.load < best.load) best = l;
    if (ranges >= f.sizes.size()) break;
  }
  return best;
}

work multilevel_work(const features& f) {
  const level_load l = least_load_of_levels(f);
  return {{cost::level_search, per_search(f)},
          {cost::level_body, 1},
          {cost::level_far, far_memory(f)},
          {cost::level_visit, l.visits},
          {cost::level_test, l.tests}};
}
work grid_work(const features& f) {
  const level_load l = least_load_of_levels(f);
  return {{cost::grid_search, per_search(f)},
          {cost::grid_body, 1},
          {cost::grid_far, far_memory(f)},
          {cost::grid_visit, l.visits},
          {cost::grid_test, l.tests}};
}
std::string level_why(const features& f) {
  const level_load l = least_load_of_levels(f);
  return "about " + about(l.tests) + " tests per body";
}

constexpr cost_model models[] = {
    {"bounding-volume", bounding_volume_work, few},
    {"neighboring-cell", neighboring_cell_work, neighboring_cell_why},
    {"hashing", hashing_work, hashing_why},
    {"multilevel", multilevel_work, level_why},
    {"grid", grid_work, level_why},
};

}  // namespace

const std::array<std::string_view, costs> cost_names = {

    "bounding-volume.search",
    "bounding-volume.body",
    "bounding-volume.test",
    "cells.search",
    "cells.body",
    "cells.far",
    "cells.row",
    "cells.test",
    "cells.entry",
    "cells.meeting",
    "hashing.search",
    "hashing.body",
    "hashing.far",
    "hashing.test",
    "levels.search",
    "levels.body",
    "levels.far",
    "levels.visit",
    "levels.test",
    "grid.search",
    "grid.body",
    "grid.far",
    "grid.visit",
    "grid.test",
    "list.search",
    "list.body",
    "list.far",
    "list.test",
    "rebuild.by",
    "rebuild.body",
    "rebuild.far",
    "rebuild.pair"};

const cost_constants built_in_constants = {1200, 15, 2.2,                           // all with all
                                           4600, 92, 19,  4.4, 4.8,  30,  3,        // cells
                                           2600, 48, 24,  3.1,                      // hashing
                                           3600, 95, 8.2, 8,   2,                   // levels
                                           4500, 20, 1,   5.4, 0.58,                // grid
                                           420,  6,  1.5, 1.4, 1.35, 1.4, 9, 2.5};  // list, rebuild

double predicted(const work& w, const cost_constants& c) {
  double ns = 0;
  for (const work_item& item : w) ns += c[static_cast<std::size_t>(item.what)] * item.amount;
  return ns;
}

std::span<const cost_model> cost_models() { return models; }

double listed_pairs(const features& f, double distance) {
  // The cube that is as large as a ball (in 2D a disc) of radius 1; boxes are cubes.
  const double cube = f.kind == shape::box ? 2 : f.dimension == 3 ? 1.612 : 1.772;
  double sum = 0;
  for (const auto& a : f.sizes) {
    for (const auto& b : f.sizes) {
      const double reach = (typical(f, a) + typical(f, b)) / 2 + distance;
      sum += a.share * b.share * f.others(cube * reach) / 2;
    }
  }
  return sum;
}

// The list lasts until the mean move is so much of the distance: as src/methods/nearest_neighbor/neighborhood.hpp has
// it.
double steps_listed(const features& f, double distance) {
  constexpr double moves_per_distance = 3.5;
  constexpr double most = 1000;
  if (!(*f.move > 0)) return most;
  return std::clamp(std::pow(distance / moves_per_distance / *f.move, 1 / f.exponent), 1.0, most);
}

work list_work(const features& f, double distance) {
  return {{cost::list_search, per_search(f)},
          {cost::list_body, 1},
          {cost::list_far, far_memory(f)},
          {cost::list_test, listed_pairs(f, distance)}};
}

work rebuild_work(const features& f, double distance, double by) {
  return {{cost::rebuild_by, by},
          {cost::rebuild_body, 1},
          {cost::rebuild_far, far_memory(f)},
          {cost::rebuild_pair, listed_pairs(f, distance)}};
}

}  // namespace abut
