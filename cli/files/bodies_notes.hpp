#pragma once

#include <string>
#include <vector>

#include <abut/search.hpp>

#include "files/bodies_file.hpp"

/// What the user should know about bodies that were read: how the file was understood, and what looks wrong.
namespace abut::cli {

/// "columns x, y, z; radius 0.5 for all; the last of 3 frames, timestep 2000; periodic in x, y by its box".
/// `by_box`: whether the axes that repeat are those of the file's box.
[[nodiscard]] std::string understood(const bodies_file& file, bool by_box);

/// The axes that repeat: "x", "z".
[[nodiscard]] std::vector<std::string> axes_of(const options& chosen);

/// A warning if the bodies are so large, or so close, that nearly all of them overlap: that is rarely intended, and the
/// number of pairs then grows as the square of the number of bodies. Empty if not. Looks at a probe of the rows.
[[nodiscard]] std::string strange_sizes(const bodies_file& file, const std::string& name);

/// Throws `error` if two rows have the same id.
void refuse_equal_ids(const bodies_file& file);

}  // namespace abut::cli
