#include "render/balls.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace abut::cli {
namespace {

constexpr int band_rows = 32;
constexpr float least_radius = 0.6F;  // in samples, so that nothing falls between them

struct rows {
  int from = 0, to = 0;
};

/// The samples whose centers are within `reach` of `at`.
rows samples_within(float at, float reach, int count) {
  const auto limit = [&](float v) { return static_cast<int>(std::min(std::max(v, 0.0F), static_cast<float>(count))); };
  // Rounds up by adding less than 1; a sample too many at an edge does no harm.
  return {limit(at - reach + 0.499F), limit(at + reach + 0.5F)};
}

float radius_of(const ball& b) { return std::max(b.radius, least_radius); }

/// Draws the part of a ball that is in these rows.
class ball_drawer {
 public:
  ball_drawer(depth_image& to, const std::optional<cut_plane>& cut) : to_(to), cut_(cut) {}

  void draw(const ball& b, std::uint32_t number, rows within) const {
    const float r = radius_of(b);
    // Most balls are far from the cut and need no test for each sample.
    const float side = cut_ ? dot(b.center, cut_->normal) - cut_->at : -r;
    if (side >= r) return;
    const rows ys = samples_within(b.center.y, r, to_.height);
    for (int y = std::max(ys.from, within.from); y < std::min(ys.to, within.to); ++y) {
      const float dy = static_cast<float>(y) + 0.5F - b.center.y;
      const float rest = r * r - dy * dy;
      if (rest < 0) continue;
      const rows xs = samples_within(b.center.x, std::sqrt(rest), to_.width);
      if (side <= -r) {
        draw_row(b, number, y, xs, rest);
      } else {
        draw_cut_row(b, number, y, xs, rest);
      }
    }
  }

 private:
  void draw_row(const ball& b, std::uint32_t number, int y, rows xs, float rest) const {
    float* const depth = to_.depth.data() + to_.place(0, y);
    const float cx = b.center.x - 0.5F, cz = b.center.z;
    if (to_.which.empty()) {  // without branches, so that the compiler uses vectors
      for (int x = xs.from; x < xs.to; ++x) {
        const float dx = static_cast<float>(x) - cx;
        depth[x] = std::max(depth[x], cz + std::sqrt(std::max(0.0F, rest - dx * dx)));
      }
      return;
    }
    std::uint32_t* const which = to_.which.data() + to_.place(0, y);
    for (int x = xs.from; x < xs.to; ++x) {
      const float dx = static_cast<float>(x) - cx;
      const float square = rest - dx * dx;
      if (square < 0) continue;
      const float z = cz + std::sqrt(square);
      if (z <= depth[x]) continue;
      depth[x] = z;
      which[x] = number;
    }
  }

  void draw_cut_row(const ball& b, std::uint32_t number, int y, rows xs, float rest) const {
    const seen& n = cut_->normal;
    for (int x = xs.from; x < xs.to; ++x) {
      const float px = static_cast<float>(x) + 0.5F, py = static_cast<float>(y) + 0.5F;
      const float dx = px - b.center.x;
      if (rest < dx * dx) continue;
      const float half = std::sqrt(rest - dx * dx);
      float z = b.center.z + half;
      const float room = cut_->at - n.x * px - n.y * py;  // n.z z must not exceed it
      if (n.z * z > room) {
        if (n.z <= 1e-6F) continue;  // what is cut away is not in front: nothing of the ball is left here
        z = room / n.z;
        if (z < b.center.z - half) continue;
      }
      const std::size_t at = to_.place(x, y);
      if (z <= to_.depth[at]) continue;
      to_.depth[at] = z;
      if (!to_.which.empty()) to_.which[at] = number;
    }
  }

  depth_image& to_;
  const std::optional<cut_plane>& cut_;
};

}  // namespace

depth_image::depth_image(int w, int h, bool with_balls) : width(w), height(h) {
  depth.assign(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), nothing);
  if (with_balls) which.assign(depth.size(), no_ball);
}

void draw_balls(depth_image& to, const std::vector<ball>& balls, const std::optional<cut_plane>& cut) {
  const ball_drawer drawer(to, cut);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    drawer.draw(balls[k], static_cast<std::uint32_t>(k), {0, to.height});
  }
}

void draw_balls(depth_image& to, const std::vector<ball>& balls, const std::optional<cut_plane>& cut, int threads) {
  std::vector<std::vector<std::uint32_t>> bands(static_cast<std::size_t>((to.height + band_rows - 1) / band_rows));
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const rows ys = samples_within(balls[k].center.y, radius_of(balls[k]), to.height);
    if (ys.from >= ys.to) continue;
    for (int band = ys.from / band_rows; band <= (ys.to - 1) / band_rows; ++band) {
      bands[static_cast<std::size_t>(band)].push_back(static_cast<std::uint32_t>(k));
    }
  }
  parallel_for(threads, bands.size(), [&](std::size_t band) {
    const int from = static_cast<int>(band) * band_rows;
    const ball_drawer drawer(to, cut);
    for (const std::uint32_t k : bands[band]) {
      drawer.draw(balls[k], k, {from, std::min(from + band_rows, to.height)});
    }
  });
}

float middle_radius(const std::vector<ball>& balls) {
  if (balls.empty()) return 0;
  std::vector<float> radii(balls.size());
  for (std::size_t k = 0; k < balls.size(); ++k) radii[k] = balls[k].radius;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle;
}

seen normal_at(const seen& point, const ball& b, const std::optional<cut_plane>& cut) {
  const seen from = point - b.center;
  const float distance = std::sqrt(dot(from, from));
  // On the cut, a point lies inside of its ball.
  if (cut && std::abs(dot(point, cut->normal) - cut->at) < 0.01F * b.radius && distance < 0.999F * b.radius) {
    return cut->normal;
  }
  return distance > 0 ? from * (1 / distance) : seen{0, 0, 1};
}

}  // namespace abut::cli
