// Prints the figures that the documentation and the source name. What is compared is run in turns, and medians are
// shown; the hash of the pairs stands beside every time.

#include <string>
#include <vector>

#include <fmt/core.h>
#include <abut/abut.hpp>
#include <scenes.hpp>

#include "figures.hpp"

namespace {

using namespace abut;
using figures::median;
using figures::now;

// One search under measurement.
struct contender {
  contender(const std::string& line, int threads) : what(plan(line), {.threads = threads}) {}

  void run(const scenes::set& bodies) {
    const double start = now();
    what.update(bodies.view());
    const double updated = now();
    hash = 0;
    what.for_each_pair([&](row i, row j) { hash += pair_hash({i, j}); });
    update.push_back(updated - start);
    find.push_back(now() - updated);
  }

  search what;
  std::vector<double> update{};
  std::vector<double> find{};
  std::uint64_t hash = 0;
};

void table(const std::string& name, const scenes::set& bodies, const std::vector<std::string>& plans, int threads,
           int repeats) {
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
  for (const contender& c : all) {
    const double u = median(c.update) / n * 1e9;
    const double f = median(c.find) / n * 1e9;
    const stats s = c.what.stats();
    fmt::print("{:6.1f} ns {:6.1f} ns {:6.1f} ns {:7.2f}/b {:8.1f}/b  {:016x}  {}\n", u, f, u + f,
               static_cast<double>(s.tests) / n, static_cast<double>(s.bytes) / n, c.hash, c.what.planned().text());
  }
}

// The million of the README, and a million in clusters.
void million() {
  const auto lattice = scenes::lattice(shape::sphere, 3, 1'000'000, 1, 0.1, 0.525, 1);
  const auto clusters = scenes::clusters(shape::sphere, 3, 1'000'000, 1000, 1e5, 0.525, 1);
  for (const int threads : {1, 2}) {
    table("lattice of spacing d, moved by up to 0.1 d, radii x 1.05", lattice, {"neighboring-cell"}, threads, 7);
    table("clusters of 1000 in a space of 1e5 d", clusters, {"neighboring-cell"}, threads, 7);
  }
}

// Where the constants of src/cell_size.cpp come from.
void cells() {
  const auto sweep = [](const std::string& store, const std::vector<const char*>& sizes) {
    std::vector<std::string> plans{"neighboring-cell store=" + store};
    for (const char* c : sizes) plans.push_back("neighboring-cell store=" + store + " cell=" + c);
    return plans;
  };
  for (const char* store : {"center", "cover"}) {
    const auto plans =
        sweep(store, {"0.5", "0.6", "0.7", "0.8", "0.9", "1.05", "1.25", "1.5", "1.75", "2.1", "3", "4"});
    for (const double fraction : {0.05, 0.3, 0.6}) {
      auto kept = plans;
      if (std::string(store) == "cover") kept.erase(kept.begin() + 1, kept.begin() + 4);
      table(fmt::format("random, volume fraction {}", fraction),
            scenes::uniform(shape::sphere, 3, 200'000, fraction, 0.5, 1, 1), kept, 1, 5);
    }
    table("discs, volume fraction 0.6", scenes::uniform(shape::sphere, 2, 200'000, 0.6, 0.5, 1, 1), plans, 1, 5);
  }
}

// From how many bodies on sorting pays.
void few() {
  for (const std::size_t n : {8, 32, 64, 128, 192, 256, 512, 1024}) {
    table("random, volume fraction 0.3", scenes::uniform(shape::sphere, 3, n, 0.3, 0.5, 1, 1),
          {"pairing", "bounding-volume", "neighboring-cell", "auto"}, 1, 2001);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "million";
  if (what == "million") {
    million();
  } else if (what == "cells") {
    cells();
  } else if (what == "few") {
    few();
  } else if (what == "mr") {
    figures::mr(argc > 2 && std::string(argv[2]) == "--full");
  } else {
    fmt::print(
        "Usage: ./dev bench [million | cells | few | mr [--full]]\n\n"
        "  million  a million spheres in a lattice and in clusters (default)\n"
        "  cells    neighboring-cell over cell sizes: the constants of its model\n"
        "  few      from how many bodies on sorting pays\n"
        "  mr       the experiments of document 000; --full up to five million bodies\n");
    return what == "--help" || what == "-h" ? 0 : 2;
  }
  return 0;
}
