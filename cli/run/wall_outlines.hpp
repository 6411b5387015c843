#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/output_file.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// A line of a drawing, by its ends.
using outline = std::array<dem::vec, 2>;

/// Between which points walls without an end are drawn.
struct outline_space {
  int dimension = 3;
  dem::vec min{}, max{};
};

/// The space that the bodies take at the start.
[[nodiscard]] outline_space outline_space_of(const scene& what);

/// Whether a wall has another place later: not if it only turns by its own spin.
[[nodiscard]] bool goes_elsewhere(const dem::settings& s, std::size_t wall);
/// Whether what there is to draw changes: walls move or open, or the box deforms.
[[nodiscard]] bool outlines_change(const dem::settings& s);

/// Outlines, with the number of the wall that each belongs to, or -1 for none.
struct wall_lines {
  std::vector<outline> lines{};
  std::vector<std::int64_t> walls{};

  /// Those added to `lines` since the last call belong to this wall.
  void belong_to(std::int64_t wall) { walls.resize(lines.size(), wall); }
};

/// The outlines of walls: where planes meet or leave the space, the circles at the ends of round walls and some lines
/// between them, the edges of meshes. Planes and cylinders without an end are drawn as far as other planes and the
/// space allow. A line where two planes meet belongs to the first. Surfaces of your own are left out, and so are walls
/// that are open at this time.
[[nodiscard]] wall_lines outlines_of(const std::vector<dem::wall>& walls, const outline_space& space, double time);

/// Writes them as a VTK file with a line for each, and the names of walls, if there are any.
void write_outlines(output_file& file, const wall_lines& all, const std::vector<std::string>& names);

}  // namespace abut::cli
