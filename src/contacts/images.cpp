#include "contacts/images.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t slots_per_task = 1U << 15;
constexpr double most_apart = std::numeric_limits<std::int32_t>::max();

}  // namespace

image_finder::image_finder(const bodies& firsts, const measures& of_firsts, const bodies& seconds,
                           const measures& of_seconds, const periodic_axes& periodic)
    : firsts_(firsts), seconds_(seconds), periodic_(periodic), needed_(any_period(periodic)) {
  for (int k = 0; k < firsts.dimension(); ++k) {
    const auto& period = periodic[static_cast<std::size_t>(k)];
    if (!period) continue;
    const double apart =
        std::max(of_firsts.upper[k], of_seconds.upper[k]) - std::min(of_firsts.lower[k], of_seconds.lower[k]);
    near_ = near_ && apart / (period->max - period->min) < most_apart / 2;
  }
}

image_shift image_finder::nearest(row i, row j) const {
  image_shift shift{};
  for (int k = 0; k < firsts_.dimension(); ++k) {
    const auto& period = periodic_[static_cast<std::size_t>(k)];
    if (!period) continue;
    const double side = period->max - period->min;
    const double ahead = center_of(firsts_, i, k) - center_of(seconds_, j, k);
    if (std::abs(ahead) < 0.49 * side) continue;  // most contacts: no division
    const double count = std::floor(ahead / side + 0.5);
    if (!(std::abs(count) <= most_apart)) {
      throw error("rows " + std::to_string(i) + " and " + std::to_string(j) +
                      " touch through a border but are more than 2^31 periods apart: wrap the bodies",
                  j);
    }
    shift[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(count);
  }
  return shift;
}

void image_finder::check(const row* first, const row* second, std::size_t count, int threads) const {
  if (!needs_check()) return;
  parallel_blocks(threads, count, slots_per_task, [&](std::size_t, std::size_t from, std::size_t until) {
    for (std::size_t s = from; s < until; ++s) (void)nearest(first[s], second[s]);
  });
}

void image_finder::find(const row* first, const row* second, std::size_t count, int threads, image_shift* to) const {
  if (!needed_) return;
  parallel_blocks(threads, count, slots_per_task, [&](std::size_t, std::size_t from, std::size_t until) {
    for (std::size_t s = from; s < until; ++s) to[s] = nearest(first[s], second[s]);
  });
}

}  // namespace abut
