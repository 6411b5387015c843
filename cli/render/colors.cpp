#include "render/colors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace abut::cli {
namespace {

constexpr std::array<std::uint32_t, 9> viridis_colors = {0x440154, 0x472c7a, 0x3b518b, 0x2c718e, 0x21908d,
                                                         0x27ad81, 0x5cc863, 0xaadc32, 0xfde725};
constexpr std::array<std::uint32_t, 8> kind_colors = {0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442,
                                                      0x0072b2, 0xd55e00, 0xcc79a7, 0x999999};

/// Light from the number that a file has for it (sRGB), and back.
float light_of(double stored) {
  return static_cast<float>(stored <= 0.04045 ? stored / 12.92 : std::pow((stored + 0.055) / 1.055, 2.4));
}
double stored_of(double light) { return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055; }

double channel(std::uint32_t hex, unsigned shift) { return static_cast<double>(hex >> shift & 0xffU) / 255; }

}  // namespace

rgb color_of(std::uint32_t hex) {
  return {light_of(channel(hex, 16)), light_of(channel(hex, 8)), light_of(channel(hex, 0))};
}

std::uint8_t byte_of(float light) {
  return static_cast<std::uint8_t>(std::lround(255 * stored_of(std::clamp(static_cast<double>(light), 0.0, 1.0))));
}

rgb viridis(double part) {
  const double at = std::clamp(part, 0.0, 1.0) * (viridis_colors.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), viridis_colors.size() - 2);
  const double rest = at - static_cast<double>(k);
  const auto mixed = [&](unsigned shift) {  // between the numbers of a file, as the map is meant
    return light_of(channel(viridis_colors[k], shift) * (1 - rest) + channel(viridis_colors[k + 1], shift) * rest);
  };
  return {mixed(16), mixed(8), mixed(0)};
}

rgb kind_color(std::size_t kind) { return color_of(kind_colors[kind % kind_colors.size()]); }

}  // namespace abut::cli
