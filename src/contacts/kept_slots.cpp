#include "contacts/kept_slots.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace abut {

namespace {

constexpr std::uint32_t seen_at_once = own_slots::readable_beyond;
constexpr std::size_t rows_in_line = 64 / sizeof(row);

// Which of eight rows are the wanted one, as bits. Looks at all of them, since a branch would be mispredicted.
std::uint32_t equal_rows(const row* rows, row wanted) {
  static_assert(seen_at_once == 8);
#ifdef __SSE2__
  const __m128i all = _mm_set1_epi32(static_cast<int>(wanted));
  const auto equal = [&](const row* four) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(four));
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(some, all))));
  };
  return equal(rows) | equal(rows + 4) << 4U;
#else
  std::uint32_t bits = 0;
  for (std::uint32_t k = 0; k < seen_at_once; ++k) bits |= static_cast<std::uint32_t>(rows[k] == wanted) << k;
  return bits;
#endif
}

}  // namespace

kept_slots::kept_slots(const own_slots& list, std::size_t from, std::size_t to)
    : list_(list), first_(list.offsets[from]), kept_(list.offsets[to] - first_ + 1) {
  for (std::size_t i = from; i < to; i += rows_in_line) ask_for(list.offsets.data(), i);
  for (std::size_t s = first_; s < list.offsets[to]; s += rows_in_line) ask_for(list.seconds.data(), s);
}

void kept_slots::find(const role_pair* pairs, std::size_t count, std::vector<role_pair>& added) {
  const std::uint32_t* const offsets = list_.offsets.data();
  const row* const seconds = list_.seconds.data();
  std::uint8_t* const kept = kept_.data();
  const std::uint32_t first = first_;
  for (std::size_t k = 0; k < count; ++k) {
    const role_pair p = pairs[k];
    const std::uint32_t begin = offsets[p.first];
    const std::uint32_t length = offsets[p.first + 1] - begin;
    if (length <= seen_at_once) {
      const std::uint32_t hits = equal_rows(seconds + begin, p.second) & ((1U << length) - 1);
      if (hits != 0) {
        kept[begin - first + static_cast<std::uint32_t>(std::countr_zero(hits))] = 1;
        continue;
      }
    } else {
      const row* const end = seconds + begin + length;
      const row* const place = std::lower_bound(seconds + begin, end, p.second);
      if (place != end && *place == p.second) {
        kept[static_cast<std::uint32_t>(place - seconds) - first] = 1;
        continue;
      }
    }
    added.push_back(p);
  }
}

std::uint32_t kept_slots::next_ended(std::uint32_t slot) const {
  const std::uint8_t* const from = kept_.data() + (slot - first_);
  const void* const ended = std::memchr(from, 0, kept_.size() - (slot - first_));
  return slot + static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(ended) - from);
}

}  // namespace abut
