#pragma once

// Collisions for the tests of contact laws, with the end of the contact between two steps.

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <abut/dem/dem.hpp>

namespace dem_support {

using abut::dem::vec;

/// One material that meets itself like this.
inline abut::dem::material_table one_material(const abut::dem::interaction& i, const abut::dem::material& m = {}) {
  abut::dem::material_table all(i);
  all.add(m);
  return all;
}

/// The mass of a sphere.
inline double mass_of(double density, double r) { return density * 4 * std::numbers::pi / 3 * r * r * r; }

/// One thread, this law and this time step.
inline abut::dem::settings with(const std::string& law_name, const abut::dem::material_table& m, double time_step) {
  abut::dem::settings s;
  s.materials = m;
  s.contact_law = abut::dem::named_law(law_name, m);
  s.time_step = time_step;
  s.threads = 1;
  return s;
}

/// What a collision was like.
struct collision {
  double lasts = 0;      ///< the time of contact
  double overlap = 0;    ///< the largest
  double force = 0;      ///< the largest on body 0
  double speed_out = 0;  ///< at which the bodies move apart when the overlap ends
  vec velocity{};        ///< of body 0 after the contact
  vec spin{};            ///< of body 0 after the contact
  double tracked = 0;    ///< the value of the tracked quantity when the overlap ends
};

/// A quantity as it was in the last steps of a contact.
struct recent {
  std::array<double, 3> t{}, value{};
  void add(double time, double v) {
    t = {t[1], t[2], time};
    value = {value[1], value[2], v};
  }
  /// By the parabola through the three.
  [[nodiscard]] double at(double time) const {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double weight = 1;
      for (std::size_t l = 0; l < 3; ++l) {
        if (l != k) weight *= (time - t[l]) / (t[k] - t[l]);
      }
      sum += weight * value[k];
    }
    return sum;
  }
};

/// Runs until the overlap, which begins at step 0 with 0, has ended. `overlap_of` tells it, `approach_of` its rate.
inline collision collide(abut::dem::simulation& run, const std::function<double()>& overlap_of,
                         const std::function<double()>& approach_of, const std::function<double()>& tracked = {}) {
  collision found;
  recent overlap, approach, other;
  for (int step = 0; step < 100'000; ++step) {
    const double now = overlap_of();
    if (now < 0 && step > 0) {
      // The root of the overlap by bisection, within the step.
      double low = run.time() - run.time_step();
      double high = run.time() + run.time_step();
      for (int k = 0; k < 100; ++k) {
        const double middle = (low + high) / 2;
        (overlap.at(middle) > 0 ? low : high) = middle;
      }
      found.lasts = low;
      found.speed_out = -approach.at(low);
      if (tracked) found.tracked = other.at(low);
      found.velocity = run.bodies().velocity[run.row_of(0)];
      found.spin = run.bodies().spin[run.row_of(0)];
      return found;
    }
    overlap.add(run.time(), now);
    approach.add(run.time(), approach_of());
    if (tracked) other.add(run.time(), tracked());
    found.overlap = std::max(found.overlap, now);
    found.force = std::max(found.force, length(run.bodies().force[run.row_of(0)]));
    run.run();
  }
  throw std::runtime_error("the contact does not end");
}

/// Two equal spheres that touch at the start, or overlap by twice `overlap`, and approach each other along x, each at
/// `speed`.
inline collision head_on(abut::dem::settings s, double radius, double speed, double overlap = 0) {
  const double x = radius - overlap;
  const std::vector<abut::dem::body> two{{.position = {-x, 0, 0}, .velocity = {speed, 0, 0}, .radius = radius},
                                         {.position = {x, 0, 0}, .velocity = {-speed, 0, 0}, .radius = radius}};
  abut::dem::simulation run(std::move(s), two);
  const auto difference = [&](const std::vector<vec>& column) {
    return column[run.row_of(1)].x - column[run.row_of(0)].x;
  };
  return collide(
      run, [&] { return 2 * radius - difference(run.bodies().position); },
      [&] { return -difference(run.bodies().velocity); });
}

/// A sphere that touches the plane z = 0 at the start and has this velocity; material 1 is the plane's. Tracks the
/// velocity of the sphere's lowest point along x.
inline collision on_plane(abut::dem::settings s, double radius, const vec& velocity) {
  s.walls = {abut::dem::plane({0, 0, 0}, {0, 0, 1}, 1)};
  abut::dem::simulation run(std::move(s), {{.position = {0, 0, radius}, .velocity = velocity, .radius = radius}});
  const abut::dem::state& b = run.bodies();
  return collide(
      run, [&] { return radius - b.position[0].z; }, [&] { return -b.velocity[0].z; },
      [&] { return b.velocity[0].x - b.spin[0].y * b.position[0].z; });
}

}  // namespace dem_support
