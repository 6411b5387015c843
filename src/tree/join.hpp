#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "bodies/world.hpp"

namespace abut {

/// Boxes in a packed tree, made to find all that meet at once. They are put in order by halving at the median, again
/// and again, along whichever is spread the widest: the centers on an axis, or the boxes' sizes, which are lengths too.
/// So nothing about the set matters: not clusters, outliers or thin sheets, and large boxes come to stand with large
/// ones, where they widen few nodes. Eight boxes make a leaf, eight leaves a node, and so on; there are no pointers.
template <int D>
class box_join {
 public:
  using box = volume<D, shape::box>;

  /// Takes boxes 0 to `count` - 1, in time N log N. `box_of(k)` gives them.
  template <class BoxOf>
  void build(std::size_t count, int threads, BoxOf&& box_of);

  /// The numbers of the boxes in the order of the tree.
  [[nodiscard]] const std::vector<row>& order() const { return order_; }

  /// All pairs of places in that order whose boxes meet.
  [[nodiscard]] std::vector<pair> pairs(int threads) const;

  /// Calls `f(place)` for every box that meets `b`.
  template <class F>
  void for_each_meeting(const box& b, F&& f) const {
    for_each_leaf(b, 0, [&](std::size_t leaf) {
      for (std::size_t p = leaf * fan; p < end_of(leaf); ++p) {
        if (overlap(b, boxes_[p], 0)) f(p);
      }
    });
  }

 private:
  static constexpr std::size_t fan = 8;

  // A box while it is put in order: twice its center, its longest side, its number.
  struct item {
    std::array<double, D + 1> key;
    row number;
  };

  [[nodiscard]] std::size_t leaves() const { return (boxes_.size() + fan - 1) / fan; }
  [[nodiscard]] std::size_t end_of(std::size_t leaf) const { return std::min(boxes_.size(), (leaf + 1) * fan); }

  static void halve(item* first, std::size_t count);
  void make_nodes();

  static box around(const box* first, std::size_t count) {
    box all = first[0];
    for (std::size_t c = 1; c < count; ++c) {
      for (int k = 0; k < D; ++k) {
        all.min[k] = std::min(all.min[k], first[c].min[k]);
        all.max[k] = std::max(all.max[k], first[c].max[k]);
      }
    }
    return all;
  }

  // Calls `f(leaf)` for the leaves from `from` on that meet b, in order.
  template <class F>
  void for_each_leaf(const box& b, std::size_t from, F&& f) const;
  void join_leaf(std::size_t leaf, std::vector<pair>& out) const;

  std::vector<row> order_;
  std::vector<box> boxes_;               // by place
  std::vector<std::vector<box>> nodes_;  // by level: the leaves, what is around eight of them, up to one
};

template <int D>
template <class BoxOf>
void box_join<D>::build(std::size_t count, int threads, BoxOf&& box_of) {
  std::vector<item> items(count);
  parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const box b = box_of(i);
      double longest = 0;
      for (int k = 0; k < D; ++k) {
        items[i].key[k] = b.min[k] + b.max[k];
        longest = std::max(longest, b.max[k] - b.min[k]);
      }
      items[i].key[D] = longest;
      items[i].number = static_cast<row>(i);
    }
  });
  halve(items.data(), count);
  order_.resize(count);
  boxes_.resize(count);
  parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to; ++p) {
      order_[p] = items[p].number;
      boxes_[p] = box_of(order_[p]);
    }
  });
  make_nodes();
}

// Depth log2(count): the parts are halves, up to a leaf.
template <int D>
void box_join<D>::halve(item* first, std::size_t count) {
  if (count <= fan) return;
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
  // Whole nodes, of the highest level that there are two of: so no node is made of what has been parted.
  std::size_t node = fan;
  while (node * fan < count) node *= fan;
  const std::size_t half = std::max<std::size_t>(1, (count + node) / (2 * node)) * node;
  std::nth_element(first, first + half, first + count,
                   [&](const item& a, const item& b) { return a.key[widest] < b.key[widest]; });
  halve(first, half);
  halve(first + half, count - half);
}

template <int D>
void box_join<D>::make_nodes() {
  nodes_.clear();
  const std::vector<box>* below = &boxes_;
  while (nodes_.empty() || below->size() > 1) {
    std::vector<box> level;
    level.reserve((below->size() + fan - 1) / fan);
    for (std::size_t k = 0; k < below->size(); k += fan) {
      level.push_back(around(below->data() + k, std::min(fan, below->size() - k)));
    }
    nodes_.push_back(std::move(level));
    below = &nodes_.back();
  }
}

template <int D>
template <class F>
void box_join<D>::for_each_leaf(const box& b, std::size_t from, F&& f) const {
  struct node {
    std::size_t level;
    std::size_t at;
  };
  node stack[fan * 12];  // 8^12 leaves are more than there are rows
  std::size_t waiting = 0;
  if (from < leaves()) stack[waiting++] = {nodes_.size() - 1, 0};
  while (waiting > 0) {
    const node n = stack[--waiting];
    if (!overlap(b, nodes_[n.level][n.at], 0)) continue;
    if (n.level == 0) {
      f(n.at);
      continue;
    }
    const std::size_t first = std::max(n.at * fan, from >> (3 * (n.level - 1)));
    for (std::size_t c = std::min(nodes_[n.level - 1].size(), (n.at + 1) * fan); c-- > first;) {
      stack[waiting++] = {n.level - 1, c};
    }
  }
}

template <int D>
void box_join<D>::join_leaf(std::size_t leaf, std::vector<pair>& out) const {
  const std::size_t begin = leaf * fan;
  const std::size_t end = end_of(leaf);
  const auto meet = [&](std::size_t p, std::size_t from, std::size_t to) {
    for (std::size_t q = from; q < to; ++q) {
      if (overlap(boxes_[p], boxes_[q], 0)) out.push_back({static_cast<row>(p), static_cast<row>(q)});
    }
  };
  for (std::size_t p = begin; p < end; ++p) meet(p, p + 1, end);
  for_each_leaf(nodes_[0][leaf], leaf + 1, [&](std::size_t other) {
    for (std::size_t p = begin; p < end; ++p) {
      if (overlap(boxes_[p], nodes_[0][other], 0)) meet(p, other * fan, end_of(other));
    }
  });
}

template <int D>
std::vector<pair> box_join<D>::pairs(int threads) const {
  constexpr std::size_t leaves_per_part = 512;
  std::vector<std::vector<pair>> parts((leaves() + leaves_per_part - 1) / leaves_per_part);
  parallel_blocks(threads, leaves(), leaves_per_part, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t leaf = from; leaf < to; ++leaf) join_leaf(leaf, parts[b]);
  });
  std::size_t all = 0;
  for (const auto& part : parts) all += part.size();
  std::vector<pair> found;
  found.reserve(all);
  for (auto& part : parts) {
    found.insert(found.end(), part.begin(), part.end());
    part = {};
  }
  return found;
}

}  // namespace abut
