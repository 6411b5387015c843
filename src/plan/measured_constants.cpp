// Calibration: runs every method that has a model on a few samples, and fits the constants to the measured times. A
// model predicts a sum of constants times amounts of work, so this is a linear least-squares problem in the relative
// errors. Times that were taken while the machine was busy with something else are not used: load slows down methods by
// different factors, so they would make the planner choose a wrong one.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "base/text.hpp"
#include "bodies/view.hpp"
#include "methods/method.hpp"
#include "plan/calibration.hpp"
#include "plan/trial.hpp"

namespace abut {

namespace {

// Spheres with diameters from 1.05 / ratio to 1.05 on a lattice, each moved a little, in random order of rows.
class trial_sample {
 public:
  trial_sample(int dimension, std::size_t count, double spacing, double ratio) : dimension_(dimension) {
    trial_random random;
    const auto side = static_cast<std::size_t>(std::ceil(std::pow(static_cast<double>(count), 1.0 / dimension) - 1e-9));
    std::vector<std::size_t> sites(count);
    for (std::size_t k = 0; k < count; ++k) sites[k] = k;
    for (std::size_t k = count; k > 1; --k) std::swap(sites[k - 1], sites[random.next() % k]);
    for (int k = 0; k <= dimension; ++k) columns_[k].reserve(count);
    for (const std::size_t site : sites) {
      const std::size_t step[3] = {site % side, site / side % side, site / side / side};
      for (int k = 0; k < dimension; ++k) {
        columns_[k].push_back(spacing * (static_cast<double>(step[k]) + 0.2 * random.uniform() - 0.1));
      }
      columns_[dimension].push_back(0.525 / std::pow(ratio, random.uniform()));
    }
  }

  [[nodiscard]] bodies view() const { return view_of(shape::sphere, dimension_, columns_); }
  void shift(double by) {
    for (double& x : columns_[0]) x += by;
  }

 private:
  int dimension_;
  column_vectors columns_;
};

// Some work and the time that it took, both per body.
struct observation {
  work done;
  double ns;
};

// The amount of one kind of work, relative to the observed time.
double amount(const observation& o, const cost* what) {
  for (const work_item& item : o.done) {
    if (item.what == what) return item.amount / o.ns;
  }
  return 0;
}

// Fits the constants of the work that was observed. The built-in constants enter as an observation of little weight
// each, so constants that the observations cannot tell apart keep their built-in proportions.
void fit(const std::vector<observation>& seen, cost_constants& c) {
  constexpr double weight = 0.1;
  const cost_constants built_in;
  double logs = 0;
  for (const observation& o : seen) logs += std::log(o.ns / predicted(o.done, built_in));
  const double slower = std::exp(logs / static_cast<double>(seen.size()));  // than built in: the geometric mean
  std::vector<const cost*> used;
  for (const work_item& item : seen.front().done) used.push_back(item.what);
  for (const cost* what : used) c[*what] *= slower;
  const cost_constants before = c;
  for (int round = 0; round < 500; ++round) {  // coordinate descent
    for (const cost* what : used) {
      double& mine = c[*what];
      const double prior = before[*what];
      double above = weight / prior;
      double below = weight / prior / prior;
      for (const observation& o : seen) {
        const double x = amount(o, what);
        above += x * (1 - predicted(o.done, c) / o.ns + x * mine);
        below += x * x;
      }
      mine = std::max(prior / 20, above / below);
    }
  }
}

struct trial {
  trial_sample sample;
  features seen;

  trial(int dimension, std::size_t count, double spacing, double ratio)
      : sample(dimension, count, spacing, ratio), seen(features_of(world(sample.view(), options(), 1), {})) {}
};

// Something to run on one trial, and its least time in each lap: other load on the machine can only add to it.
struct contender {
  trial* where;
  std::function<run_time()> run;
  std::vector<double> laps{};  // ns per body; without laps in which the machine was busy

  [[nodiscard]] double least() const { return *std::min_element(laps.begin(), laps.end()); }
  // How far the two best laps are apart, relative to the best. It is small if the best is no accident.
  [[nodiscard]] double spread() const {
    std::vector<double> sorted = laps;
    std::sort(sorted.begin(), sorted.end());
    return sorted[1] / sorted[0] - 1;
  }
};

constexpr int enough_laps = 3;
constexpr int most_laps = 6;
constexpr int rounds_per_lap = 10;
// With more, the machine was busy. An undisturbed thread waits for a thousandth of its processor time, and three in
// four of its spreads are below 0.07.
constexpr double most_waiting = 0.1;
constexpr double most_spread = 0.1;

// Runs all contenders in turns, the shorter ones more often. So a busy moment of the machine affects all alike, and
// each run finds the caches filled by other work, as it would in a program. Adds a lap to each, unless the thread had
// to wait for the processor; returns whether it did add one.
bool run_lap(std::vector<contender>& all) {
  std::vector<double> least(all.size(), std::numeric_limits<double>::infinity());
  run_time sum;
  for (int round = 0; round < rounds_per_lap; ++round) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto count = static_cast<double>(all[k].where->sample.view().size());
      const int every = count > 100'000 ? rounds_per_lap : count > 5000 ? rounds_per_lap / 2 : 1;
      if (round % every != 0) continue;
      const run_time t = all[k].run();
      least[k] = std::min(least[k], t.processor * 1e9 / count);
      sum.processor += t.processor;
      sum.wall += t.wall;
    }
  }
  const bool clock_too_coarse = *std::min_element(least.begin(), least.end()) <= 0;
  if (clock_too_coarse || sum.wall > (1 + most_waiting) * sum.processor) return false;
  for (std::size_t k = 0; k < all.size(); ++k) all[k].laps.push_back(least[k]);
  return true;
}

// Whether three in four contenders reached their least time twice. Those with few bodies may not, even if nothing
// disturbs them: their time depends on what the others leave in the caches.
bool steady(const std::vector<contender>& all) {
  const auto good = std::count_if(all.begin(), all.end(), [](const contender& c) { return c.spread() <= most_spread; });
  return static_cast<std::size_t>(4 * good) >= 3 * all.size();
}

// Runs laps until enough of them agree; returns whether they do. Gives up as soon as there cannot be enough.
bool run_laps(std::vector<contender>& all) {
  int good = 0;
  for (int lap = 0; lap < most_laps && good + (most_laps - lap) >= enough_laps; ++lap) {
    if (run_lap(all)) ++good;
    if (good >= enough_laps && steady(all)) return true;
  }
  return false;
}

// Fits the models of methods to the times of new searches; returns whether the machine was quiet enough.
bool fit_models(std::vector<trial>& trials, const timer& time, cost_constants& c) {
  constexpr double too_long = 5000;  // ns per body: the planner would not choose the method for such bodies
  std::vector<contender> all;
  std::vector<const cost_model*> of;
  const cost_constants built_in;
  for (const method_entry* entry : method_table()) {
    for (trial& t : trials) {
      if (entry->model == nullptr || predicted(entry->model->of(t.seen), built_in) > too_long) continue;
      all.push_back({&t, [&t, &time, entry] {
                       search s(plan(entry->info.name), {.threads = 1});
                       return time(s, t.sample.view());
                     }});
      of.push_back(entry->model);
    }
  }
  if (!run_laps(all)) return false;
  for (const method_entry* entry : method_table()) {
    std::vector<observation> seen;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (of[k] == entry->model) seen.push_back({of[k]->of(all[k].where->seen), all[k].least()});
    }
    if (!seen.empty()) fit(seen, c);
  }
  return true;
}

// Fits the model of the list to steps in which the list stays valid, and to steps that rebuild it because all bodies
// have moved far; returns whether the machine was quiet enough.
bool fit_list(std::vector<trial>& trials, const timer& time, cost_constants& c) {
  constexpr double distance = 0.25;
  const std::string by = "grid";
  const plan listing("nearest-neighbor distance=" + number_text(distance) + " by=" + by);
  const list_model& model = *entry_named(listing.method()).list;
  std::vector<contender> all;
  for (trial& t : trials) {
    const auto holding = std::make_shared<search>(listing, options{.threads = 1});
    const auto moving = std::make_shared<search>(listing, options{.threads = 1});
    const auto near = std::make_shared<search>(plan(by), options{.margin = distance, .threads = 1});
    (void)time(*holding, t.sample.view());
    const auto shifted = std::make_shared<trial_sample>(t.sample);
    all.push_back({&t, [&t, &time, holding] { return time(*holding, t.sample.view()); }});
    all.push_back({&t, [&t, &time, near] { return time(*near, t.sample.view()); }});
    all.push_back({&t, [&time, shifted, moving] {
                     shifted->shift(100);
                     return time(*moving, shifted->view());
                   }});
  }
  if (!run_laps(all)) return false;
  std::vector<observation> steps;
  std::vector<observation> rebuilds;
  for (std::size_t k = 0; k < all.size(); k += 3) {
    const features& seen = all[k].where->seen;
    steps.push_back({model.of_step(seen, distance), all[k].least()});
    rebuilds.push_back({model.of_rebuild(seen, distance, all[k + 1].least()), all[k + 2].least()});
  }
  fit(steps, c);
  fit(rebuilds, c);
  return true;
}

}  // namespace

run_time timed_run(search& s, const bodies& b) {
  const double start = processor_time(0);
  const double seconds = seconds_of(s, b);
  return {.processor = seconds, .wall = processor_time(0) - start};
}

std::optional<cost_constants> measured_constants(const timer& time) {
  std::vector<trial> trials;
  trials.emplace_back(3, 24, 1, 1);
  trials.emplace_back(3, 200, 1, 1);
  trials.emplace_back(3, 1500, 1, 1);
  trials.emplace_back(3, 16'000, 1, 1);
  trials.emplace_back(3, 16'000, 4, 1);
  trials.emplace_back(2, 16'000, 1, 1);
  trials.emplace_back(3, 16'000, 0.25, 16);
  trials.emplace_back(3, 250'000, 1, 1);
  cost_constants c;
  if (!fit_models(trials, time, c) || !fit_list(trials, time, c)) return {};
  return c;
}

}  // namespace abut
