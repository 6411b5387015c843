#include "bench/forecast.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "quadratic.hpp"

namespace abut::cli {
namespace {

// Rough figures for one thread of a common machine; measured ones replace them within the first step.
constexpr double guessed_seconds_per_body = 150e-9;
constexpr double guessed_seconds_per_comparison = 1e-9;

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

forecast::forecast(std::size_t plans, int steps, int repeats, double least_seconds, seconds_clock now)
    : costs_(plans + 1), least_seconds_(least_seconds), now_(std::move(now)), start_(now_()), pass_start_(start_) {
  for (cost& c : costs_) {
    c.updates_left = static_cast<double>(steps) * repeats;
    c.finds_left = static_cast<double>(steps) * (repeats + 1);
  }
  costs_.back().updates_left = steps;
  costs_.back().finds_left = steps;
}

void forecast::guess(std::size_t plan, std::size_t bodies, bool quadratic) {
  const auto n = static_cast<double>(bodies);
  costs_[plan].quadratic = quadratic;
  costs_[plan].update = n * guessed_seconds_per_body;
  costs_[plan].find = quadratic ? n * n / 2 * guessed_seconds_per_comparison : n * guessed_seconds_per_body;
}

void forecast::begin(std::size_t plan, pass which) {
  const std::lock_guard lock(mutex_);
  finish();
  current_ = &costs_[plan];
  which_ = which;
  pass_start_ = now_();
  part_ = part_at_ = 0;
  // Only passes after the current one count as left.
  double& left = which == pass::update ? current_->updates_left : current_->finds_left;
  left = std::max(0.0, left - 1);
}

void forecast::end() {
  const std::lock_guard lock(mutex_);
  finish();
}

void forecast::finish() {
  if (current_ == nullptr) return;
  (which_ == pass::update ? current_->update : current_->find) = under_way();
  current_->found = current_->found || which_ != pass::update;
  current_ = nullptr;
}

void forecast::done(double part_of_pass) {
  const std::lock_guard lock(mutex_);
  if (current_ == nullptr) return;
  part_ = current_->quadratic ? quadratic_part(part_of_pass) : part_of_pass;
  part_at_ = under_way();
}

/// The expected duration of the current pass, which has run for `so_far`.
double forecast::expected(double so_far) const {
  const double before = which_ == pass::update ? current_->update : current_->find;
  const bool known = which_ == pass::update || current_->found;
  if (part_ > 0 && (!known || so_far > before)) return part_at_ / part_;
  return before;
}

double forecast::left() const {
  const std::lock_guard lock(mutex_);
  double left = 0;
  for (const cost& c : costs_) left += c.updates_left * c.update + c.finds_left * c.find;
  if (current_ != nullptr) {
    const double so_far = under_way();
    const double whole = expected(so_far);
    left += std::abs(whole - so_far);
    // Later passes of this kind will take as long.
    const bool updating = which_ == pass::update;
    const double longer = std::max(whole, so_far) - (updating ? current_->update : current_->find);
    left += (updating ? current_->updates_left : current_->finds_left) * longer;
  }
  return std::max({left, least_seconds_ - elapsed(), 0.0});
}

}  // namespace abut::cli
