#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/picture.hpp"

namespace abut::cli {

/// Walls as they are drawn.
struct wall_shapes {
  std::vector<space_line> lines{};
  std::vector<space_triangle> surfaces{};
};

/// Where the bodies of a picture come from: the frames of a run's folder, its final state, or a file of bodies.
struct picture_source {
  struct frame {
    std::string path;
    std::optional<double> time{};
  };
  std::string name{};           ///< as the user gave it
  std::vector<frame> frames{};  ///< at least one
  bool numbered = false;        ///< these are the frames of a run
  wall_shapes walls{};
};

/// Looks at a run's folder, or at a file. Throws `error` if it is neither.
[[nodiscard]] picture_source open_source(const std::string& path);

/// Reads the bodies of a frame, with the values of this color. Throws `error` if the files lack them.
[[nodiscard]] picture_content read_content(const picture_source& from, std::size_t frame, const std::string& color);

/// Adds the contacts of a frame, with their forces. Throws `error` if the run did not write them.
void add_forces(picture_content& what, const picture_source& from, std::size_t frame);

}  // namespace abut::cli
