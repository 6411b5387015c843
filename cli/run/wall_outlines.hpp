#pragma once

#include <array>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/output_file.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// A line of a drawing, by its ends.
using outline = std::array<dem::vec, 2>;

/// The outlines of the walls that stay in place. A plane has no end: it is drawn as far as the other planes and the
/// space that the bodies take at the start allow. Walls that move and surfaces of your own are left out.
[[nodiscard]] std::vector<outline> outlines_of(const scene& what);

/// Writes them as a VTK file with a line for each.
void write_outlines(output_file& file, const std::vector<outline>& lines);

}  // namespace abut::cli
