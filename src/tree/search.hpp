#pragma once

#include <functional>
#include <string_view>

#include <abut/methods.hpp>

#include "bodies/batch.hpp"
#include "bodies/packed_volumes.hpp"
#include "bodies/query.hpp"
#include "bodies/sketcher.hpp"
#include "bodies/world.hpp"
#include "tree/box_tree.hpp"
#include "tree/insertion.hpp"
#include "tree/packing.hpp"

namespace abut {

/// How an R-tree is built: the parameters that all methods with one share.
struct tree_plan {
  bool packed = true;
  tree_split split = tree_split::quadratic;
  std::size_t node = 16;
  bool leaf_by_leaf = true;  ///< the bodies of a leaf are searched for together; otherwise one by one, as in the thesis
};

/// What searches by a tree count, in the order of `counts::named`.
inline constexpr std::string_view tree_counts[] = {"nodes visited", "entries compared"};

/// FindNeighbors and FindObjects by an R-tree (Perkins 1999, 4.3.1.3 and 4.3.1.4), over boxes in coordinates or in
/// ranks. Volumes are in the order of the leaves, and a pair is found from the body that comes first there.
template <int D, shape S, class T>
class tree_search {
 public:
  using box = tree_box<D, T>;

  /// `box_of(i, v)` is the box of row i with volume v; two bodies that overlap must have boxes that meet.
  template <class BoxOf>
  void build(const world& w, const tree_plan& how, BoxOf&& box_of) {
    margin_ = w.margin();
    leaf_by_leaf_ = how.leaf_by_leaf;
    leaves_per_task_ = std::max<std::size_t>(1, things_per_task / how.node);
    const auto of_row = [&](std::size_t i) { return box_of(static_cast<row>(i), w.get<D, S>(static_cast<row>(i))); };
    const tree_shape shape = how.packed ? tree_packing<D, T>::shape(w.size(), how.node, w.threads(), of_row)
                                        : inserted_shape<D>(w.size(), how.node, how.split, of_row);
    splits_ = shape.splits;
    volumes_.fill(w, shape.order);
    tree_.take(shape, w.threads(), [&](std::size_t p) { return box_of(volumes_.row_of(p), volumes_.get(p)); });
  }

  [[nodiscard]] std::size_t tasks() const { return (tree_.leaves() + leaves_per_task_ - 1) / leaves_per_task_; }

  void find(std::size_t task, pair_batch& out) const {
    tree_work done;
    const std::uint32_t leaves = tree_.start(1);
    const std::uint32_t from = leaves + static_cast<std::uint32_t>(task * leaves_per_task_);
    const auto to = leaves + static_cast<std::uint32_t>(std::min(tree_.leaves(), (task + 1) * leaves_per_task_));
    if (leaf_by_leaf_) {
      find_by_leaves(from, to, done, out);
    } else {
      for (std::uint32_t p = tree_.begin(from); p < tree_.end(to - 1); ++p) find_each(p, done, out);
    }
    add(done, out.count);
  }

  /// `where` must meet the boxes of all bodies that overlap the region.
  void find_in(const box& where, const query& q, row_batch& out) const {
    tree_work done;
    const auto look_at = [&](const std::uint32_t* places, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        if (q.touches(volumes_.get(places[k]))) out.add(volumes_.row_of(places[k]));
      }
      out.count.tests += count;
      out.count.candidates += count;
      return true;
    };
    if (leaf_by_leaf_) {
      tree_.visit(where, {}, done, look_at);
    } else {
      tree_.visit_each(where, done, [&](std::uint32_t place) { look_at(&place, 1); });
    }
    add(done, out.count);
  }

  /// How many full nodes the last `build` split.
  [[nodiscard]] std::uint64_t splits() const { return splits_; }

  /// Shows the nodes' boxes. `real(k, lo, hi)` is the interval of coordinates for one of T on axis k.
  void show(sketcher& out, const std::function<interval(int, T, T)>& real) const {
    const std::uint32_t node = out.kind(
        "node", "a box around boxes; its level is its depth in the tree, 0 for the root", sketch::holding::wholes);
    const auto sides = [&](const box& b) {
      sketcher::sides all{};
      for (int k = 0; k < D; ++k) all[static_cast<std::size_t>(k)] = real(k, b.lo[k], b.hi[k]);
      return all;
    };
    const std::size_t chosen = out.any_chosen() ? volumes_.place_of(out.chosen()) : volumes_.size();
    box asked{};
    if (out.any_chosen()) {
      asked = tree_.box_of(static_cast<std::uint32_t>(chosen));
      out.box(out.kind("query", "the body's box, with which the tree is searched"), 0, sides(asked), true);
      for (std::size_t p = chosen + 1; p < tree_.size(); ++p) {
        if (tree_.box_of(static_cast<std::uint32_t>(p)).meets(asked)) out.compared(volumes_.row_of(p));
      }
    }
    std::vector<std::uint32_t> shown(tree_.levels() > 0 ? tree_.start(tree_.levels() + 1) : 0, sketch::none);
    for (std::size_t level = tree_.levels(); level > 0; --level) {
      const auto depth = static_cast<std::uint32_t>(tree_.levels() - level);
      for (std::uint32_t entry = tree_.start(level); entry < tree_.start(level + 1); ++entry) {
        const box b = tree_.box_of(entry);
        const std::uint32_t made = out.box(node, depth, sides(b), out.any_chosen() && b.meets(asked));
        out.parent(made, shown[entry]);
        for (std::uint32_t child = tree_.begin(entry); child < tree_.end(entry); ++child) {
          shown[child] = made;
          if (level == 1) out.member(volumes_.row_of(child));
        }
      }
    }
  }

  [[nodiscard]] std::size_t bytes() const { return tree_.bytes() + volumes_.bytes(); }

 private:
  static constexpr std::size_t things_per_task = 2048;

  static void add(const tree_work& done, counts& to) {
    to.named[0] += done.nodes;
    to.named[1] += done.entries;
  }

  // The boxes that meet a leaf's box, with one array per end and axis: first the leaf's own, then those that come after
  // it.
  struct near_boxes {
    static constexpr std::size_t most = 512;
    std::uint32_t place[most];
    T lo[D][most];
    T hi[D][most];
    std::size_t size = 0;
  };

  // Searches for the partners of the bodies of leaves [from, to).
  void find_by_leaves(std::uint32_t from, std::uint32_t to, tree_work& done, pair_batch& out) const {
    typename box_tree<D, T>::path path;
    for (std::uint32_t leaf = from; leaf < to; ++leaf) {
      tree_.follow(leaf, path);
      near_boxes near;
      if (gather(leaf, path, done, near)) {
        find_together(leaf, near, done, out);
      } else {
        for (std::uint32_t p = tree_.begin(leaf); p < tree_.end(leaf); ++p) find_one(p, path, done, out);
      }
    }
  }

  // Searches the tree with the box of a leaf. Returns false if that meets too many: a large body makes the leaf's box
  // large, and its small bodies are better searched for one by one.
  bool gather(std::uint32_t leaf, typename box_tree<D, T>::path path, tree_work& done, near_boxes& near) const {
    const auto add = [&](std::uint32_t place) {
      near.place[near.size] = place;
      for (int k = 0; k < D; ++k) {
        near.lo[k][near.size] = tree_.lower(k)[place];
        near.hi[k][near.size] = tree_.upper(k)[place];
      }
      ++near.size;
    };
    for (std::uint32_t p = tree_.begin(leaf); p < tree_.end(leaf); ++p) add(p);
    path.from[0] = tree_.end(leaf);
    path.from[1] = leaf + 1;
    return tree_.visit(tree_.box_of(leaf), path, done, [&](const std::uint32_t* places, std::size_t count) {
      if (near.size + count > near_boxes::most) return false;
      for (std::size_t k = 0; k < count; ++k) add(places[k]);
      return true;
    });
  }

  void find_together(std::uint32_t leaf, const near_boxes& near, tree_work& done, pair_batch& out) const {
    const std::size_t own = tree_.end(leaf) - tree_.begin(leaf);
    done.entries += own * near.size - own * (own + 1) / 2;  // each with those after it
    for (std::uint32_t p = tree_.begin(leaf); p < tree_.end(leaf); ++p) {
      const box b = tree_.box_of(p);
      const volume<D, S> v = volumes_.get(p);
      for (std::size_t from = p - tree_.begin(leaf) + 1; from < near.size; from += 64) {
        const T* lo[D];
        const T* hi[D];
        for (int k = 0; k < D; ++k) lo[k] = near.lo[k] + from, hi[k] = near.hi[k] + from;
        std::uint32_t hits[64];
        const std::size_t found = boxes_meeting<D>(b, lo, hi, std::min<std::size_t>(64, near.size - from), hits);
        for (std::size_t h = 0; h < found; ++h) meet(p, v, near.place[from + hits[h]], out);
      }
    }
  }

  // Searches the tree with one body's box.
  void find_one(std::uint32_t p, typename box_tree<D, T>::path& path, tree_work& done, pair_batch& out) const {
    path.from[0] = p + 1;
    const volume<D, S> v = volumes_.get(p);
    tree_.visit(tree_.box_of(p), path, done, [&](const std::uint32_t* places, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) meet(p, v, places[k], out);
      return true;
    });
  }

  // The same as in the thesis: from the root, past what comes before the body too, so that a pair is met from both
  // sides; "duplicate object pairings can then be eliminated by object id".
  void find_each(std::uint32_t p, tree_work& done, pair_batch& out) const {
    const volume<D, S> v = volumes_.get(p);
    const row i = volumes_.row_of(p);
    tree_.visit_each(tree_.box_of(p), done, [&](std::uint32_t q) {
      if (i < volumes_.row_of(q)) meet(p, v, q, out);
    });
  }

  void meet(std::uint32_t p, const volume<D, S>& v, std::uint32_t q, pair_batch& out) const {
    ++out.count.tests;
    ++out.count.candidates;
    if (overlap(v, volumes_.get(q), margin_)) out.add(volumes_.row_of(p), volumes_.row_of(q));
  }

  double margin_ = 0;
  bool leaf_by_leaf_ = true;
  std::uint64_t splits_ = 0;
  std::size_t leaves_per_task_ = 1;
  box_tree<D, T> tree_;
  packed_volumes<D, S> volumes_;
};

constexpr parameter_info build_parameter{
    .name = "build",
    .range = "packed | insert",
    .default_value = "packed",
    .summary = "sort all bodies into full leaves, or insert one body after the other"};
constexpr parameter_info split_parameter{
    .name = "split",
    .range = "quadratic | linear",
    .default_value = "quadratic",
    .summary = "how build=insert splits a full node (Guttman); no effect on packed"};
constexpr parameter_info node_parameter{
    .name = "node", .range = "integer 4 to 64", .default_value = "16", .summary = "the most entries of a node"};

constexpr parameter_info tree_search_parameter{
    .name = "search",
    .range = "leaves | bodies",
    .default_value = "leaves",
    .summary = "enter the tree with a leaf's bodies together, or with each body, entry by entry, as in the thesis"};

/// The parameters of a plan.
[[nodiscard]] tree_plan tree_plan_of(const plan& asked);

/// The plan with all of these parameters set.
[[nodiscard]] plan with_tree(const plan& asked, const tree_plan& used);

}  // namespace abut
