#include "steps/features.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t block_rows = 1024;
constexpr std::size_t most_ranges = 64;  // what is larger yet counts as the largest
constexpr double least_size = 1e-150;

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

}  // namespace

double features::others(double edge) const { return crowd.others(edge); }

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
  double widest = 0;
  for (int k = 0; k < f.dimension; ++k) {
    f.extent[k] = m.upper[k] - m.lower[k];
    widest = std::max(widest, m.widest[k]);
  }
  f.mean = std::max(m.mean_width + w.margin(), least_size);
  f.least = std::max(m.least_width + w.margin(), least_size);
  f.widest = std::max(widest + w.margin(), f.least);
  if (f.mean == least_size) f.mean = std::max(spacing_of(w), least_size);  // points
  f.sizes = {{f.widest, 1}};
  if (w.size() == 0) {
    f.crowd = {0, f.dimension, {{f.mean, 0}}};
    return f;
  }
  if (f.widest > 2 * f.least) count_sizes(w, f);
  f.crowd = crowding_of(w, 3 * f.mean, 4 * f.widest);
  return f;
}

}  // namespace abut
