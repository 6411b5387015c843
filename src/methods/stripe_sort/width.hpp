#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "steps/cell_size.hpp"
#include "steps/ranked_ends.hpp"
#include "steps/taken.hpp"

namespace abut {

/// A stripe width, and what the model expects of it, per body on average.
struct stripe_choice {
  double width = 1;
  double load = std::numeric_limits<double>::infinity();  ///< in units of one meeting
  double entries = 0;                                     ///< stripes that a body reaches into
  double meetings = 0;                                    ///< comparisons with later entries of those stripes
};

/// How the load depends on the width of stripes: in narrow ones a body is listed often, in wide ones it is compared
/// with many.
///
/// Pairs that meet on the slave axis meet in every stripe that both bodies reach into. Two bodies with a gap g between
/// them on a striped axis share 1 - g / width stripes on average, or none if that is negative; if they overlap by o, 1
/// + o / width. So a probe of the pairs on the slave axis gives the number of meetings for every width, for any sizes
/// and positions.
template <int D, shape S>
class stripe_model {
 public:
  /// `axes` has a bit for each striped axis; `slave` is the other axis.
  stripe_model(const world& w, const body_widths& widths, const ranked_ends& ends, int slave, unsigned axes)
      : widths_(widths), axes_(axes), pairs_(static_cast<double>(ends.axis_neighbors(slave)) / size_of(w)) {
    for (int k = 0; k < D; ++k) {
      if (k == slave) continue;
      narrowest_ = std::max(narrowest_, widths.mean(k) / body_widths::entries_aimed_at);
      whole_ = std::max(whole_, w.measured().upper[k] - w.measured().lower[k]);
    }
    take_probe(w, ends, slave);
  }

  [[nodiscard]] stripe_choice expect(double width) const {
    double shared = 0;
    for (const gaps& g : probe_) {
      double product = 1;
      // The upper bound keeps 0 from meeting infinity.
      for (const double gap : g) product *= std::clamp(1 - gap / width, 0.0, 1e100);
      shared += product;
    }
    stripe_choice c{.width = width, .entries = widths_.entries(width, axes_)};
    c.meetings = probe_.empty() ? 0 : pairs_ * shared / static_cast<double>(probe_.size());
    c.load = load_of_entry * c.entries + c.meetings;
    return c;
  }

  /// The width of least load, between the one with as many entries per body as we aim at and a single stripe: in coarse
  /// steps first, then in fine ones around the best.
  [[nodiscard]] stripe_choice best() const {
    stripe_choice best = expect(std::max(whole_, narrowest_));
    const auto try_width = [&](double width) {
      const stripe_choice c = expect(width);
      if (c.entries <= body_widths::entries_aimed_at && c.load < best.load) best = c;
    };
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): it grows by factors
    for (double width = narrowest_; width < whole_; width *= 4) try_width(width);
    const double around = best.width;
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): it grows by factors
    for (double width = around / 2.9; width < 3 * around; width *= 1.2) try_width(width);
    return expect(rounded_size(best.width));
  }

 private:
  using gaps = std::array<double, D - 1>;

  // The cost of listing a body once more, in units of one comparison with a listed body (./dev bench stripes).
  static constexpr double load_of_entry = 40;

  static double size_of(const world& w) { return static_cast<double>(std::max<std::size_t>(1, w.size())); }

  void take_probe(const world& w, const ranked_ends& ends, int slave);

  const body_widths& widths_;
  unsigned axes_;
  double pairs_;  // pairs that meet on the slave axis, per body
  double narrowest_ = 0;
  double whole_ = 0;
  std::vector<gaps> probe_;
};

// Numbers the pairs of the slave axis by the place of the first body, then of the second, divides them into a few
// thousand equal stretches, and takes one pair from each, at a pseudorandom place.
template <int D, shape S>
void stripe_model<D, S>::take_probe(const world& w, const ranked_ends& ends, int slave) {
  const std::vector<std::int32_t>& upper = ends.upper_ranks(slave);
  const std::span<const std::uint32_t> list = ends.list(slave).entries();
  const double all = pairs_ * size_of(w);
  const double count = std::min(all, std::clamp(size_of(w) / 16, 256.0, 16384.0));
  probe_.reserve(static_cast<std::size_t>(count));
  std::uint64_t seed = 1;
  const auto jitter = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(seed >> 11) * 0x1p-53;
  };
  double passed = 0;  // the number of pairs whose first body comes before this one
  double next = jitter() * all / count;
  std::vector<std::uint32_t> before(list.size());  // how many lower ends come before each rank
  std::vector<row> order;
  order.reserve(list.size() / 2);
  for (std::size_t r = 0; r < list.size(); ++r) {
    before[r] = static_cast<std::uint32_t>(order.size());
    if (!end_point::is_upper(list[r])) order.push_back(end_point::row_of(list[r]));
  }
  for (std::size_t p = 0; p < order.size(); ++p) {
    const auto behind = before[static_cast<std::size_t>(upper[order[p]])] - static_cast<double>(p + 1);
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): it grows
    for (; next < passed + behind; next = (static_cast<double>(probe_.size()) + jitter()) * all / count) {
      const row other = order[p + 1 + static_cast<std::size_t>(next - passed)];
      gaps g{};
      for (int k = 0, s = 0; k < D; ++k) {
        if (k == slave) continue;
        const interval a = taken<D, S>(w, order[p], k);
        const interval b = taken<D, S>(w, other, k);
        g[static_cast<std::size_t>(s++)] = std::max(a.min, b.min) - std::min(a.max, b.max);
      }
      probe_.push_back(g);
    }
    passed += behind;
  }
}

}  // namespace abut
