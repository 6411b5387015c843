#include "steps/features.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "steps/sizes.hpp"

namespace abut {

namespace {

constexpr std::size_t most_ranges = 64;  // larger sizes are counted in the last one

// Counts sizes by powers of two times the smallest.
void fill_sizes(const world& w, features& f) {
  const double least = std::max(f.least, f.widest * 1e-18);
  constexpr std::uint64_t exponent_of_1 = 1023;
  const auto counted = count_sizes(w, {w.margin(), 1 / least, 1}, {52, exponent_of_1, most_ranges});
  f.sizes.clear();
  for (std::size_t range = 0; range < most_ranges; ++range) {
    const double size = least * std::exp2(static_cast<double>(range + 1));
    if (counted[range].count > 0) f.sizes.push_back({std::min(size, f.widest), counted[range].count / f.count});
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
  if (f.widest > 2 * f.least) fill_sizes(w, f);
  f.crowd = crowding_of(w, 3 * f.mean, 4 * f.widest);
  return f;
}

}  // namespace abut
