#include "contacts/kept_slots.hpp"

#include <algorithm>
#include <cstring>

namespace abut {

namespace {

constexpr std::uint32_t seen_at_once = own_slots::readable_beyond;

// Four numbers, compared at once. A compiler makes eight comparisons one by one of a loop.
using four_rows = std::int32_t __attribute__((vector_size(16)));

// How many of the first `count` rows, at most `seen_at_once`, are less than `wanted`. Looks at all of them, since a
// branch on their number would be mispredicted.
std::uint32_t less_than(const row* rows, std::uint32_t count, row wanted) {
  static_assert(sizeof(four_rows) * 2 == sizeof(row) * seen_at_once);
  four_rows low;
  four_rows high;
  std::memcpy(&low, rows, sizeof(low));
  std::memcpy(&high, rows + 4, sizeof(high));
  const auto most = static_cast<std::int32_t>(wanted);  // rows are below 2^30
  const auto end = static_cast<std::int32_t>(count);
  const four_rows less =
      ((low < most) & (four_rows{0, 1, 2, 3} < end)) + ((high < most) & (four_rows{4, 5, 6, 7} < end));
  return static_cast<std::uint32_t>(-(less[0] + less[1] + less[2] + less[3]));
}

// The same for long rows.
std::uint32_t first_not_less(const row* seconds, std::uint32_t begin, std::uint32_t end, row wanted) {
  return static_cast<std::uint32_t>(std::lower_bound(seconds + begin, seconds + end, wanted) - seconds);
}

}  // namespace

void kept_slots::start(std::size_t from, std::size_t to) {
  first_ = last_.offsets[from];
  kept_.assign(last_.offsets[to] - first_, 0);
}

void kept_slots::find(const role_pair* pairs, std::size_t count, std::vector<role_pair>& added) {
  const std::uint32_t* const offsets = last_.offsets.data();
  const row* const seconds = last_.seconds.data();
  std::uint8_t* const kept = kept_.data();
  for (std::size_t k = 0; k < count; ++k) {
    const role_pair p = pairs[k];
    const std::uint32_t begin = offsets[p.first];
    const std::uint32_t end = offsets[p.first + 1];
    const std::uint32_t slot = end - begin <= seen_at_once ? begin + less_than(seconds + begin, end - begin, p.second)
                                                           : first_not_less(seconds, begin, end, p.second);
    if (slot < end && seconds[slot] == p.second) {
      kept[slot - first_] = 1;
    } else {
      added.push_back(p);
    }
  }
}

std::uint32_t kept_slots::next_ended(std::uint32_t slot) const {
  const auto from = kept_.begin() + static_cast<std::ptrdiff_t>(slot - first_);
  return slot + static_cast<std::uint32_t>(std::find(from, kept_.end(), std::uint8_t{0}) - from);
}

}  // namespace abut
