#include "steps/axis_cells.hpp"

#include <cmath>

#include <abut/error.hpp>

#include "base/text.hpp"

namespace abut {

namespace {

constexpr double collapse_above = 2147483648.0;  // 2^31 cells

}  // namespace

axis_cells::axis_cells(double lower, double upper, double size, const std::function<std::vector<interval>()>& stretches)
    : origin_(lower), per_length_(1 / std::max(size, 1e-300)) {
  const double cells = (upper - lower) * per_length_;
  if (cells <= collapse_above) {
    last_ = std::floor(cells);
    count_ = static_cast<std::uint32_t>(last_) + 1;
  } else {
    collapse(stretches(), size);
  }
}

void axis_cells::collapse(std::vector<interval> stretches, double size) {
  std::sort(stretches.begin(), stretches.end(), [](const interval& a, const interval& b) { return a.min < b.min; });
  double first = 0;
  const auto close = [&](double from, double to) {
    const double last = std::floor((to - from) * per_length_);
    if (first + last + 1 > most_cells) {
      throw error("the cell size " + number_text(size) +
                  " makes more than 2^32 cells along an axis: take a larger one");
    }
    pieces_.push_back({from, last, static_cast<std::uint32_t>(first)});
    first += last + 1;
  };
  double from = stretches.front().min;
  double to = stretches.front().max;
  for (const interval& s : stretches) {
    if (s.min - to > 2 * size) {
      close(from, to);
      from = s.min;
    }
    to = std::max(to, s.max);
  }
  close(from, to);
  count_ = static_cast<std::uint32_t>(first);
}

interval axis_cells::span(std::uint32_t cell) const {
  piece in{origin_, last_, 0};
  if (!pieces_.empty()) {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), cell,
                                        [](std::uint32_t c, const piece& p) { return c < p.first; });
    in = *(after - 1);
  }
  const double cells = cell - in.first;
  return {in.origin + cells / per_length_, in.origin + (cells + 1) / per_length_};
}

axis_cells::spot axis_cells::locate_in_pieces(double x) const {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), x, [](double v, const piece& p) { return v < p.origin; });
  if (after == pieces_.begin()) return {0, 0};
  const piece& p = *(after - 1);
  const double cells = std::min((x - p.origin) * per_length_, p.last + 1);
  const auto cell = static_cast<std::uint32_t>(std::min(cells, p.last));
  return {p.first + cell, cells - cell};
}

}  // namespace abut
