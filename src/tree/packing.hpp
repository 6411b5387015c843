#pragma once

#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "base/parallel.hpp"
#include "base/sort.hpp"
#include "tree/shape.hpp"

namespace abut {

/// Packs an R-tree, sort-tile-recursive (Leutenegger, Lopez, Edgington 1997): things are sorted by center on x and
/// split into slabs, each slab is sorted by y (in 3D each strip by z), down to full leaves. Leaves are packed into
/// nodes in the same way, up to a root. Nodes of a level differ by at most one child, so none is less than half full.
///
/// The farther things spread on an axis, the more often it is split, so that tiles are nearly cubes in a sheet or a
/// thin rod too. `box_of(i)` is the box of thing i.
template <int D, class T>
class tree_packing {
 public:
  template <class BoxOf>
  [[nodiscard]] static tree_shape shape(std::size_t count, std::size_t node, int threads, BoxOf&& box_of) {
    tree_packing level;
    level.node_ = node;
    level.items_.resize(count);
    parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const tree_box<D, T> b = box_of(i);
        for (int k = 0; k < D; ++k) level.items_[i].at[k] = middle(b.lo[k], b.hi[k]);
        level.items_[i].id = static_cast<std::uint32_t>(i);
      }
    });
    tree_shape made;
    if (count == 0) return made;
    std::vector<std::vector<std::uint32_t>> orders;
    do {
      level.tile(threads);
      orders.push_back(level.ids());
      made.first.push_back(level.starts());
      level.climb();
    } while (level.items_.size() > 1);
    arrange(orders, made);
    return made;
  }

 private:
  struct item {
    T at[D];
    std::uint32_t id;
  };
  static constexpr std::size_t many = 4096;  // from this many on, counting sorts faster than comparing

  // Group g of a level holds the items [start(g), start(g + 1)).
  [[nodiscard]] std::size_t groups() const { return (items_.size() + node_ - 1) / node_; }
  [[nodiscard]] std::size_t start(std::size_t group) const { return group * items_.size() / groups(); }

  void tile(int threads) {
    const std::size_t all = groups();
    const std::size_t slabs = all > 1 ? parts(0, all, 0) : 1;
    sort(0, all, 0, threads);
    parallel_for(threads, slabs, [&](std::size_t s) { tile(s * all / slabs, (s + 1) * all / slabs, 1); });
  }

  void tile(std::size_t from, std::size_t to, int axis) {
    if (to - from < 2) return;
    const std::size_t pieces = axis < D - 1 ? parts(from, to, axis) : 1;
    sort(from, to, axis, 1);
    if (axis == D - 1) return;
    const std::size_t all = to - from;
    for (std::size_t s = 0; s < pieces; ++s) tile(from + s * all / pieces, from + (s + 1) * all / pieces, axis + 1);
  }

  // How many parts to split an axis into, so that the following axes can be split into parts of the same length.
  [[nodiscard]] std::size_t parts(std::size_t from, std::size_t to, int axis) const {
    double spread[D] = {};
    double widest = 0;
    for (int k = axis; k < D; ++k) {
      spread[k] = middle_spread(start(to) - start(from), [&](std::size_t i) { return items_[start(from) + i].at[k]; });
      widest = std::max(widest, spread[k]);
    }
    const auto wanted = static_cast<double>(to - from);
    if (widest == 0) return static_cast<std::size_t>(std::ceil(std::pow(wanted, 1.0 / (D - axis))));
    double length = 0;  // of a tile, relative to the widest spread; axes that spread less are not split
    for (int pass = axis; pass < D; ++pass) {
      double product = 1;
      int split = 0;
      for (int k = axis; k < D; ++k) {
        if (spread[k] / widest <= length) continue;
        product *= spread[k] / widest;
        ++split;
      }
      length = std::pow(product / wanted, 1.0 / split);
    }
    return static_cast<std::size_t>(std::clamp(std::ceil(spread[axis] / widest / length), 1.0, wanted));
  }

  // Always rounded in the same way, so that it never decreases with either end.
  static T middle(T lo, T hi) { return static_cast<T>(lo / 2 + hi / 2); }

  // An integer in the same order as the coordinates.
  static std::uint64_t key_of(T at) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(at));
      return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
    } else {
      return static_cast<std::uint64_t>(at);
    }
  }

  void sort(std::size_t from_group, std::size_t to_group, int axis, int threads) {
    const std::size_t from = start(from_group);
    const std::size_t count = start(to_group) - from;
    item* const items = items_.data() + from;
    if (count < many) {
      std::sort(items, items + count, [axis](const item& a, const item& b) {
        return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.id < b.id;
      });
      return;
    }
    key_sorter sorter;
    sorter.keys.resize(count);
    sorter.rows.resize(count);
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sorter.keys[i] = key_of(items[i].at[axis]);
      sorter.rows[i] = static_cast<row>(i);
      least = std::min(least, sorter.keys[i]);
      most = std::max(most, sorter.keys[i]);
    }
    // The upper 44 bits of the difference, four digits of the sorter, tell doubles apart to at least ten decimal
    // places; closer ones may end up in either of two tiles.
    const int bits = static_cast<int>(std::bit_width(most - least));
    const int dropped = std::max(0, bits - 44);
    for (std::uint64_t& key : sorter.keys) key = (key - least) >> dropped;
    sorter.sort(bits - dropped, threads);
    const std::vector<item> before(items, items + count);
    parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) items[i] = before[sorter.rows[i]];
    });
  }

  [[nodiscard]] std::vector<std::uint32_t> ids() const {
    std::vector<std::uint32_t> all(items_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = items_[i].id;
    return all;
  }
  [[nodiscard]] std::vector<std::uint32_t> starts() const {
    std::vector<std::uint32_t> all(groups() + 1);
    for (std::size_t g = 0; g < all.size(); ++g) all[g] = static_cast<std::uint32_t>(start(g));
    return all;
  }

  // Makes the groups the items of the next level, each at the middle of its members.
  void climb() {
    std::vector<item> above(groups());
    for (std::size_t g = 0; g < above.size(); ++g) {
      for (int k = 0; k < D; ++k) {
        T lo = items_[start(g)].at[k];
        T hi = lo;
        for (std::size_t i = start(g); i < start(g + 1); ++i) {
          lo = std::min(lo, items_[i].at[k]);
          hi = std::max(hi, items_[i].at[k]);
        }
        above[g].at[k] = middle(lo, hi);
      }
      above[g].id = static_cast<std::uint32_t>(g);
    }
    items_ = std::move(above);
  }

  // Each level was sorted separately: goes down from the root and puts the children of each node next to each other.
  static void arrange(const std::vector<std::vector<std::uint32_t>>& orders, tree_shape& made) {
    std::vector<std::uint32_t> nodes{0};
    for (std::size_t level = orders.size(); level-- > 0;) {
      std::vector<std::uint32_t>& first = made.first[level];
      std::vector<std::uint32_t> below;
      std::vector<std::uint32_t> begins{0};
      below.reserve(orders[level].size());
      begins.reserve(first.size());
      for (const std::uint32_t n : nodes) {
        below.insert(below.end(), orders[level].begin() + first[n], orders[level].begin() + first[n + 1]);
        begins.push_back(static_cast<std::uint32_t>(below.size()));
      }
      first = std::move(begins);
      nodes = std::move(below);
    }
    made.order = std::move(nodes);
  }

  std::size_t node_ = 0;
  std::vector<item> items_;
};

}  // namespace abut
