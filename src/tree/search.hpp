#pragma once

#include <abut/methods.hpp>

#include "bodies/batch.hpp"
#include "bodies/packed_volumes.hpp"
#include "bodies/query.hpp"
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
};

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
    leaves_per_task_ = std::max<std::size_t>(1, things_per_task / how.node);
    const auto of_row = [&](std::size_t i) { return box_of(static_cast<row>(i), w.get<D, S>(static_cast<row>(i))); };
    const tree_shape shape = how.packed ? tree_packing<D, T>::shape(w.size(), how.node, w.threads(), of_row)
                                        : inserted_shape<D>(w.size(), how.node, how.split, of_row);
    volumes_.fill(w, shape.order);
    tree_.take(shape, w.threads(), [&](std::size_t p) { return box_of(volumes_.row_of(p), volumes_.get(p)); });
  }

  [[nodiscard]] std::size_t tasks() const { return (tree_.leaves() + leaves_per_task_ - 1) / leaves_per_task_; }

  void find(std::size_t task, pair_batch& out) const {
    typename box_tree<D, T>::path path;
    const std::uint32_t leaves = tree_.start(1);
    const auto to = static_cast<std::uint32_t>(std::min(tree_.leaves(), (task + 1) * leaves_per_task_));
    for (auto l = static_cast<std::uint32_t>(task * leaves_per_task_); l < to; ++l) {
      tree_.follow(leaves + l, path);
      near_boxes near;
      if (gather(leaves + l, path, near)) {
        find_together(leaves + l, near, out);
      } else {
        for (std::uint32_t p = tree_.begin(leaves + l); p < tree_.end(leaves + l); ++p) find_one(p, path, out);
      }
    }
  }

  /// `where` must meet the boxes of all bodies that overlap the region.
  void find_in(const box& where, const query& q, row_batch& out) const {
    tree_.visit(where, {}, [&](const std::uint32_t* places, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        if (q.touches(volumes_.get(places[k]))) out.add(volumes_.row_of(places[k]));
      }
      out.count.tests += count;
      out.count.candidates += count;
      return true;
    });
  }

  [[nodiscard]] std::size_t bytes() const { return tree_.bytes() + volumes_.bytes(); }

 private:
  static constexpr std::size_t things_per_task = 2048;

  // The boxes that meet a leaf's box, with one array per end and axis: first the leaf's own, then those that come after
  // it.
  struct near_boxes {
    static constexpr std::size_t most = 512;
    std::uint32_t place[most];
    T lo[D][most];
    T hi[D][most];
    std::size_t size = 0;
  };

  // Searches the tree with the box of a leaf. Returns false if that meets too many: a large body makes the leaf's box
  // large, and its small bodies are better searched for one by one.
  bool gather(std::uint32_t leaf, typename box_tree<D, T>::path path, near_boxes& near) const {
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
    return tree_.visit(tree_.box_of(leaf), path, [&](const std::uint32_t* places, std::size_t count) {
      if (near.size + count > near_boxes::most) return false;
      for (std::size_t k = 0; k < count; ++k) add(places[k]);
      return true;
    });
  }

  void find_together(std::uint32_t leaf, const near_boxes& near, pair_batch& out) const {
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
  void find_one(std::uint32_t p, typename box_tree<D, T>::path& path, pair_batch& out) const {
    path.from[0] = p + 1;
    const volume<D, S> v = volumes_.get(p);
    tree_.visit(tree_.box_of(p), path, [&](const std::uint32_t* places, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) meet(p, v, places[k], out);
      return true;
    });
  }

  void meet(std::uint32_t p, const volume<D, S>& v, std::uint32_t q, pair_batch& out) const {
    ++out.count.tests;
    ++out.count.candidates;
    if (overlap(v, volumes_.get(q), margin_)) out.add(volumes_.row_of(p), volumes_.row_of(q));
  }

  double margin_ = 0;
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

/// The parameters of a plan.
[[nodiscard]] tree_plan tree_plan_of(const plan& asked);

/// The plan with all of these parameters set.
[[nodiscard]] plan with_tree(const plan& asked, const tree_plan& used);

}  // namespace abut
