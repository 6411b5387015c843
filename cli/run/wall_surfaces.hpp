#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "run/wall_outlines.hpp"

namespace abut::cli {

/// A triangle of a wall, with the directions in which the wall faces at its corners, of length 1.
struct wall_surface {
  std::size_t wall = 0;  ///< its number
  std::array<dem::vec, 3> corners{};
  std::array<dem::vec, 3> normals{};
};

/// The surfaces of walls in 3D, in the order of the walls: planes and cylinders without an end as far as their outlines
/// reach. Surfaces of your own are left out, and so are walls that are open at this time.
[[nodiscard]] std::vector<wall_surface> surfaces_of(const std::vector<dem::wall>& walls, const outline_space& space,
                                                    double time);

}  // namespace abut::cli
