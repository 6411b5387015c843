#include "features.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t block_rows = 1024;
constexpr std::size_t most_ranges = 64;  // what is larger yet counts as the largest
constexpr double least_size = 1e-150;

double power(double x, int n) { return n == 2 ? x * x : x * x * x; }

// The sizes of rows [from, to).
void read_sizes(const world& w, std::size_t from, std::size_t to, double* out) {
  const int d = w.dimension();
  const std::size_t count = to - from;
  if (w.kind() == shape::sphere) {
    w.at(d).read(from, count, out);
    for (std::size_t i = 0; i < count; ++i) out[i] = 2 * out[i] + w.margin();
    return;
  }
  double lower[block_rows];
  double upper[block_rows];
  std::fill_n(out, count, 0.0);
  for (int k = 0; k < d; ++k) {
    w.at(k).read(from, count, lower);
    w.at(d + k).read(from, count, upper);
    for (std::size_t i = 0; i < count; ++i) out[i] = std::max(out[i], upper[i] - lower[i] + w.margin());
  }
}

// By powers of two times the smallest.
void count_sizes(const world& w, features& f) {
  using counts_of = std::array<std::uint32_t, most_ranges>;
  const std::size_t n = w.size();
  const double least = std::max(f.least, f.widest * 1e-18);
  const double per_least = 1 / least;
  constexpr std::size_t rows_of_part = 64 * block_rows;
  std::vector<counts_of> parts((n + rows_of_part - 1) / rows_of_part);
  parallel_blocks(w.threads(), n, rows_of_part, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double sizes[block_rows];
    counts_of mine{};
    for (std::size_t from = begin; from < end; from += block_rows) {
      const std::size_t to = std::min(end, from + block_rows);
      read_sizes(w, from, to, sizes);
      for (std::size_t i = 0; i < to - from; ++i) {
        // The exponent of a double, of at least 1.
        const auto bits = std::bit_cast<std::uint64_t>(std::max(1.0, sizes[i] * per_least));
        ++mine[std::min<std::size_t>(most_ranges - 1, (bits >> 52) - 1023)];
      }
    }
    parts[part] = mine;
  });
  f.sizes.clear();
  for (std::size_t range = 0; range < most_ranges; ++range) {
    double count = 0;
    for (const counts_of& part : parts) count += part[range];
    const double size = least * std::exp2(static_cast<double>(range + 1));
    if (count > 0) f.sizes.push_back({std::min(size, f.widest), count / f.count});
  }
}

// Places of bodies, some thousand at most, evenly from all rows.
struct sample {
  std::vector<std::array<double, 3>> at;
  double stride;

  explicit sample(const world& w) {
    const std::size_t n = w.size();
    const std::size_t wanted = std::clamp<std::size_t>(n / 64, 32, 4096);
    const std::size_t step = (n + wanted - 1) / wanted;
    stride = static_cast<double>(step);
    at.reserve(wanted);
    for (std::size_t i = 0; i < n; i += step) {
      std::array<double, 3> place{};
      for (int k = 0; k < w.dimension(); ++k) place[k] = w.at(k)[i] - w.measured().lower[k];
      at.push_back(place);
    }
  }

  // Two of the sample in one cell stand for as many others as rows were passed over.
  [[nodiscard]] double others(double edge, std::vector<std::uint64_t>& cells) const {
    cells.clear();
    const double per_edge = 1 / edge;
    for (const auto& place : at) {
      std::uint64_t hash = 0;
      for (const double x : place) {
        const double cell = std::clamp(x * per_edge, 0.0, 1e18);
        hash = (hash + static_cast<std::uint64_t>(cell)) * 0x9e37'79b9'7f4a'7c15U;
        hash ^= hash >> 29;
      }
      cells.push_back(hash);
    }
    std::sort(cells.begin(), cells.end());
    double met = 0;
    for (std::size_t from = 0, to = 0; from < cells.size(); from = to) {
      while (to < cells.size() && cells[to] == cells[from]) ++to;
      met += static_cast<double>(to - from) * static_cast<double>(to - from - 1);
    }
    return met / static_cast<double>(cells.size()) * stride;
  }
};

// As if they were spread evenly.
double others_overall(const features& f, double edge) {
  double others = std::max(0.0, f.count - 1);
  for (int k = 0; k < f.dimension; ++k) others *= edge < f.extent[k] ? edge / f.extent[k] : 1;
  return others;
}

void measure_scales(const world& w, features& f) {
  const sample places(w);
  std::vector<std::uint64_t> cells;
  constexpr std::size_t most_scales = 8;
  for (double edge = 3 * f.mean; f.scales.size() < most_scales; edge *= 8) {
    const double even = others_overall(f, edge);
    f.scales.push_back({edge, std::max(even, places.others(edge, cells))});
    if (edge > 4 * f.widest || f.scales.back().others < 2 * even) break;
  }
}

}  // namespace

double features::others(double edge) const {
  const double most = std::max(0.0, count - 1);
  const scale* after = nullptr;
  const scale* before = nullptr;
  for (const scale& s : scales) {
    if (s.edge <= edge) {
      before = &s;
    } else if (after == nullptr) {
      after = &s;
    }
  }
  if (before == nullptr) return std::min(most, after->others * power(edge / after->edge, dimension));
  if (after == nullptr || !(before->others > 0)) {
    return std::min(most, before->others * power(edge / before->edge, dimension));
  }
  const double part = std::log(edge / before->edge) / std::log(after->edge / before->edge);
  return std::min(most, before->others * std::pow(after->others / before->others, part));
}

features features::wider(double by) const {
  features f = *this;
  f.mean += by;
  f.least += by;
  f.widest += by;
  for (size_range& s : f.sizes) s.size += by;
  return f;
}

features features_of(const world& w, std::optional<double> move) {
  features f;
  const measures& m = w.measured();
  f.kind = w.kind();
  f.dimension = w.dimension();
  f.count = static_cast<double>(w.size());
  f.move = move;
  double farthest = 0;
  double widest = 0;
  for (int k = 0; k < f.dimension; ++k) {
    f.extent[k] = m.upper[k] - m.lower[k];
    farthest = std::max(farthest, f.extent[k]);
    widest = std::max(widest, m.widest[k]);
  }
  f.mean = std::max(m.mean_width + w.margin(), least_size);
  f.least = std::max(m.least_width + w.margin(), least_size);
  f.widest = std::max(widest + w.margin(), f.least);
  if (m.mean_width + w.margin() < 1e-9 * farthest / std::max(1.0, f.count)) {  // points
    f.mean = std::max(farthest / std::pow(f.count, 1.0 / f.dimension), least_size);
  }
  f.sizes = {{f.widest, 1}};
  if (w.size() == 0) {
    f.scales = {{f.mean, 0}};
    return f;
  }
  if (f.widest > 2 * f.least) count_sizes(w, f);
  measure_scales(w, f);
  return f;
}

}  // namespace abut
