// Compares the planner with the best plan found by trial. On each sample every method runs with the parameters that it
// chooses by itself and with other values, changed one at a time. First each plan runs once, quickly; then the best of
// them and `auto` take turns, several times.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "base/processor_time.hpp"
#include "base/text.hpp"
#include "bench/bench.hpp"
#include "bench/planner.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t most_for_all_pairs = 5000;
constexpr std::size_t finalists = 5;
constexpr double hopeless = 4;             ///< a method this many times slower than the best gets no other parameters
constexpr int settling_steps = 4;          ///< in the quick run
constexpr int final_settling_steps = 100;  ///< a list lasts ten steps or more, and is tuned when it is rebuilt

/// The bodies of a sample, which may move.
class moving_sample {
 public:
  moving_sample(const planner_sample& sample, std::size_t count, std::uint64_t seed)
      : start_(sample.make(count, seed)), now_(start_), random_(seed), straight_(sample.straight), seed_(seed) {
    double sum = 0;
    for (std::size_t i = 0; i < start_.size(); ++i) sum += diameter(i);
    move_ = sample.move * sum / static_cast<double>(std::max<std::size_t>(1, start_.size()));
  }

  [[nodiscard]] std::size_t size() const { return start_.size(); }
  [[nodiscard]] bodies view() const { return now_.view(); }
  [[nodiscard]] bool moves() const { return move_ > 0; }
  void restart() { now_ = start_; }
  void step() {
    if (straight_) random_ = samples::random(seed_);  // the same displacements again
    const auto axes = static_cast<std::size_t>(now_.dimension);
    for (std::size_t k = 0; k < axes; ++k) {
      for (std::size_t i = 0; i < now_.size(); ++i) {
        const double by = random_.uniform(-move_, move_);
        now_.column[k][i] += by;
        if (now_.kind == shape::box) now_.column[axes + k][i] += by;
      }
    }
  }

 private:
  [[nodiscard]] double diameter(std::size_t i) const {
    const auto axes = static_cast<std::size_t>(start_.dimension);
    return start_.kind == shape::sphere ? 2 * start_.column[axes][i] : start_.column[axes][i] - start_.column[0][i];
  }

  samples::set start_;
  samples::set now_;
  samples::random random_;
  double move_ = 0;
  bool straight_;
  std::uint64_t seed_;
};

double seconds_of(search& s, const bodies& b) {
  const double start = processor_time(1);
  s.update(b);
  std::uint64_t sum = 0;
  s.for_each_pair([&](row i, row j) { sum += std::uint64_t{i} ^ j; });
  const double end = processor_time(1);
  [[maybe_unused]] static volatile std::uint64_t sink;
  sink = sum;
  return end - start;
}

/// Times plans in turns, in ns per body: the median of new searches, or, if bodies move, the mean step of lasting ones.
std::vector<double> time_all(const std::vector<plan>& plans, moving_sample& bodies, int settling, int rounds,
                             std::vector<plan>* planned) {
  const options one_thread{.threads = 1};
  std::vector<std::vector<double>> times(plans.size());
  std::vector<std::unique_ptr<search>> living(plans.size());
  bodies.restart();
  const int all = bodies.moves() ? settling + rounds : rounds;
  if (planned != nullptr) planned->resize(plans.size());
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand dice(1);
  for (int round = 0; round < all; ++round) {
    // In random order, because each plan affects the cache and memory of the next.
    std::shuffle(order.begin(), order.end(), dice);
    for (const std::size_t k : order) {
      if (!living[k] || !bodies.moves()) living[k] = std::make_unique<search>(plans[k], one_thread);
      const double seconds = seconds_of(*living[k], bodies.view());
      if (!bodies.moves() || round >= settling) times[k].push_back(seconds);
      if (planned != nullptr && round + 1 == all) (*planned)[k] = living[k]->planned();
      if (!bodies.moves()) living[k].reset();
    }
    if (bodies.moves()) bodies.step();
  }
  std::vector<double> result;
  for (const std::vector<double>& t : times) {
    double value = 0;
    if (bodies.moves()) {
      for (const double seconds : t) value += seconds / static_cast<double>(t.size());
    } else {
      value = spread_of(t).median;
    }
    result.push_back(value * 1e9 / static_cast<double>(std::max<std::size_t>(1, bodies.size())));
  }
  return result;
}

/// Values of a parameter other than the current one.
std::vector<std::string> other_values(const parameter_info& p, std::string_view now) {
  std::vector<std::string> values;
  if (p.range == "another method") {
    for (const char* name : {"grid", "multilevel", "hashing", "neighboring-cell"}) {
      const auto all = methods();
      if (std::any_of(all.begin(), all.end(), [&](const method_info* m) { return m->name == name; })) {
        values.emplace_back(name);
      }
    }
  } else if (p.range.find(" | ") != std::string_view::npos) {
    for (const std::string_view word : split(p.range, " | ")) values.emplace_back(word);
  } else if (const auto number = to_number(now)) {
    for (const double factor : {0.25, 0.5, 0.7, 1.4, 2.0, 4.0}) {
      const double value = *number * factor;
      const bool whole = p.range.starts_with("integer");
      values.push_back(fmt::format("{:.3g}", whole ? std::max(1.0, std::round(value)) : value));
    }
  }
  std::erase(values, now);
  return values;
}

/// The plans that differ from `planned` in one parameter that is not asked for, without those that the method refuses.
std::vector<plan> variants(const plan& asked, const plan& planned) {
  std::vector<plan> all;
  for (const parameter_info& p : method_named(planned.method()).parameters) {
    if (asked.parameter_value(p.name)) continue;
    for (const std::string& value : other_values(p, planned.parameter_value(p.name).value_or(""))) {
      try {
        plan other = asked;
        other.set(p.name, value);
        if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
      } catch (const error&) {  // outside its range
      }
    }
  }
  return all;
}

class trial {
 public:
  trial(moving_sample& bodies, bool quick) : bodies_(bodies), rounds_(quick ? 1 : bodies.moves() ? 8 : 2) {}

  /// Times the plan and returns it with all parameters; returns `auto` if a search refuses it.
  plan run(const plan& p) {
    try {
      std::vector<plan> planned;
      const double time = time_all({p}, bodies_, settling_steps, rounds_, &planned).front();
      const auto slower = [](double t, const tried_plan& other) { return t < other.time; };
      tried_.insert(std::upper_bound(tried_.begin(), tried_.end(), time, slower), {p, time});
      last_ = time;
      return planned.front();
    } catch (const error&) {
      return {};
    }
  }
  [[nodiscard]] bool promising() const { return last_ < hopeless * tried_.front().time; }
  [[nodiscard]] const std::vector<tried_plan>& tried() const { return tried_; }

 private:
  moving_sample& bodies_;
  int rounds_;
  double last_ = 0;
  std::vector<tried_plan> tried_{};  ///< the fastest first
};

/// All methods, the likely fastest first, so that slow ones are soon known to be hopeless.
std::vector<plan> first_plans(std::size_t bodies) {
  std::vector<plan> all;
  for (const method_info* m : methods()) {
    if (!m->quadratic || bodies <= most_for_all_pairs) all.emplace_back(m->name);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

std::vector<tried_plan> try_all(moving_sample& bodies, bool quick,
                                const std::function<void(const std::string&)>& tell) {
  trial all(bodies, quick);
  for (const plan& p : first_plans(bodies.size())) {
    tell(p.text());
    const plan planned = all.run(p);
    if (planned.method() == "auto" || !all.promising()) continue;
    const std::vector<plan> others = variants(p, planned);
    for (const plan& other : others) {
      const plan then = all.run(other);
      // For every method that can build a list, also vary the list's distance.
      if (!other.parameter_value("by") || then.method() == "auto" || !all.promising()) continue;
      for (const plan& further : variants(other, then)) all.run(further);
    }
  }
  return all.tried();
}

/// The median time to plan for the bodies, in ns per body.
double planning_time(const moving_sample& bodies) {
  std::vector<double> times;
  for (int k = 0; k < 11; ++k) {
    const double start = processor_time(1);
    const plan chosen = estimated_plan(bodies.view(), {.threads = 1});
    times.push_back(processor_time(1) - start);
  }
  return spread_of(times).median * 1e9 / static_cast<double>(std::max<std::size_t>(1, bodies.size()));
}

}  // namespace

planner_result try_sample(const planner_sample& sample, std::uint64_t seed, bool quick,
                          const std::function<void(const std::string&)>& tell) {
  const std::size_t count = quick ? std::min<std::size_t>(sample.count, 3000) : sample.count;
  moving_sample bodies(sample, count, seed);
  const std::vector<tried_plan> tried = try_all(bodies, quick, tell);
  std::vector<plan> finals{bodies.moves() ? plan() : estimated_plan(bodies.view(), {.threads = 1})};
  for (std::size_t k = 0; k < std::min(finalists, tried.size()); ++k) finals.push_back(tried[k].what);
  tell("the best of them in turns");
  const int rounds = quick ? 3 : bodies.moves() ? 200 : count > 500'000 ? 9 : count > 10'000 ? 41 : 201;
  std::vector<plan> planned;
  const std::vector<double> times =
      time_all(finals, bodies, quick ? settling_steps : final_settling_steps, rounds, &planned);
  planner_result result{.name = sample.name, .bodies = bodies.size(), .chosen = planned[0], .chosen_time = times[0]};
  result.tried = tried.size();
  result.planning_time = planning_time(bodies);
  const auto best = std::min_element(times.begin() + 1, times.end()) - times.begin();
  result.best = {finals[static_cast<std::size_t>(best)], times[static_cast<std::size_t>(best)]};
  for (std::size_t k = 1; k < finals.size(); ++k) {
    if (finals[k] != result.best.what && times[k] <= 1.1 * result.best.time)
      result.as_good.push_back({finals[k], times[k]});
  }
  return result;
}

}  // namespace abut::cli
