#include "steps/neighborhood.hpp"

#include <algorithm>
#include <cmath>

#include "steps/cell_size.hpp"

namespace abut {

namespace {

constexpr double start_widths = 0.2;

}  // namespace

neighborhood::rates neighborhood::rates_of(std::string_view method) {
  return method == "grid" ? rates{.body = 70, .test = 1, .listing = 5, .once = 8000} : rates{};
}

double neighborhood::unit_of(const world& w, bool in_widths) {
  const measures& m = w.measured();
  if (in_widths) return m.mean_width > 0 ? std::min((m.mean_width + w.margin()) / m.mean_width, 2.0) : 1;
  return unit_of(m, w.size(), w.dimension(), w.margin());
}

double neighborhood::unit_of(const measures& m, std::size_t bodies, int dimension, double margin) {
  const double unit = m.mean_width + margin;
  if (unit > 0 || bodies == 0) return unit;
  double extent = 0;
  for (int k = 0; k < dimension; ++k) extent = std::max(extent, m.upper[k] - m.lower[k]);
  return extent / std::pow(static_cast<double>(bodies), 1.0 / dimension);
}

double neighborhood::start(double unit) { return rounded_size(std::min(start_widths * unit, world::largest)); }

// The cost of a step, for all bodies together, as a function of the distance.
struct neighborhood::model {
  const neighborhood& rates;
  double unit;
  double now;  // the present distance
  rebuild_work work;
  motion moves;
  double exponent;
  int dimension;

  [[nodiscard]] double steps(double distance) const {
    const double longer = distance / moves_per_distance / moves.mean;
    return std::max(1.0, std::floor(moves.steps * std::pow(longer, 1 / exponent)));
  }
  [[nodiscard]] double load(double distance) const {
    const double more = std::pow((unit + distance) / (unit + now), dimension);
    const rebuild_work then{work.bodies, work.tests * more, work.listed * more};
    return rates.rates_.pair * then.listed + rates.load(then) / steps(distance);
  }
  // Tries distances from a body's width down to a thousandth of it, each a sixth shorter than the last, and 0, which
  // is best if the list would last only one step.
  [[nodiscard]] double best() const {
    double found = 0;
    double distance = unit;
    for (int k = 0; k < 38; ++k, distance /= 1.2) {
      if (load(distance) < load(found)) found = distance;
    }
    return rounded_size(found);
  }
};

double neighborhood::best(double unit, int dimension, double now, const rebuild_work& last, const motion& m) {
  if (!(m.mean > 0) || !(unit > 0) || !(unit < world::largest)) return now;
  if (m.steps >= 2 && m.mean_of_first > 0) {
    exponent_ = std::clamp(std::log(m.mean / m.mean_of_first) / std::log(m.steps), 0.5, 1.0);
  }
  return model{*this, unit, now, last, m, exponent_, dimension}.best();
}

bool neighborhood::pays(double unit, int dimension, double now, const rebuild_work& last, const motion& m) {
  const double other = best(unit, dimension, now, last, m);
  if (other == now || !(unit > 0)) return false;
  const model expected{*this, unit, now, last, m, exponent_, dimension};
  return (expected.load(now) - expected.load(other)) * m.steps > load(last);
}

}  // namespace abut
