// MMR (Munjiza et al. 2006, section 7): MR in steps, for bodies of different sizes.
//
// Idea: bodies are grouped by size: d, d / alpha, d / alpha^2, ... Step n takes the bodies of group n and all smaller
// ones, in cells of group n's size, and finds the pairs of the group with itself and with the smaller ones; then group
// n is removed. So large cells, which a large body needs, do not cause small bodies to be compared.
// Cost: less than n times that of MR (34), and up to n times its memory: all steps keep their lists, so that each list
// is repaired as in MR, and tasks of all steps can run at once. At most 16 steps, unless more are asked for.
// `memory=one-list` is the paper's: one list with the memory of MR (35), step after step.
// Wins: if sizes differ by a factor of 2 to 100 or so and bodies move slowly.
// Loses: to methods with levels if most bodies are small, since small bodies are in the lists of all steps.

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "methods/mr/parameters.hpp"
#include "methods/mr/search.hpp"
#include "methods/mr/show.hpp"

namespace abut {

namespace {

// How many steps there may be, and which sizes belong to each.
struct step_plan {
  std::size_t most;
  std::optional<double> alpha;

  // From a plan; sets what it leaves open.
  step_plan(plan& p, std::string_view otherwise) {
    double number = 0;
    if (p.parameter_value("alpha") || !p.parameter_value("steps")) {
      (void)parse_number(chosen_in(p, "alpha", "2"), number);
      alpha = number;
    }
    (void)parse_number(chosen_in(p, "steps", otherwise), number);
    most = static_cast<std::size_t>(number);
  }
  // (31): without an alpha of its own, the number of steps decides, d_max / d_min = alpha^n. With room for rounding, so
  // that the smallest bodies are in the last group.
  [[nodiscard]] double alpha_for(double ratio) const {
    constexpr double room = 1 + 1e-9;
    return alpha ? *alpha : std::pow(std::clamp(ratio, 1.0, 1e300), 1 / static_cast<double>(most)) * room;
  }
};

// Groups (30), numbered without empty ones: step 0 has the largest bodies. If there would be more groups than allowed,
// alpha is squared as often as necessary.
template <int D, shape S>
class size_groups {
 public:
  // With a group for each row, or with only what a step needs to recognize its bodies.
  enum class keep : std::uint8_t { rows, bounds };

  size_groups(const world& w, const step_plan& steps, keep what) : most_(steps.most), derived_(!steps.alpha) {
    double farthest = 0;
    for (int k = 0; k < D; ++k) {
      largest_ = std::max(largest_, w.measured().widest[k]);
      farthest = std::max({farthest, std::abs(w.measured().lower[k]), std::abs(w.measured().upper[k])});
    }
    // Cells smaller than the rounding of the coordinates would be useless.
    least_ = std::max(farthest * std::numeric_limits<double>::epsilon(), 1e-300);
    alpha_ = steps.alpha_for(largest_ / std::max(w.measured().least_width, least_));
    per_log_ = 1 / std::log(alpha_);
    for (row i = 0; i < w.size(); ++i) note(power(w, i) >> doublings_);
    if (what == keep::rows) group.resize(w.size());
    widest.resize(powers_.size());
    least.resize(powers_.size(), std::numeric_limits<double>::infinity());
    for (row i = 0; i < w.size(); ++i) {
      const auto found = std::lower_bound(powers_.begin(), powers_.end(), power(w, i) >> doublings_);
      const auto g = static_cast<std::size_t>(found - powers_.begin());
      if (what == keep::rows) group[i] = static_cast<std::uint8_t>(g);
      const volume<D, S> v = w.get<D, S>(i);
      for (int k = 0; k < D; ++k) widest[g][k] = std::max(widest[g][k], width(v, k));
      least[g] = std::min(least[g], size(v));
    }
    // A step's cells must hold all of its bodies, whatever the rounding of the logarithm.
    for (std::size_t s = widest.size(); s-- > 1;) {
      for (int k = 0; k < D; ++k) widest[s - 1][k] = std::max(widest[s - 1][k], widest[s][k]);
    }
  }

  std::vector<std::uint8_t> group;            ///< of each row
  std::vector<std::array<double, D>> widest;  ///< of each step, on each axis
  std::vector<double> least;                  ///< the size of the smallest body of each step

  /// Sets the parameters that describe the groups, and the reason for them.
  void tell(plan& p) const {
    const std::size_t count = widest.size();
    std::string text = std::to_string(count) + (count == 1 ? " step" : " steps") + ", one for each group of sizes";
    if (doublings_ > 0) {
      text += "; with this alpha they would be more than " + std::to_string(most_) + ", so it is squared";
    }
    if (derived_) p.set("alpha", number_text(alpha_));
    p.because(text);
  }

  /// A body's size: its width on the axis where it is widest.
  static double size(const volume<D, S>& v) {
    double most = 0;
    for (int k = 0; k < D; ++k) most = std::max(most, width(v, k));
    return most;
  }

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
    const double exact = std::log(largest_ / std::max(size(w.get<D, S>(i)), least_)) * per_log_;
    return exact > 0 ? static_cast<std::uint64_t>(std::min(exact, 1e18)) : 0;
  }

  void note(std::uint64_t power) {
    const auto place = std::lower_bound(powers_.begin(), powers_.end(), power);
    if (place != powers_.end() && *place == power) return;
    powers_.insert(place, power);
    while (powers_.size() > most_) {
      ++doublings_;
      for (std::uint64_t& p : powers_) p /= 2;
      powers_.erase(std::unique(powers_.begin(), powers_.end()), powers_.end());
    }
  }

  std::size_t most_;
  bool derived_;  // alpha follows from the number of steps
  double alpha_ = 0;
  double per_log_ = 0;
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
        style_{.lists = 2, .quick_sort_only = chosen_in(planned_, "sort", "mr") == "quick"},
        wanted_(planned_, "16") {
    planned_.set("memory", Keep ? "keep" : "recompute");
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

  // The smaller bodies of a step are shown in the steps of their own groups.
  void show(sketcher& out) const override {
    const mr_kinds kinds(out);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const std::size_t group = out.any_chosen() ? group_[out.chosen()] : 0;
      const mr_compared which = !out.any_chosen() || s > group ? mr_compared::none
                                : s < group                    ? mr_compared::all
                                                               : mr_compared::before;
      mr_show(out, kinds, static_cast<std::uint32_t>(s), steps_[s], own, which);
    }
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
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    typename lists::work sum;
    for (const auto& step : steps_) sum += step.worked();
    auto all = sum.named();
    all.push_back({"steps", steps_.size()});
    return all;
  }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return mr_counts; }

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
  step_plan wanted_;
  std::vector<std::uint8_t> group_;
  std::vector<lists> steps_;
  std::vector<part_of_step> parts_;
  std::vector<std::size_t> tasks_;   // where each task begins among the parts
  typename lists::tally earlier_{};  // of steps that no longer exist
};

template <int D, shape S, bool Keep>
void mmr<D, S, Keep>::update(const world& w, row_map rows) {
  size_groups<D, S> groups(w, wanted_, size_groups<D, S>::keep::rows);
  const std::size_t count = groups.widest.size();
  std::span<const row> map = rows.spelled_out();
  if (count != steps_.size()) map = {};  // the groups have changed, so no list can be kept
  std::vector<mr_frame<D>> frames;
  for (std::size_t s = 0; s < count; ++s) {
    const mr_frame<D> first;
    frames.push_back((s < steps_.size() ? steps_[s].frame() : first).next(w, groups.widest[s].data()));
  }
  for (std::size_t s = count; s < steps_.size(); ++s) earlier_ += steps_[s].done();
  while (steps_.size() > count) steps_.pop_back();
  while (steps_.size() < count) steps_.emplace_back(style_);
  const int threads = w.size() < 4096 ? 1 : w.threads();  // for few, waking threads costs more than it saves
  parallel_for(threads, count, [&](std::size_t s) {
    const auto step = static_cast<std::uint8_t>(s);
    steps_[s].update(w, map, std::move(frames[s]), {group_.data(), step}, {groups.group.data(), step});
  });
  group_ = std::move(groups.group);
  split_tasks();
  groups.tell(planned_);
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

// As in the paper: one list of all bodies. A search takes it through the steps one after the other. In step n it holds
// the bodies of group n and all smaller ones, sorted by the cells of that step; then group n is removed. So it takes
// the memory of MR (35), and later steps cost only what remains. There is one task.
template <int D, shape S>
class mmr_one_list final : public method {
 public:
  explicit mmr_one_list(plan asked)
      : planned_(std::move(asked)),
        list_({.spare_heads = 1, .quick_sort_only = chosen_in(planned_, "sort", "mr") == "quick"}),
        wanted_(planned_, "250") {
    planned_.set("memory", "one-list");
  }

  void update(const world& w, row_map rows) override {
    size_groups<D, S> groups(w, wanted_, size_groups<D, S>::keep::bounds);
    list_.update(w, rows.spelled_out(), list_.frame().next(w, w.measured().widest), {}, {});
    groups.tell(planned_);
    widest_ = std::move(groups.widest);
    least_ = std::move(groups.least);
  }

  [[nodiscard]] std::size_t tasks() const override { return widest_.empty() ? 0 : 1; }

  void find(std::size_t, pair_batch& out) const override;

  // Step after step, as a search takes the list.
  void show(sketcher& out) const override;

  // In the cells of the first step.
  void find_in(const query& q, row_batch& out) const override { mr_find_in<S>(list_, own, q, out); }

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::size_t bytes() const override { return list_.bytes() + bytes_of(widest_) + bytes_of(least_); }
  [[nodiscard]] std::vector<stats::event> events() const override {
    return {{"sorts anew", list_.done().quick_sorts}, {"far moves", list_.done().far_moves}};
  }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    auto all = list_.worked().named();
    all.push_back({"steps", widest_.size()});
    return all;
  }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return counted_names; }

 private:
  using lists = mr_lists<D, false>;
  static constexpr int own = 0;
  static constexpr int smaller = 1;
  static constexpr std::string_view counted_names[] = {"pointer steps", "bodies in all steps",
                                                       "quick sort steps in the search"};

  // The links to previous bodies, which only sorting needs: later steps use them instead. If they are in use already,
  // by a search whose function has begun another one, the steps take nodes of their own.
  class links_lent {
   public:
    explicit links_lent(const mmr_one_list& of) : of_(of), lent_(!of.lent_.exchange(true)) {}
    ~links_lent() {
      if (!lent_) return;
      of_.list_.mend();
      of_.lent_ = false;
    }
    links_lent(const links_lent&) = delete;
    links_lent& operator=(const links_lent&) = delete;

    [[nodiscard]] bool lent() const { return lent_; }

   private:
    const mmr_one_list& of_;
    bool lent_;
  };

  plan planned_;
  lists list_;
  mutable std::atomic<bool> lent_{false};
  step_plan wanted_;
  std::vector<std::array<double, D>> widest_;  // of each step's bodies, on each axis
  std::vector<double> least_;                  // the size of the smallest body of each step's group
};

template <int D, shape S>
void mmr_one_list<D, S>::show(sketcher& out) const {
  const mr_kinds kinds(out);
  if (widest_.empty()) return;
  const world& w = list_.of();
  std::size_t step = 0;
  const auto in_group = [&](row i) { return size_groups<D, S>::size(w.get<D, S>(i)) >= least_[step]; };
  bool waits = out.any_chosen();  // whether the chosen body is still in the list
  for (lists rest = list_.remaining(false, in_group);;
       rest.narrow(mr_frame<D>().next(w, widest_[step].data()), in_group)) {
    const bool here = waits && in_group(out.chosen());
    const mr_compared which = here ? mr_compared::before : waits ? mr_compared::all : mr_compared::none;
    mr_show(out, kinds, static_cast<std::uint32_t>(step), rest, own, which);
    waits = waits && !here;
    if (rest.empty(smaller)) break;
    ++step;
  }
}

template <int D, shape S>
void mmr_one_list<D, S>::find(std::size_t, pair_batch& out) const {
  const world& w = list_.of();
  std::size_t step = 0;
  std::uint64_t remaining = 0;
  const auto in_group = [&](row i) {
    ++remaining;
    return size_groups<D, S>::size(w.get<D, S>(i)) >= least_[step];  // larger ones have been removed
  };
  const links_lent links(*this);
  lists rest = list_.remaining(links.lent(), in_group);
  while (true) {
    if (!rest.empty(own)) mr_find_within<S>(rest, false, own, 0, out);
    if (rest.empty(smaller)) break;
    if (!rest.empty(own)) mr_find_between<S>(rest, smaller, 0, own, out);
    ++step;
    rest.narrow(mr_frame<D>().next(w, widest_[step].data()), in_group);
  }
  out.count.named[1] += remaining;
  out.count.named[2] += rest.worked().quick_steps;
}

template <int D, shape S>
using mmr_keeping = mmr<D, S, true>;
template <int D, shape S>
using mmr_recomputing = mmr<D, S, false>;

constexpr parameter_info mmr_parameters[] = {
    {.name = "alpha",
     .range = "> 1",
     .default_value = "2; if steps are given, what divides the sizes into them",
     .summary = "each group's sizes are this many times those of the next"},
    {.name = "steps",
     .range = "integer 1 to 250",
     .default_value = "16, with memory=one-list 250",
     .summary = "the most steps; without alpha, sizes are divided into this many groups"},
    mr_sort_parameter,
    {.name = "memory",
     .range = "keep | recompute | one-list",
     .default_value = "keep",
     .summary = "keep the integerized coordinates, recompute them, or take one list through all steps as in the paper"},
};

std::unique_ptr<method> make_mmr(const plan& p, shape kind, int dimension) {
  if (p.parameter_value("memory") == "one-list") return make_method<mmr_one_list>(p, kind, dimension);
  return make_by_memory<mmr_keeping, mmr_recomputing>(p, kind, dimension);
}

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
                             make_mmr};

}  // namespace abut
