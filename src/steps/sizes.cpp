#include "steps/sizes.hpp"

#include <utility>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_in_cache = 1024;
constexpr std::size_t rows_per_part = 1 << 15;  // with fewer, another thread and its histogram cost more than they save

void count_rows(const world& w, std::size_t from, std::size_t end, const size_measure& size, const size_ranges& ranges,
                std::vector<size_count>& counted) {
  double widths[rows_in_cache];
  for (; from < end; from += rows_in_cache) {
    const std::size_t count = std::min(rows_in_cache, end - from);
    read_widths(w, from, from + count, widths);
    for (std::size_t i = 0; i < count; ++i) {
      const double s = size(widths[i]);
      size_count& r = counted[ranges.of(s)];
      ++r.count;
      r.largest = std::max(r.largest, s);
    }
  }
}

}  // namespace

void read_widths(const world& w, std::size_t from, std::size_t to, double* out) {
  const int d = w.dimension();
  if (w.kind() == shape::sphere) {
    w.at(d).read(from, to - from, out);
    for (std::size_t i = 0; i < to - from; ++i) out[i] *= 2;
    return;
  }
  double lower[rows_in_cache];
  double upper[rows_in_cache];
  for (; from < to; from += rows_in_cache, out += rows_in_cache) {
    const std::size_t count = std::min(rows_in_cache, to - from);
    std::fill_n(out, count, 0.0);
    for (int k = 0; k < d; ++k) {
      w.at(k).read(from, count, lower);
      w.at(d + k).read(from, count, upper);
      for (std::size_t i = 0; i < count; ++i) out[i] = std::max(out[i], upper[i] - lower[i]);
    }
  }
}

std::vector<size_count> count_sizes(const world& w, const size_measure& size, const size_ranges& ranges) {
  const std::size_t n = w.size();
  const std::size_t parts = std::clamp<std::size_t>(n / rows_per_part, 1, static_cast<std::size_t>(w.threads()));
  std::vector<std::vector<size_count>> counted(parts);
  parallel_for(w.threads(), parts, [&](std::size_t p) {
    counted[p].resize(ranges.count);
    count_rows(w, n * p / parts, n * (p + 1) / parts, size, ranges, counted[p]);
  });
  // Counts and maxima do not depend on how the rows are split.
  for (std::size_t p = 1; p < parts; ++p) {
    for (std::size_t r = 0; r < ranges.count; ++r) {
      counted[0][r].count += counted[p][r].count;
      counted[0][r].largest = std::max(counted[0][r].largest, counted[p][r].largest);
    }
  }
  return std::move(counted[0]);
}

}  // namespace abut
