#include "methods/stripe_sort/cut.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <abut/error.hpp>

namespace abut {

class stripe_cut::cutter {
 public:
  cutter(stripe_cut& to, const ranked_ends& ends, int dimension, int slave, std::size_t bodies)
      : to_(to), ends_(ends), dimension_(dimension), slave_(slave), bodies_(bodies), most_(most_entries(bodies)) {}

  // Cuts a sorted list along the k-th striped axis, and each stripe along the next.
  void cut(const std::vector<std::uint32_t>& list, int k) {
    const std::vector<std::int32_t>& lower = ends_.lower_ranks(axis(k));
    const std::vector<std::int32_t>& upper = ends_.upper_ranks(axis(k));
    const std::size_t each = to_.own[static_cast<std::size_t>(k - 1)];
    for (std::size_t from = 0; from < list.size(); from += each) {
      const std::size_t end = std::min(list.size(), from + each);
      span s{lower[row_of(list[from])], -1};
      for (std::size_t p = from; p < end; ++p) s.highest = std::max(s.highest, upper[row_of(list[p])]);
      std::size_t zone = end;
      while (zone < list.size() && lower[row_of(list[zone])] < s.highest) ++zone;
      std::vector<std::uint32_t> stripe(list.begin() + static_cast<std::ptrdiff_t>(from),
                                        list.begin() + static_cast<std::ptrdiff_t>(zone));
      // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): there are at most two striped axes
      for (std::size_t p = end; p < zone; ++p) stripe[p - from] |= std::uint32_t{1} << (first_stripe_bit + k - 1);
      spans_[static_cast<std::size_t>(k - 1)] = s;
      if (k + 1 < dimension_) {
        sort(stripe, axis(k + 1));
        cut(stripe, k + 1);
      } else {
        add(std::move(stripe));
      }
    }
  }

 private:
  static row row_of(std::uint32_t what) { return what & stripe_row_mask; }
  [[nodiscard]] int axis(int k) const { return (slave_ + k) % dimension_; }

  void sort(std::vector<std::uint32_t>& list, int a) {
    const std::vector<std::int32_t>& lower = ends_.lower_ranks(a);
    std::sort(list.begin(), list.end(), [&](std::uint32_t x, std::uint32_t y) {
      ++to_.comparisons;
      return lower[row_of(x)] < lower[row_of(y)];
    });
  }

  void add(std::vector<std::uint32_t> stripe) {
    if (to_.listed.size() + stripe.size() > most_) {
      throw error("stripe-sort's stripes is count, which makes more than " + std::to_string(to_.listed.size()) +
                  " entries for " + std::to_string(bodies_) + " bodies; it takes at most " + std::to_string(most_) +
                  ": use stripes=width, or fewer bodies");
    }
    sort(stripe, slave_);
    to_.listed.insert(to_.listed.end(), stripe.begin(), stripe.end());
    to_.starts.push_back(static_cast<std::uint32_t>(to_.listed.size()));
    to_.spans.push_back(spans_);
  }

  stripe_cut& to_;
  const ranked_ends& ends_;
  int dimension_;
  int slave_;
  std::size_t bodies_;
  std::uint64_t most_;
  std::array<span, 2> spans_{};  // of the stripes that are being cut
};

stripe_cut::stripe_cut(const ranked_ends& ends, int dimension, int slave, std::size_t bodies, std::size_t multiple) {
  const std::size_t root = std::max<std::size_t>(1, root_of(bodies, dimension));
  own = {multiple * root, multiple * root};
  if (dimension == 3) own[0] *= root;
  std::vector<std::uint32_t> all;
  all.reserve(bodies);
  for (const std::uint32_t what : ends.list((slave + 1) % dimension).entries()) {
    if (!end_point::is_upper(what)) all.push_back(what);
  }
  cutter(*this, ends, dimension, slave, bodies).cut(all, 1);
}

std::uint64_t stripe_cut::most_entries(std::size_t bodies) {
  return std::min(std::max(std::uint64_t{1} << 24, std::uint64_t{16} * bodies), std::uint64_t{0xffff'fffe});
}

std::size_t root_of(std::size_t n, int power) {
  const auto raised = [power](std::size_t r) { return power == 2 ? r * r : r * r * r; };
  auto root = static_cast<std::size_t>(std::llround(std::pow(static_cast<double>(n), 1.0 / power)));
  while (root > 0 && raised(root - 1) >= n) --root;  // the floating-point root may be off by one
  while (raised(root) < n) ++root;
  return root;
}

}  // namespace abut
