// MMR (Munjiza et al. 2006, section 7): MR in steps, for bodies of different sizes.
//
// Idea: bodies are grouped by size: d, d / alpha, d / alpha^2, ... Step n takes the bodies of group n and all smaller
// ones, in cells of group n's size, and finds the pairs of the group with itself and with the smaller ones; then group
// n is removed. So large cells, which a large body needs, do not cause small bodies to be compared.
// Cost: less than n times that of MR (34), and up to n times its memory: all steps keep their lists, so that each list
// is repaired as in MR, and tasks of all steps can run at once. At most 16 steps.
// Wins: if sizes differ by a factor of 2 to 100 or so and bodies move slowly.
// Loses: to methods with levels if most bodies are small, since small bodies are in the lists of all steps.

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "methods/mr/parameters.hpp"
#include "methods/mr/search.hpp"

namespace abut {

namespace {

constexpr std::size_t most_steps = 16;

// Groups (30), numbered without empty ones: step 0 has the largest bodies. If there would be more than 16 groups, alpha
// is squared as often as necessary.
template <int D, shape S>
class size_groups {
 public:
  size_groups(const world& w, double alpha) : per_log_(1 / std::log(alpha)) {
    double farthest = 0;
    for (int k = 0; k < D; ++k) {
      largest_ = std::max(largest_, w.measured().widest[k]);
      farthest = std::max({farthest, std::abs(w.measured().lower[k]), std::abs(w.measured().upper[k])});
    }
    // Cells smaller than the rounding of the coordinates would be useless.
    least_ = std::max(farthest * std::numeric_limits<double>::epsilon(), 1e-300);
    for (row i = 0; i < w.size(); ++i) note(power(w, i) >> doublings_);
    group.resize(w.size());
    widest.resize(powers_.size());
    for (row i = 0; i < w.size(); ++i) {
      const auto found = std::lower_bound(powers_.begin(), powers_.end(), power(w, i) >> doublings_);
      group[i] = static_cast<std::uint8_t>(found - powers_.begin());
      const volume<D, S> v = w.get<D, S>(i);
      for (int k = 0; k < D; ++k) widest[group[i]][k] = std::max(widest[group[i]][k], width(v, k));
    }
    // A step's cells must hold all of its bodies, whatever the rounding of the logarithm.
    for (std::size_t s = widest.size(); s-- > 1;) {
      for (int k = 0; k < D; ++k) widest[s - 1][k] = std::max(widest[s - 1][k], widest[s][k]);
    }
  }

  std::vector<std::uint8_t> group;            ///< of each row
  std::vector<std::array<double, D>> widest;  ///< of each step, on each axis

  [[nodiscard]] bool squared() const { return doublings_ > 0; }

 private:
  static double width(const volume<D, S>& v, int k) {
    if constexpr (S == shape::sphere) {
      return 2 * v.radius;
    } else {
      return v.max[k] - v.min[k];
    }
  }

  // By which power of alpha the largest body is larger than this one.
  [[nodiscard]] std::uint64_t power(const world& w, row i) const {
    const volume<D, S> v = w.get<D, S>(i);
    double most = least_;
    for (int k = 0; k < D; ++k) most = std::max(most, width(v, k));
    const double exact = std::log(largest_ / most) * per_log_;
    return exact > 0 ? static_cast<std::uint64_t>(std::min(exact, 1e18)) : 0;
  }

  void note(std::uint64_t power) {
    const auto place = std::lower_bound(powers_.begin(), powers_.end(), power);
    if (place != powers_.end() && *place == power) return;
    powers_.insert(place, power);
    while (powers_.size() > most_steps) {
      ++doublings_;
      for (std::uint64_t& p : powers_) p /= 2;
      powers_.erase(std::unique(powers_.begin(), powers_.end()), powers_.end());
    }
  }

  double per_log_;
  double largest_ = 0;
  double least_ = 0;
  int doublings_ = 0;
  std::vector<std::uint64_t> powers_;
};

template <int D, shape S, bool Keep>
class mmr final : public method {
 public:
  explicit mmr(plan asked)
      : planned_(std::move(asked)),
        style_{.lists = 2, .quick_sort_only = chosen_in(planned_, "sort", "mr") == "quick"} {
    planned_.set("memory", Keep ? "keep" : "recompute");
    (void)parse_number(chosen_in(planned_, "alpha", "2"), alpha_);
  }

  void update(const world& w, row_map rows) override;

  [[nodiscard]] std::size_t tasks() const override { return tasks_.size(); }

  void find(std::size_t task, pair_batch& out) const override {
    const std::size_t to = task + 1 < tasks_.size() ? tasks_[task + 1] : parts_.size();
    for (std::size_t k = tasks_[task]; k < to; ++k) {
      const auto [step, list, part] = parts_[k];
      if (list == own) {
        mr_find_within<S>(steps_[step], false, own, part, out);
      } else {
        mr_find_between<S>(steps_[step], smaller, part, own, out);
      }
    }
  }

  void find_in(const query& q, row_batch& out) const override {
    for (const auto& step : steps_) mr_find_in<S>(step, own, q, out);
  }

  [[nodiscard]] plan planned() const override { return planned_; }

  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = bytes_of(group_) + bytes_of(parts_) + bytes_of(tasks_);
    for (const auto& step : steps_) sum += step.bytes();
    return sum;
  }

  [[nodiscard]] std::vector<stats::event> events() const override {
    auto sum = earlier_;
    for (const auto& step : steps_) sum += step.done();
    return {{"sorts anew", sum.quick_sorts}, {"far moves", sum.far_moves}};
  }

 private:
  using lists = mr_lists<D, Keep>;
  static constexpr int own = 0;      // the list of the group's bodies
  static constexpr int smaller = 1;  // the list of all smaller bodies

  // A task of one of a step's lists.
  struct part_of_step {
    std::uint32_t step;
    int list;
    std::size_t part;
  };

  void split_tasks();

  plan planned_;
  typename lists::style style_;
  double alpha_ = 2;
  std::vector<std::uint8_t> group_;
  std::vector<lists> steps_;
  std::vector<part_of_step> parts_;
  std::vector<std::size_t> tasks_;   // where each task begins among the parts
  typename lists::tally earlier_{};  // of steps that no longer exist
};

template <int D, shape S, bool Keep>
void mmr<D, S, Keep>::update(const world& w, row_map rows) {
  size_groups<D, S> groups(w, alpha_);
  const std::size_t count = groups.widest.size();
  std::span<const row> map = rows.spelled_out();
  if (count != steps_.size()) map = {};  // the groups have changed, so no list can be kept
  std::vector<mr_frame<D>> frames;
  for (std::size_t s = 0; s < count; ++s) {
    const mr_frame<D> first;
    frames.push_back((s < steps_.size() ? steps_[s].frame() : first).next(w, groups.widest[s].data()));
  }
  for (std::size_t s = count; s < steps_.size(); ++s) earlier_ += steps_[s].done();
  steps_.resize(count, lists(style_));
  const int threads = w.size() < 4096 ? 1 : w.threads();  // for few, waking threads costs more than it saves
  parallel_for(threads, count, [&](std::size_t s) {
    const auto step = static_cast<std::uint8_t>(s);
    steps_[s].update(w, map, std::move(frames[s]), {group_.data(), step}, {groups.group.data(), step});
  });
  group_ = std::move(groups.group);
  split_tasks();
  planned_.because(std::to_string(count) + (count == 1 ? " step" : " steps") + ", one for each group of sizes" +
                   (groups.squared() ? "; with this alpha they would be more than 16, so it is squared" : ""));
}

// Short lists share a task.
template <int D, shape S, bool Keep>
void mmr<D, S, Keep>::split_tasks() {
  parts_.clear();
  tasks_.clear();
  std::size_t stops = lists::stops_per_task;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    for (const int list : {own, smaller}) {
      for (std::size_t t = 0; t < steps_[s].tasks(list); ++t) {
        if (stops >= lists::stops_per_task) {
          tasks_.push_back(parts_.size());
          stops = 0;
        }
        parts_.push_back({static_cast<std::uint32_t>(s), list, t});
        stops += steps_[s].stops_in(list, t);
      }
    }
  }
}

template <int D, shape S>
using mmr_keeping = mmr<D, S, true>;
template <int D, shape S>
using mmr_recomputing = mmr<D, S, false>;

constexpr parameter_info mmr_parameters[] = {
    {.name = "alpha",
     .range = "> 1",
     .default_value = "2",
     .summary = "each group's sizes are this many times those of the next"},
    mr_sort_parameter,
    mr_memory_parameter,
};

}  // namespace

extern const method_entry mmr_entry;
const method_entry mmr_entry{{.name = "mmr",
                              .document = "Munjiza et al. 2006, section 7",
                              .summary = "mr in steps: each group of sizes with all smaller bodies, in its own cells",
                              .suits = "sizes that differ by some 2 to 100, with bodies that move slowly",
                              .cost = "N for each step",
                              .quadratic = false,
                              .parameters = mmr_parameters},
                             true,
                             make_by_memory<mmr_keeping, mmr_recomputing>};

}  // namespace abut
