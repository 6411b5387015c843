#pragma once

#include <cstdint>
#include <optional>

#include "scene/scene.hpp"

namespace abut::cli {

/// Which steps of a run have frames. Frame 0 is the start; the others follow at equal distances, by their count over
/// some steps or by the time between them. This depends on the scene and the time step alone.
class frame_plan {
 public:
  /// Of a run from one step to another. Throws `error` if there would be too many.
  frame_plan(const output_plan& of, std::uint64_t begun, std::uint64_t end, double time_step);

  /// Whether there are frames at all.
  [[nodiscard]] bool any() const { return any_; }
  /// The steps that the count of frames is for.
  [[nodiscard]] std::uint64_t over() const { return over_; }
  /// The step of a frame, which may lie after the end.
  [[nodiscard]] std::uint64_t step_of(std::uint64_t frame) const;
  /// The step of the next frame after this step; the largest number if there is none.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step) const;
  /// The frame of this step; nothing if it has none.
  [[nodiscard]] std::optional<std::uint64_t> frame_of(std::uint64_t step) const;
  /// The last frame up to this step.
  [[nodiscard]] std::uint64_t last_until(std::uint64_t step) const;
  /// Whether it has the same frames as another plan, up to this step.
  [[nodiscard]] bool agrees(const frame_plan& with, std::uint64_t until) const;

 private:
  bool any_;
  std::uint64_t begun_, end_;
  std::uint64_t count_ = 0, over_ = 0;  // frames after the first, and the steps over which they are spread
  double apart_ = 0;                    // otherwise steps from one to the next, at least 1
};

}  // namespace abut::cli
