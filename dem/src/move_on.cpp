#include "move_on.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "close_pairs.hpp"
#include "vector_sets.hpp"

#define ABUT_SET plain
#define ABUT_WIDE_SET 0
#include "move_on.inl"
#undef ABUT_SET
#undef ABUT_WIDE_SET

#if ABUT_TWO_SETS
ABUT_WIDE_BEGIN
#define ABUT_SET wide
#define ABUT_WIDE_SET 1
#include "move_on.inl"
#undef ABUT_SET
#undef ABUT_WIDE_SET
ABUT_WIDE_END
#endif

namespace abut::dem {

double move_on(const moving_bodies& m, row from, row to, std::uint8_t* marks) {
#if ABUT_TWO_SETS
  if (m.wide) {
    if (marks != nullptr) return wide::move_marked(m, from, to, marks);
    return m.turn != nullptr ? wide::move_rows<true>(m, from, to) : wide::move_rows<false>(m, from, to);
  }
#endif
  if (marks != nullptr) return plain::move_marked(m, from, to, marks);
  return m.turn != nullptr ? plain::move_rows<true>(m, from, to) : plain::move_rows<false>(m, from, to);
}

}  // namespace abut::dem
