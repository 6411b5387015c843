#include "screen/time_left.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut::cli {
namespace {

constexpr double soonest = 1;              // no estimate before this many seconds
constexpr double least_memory = 5;         // a change of this many seconds ago counts 1/e of a new one,
constexpr double part_remembered = 0.25;   // or of this part of the time so far, if that is longer
constexpr double weight_of_recent = 0.75;  // weight of the recent pace in the geometric mean of the two
constexpr double stall_gaps = 3;           // a gap this many times as long as usual,
constexpr double stall_seconds = 5;        // and at least this many seconds long, is a stall

// The shown time comes closer to an estimate by 1 - 1/e within this part of the time left, between these bounds.
constexpr double bend = 0.15, least_bend = 0.3, most_bend = 3;
constexpr double far_bend = 2;  // faster if it is far off

}  // namespace

void pace::see(double now, double part) {
  if (part < part_) *this = pace(now);
  if (part <= part_) return;
  // A stall does not count as slow work: its work counts with the time it would have taken before.
  double gap = now - changed_;
  if (done_ > 0 && stalled(now)) gap = std::min(gap, std::max(usual_gap(), (part - part_) * time_ / done_));
  const double memory = std::max(least_memory, part_remembered * (now - start_));
  const double kept = std::exp(-gap / memory);
  time_ = time_ * kept + gap;
  done_ = done_ * kept + (part - part_);
  changes_ = changes_ * kept + 1;
  part_ = part;
  changed_ = now;
}

std::optional<double> pace::left(double now) const {
  if (done_ <= 0 || part_ >= 1 || now - start_ < soonest || stalled(now)) return {};
  const double gap = now - changed_;
  const double due = usual_gap();
  const double late = std::max(0.0, gap - due);
  const double by_recent = (1 - part_) * (time_ + late) / done_;
  const double by_whole = (1 - part_) * (now - start_ - std::min(gap, due)) / part_;
  // Bursts and short stops change the recent pace too much; a lasting change affects the overall pace too little.
  return std::max(
      0.0, std::pow(by_recent, weight_of_recent) * std::pow(by_whole, 1 - weight_of_recent) - std::min(gap, due));
}

std::optional<double> pace::stalled(double now) const {
  const double gap = now - changed_;
  if (part_ >= 1 || gap <= stall_seconds + stall_gaps * usual_gap()) return {};
  return gap;
}

double countdown::follow(double now, double left) {
  if (!shown_) {
    shown_ = left;
  } else {
    const double gone = now - last_;
    const double ran_down = std::max(0.0, *shown_ - gone);
    const double apart = std::abs(std::log((left + 1) / (ran_down + 1)));
    const double slowness = std::clamp(bend * left, least_bend, most_bend) / (1 + far_bend * apart);
    shown_ = left + (ran_down - left) * std::exp(-gone / slowness);
  }
  last_ = now;
  return *shown_;
}

std::string rough_duration(double seconds) {
  const auto in_steps_of = [&](double step) { return static_cast<long long>(std::ceil(seconds / step - 1e-9) * step); };
  if (seconds <= 10) return fmt::format("{} s", std::max(1LL, in_steps_of(1)));
  if (seconds <= 55) return fmt::format("{} s", in_steps_of(5));
  if (seconds <= 590) {
    const long long whole = in_steps_of(10);
    return whole % 60 == 0 ? fmt::format("{} min", whole / 60) : fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  if (seconds <= 7140) return fmt::format("{} min", in_steps_of(60) / 60);
  if (seconds > 360'000) return "days";
  const long long minutes = in_steps_of(600) / 60;
  return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace abut::cli
