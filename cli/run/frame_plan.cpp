#include "run/frame_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {

frame_plan::frame_plan(const output_plan& of, std::uint64_t begun, std::uint64_t end, double time_step)
    : any_(of.frames > 0 || of.frames_every.has_value()), begun_(begun), end_(std::max(begun, end)) {
  if (of.frames_every) apart_ = std::max(*of.frames_every / time_step, 1.0);
  over_ = of.frames_over > 0 ? of.frames_over : end_ - begun_;
  count_ = std::min(of.frames, over_);
  const double most = of.frames_every ? static_cast<double>(end_ - begun_) / apart_ : static_cast<double>(count_);
  if (most > static_cast<double>(most_frames)) {
    throw error(fmt::format("output.frames_every is {}, which makes more than {} frames; make it longer",
                            *of.frames_every, with_commas(most_frames)));
  }
}

std::uint64_t frame_plan::step_of(std::uint64_t frame) const {
  if (apart_ > 0) return begun_ + static_cast<std::uint64_t>(std::llround(static_cast<double>(frame) * apart_));
  if (count_ == 0) return frame == 0 ? begun_ : std::numeric_limits<std::uint64_t>::max();
  return begun_ + over_ / count_ * frame + over_ % count_ * frame / count_;  // no product exceeds 64 bits
}

std::uint64_t frame_plan::last_until(std::uint64_t step) const {
  if (step <= begun_) return 0;
  const double apart = apart_ > 0 || count_ == 0 ? apart_ : static_cast<double>(over_) / static_cast<double>(count_);
  if (apart == 0) return 0;
  // A guess from below, then at most a few frames on.
  const double guess = static_cast<double>(step - begun_) / apart * (1 - 1e-12) - 1;
  auto frame = static_cast<std::uint64_t>(std::max(guess, 0.0));
  while (step_of(frame + 1) <= step) ++frame;
  return frame;
}

std::uint64_t frame_plan::next_after(std::uint64_t step) const {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  if (!any_ || step >= end_) return none;
  const std::uint64_t next = step_of(last_until(step) + 1);
  return next <= end_ ? next : none;
}

std::optional<std::uint64_t> frame_plan::frame_of(std::uint64_t step) const {
  if (!any_ || step < begun_ || step > end_) return {};
  const std::uint64_t frame = last_until(step);
  return step_of(frame) == step ? std::optional(frame) : std::nullopt;
}

bool frame_plan::agrees(const frame_plan& with, std::uint64_t until) const {
  if (any_ != with.any_) return false;
  for (std::uint64_t frame = 0;; ++frame) {
    const std::uint64_t own = step_of(frame), other = with.step_of(frame);
    if (own > until && other > until) return true;
    if (own != other) return false;
  }
}

}  // namespace abut::cli
