// Prints the pairs that every method finds in some sets: how many, a hash of the set and a hash of the order. Every
// machine must print the same, with all vector instructions; `./dev test --arm` compares two. Standard error has the
// instructions in use.

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "instruction_sets.hpp"
#include "samples.hpp"
#include "variants.hpp"

namespace {

using abut::shape;
namespace samples = abut::samples;

struct named_set {
  std::string name;
  samples::set bodies;
};

// Enough bodies for several tasks, and for the list of neighbors in single precision.
std::vector<named_set> large_sets() {
  return {{"spheres", samples::uniform(shape::sphere, 3, 6000, 0.5, 1, 2, 1)},
          {"equal-spheres", samples::lattice(shape::sphere, 3, 6000, 1, 0.1, 0.525, 2)},
          {"discs-of-many-sizes", samples::uniform(shape::sphere, 2, 6000, 0.5, 1, 100, 3)},
          {"boxes", samples::uniform(shape::box, 3, 6000, 0.5, 1, 2, 4)},
          {"rectangles", samples::uniform(shape::box, 2, 6000, 0.5, 1, 20, 5)},
          {"far-clusters", samples::clusters(shape::sphere, 3, 6000, 500, 1e12, 0.5, 6)},
          {"touching", samples::touching(shape::sphere, 3, 6000, 7)}};
}

std::vector<named_set> small_sets() {
  std::vector<named_set> sets;
  for (const samples::sample& sample : samples::all()) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        const std::string name = sample.name + (kind == shape::sphere ? " spheres " : " boxes ");
        sets.push_back({name + std::to_string(dimension) + "D", sample.make(kind, dimension, 1)});
      }
    }
  }
  return sets;
}

void move(samples::set& bodies, samples::random& rng) {
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t k = 0; k < axes; ++k) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double by = rng.uniform(-0.01, 0.01);
      bodies.column[k][i] += by;
      if (bodies.kind == shape::box) bodies.column[axes + k][i] += by;
    }
  }
}

// Three updates of one search: methods that keep state must have the same one everywhere.
void print(const std::string& plan, const named_set& set) {
  samples::set bodies = set.bodies;
  samples::random rng(8);
  std::uint64_t pairs = 0;
  std::uint64_t of_set = 0;
  std::uint64_t of_order = 0;
  try {
    abut::search search{abut::plan(plan), {.threads = 2}};
    for (int step = 0; step < 3; ++step) {
      search.update(bodies.view());
      search.for_each_pair([&](abut::row i, abut::row j) {
        ++pairs;
        of_set += abut::pair_hash({i, j});
        of_order = (of_order ^ abut::pair_hash({i, j})) * 0x100'0000'01b3U + 1;
      });
      move(bodies, rng);
    }
    std::printf("%s, %s: %llu pairs, set %016llx, order %016llx, %s\n", set.name.c_str(), plan.c_str(),
                static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(of_set),
                static_cast<unsigned long long>(of_order), search.planned().text().c_str());
  } catch (const abut::error& refused) {
    std::printf("%s, %s: %s\n", set.name.c_str(), plan.c_str(), refused.what());
  }
}

}  // namespace

int main() {
  try {
    std::fprintf(stderr, "%s\n", hwy::TargetName(support::instruction_sets().front()));
    for (const abut::method_info* method : abut::methods()) {
      for (const std::string& plan : support::variants(std::string(method->name))) {
        for (const named_set& set : small_sets()) print(plan, set);
      }
      if (method->quadratic) continue;
      for (const named_set& set : large_sets()) print(std::string(method->name), set);
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
