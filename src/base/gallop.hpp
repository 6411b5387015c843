#pragma once

#include <algorithm>
#include <cstddef>

namespace abut {

/// The first of `count` places for which `before(place)` is false; it must be true for all places before that one and
/// false from there on. Searches from `hint` outwards in steps that double, then by bisection: a near hint makes it
/// cheap.
template <class Before>
[[nodiscard]] std::size_t gallop(std::size_t count, std::size_t hint, Before&& before) {
  std::size_t lo = 0;
  std::size_t hi = count;
  std::size_t step = 1;
  if (hint < hi && before(hint)) {
    for (lo = hint + 1; lo + step < hi && before(lo + step); step *= 2) lo += step;
    hi = std::min(hi, lo + step + 1);
  } else {
    hi = std::min(hi, hint);
    while (hi > step && !before(hi - step)) {
      hi -= step;
      step *= 2;
    }
    lo = hi > step ? hi - step : 0;
  }
  while (lo < hi) {
    const std::size_t middle = lo + (hi - lo) / 2;
    if (before(middle)) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return lo;
}

}  // namespace abut
