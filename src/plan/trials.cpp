#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "base/processor_time.hpp"
#include "plan/planner.hpp"

namespace abut {

namespace {

constexpr int least_rounds = 3;
constexpr int most_rounds = 9;
constexpr double enough_seconds = 1;
constexpr int first_steps = 3;  // until a method that keeps state has settled
constexpr int steps = 24;

// A copy of the bodies that walks at random, the same way each time.
class walkers {
 public:
  walkers(const bodies& b, double move) : like_(b), move_(move) {
    for (int k = 0; k < b.columns(); ++k) {
      columns_[k].resize(b.size());
      if (b.size() > 0) b.at(k).read(0, b.size(), columns_[k].data());
    }
  }

  [[nodiscard]] bodies view() const {
    const auto& c = columns_;
    const bodies now = like_.kind() == shape::sphere
                           ? (like_.dimension() == 2 ? spheres(c[0], c[1], c[2]) : spheres(c[0], c[1], c[2], c[3]))
                       : like_.dimension() == 2 ? boxes(c[0], c[2], c[1], c[3])
                                                : boxes(c[0], c[3], c[1], c[4], c[2], c[5]);
    return like_.fixed().given() ? now.fixed(like_.fixed()) : now;
  }

  void step() {
    const int d = like_.dimension();
    for (std::size_t i = 0; i < like_.size(); ++i) {
      if (like_.fixed().given() && like_.fixed()[i]) continue;
      for (int k = 0; k < d; ++k) {
        const double by = move_ * (2 * uniform() - 1);
        columns_[k][i] += by;
        if (like_.kind() == shape::box) columns_[d + k][i] += by;
      }
    }
  }

 private:
  double uniform() {
    state_ = state_ * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

  bodies like_;
  double move_;
  std::uint64_t state_ = 1;
  std::array<std::vector<double>, 6> columns_;
};

double seconds_of(search& s, const bodies& b) {
  const double start = processor_time(s.threads());
  s.update(b);
  std::uint64_t sum = 0;
  s.for_each_pair([&](row i, row j) { sum += std::uint64_t{i} ^ j; });
  [[maybe_unused]] static thread_local volatile std::uint64_t sink;
  sink = sum;
  return processor_time(s.threads()) - start;
}

// New searches for bodies as they are; the least time, since what else the machine does only ever adds.
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

// The mean of a step, rebuilds and all.
std::vector<double> try_moving(const std::vector<candidate>& plans, const bodies& b, const options& o) {
  std::vector<double> sum(plans.size(), 0);
  std::vector<std::unique_ptr<search>> searches;
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
