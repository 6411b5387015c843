#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/output_file.hpp"
#include "run/frame_contacts.hpp"
#include "run/frame_plan.hpp"
#include "run/wall_outlines.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// The rows by ascending id.
[[nodiscard]] std::vector<row> rows_by_id(const dem::state& s);
/// By row: the lowest id of the bodies of the same clump, which never changes, or -1. Empty without clumps.
[[nodiscard]] std::vector<std::int64_t> clumps_of(const dem::state& s);
/// Writes bodies as a VTK file with a vertex for each, by ascending id, and the names of the materials. The
/// coordination is by row.
void write_bodies_vtp(output_file& file, const dem::state& bodies, const std::vector<std::uint32_t>& coordination,
                      const dem::material_table& materials, const further_columns& more);
/// Writes contacts as a VTK file with a line for each, from center to center or to the point of a wall.
void write_contacts_vtp(output_file& file, const std::vector<dem::contact_report>& all);
/// Writes bodies as a LAMMPS dump, by ascending id. The coordination is by row.
void write_dump(output_file& file, const dem::simulation& now, const dem::settings& settings,
                const std::vector<std::uint32_t>& coordination, const further_columns& more);

/// The frames of a run, in the folder `frames` of its folder, and the .pvd files that list them. If walls move or open,
/// or the box deforms, each frame has their outlines.
class frame_files {
 public:
  /// If the run goes on at a step, removes the frames after it, and what lists them.
  frame_files(std::string folder, const scene& what, const frame_plan& plan, double time_step,
              std::optional<std::uint64_t> goes_on_at);

  /// The step of the next frame after this step; the largest number if there is none.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step) const { return plan_.next_after(step); }
  /// Writes a frame if there is one of this step. Throws `write_error` if it cannot.
  void add(const dem::simulation& now);
  /// The .pvd files that list the frames, or the folder if there are none.
  [[nodiscard]] std::vector<std::string> written() const;

  /// The files of frames that are in a run's folder.
  [[nodiscard]] static std::vector<std::string> paths(const std::string& folder);

 private:
  void write(const dem::simulation& now, std::uint64_t frame);
  void list(const char* name, const char* files, std::uint64_t last) const;
  void remove_after(std::uint64_t last) const;

  std::string folder_;
  output_plan output_;
  frame_plan plan_;
  double time_step_;
  dem::settings settings_;
  std::vector<std::string> wall_names_;
  std::optional<outline_space> moving_walls_{};
};

}  // namespace abut::cli
