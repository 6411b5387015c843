#include "steps/ranked_ends.hpp"

#include <algorithm>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "steps/taken.hpp"

namespace abut {

void ranked_ends::update(const world& w, std::span<const row> map, bool by_insertion) {
  const bool again = !map.empty();
  const carried_rows rows(map, again ? w.size() : 0);
  std::array<bool, 3> anew{};
  std::array<std::uint64_t, 3> swaps{};
  parallel_for(w.threads(), static_cast<std::size_t>(dimension_), [&](std::size_t k) {
    // Copied, because they are looked up in the order of the list, not of the rows.
    const std::vector<interval> takes = all_taken(w, static_cast<int>(k));
    const auto on_axis = [&](row i) { return takes[i]; };
    end_list& list = lists_[k];
    moves_allowed moves = list.fair_moves();
    anew[k] = !again || !list.sort_again(rows, on_axis, moves, [](auto&&...) {});
    swaps[k] = moves.made;
    if (anew[k] && by_insertion) list.sort_by_counting(w.size(), on_axis);
    if (anew[k] && !by_insertion) list.sort(w.size(), on_axis);
    rank(static_cast<int>(k), w.size());
  });
  if (std::find(anew.begin(), anew.end(), true) != anew.end()) ++sorted_anew_;
  swaps_ = std::accumulate(swaps.begin(), swaps.end(), std::uint64_t{0});
}

std::uint64_t ranked_ends::axis_neighbors(int k) const {
  std::uint64_t neighbors = 0;
  std::uint64_t open = 0;
  for (const std::uint32_t what : list(k).entries()) {
    if (end_point::is_upper(what)) {
      --open;
    } else {
      neighbors += open++;
    }
  }
  return neighbors;
}

int ranked_ends::sparsest_axis() const {
  int best = 0;
  for (int k = 1; k < dimension_; ++k) {
    if (axis_neighbors(k) < axis_neighbors(best)) best = k;
  }
  return best;
}

void ranked_ends::release_ranks() {
  lower_ = {};
  upper_ = {};
}

std::array<std::int32_t, 2> ranked_ends::ranks_of(const world& w, const interval& t, int k) const {
  const auto on_axis = [&](row i) { return taken(w, i, k); };
  return {static_cast<std::int32_t>(list(k).count_below(t.min, false, on_axis)),
          static_cast<std::int32_t>(list(k).count_below(t.max, true, on_axis))};
}

std::size_t ranked_ends::bytes() const {
  std::size_t sum = 0;
  for (int k = 0; k < dimension_; ++k) sum += list(k).bytes() + bytes_of(lower_ranks(k)) + bytes_of(upper_ranks(k));
  return sum;
}

void ranked_ends::rank(int k, std::size_t count) {
  std::vector<std::int32_t>& lower = lower_[static_cast<std::size_t>(k)];
  std::vector<std::int32_t>& upper = upper_[static_cast<std::size_t>(k)];
  lower.resize(count);
  upper.resize(which_ == end_list::ends::both ? count : 0);
  std::int32_t rank = 0;
  for (const std::uint32_t what : list(k).entries()) {
    (end_point::is_upper(what) ? upper : lower)[end_point::row_of(what)] = rank++;
  }
}

}  // namespace abut
