// The experiments of Munjiza et al. 2006, sections 6 and 7: processor time of sort (update) and search (find), each by
// itself. The contenders of a table run in turns, ten detections each after a first one; medians are shown. Tables
// about small differences take several rounds, since where the arrays lie in memory changes the time of following
// pointers by up to a third.

#include <array>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <abut/abut.hpp>
#include <generators.hpp>
#include <samples.hpp>

#include "figures.hpp"

namespace figures {

namespace {

// Spheres of diameter 1 that move at random, by up to 0.05 on each axis in each step.
class moving_bodies {
 public:
  // `apart`: from site to site on each axis. If there is room, bodies begin up to half a diameter away from their
  // sites, so that the lattice does not decide which ones change cells.
  moving_bodies(std::size_t count, const std::array<double, 3>& apart)
      : bodies_(samples::lattice(shape::sphere, 3, count, apart, {}, 0.5, 1)), rng_(2) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double by = apart[k] >= 2 ? 0.5 : 0.05;
      for (double& x : bodies_.column[k]) x += rng_.uniform(-by, by);
    }
  }
  moving_bodies(samples::set bodies, double step) : bodies_(std::move(bodies)), rng_(2), step_(step) {}

  void move() {
    for (std::size_t k = 0; k < 3; ++k) {
      for (double& x : bodies_.column[k]) x += rng_.uniform(-step_, step_);
    }
  }
  [[nodiscard]] const samples::set& bodies() const { return bodies_; }

 private:
  samples::set bodies_;
  samples::random rng_;
  double step_ = 0.05;
};

struct runner {
  runner(std::string line, int of) : plan_text(std::move(line)), set(of), what(plan(plan_text), {.threads = 1}) {}

  void run(const samples::set& bodies, bool count) {
    const double start = now(1);
    what.update(bodies.view());
    const double updated = now(1);
    hash = 0;
    what.for_each_pair([&](row i, row j) { hash += pair_hash({i, j}); });
    const double found = now(1);
    if (!count) return;
    const double n = static_cast<double>(bodies.size()) / 1e9;
    sort.push_back((updated - start) / n);
    find.push_back((found - updated) / n);
  }

  std::string plan_text;
  int set;
  search what;
  std::vector<double> sort{};
  std::vector<double> find{};
  std::uint64_t hash = 0;
};

void detect(std::vector<moving_bodies>& sets, std::vector<runner>& runners, int steps) {
  for (int step = 0; step <= steps; ++step) {
    for (runner& r : runners) r.run(sets[static_cast<std::size_t>(r.set)].bodies(), step > 0);
    for (moving_bodies& s : sets) s.move();
  }
}

// Examples II to IV: 125,000 bodies at growing distances.
void densities(const char* name, std::array<double, 3> (*apart)(double), const std::vector<double>& spacings,
               int rounds) {
  std::vector<std::vector<double>> sort(spacings.size());
  std::vector<std::vector<double>> find(spacings.size());
  std::vector<double> tests(spacings.size());
  for (int round = 0; round < rounds; ++round) {
    std::vector<moving_bodies> sets;
    std::vector<runner> runners;
    runners.reserve(spacings.size());
    for (std::size_t k = 0; k < spacings.size(); ++k) {
      const double s = spacings[(k + static_cast<std::size_t>(round)) % spacings.size()];
      runners.emplace_back("mr", static_cast<int>(k));
      sets.emplace_back(125'000, apart(s));
    }
    detect(sets, runners, 10);
    for (std::size_t k = 0; k < spacings.size(); ++k) {
      const std::size_t to = (k + static_cast<std::size_t>(round)) % spacings.size();
      sort[to].insert(sort[to].end(), runners[k].sort.begin(), runners[k].sort.end());
      find[to].insert(find[to].end(), runners[k].find.begin(), runners[k].find.end());
      tests[to] = static_cast<double>(runners[k].what.stats().tests) / 125'000;
    }
  }
  fmt::print("\n{}: 125,000 bodies, mr, ns a body\n{:>10} {:>8} {:>8} {:>8} {:>8}\n", name, "spacing", "sort", "search",
             "sum", "tests");
  double least[2] = {1e300, 1e300};
  double most[2] = {0, 0};
  for (std::size_t k = 0; k < spacings.size(); ++k) {
    const double times[2] = {median(sort[k]), median(find[k])};
    fmt::print("{:8.0f} d {:8.1f} {:8.1f} {:8.1f} {:8.2f}\n", spacings[k], times[0], times[1], times[0] + times[1],
               tests[k]);
    asked().add({.benchmark = "mr",
                 .sample = fmt::format("{}, spacing {}", name, spacings[k]),
                 .bodies = 125'000,
                 .plan = "mr",
                 .update = times[0],
                 .find = times[1],
                 .sum = times[0] + times[1],
                 .tests = tests[k]});
    for (int t = 0; t < 2 && spacings[k] >= 2; ++t) {
      least[t] = std::min(least[t], times[t]);
      most[t] = std::max(most[t], times[t]);
    }
  }
  fmt::print("from 2 d on, most / least: sort {:.2f}, search {:.2f}\n", most[0] / least[0], most[1] / least[1]);
}

// Example I: time against the number of bodies.
void numbers(const std::vector<std::size_t>& counts, int steps) {
  fmt::print("\npacking A (spacing d): ns a body, sort + search\n{:>9} {:>16} {:>20} {:>24} {:>22}\n", "bodies", "mr",
             "quick sort, mr", "quick sort, binary", "mr, recompute");
  for (const std::size_t n : counts) {
    std::vector<moving_bodies> sets;
    sets.emplace_back(n, std::array<double, 3>{1, 1, 1});
    std::vector<runner> runners;
    runners.reserve(4);
    for (const char* p : {"mr", "mr sort=quick", "mr sort=quick search=binary", "mr memory=recompute"}) {
      runners.emplace_back(p, 0);
    }
    detect(sets, runners, steps);
    fmt::print("{:9} ", n);
    for (const runner& r : runners) {
      fmt::print("{:9.1f} + {:7.1f}  {}", median(r.sort), median(r.find), r.hash == runners[0].hash ? " " : "WRONG");
    }
    fmt::print("\n");
  }
}

// Section 7: diameters from 1 to 1/32, with a passing by mass that is log-uniform (36), against equal bodies.
void sizes(const std::vector<std::size_t>& counts, int steps) {
  fmt::print(
      "\nmmr on diameters 1 to 1/32 (36): ns a body; T / (n T_MR) is (34), against mr on as many equal bodies\n");
  fmt::print("{:>9} {:>6} {:>18} {:>9} {:>12} {:>18}\n", "bodies", "steps", "mmr", "tests", "T / (n T_MR)",
             "mr, equal");
  for (const std::size_t n : counts) {
    std::vector<moving_bodies> sets;
    sets.emplace_back(
        samples::packing({.count = n, .sizes = samples::size_law::by_mass, .ratio = 32, .fraction = 0.5}).bodies,
        0.05 / 32);
    sets.emplace_back(n, std::array<double, 3>{1.0155, 1.0155, 1.0155});  // packing density 0.5 as well
    std::vector<runner> runners;
    runners.reserve(2);
    runners.emplace_back("mmr", 0);
    runners.emplace_back("mr", 1);
    detect(sets, runners, steps);
    const double time[2] = {median(runners[0].sort) + median(runners[0].find),
                            median(runners[1].sort) + median(runners[1].find)};
    const std::string reason = runners[0].what.planned().reason();
    const double groups = std::stod(reason);
    fmt::print("{:9} {:6} {:8.1f} + {:7.1f} {:9.2f} {:12.2f} {:8.1f} + {:7.1f}\n", n, groups, median(runners[0].sort),
               median(runners[0].find), static_cast<double>(runners[0].what.stats().tests) / static_cast<double>(n),
               time[0] / (groups * time[1]), median(runners[1].sort), median(runners[1].find));
    for (std::size_t k = 0; k < 2; ++k) {
      asked().add({.benchmark = "mr",
                   .sample = k == 0 ? "diameters 1 to 1/32" : "equal",
                   .bodies = n,
                   .plan = runners[k].plan_text,
                   .update = median(runners[k].sort),
                   .find = median(runners[k].find),
                   .sum = time[k],
                   .tests = static_cast<double>(runners[k].what.stats().tests) / static_cast<double>(n),
                   .count = k == 0 ? groups : 1});
    }
  }
}

}  // namespace

void mr(bool full) {
  const int rounds = asked().quick ? 1 : full ? 2 : asked().pages ? 4 : 8;
  const std::vector<double> spacings =
      full ? std::vector<double>{1, 2, 4, 10, 20, 50, 100, 200} : std::vector<double>{1, 2, 20, 200};
  using apart = std::array<double, 3>;
  densities(
      "packing D",
      [](double s) {
        return apart{s, s, s};
      },
      spacings, rounds);
  densities(
      "packing C",
      [](double s) {
        return apart{s, s, 2};
      },
      spacings, rounds);
  densities(
      "packing B",
      [](double s) {
        return apart{s, 2, 2};
      },
      spacings, rounds);
  const std::vector<std::size_t> counts = {8'000, 27'000, 64'000, 125'000, 512'000};
  std::vector<std::size_t> all = counts;
  if (full) all.insert(all.end(), {1'000'000, 2'000'000, 5'000'211});
  if (!asked().pages) numbers(all, full ? 10 : 5);
  sizes(full ? std::vector<std::size_t>{8'000, 125'000, 1'000'000} : std::vector<std::size_t>{8'000, 125'000}, 5);
}

}  // namespace figures
