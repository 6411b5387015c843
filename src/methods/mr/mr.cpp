// MR (Munjiza et al. 2006, sections 2 to 6): Munjiza and Rougier's linear contact detection.
//
// Idea: cells as large as the largest body; bodies in a linked list sorted by cell (z, then y, then x). MR sort repairs
// the list after each step in one pass, since no body moves by more than a cell; MR search finds neighbors by one
// pointer for each line of neighboring cells. Pointers only move forward, so both are linear in any extent of space.
// Cost: linear in N, the same at every packing density. 20 bytes a body in 3D, or 8 without the integers (16 or 8 in
// 2D): less than any other method except those that keep nothing.
// Wins: in memory; if bodies of one size move slowly, in spaces of any extent.
// Loses: to neighboring-cell if there is memory enough, as a list in the order of cells jumps all over memory and is
// sorted on one thread. If sizes differ: a cell is as large as the largest body (see mmr).

#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "methods/method.hpp"
#include "methods/mr/search.hpp"
#include "steps/cell_size.hpp"

namespace abut {

namespace {

template <int D, shape S, bool Keep>
class mr final : public method {
 public:
  explicit mr(plan asked)
      : planned_(std::move(asked)),
        binary_(chosen("search", "mr") == "binary"),
        lists_({.quick_sort_only = chosen("sort", "mr") == "quick", .arrayed = binary_}) {
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

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::size_t bytes() const override { return lists_.bytes(); }
  [[nodiscard]] std::vector<stats::event> events() const override {
    return {{"sorts anew", lists_.done().quick_sorts}, {"far moves", lists_.done().far_moves}};
  }

 private:
  // The value of a parameter; the plan in force names it from now on.
  std::string chosen(std::string_view name, std::string_view otherwise) {
    std::string value(planned_.parameter_value(name).value_or(otherwise));
    planned_.set(name, value);
    return value;
  }

  plan planned_;
  bool binary_;
  mr_lists<D, Keep> lists_;
};

template <int D, shape S>
using mr_keeping = mr<D, S, true>;
template <int D, shape S>
using mr_recomputing = mr<D, S, false>;

std::unique_ptr<method> make_mr(const plan& p, shape kind, int dimension) {
  return p.parameter_value("memory") == "recompute" ? make_method<mr_recomputing>(p, kind, dimension)
                                                    : make_method<mr_keeping>(p, kind, dimension);
}

constexpr parameter_info mr_parameters[] = {
    {.name = "sort",
     .range = "mr | quick",
     .default_value = "mr",
     .summary = "mend the list in one pass, or sort it anew at each update"},
    {.name = "search",
     .range = "mr | binary",
     .default_value = "mr",
     .summary = "a pointer for each row of cells, or a binary search (one more integer a body)"},
    {.name = "memory",
     .range = "keep | recompute",
     .default_value = "keep",
     .summary = "keep the integerized coordinates, or compute them whenever they are needed"},
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
                            make_mr};

}  // namespace abut
