#include "steps/taken.hpp"

namespace abut {

interval taken(const world& w, row i, int k) {
  return with_shape_of(w, [&]<int D, shape S>() { return taken<D, S>(w, i, k); });
}

std::vector<interval> all_taken(const world& w, int k) {
  std::vector<interval> all(w.size());
  with_shape_of(w, [&]<int D, shape S>() {
    for (row i = 0; i < all.size(); ++i) all[i] = taken<D, S>(w, i, k);
  });
  return all;
}

}  // namespace abut
