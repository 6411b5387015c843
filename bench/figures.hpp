#pragma once

// Shared by the benchmarks: searches that are measured in turns.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <abut/abut.hpp>
#include <samples.hpp>

#include "results.hpp"

namespace figures {

using namespace abut;

/// Seconds. With one thread, processor time, so that other load on the machine (and other threads, which wait for work
/// in a loop) counts little.
inline double now(int threads) {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec t{};
  if (threads == 1 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

inline void table(const std::string& name, const samples::set& bodies, const std::vector<std::string>& plans,
                  int threads, int repeats) {
  repeats = asked().repeats(repeats);
  std::vector<contender> all;
  all.reserve(plans.size());
  for (const std::string& p : plans) all.emplace_back(p, threads);
  for (int k = 0; k < repeats; ++k) {
    for (contender& c : all) c.run(bodies);
  }
  const auto n = static_cast<double>(bodies.size());
  fmt::print("\n{}: {} bodies, {} thread{}, median of {}\n", name, bodies.size(), threads, threads == 1 ? "" : "s",
             repeats);
  fmt::print("{:>9} {:>9} {:>9} {:>10} {:>11} {:>17}  {}\n", "update", "find", "sum", "tests", "bytes", "hash", "plan");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const contender& c = all[k];
    const double u = median(c.update) / n * 1e9;
    const double f = median(c.find) / n * 1e9;
    const stats s = c.what.stats();
    fmt::print("{:6.1f} ns {:6.1f} ns {:6.1f} ns {:7.2f}/b {:8.1f}/b  {:016x}  {}\n", u, f, u + f,
               static_cast<double>(s.tests) / n, static_cast<double>(s.bytes) / n, c.hash, c.what.planned().text());
    asked().add({.benchmark = asked().benchmark,
                 .sample = name,
                 .bodies = bodies.size(),
                 .plan = plans[k],
                 .threads = threads,
                 .update = u,
                 .find = f,
                 .sum = u + f,
                 .candidates = static_cast<double>(s.candidates) / n,
                 .tests = static_cast<double>(s.tests) / n,
                 .pairs = static_cast<double>(s.pairs) / n,
                 .bytes = static_cast<double>(s.bytes) / n});
  }
}

/// stripe-sort: how its border zones grow, and where the constant of its model comes from.
void stripes();

/// mr and mmr: the experiments of Munjiza et al. 2006; in full up to five million bodies.
void mr(bool full);

/// What distance costs: clusters in ever larger spaces, and one stray body beside a million.
void far();

/// rtree: the size of a node.
void trees();

}  // namespace figures
