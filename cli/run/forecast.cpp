#include "run/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "screen/stopwatch.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t most_packed = 20'000;
constexpr double least_seconds = 0.2;
constexpr std::uint64_t most_steps = 500;

double mass_of(const scene& what, double radius, unsigned material) {
  const double volume = what.settings.dimension == 2 ? 3.1416 * radius * radius : 4.1888 * radius * radius * radius;
  return what.settings.materials[material].density * volume;
}

/// How many bodies a pour will have added at a time, if there is room for all.
double poured_by(const scene& what, const dem::pour& p, double time) {
  const double most = p.count ? static_cast<double>(*p.count) : std::numeric_limits<double>::infinity();
  const double lasts = std::min(time, p.end) - p.start;
  if (!(lasts > 0)) return 0;
  if (p.rate) return std::min(most, *p.rate * lasts);
  if (p.mass_rate)
    return std::min(most, *p.mass_rate * lasts / mass_of(what, dem::smallest_radius(p.radii), p.material));
  return most;  // all that there is room for, at once
}

/// The sum, over all steps, of the bodies that have been poured by then and are not there now.
double body_steps(const scene& what, const dem::simulation& now, std::uint64_t steps) {
  constexpr int parts = 200;
  double sum = 0;
  for (std::size_t k = 0; k < what.settings.pours.size(); ++k) {
    const auto there = static_cast<double>(now.poured()[k].poured);
    for (int part = 0; part < parts; ++part) {
      const double time = (part + 0.5) / parts * static_cast<double>(steps) * now.time_step();
      sum += std::max(0.0, poured_by(what, what.settings.pours[k], time) - there);
    }
  }
  return sum / parts * static_cast<double>(steps);
}

/// The seconds that a step takes for each body of a dense packing in a periodic box, with the scene's law.
double seconds_per_body(const scene& what, std::size_t count, double time_step) {
  const dem::pour& like = what.settings.pours.front();
  dem::settings s;
  s.dimension = what.settings.dimension;
  s.materials = what.settings.materials;
  s.contact_law = what.settings.contact_law;
  s.moved_by = what.settings.moved_by;
  s.method = what.settings.method;
  s.threads = what.settings.threads;
  s.energies = true;
  s.time_step = time_step;
  const double radius = dem::smallest_radius(like.radii);
  const double apart = 1.99 * radius;
  const auto dimension = static_cast<std::size_t>(s.dimension);
  const auto side = static_cast<std::size_t>(
      std::max(4.0, std::ceil(std::pow(static_cast<double>(std::min(count, most_packed)), 1.0 / s.dimension))));
  for (std::size_t k = 0; k < dimension; ++k) s.periodic[k] = interval{0, apart * static_cast<double>(side)};
  std::vector<dem::body> packed;
  for (std::size_t n = 0; n < side * side * (dimension == 3 ? side : 1); ++n) {
    dem::body b{.radius = radius, .material = like.material};
    const double speed = 1e-3 * radius / time_step * (n % 2 == 0 ? 1 : -1);
    const std::size_t line = n / side, layer = line / side;
    b.position =
        dem::vec{static_cast<double>(n % side), static_cast<double>(line % side), static_cast<double>(layer)} * apart;
    b.velocity = {speed, n % 3 == 0 ? speed : 0, 0};
    packed.push_back(b);
  }
  dem::simulation run(s, packed);
  stopwatch watch;
  double seconds = 0;
  std::uint64_t piece = 1;
  while (seconds < least_seconds && run.steps() < most_steps) {
    run.run(piece);
    seconds += watch.lap();
    piece = 10;
  }
  return seconds / static_cast<double>(run.steps()) / static_cast<double>(packed.size());
}

}  // namespace

double seconds_of_poured(const scene& what, const dem::simulation& now, std::uint64_t steps) {
  if (what.settings.pours.empty() || steps == 0) return 0;
  const double sum = body_steps(what, now, steps);
  if (!(sum > 0)) return 0;
  const auto count = static_cast<std::size_t>(std::clamp(sum / static_cast<double>(steps), 64.0, 1e9));
  return sum * seconds_per_body(what, count, now.time_step());
}

}  // namespace abut::cli
