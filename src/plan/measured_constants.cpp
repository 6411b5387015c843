// Calibration: runs every method that has a model on a few samples, and fits the constants to the measured times. A
// model predicts a sum of constants times amounts of work, so this is a linear least-squares problem in the relative
// errors.

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

// The time of an update and a search, in ns per body.
double ns_of(search& s, const bodies& b) {
  return seconds_of(s, b) * 1e9 / static_cast<double>(std::max<std::size_t>(1, b.size()));
}

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

// Something to run on one trial, and its least time: other load on the machine can only add to it.
struct contender {
  trial* where;
  std::function<double()> run;
  double least = std::numeric_limits<double>::infinity();  // ns per body
};

// Runs all contenders in turns, the shorter ones more often. So a busy moment of the machine affects all alike, and
// each run finds the caches filled by other work, as it would in a program.
void run_in_turns(std::vector<contender>& all) {
  constexpr int rounds = 30;
  for (int round = 0; round < rounds; ++round) {
    for (contender& c : all) {
      const std::size_t count = c.where->sample.view().size();
      const int every = count > 100'000 ? 10 : count > 5000 ? 6 : 1;
      if (round % every == 0) c.least = std::min(c.least, c.run());
    }
  }
}

// Fits the models of methods to the times of new searches.
void fit_models(std::vector<trial>& trials, cost_constants& c) {
  constexpr double too_long = 5000;  // ns per body: the planner would not choose the method for such bodies
  std::vector<contender> all;
  std::vector<const cost_model*> of;
  const cost_constants built_in;
  for (const method_entry* entry : method_table()) {
    for (trial& t : trials) {
      if (entry->model == nullptr || predicted(entry->model->of(t.seen), built_in) > too_long) continue;
      all.push_back({&t, [&t, entry] {
                       search s(plan(entry->info.name), {.threads = 1});
                       return ns_of(s, t.sample.view());
                     }});
      of.push_back(entry->model);
    }
  }
  run_in_turns(all);
  for (const method_entry* entry : method_table()) {
    std::vector<observation> seen;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (of[k] == entry->model) seen.push_back({of[k]->of(all[k].where->seen), all[k].least});
    }
    if (!seen.empty()) fit(seen, c);
  }
}

// Fits the model of the list to steps in which the list stays valid, and to steps that rebuild it because all bodies
// have moved far.
void fit_list(std::vector<trial>& trials, cost_constants& c) {
  constexpr double distance = 0.25;
  const std::string by = "grid";
  const plan listing("nearest-neighbor distance=" + number_text(distance) + " by=" + by);
  const list_model& model = *entry_named(listing.method()).list;
  std::vector<contender> all;
  for (trial& t : trials) {
    const auto holding = std::make_shared<search>(listing, options{.threads = 1});
    const auto moving = std::make_shared<search>(listing, options{.threads = 1});
    const auto near = std::make_shared<search>(plan(by), options{.margin = distance, .threads = 1});
    (void)ns_of(*holding, t.sample.view());
    const auto shifted = std::make_shared<trial_sample>(t.sample);
    all.push_back({&t, [&t, holding] { return ns_of(*holding, t.sample.view()); }});
    all.push_back({&t, [&t, near] { return ns_of(*near, t.sample.view()); }});
    all.push_back({&t, [shifted, moving] {
                     shifted->shift(100);
                     return ns_of(*moving, shifted->view());
                   }});
  }
  run_in_turns(all);
  std::vector<observation> steps;
  std::vector<observation> rebuilds;
  for (std::size_t k = 0; k < all.size(); k += 3) {
    const features& seen = all[k].where->seen;
    steps.push_back({model.of_step(seen, distance), all[k].least});
    rebuilds.push_back({model.of_rebuild(seen, distance, all[k + 1].least), all[k + 2].least});
  }
  fit(steps, c);
  fit(rebuilds, c);
}

}  // namespace

cost_constants measured_constants() {
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
  fit_models(trials, c);
  fit_list(trials, c);
  return c;
}

}  // namespace abut
