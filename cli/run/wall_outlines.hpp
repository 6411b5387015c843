#pragma once

#include <array>
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
/// The walls as they are now, without those that are open.
[[nodiscard]] std::vector<dem::wall> closed_walls(const dem::simulation& now);

/// The outlines of walls: where planes meet or leave the space, the circles at the ends of round walls and some lines
/// between them, the edges of meshes. Planes and cylinders without an end are drawn as far as other planes and the
/// space allow. Surfaces of your own are left out.
[[nodiscard]] std::vector<outline> outlines_of(const std::vector<dem::wall>& walls, const outline_space& space);

/// Writes them as a VTK file with a line for each.
void write_outlines(output_file& file, const std::vector<outline>& lines);

}  // namespace abut::cli
