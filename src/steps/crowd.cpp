#include "steps/crowd.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/power.hpp"
#include "steps/sizes.hpp"

namespace abut {

namespace {

// The number of others in a cube of this edge if bodies were spread evenly.
double others_overall(const world& w, double edge) {
  double others = std::max(0.0, static_cast<double>(w.size()) - 1);
  for (int k = 0; k < w.dimension(); ++k) {
    const double extent = w.measured().upper[k] - w.measured().lower[k];
    others *= edge < extent ? edge / extent : 1;
  }
  return others;
}

std::size_t probed_rows(const world& w) { return std::clamp<std::size_t>(w.size() / 64, 32, 4096); }

}  // namespace

crowd_probe::crowd_probe(const world& w, std::size_t wanted, bool from_corner) : crowd_probe(w.size(), wanted) {
  for (std::size_t k = 0; from_corner && k < static_cast<std::size_t>(w.dimension()); ++k) {
    lower_[k] = w.measured().lower[k];
    extent_[k] = w.measured().upper[k] - w.measured().lower[k];
  }
  for (std::size_t i = 0; i < w.size(); i += step_) {
    place p{};
    for (int k = 0; k < w.dimension(); ++k) p[static_cast<std::size_t>(k)] = w.at(k)[i];
    add(p);
  }
}

double crowd_probe::others(double edge) const {
  if (at_.empty()) return 0;
  std::vector<std::uint64_t> cubes;
  cubes.reserve(at_.size());
  const double per_edge = 1 / edge;
  // Cubes are numbered from the lower corner. If space is too wide for that, they are numbered from 0 outwards, where
  // doubles are densest.
  bool wide[3];
  for (std::size_t k = 0; k < 3; ++k) wide[k] = !(extent_[k] * per_edge < 4e18);
  for (const place& p : at_) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      // Kept as doubles: far out, each coordinate has a cube of its own.
      const double cube = wide[k] ? std::trunc(p[k] * per_edge) : std::floor((p[k] - lower_[k]) * per_edge);
      hash = (hash ^ std::bit_cast<std::uint64_t>(cube + 0.0)) * 0x9e37'79b9'7f4a'7c15U;
      hash ^= hash >> 29;
    }
    cubes.push_back(hash);
  }
  std::sort(cubes.begin(), cubes.end());
  double met = 0;
  for (std::size_t from = 0, to = 0; from < cubes.size(); from = to) {
    while (to < cubes.size() && cubes[to] == cubes[from]) ++to;
    met += static_cast<double>(to - from) * static_cast<double>(to - from - 1);
  }
  return met / static_cast<double>(cubes.size()) * static_cast<double>(step_);
}

double crowding::others(double edge) const {
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

double spacing_of(const world& w) {
  if (w.size() == 0) return 0;
  double longest = 0;
  for (int k = 0; k < w.dimension(); ++k) {
    longest = std::max(longest, w.measured().upper[k] - w.measured().lower[k]);
  }
  const crowd_probe probe(w, probed_rows(w));
  const double most = longest / std::pow(static_cast<double>(w.size()), 1.0 / w.dimension());
  int none = 0;  // as a number of halvings
  for (int all = 1024; none < all;) {
    const int middle = (none + all) / 2;
    if (probe.others(std::max(most * std::exp2(-middle), least_size)) > 2) {
      none = middle + 1;
    } else {
      all = middle;
    }
  }
  return most * std::exp2(-none);
}

crowding crowding_of(const world& w, double least, double most) {
  constexpr std::size_t most_scales = 8;
  crowding c{static_cast<double>(w.size()), w.dimension(), {}};
  const crowd_probe probe(w, probed_rows(w));
  for (double edge = least; c.scales.size() < most_scales; edge *= 8) {
    const double even = others_overall(w, edge);
    c.scales.push_back({edge, std::max(even, probe.others(edge))});
    if (edge > most || c.scales.back().others < 2 * even) break;
  }
  return c;
}

}  // namespace abut
