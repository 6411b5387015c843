#include "neighborhood.hpp"

#include <algorithm>
#include <cmath>

#include "cell_size.hpp"

namespace abut {

namespace {

// In ns, on one thread (bench/neighborhood.cpp).
constexpr double load_of_body = 200;    // to place it in the rebuilding method
constexpr double load_of_test = 4;      // of the rebuilding method
constexpr double load_of_listing = 10;  // a pair found and written down
constexpr double load_of_pair = 3.5;    // a listed pair tested

constexpr double start_widths = 0.2;
constexpr double moves_per_distance = 3.5;

// The length that others are measured in: the mean width with the margin; of points, how far apart they are.
double unit_of(const world& w) {
  const measures& m = w.measured();
  const double unit = m.mean_width + w.margin();
  if (unit > 0 || w.size() == 0) return unit;
  double extent = 0;
  for (int k = 0; k < w.dimension(); ++k) extent = std::max(extent, m.upper[k] - m.lower[k]);
  return extent / std::pow(static_cast<double>(w.size()), 1.0 / w.dimension());
}

}  // namespace

double neighborhood::rebuild_work::load() const {
  return load_of_body * bodies + load_of_test * tests + load_of_listing * listed;
}

double neighborhood::start(const world& w) { return rounded_size(std::min(start_widths * unit_of(w), world::largest)); }

// What a step costs as the distance goes, all bodies together.
struct neighborhood::model {
  double unit;
  double now;
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
    return load_of_pair * then.listed + then.load() / steps(distance);
  }
  // From a body's width down to a thousandth, by sixths; or none, where the list would last but one step.
  [[nodiscard]] double best() const {
    double found = 0;
    double distance = unit;
    for (int k = 0; k < 38; ++k, distance /= 1.2) {
      if (load(distance) < load(found)) found = distance;
    }
    return rounded_size(found);
  }
};

double neighborhood::best(const world& w, double now, const rebuild_work& work, const motion& m) {
  const double unit = unit_of(w);
  if (!(m.mean > 0) || !(unit > 0) || !(unit < world::largest)) return now;
  if (m.steps >= 2 && m.mean_of_first > 0) {
    exponent_ = std::clamp(std::log(m.mean / m.mean_of_first) / std::log(m.steps), 0.5, 1.0);
  }
  return model{unit, now, work, m, exponent_, w.dimension()}.best();
}

bool neighborhood::pays(const world& w, double now, const rebuild_work& work, const motion& m) {
  const double unit = unit_of(w);
  const double other = best(w, now, work, m);
  if (other == now || !(unit > 0)) return false;
  const model expected{unit, now, work, m, exponent_, w.dimension()};
  return (expected.load(now) - expected.load(other)) * m.steps > work.load();
}

}  // namespace abut
