#pragma once

#include <string>

#include "render/image.hpp"

namespace abut::cli {

/// Throws `error` if this abut was built without libpng.
void need_png();

/// Writes a picture as PNG, 8 bits per color. The bytes depend on the picture alone. Throws `error` with the path.
void write_png(const std::string& path, const image& picture);

}  // namespace abut::cli
