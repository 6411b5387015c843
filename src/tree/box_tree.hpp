#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/world.hpp"
#include "tree/shape.hpp"

namespace abut {

/// Finds which of `count` boxes (at most 64), given axis by axis, meet `q`; returns how many do.
template <int D, class T>
std::size_t boxes_meeting(const tree_box<D, T>& q, const T* const (&lo)[D], const T* const (&hi)[D], std::size_t count,
                          std::uint32_t* hits) {
  // Written by hand, because compilers do not vectorize comparisons of doubles whose results are kept.
  using mask = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  constexpr std::size_t lanes = 16 / sizeof(T);
  using pack __attribute__((vector_size(16))) = T;
  using masks __attribute__((vector_size(16))) = mask;
  std::size_t found = 0;
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes) {
    masks all = ~masks{};
    for (int k = 0; k < D; ++k) {
      pack lower;
      pack upper;
      std::memcpy(&lower, lo[k] + j, sizeof lower);
      std::memcpy(&upper, hi[k] + j, sizeof upper);
      all &= (lower <= q.hi[k]) & (upper >= q.lo[k]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      hits[found] = static_cast<std::uint32_t>(j + lane);
      found -= all[lane];
    }
  }
  for (; j < count; ++j) {
    bool all = true;
    for (int k = 0; k < D; ++k) all = all & (lo[k][j] <= q.hi[k]) & (q.lo[k] <= hi[k][j]);
    hits[found] = static_cast<std::uint32_t>(j);
    found += all ? 1 : 0;
  }
  return found;
}

/// An R-tree of boxes with coordinates of type T. The entries of all levels are numbered: first the things, leaf by
/// leaf, then the leaves, then the nodes above them, up to the root. The children of a node are contiguous, with one
/// array per end and axis, so that a node is scanned without branches. The tree is a few flat vectors.
template <int D, class T>
class box_tree {
 public:
  using box = tree_box<D, T>;

  static constexpr std::size_t least_node = 4;
  static constexpr std::size_t most_node = 64;

  /// Builds the tree of this shape from the things' boxes. `box_at(p)` is the box of thing `shape.order[p]`.
  template <class BoxAt>
  void take(const tree_shape& shape, int threads, BoxAt&& box_at);

  [[nodiscard]] std::size_t size() const { return starts_.empty() ? 0 : starts_[1]; }
  /// The number of levels of nodes: 0 without things, 1 if the root is a leaf.
  [[nodiscard]] std::size_t levels() const { return starts_.size() < 2 ? 0 : starts_.size() - 2; }
  /// The first entry of a level (level 0: the things); `start(levels() + 1)` is the end of all.
  [[nodiscard]] std::uint32_t start(std::size_t level) const { return starts_[level]; }
  [[nodiscard]] std::size_t leaves() const { return levels() == 0 ? 0 : starts_[2] - starts_[1]; }
  /// The children of a node.
  [[nodiscard]] std::uint32_t begin(std::uint32_t node) const { return first_[node - size()]; }
  [[nodiscard]] std::uint32_t end(std::uint32_t node) const { return first_[node - size() + 1]; }
  [[nodiscard]] box box_of(std::uint32_t entry) const {
    box b{};
    for (int k = 0; k < D; ++k) b.lo[k] = lower_[k][entry], b.hi[k] = upper_[k][entry];
    return b;
  }
  [[nodiscard]] const T* lower(int k) const { return lower_[k].data(); }
  [[nodiscard]] const T* upper(int k) const { return upper_[k].data(); }

  /// The nodes above a leaf, one per level. A search starts there on each level, and so skips what comes before the
  /// leaf in the order of leaves.
  struct path {
    std::uint32_t from[32] = {};
  };

  /// Turns `before`, the path of an earlier leaf or an empty one, into the path of this leaf; `from[1]` is the leaf
  /// itself.
  void follow(std::uint32_t leaf, path& before) const {
    before.from[1] = leaf;
    for (std::size_t l = 2; l <= levels(); ++l) {
      std::uint32_t& node = before.from[l];
      if (node < start(l)) {
        const auto begins = first_.begin() + (start(l) - size());
        const auto ends = first_.begin() + (start(l + 1) - size());
        node = start(l) + static_cast<std::uint32_t>(std::upper_bound(begins, ends, before.from[l - 1]) - begins) - 1;
      }
      while (before.from[l - 1] >= end(node)) ++node;
    }
  }

  /// Calls `f(places, count)` with the things whose boxes meet `q`, one leaf at a time, in any order. On each level,
  /// only entries from `p` on are visited. Stops if `f` returns false. Adds what it did to `done`.
  template <class F>
  bool visit(const box& q, const path& p, tree_work& done, F&& f) const {
    if (levels() == 0) return true;
    waiting stack[most_waiting];
    std::size_t depth = 0;
    stack[depth++] = {start(levels()), static_cast<std::uint32_t>(levels())};
    tree_work mine;  // a local variable stays in registers
    bool goes_on = true;
    while (depth > 0 && goes_on) {
      const auto [node, level] = stack[--depth];
      const std::uint32_t from = std::max(begin(node), p.from[level - 1]);
      const std::size_t count = end(node) > from ? end(node) - from : 0;
      std::uint32_t hits[most_node];
      const std::size_t found = meeting(q, from, count, hits);
      ++mine.nodes;
      mine.entries += count;
      if (level == 1) {
        goes_on = found == 0 || f(static_cast<const std::uint32_t*>(hits), found);
      } else {
        for (std::size_t h = found; h-- > 0;) stack[depth++] = {hits[h], level - 1};
      }
    }
    done.nodes += mine.nodes;
    done.entries += mine.entries;
    return goes_on;
  }
  template <class F>
  bool visit(const box& q, const path& p, F&& f) const {
    tree_work uncounted;
    return visit(q, p, uncounted, f);
  }

  /// Search as Guttman has it (1984, section 3.1): calls `f(place)` for each thing whose box meets `q`. Every entry of
  /// a visited node is compared in turn, from the first on, and what meets `q` is descended.
  template <class F>
  void visit_each(const box& q, tree_work& done, F&& f) const {
    if (levels() == 0) return;
    waiting stack[most_waiting];
    std::size_t depth = 0;
    stack[depth++] = {start(levels()), static_cast<std::uint32_t>(levels())};
    while (depth > 0) {
      const auto [node, level] = stack[--depth];
      ++done.nodes;
      done.entries += end(node) - begin(node);
      for (std::uint32_t e = begin(node); e < end(node); ++e) {
        if (!box_of(e).meets(q)) continue;
        if (level == 1) {
          f(e);
        } else {
          stack[depth++] = {e, level - 1};
        }
      }
    }
  }

  /// All pairs of things whose boxes meet, as places in the order of the leaves; the lower place first.
  [[nodiscard]] std::vector<pair> pairs(int threads) const;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = bytes_of(first_) + bytes_of(starts_);
    for (int k = 0; k < D; ++k) sum += bytes_of(lower_[k]) + bytes_of(upper_[k]);
    return sum;
  }

 private:
  // A node that a search is still to visit. On the way down, the other children of each node wait: at most 63 per
  // level. The more children nodes have, the fewer levels there are; nodes of 4 make the most, 30 levels for 2^30
  // things.
  struct waiting {
    std::uint32_t node;
    std::uint32_t level;
  };
  static constexpr std::size_t most_waiting = 512;

  // Finds which of `count` entries from this one on, at most 64, have boxes that meet q.
  std::size_t meeting(const box& q, std::uint32_t from, std::size_t count, std::uint32_t* hits) const {
    const T* lo[D];
    const T* hi[D];
    for (int k = 0; k < D; ++k) lo[k] = lower_[k].data() + from, hi[k] = upper_[k].data() + from;
    const std::size_t found = boxes_meeting<D>(q, lo, hi, count, hits);
    for (std::size_t h = 0; h < found; ++h) hits[h] += from;
    return found;
  }

  void pairs_of_leaf(std::uint32_t leaf, path p, std::vector<pair>& out) const;

  std::vector<T> lower_[D];
  std::vector<T> upper_[D];
  std::vector<std::uint32_t> first_;   // where each node's children begin; one more entry than there are nodes
  std::vector<std::uint32_t> starts_;  // where each level's entries begin
};

template <int D, class T>
template <class BoxAt>
void box_tree<D, T>::take(const tree_shape& shape, int threads, BoxAt&& box_at) {
  const std::size_t things = shape.order.size();
  starts_.clear();
  first_.clear();
  if (things > 0) starts_ = {0, static_cast<std::uint32_t>(things)};
  for (const std::vector<std::uint32_t>& level : shape.first) {
    const std::uint32_t below = starts_[starts_.size() - 2];
    for (std::size_t n = 0; n + 1 < level.size(); ++n) first_.push_back(below + level[n]);
    starts_.push_back(starts_.back() + static_cast<std::uint32_t>(level.size() - 1));
  }
  if (things > 0) first_.push_back(starts_[levels()]);
  const std::size_t entries = things + (things > 0 ? first_.size() - 1 : 0);
  // Allocates exactly: a growing vector would double, although the number of nodes changes little from update to
  // update.
  const auto fit = [&](std::vector<T>& ends) {
    if (entries > ends.capacity()) ends = std::vector<T>();
    ends.resize(entries);
  };
  for (int k = 0; k < D; ++k) fit(lower_[k]), fit(upper_[k]);
  const auto put = [&](std::size_t entry, const box& b) {
    for (int k = 0; k < D; ++k) lower_[k][entry] = b.lo[k], upper_[k][entry] = b.hi[k];
  };
  parallel_blocks(threads, things, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to; ++p) put(p, box_at(p));
  });
  for (std::size_t entry = things; entry < entries; ++entry) {
    const auto node = static_cast<std::uint32_t>(entry);
    box all = box_of(begin(node));
    for (std::uint32_t child = begin(node) + 1; child < end(node); ++child) all.add(box_of(child));
    put(entry, all);
  }
}

// The pairs within a leaf, then those with each later leaf.
template <int D, class T>
void box_tree<D, T>::pairs_of_leaf(std::uint32_t leaf, path p, std::vector<pair>& out) const {
  for (std::uint32_t a = begin(leaf); a < end(leaf); ++a) {
    for (std::uint32_t b = a + 1; b < end(leaf); ++b) {
      if (box_of(a).meets(box_of(b))) out.push_back({a, b});
    }
  }
  p.from[0] = end(leaf);
  p.from[1] = leaf + 1;
  visit(box_of(leaf), p, [&](const std::uint32_t* places, std::size_t count) {
    for (std::uint32_t a = begin(leaf); a < end(leaf); ++a) {
      for (std::size_t k = 0; k < count; ++k) {
        if (box_of(a).meets(box_of(places[k]))) out.push_back({a, places[k]});
      }
    }
    return true;
  });
}

template <int D, class T>
std::vector<pair> box_tree<D, T>::pairs(int threads) const {
  constexpr std::size_t leaves_per_part = 512;
  std::vector<std::vector<pair>> parts((leaves() + leaves_per_part - 1) / leaves_per_part);
  parallel_blocks(threads, leaves(), leaves_per_part, [&](std::size_t b, std::size_t from, std::size_t to) {
    path p;
    for (std::size_t l = from; l < to; ++l) {
      const std::uint32_t leaf = start(1) + static_cast<std::uint32_t>(l);
      follow(leaf, p);
      pairs_of_leaf(leaf, p, parts[b]);
    }
  });
  std::size_t all = 0;
  for (const auto& part : parts) all += part.size();
  std::vector<pair> found;
  found.reserve(all);
  for (auto& part : parts) {
    found.insert(found.end(), part.begin(), part.end());
    part = std::vector<pair>();  // = {} would keep the memory
  }
  return found;
}

}  // namespace abut
