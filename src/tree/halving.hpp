#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "tree/shape.hpp"

namespace abut {

/// Packs an R-tree by halving: splits the boxes at the median, again and again, by the quantity that is spread most
/// widely: the centers on an axis, or the boxes' longest sides, which are lengths too. Clusters, outliers and thin
/// sheets make no difference, and large boxes end up together, where they enlarge few nodes. Takes longer than
/// `tree_packing` and makes better trees, which pays if a tree is used for many updates. All nodes but the last of a
/// level are full.
template <int D>
class tree_halving {
 public:
  using box = tree_box<D, double>;

  /// The shape for things 0 to `count` - 1, in time N log N. `box_of(i)` is the box of thing i.
  template <class BoxOf>
  [[nodiscard]] static tree_shape shape(std::size_t count, std::size_t node, int threads, BoxOf&& box_of) {
    std::vector<item> items(count);
    parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) items[i] = item_of(box_of(i), static_cast<row>(i));
    });
    halve(items.data(), count, node);
    tree_shape made;
    made.order.resize(count);
    for (std::size_t p = 0; p < count; ++p) made.order[p] = items[p].id;
    for (std::size_t below = count; below > 1 || (below == 1 && made.first.empty());) {
      std::vector<std::uint32_t>& first = made.first.emplace_back();
      for (std::size_t begin = 0; begin < below; begin += node) first.push_back(static_cast<std::uint32_t>(begin));
      first.push_back(static_cast<std::uint32_t>(below));
      below = first.size() - 1;
    }
    return made;
  }

 private:
  // Twice a box's center, its longest side, and its index.
  struct item {
    std::array<double, D + 1> key;
    row id;
  };

  static item item_of(const box& b, row id) {
    item made{{}, id};
    for (int k = 0; k < D; ++k) {
      made.key[k] = b.lo[k] + b.hi[k];
      made.key[D] = std::max(made.key[D], b.hi[k] - b.lo[k]);
    }
    return made;
  }

  static int widest_key(const item* first, std::size_t count) {
    int widest = 0;
    double most = -1;
    for (int k = 0; k <= D; ++k) {
      double lo = first[0].key[k];
      double hi = lo;
      for (std::size_t i = 1; i < count; ++i) {
        lo = std::min(lo, first[i].key[k]);
        hi = std::max(hi, first[i].key[k]);
      }
      if (hi - lo > most) {
        most = hi - lo;
        widest = k;
      }
    }
    return widest;
  }

  // The recursion is log2(count) deep, because every part is half as large.
  static void halve(item* first, std::size_t count, std::size_t node) {
    if (count <= node) return;
    const int widest = widest_key(first, count);
    // Each half consists of whole nodes, of the highest level that has at least two, so that no node is split.
    std::size_t whole = node;
    while (whole * node < count) whole *= node;
    const std::size_t half = std::max<std::size_t>(1, (count + whole) / (2 * whole)) * whole;
    std::nth_element(first, first + half, first + count,
                     [&](const item& a, const item& b) { return a.key[widest] < b.key[widest]; });
    halve(first, half, node);
    halve(first + half, count - half, node);
  }
};

}  // namespace abut
