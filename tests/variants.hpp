#pragma once

// The plans of each method that the tests and the fuzzer try beside its default: every way that it can go. A method
// that is not listed here is tried with its default alone. What depends on the sizes of a scene is in plans.hpp.

#include <map>
#include <string>
#include <vector>

namespace support {

inline std::vector<std::string> variants(const std::string& method) {
  static const std::map<std::string, std::vector<std::string>> parameters = {
      {"neighboring-cell", {"store=cover", "store=center cell=0.5", "store=center cell=30"}},
      {"mmr", {"alpha=1.1", "alpha=10 memory=recompute", "sort=quick"}},
      {"mr", {"memory=recompute", "sort=quick", "search=binary", "sort=quick search=binary memory=recompute"}},
  };
  std::vector<std::string> plans = {method};
  if (const auto found = parameters.find(method); found != parameters.end()) {
    for (const std::string& line : found->second) plans.push_back(method + " " + line);
  }
  return plans;
}

}  // namespace support
