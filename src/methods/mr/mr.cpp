// MR (Munjiza et al. 2006, sections 2 to 6): Munjiza and Rougier's linear contact detection.
//
// Idea: cells are as large as the largest body; bodies are in a linked list sorted by cell (z, then y, then x). MR sort
// repairs the list after each step in one pass, relying on no body moving by more than a cell; MR search finds
// neighbors with one pointer for each line of neighboring cells. Pointers only move forward, so both are linear,
// however large space is.
// Cost: linear in N, the same at every packing density. 20 bytes per body in 3D, or 8 without the integers (16 or 8 in
// 2D): less than any other method that keeps something.
// Wins: in memory; for bodies of one size that move slowly, in spaces of any extent.
// Loses: to neighboring-cell if there is enough memory, since a list in the order of cells jumps all over memory and is
// sorted on one thread; if sizes differ, since cells are as large as the largest body (see mmr).

#include <string>
#include <utility>

#include "base/text.hpp"
#include "methods/mr/parameters.hpp"
#include "methods/mr/search.hpp"
#include "methods/mr/show.hpp"
#include "steps/cell_size.hpp"

namespace abut {

namespace {

template <int D, shape S, bool Keep>
class mr final : public method {
 public:
  explicit mr(plan asked)
      : planned_(std::move(asked)),
        binary_(chosen_in(planned_, "search", "mr") == "binary"),
        lists_({.quick_sort_only = chosen_in(planned_, "sort", "mr") == "quick", .arrayed = binary_}) {
    planned_.set("memory", Keep ? "keep" : "recompute");
  }

  void update(const world& w, row_map rows) override {
    auto frame = lists_.frame().next(w, w.measured().widest);
    lists_.update(w, rows.spelled_out(), std::move(frame), {}, {});
    planned_.because("cells of " + number_text(rounded_size(lists_.frame().size(0))) +
                     (S == shape::sphere ? ": the largest diameter" : " along x: the largest width") +
                     " and the margin");
  }

  [[nodiscard]] std::size_t tasks() const override { return lists_.tasks(0); }

  void find(std::size_t task, pair_batch& out) const override { mr_find_within<S>(lists_, binary_, 0, task, out); }

  void find_in(const query& q, row_batch& out) const override { mr_find_in<S>(lists_, 0, q, out); }

  void show(sketcher& out) const override {
    mr_show(out, mr_kinds(out), 0, lists_, 0, out.any_chosen() ? mr_compared::before : mr_compared::none);
  }

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::size_t bytes() const override { return lists_.bytes(); }
  [[nodiscard]] std::vector<stats::event> events() const override {
    return {{"sorts anew", lists_.done().quick_sorts}, {"far moves", lists_.done().far_moves}};
  }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return lists_.worked().named(); }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return mr_counts; }

 private:
  plan planned_;
  bool binary_;
  mr_lists<D, Keep> lists_;
};

template <int D, shape S>
using mr_keeping = mr<D, S, true>;
template <int D, shape S>
using mr_recomputing = mr<D, S, false>;

constexpr parameter_info mr_parameters[] = {
    mr_sort_parameter,
    {.name = "search",
     .range = "mr | binary",
     .default_value = "mr",
     .summary = "a pointer for each line of cells, or a binary search (one more integer per body)"},
    mr_memory_parameter,
};

}  // namespace

extern const method_entry mr_entry;
const method_entry mr_entry{{.name = "mr",
                             .document = "Munjiza et al. 2006, sections 2 to 6",
                             .summary = "a list sorted by cell, mended after each step and searched in one pass",
                             .suits = "little memory; bodies of one size that move slowly, at any packing density",
                             .cost = "N",
                             .quadratic = false,
                             .parameters = mr_parameters},
                            true,
                            make_by_memory<mr_keeping, mr_recomputing>};

}  // namespace abut
