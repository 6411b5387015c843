#pragma once

// The plans of each method that the tests and the fuzzer try besides its default: every branch that it can take.
// Methods that are not listed here are tried with their default only. Plans that depend on the sizes of a sample are in
// plans.hpp.

#include <map>
#include <string>
#include <vector>

namespace support {

inline std::vector<std::string> variants(const std::string& method) {
  static const std::map<std::string, std::vector<std::string>> parameters = {
      {"spatial-sort", {"way=1", "way=2", "way=2 sort=heap", "way=3 sort=heap", "scan=linear", "way=1 lists=whole"}},
      {"dess", {"sort=heap"}},
      {"stripe-sort", {"sort=heap", "stripes=count", "stripes=count multiple=4 sort=heap"}},
      {"rtree",
       {"build=insert", "build=insert split=linear node=4", "node=4", "node=64", "search=bodies",
        "search=bodies build=insert node=4"}},
      {"dess-rtree",
       {"sort=heap", "build=insert node=8", "build=insert split=linear sort=heap", "search=bodies build=insert"}},
      {"sweep-and-prune", {"swaps=0", "swaps=1000000"}},
      {"hashing", {"clear=all"}},
      {"fixed-cubes", {"delta=0", "delta=3", "examine=tree", "examine=tree delta=0"}},
      {"multilevel",
       {"direction=up", "levels=1", "levels=3", "levels=20", "levels=20 direction=up", "cells=strict levels=50",
        "cells=strict overhead=0.2 direction=up"}},
      {"grid", {"levels=1", "levels=2", "levels=24"}},
      {"nearest-neighbor",
       {"distance=0", "distance=0.3", "distance=1e6 by=dess", "in=width", "distance=0.2 in=width", "rule=sum",
        "rule=sum distance=0.3"}},
      {"neighboring-cell", {"store=cover", "store=center cell=0.5", "store=center cell=30"}},
      {"mmr",
       {"alpha=1.1", "alpha=10 memory=recompute", "sort=quick", "steps=30", "memory=one-list",
        "memory=one-list steps=40 sort=quick"}},
      {"mr", {"memory=recompute", "sort=quick", "search=binary", "sort=quick search=binary memory=recompute"}},
  };
  std::vector<std::string> plans = {method};
  if (const auto found = parameters.find(method); found != parameters.end()) {
    for (const std::string& line : found->second) plans.emplace_back(method).append(" ").append(line);
  }
  return plans;
}

}  // namespace support
