// Pairing (Perkins 1999, 3.2.1): every body with every body of a greater row.
//
// Idea: nothing is computed and nothing is kept; all N (N - 1) / 2 pairs are candidates, and `overlap` decides on each.
// Cost: N^2 / 2 tests, no memory.
// Wins: never, except for a handful of bodies. It is the reference: simple enough to be verified by reading it.
// Loses: to everything else, beyond a few dozen bodies.

#include <utility>

#include "methods/method.hpp"

namespace abut {

namespace {

template <int D, shape S>
class pairing final : public method {
 public:
  explicit pairing(plan asked) : plan_(std::move(asked)) {}

  void update(const world& w, row_map) override { world_ = &w; }

  [[nodiscard]] std::size_t tasks() const override { return (world_->size() + rows_per_task - 1) / rows_per_task; }

  void find(std::size_t task, pair_batch& out) const override {
    const auto n = static_cast<row>(world_->size());
    const auto from = static_cast<row>(task * rows_per_task);
    const auto to = static_cast<row>(std::min<std::size_t>(n, (task + 1) * rows_per_task));
    std::uint64_t tests = 0;
    for (row i = from; i < to; ++i) {
      const volume<D, S> a = world_->get<D, S>(i);
      for (row j = i + 1; j < n; ++j) {
        ++tests;
        if (overlap(a, world_->get<D, S>(j), world_->margin())) out.add(pair{i, j});
      }
    }
    out.count.tests += tests;
    out.count.candidates += tests;
  }

  void find_in(const query& q, row_batch& out) const override {
    for (row i = 0; i < world_->size(); ++i) {
      if (q.touches(world_->get<D, S>(i))) out.add(i);
    }
    out.count.tests += world_->size();
    out.count.candidates += world_->size();
  }

  void show(sketcher& out) const override {
    if (!out.any_chosen()) return;
    const std::uint32_t test = out.kind("test", "the body is compared with every later one");
    for (row j = out.chosen() + 1; j < world_->size(); ++j) {
      out.segment(test, 0, out.chosen(), j, true);
      out.compared(j);
    }
  }

  [[nodiscard]] plan planned() const override { return plan_; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  static constexpr std::size_t rows_per_task = 64;

  plan plan_;
  const world* world_ = nullptr;
};

}  // namespace

extern const method_entry pairing_entry;
const method_entry pairing_entry{{.name = "pairing",
                                  .document = "Perkins 1999, section 3.2.1",
                                  .summary = "every body with every other: all pairs are candidates",
                                  .suits = "a handful of bodies, and checking other methods: it keeps nothing, and "
                                           "reading its code is enough to trust it",
                                  .cost = "N^2",
                                  .quadratic = true,
                                  .parameters = {}},
                                 false,
                                 make_method<pairing>};

}  // namespace abut
