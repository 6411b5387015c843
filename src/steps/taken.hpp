#pragma once

#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// The interval that a row takes on axis k, with half the margin and room for rounding.
template <int D, shape S>
[[nodiscard]] inline interval taken(const world& w, row i, int k) {
  return taken(w.get<D, S>(i), k, w.margin());
}
/// The same if dimension and shape are known only at run time.
[[nodiscard]] interval taken(const world& w, row i, int k);
/// The intervals of all rows on axis k.
[[nodiscard]] std::vector<interval> all_taken(const world& w, int k);

}  // namespace abut
