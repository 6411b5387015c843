// Prints the pairs that every method finds in some sets: their number, a hash of the set and a hash of the order. Every
// machine must print the same, with all vector instructions; `./dev test --arm` compares two. The instructions in use
// are printed on standard error.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "instruction_sets.hpp"
#include "orders.hpp"
#include "samples.hpp"
#include "variants.hpp"

namespace {

using abut::shape;
namespace samples = abut::samples;

std::vector<support::named_set> small_sets() {
  std::vector<support::named_set> sets;
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

void print(const std::string& plan, const support::named_set& set) {
  try {
    const support::found_order found = support::order_of(plan, set.bodies, 2);
    std::printf("%s, %s: %llu pairs, set %016llx, order %016llx, %s\n", set.name.c_str(), plan.c_str(),
                static_cast<unsigned long long>(found.pairs.pairs), static_cast<unsigned long long>(found.pairs.of_set),
                static_cast<unsigned long long>(found.pairs.of_order), found.plan.c_str());
  } catch (const abut::error& refused) {
    std::printf("%s, %s: %s\n", set.name.c_str(), plan.c_str(), refused.what());
  }
}

}  // namespace

int main() {
  try {
    std::fprintf(stderr, "%s\n", abut::name_of(abut::instructions_in_use()));
    for (const abut::method_info* method : abut::methods()) {
      for (const std::string& plan : support::variants(std::string(method->name))) {
        for (const support::named_set& set : small_sets()) print(plan, set);
      }
      if (method->quadratic) continue;
      for (const support::named_set& set : support::large_sets()) print(std::string(method->name), set);
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
