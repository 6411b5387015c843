#pragma once

#include <optional>
#include <vector>

#include "render/balls.hpp"

namespace abut::cli {

/// How bright the surface is at each sample, 0 to about 1: light from all around, more of it from above and from one
/// side, as far as no ball is in its way. So there are soft shadows, and gaps are dark. A pixel has `samples` x
/// `samples` samples. The result does not depend on the number of threads.
[[nodiscard]] std::vector<float> brightness(const depth_image& view, const std::vector<ball>& balls,
                                            const std::optional<cut_plane>& cut, const seen& up, int samples,
                                            int threads);

}  // namespace abut::cli
