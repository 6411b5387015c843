#pragma once

#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "run/wall_outlines.hpp"

namespace abut::cli {

/// ",side_x,side_y,side_z,stress_xx,stress_yy,stress_zz": the columns of a series about a box that deforms, its
/// periodic sides and, if it has a volume, the stress along all axes; empty if it does not deform.
[[nodiscard]] std::string box_header(const dem::settings& s);
/// The numbers of these columns now.
[[nodiscard]] std::string box_row(const dem::settings& s, const dem::simulation& now);

/// "1.2 x 1.2 x 0.9, pressure 101"; empty if the box does not deform.
[[nodiscard]] std::string box_in_words(const dem::settings& s, const dem::simulation& now);

/// Adds the edges of the periodic box; along other axes, they are as long as the space.
void add_box_edges(std::vector<outline>& lines, const periodic_axes& periods, const outline_space& space);

}  // namespace abut::cli
