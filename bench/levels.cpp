// The figures of multilevel (Ogarko and Luding 2011): its time over the number of levels, from which the K of N L
// (m + K) comes, and what sizes over decades cost. One thread, medians of processor time, so that other load on the
// machine does not count.

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <abut/abut.hpp>
#include <generators.hpp>
#include <samples.hpp>

#include "figures.hpp"
#include "methods/multilevel/sizes.hpp"

namespace {

using namespace abut;
using figures::asked;
using figures::contender;

constexpr int most_levels = 20;

std::vector<contender> run(const samples::set& bodies, const std::vector<std::string>& plans, int repeats) {
  std::vector<contender> all;
  all.reserve(plans.size());
  for (const std::string& p : plans) all.emplace_back(p, 1);
  for (int k = 0; k < repeats; ++k) {
    for (contender& c : all) c.run(bodies);
  }
  return all;
}

figures::result line_of(const std::string& sample, const samples::set& bodies, const contender& c,
                        const std::string& plan) {
  figures::result r = figures::result_of(c, sample, bodies.size(), plan);
  r.count = std::stod(std::string(c.what.planned().parameter_value("levels").value_or("1")));
  return r;
}

// One sample and direction: the time for each number of levels, and what the model predicts.
struct curve {
  std::string name;
  std::vector<size_class> classes{};
  std::vector<double> time{};  // for 1, 2, ... levels
  double best = 0;

  // How much longer the number of levels that this K chooses takes than the best one.
  [[nodiscard]] double loss(double k) const {
    return time[static_cast<std::size_t>(best_levels(classes, k, most_levels)) - 1] / best - 1;
  }
};

curve sweep(const samples::set& bodies, double fraction, const std::string& direction) {
  std::vector<std::string> plans;
  for (int levels = 1; levels <= most_levels; ++levels) {
    plans.push_back(fmt::format("multilevel levels={} direction={}", levels, direction));
  }
  const std::vector<contender> all = run(bodies, plans, asked().repeats(asked().pages ? 3 : 7));
  const contender chosen = std::move(run(bodies, {"multilevel direction=" + direction}, 1).front());
  const multilevel_sizes sizes(world(bodies.view(), {.threads = 1}, 1));
  curve c{.name = fmt::format("{} {}", fraction, direction)};
  c.classes.assign(sizes.classes().begin(), sizes.classes().end());
  std::vector<figures::result> results;
  for (std::size_t k = 0; k < all.size(); ++k) {
    results.push_back(line_of(fmt::format("fraction {}", fraction), bodies, all[k], plans[k]));
    c.time.push_back(results[k].sum);
  }
  c.best = *std::min_element(c.time.begin(), c.time.end());

  fmt::print("\nr^-3 sizes of ratio 50, volume fraction {}, {} bodies, direction={}\n", fraction, bodies.size(),
             direction);
  fmt::print("{:>3} {:>9} {:>10} {:>10} {:>10} {:>8} {:>12} {:>9}\n", "L", "m", "update", "find", "sum", "slower",
             "tests", "bytes");
  for (int levels = 1; levels <= most_levels; ++levels) {
    const auto k = static_cast<std::size_t>(levels) - 1;
    const bool taken = chosen.what.planned().parameter_value("levels") == std::to_string(levels);
    figures::result r = results[k];
    fmt::print("{:>3} {:9.3f} {:7.1f} ns {:7.1f} ns {:7.1f} ns {:8.2f} {:10.2f}/b {:7.1f}/b{}\n", levels,
               split_evenly(c.classes, levels).per_cell, r.update, r.find, r.sum, r.sum / c.best, r.tests, r.bytes,
               taken ? "  chosen" : "");
    asked().add(r);
    r.plan = "multilevel direction=" + direction;
    if (taken) asked().add(r);
    if (all[k].hash != chosen.hash) fmt::print("    other pairs!\n");
  }
  const auto taken = static_cast<std::size_t>(std::stoi(std::string(*chosen.what.planned().parameter_value("levels"))));
  fmt::print("chosen: {:.1f} % over the best; {:.0f} times fewer tests than one level, {:.1f} times faster\n",
             100 * (c.time[taken - 1] / c.best - 1), results[0].tests / results[taken - 1].tests,
             c.time[0] / c.time[taken - 1]);
  return c;
}

// K such that the number of levels it chooses is never far from the best.
void calibrate(const std::vector<curve>& curves) {
  fmt::print("\nWhat each K costs: percent over the best number of levels\n{:>6}", "K");
  for (const curve& c : curves) fmt::print(" {:>9}", c.name);
  fmt::print(" {:>9}\n", "worst");
  for (const double k : {0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4}) {
    double worst = 0;
    fmt::print("{:6.3f}", k);
    for (const curve& c : curves) {
      worst = std::max(worst, c.loss(k));
      fmt::print(" {:9.1f}", 100 * c.loss(k));
    }
    fmt::print(" {:9.1f}\n", 100 * worst);
  }
}

void sizes_over_decades() {
  constexpr std::size_t count = 1'000'000;
  struct sample {
    std::string name;
    double decades;
    samples::set bodies;
  };
  const std::vector<sample> all = {
      {"equal", 0, samples::uniform(shape::sphere, 3, count, 0.3, 0.5, 1, 1)},
      {"a giant, ratio 100", 2, samples::giant(shape::sphere, 3, count, 0.5, 100, 1)},
      {"a giant, ratio 1e6", 6, samples::giant(shape::sphere, 3, count, 0.5, 1e6, 1)},
      {"log-uniform, ratio 1e6", 6, samples::uniform(shape::sphere, 3, count, 0.3, 0.5, 1e6, 1)},
  };
  fmt::print("\nSizes over decades: {} bodies; equal and log-uniform ones at random, volume fraction 0.3\n", count);
  fmt::print("{:>24} {:>10} {:>10} {:>10} {:>7} {:>9}  {}\n", "", "update", "find", "sum", "ratio", "allowed", "plan");
  for (const char* direction : {"down", "up"}) {
    double equal = 0;
    for (const sample& s : all) {
      const std::string plan = fmt::format("multilevel direction={}", direction);
      const contender c = std::move(run(s.bodies, {plan}, asked().repeats(5)).front());
      const figures::result r = line_of(s.name, s.bodies, c, plan);
      asked().add(r);
      if (s.decades == 0) equal = r.sum;
      fmt::print("{:>24} {:7.1f} ns {:7.1f} ns {:7.1f} ns {:7.2f} {:9.1f}  {}\n", s.name, r.update, r.find, r.sum,
                 r.sum / equal, 1.5 * (s.decades + 1), c.what.planned().text());
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  for (int k = 1; k < argc; ++k) {
    if (!figures::take_setting(argc, argv, k)) throw std::runtime_error(fmt::format("unknown option {}", argv[k]));
  }
  asked().benchmark = "levels";
  std::vector<curve> curves;
  for (const double fraction : {0.1, 0.4}) {
    const samples::set bodies = samples::packing({.count = 125'001,
                                                  .sizes = samples::size_law::inverse_cube,
                                                  .r_max = 0.5,
                                                  .ratio = 50,
                                                  .fraction = fraction})
                                    .bodies;
    for (const char* direction : {"down", "up"}) curves.push_back(sweep(bodies, fraction, direction));
  }
  calibrate(curves);
  sizes_over_decades();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench levels: %s\n", e.what());
  return 1;
}
