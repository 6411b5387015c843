#include "move_on.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vector_sets.hpp"

#define ABUT_SET plain
#include "move_on.inl"
#undef ABUT_SET

#if ABUT_TWO_SETS
ABUT_WIDE_BEGIN
#define ABUT_SET wide
#include "move_on.inl"
#undef ABUT_SET
ABUT_WIDE_END
#endif

namespace abut::dem {

double move_on(const moving_bodies& m, row from, row to) {
#if ABUT_TWO_SETS
  if (m.wide) return m.turn != nullptr ? wide::move_rows<true>(m, from, to) : wide::move_rows<false>(m, from, to);
#endif
  return m.turn != nullptr ? plain::move_rows<true>(m, from, to) : plain::move_rows<false>(m, from, to);
}

}  // namespace abut::dem
