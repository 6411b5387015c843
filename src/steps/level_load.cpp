#include "steps/level_load.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace abut {

namespace {

// K: the cost of a visit, in units of a test.
constexpr double visit = 8;

level_load load_of(const features& f, std::size_t ranges_per_level) {
  std::vector<features::size_range> levels;
  for (std::size_t from = 0; from < f.sizes.size(); from += ranges_per_level) {
    const std::size_t to = std::min(f.sizes.size(), from + ranges_per_level);
    double share = 0;
    for (std::size_t k = from; k < to; ++k) share += f.sizes[k].share;
    levels.push_back({f.sizes[to - 1].size, share});
  }
  level_load l;
  for (std::size_t own = 0; own < levels.size(); ++own) {
    l.visits += levels[own].share * static_cast<double>(levels.size() - own);
    for (std::size_t other = own; other < levels.size(); ++other) {
      const double met = levels[other].share * f.others(2 * levels[other].size + levels[own].size);
      l.tests += levels[own].share * (own == other ? met / 2 : met);
    }
  }
  l.load = visit * l.visits + l.tests;
  return l;
}

}  // namespace

level_load least_level_load(const features& f) {
  level_load best;
  for (const std::size_t ranges : {1, 2, 3, 4, 6, 8, 12, 64}) {
    const level_load l = load_of(f, ranges);
    if (l.load < best.load) best = l;
    if (ranges >= f.sizes.size()) break;
  }
  return best;
}

std::string level_load_in_words(const features& f) {
  return "about " + about(least_level_load(f).tests) + " tests per body";
}

}  // namespace abut
