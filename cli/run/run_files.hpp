#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/folder_lock.hpp"
#include "files/output_file.hpp"
#include "run/flow_columns.hpp"
#include "run/frame_files.hpp"
#include "run/series_file.hpp"
#include "run/wall_columns.hpp"
#include "run/wall_outlines.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// The files of a run, in a folder: series.csv, state.npy, state.vtp, frames and the outlines of walls. None has a
/// clock time, a method or a number of threads in it: equal runs give equal files.
class run_files {
 public:
  /// Makes the folder, if there is none. Throws `error` if it holds the files of a run, unless `force`, if another
  /// process writes to it, and if files cannot be written. If the run goes on, its files stay, and the series goes on
  /// with that step; if rows before it are missing, throws `error`, unless `force`.
  run_files(const std::string& folder, const scene& what, bool force, const std::optional<going_on>& goes_on = {});
  ~run_files();
  run_files(const run_files&) = delete;
  run_files& operator=(const run_files&) = delete;

  /// Adds a row to the series. Other programs can read it as soon as this returns. If it cannot be written, throws
  /// `write_error`, and the series ends with the row before it.
  void add_row(const dem::simulation& now, const dem::measures& measured);
  /// Writes the state, by ascending id.
  void write_state(const dem::state& bodies, const dem::settings& settings);

  /// Call it once, before the next three, with the number of steps of the run.
  void begin_frames(const scene& what, std::uint64_t steps, double time_step);
  /// The step of the next frame after this step; the largest number if there is none.
  [[nodiscard]] std::uint64_t next_frame_after(std::uint64_t step) const;
  /// Writes a frame if there is one of this step.
  void add_frame(const dem::simulation& now);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// Waits until all rows of the series are on the disk.
  void sync_series();
  /// Writes the outlines of walls at this time, and of a box that deforms; those of the start are written already.
  void write_walls(const std::vector<dem::wall>& walls, const periodic_axes& periods, double time);

  /// The files that were written.
  [[nodiscard]] std::vector<std::string> written() const;
  /// Those of the state.
  [[nodiscard]] const std::vector<std::string>& states() const { return written_; }

 private:
  void write_npy(const dem::state& bodies, const std::vector<row>& order, int dimension);
  void write_vtp(const dem::state& bodies, const dem::settings& settings);
  void open_series(const std::string& header, const std::optional<going_on>& goes_on, bool force);
  void append(const std::string& line);

  std::string folder_;
  std::optional<folder_lock> lock_{};
  output_plan plan_;
  dem::settings settings_;
  flow_columns flow_columns_;
  wall_columns wall_columns_;
  std::vector<std::string> wall_names_;
  outline_space space_;
  std::string series_path_, npy_path_, vtp_path_;
  std::optional<std::uint64_t> goes_on_at_{};
  std::optional<frame_files> frames_{};
  std::unique_ptr<output_file> npy_, vtp_;
  int series_ = -1;                   // a descriptor
  std::vector<std::string> written_;  // of the state
};

}  // namespace abut::cli
