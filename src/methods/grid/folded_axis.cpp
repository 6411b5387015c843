#include "methods/grid/folded_axis.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace abut {

namespace {

// If more stretches than this begin in one slot, the slot gets a table of its own.
constexpr std::size_t many_in_slot = 4;

// The most slots that `divide` uses at a time: few enough to stay in cache.
constexpr std::size_t most_slots = 8192;

// The slots per length, for slots of equal length from `min` to `max`.
double per_length(std::size_t slots, double min, double max) {
  if (!(max > min)) return 1;
  return std::min(static_cast<double>(slots) / (max - min), std::numeric_limits<double>::max());
}

}  // namespace

folded_axis::folded_axis(std::span<const double> places, double min, double max, const spacing& by,
                         double wanted_length)
    : room_(by.room), slack_(by.slack) {
  std::vector<bunch> bunches;
  divide(places, min, max, 0, wanted_length, bunches);
  join(bunches);
  make_table(0, stretches_.size());
}

double folded_axis::unfolded(double at) const {
  // The last stretch that begins, with its room, at or before it.
  auto s = std::upper_bound(stretches_.begin(), stretches_.end(), at,
                            [&](double x, const stretch& next) { return x < next.at - room_; });
  if (s != stretches_.begin()) --s;
  return s->min + std::clamp(at - s->at, -room_, s->length + room_);
}

bool folded_axis::fold(const double* x, std::size_t count, double* out) const {
  const table root = tables_[0];  // local copies: the compiler knows that writing to `out` does not change them
  const std::int32_t* const slots = slots_.data();
  const stretch* const first = stretches_.data();
  const double room = room_;
  const double slack = slack_;
  bool expected = true;
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t k = slots[root.slot(x[i])];
    if (k < 0) k = slots[finest_slot(x[i])];
    const stretch* s = first + k;
    double along = x[i] - s->min;
    while (along < -room && s != first) {
      --s;
      along = x[i] - s->min;
    }
    expected &= along >= -slack && along <= s->length + slack;
    out[i] = s->at + std::clamp(along, -room, s->length + room);
  }
  return expected;
}

// Puts bodies into equal slots; each slot's bodies become a bunch. Divides a slot again if its bodies extend farther
// than `fine`. The first call (`fine` 0) sets that to an equal share of the wanted length, but at least twice the room.
void folded_axis::divide(std::span<const double> places, double min, double max, double fine, double wanted_length,
                         std::vector<bunch>& out) const {
  const std::size_t slots = std::clamp<std::size_t>(std::bit_ceil(places.size() / 16), 16, most_slots);
  const table here{min, per_length(slots, min, max), 0, static_cast<std::uint32_t>(slots - 1)};
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<bunch> in_slot(slots, {none, -none, 0});
  std::uint32_t last = 0;
  bunch b = in_slot[0];
  for (const double x : places) {
    const std::uint32_t k = here.slot(x);
    if (k != last) {
      in_slot[last] = b;
      b = in_slot[k];
      last = k;
    }
    b.min = std::min(b.min, x);
    b.max = std::max(b.max, x);
    ++b.count;
  }
  in_slot[last] = b;
  const auto used = std::count_if(in_slot.begin(), in_slot.end(), [](const bunch& s) { return s.count > 0; });
  if (fine == 0) fine = std::max(2 * room_, wanted_length / static_cast<double>(used));
  const auto long_one = [&](const bunch& s) { return s.count > 1 && s.max - s.min > fine; };
  std::vector<std::vector<double>> within;
  if (std::any_of(in_slot.begin(), in_slot.end(), long_one)) {
    within.resize(slots);
    for (std::size_t k = 0; k < slots; ++k) {
      if (long_one(in_slot[k])) within[k].reserve(in_slot[k].count);
    }
    for (const double x : places) {
      const std::uint32_t k = here.slot(x);
      if (long_one(in_slot[k])) within[k].push_back(x);
    }
  }
  for (std::size_t k = 0; k < slots; ++k) {
    if (in_slot[k].count == 0) continue;
    if (within.empty() || within[k].empty()) {
      out.push_back(in_slot[k]);
    } else {
      divide(within[k], in_slot[k].min, in_slot[k].max, fine, wanted_length, out);
      within[k] = std::vector<double>();
    }
  }
}

// Joins bunches that are near each other into stretches.
void folded_axis::join(const std::vector<bunch>& bunches) {
  for (std::size_t k = 0; k < bunches.size();) {
    const double min = bunches[k].min;
    double max = bunches[k].max;
    std::size_t count = 0;
    for (; k < bunches.size() && !(bunches[k].min - max > 2 * room_); ++k) {
      max = bunches[k].max;
      count += bunches[k].count;
    }
    stretches_.push_back({min, max - min, length_ + room_});
    length_ += (max - min) + 2 * room_;
    if (count > 1) farthest_together_ = std::max({farthest_together_, std::abs(min), std::abs(max)});
  }
}

// Makes the table of stretches [from, to), which spans their beginnings.
void folded_axis::make_table(std::size_t from, std::size_t to) {
  const auto begin = [&](std::size_t s) { return stretches_[s].min - room_; };
  const std::size_t slots = std::bit_ceil(8 * (to - from));
  const auto first = static_cast<std::uint32_t>(slots_.size());
  const table here{begin(from), per_length(slots, begin(from), begin(to - 1)), first,
                   static_cast<std::uint32_t>(slots - 1)};
  tables_.push_back(here);
  slots_.resize(first + slots);
  std::size_t s = from;
  for (std::uint32_t k = first; k < first + slots; ++k) {
    const std::size_t first_here = s;
    while (s < to && here.slot(begin(s)) == k) ++s;
    if (s - first_here > many_in_slot && s - first_here < to - from) {
      slots_[k] = ~static_cast<std::int32_t>(tables_.size());
      make_table(first_here, s);
    } else {
      slots_[k] = static_cast<std::int32_t>(s == 0 ? 0 : s - 1);
    }
  }
}

}  // namespace abut
