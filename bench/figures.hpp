#pragma once

// Shared by the benchmarks: searches that are measured in turns.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <abut/abut.hpp>
#include <samples.hpp>

#include "../src/base/processor_time.hpp"
#include "results.hpp"

namespace figures {

using namespace abut;

inline double now(int threads) { return processor_time(threads); }

inline double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

// A search that is measured.
struct contender {
  contender(const std::string& line, int on) : threads(on), what(plan(line), {.threads = on}) {}

  void run(const samples::set& bodies) {
    const double start = now(threads);
    what.update(bodies.view());
    const double updated = now(threads);
    hash = 0;
    what.for_each_pair([&](row i, row j) { hash += pair_hash({i, j}); });
    update.push_back(updated - start);
    find.push_back(now(threads) - updated);
  }

  int threads;
  search what;
  std::vector<double> update{};
  std::vector<double> find{};
  std::uint64_t hash = 0;
};

/// The medians of a contender's times and its counts, per body.
inline result result_of(const contender& c, const std::string& sample, std::size_t bodies, const std::string& plan) {
  const stats s = c.what.stats();
  const auto n = static_cast<double>(bodies);
  const double update = median(c.update) / n * 1e9;
  const double find = median(c.find) / n * 1e9;
  return {.benchmark = asked().benchmark,
          .sample = sample,
          .bodies = bodies,
          .plan = plan,
          .threads = c.threads,
          .update = update,
          .find = find,
          .sum = update + find,
          .tests = static_cast<double>(s.tests) / n,
          .pairs = static_cast<double>(s.pairs) / n,
          .bytes = static_cast<double>(s.bytes) / n};
}

inline void table(const std::string& name, const samples::set& bodies, const std::vector<std::string>& plans,
                  int threads, int repeats) {
  repeats = asked().repeats(repeats);
  std::vector<contender> all;
  all.reserve(plans.size());
  for (const std::string& p : plans) all.emplace_back(p, threads);
  for (int k = 0; k < repeats; ++k) {
    for (contender& c : all) c.run(bodies);
  }
  fmt::print("\n{}: {} bodies, {} thread{}, median of {}\n", name, bodies.size(), threads, threads == 1 ? "" : "s",
             repeats);
  fmt::print("{:>9} {:>9} {:>9} {:>10} {:>11} {:>17}  {}\n", "update", "find", "sum", "tests", "bytes", "hash", "plan");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const contender& c = all[k];
    result r = result_of(c, name, bodies.size(), plans[k]);
    r.candidates = static_cast<double>(c.what.stats().candidates) / static_cast<double>(bodies.size());
    fmt::print("{:6.1f} ns {:6.1f} ns {:6.1f} ns {:7.2f}/b {:8.1f}/b  {:016x}  {}\n", r.update, r.find, r.sum, r.tests,
               r.bytes, c.hash, c.what.planned().text());
    asked().add(r);
  }
}

/// stripe-sort: how its border zones grow, and where the constant of its model comes from.
void stripes();

/// mr and mmr: the experiments of Munjiza et al. 2006; in full up to five million bodies.
void mr(bool full);

/// What distance costs: clusters in ever larger spaces, and one outlier beside a million bodies.
void far();

/// contacts: what a list costs, beside what grid takes.
void list_contacts();

/// rtree: the size of a node.
void trees();
void walls();

}  // namespace figures
