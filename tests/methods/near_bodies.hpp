#pragma once

// What the tests of nearest-neighbor share: bodies of which some are brought together, and what became of the list.

#include <cstddef>
#include <cstdint>
#include <string>

#include "support.hpp"

namespace near_bodies {

/// With one thread, since the tests are small.
inline abut::search made(const std::string& line, abut::options options = {}) {
  options.threads = 1;
  return abut::search(abut::plan(line), options);
}

inline std::uint64_t rebuilds(const abut::search& search) { return support::event(search, "rebuilds"); }
inline std::uint64_t strays(const abut::search& search) { return support::event(search, "strays"); }

inline void shift(abut::samples::set& bodies, std::size_t i, int axis, double by) {
  bodies.column[static_cast<std::size_t>(axis)][i] += by;
  if (bodies.kind == abut::shape::box) bodies.column[static_cast<std::size_t>(axis + bodies.dimension)][i] += by;
}

/// Bodies far from each other, on a lattice of spacing 10: any that touch were brought together by the test.
inline abut::samples::set apart(abut::shape kind, int dimension, std::size_t count = 1000) {
  return abut::samples::lattice(kind, dimension, count, 10, 0, 0.5, 1, false);
}

inline void expect_exact(abut::search& search, const abut::samples::set& bodies, const abut::options& o = {}) {
  ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, o.margin, o.periodic), support::ordered(search), bodies));
}

}  // namespace near_bodies
