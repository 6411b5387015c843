#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace abut::cli {

/// A color: parts of red, green and blue light, 0 to 1, so that mixtures are sums.
struct rgb {
  float r = 0, g = 0, b = 0;
};

constexpr rgb operator+(const rgb& a, const rgb& b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
constexpr rgb operator*(const rgb& a, float s) { return {a.r * s, a.g * s, a.b * s}; }

/// A picture, row by row from the top.
struct image {
  image(int w, int h, const rgb& all)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), all) {}

  int width, height;
  std::vector<rgb> pixels;

  [[nodiscard]] std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
  /// Covers a part of a pixel with a color. Outside of the picture nothing happens.
  void cover(int x, int y, const rgb& color, float part) {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    rgb& pixel = pixels[place(x, y)];
    part = std::clamp(part, 0.0F, 1.0F);
    pixel = pixel * (1 - part) + color * part;
  }
};

}  // namespace abut::cli
