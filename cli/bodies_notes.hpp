#pragma once

#include <string>
#include <vector>

#include <abut/search.hpp>

#include "bodies_file.hpp"

/// What the user should know of bodies that were read: what was understood, and what looks wrong.
namespace abut::cli {

/// "columns x, y, z; radius 0.5 for all; the last of 3 frames, timestep 2000; periodic in x, y by its box".
/// `by_box`: whether the axes that repeat are those that the file says.
[[nodiscard]] std::string understood(const bodies_file& file, bool by_box);

/// The axes that repeat: "x", "z".
[[nodiscard]] std::vector<std::string> axes_of(const options& chosen);

/// Throws `error` where two rows have the same id.
void refuse_equal_ids(const bodies_file& file);

}  // namespace abut::cli
