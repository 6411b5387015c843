#include "steps/cell_size.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/power.hpp"
#include "base/text.hpp"
#include "steps/crowd.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_per_block = 4096;

// The magnitude of most bodies' coordinates: a single outlier must not count.
double usual_magnitude(const world& w) {
  constexpr std::size_t looked_at = 128;
  std::vector<double> far;
  for (std::size_t i = 0; i < w.size(); i += w.size() / looked_at + 1) {
    double farthest = 0;
    for (int k = 0; k < w.dimension(); ++k) farthest = std::max(farthest, std::abs(w.at(k)[i]));
    far.push_back(farthest);
  }
  if (far.empty()) return 0;
  const auto middle = far.begin() + static_cast<std::ptrdiff_t>(far.size() / 2);
  std::nth_element(far.begin(), middle, far.end());
  return *middle;
}

}  // namespace

double rounded_size(double size) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, size, std::chars_format::scientific, 2);
  double value = size;
  (void)parse_number({text, end.ptr}, value);
  return value;
}

// Computes the mean over bodies of products of widths, for every subset of the axes. The expected number of cells that
// a body touches, the mean of the product of (width / c + 1), is then a polynomial in 1 / c.
body_widths::body_widths(const world& w) : dimension_(w.dimension()) {
  const std::size_t n = w.size();
  const int d = dimension_;
  const measures& m = w.measured();
  for (int k = 0; k < d; ++k) room_ = std::max(room_, widened(m.lower[k], m.upper[k]).max - m.upper[k]);
  const double pad = w.margin() + 2 * room_;
  for (int k = 0; k < d; ++k) widest_[k] = m.widest[k] + pad;
  if (w.kind() == shape::sphere && m.least_width == *m.widest) {
    std::fill_n(products_, 8, 1.0);  // equal spheres
    return;
  }
  struct sums {
    double of[8] = {};
  };
  std::vector<sums> parts((n + rows_per_block - 1) / rows_per_block);
  parallel_blocks(w.threads(), n, rows_per_block, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      double share[3];
      for (int k = 0; k < d; ++k) {
        const double width = w.kind() == shape::sphere ? 2 * w.at(d)[i] : w.at(d + k)[i] - w.at(k)[i];
        share[k] = (width + pad) / widest_[k];
      }
      for (unsigned subset = 0; subset < 1U << d; ++subset) {
        double product = 1;
        for (int k = 0; k < d; ++k) product *= (subset >> k & 1U) != 0 ? share[k] : 1;
        parts[b].of[subset] += product;
      }
    }
  });
  for (const sums& part : parts) {
    for (unsigned subset = 0; subset < 1U << d; ++subset) products_[subset] += part.of[subset] / static_cast<double>(n);
  }
}

double body_widths::entries(double size, unsigned axes) const {
  double sum = 0;
  for (unsigned subset = 0; subset < 1U << dimension_; ++subset) {
    if ((subset & ~axes) != 0) continue;
    double product = products_[subset];
    for (int k = 0; k < dimension_; ++k) product *= (subset >> k & 1U) != 0 ? widest_[k] / size : 1;
    sum += product;
  }
  return sum;
}

cell_model::cell_model(const world& w) : widths_(w), dimension_(w.dimension()), count_(static_cast<double>(w.size())) {
  const measures& m = w.measured();
  const double room = rounding_room(usual_magnitude(w));
  for (int k = 0; k < dimension_; ++k) reach_[k] = (m.mean_width + m.widest[k]) / 2 + w.margin() + room;
  unit_ = m.mean_width + w.margin();
  if (unit_ < 4 * room) {  // points, or sizes below the precision of the coordinates: their spacing counts
    unit_ = std::max(4 * room, spacing_of(w));
    if (!(unit_ > 0)) unit_ = 1;
  }
  measure_densities(w);
}

// At several scales: the number of bodies per volume of the whole space would say nothing about clusters, and the
// number near a body would say nothing about what the largest body meets.
void cell_model::measure_densities(const world& w) {
  double farthest = unit_;
  double overall = count_ - 1;
  for (int k = 0; k < dimension_; ++k) {
    farthest = std::max(farthest, reach_[k]);
    overall *= unit_ / std::max(unit_, w.measured().upper[k] - w.measured().lower[k]);
  }
  const crowd_probe probe = fine_probe(w);
  double edge = 2 * unit_;
  do {
    const double others = probe.others(edge);
    densities_.push_back({edge, std::max(overall, others / power(edge / unit_, dimension_))});
    edge *= 8;
  } while (edge < 4 * farthest && densities_.size() < 8 && densities_.back().value > overall);
}

double cell_model::density_at(double edge) const {
  for (const density& d : densities_) {
    if (edge <= 3 * d.edge) return d.value;
  }
  return densities_.back().value;
}

cell_choice cell_model::expect(cell_store store, double size) const {
  cell_choice c{.store = store, .size = size};
  if (store == cell_store::center) {
    double searched = density_at(size + 2 * reach_[0]);
    c.visits = 0.5;
    for (int k = 0; k < dimension_; ++k) {
      searched *= (size + 2 * reach_[k]) / unit_;
      if (k > 0) c.visits *= 1 + 2 * reach_[k] / size;
    }
    c.tests = std::min(searched, count_) / 2;
    c.visits = std::min(c.visits, count_);
    c.load = load_of_line * c.visits + c.tests;
  } else {
    c.visits = entries(size);
    c.tests = c.visits * std::min(density_at(size) * power(size / unit_, dimension_) * c.visits, count_) / 2;
    c.load = load_of_entry * c.visits + load_of_meeting * c.tests;
  }
  return c;
}

cell_choice cell_model::best(cell_store store) const {
  double largest = unit_;
  for (int k = 0; k < dimension_; ++k) largest = std::max({largest, reach_[k], widths_.widest(k)});
  cell_choice best;
  best.load = std::numeric_limits<double>::infinity();
  double size = unit_ / 4;
  while (size <= 16 * largest) {
    size *= 1.1;
    if (store == cell_store::cover && !(entries(size) <= body_widths::entries_aimed_at)) continue;
    const cell_choice c = expect(store, size);
    if (c.load < best.load) best = c;
  }
  return expect(store, rounded_size(best.load < std::numeric_limits<double>::infinity() ? best.size : 4 * largest));
}

cell_choice cell_model::best() const {
  const cell_choice center = best(cell_store::center);
  const cell_choice cover = best(cell_store::cover);
  return center.load <= cover.load ? center : cover;
}

}  // namespace abut
