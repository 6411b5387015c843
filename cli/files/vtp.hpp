#pragma once

#include "files/output_file.hpp"
#include "files/pairs_file.hpp"

namespace abut::cli {

/// Writes pairs as a VTK file of PolyData, the XML form with its numbers appended as they lie in memory. The points are
/// the centers of the bodies, in the order of rows, and a line for each pair joins two of them. A line through a
/// periodic border ends at the nearest image of the second body, which is a further point.
void write_vtp(output_file& file, const found_pairs& found, const pair_details& details);

}  // namespace abut::cli
