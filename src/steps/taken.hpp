#pragma once

#include <vector>

#include "bodies/world.hpp"

namespace abut {

/// What a row takes on axis k.
template <int D, shape S>
[[nodiscard]] inline interval taken(const world& w, row i, int k) {
  return taken(w.get<D, S>(i), k, w.margin());
}
/// The same where dimension and shape are known only at run time.
[[nodiscard]] interval taken(const world& w, row i, int k);
/// What all rows take on axis k.
[[nodiscard]] std::vector<interval> all_taken(const world& w, int k);

}  // namespace abut
