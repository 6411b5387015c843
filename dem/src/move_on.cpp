#include "move_on.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "close_pairs.hpp"
#include "fours.hpp"
#include "vector_sets.hpp"

namespace abut::dem {

namespace {

// The rows of a block that do not wait.
std::span<const row> awake_of(const close_part& part, row from) {
  const std::size_t block = (from - part.from) / close_part::rows_at_once;
  return std::span(part.awake).subspan(part.awake_begin[block], part.awake_begin[block + 1] - part.awake_begin[block]);
}

}  // namespace

}  // namespace abut::dem

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

double move_on(const moving_bodies& m, close_part& part, row from, row to) {
#if ABUT_TWO_SETS
  if (m.wide) return wide::move_on(m, part, from, to);
#endif
  return plain::move_on(m, part, from, to);
}

void catch_up(const moving_bodies& m, close_part& part) {
  if (!part.some_wait) return;
#if ABUT_TWO_SETS
  if (m.wide) {
    wide::catch_up(m, part.waiting, part.waited);
  } else {
    plain::catch_up(m, part.waiting, part.waited);
  }
#else
  plain::catch_up(m, part.waiting, part.waited);
#endif
  part.waited = 0;
}

}  // namespace abut::dem
