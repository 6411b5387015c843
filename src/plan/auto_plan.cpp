#include "plan/auto_plan.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

constexpr double other_motion = 1.5;      // plan again if the pace has changed by this factor
constexpr double worth_a_change = 0.9;    // change to a plan that is predicted to take at most this share of the time
constexpr double mean_of_largest = 0.75;  // of the three axes' moves, if each is uniform from 0 to 1
constexpr std::size_t least_watched = 32;
constexpr std::size_t side_by_side = 8;  // watched rows come in runs, which share cache lines
constexpr double fast_widths = 0.25;     // a body that moves by this share of the mean width leaves any list

// Planning for so few bodies takes longer than comparing them all.
constexpr std::size_t very_few = 32;
const plan& plan_for_very_few() {
  static const plan few =
      plan("bounding-volume").because("so few bodies are compared with each other faster than sorted");
  return few;
}

bool differ(double a, double b, double times) { return a > times * b || b > times * a; }

}  // namespace

auto_plan::outline auto_plan::outline_of(const world& w) {
  const measures& m = w.measured();
  outline o{w.dimension(), w.kind(), static_cast<double>(w.size()), m.least_width + w.margin(), 0, 1};
  for (int k = 0; k < w.dimension(); ++k) {
    o.widest = std::max(o.widest, m.widest[k] + w.margin());
    o.volume *= m.upper[k] - m.lower[k];
  }
  return o;
}

bool auto_plan::has_changed(const outline& now) const {
  if (!planned_for_) return true;
  const outline& then = *planned_for_;
  return now.dimension != then.dimension || now.kind != then.kind || differ(now.count, then.count, 2) ||
         differ(now.least, then.least, 2) || differ(now.widest, then.widest, 2) || differ(now.volume, then.volume, 4);
}

void auto_plan::watch(const world& w) {
  const std::size_t wanted = std::clamp<std::size_t>(w.own() / 16, least_watched, 512);
  const std::size_t step = std::max(side_by_side, side_by_side * w.own() / wanted);
  watched_.clear();
  watched_.reserve(wanted + side_by_side);
  for (std::size_t from = 0; from < w.own(); from += step) {
    for (std::size_t i = from; i < std::min(w.own(), from + side_by_side); ++i) {
      watched one{static_cast<row>(i), {}, {}};
      for (int k = 0; k < w.dimension(); ++k) one.place[k] = w.at(k)[i];
      watched_.push_back(one);
    }
  }
}

void auto_plan::observe_motion(const world& now, std::optional<std::span<const row>> map) {
  double sum = 0;
  double slow = 0;
  double along = 0;    // sum of the products of this step and the last
  double squares = 0;  // sum of the means of their squares
  std::size_t still_there = 0;
  for (const watched one : watched_) {
    const row i = map ? (*map)[one.which] : one.which;
    if (i == no_row || i >= now.own()) continue;
    watched& here = watched_[still_there++] = watched{i, {}, {}};
    double move = 0;
    for (int k = 0; k < now.dimension(); ++k) {
      here.place[k] = now.at(k)[i];
      here.step[k] = here.place[k] - one.place[k];
      move = std::max(move, std::abs(here.step[k]));
    }
    if (move > fast_widths * features_.mean) continue;
    slow += 1;
    sum += move;
    for (int k = 0; k < now.dimension(); ++k) {
      along += here.step[k] * one.step[k];
      squares += (here.step[k] * here.step[k] + one.step[k] * one.step[k]) / 2;
    }
  }
  watched_.resize(still_there);
  const auto seen = static_cast<double>(still_there);
  if (seen == 0) return;
  steps_seen_ += 1;
  // Two steps go 2^exponent times as far as one.
  if (steps_seen_ > 1 && squares > 0) {
    features_.exponent = std::clamp(0.5 + 0.5 * std::log2(1 + std::max(0.0, along / squares)), 0.5, 1.0);
  }
  const double mean = slow > 0 ? sum / slow / mean_of_largest : features_.mean;
  // Averaged with the past, because a single step says little about the next.
  features_.move = features_.move ? (*features_.move + mean) / 2 : mean;
  features_.fast = (features_.fast + (1 - slow / seen)) / 2;
}

// Roughly how fast bodies leave a list; negative if unknown.
double auto_plan::pace() const {
  if (!features_.move) return -1;
  const double steps = std::exp2(2 * (features_.exponent - 0.75));
  return *features_.move * steps + (features_.fast + 1e-3) * features_.mean;
}

void auto_plan::choose() {
  planned_pace_ = pace();
  const std::vector<candidate> all = estimate(features_, *calibration_);
  double expected = abut::predicted(plan_, features_, calibration_->constants);
  if (!(all.front().predicted > worth_a_change * expected)) {
    plan_ = all.front().what;
    expected = all.front().predicted;
  }
  predicted_ = std::isfinite(expected) ? std::optional(expected) : std::nullopt;
}

bool auto_plan::stays(const world& now) const { return for_very_few_ && now.size() <= very_few; }

const plan& auto_plan::follow(const world& now, std::optional<std::span<const row>> map) {
  for_very_few_ = now.size() <= very_few;
  if (for_very_few_) {
    planned_for_.reset();
    watched_.clear();
    predicted_.reset();
    return plan_ = plan_for_very_few();
  }
  const outline shape_of_now = outline_of(now);
  if (!calibration_) calibration_ = calibration_in_force();
  if (has_changed(shape_of_now)) {
    const std::optional<double> move = planned_for_ ? features_.move : motion_;
    features_ = features_of(now, move);
    planned_for_ = shape_of_now;
    watched_.clear();
    steps_seen_ = 0;
    plan_ = plan();
    choose();
  } else {
    observe_motion(now, map);
    if (differ(pace(), planned_pace_, other_motion)) choose();
  }
  if (watched_.size() < least_watched) watch(now);
  return plan_;
}

}  // namespace abut
