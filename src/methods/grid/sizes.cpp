#include "methods/grid/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "steps/crowd.hpp"
#include "steps/sizes.hpp"

namespace abut {

namespace {

// Bodies of nearly the same half width.
struct group {
  double widest_half = 0;
  std::size_t count = 0;
  std::size_t last_bin = 0;
};

constexpr std::size_t most_groups = 24;

std::vector<size_count> count_halves(const world& w) {
  return count_sizes(w, {0, 0.5, 0}, {grid_sizes::bits_dropped, 0, grid_sizes::bins});
}

// Groups of neighboring bins that hold bodies, as fine as `most_groups` allows.
std::vector<group> groups_of(const std::vector<size_count>& halves) {
  std::vector<group> all;
  for (int joined = 0; joined <= 13; ++joined) {
    all.clear();
    for (std::size_t b = 0; b < grid_sizes::bins; ++b) {
      if (halves[b].count == 0) continue;
      if (all.empty() || all.back().last_bin >> joined != b >> joined) all.emplace_back();
      all.back().widest_half = std::max(all.back().widest_half, halves[b].largest);
      all.back().count += halves[b].count;
      all.back().last_bin = b;
    }
    if (all.size() <= most_groups) break;
  }
  return all;
}

// Measured costs in nanoseconds (bench/flagship.cpp); only their ratios matter.
struct model {
  double body = 10;          // a body's search in its own level
  double test = 0.17;        // one test of that
  double finer = 110;        // a body's search in a finer level
  double finer_line = 18;    // one line of that
  double finer_test = 0.17;  // one test of that
  double levels = 10;        // what an update with several levels costs more per body
};

// What levels cost: Ogarko and Luding's N L (m + K), with the costs of our vectors of tests and lines of cells.
class costs {
 public:
  costs(const world& w, const std::vector<group>& groups)
      : gap_(w.margin()),
        dimension_(w.dimension()),
        crowd_(crowding_of(w, std::max(2 * groups.front().widest_half + gap_, 1e-140),
                           4 * groups.back().widest_half + gap_)) {
    for (int k = 0; k < dimension_; ++k) {
      extent_[k] = w.measured().upper[k] - w.measured().lower[k];
    }
    std::iter_swap(std::max_element(extent_, extent_ + dimension_), extent_ + dimension_ - 1);  // lines lie along it
    const std::size_t n = groups.size();
    table_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) table_[i * n + j] = of(groups, i, j);
    }
    groups_ = n;
  }

  // The cost of groups i to j as one level: of its own bodies' searches and of larger bodies' searches in it.
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const { return table_[i * groups_ + j]; }

 private:
  // The share of all bodies that is in a cube of this edge around a body.
  [[nodiscard]] double part(double edge) const {
    double p = 1;
    for (int k = 0; k < dimension_; ++k) p *= edge < extent_[k] ? edge / extent_[k] : 1;
    const bool even = crowd_.scales.size() == 1;
    return even ? p : std::max(p, std::min(1.0, crowd_.others(edge) / crowd_.count));
  }

  [[nodiscard]] double of(const std::vector<group>& groups, std::size_t i, std::size_t j) const {
    const model m;
    double count = 0;
    for (std::size_t g = i; g <= j; ++g) count += static_cast<double>(groups[g].count);
    const double reach = 2 * groups[j].widest_half + gap_;
    const double searched =
        dimension_ == 3 ? 20 : 5;  // four lines (in 2D two), 1.25 reaches along each, in cubes of the reach
    const double tests = std::min(count, searched * count * part(reach));
    double cost = count * (m.body + m.test * tests);
    // Sparse bodies get higher lines.
    double high = 2 * reach;
    for (int k = 0; k < 60 && count * part(high) < 4 && high < extent_[dimension_ - 1]; ++k) high *= 2;
    for (std::size_t g = j + 1; g < groups.size(); ++g) {
      const double span = 2 * (groups[g].widest_half + groups[j].widest_half + gap_);
      double lines = 1;
      for (int k = 0; k < dimension_ - 1; ++k) lines *= std::min(span, extent_[k]) / high + 1;
      cost += static_cast<double>(groups[g].count) *
              (m.finer + m.finer_line * std::min(lines, count) + m.finer_test * count * part(span));
    }
    return cost;
  }

  double gap_;
  int dimension_;
  crowding crowd_;
  double extent_[3]{};
  std::size_t groups_ = 0;
  std::vector<double> table_;
};

// Splits the groups into levels by dynamic programming; returns the last group of each. `best[l][j]` is the least cost
// of groups 0 to j in l + 1 levels.
std::vector<std::size_t> split(const costs& cost, std::size_t groups, double bodies, std::size_t asked) {
  const std::size_t most = asked == 0 ? groups : std::min(asked, groups);
  std::vector<std::vector<double>> best(most, std::vector<double>(groups, std::numeric_limits<double>::infinity()));
  std::vector<std::vector<std::size_t>> first(most, std::vector<std::size_t>(groups, 0));
  for (std::size_t l = 0; l < most; ++l) {
    for (std::size_t j = l; j < groups; ++j) {
      if (l == 0) {
        best[0][j] = cost(0, j);
        continue;
      }
      for (std::size_t i = l; i <= j; ++i) {
        const double sum = best[l - 1][i - 1] + cost(i, j);
        if (sum < best[l][j] || i == l) {
          best[l][j] = sum;
          first[l][j] = i;
        }
      }
    }
  }
  std::size_t l = most - 1;
  if (asked == 0) {
    const auto total = [&](std::size_t k) { return best[k][groups - 1] + (k > 0 ? model().levels * bodies : 0); };
    l = 0;
    for (std::size_t k = 1; k < most; ++k) {
      if (total(k) < total(l)) l = k;
    }
  }
  std::vector<std::size_t> ends(l + 1);
  for (std::size_t j = groups - 1;; --l) {
    ends[l] = j;
    if (l == 0) break;
    j = first[l][j] - 1;
  }
  return ends;
}

}  // namespace

grid_sizes choose_grid_sizes(const world& w, std::size_t asked) {
  const measures& m = w.measured();
  const double widest = *std::max_element(m.widest, m.widest + w.dimension());
  grid_sizes sizes;
  if (asked == 1 || widest <= m.least_width * 1.5) {
    sizes.levels.push_back({widest / 2, w.size()});
    return sizes;
  }
  const std::vector<group> groups = groups_of(count_halves(w));
  const std::vector<std::size_t> ends = split(costs(w, groups), groups.size(), static_cast<double>(w.size()), asked);
  sizes.level_of.assign(grid_sizes::bins, 0);
  std::size_t g = 0;
  std::size_t b = 0;
  for (std::size_t l = 0; l < ends.size(); ++l) {
    sizes.levels.push_back({0, 0});
    for (; g <= ends[l]; ++g) {
      sizes.levels[l].widest_half = groups[g].widest_half;
      sizes.levels[l].count += groups[g].count;
    }
    for (; b <= groups[ends[l]].last_bin; ++b) sizes.level_of[b] = static_cast<std::uint8_t>(l);
  }
  if (sizes.levels.size() == 1) sizes.level_of.clear();
  return sizes;
}

}  // namespace abut
