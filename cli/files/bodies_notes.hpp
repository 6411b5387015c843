#pragma once

#include <string>
#include <vector>

#include <abut/search.hpp>

#include "files/bodies_file.hpp"

/// What the user should know of bodies that were read: what was understood, and what looks wrong.
namespace abut::cli {

/// "columns x, y, z; radius 0.5 for all; the last of 3 frames, timestep 2000; periodic in x, y by its box".
/// `by_box`: whether the axes that repeat are those that the file says.
[[nodiscard]] std::string understood(const bodies_file& file, bool by_box);

/// The axes that repeat: "x", "z".
[[nodiscard]] std::vector<std::string> axes_of(const options& chosen);

/// A warning about bodies that are so large, or so near each other, that nearly all of them overlap: few users mean
/// that, and the pairs grow as the square of their number. Empty: nothing is strange. It looks at some of the rows.
[[nodiscard]] std::string strange_sizes(const bodies_file& file, const std::string& name);

/// Throws `error` where two rows have the same id.
void refuse_equal_ids(const bodies_file& file);

}  // namespace abut::cli
