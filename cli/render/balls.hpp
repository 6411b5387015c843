#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// Spheres by depth: which one is seen at each sample of a picture, and where.
namespace abut::cli {

/// A point or a direction as the viewer sees it, in samples: x to the right, y down, z towards the viewer.
struct seen {
  float x = 0, y = 0, z = 0;
};

constexpr seen operator+(const seen& a, const seen& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr seen operator-(const seen& a, const seen& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr seen operator*(const seen& a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr float dot(const seen& a, const seen& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// A sphere as the viewer sees it.
struct ball {
  seen center{};
  float radius = 0;
};

/// What a cut leaves: points p with dot(p, normal) <= at. The normal has the length 1.
struct cut_plane {
  seen normal{};
  float at = 0;
};

/// What is seen at each sample.
struct depth_image {
  static constexpr std::uint32_t no_ball = 0xffff'ffffU;
  static constexpr float nothing = -std::numeric_limits<float>::max();

  /// Without `with_balls`, only the depths are kept.
  depth_image(int w, int h, bool with_balls);

  int width, height;
  std::vector<float> depth{};          ///< z of the surface; `nothing` if there is none
  std::vector<std::uint32_t> which{};  ///< the ball's number

  [[nodiscard]] std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

/// Draws all balls on several threads. Of equally near ones, the first is seen.
void draw_balls(depth_image& to, const std::vector<ball>& balls, const std::optional<cut_plane>& cut, int threads);

/// Draws all balls on one thread.
void draw_balls(depth_image& to, const std::vector<ball>& balls, const std::optional<cut_plane>& cut);

/// Half of the balls are at most this large; 0 if there are none.
[[nodiscard]] float middle_radius(const std::vector<ball>& balls);

/// The direction in which the surface of a ball faces at a point that is seen; the cut's if the cut made that surface.
[[nodiscard]] seen normal_at(const seen& point, const ball& b, const std::optional<cut_plane>& cut);

}  // namespace abut::cli
