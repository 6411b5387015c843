// stripe-sort (Perkins 1999, 5.2): what its border zones cost by the thesis's rule and by ours, over the number of
// bodies; where the constant of its width comes from.

#include <cmath>
#include <functional>
#include <numeric>

#include "figures.hpp"

namespace figures {

namespace {

struct reach {
  double lower[3];
  double upper[3];
};

std::vector<reach> reaches_of(const samples::set& bodies) {
  std::vector<reach> all(bodies.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(bodies.dimension); ++k) {
      const double r = bodies.column[static_cast<std::size_t>(bodies.dimension)][i];
      all[i].lower[k] = bodies.column[k][i] - r;
      all[i].upper[k] = bodies.column[k][i] + r;
    }
  }
  return all;
}

using listed = std::vector<row>;
using receiver = std::function<void(const listed&)>;

// The thesis's rule along one axis: `own_end(first)` says where the stripe that starts at place `first` ends. Every
// body that begins below the highest upper end of the stripe's own bodies is added.
void split_by_zone(const std::vector<reach>& all, listed rows, int axis,
                   const std::function<std::size_t(const listed&, std::size_t)>& own_end, const receiver& f) {
  std::sort(rows.begin(), rows.end(), [&](row a, row b) { return all[a].lower[axis] < all[b].lower[axis]; });
  for (std::size_t first = 0; first < rows.size();) {
    const std::size_t end = own_end(rows, first);
    double highest = all[rows[first]].upper[axis];
    for (std::size_t p = first; p < end; ++p) highest = std::max(highest, all[rows[p]].upper[axis]);
    std::size_t zone = end;
    while (zone < rows.size() && all[rows[zone]].lower[axis] <= highest) ++zone;
    f(listed(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.begin() + static_cast<std::ptrdiff_t>(zone)));
    first = end;
  }
}

// Ours: a body in every stripe that it reaches into.
void split_by_reach(const std::vector<reach>& all, const listed& rows, int axis, double width, const receiver& f) {
  std::vector<std::pair<std::int64_t, row>> entries;
  for (const row i : rows) {
    const auto to = static_cast<std::int64_t>(std::floor(all[i].upper[axis] / width));
    for (auto s = static_cast<std::int64_t>(std::floor(all[i].lower[axis] / width)); s <= to; ++s)
      entries.emplace_back(s, i);
  }
  std::sort(entries.begin(), entries.end());
  listed stripe;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    stripe.push_back(entries[e].second);
    if (e + 1 < entries.size() && entries[e + 1].first == entries[e].first) continue;
    f(stripe);
    stripe.clear();
  }
}

// The number of pairs in a list that overlap on an axis.
double meetings_in(const std::vector<reach>& all, const listed& rows, int axis) {
  std::vector<double> lower;
  std::vector<double> upper;
  for (const row i : rows) {
    lower.push_back(all[i].lower[axis]);
    upper.push_back(all[i].upper[axis]);
  }
  std::sort(lower.begin(), lower.end());
  std::sort(upper.begin(), upper.end());
  double sum = 0;
  std::size_t closed = 0;
  for (std::size_t p = 0; p < lower.size(); ++p) {
    while (upper[closed] < lower[p]) ++closed;
    sum += static_cast<double>(p - closed);
  }
  return sum;
}

struct rule {
  std::string name;
  // Splits rows along an axis; `left` is the number of axes that remain after it.
  std::function<void(const std::vector<reach>&, const listed&, int axis, int left, const receiver&)> split;
};

std::vector<rule> rules(const samples::set& bodies) {
  const auto by_count = [](std::size_t count) {
    return [count](const listed& rows, std::size_t first) { return std::min(rows.size(), first + count); };
  };
  const auto n = static_cast<double>(bodies.size());
  const int d = bodies.dimension;
  const auto& r = bodies.column[static_cast<std::size_t>(d)];
  const double width = 4 * 2 * std::accumulate(r.begin(), r.end(), 0.0) / n;
  return {
      {"a: zone, 64 bodies (3D: 4096, then 64)",
       [=](const auto& all, const listed& rows, int axis, int left, const receiver& f) {
         split_by_zone(all, rows, axis, by_count(left == 2 ? 4096 : 64), f);
       }},
      {"b: zone, 4 sqrt(N) bodies",
       [=](const auto& all, const listed& rows, int axis, int left, const receiver& f) {
         const double count = 4 *
                              std::pow(n, left == 2 ? 2.0 / 3
                                          : d == 2  ? 0.5
                                                    : 1.0 / 3) *
                              (d == 3 && left == 1 ? 4 : 1);
         split_by_zone(all, rows, axis, by_count(static_cast<std::size_t>(count)), f);
       }},
      {"c: zone, 4 mean diameters",
       [=](const auto& all, const listed& rows, int axis, int, const receiver& f) {
         const auto own_end = [&](const listed& sorted, std::size_t first) {
           const double to = (std::floor(all[sorted[first]].lower[axis] / width) + 1) * width;
           std::size_t end = first;
           while (end < sorted.size() && (end == first || all[sorted[end]].lower[axis] < to)) ++end;
           return end;
         };
         split_by_zone(all, rows, axis, own_end, f);
       }},
      {"d: own reach, 4 mean diameters", [=](const auto& all, const listed& rows, int axis, int,
                                             const receiver& f) { split_by_reach(all, rows, axis, width, f); }},
  };
}

// Entries and meetings per body. If there are many stripes, meetings are counted in one of 16.
void count(const std::string& name, const samples::set& bodies) {
  const std::vector<reach> all = reaches_of(bodies);
  listed rows(all.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const auto n = static_cast<double>(all.size());
  fmt::print("{:<28} {:>8}", name, all.size());
  for (const rule& r : rules(bodies)) {
    double entries = 0;
    double meetings = 0;
    double chosen = 0;
    std::size_t stripe = 0;
    const receiver done = [&](const listed& list) {
      entries += static_cast<double>(list.size());
      if (stripe++ % (all.size() > 100'000 ? 16 : 1) != 0) return;
      chosen += static_cast<double>(list.size());
      meetings += meetings_in(all, list, bodies.dimension - 1);
    };
    if (bodies.dimension == 2) {
      r.split(all, rows, 0, 1, done);
    } else {
      r.split(all, rows, 0, 2, [&](const listed& slab) { r.split(all, slab, 1, 1, done); });
    }
    fmt::print(" {:>10.2f} {:>10.1f}", entries / n, meetings / n * entries / chosen);
    asked().add({.benchmark = "stripes",
                 .sample = name,
                 .bodies = all.size(),
                 .plan = r.name,
                 .tests = meetings / n * entries / chosen,
                 .count = entries / n});
  }
  fmt::print("\n");
}

void zones() {
  fmt::print("\nEntries and meetings a body, by rule:\n");
  for (const rule& r : rules(samples::lattice(shape::sphere, 2, 4, 1, 0, 0.5, 1))) fmt::print("  {}\n", r.name);
  for (const std::size_t n : {1'200, 12'000, 120'000, 1'200'000}) {
    count("2D, equal", samples::lattice(shape::sphere, 2, n, 1, 0.1, 0.525, 1));
    if (asked().pages && n < 1'000'000) continue;
    for (const int ratio : {2, 4, 32})
      count(fmt::format("2D, ratio {}", ratio), samples::uniform(shape::sphere, 2, n, 0.6, 0.5, ratio, 1));
    const double half = std::sqrt(static_cast<double>(n)) / 2;
    count("2D, a giant half as wide", samples::giant(shape::sphere, 2, n, 0.5, half, 1));
  }
  for (const std::size_t n : {1'000, 10'000, 100'000, 1'000'000}) {
    if (asked().pages && n < 1'000'000) continue;
    count("3D, equal", samples::lattice(shape::sphere, 3, n, 1, 0.1, 0.525, 1));
    count("3D, ratio 4", samples::uniform(shape::sphere, 3, n, 0.5, 0.5, 4, 1));
  }
}

// Where load_of_entry of src/methods/stripe_sort/width.hpp comes from.
void widths() {
  const auto sweep = [](const std::vector<const char*>& sizes) {
    std::vector<std::string> plans{"stripe-sort"};
    for (const char* w : sizes) plans.push_back(std::string("stripe-sort width=") + w);
    return plans;
  };
  const auto plans = sweep({"1", "1.5", "2", "3", "4", "6", "8", "12", "16"});
  table("discs", samples::lattice(shape::sphere, 2, 200'000, 1, 0.1, 0.525, 1), plans, 1, 5);
  table("spheres", samples::lattice(shape::sphere, 3, 200'000, 1, 0.1, 0.525, 1), plans, 1, 5);
  table("discs, ratio 32", samples::uniform(shape::sphere, 2, 200'000, 0.6, 0.5, 32, 1),
        sweep({"0.3", "0.5", "1", "2", "3"}), 1, 5);
  table("spheres, ratio 32", samples::uniform(shape::sphere, 3, 200'000, 0.3, 0.5, 32, 1),
        sweep({"0.3", "0.5", "1", "2"}), 1, 5);
}

}  // namespace

void stripes() {
  zones();
  if (!asked().pages) widths();
}

}  // namespace figures
