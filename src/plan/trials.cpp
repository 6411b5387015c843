#include <algorithm>
#include <limits>
#include <memory>

#include "bodies/view.hpp"
#include "plan/planner.hpp"
#include "plan/trial.hpp"

namespace abut {

namespace {

constexpr int least_rounds = 3;
constexpr int most_rounds = 9;
constexpr double enough_seconds = 1;
constexpr int first_steps = 3;  // not counted: a method that keeps state needs them to settle
constexpr int steps = 24;

// A copy of the bodies that moves in random steps, the same ones in every trial; fixed bodies stay where they are.
class walkers {
 public:
  walkers(const bodies& b, double move) : like_(b), move_(move), columns_(copied_columns(b)) {}

  [[nodiscard]] bodies view() const {
    bodies now = view_of(like_.kind(), like_.dimension(), columns_);
    if (like_.fixed().given()) now = now.fixed(like_.fixed());
    if (like_.group().given()) now = now.group(like_.group());
    if (like_.category().given()) now = now.mask(like_.category(), like_.collides());
    return now;
  }

  void step() {
    const int d = like_.dimension();
    for (std::size_t i = 0; i < like_.size(); ++i) {
      if (like_.fixed().given() && like_.fixed()[i]) continue;
      for (int k = 0; k < d; ++k) {
        const double by = move_ * (2 * random_.uniform() - 1);
        columns_[k][i] += by;
        if (like_.kind() == shape::box) columns_[d + k][i] += by;
      }
    }
  }

 private:
  bodies like_;
  double move_;
  column_vectors columns_;
  trial_random random_;
};

// The time of a new search for each plan, in seconds: the least of several runs, because other load can only add to it.
std::vector<double> try_still(const std::vector<candidate>& plans, const bodies& b, const options& o) {
  std::vector<double> least(plans.size(), std::numeric_limits<double>::infinity());
  const double start = processor_time(0);
  for (int round = 0; round < most_rounds; ++round) {
    if (round >= least_rounds && processor_time(0) - start > enough_seconds) break;
    for (std::size_t k = 0; k < plans.size(); ++k) {
      search s(plans[k].what, o);
      least[k] = std::min(least[k], seconds_of(s, b));
    }
  }
  return least;
}

// The mean time of a step for each plan, in seconds, rebuilds included.
std::vector<double> try_moving(const std::vector<candidate>& plans, const bodies& b, const options& o) {
  std::vector<double> sum(plans.size(), 0);
  std::vector<std::unique_ptr<search>> searches;
  searches.reserve(plans.size());
  for (const candidate& c : plans) searches.push_back(std::make_unique<search>(c.what, o));
  walkers now(b, *o.motion);
  for (int step = 0; step < first_steps + steps; ++step) {
    for (std::size_t k = 0; k < plans.size(); ++k) {
      const double seconds = seconds_of(*searches[k], now.view());
      if (step >= first_steps) sum[k] += seconds / steps;
    }
    now.step();
  }
  return sum;
}

}  // namespace

void try_out(std::vector<candidate>& plans, const bodies& b, const options& o) {
  options quiet = o;
  quiet.progress = {};
  const std::vector<double> seconds = o.motion ? try_moving(plans, b, quiet) : try_still(plans, b, quiet);
  const auto n = static_cast<double>(std::max<std::size_t>(1, b.size()));
  for (std::size_t k = 0; k < plans.size(); ++k) plans[k].measured = seconds[k] * 1e9 / n;
}

}  // namespace abut
