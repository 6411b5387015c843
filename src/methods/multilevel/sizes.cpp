#include "methods/multilevel/sizes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/power.hpp"
#include "steps/crowd.hpp"

namespace abut {

namespace {

constexpr std::size_t block_rows = 1024;
constexpr std::uint64_t most_ranges = 4096;
constexpr int least_dropped = 52 - 5;       // 32 ranges per octave
constexpr int least_dropped_fine = 52 - 9;  // 512

double root(double x, int n) { return n == 2 ? std::sqrt(x) : std::cbrt(x); }

// Fills levels from the largest class down, each as far as `per_cell` allows. Returns false if that takes more than
// `most` levels. `sums[k]` is the number of bodies in the classes before k.
bool fill(std::span<const size_class> classes, const std::vector<double>& sums, double per_cell, std::size_t most,
          std::vector<std::size_t>& ends) {
  ends.clear();
  for (std::size_t end = classes.size(); end > 0;) {
    if (ends.size() == most) return false;
    ends.push_back(end);
    const double room = per_cell * classes[end - 1].cells;
    const auto begin =
        std::lower_bound(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(end), sums[end] - room);
    const auto next = static_cast<std::size_t>(begin - sums.begin());
    if (next >= end) return false;  // even one class is too many
    end = next;
  }
  return true;
}

std::vector<double> running_sums(std::span<const size_class> classes) {
  std::vector<double> sums(classes.size() + 1, 0);
  for (std::size_t k = 0; k < classes.size(); ++k) sums[k + 1] = sums[k] + classes[k].count;
  return sums;
}

// Bisects between `from`, which is too little or just enough, and `to`, which is enough.
multilevel_split narrow(std::span<const size_class> classes, const std::vector<double>& sums, std::size_t levels,
                        double from, double to) {
  multilevel_split split;
  if (fill(classes, sums, from, levels, split.ends)) to = from;
  while (to > from * 1.0005) {
    const double middle = std::sqrt(from) * std::sqrt(to);
    (fill(classes, sums, middle, levels, split.ends) ? to : from) = middle;
  }
  fill(classes, sums, to, levels, split.ends);
  std::reverse(split.ends.begin(), split.ends.end());
  split.per_cell = to;
  return split;
}

// A level is at least as full as its fullest class.
double least_per_cell(std::span<const size_class> classes) {
  double least = 1e-300;
  for (const size_class& c : classes) least = std::max(least, c.count / c.cells);
  return least * (1 + 1e-12);  // because sums of counts are rounded
}

double most_per_cell(std::span<const size_class> classes, const std::vector<double>& sums) {
  return std::max(2 * least_per_cell(classes), sums.back() / classes.back().cells * (1 + 1e-12));
}

}  // namespace

multilevel_split split_evenly(std::span<const size_class> classes, int levels) {
  if (classes.empty()) return {};
  const std::vector<double> sums = running_sums(classes);
  return narrow(classes, sums, static_cast<std::size_t>(levels), least_per_cell(classes), most_per_cell(classes, sums));
}

void divide_further(std::span<const size_class> classes, std::size_t levels, multilevel_split& split) {
  const std::vector<double> sums = running_sums(classes);
  const auto fullness = [&](std::size_t from, std::size_t to) {
    return (sums[to] - sums[from]) / classes[to - 1].cells;
  };
  while (split.ends.size() < levels) {
    std::size_t fullest = split.ends.size();
    double most = -1;
    for (std::size_t h = 0; h < split.ends.size(); ++h) {
      const std::size_t from = h == 0 ? 0 : split.ends[h - 1];
      if (split.ends[h] - from > 1 && fullness(from, split.ends[h]) > most) {
        most = fullness(from, split.ends[h]);
        fullest = h;
      }
    }
    if (fullest == split.ends.size()) break;
    // Divides it where the fuller part is as empty as possible.
    const std::size_t from = fullest == 0 ? 0 : split.ends[fullest - 1];
    const std::size_t to = split.ends[fullest];
    std::size_t best = from + 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = from + 1; at < to; ++at) {
      const double fuller = std::max(fullness(from, at), fullness(at, to));
      if (fuller < least) least = fuller, best = at;
    }
    split.ends.insert(split.ends.begin() + static_cast<std::ptrdiff_t>(fullest), best);
  }
}

int best_levels(std::span<const size_class> classes, double overhead, int most) {
  if (classes.empty()) return 1;
  const std::vector<double> sums = running_sums(classes);
  const double least = least_per_cell(classes);
  double per_cell = most_per_cell(classes, sums);
  double best = 0;
  int chosen = 0;
  for (int levels = 1; levels <= most; ++levels) {
    // m only falls as L grows, and never below `least`.
    if (chosen > 0 && levels * (least + overhead) >= best) break;
    per_cell = narrow(classes, sums, static_cast<std::size_t>(levels), least, per_cell).per_cell;
    const double cost = levels * (per_cell + overhead);
    if (chosen == 0 || cost < best) {
      best = cost;
      chosen = levels;
    }
  }
  return chosen;
}

multilevel_sizes::multilevel_sizes(const world& w, bool fine) : dimension_(w.dimension()) {
  if (w.size() == 0) return;
  count_classes(w, fine);
  measure_space(w);
  for (size_class& c : classes_) c.cells = cells_of(c.size);
}

void multilevel_sizes::count_classes(const world& w, bool fine) {
  const measures& m = w.measured();
  const double* const widest = std::max_element(m.widest, m.widest + dimension_);
  size_ = {w.margin(), 1, least_size};
  // With a little room on either side, since the margin may have been added in another order.
  const std::uint64_t first = std::bit_cast<std::uint64_t>(size_(m.least_width)) - 8;
  const std::uint64_t last = std::bit_cast<std::uint64_t>(size_(*widest)) + 8;
  int& dropped = ranges_.dropped;
  for (dropped = fine ? least_dropped_fine : least_dropped; (last >> dropped) - (first >> dropped) >= most_ranges;)
    ++dropped;
  ranges_.first = first >> dropped;
  ranges_.count = static_cast<std::size_t>((last >> dropped) - ranges_.first) + 1;
  level_of_.resize(ranges_.count);
  const std::vector<size_count> counted = count_sizes(w, size_, ranges_);
  for (std::size_t r = 0; r < counted.size(); ++r) {
    if (counted[r].count == 0) continue;
    range_of_class_.push_back(r);
    classes_.push_back({counted[r].largest, static_cast<double>(counted[r].count), 0});
  }
}

// Counts how many cells the bodies fill, for cells of several edges: the number of bodies per volume of the whole space
// would say nothing about clusters. Starts at the scale of the median body and goes up until space looks about as full
// as it is on the whole.
void multilevel_sizes::measure_space(const world& w) {
  constexpr int most_looks = 10;
  constexpr double seen = 0.05;    // others in a body's cell; with fewer, nothing can be seen at this scale
  constexpr double too_many = 16;  // with more, if nothing was seen before, an edge between the two is tried
  const measures& m = w.measured();
  const auto n = static_cast<double>(w.size());
  const auto whole = [&](double edge) {
    double cells = 1;
    for (int k = 0; k < dimension_; ++k) cells *= std::max(1.0, (m.upper[k] - m.lower[k]) / edge);
    return std::min(cells, 1e300);
  };
  const crowd_probe probe = fine_probe(w);
  double edge = 4 * median_size();
  const double step = std::max(8.0, root(classes_.back().size / edge, 3));
  double unseen = 0;
  for (int look = 0; look < most_looks; ++look) {
    const double others = probe.others(edge);
    const double all = whole(edge);
    scales_.push_back({edge, others > 0 ? std::min(n / others, all) : all});
    if (others < seen) {
      unseen = edge;
      edge = std::max(step * edge, edge_for(n, 0.5) / 8);
    } else if (unseen > 0 && others > too_many && scales_.size() == 1) {
      edge = std::max(2 * unseen, edge / root(others, dimension_));
    } else if (scales_.back().cells > all / 4 || edge > 4 * classes_.back().size) {
      return;
    } else {
      edge *= step;
      continue;
    }
    if (look + 1 < most_looks) scales_.clear();
  }
}

double multilevel_sizes::median_size() const {
  double half = 0;
  for (const size_class& c : classes_) half += c.count / 2;
  std::size_t k = 0;
  for (; k + 1 < classes_.size() && classes_[k].count < half; ++k) half -= classes_[k].count;
  return classes_[k].size;
}

double multilevel_sizes::cells_of(double size) const {
  const scale* best = &scales_.front();
  for (const scale& s : scales_) {
    if (s.edge <= 4 * size) best = &s;
  }
  return std::max(1.0, best->cells * power(best->edge / size, dimension_));
}

double multilevel_sizes::edge_for(double count, double per_cell) const {
  const scale& s = scales_.front();
  return s.edge * root(s.cells * per_cell / count, dimension_);
}

void multilevel_sizes::set_levels(const multilevel_split& split) {
  std::uint8_t level = 0;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (k == split.ends[level]) ++level;
    level_of_[range_of_class_[k]] = level;
  }
}

void multilevel_sizes::read_levels(const world& w, std::size_t from, std::size_t to, std::uint8_t* out) const {
  double widths[block_rows];
  for (std::size_t begin = from; begin < to; begin += block_rows) {
    const std::size_t end = std::min(to, begin + block_rows);
    read_widths(w, begin, end, widths);
    for (std::size_t i = begin; i < end; ++i) out[i - from] = level_of_[ranges_.of(size_(widths[i - begin]))];
  }
}

}  // namespace abut
