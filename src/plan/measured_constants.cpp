// Calibration: every method that has a model is run on a few small samples, and the constants are fitted to the times.
// A model's time is a sum of constants times work, so that this is a problem of least squares, of the relative errors.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "base/processor_time.hpp"
#include "base/text.hpp"
#include "methods/method.hpp"
#include "plan/calibration.hpp"

namespace abut {

namespace {

// A lattice of spacing 1 or more, moved a little, in random order, of bodies with a diameter up to 1.05.
class trial_sample {
 public:
  trial_sample(int dimension, std::size_t count, double spacing, double ratio) : dimension_(dimension) {
    const auto side = static_cast<std::size_t>(std::ceil(std::pow(static_cast<double>(count), 1.0 / dimension) - 1e-9));
    std::vector<std::size_t> sites(count);
    for (std::size_t k = 0; k < count; ++k) sites[k] = k;
    for (std::size_t k = count; k > 1; --k) std::swap(sites[k - 1], sites[next() % k]);
    for (auto& c : columns_) c.reserve(count);
    for (const std::size_t site : sites) {
      const std::size_t step[3] = {site % side, site / side % side, site / side / side};
      for (int k = 0; k < dimension; ++k) {
        columns_[k].push_back(spacing * (static_cast<double>(step[k]) + 0.2 * uniform() - 0.1));
      }
      columns_[3].push_back(0.525 / std::pow(ratio, uniform()));
    }
  }

  [[nodiscard]] bodies view() const {
    return dimension_ == 2 ? spheres(columns_[0], columns_[1], columns_[3])
                           : spheres(columns_[0], columns_[1], columns_[2], columns_[3]);
  }
  void shift(double by) {
    for (double& x : columns_[0]) x += by;
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e37'79b9'7f4a'7c15U);
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9U;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebU;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  int dimension_;
  std::uint64_t state_ = 1;
  std::vector<double> columns_[4];
};

// ns a body of an update and a search.
double time_of(search& s, const bodies& b) {
  const double start = processor_time(1);
  s.update(b);
  std::uint64_t sum = 0;
  s.for_each_pair([&](row i, row j) { sum += std::uint64_t{i} ^ j; });
  const double seconds = processor_time(1) - start;
  [[maybe_unused]] static volatile std::uint64_t sink;
  sink = sum;
  return seconds * 1e9 / static_cast<double>(std::max<std::size_t>(1, b.size()));
}

struct observation {
  work made;
  double ns;
};

double amount(const observation& o, const cost* what) {
  for (const work_item& item : o.made) {
    if (item.what == what) return item.amount / o.ns;
  }
  return 0;
}

// The constants that the observations have work for. What they cannot tell apart stays in proportion to what is built
// in, which enters as an observation of little weight for each constant.
void fit(const std::vector<observation>& seen, cost_constants& c) {
  constexpr double weight = 0.1;
  const cost_constants built_in;
  double speed = 0;  // of this machine, as the geometric mean
  for (const observation& o : seen) speed += std::log(o.ns / predicted(o.made, built_in));
  speed = std::exp(speed / static_cast<double>(seen.size()));
  std::vector<const cost*> used;
  for (const work_item& item : seen.front().made) used.push_back(item.what);
  for (const cost* what : used) c[*what] *= speed;
  const cost_constants before = c;
  for (int round = 0; round < 500; ++round) {  // one constant after the other
    for (const cost* what : used) {
      double& mine = c[*what];
      const double prior = before[*what];
      double above = weight / prior;
      double below = weight / prior / prior;
      for (const observation& o : seen) {
        const double x = amount(o, what);
        above += x * (1 - predicted(o.made, c) / o.ns + x * mine);
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

// What is run on one trial, and the least that it took: what else the machine does only ever adds.
struct contender {
  trial* where;
  std::function<double()> run;
  double least = std::numeric_limits<double>::infinity();
};

// All in turns, so that a busy moment falls on all alike, and each finds the caches as others leave them, as it would
// in a program; the shorter ones more often.
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

// New searches by the methods that have a model.
void fit_models(std::vector<trial>& trials, cost_constants& c) {
  constexpr double too_long = 5000;  // ns a body: this method will not be chosen there
  std::vector<contender> all;
  std::vector<const cost_model*> of;
  const cost_constants built_in;
  for (const method_entry* entry : method_table()) {
    for (trial& t : trials) {
      if (entry->model == nullptr || predicted(entry->model->of(t.seen), built_in) > too_long) continue;
      all.push_back({&t, [&t, entry] {
                       search s(plan(entry->info.name), {.threads = 1});
                       return time_of(s, t.sample.view());
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

// Steps with a list that holds, and steps that rebuild it, because all bodies have been elsewhere.
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
    (void)time_of(*holding, t.sample.view());
    const auto shifted = std::make_shared<trial_sample>(t.sample);
    all.push_back({&t, [&t, holding] { return time_of(*holding, t.sample.view()); }});
    all.push_back({&t, [&t, near] { return time_of(*near, t.sample.view()); }});
    all.push_back({&t, [shifted, moving] {
                     shifted->shift(100);
                     return time_of(*moving, shifted->view());
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
