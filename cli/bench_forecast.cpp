#include "bench_forecast.hpp"

#include <algorithm>

namespace abut::cli {
namespace {

// Rough, for one thread of a common machine; replaced by what is measured within the first step.
constexpr double guessed_seconds_per_body = 150e-9;
constexpr double guessed_seconds_per_comparison = 1e-9;

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

forecast::forecast(std::size_t plans, int steps, int repeats, double least_seconds)
    : costs_(plans + 1), least_seconds_(least_seconds) {
  for (cost& c : costs_) {
    c.updates_left = static_cast<double>(steps) * repeats;
    c.finds_left = static_cast<double>(steps) * (repeats + 1);
  }
  costs_.back().updates_left = steps;
  costs_.back().finds_left = steps;
}

void forecast::guess(std::size_t plan, std::size_t bodies, bool quadratic) {
  const auto n = static_cast<double>(bodies);
  costs_[plan].update = n * guessed_seconds_per_body;
  costs_[plan].find = quadratic ? n * n / 2 * guessed_seconds_per_comparison : n * guessed_seconds_per_body;
}

double forecast::elapsed() const { return seconds(clock::now() - start_); }

double forecast::under_way() const { return present_ == nullptr ? 0 : seconds(clock::now() - pass_start_); }

void forecast::begin(std::size_t plan, pass which) {
  end();
  present_ = &costs_[plan];
  which_ = which;
  pass_start_ = clock::now();
  // What is left is what comes after the present pass.
  double& left = which == pass::update ? present_->updates_left : present_->finds_left;
  left = std::max(0.0, left - 1);
}

void forecast::end() {
  if (present_ == nullptr) return;
  take(under_way());
  present_->found = present_->found || which_ != pass::update;
  present_ = nullptr;
}

void forecast::take(double seconds) { (which_ == pass::update ? present_->update : present_->find) = seconds; }

double forecast::part(double part_of_pass) {
  const double gone = elapsed();
  double left = 0;
  if (present_ != nullptr) {
    // A pass that says how far it is tells what it will take; not quite, for its parts are not equal.
    if (part_of_pass > 0 && !present_->found) take(under_way() / part_of_pass);
    left += std::max(0.0, (which_ == pass::update ? present_->update : present_->find) - under_way());
  }
  for (const cost& c : costs_) left += c.updates_left * c.update + c.finds_left * c.find;
  left = std::max(left, least_seconds_ - gone);
  return left > 0 ? gone / (gone + left) : 1;
}

}  // namespace abut::cli
