#pragma once

#include "samples.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// The bodies that a table [[bodies]] makes or reads, before they are moved to their place.
[[nodiscard]] samples::set generated(const value& table, int dimension, const scene_request& request);

}  // namespace abut::cli
