#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/output_file.hpp"
#include "run/frame_contacts.hpp"
#include "run/wall_outlines.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// The rows by ascending id.
[[nodiscard]] std::vector<row> rows_by_id(const dem::state& s);
/// By row: the lowest id of the bodies of the same clump, which never changes, or -1. Empty without clumps.
[[nodiscard]] std::vector<std::int64_t> clumps_of(const dem::state& s);
/// Writes bodies as a VTK file with a vertex for each, by ascending id. The coordination is by row.
void write_bodies_vtp(output_file& file, const dem::state& bodies, const std::vector<std::uint32_t>& coordination);
/// Writes contacts as a VTK file with a line for each, from center to center or to the point of a wall.
void write_contacts_vtp(output_file& file, const std::vector<dem::contact_report>& all);
/// Writes bodies as a LAMMPS dump, by ascending id. The coordination is by row.
void write_dump(output_file& file, const dem::simulation& now, const dem::settings& settings,
                const std::vector<std::uint32_t>& coordination);

/// The frames of a run, in the folder `frames` of its folder, and the .pvd files that list them. If walls move or
/// the box deforms, each frame has their outlines. Frame 0 is the start,
/// the last one the end. Which step a frame shows depends on the numbers of steps and frames alone.
class frame_files {
 public:
  frame_files(std::string folder, const scene& what, std::uint64_t steps);

  /// The step of the next frame after this step; the largest number if there is none.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step) const;
  /// Writes a frame if there is one of this step. Throws `write_error` if it cannot.
  void add(const dem::simulation& now);
  /// The .pvd files that list the frames, or the folder if there are none.
  [[nodiscard]] std::vector<std::string> written() const;

  /// The files of frames that are in a run's folder.
  [[nodiscard]] static std::vector<std::string> paths(const std::string& folder);

 private:
  [[nodiscard]] std::uint64_t step_of(std::uint64_t frame) const;
  void write(const dem::simulation& now, std::uint64_t frame);
  void list(const char* name, const char* files, std::uint64_t last, double time_step) const;

  std::string folder_;
  output_plan plan_;
  dem::settings settings_;
  std::optional<outline_space> moving_walls_{};
  std::uint64_t begun_, steps_;  // steps_ follow after begun_
  std::uint64_t frames_;
};

}  // namespace abut::cli
