#pragma once

#include <cstddef>
#include <cstdint>

#include "render/image.hpp"

namespace abut::cli {

/// A color as screens and files have it, 0xrrggbb.
[[nodiscard]] rgb color_of(std::uint32_t hex);
/// The byte of a file for a part of light.
[[nodiscard]] std::uint8_t byte_of(float light);

/// The color map viridis, whose steps look equal and which survives color blindness and gray copies. 0 to 1.
[[nodiscard]] rgb viridis(double part);
/// A color for one of several kinds (Okabe and Ito's); repeats after eight.
[[nodiscard]] rgb kind_color(std::size_t kind);

}  // namespace abut::cli
