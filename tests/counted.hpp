#pragma once

// What methods count by name: `stats::counts`.

#include <cstdint>
#include <string_view>

#include "support.hpp"

namespace support {

/// A count of the last update or of the last search for pairs. Fails if there is none of this name.
inline std::uint64_t counted(const abut::search& search, std::string_view name) {
  for (const auto& c : search.stats().counts) {
    if (c.name == name) return c.count;
  }
  ADD_FAILURE() << "no count " << name;
  return 0;
}

/// A search that has found the pairs of these bodies.
inline abut::search searched(const std::string& plan, const abut::samples::set& bodies, int threads = 1) {
  abut::search search{abut::plan(plan), {.threads = threads}};
  search.update(bodies.view());
  search.for_each_pair([](abut::row, abut::row) {});
  return search;
}

}  // namespace support
