#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/kept_room.hpp"
#include "files/output_file.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// The checkpoints of a run, in its folder: the newest and the one before it. Each is a whole file that appears at once
/// and is on the disk before it counts.
class checkpoint_files {
 public:
  /// For a run of this scene with this number of steps.
  checkpoint_files(std::string folder, const scene& what, std::uint64_t steps);

  /// The step of the next checkpoint after this step; the largest number if there is none.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step) const;
  /// Whether to write one now: at the steps of `next_after`, and when the last one is long ago. If the scene does not
  /// say how many it wants, those that would follow the last one closely are left out.
  [[nodiscard]] bool due(std::uint64_t step) const;
  /// Throws `error` with the path and the reason if it cannot be written. The last one stays then. If the disk is full,
  /// the one before it gives its room.
  void write(const dem::simulation& now);
  /// The step of the last one that was written.
  [[nodiscard]] std::optional<std::uint64_t> written() const { return written_; }
  /// There is one of this step already.
  void take_as_written(std::uint64_t step) { written_ = step; }
  /// Keeps room on the disk for the next one, as far as there is any. Call it now and then: bodies come, and begin to
  /// touch.
  void keep_room(const dem::simulation& now);
  /// Gives that room back, for other files.
  void give_room_back() { room_.give_back(); }
  /// Removes the one before the last, which a run that has reached its end no longer needs.
  void drop_previous() const;
  [[nodiscard]] const std::string& path() const { return newest_; }

  /// The checkpoints that are in a run's folder.
  [[nodiscard]] static std::vector<std::string> paths(const std::string& folder);

 private:
  void write_beside(const dem::simulation& now);
  /// Saves it to a file, or only counts its bytes.
  void save(const dem::simulation& now, output_file* to);

  std::string folder_, newest_, previous_;
  std::string note_;
  std::uint64_t steps_, count_;
  bool asked_;
  std::chrono::steady_clock::time_point last_;
  std::optional<std::uint64_t> written_{};
  kept_room room_;
  std::size_t bytes_ = 0, bodies_ = 0;  // of the last one, or of one at the start
};

/// A checkpoint to go on from.
struct checkpoint_found {
  std::string path{};
  std::string folder{};           ///< of its run
  value scene{};                  ///< as the run had it
  std::string name{};             ///< of that scene; empty in checkpoints of older versions
  std::uint64_t begun = 0;        ///< the step at which the run began
  std::uint64_t frames_over = 0;  ///< as of `output_plan`
};

/// Reads the checkpoint of this name, or the newest one of this folder. If that one is damaged, it takes the one before
/// it and calls `say` with a line about it. Throws `error` if there is none.
[[nodiscard]] checkpoint_found find_checkpoint(const std::string& given,
                                               const std::function<void(const std::string&)>& say);

/// The steps between two rows of the series of a run with this scene.
[[nodiscard]] std::uint64_t row_steps_of(const value& scene);

/// Goes on from a checkpoint with these settings.
[[nodiscard]] dem::simulation go_on(const dem::settings& s, const checkpoint_found& from, dem::resume how);

/// Throws `error` with the first key in which a scene differs from that of the checkpoint, of those that have an
/// influence on the run's files.
void check_same_scene(const scene& now, const checkpoint_found& from);

/// Lets the frames of a run go on as they began: if it is to become longer, `output.frames` are for the steps that they
/// were for at first, and others follow at the same distances. Throws `error` if the frames so far would be of other
/// steps than the scene says now.
void go_on_with_frames(scene& now, const checkpoint_found& from, std::uint64_t step, double time_step);

}  // namespace abut::cli
