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

/// Whether the k-th wall has another place later: not if it only turns by its own spin.
[[nodiscard]] bool goes_elsewhere(const dem::settings& s, std::size_t k);
/// Whether what there is to draw changes: walls move or open, or the box deforms.
[[nodiscard]] bool outlines_change(const dem::settings& s);
/// Whether a wall is gone at this time.
[[nodiscard]] bool is_open(const dem::wall& w, double time);

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
[[nodiscard]] wall_lines outlines_of(const std::vector<dem::wall>& walls, const outline_space& of, double time);

/// By wall: the corners of the part of a plane that is drawn, in 2D its ends; empty for other walls and open ones.
[[nodiscard]] std::vector<std::vector<dem::vec>> pieces_of_planes(const std::vector<dem::wall>& walls,
                                                                  const outline_space& of, double time);
/// The part of an endless cylinder that is in the space; in 2D, a circle.
[[nodiscard]] dem::patch cylinder_in(const dem::wall& w, const outline_space& of);
/// A direction of length 1 at right angles.
[[nodiscard]] dem::vec any_across(const dem::vec& n);

struct wall_surface;

/// Writes walls as a VTK file: a line for each outline, a triangle for each piece of a surface, with the number of the
/// wall of each, and with its name if any wall has one.
void write_walls_vtp(output_file& file, const wall_lines& outlines, const std::vector<wall_surface>& surfaces,
                     const std::vector<std::string>& names);

}  // namespace abut::cli
