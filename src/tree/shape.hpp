#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// A box of a tree: closed, with coordinates (double) or ranks.
template <int D, class T>
struct tree_box {
  T lo[D];
  T hi[D];

  void add(const tree_box& other) {
    for (int k = 0; k < D; ++k) {
      lo[k] = std::min(lo[k], other.lo[k]);
      hi[k] = std::max(hi[k], other.hi[k]);
    }
  }
  [[nodiscard]] bool meets(const tree_box& other) const {
    bool all = true;
    for (int k = 0; k < D; ++k) all = all && lo[k] <= other.hi[k] && other.lo[k] <= hi[k];
    return all;
  }
  friend bool operator==(const tree_box&, const tree_box&) = default;
};

/// The nodes of an R-tree without their boxes: the result of a builder. All leaves are at the same depth.
struct tree_shape {
  /// The things, in the order of the leaves.
  std::vector<row> order;

  /// For each level of nodes, from the leaves up to the root: where each node's children begin in the level below (for
  /// leaves: in `order`), and where the last node's children end. Empty without things.
  std::vector<std::vector<std::uint32_t>> first;

  /// How many full nodes were split to make it.
  std::uint64_t splits = 0;
};

/// What a search of a tree counts.
struct tree_work {
  std::uint64_t nodes = 0;    ///< nodes visited
  std::uint64_t entries = 0;  ///< entries whose boxes were compared
};

/// The spread of the middle eight tenths of `count` values, from a probe: a few far outliers do not change it.
template <class ValueOf>
[[nodiscard]] double middle_spread(std::size_t count, ValueOf&& value_of) {
  constexpr std::size_t most = 256;
  std::array<double, most> probe;
  const std::size_t taken = std::min(count, most);
  if (taken == 0) return 0;
  for (std::size_t s = 0; s < taken; ++s) probe[s] = static_cast<double>(value_of(s * count / taken));
  const auto ranked = [&](std::size_t rank) {
    std::nth_element(probe.begin(), probe.begin() + rank, probe.begin() + taken);
    return probe[rank];
  };
  const double low = ranked((taken - 1) / 10);
  return ranked(taken - 1 - (taken - 1) / 10) - low;
}

}  // namespace abut
