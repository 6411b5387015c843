#pragma once

#include <array>

#include <abut/methods.hpp>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/world.hpp"
#include "steps/end_list.hpp"

namespace abut {

/// What a row takes on axis k.
template <int D, shape S>
[[nodiscard]] inline interval taken(const world& w, row i, int k) {
  return taken(w.get<D, S>(i), k, w.margin());
}

/// Whether lists of ends are sorted from the last order (insertion sort) rather than from scratch (heap sort).
[[nodiscard]] inline bool sorts_by_insertion(const plan& p) { return p.parameter_value("sort") != "heap"; }

constexpr parameter_info sort_parameter{.name = "sort",
                                        .range = "heap | insertion",
                                        .default_value = "insertion",
                                        .summary = "the ends anew at every update, or from the order of the last one"};

/// The bodies on an integer grid (Perkins 1999, 5.1 and 7.1): on each axis the sorted ends, and every row's ranks in
/// that list. Two rows' intervals meet on an axis if each one's lower rank is below the other's upper rank.
template <int D, shape S, end_list::ends Which = end_list::ends::both>
class ranked_ends {
 public:
  ranked_ends() { lists_.fill(end_list(Which)); }

  /// Takes in the world. With a `map`, lists are sorted from their last order; otherwise from scratch, by heap sort, or
  /// by counting if `by_insertion`.
  void update(const world& w, std::span<const row> map, bool by_insertion) {
    const bool again = !map.empty();
    const carried_rows rows(map, again ? w.size() : 0);
    std::array<bool, D> anew{};
    parallel_for(w.threads(), D, [&](std::size_t k) {
      // Copied, since they are looked up in the order of the list.
      std::vector<interval> takes(w.size());
      for (row i = 0; i < takes.size(); ++i) takes[i] = taken<D, S>(w, i, static_cast<int>(k));
      const auto on_axis = [&](row i) { return takes[i]; };
      end_list& list = lists_[k];
      moves_allowed moves = list.fair_moves();
      anew[k] = !again || !list.sort_again(rows, on_axis, moves, [](auto&&...) {});
      if (anew[k] && by_insertion) list.sort_by_counting(w.size(), on_axis);
      if (anew[k] && !by_insertion) list.sort(w.size(), on_axis);
      rank(static_cast<int>(k), w.size());
    });
    if (std::find(anew.begin(), anew.end(), true) != anew.end()) ++sorted_anew_;
  }

  [[nodiscard]] const end_list& list(int k) const { return lists_[static_cast<std::size_t>(k)]; }

  /// How many pairs of rows meet on axis k: every lower end stands behind those whose upper ends are still to come.
  [[nodiscard]] std::uint64_t axis_neighbors(int k) const {
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

  /// The axis on which the fewest rows meet.
  [[nodiscard]] int sparsest_axis() const {
    int best = 0;
    for (int k = 1; k < D; ++k) {
      if (axis_neighbors(k) < axis_neighbors(best)) best = k;
    }
    return best;
  }

  /// The ranks by row. `release_ranks` frees them if a method keeps them in an order of its own.
  [[nodiscard]] const std::vector<std::int32_t>& lower_ranks(int k) const { return lower_[k]; }
  [[nodiscard]] const std::vector<std::int32_t>& upper_ranks(int k) const { return upper_[k]; }
  void release_ranks() {
    for (int k = 0; k < D; ++k) {
      lower_[k] = std::vector<std::int32_t>();  // = {} would keep the memory
      upper_[k] = std::vector<std::int32_t>();
    }
  }

  /// The ranks that the ends of an interval would have on axis k: what meets it has a lower rank below the second and
  /// an upper rank of at least the first.
  [[nodiscard]] std::array<std::int32_t, 2> ranks_of(const world& w, const interval& t, int k) const {
    const auto on_axis = [&](row i) { return taken<D, S>(w, i, k); };
    return {static_cast<std::int32_t>(list(k).count_below(t.min, false, on_axis)),
            static_cast<std::int32_t>(list(k).count_below(t.max, true, on_axis))};
  }

  /// How often a list was sorted anew: at the first update, and whenever insertion sort gave up because too much had
  /// moved.
  [[nodiscard]] std::vector<stats::event> events() const { return {{"sorted anew", sorted_anew_}}; }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (int k = 0; k < D; ++k) sum += list(k).bytes() + bytes_of(lower_[k]) + bytes_of(upper_[k]);
    return sum;
  }

 private:
  void rank(int k, std::size_t count) {
    lower_[k].resize(count);
    upper_[k].resize(Which == end_list::ends::both ? count : 0);
    std::int32_t rank = 0;
    for (const std::uint32_t what : list(k).entries()) {
      (end_point::is_upper(what) ? upper_ : lower_)[k][end_point::row_of(what)] = rank++;
    }
  }

  std::array<end_list, D> lists_;
  std::vector<std::int32_t> lower_[D];
  std::vector<std::int32_t> upper_[D];
  std::uint64_t sorted_anew_ = 0;
};

}  // namespace abut
