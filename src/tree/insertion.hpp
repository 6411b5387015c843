#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "tree/shape.hpp"

namespace abut {

enum class tree_split { linear, quadratic };

/// Builds an R-tree as Guttman did (1984, section 3): each thing goes down to the leaf that it enlarges least; a node
/// with more than `node` entries is split in two, and splits propagate up to the root.
///
/// Only the shape of the tree is made here. The unit of length is the spread of most things, and coordinates are
/// limited to 1e100 units, so that no area overflows. Boxes that this limit makes equal cost time, but no pairs are
/// lost.
template <int D>
class tree_insertion {
 public:
  using box = tree_box<D, double>;

  /// `unit`: the length that counts as 1.
  tree_insertion(std::size_t node, tree_split split, double unit, std::size_t expected)
      : most_(node), least_((2 * node + 4) / 5), split_(split), unit_(unit) {
    const std::size_t nodes = 2 * expected / node + 2;
    boxes_.reserve(nodes * (most_ + 1));
    below_.reserve(nodes * (most_ + 1));
    counts_.reserve(nodes);
    root_ = new_node();
  }

  /// Guttman's m: the least number of entries of every node but the root.
  [[nodiscard]] std::size_t least() const { return least_; }

  template <class T>
  void insert(std::uint32_t id, const tree_box<D, T>& given) {
    const box entry = scaled(given);
    // ChooseLeaf: records the slots taken on the way down.
    path_.clear();
    std::uint32_t node = root_;
    for (std::size_t level = height_; level > 0; --level) {
      const std::size_t slot = least_enlarged(node, entry);
      path_.push_back({node, slot});
      node = below_[slot];
    }
    // AdjustTree.
    std::uint32_t other = add(node, entry, id);
    while (!path_.empty()) {
      const auto [parent, slot] = path_.back();
      path_.pop_back();
      if (other == none) {
        boxes_[slot].add(entry);
      } else {
        boxes_[slot] = around(node);
        other = add(parent, around(other), other);
      }
      node = parent;
    }
    if (other != none) {
      root_ = new_node();
      ++height_;
      add(root_, around(node), node);
      add(root_, around(other), other);
    }
  }

  [[nodiscard]] tree_shape shape() const {
    tree_shape made;
    if (counts_[root_] == 0) return made;
    made.first.resize(height_ + 1);
    std::vector<std::uint32_t> nodes{root_};
    for (std::size_t level = height_ + 1; level-- > 0;) {
      std::vector<std::uint32_t> below;
      made.first[level].push_back(0);
      for (const std::uint32_t n : nodes) {
        const auto from = below_.begin() + static_cast<std::ptrdiff_t>(begin(n));
        below.insert(below.end(), from, from + counts_[n]);
        made.first[level].push_back(static_cast<std::uint32_t>(below.size()));
      }
      nodes = std::move(below);
    }
    made.order = std::move(nodes);
    made.splits = splits_;
    return made;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct step {
    std::uint32_t node;
    std::size_t slot;
  };
  // One of the two nodes that a split makes.
  struct group {
    box bounds;
    double area;
    std::vector<std::size_t> members{};
  };

  // A box's area (in 3D: volume), with a billionth of the unit added on each axis, so that flat boxes differ too.
  static double area(const box& b) {
    constexpr double growth = 1e-9;
    double product = 1;
    for (int k = 0; k < D; ++k) product *= (b.hi[k] - b.lo[k]) + growth;
    return product;
  }
  static double area_with(box a, const box& b) {
    a.add(b);
    return area(a);
  }

  template <class T>
  [[nodiscard]] box scaled(const tree_box<D, T>& given) const {
    const auto limited = [this](T v) { return std::clamp(static_cast<double>(v) / unit_, -1e100, 1e100); };
    box b{};
    for (int k = 0; k < D; ++k) b.lo[k] = limited(given.lo[k]), b.hi[k] = limited(given.hi[k]);
    return b;
  }

  [[nodiscard]] std::size_t begin(std::uint32_t node) const { return std::size_t{node} * (most_ + 1); }

  std::uint32_t new_node() {
    counts_.push_back(0);
    boxes_.resize(counts_.size() * (most_ + 1));
    below_.resize(boxes_.size());
    return static_cast<std::uint32_t>(counts_.size() - 1);
  }

  [[nodiscard]] box around(std::uint32_t node) const {
    box all = boxes_[begin(node)];
    for (std::size_t e = begin(node) + 1; e < begin(node) + counts_[node]; ++e) all.add(boxes_[e]);
    return all;
  }

  // The slot whose box needs the least enlargement; among equals, the one with the smallest box.
  [[nodiscard]] std::size_t least_enlarged(std::uint32_t node, const box& entry) const {
    std::size_t best = begin(node);
    double best_growth = std::numeric_limits<double>::infinity();
    double best_area = 0;
    for (std::size_t e = begin(node); e < begin(node) + counts_[node]; ++e) {
      const double own = area(boxes_[e]);
      const double growth = area_with(boxes_[e], entry) - own;
      if (growth < best_growth || (growth == best_growth && own < best_area)) {
        best = e;
        best_growth = growth;
        best_area = own;
      }
    }
    return best;
  }

  // Adds an entry to a node. If there is no room, splits the node and returns the new one.
  std::uint32_t add(std::uint32_t node, const box& entry, std::uint32_t id) {
    const std::size_t slot = begin(node) + counts_[node]++;
    boxes_[slot] = entry;
    below_[slot] = id;
    return counts_[node] > most_ ? split(node) : none;
  }

  std::uint32_t split(std::uint32_t node) {
    ++splits_;
    const std::uint32_t other = new_node();
    const auto first = boxes_.begin() + static_cast<std::ptrdiff_t>(begin(node));
    entries_.assign(first, first + counts_[node]);
    const std::vector<std::uint32_t> ids(below_.begin() + static_cast<std::ptrdiff_t>(begin(node)),
                                         below_.begin() + static_cast<std::ptrdiff_t>(begin(node) + counts_[node]));
    distribute(split_ == tree_split::linear ? linear_seeds() : quadratic_seeds());
    const auto fill = [&](std::uint32_t into, const group& from) {
      counts_[into] = 0;
      for (const std::size_t e : from.members) {
        boxes_[begin(into) + counts_[into]] = entries_[e];
        below_[begin(into) + counts_[into]++] = ids[e];
      }
    };
    fill(node, groups_[0]);
    fill(other, groups_[1]);
    return other;
  }

  // Distributes the entries to two groups that start with the seeds (3.5.2).
  void distribute(std::pair<std::size_t, std::size_t> seeds) {
    rest_.clear();
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (e != seeds.first && e != seeds.second) rest_.push_back(e);
    }
    const auto start = [&](group& g, std::size_t seed) {
      g.bounds = entries_[seed];
      g.area = area(g.bounds);
      g.members.assign(1, seed);
    };
    start(groups_[0], seeds.first);
    start(groups_[1], seeds.second);
    while (!rest_.empty()) {
      int to = -1;
      for (int g = 0; g < 2; ++g) {
        if (groups_[g].members.size() + rest_.size() == least_) to = g;
      }
      std::size_t next = 0;
      if (to < 0) {
        if (split_ == tree_split::quadratic) next = pick_next();
        to = preferred(entries_[rest_[next]]);
      }
      group& chosen = groups_[to];
      chosen.bounds.add(entries_[rest_[next]]);
      chosen.area = area(chosen.bounds);
      chosen.members.push_back(rest_[next]);
      rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(next));
    }
  }

  [[nodiscard]] double growth(int g, const box& entry) const {
    return area_with(groups_[g].bounds, entry) - groups_[g].area;
  }

  // The group that an entry enlarges less; if equal, the smaller one; if equal too, the one with fewer entries.
  [[nodiscard]] int preferred(const box& entry) const {
    const double first = growth(0, entry);
    const double second = growth(1, entry);
    if (first != second) return first < second ? 0 : 1;
    if (groups_[0].area != groups_[1].area) return groups_[0].area < groups_[1].area ? 0 : 1;
    return groups_[0].members.size() <= groups_[1].members.size() ? 0 : 1;
  }

  // PickNext of the quadratic split: the entry with the strongest preference for one group.
  [[nodiscard]] std::size_t pick_next() const {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      const double preference = std::abs(growth(0, entries_[rest_[r]]) - growth(1, entries_[rest_[r]]));
      if (preference > most) most = preference, best = r;
    }
    return best;
  }

  // PickSeeds (3.5.2): the two entries that would waste most area in one node.
  [[nodiscard]] std::pair<std::size_t, std::size_t> quadratic_seeds() const {
    std::pair<std::size_t, std::size_t> best{0, 1};
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < entries_.size(); ++a) {
      const double own = area(entries_[a]);
      for (std::size_t b = a + 1; b < entries_.size(); ++b) {
        const double waste = area_with(entries_[a], entries_[b]) - own - area(entries_[b]);
        if (waste > most) most = waste, best = {a, b};
      }
    }
    return best;
  }

  // LinearPickSeeds (3.5.3): the entries with the highest low side and the lowest high side, on the axis where these
  // are farthest apart relative to the node's width.
  [[nodiscard]] std::pair<std::size_t, std::size_t> linear_seeds() const {
    std::pair<std::size_t, std::size_t> best{0, 1};
    double most = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < D; ++k) {
      std::size_t highest = 0;
      for (std::size_t e = 1; e < entries_.size(); ++e) {
        if (entries_[e].lo[k] > entries_[highest].lo[k]) highest = e;
      }
      std::size_t lowest = highest == 0 ? 1 : 0;  // a different entry, even if all sides are equal
      double from = entries_[0].lo[k];
      double to = entries_[0].hi[k];
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        if (e != highest && entries_[e].hi[k] < entries_[lowest].hi[k]) lowest = e;
        from = std::min(from, entries_[e].lo[k]);
        to = std::max(to, entries_[e].hi[k]);
      }
      const double apart = to > from ? (entries_[highest].lo[k] - entries_[lowest].hi[k]) / (to - from) : -1;
      if (apart > most) most = apart, best = {lowest, highest};
    }
    return best;
  }

  std::size_t most_;
  std::size_t least_;
  tree_split split_;
  double unit_;
  std::uint32_t root_ = 0;
  std::uint64_t splits_ = 0;
  std::size_t height_ = 0;            // the height of the root above the leaves
  std::vector<box> boxes_;            // most_ + 1 slots per node: one more than it may keep
  std::vector<std::uint32_t> below_;  // in a leaf, things; above, nodes
  std::vector<std::uint32_t> counts_;
  std::vector<step> path_;
  std::vector<box> entries_;  // of the node being split
  std::vector<std::size_t> rest_;
  group groups_[2]{};
};

/// The shape made by inserting things 0 to `count` - 1 one by one. `box_of(i)` is the box of thing i.
template <int D, class BoxOf>
[[nodiscard]] tree_shape inserted_shape(std::size_t count, std::size_t node, tree_split split, BoxOf&& box_of) {
  double unit = 0;
  for (int k = 0; k < D; ++k) {
    const auto end = [&](std::size_t e) { return e % 2 == 0 ? box_of(e / 2).lo[k] : box_of(e / 2).hi[k]; };
    unit = std::max(unit, middle_spread(2 * count, end));
  }
  tree_insertion<D> tree(node, split, unit > 0 ? unit : 1, count);
  for (std::size_t i = 0; i < count; ++i) tree.insert(static_cast<std::uint32_t>(i), box_of(i));
  return tree.shape();
}

}  // namespace abut
