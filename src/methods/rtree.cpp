// R-tree (Perkins 1999, 4.3.1: RTreeSearch; Guttman 1984): boxes in boxes, in a balanced tree that is built anew at
// each step.
//
// Idea: every body's box lies in a leaf, the leaves' boxes in nodes, up to a root. A body enters at the root with its
// own box and goes down wherever a box meets it. `build=insert` is the thesis's way, one body after the other;
// `build=packed` sorts all bodies into full leaves at once, which is what makes a tree worthwhile.
// Cost: N log N; 88 bytes per sphere in 3D.
// Wins: with many sizes at once, with clusters, and if a few regions are asked of many bodies: there is no cell size to
// choose.
// Loses: to cells, by a factor of 2, if bodies are of similar size; build=insert to nearly everything.

#include "methods/method.hpp"
#include "tree/search.hpp"

namespace abut {

namespace {

template <int D, shape S>
class rtree final : public method {
 public:
  explicit rtree(const plan& asked) : how_(tree_plan_of(asked)), planned_(with_tree(asked, how_)) {}

  void update(const world& w, row_map) override {
    search_.build(w, how_, [&](row, const volume<D, S>& v) {
      tree_box<D, double> b{};
      for (int k = 0; k < D; ++k) {
        const interval t = taken(v, k, w.margin());
        b.lo[k] = t.min;
        b.hi[k] = t.max;
      }
      return b;
    });
  }

  [[nodiscard]] std::size_t tasks() const override { return search_.tasks(); }
  void find(std::size_t task, pair_batch& out) const override { search_.find(task, out); }

  void find_in(const query& q, row_batch& out) const override {
    tree_box<D, double> where{};
    for (int k = 0; k < D; ++k) where.lo[k] = q.bounds(k).min, where.hi[k] = q.bounds(k).max;
    search_.find_in(where, q, out);
  }

  void show(sketcher& out) const override {
    search_.show(out, [](int, double lo, double hi) { return interval{lo, hi}; });
  }

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return {{"splits", search_.splits()}}; }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return tree_counts; }
  [[nodiscard]] std::size_t bytes() const override { return search_.bytes(); }

 private:
  tree_plan how_;
  plan planned_;
  tree_search<D, S, double> search_;
};

constexpr parameter_info rtree_parameters[] = {build_parameter, split_parameter, node_parameter, tree_search_parameter};

}  // namespace

extern const method_entry rtree_entry;
const method_entry rtree_entry{
    {.name = "rtree",
     .document = "Perkins 1999, section 4.3.1",
     .summary = "a balanced tree of boxes in boxes, searched from the root with each body's box",
     .suits = "many sizes at once; many searches of regions",
     .cost = "N log N",
     .quadratic = false,
     .parameters = rtree_parameters},
    false,
    make_method<rtree>};

}  // namespace abut
