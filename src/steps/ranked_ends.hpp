#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/methods.hpp>
#include <abut/plan.hpp>
#include <abut/search.hpp>

#include "bodies/world.hpp"
#include "steps/end_list.hpp"

namespace abut {

/// Whether lists of ends are sorted from the last order (insertion sort) rather than from scratch (heap sort).
[[nodiscard]] inline bool sorts_by_insertion(const plan& p) { return p.parameter_value("sort") != "heap"; }

constexpr parameter_info sort_parameter{
    .name = "sort",
    .range = "heap | insertion",
    .default_value = "insertion",
    .summary = "sort the ends anew at every update, or from the order of the last one"};

/// The bodies on an integer grid (Perkins 1999, 5.1 and 7.1): on each axis the sorted ends, and every row's ranks in
/// that list. Two rows' intervals meet on an axis if each one's lower rank is below the other's upper rank.
class ranked_ends {
 public:
  explicit ranked_ends(int dimension, end_list::ends which = end_list::ends::both)
      : dimension_(dimension), which_(which) {
    lists_.fill(end_list(which));
  }

  /// Takes in the world. With a `map`, sorts the lists from their last order; without one, from scratch: by counting if
  /// `by_insertion`, else by heap sort.
  void update(const world& w, std::span<const row> map, bool by_insertion);

  [[nodiscard]] const end_list& list(int k) const { return lists_[static_cast<std::size_t>(k)]; }

  /// The number of pairs of rows that meet on axis k: each lower end meets the rows that have begun before it and not
  /// yet ended.
  [[nodiscard]] std::uint64_t axis_neighbors(int k) const;

  /// The axis on which the fewest rows meet.
  [[nodiscard]] int sparsest_axis() const;

  /// The ranks by row. A method that keeps them in its own order can free them with `release_ranks`.
  [[nodiscard]] const std::vector<std::int32_t>& lower_ranks(int k) const {
    return lower_[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] const std::vector<std::int32_t>& upper_ranks(int k) const {
    return upper_[static_cast<std::size_t>(k)];
  }
  void release_ranks();

  /// The ranks that the ends of an interval would have on axis k. Rows that meet the interval have a lower rank below
  /// the second, and an upper rank of at least the first.
  [[nodiscard]] std::array<std::int32_t, 2> ranks_of(const world& w, const interval& t, int k) const;

  /// Counts how often a list was sorted anew: at the first update, and whenever insertion sort gave up because too much
  /// had moved.
  [[nodiscard]] std::vector<stats::event> events() const { return {{"sorted anew", sorted_anew_}}; }

  /// How many two ends changed places in the insertion sorts of the last update, those that gave up included.
  [[nodiscard]] stats::event swaps() const { return {"swaps", swaps_}; }

  [[nodiscard]] std::size_t bytes() const;

 private:
  void rank(int k, std::size_t count);

  int dimension_;
  end_list::ends which_;
  std::array<end_list, 3> lists_;
  std::array<std::vector<std::int32_t>, 3> lower_;
  std::array<std::vector<std::int32_t>, 3> upper_;
  std::uint64_t sorted_anew_ = 0;
  std::uint64_t swaps_ = 0;
};

}  // namespace abut
