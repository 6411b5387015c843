// DESS-Rtree (Perkins 1999, 7.1): the R-tree over the ranks of the bodies' ends instead of their coordinates.
//
// Idea: the thesis's future work. DESS's StepInit sorts both ends of every body on each axis, which puts the bodies on
// an integer grid; the tree is built there, and FindNeighbors and FindObjects are those of the R-tree. Comparisons are
// of 32-bit integers, and all axes are equally long and evenly filled, whatever the coordinates are.
// Cost: that of the R-tree, plus sorting 2 N ends per axis, which is linear if little has moved.
// Wins: over dess, in how it grows: N log N.
// Loses: to rtree, since sorting the ends costs more time, and their lists nearly as much memory, as the smaller boxes
// save.

#include "methods/method.hpp"
#include "steps/ranked_ends.hpp"
#include "steps/show_ends.hpp"
#include "tree/search.hpp"

namespace abut {

namespace {

template <int D, shape S>
class dess_rtree final : public method {
 public:
  explicit dess_rtree(const plan& asked)
      : by_insertion_(sorts_by_insertion(asked)), how_(tree_plan_of(asked)), planned_(with_tree(asked, how_)) {
    planned_.set("sort", by_insertion_ ? "insertion" : "heap");
  }

  void update(const world& w, row_map rows) override {
    world_ = &w;
    ends_.update(w, by_insertion_ ? rows.spelled_out() : std::span<const row>{}, by_insertion_);
    search_.build(w, how_, [this](row i, const volume<D, S>&) {
      tree_box<D, std::int32_t> b{};
      for (int k = 0; k < D; ++k) b.lo[k] = ends_.lower_ranks(k)[i], b.hi[k] = ends_.upper_ranks(k)[i];
      return b;
    });
    ends_.release_ranks();
  }

  [[nodiscard]] std::size_t tasks() const override { return search_.tasks(); }
  void find(std::size_t task, pair_batch& out) const override { search_.find(task, out); }

  void find_in(const query& q, row_batch& out) const override {
    tree_box<D, std::int32_t> where{};
    for (int k = 0; k < D; ++k) {
      const auto [above, below] = ends_.ranks_of(*world_, q.bounds(k), k);
      where.lo[k] = above;
      where.hi[k] = below - 1;
    }
    search_.find_in(where, q, out);
  }

  void show(sketcher& out) const override {
    const shown_ends ends(out, true);
    for (int k = 0; k < D; ++k) ends.show(k, ends_.list(k));
    search_.show(out, [&](int k, std::int32_t lo, std::int32_t hi) {
      const end_list& list = ends_.list(k);
      return interval{ends.at(k, list, static_cast<std::size_t>(lo)), ends.at(k, list, static_cast<std::size_t>(hi))};
    });
  }

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return {{"splits", search_.splits()}}; }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return tree_counts; }
  [[nodiscard]] std::vector<stats::event> events() const override { return ends_.events(); }
  [[nodiscard]] std::size_t bytes() const override { return ends_.bytes() + search_.bytes(); }

 private:
  bool by_insertion_;
  tree_plan how_;
  plan planned_;
  const world* world_ = nullptr;
  ranked_ends ends_{D};
  tree_search<D, S, std::int32_t> search_;
};

constexpr parameter_info dess_rtree_parameters[] = {sort_parameter, build_parameter, split_parameter, node_parameter,
                                                    tree_search_parameter};

}  // namespace

extern const method_entry dess_rtree_entry;
const method_entry dess_rtree_entry{{.name = "dess-rtree",
                                     .document = "Perkins 1999, section 7.1",
                                     .summary = "an R-tree over the ranks of the bodies' sorted ends",
                                     .suits = "seeing what ranks do for a tree; rtree is faster",
                                     .cost = "N log N",
                                     .quadratic = false,
                                     .parameters = dess_rtree_parameters},
                                    true,
                                    make_method<dess_rtree>};

}  // namespace abut
