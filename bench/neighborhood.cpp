// The lecture's exercise: "Optimal cell size and neighborhood size have not been studied". The mean time of a step
// (update and find, rebuilds included) over distances and motions, next to the tuned distance; the constants of
// src/methods/nearest_neighbor/neighborhood.cpp come from here.

#include "neighborhood.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <abut/abut.hpp>
#include <samples.hpp>

#include "../src/base/processor_time.hpp"
#include "results.hpp"

namespace {

using namespace abut;

double now() { return processor_time(1); }

enum class way { walk, straight };

// Bodies of diameter 1 that move by up to `move` on each axis in a step: in a new direction each time, or always the
// same.
class moving_bodies {
 public:
  moving_bodies(const samples::set& start, double move, way how) : bodies_(start), move_(move), how_(how), random_(1) {
    for (auto& v : velocity_) v.resize(how == way::straight ? start.size() : 0);
    for (std::size_t i = 0; i < velocity_[0].size(); ++i) {
      for (auto& v : velocity_) v[i] = random_.uniform(-move, move);
    }
  }
  void step() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        bodies_.column[k][i] += how_ == way::straight ? velocity_[k][i] : random_.uniform(-move_, move_);
      }
    }
  }
  [[nodiscard]] bodies view() const { return bodies_.view(); }

 private:
  samples::set bodies_;
  double move_;
  way how_;
  samples::random random_;
  std::vector<double> velocity_[3];
};

struct contender {
  std::string line;
  std::unique_ptr<search> at_work{};
  double update = 0;
  double find = 0;
  std::uint64_t hash = 0;
};

std::uint64_t count_of(const stats& s, const std::string& name) {
  for (const auto& e : s.events) {
    if (e.name == name) return e.count;
  }
  return 0;
}

// All plans over the same steps, in turns; the first `warm` steps are not counted.
void table(const std::string& name, const samples::set& start, double move, way how,
           const std::vector<std::string>& plans, int warm, int steps) {
  std::vector<contender> all;
  all.reserve(plans.size());
  for (const std::string& p : plans) {
    all.push_back({p, std::make_unique<search>(plan(p), options{.threads = 1})});
  }
  moving_bodies moving(start, move, how);
  for (int k = 0; k < warm + steps; ++k) {
    if (k > 0) moving.step();
    for (contender& c : all) {
      const double begin = now();
      c.at_work->update(moving.view());
      const double updated = now();
      std::uint64_t hash = 0;
      c.at_work->for_each_pair([&](row i, row j) { hash += pair_hash({i, j}); });
      if (k >= warm) c.update += updated - begin, c.find += now() - updated;
      c.hash = c.hash * 3 + hash;
    }
  }
  fmt::print("\n{}: {} spheres, moved by up to {} d on each axis in a step, {}; mean of {} steps after {}\n", name,
             start.size(), move, how == way::straight ? "straight on" : "a random walk", steps, warm);
  fmt::print("{:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>17}  {}\n", "update", "find", "sum", "rebuilds", "strays",
             "tests", "bytes", "hash", "plan");
  for (const contender& c : all) {
    const double each = 1e9 / static_cast<double>(start.size()) / steps;
    const stats s = c.at_work->stats();
    const auto n = static_cast<double>(start.size());
    fmt::print("{:6.1f} ns {:6.1f} ns {:6.1f} ns {:>9} {:8.2f}% {:7.2f}/b {:6.1f}/b  {:016x}  {}\n", c.update * each,
               c.find * each, (c.update + c.find) * each, count_of(s, "rebuilds"),
               100.0 * static_cast<double>(count_of(s, "strays")) / n / (warm + steps),
               static_cast<double>(s.tests) / n, static_cast<double>(s.bytes) / n, c.hash,
               c.line + (c.line == "nearest-neighbor" ? ": " + c.at_work->planned().text() : ""));
    figures::asked().add({.benchmark = "neighborhood",
                          .sample = fmt::format("{} {} {}", name, how == way::straight ? "straight on" : "walk", move),
                          .bodies = start.size(),
                          .plan = c.line,
                          .update = c.update * each,
                          .find = c.find * each,
                          .sum = (c.update + c.find) * each,
                          .tests = static_cast<double>(s.tests) / n,
                          .pairs = static_cast<double>(s.pairs) / n,
                          .bytes = static_cast<double>(s.bytes) / n,
                          .count = static_cast<double>(count_of(s, "rebuilds"))});
  }
}

}  // namespace

void print_neighborhood() {
  const bool pages = figures::asked().pages;
  const int steps = figures::asked().repeats(100);
  std::vector<std::string> plans{"grid", "nearest-neighbor"};
  for (const char* d : {"0", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.8"}) {
    if (pages && (d == std::string("0") || d == std::string("0.02") || d == std::string("0.8"))) continue;
    plans.push_back(std::string("nearest-neighbor distance=") + d);
  }
  const auto random = samples::uniform(shape::sphere, 3, 100'000, 0.3, 0.5, 1, 1);
  const auto lattice = samples::lattice(shape::sphere, 3, 100'000, 1, 0.1, 0.525, 1);
  for (const way how : {way::walk, way::straight}) {
    for (const double move : {0.001, 0.01, 0.1}) {
      if (pages && how == way::straight && move != 0.01) continue;
      table("random", random, move, how, plans, 10, steps);
      table("lattice", lattice, move, how, plans, 10, steps);
    }
  }
}
