// DESS, double-ended spatial sorting (Perkins 1999, 5.1): both ends of every body in one sorted list per axis.
//
// Idea: the lists turn coordinates into ranks, and from there on only integers are compared. One axis is the master: in
// its list, between a body's lower end and its upper end, stand the lower ends of all bodies that overlap it there and
// begin after it (cases 8B, 9B, 10A, 11A and 14B to 17A of the thesis); their ranks on the other axes decide. The ranks
// are laid out in the order of the master list, so that the search reads consecutive memory.
// Cost: N^(2 - 1/D) comparisons of ranks: N^1.5 in 2D, N^(5/3) in 3D; about 90 bytes per sphere. Sorting: N log N
// (heap, DESS), or N if little has moved (insertion, DESS2, which falls back to counting if much has).
// Wins: up to some thousand bodies of any sizes, since a giant costs no more than its contacts; thin or long sets of
// any size, since the axis with the least to search is taken as the master.
// Loses: with many bodies, since the range on the master axis keeps growing.

#include <string>
#include <utility>

#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "steps/rank_scan.hpp"
#include "steps/ranked_ends.hpp"
#include "steps/show_ends.hpp"
#include "steps/taken.hpp"

namespace abut {

namespace {

template <int D, shape S>
class dess final : public method {
 public:
  explicit dess(plan asked) : by_insertion_(sorts_by_insertion(asked)), plan_(std::move(asked)) {
    plan_.set("sort", by_insertion_ ? "insertion" : "heap");
  }

  void update(const world& w, row_map rows) override {
    world_ = &w;
    ends_.update(w, by_insertion_ ? rows.spelled_out() : std::span<const row>{}, by_insertion_);
    choose_master();
    lay_out();
    ends_.release_ranks();
  }

  [[nodiscard]] std::size_t tasks() const override {
    return (volumes_.size() + targets_per_task - 1) / targets_per_task;
  }

  void find(std::size_t task, pair_batch& out) const override {
    const std::size_t to = std::min(volumes_.size(), (task + 1) * targets_per_task);
    const double margin = world_->margin();
    rank_scan<D - 1> scan = on_other_axes();
    std::uint64_t tests = 0;
    for (std::size_t p = task * targets_per_task; p < to; ++p) {
      for (int k = 1; k < D; ++k) {
        scan.below[k - 1] = upper_[k][p];
        scan.above[k - 1] = lower_[k][p];
      }
      scan.run(p + 1, static_cast<std::size_t>(last_[p]), [&](std::size_t q) {
        ++tests;
        if (overlap(volumes_.get(p), volumes_.get(q), margin)) out.add(volumes_.row_of(p), volumes_.row_of(q));
      });
    }
    out.count.tests += tests;
    out.count.candidates += tests;
    // In a loop of its own, which leaves the registers to the other.
    for (std::size_t p = task * targets_per_task; p < to; ++p) {
      out.count.named[0] += static_cast<std::size_t>(last_[p]) - (p + 1);
    }
  }

  // The thesis searches the master list from the bottom, since a body that surrounds the region has no end within it.
  // Ours starts at the first body that reaches the region.
  void find_in(const query& q, row_batch& out) const override {
    rank_scan<D - 1> scan = on_other_axes();
    for (int k = 1; k < D; ++k) {
      const auto [above, below] = ends_.ranks_of(*world_, q.bounds(axis(k)), axis(k));
      scan.above[k - 1] = above;
      scan.below[k - 1] = below;
    }
    const auto ranks = ends_.ranks_of(*world_, q.bounds(master_), master_);
    const std::int32_t above = ranks[0];
    const std::int32_t below = ranks[1];
    const auto from = std::lower_bound(reached_.begin(), reached_.end(), above) - reached_.begin();
    const auto to = std::lower_bound(lower_[0].begin(), lower_[0].end(), below) - lower_[0].begin();
    std::uint64_t tests = 0;
    if (from < to) {
      out.count.named[0] += static_cast<std::uint64_t>(to - from);
      scan.run(static_cast<std::size_t>(from), static_cast<std::size_t>(to), [&](std::size_t p) {
        if (upper_[0][p] < above) return;
        ++tests;
        if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
      });
    }
    out.count.tests += tests;
    out.count.candidates += tests;
  }

  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override { return plan_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return ends_.events(); }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return {ends_.swaps()}; }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return rank_counts; }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = ends_.bytes() + volumes_.bytes() + bytes_of(last_) + bytes_of(reached_);
    for (int k = 0; k < D; ++k) sum += bytes_of(lower_[k]) + bytes_of(upper_[k]);
    return sum;
  }

 private:
  static constexpr std::size_t targets_per_task = 512;

  // The axes in order, the master first.
  [[nodiscard]] int axis(int k) const { return (master_ + k) % D; }

  [[nodiscard]] rank_scan<D - 1> on_other_axes() const {
    rank_scan<D - 1> scan{};
    for (int k = 1; k < D; ++k) {
      scan.low[k - 1] = lower_[k].data();
      scan.high[k - 1] = upper_[k].data();
    }
    return scan;
  }

  void choose_master();
  void lay_out();

  bool by_insertion_;
  plan plan_;
  const world* world_ = nullptr;
  int master_ = 0;
  ranked_ends ends_{D};
  // By place, that is, in the order of the master's lower ends; [k] is for `axis(k)`:
  packed_volumes<D, S> volumes_;
  std::vector<std::int32_t> lower_[D];
  std::vector<std::int32_t> upper_[D];
  std::vector<std::int32_t> last_;     // the place after the last lower end that comes before this body's upper end
  std::vector<std::int32_t> reached_;  // the highest upper rank on the master axis, of this place and all before it
};

template <int D, shape S>
void dess<D, S>::choose_master() {
  master_ = ends_.sparsest_axis();
  const double each = static_cast<double>(ends_.axis_neighbors(master_)) /
                      static_cast<double>(std::max<std::size_t>(1, world_->size()));
  plan_.because(std::string("the master axis is ") + "xyz"[master_] +
                ", with the fewest axis neighbors: " + tenths(each) + " per body");
}

template <int D, shape S>
void dess<D, S>::lay_out() {
  const std::size_t n = world_->size();
  std::vector<row> order;
  order.reserve(n);
  std::vector<std::int32_t> place(n);
  last_.resize(n);
  for (const std::uint32_t what : ends_.list(master_).entries()) {
    const row i = end_point::row_of(what);
    if (end_point::is_upper(what)) {
      last_[static_cast<std::size_t>(place[i])] = static_cast<std::int32_t>(order.size());
    } else {
      place[i] = static_cast<std::int32_t>(order.size());
      order.push_back(i);
    }
  }
  volumes_.fill(*world_, order);
  parallel_for(world_->threads(), D, [&](std::size_t k) {
    const int a = axis(static_cast<int>(k));
    lower_[k].resize(n);
    upper_[k].resize(n);
    for (std::size_t p = 0; p < n; ++p) {
      lower_[k][p] = ends_.lower_ranks(a)[order[p]];
      upper_[k][p] = ends_.upper_ranks(a)[order[p]];
    }
  });
  reached_.resize(n);
  std::int32_t highest = -1;
  for (std::size_t p = 0; p < n; ++p) reached_[p] = highest = std::max(highest, upper_[0][p]);
}

template <int D, shape S>
void dess<D, S>::show(sketcher& out) const {
  const shown_ends ends(out, true);
  const std::size_t p = out.any_chosen() ? volumes_.place_of(out.chosen()) : 0;
  for (int k = 0; k < D; ++k) {
    const auto from = out.any_chosen() ? static_cast<std::size_t>(lower_[k][p]) : 0;
    const auto to = out.any_chosen() ? static_cast<std::size_t>(upper_[k][p]) + 1 : 0;
    ends.show(axis(k), ends_.list(axis(k)), from, to);
  }
  if (!out.any_chosen()) return;
  sketcher::sides stretch = out.bounds();
  stretch[static_cast<std::size_t>(master_)] = taken(volumes_.get(p), master_, world_->margin());
  out.box(out.kind("stretch", "between the body's ends on the master axis: what begins here is compared by rank"), 0,
          stretch, true);
  rank_scan<D - 1> scan = on_other_axes();
  for (int k = 1; k < D; ++k) {
    scan.below[k - 1] = upper_[k][p];
    scan.above[k - 1] = lower_[k][p];
  }
  scan.run(p + 1, static_cast<std::size_t>(last_[p]), [&](std::size_t q) { out.compared(volumes_.row_of(q)); });
}

constexpr parameter_info dess_parameters[] = {sort_parameter};

}  // namespace

extern const method_entry dess_entry;
const method_entry dess_entry{{.name = "dess",
                               .document = "Perkins 1999, section 5.1",
                               .summary = "sorts both ends of every body on each axis and compares their ranks",
                               .suits = "up to some thousand bodies of any sizes, and thin or long sets of any number",
                               .cost = "N^1.5 in 2D, N^1.67 in 3D",
                               .quadratic = false,
                               .parameters = dess_parameters},
                              true,
                              make_method<dess>};

}  // namespace abut
