// Light comes from a few dozen directions. For each of them the balls are drawn once as that light sees them; a point
// is lit if nothing there is nearer to the light (shadow maps: Williams 1978; many of them as a sky: QuteMol, 2006).

#include "render/light.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/parallel.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t many_balls = 200'000;
constexpr std::size_t at_once = 8;  // maps in memory at a time

seen crossed(const seen& a, const seen& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
seen unit(const seen& a) { return a * (1 / std::sqrt(dot(a, a))); }

/// The direction that most light comes from: the viewer's upper left.
seen brightest(const seen& up) { return unit(seen{-0.4F, 0, 0.9F} + up * 0.6F); }

/// Light from one direction.
struct lamp {
  seen to{};         ///< the direction to it
  float weight = 0;  ///< how bright it is
};

/// Directions spread evenly over the sphere, without those that light nothing the viewer sees.
std::vector<lamp> lamps_around(const seen& up, std::size_t count) {
  const seen key = brightest(up);
  std::vector<lamp> all;
  const double turn = std::numbers::pi * (3 - std::sqrt(5.0));
  for (std::size_t k = 0; k < count; ++k) {
    const double z = 1 - 2 * (static_cast<double>(k) + 0.5) / static_cast<double>(count);
    const double r = std::sqrt(1 - z * z);
    const double angle = turn * static_cast<double>(k);
    const seen to{static_cast<float>(r * std::cos(angle)), static_cast<float>(r * std::sin(angle)),
                  static_cast<float>(z)};
    if (to.z < -0.6F) continue;
    const float sky = 0.45F + 0.3F * dot(to, up);
    const float lobe = std::max(0.0F, dot(to, key));
    all.push_back({to, sky + 2.2F * lobe * lobe * lobe * lobe * lobe * lobe});
  }
  return all;
}

/// What a lamp sees.
class shadow_map {
 public:
  shadow_map(const lamp& from, const std::vector<ball>& balls, const std::optional<cut_plane>& cut, const seen& middle,
             float reach, float texel)
      : lamp_(from),
        middle_(middle),
        per_texel_(1 / texel),
        side_(static_cast<int>(2 * reach / texel) + 3),
        u_(unit(crossed(from.to, std::abs(from.to.x) < 0.8F ? seen{1, 0, 0} : seen{0, 1, 0}))),
        v_(crossed(from.to, u_)),
        depths_(side_, side_, false) {
    std::vector<ball> turned(balls.size());
    for (std::size_t k = 0; k < balls.size(); ++k) {
      turned[k] = {placed(balls[k].center), balls[k].radius * per_texel_};
    }
    std::optional<cut_plane> turned_cut;
    if (cut) {
      const seen& n = cut->normal;
      turned_cut = cut_plane{{dot(n, u_), dot(n, v_), dot(n, from.to)}, 0};
      turned_cut->at =
          (cut->at - dot(n, middle_)) * per_texel_ + half() * (turned_cut->normal.x + turned_cut->normal.y);
    }
    draw_balls(depths_, turned, turned_cut);
  }

  /// The light that a surface at `point` gets, which faces along `normal`.
  void add(const seen& point, const seen& normal, float& light) const {
    const float facing = dot(normal, lamp_.to);
    if (facing <= 0) return;
    const seen at = placed(point + normal * (1.2F / per_texel_));
    light += lamp_.weight * facing * open_part(at);
  }

 private:
  [[nodiscard]] float half() const { return 0.5F * static_cast<float>(side_); }
  [[nodiscard]] seen placed(const seen& p) const {
    const seen d = (p - middle_) * per_texel_;
    return {dot(d, u_) + half(), dot(d, v_) + half(), dot(d, lamp_.to)};
  }
  /// How much of the four texels around a point lets the light through.
  [[nodiscard]] float open_part(const seen& at) const {
    const float fx = at.x - 0.5F, fy = at.y - 0.5F;
    const int x = std::clamp(static_cast<int>(fx), 0, side_ - 2), y = std::clamp(static_cast<int>(fy), 0, side_ - 2);
    const float px = fx - static_cast<float>(x), py = fy - static_cast<float>(y);
    const auto open = [&](int i, int j) { return depths_.depth[depths_.place(i, j)] <= at.z + 0.8F ? 1.0F : 0.0F; };
    return (open(x, y) * (1 - px) + open(x + 1, y) * px) * (1 - py) +
           (open(x, y + 1) * (1 - px) + open(x + 1, y + 1) * px) * py;
  }

  lamp lamp_;
  seen middle_;
  float per_texel_;
  int side_;
  seen u_, v_;
  depth_image depths_;
};

/// A sphere around all balls: their middle, and how far they reach.
ball around(const std::vector<ball>& balls) {
  seen low = balls.front().center, high = low;
  for (const ball& b : balls) {
    low = {std::min(low.x, b.center.x), std::min(low.y, b.center.y), std::min(low.z, b.center.z)};
    high = {std::max(high.x, b.center.x), std::max(high.y, b.center.y), std::max(high.z, b.center.z)};
  }
  ball all{(low + high) * 0.5F, 0};
  for (const ball& b : balls) {
    const seen d = b.center - all.center;
    all.radius = std::max(all.radius, std::sqrt(dot(d, d)) + b.radius);
  }
  return all;
}

/// The samples of a pixel. Of those that show the same ball, the first stands for all, which saves most of the work.
class pixel_samples {
 public:
  pixel_samples(const depth_image& view, std::size_t x, std::size_t y, int samples)
      : view_(view), x_(static_cast<int>(x) * samples), y_(static_cast<int>(y) * samples), samples_(samples) {}

  [[nodiscard]] int count() const { return samples_ * samples_; }
  [[nodiscard]] int x(int k) const { return x_ + k % samples_; }
  [[nodiscard]] int y(int k) const { return y_ + k / samples_; }
  [[nodiscard]] std::size_t place(int k) const { return view_.place(x(k), y(k)); }
  /// The first sample that shows the same ball as sample k.
  [[nodiscard]] int first_like(int k) const {
    int first = 0;
    while (view_.which[place(first)] != view_.which[place(k)]) ++first;
    return first;
  }

 private:
  const depth_image& view_;
  int x_, y_, samples_;
};

/// Calls `f` for all pixels, on several threads.
template <class F>
void for_each_pixel(const depth_image& view, int samples, int threads, const F& f) {
  parallel_for(threads, static_cast<std::size_t>(view.height / samples), [&](std::size_t y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(view.width / samples); ++x) {
      f(pixel_samples(view, x, y, samples));
    }
  });
}

/// Balls that are near each other in space, near each other in memory, so that drawing them stays in the cache.
std::vector<ball> gathered(const std::vector<ball>& balls, const ball& whole) {
  constexpr float cells = 32;
  const float reach = std::max(whole.radius, 1.0F);
  const auto cell = [&](float at, float middle) {
    return static_cast<std::uint32_t>((at - middle + reach) / (2 * reach) * (cells - 1));
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order(balls.size());
  for (std::uint32_t k = 0; k < balls.size(); ++k) {
    const seen &p = balls[k].center, &m = whole.center;
    order[k] = {(cell(p.z, m.z) << 10U) + (cell(p.y, m.y) << 5U) + cell(p.x, m.x), k};
  }
  std::sort(order.begin(), order.end());
  std::vector<ball> all(balls.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = balls[order[k].second];
  return all;
}

/// Adds the light of some lamps to the samples that stand for others.
void add_light(std::vector<float>& light, const depth_image& view, const std::vector<ball>& balls,
               const std::optional<cut_plane>& cut, const std::vector<shadow_map>& maps, int samples, int threads) {
  for_each_pixel(view, samples, threads, [&](const pixel_samples& pixel) {
    for (int k = 0; k < pixel.count(); ++k) {
      const std::size_t at = pixel.place(k);
      if (view.which[at] == depth_image::no_ball || pixel.first_like(k) != k) continue;
      const seen point{static_cast<float>(pixel.x(k)) + 0.5F, static_cast<float>(pixel.y(k)) + 0.5F, view.depth[at]};
      const seen normal = normal_at(point, balls[view.which[at]], cut);
      for (const shadow_map& map : maps) map.add(point, normal, light[at]);
    }
  });
}

}  // namespace

std::vector<float> brightness(const depth_image& view, const std::vector<ball>& balls,
                              const std::optional<cut_plane>& cut, const seen& up, int samples, int threads) {
  std::vector<float> light(view.depth.size());
  if (balls.empty()) return light;
  const bool many = balls.size() > many_balls;
  const std::vector<lamp> lamps = lamps_around(up, many ? 32 : 64);
  const ball whole = around(balls);
  const std::vector<ball> casters = gathered(balls, whole);
  const float texel =
      std::max({middle_radius(balls) / (many ? 3.0F : 6.0F), 2 * whole.radius / 2000, many ? 0.5F : 0.25F});
  // What a surface that faces the brightest side gets in the open.
  const seen best = brightest(up);
  float full = 0;
  for (const lamp& l : lamps) full += l.weight * std::max(0.0F, dot(best, l.to));
  for (std::size_t start = 0; start < lamps.size(); start += at_once) {
    const std::size_t count = std::min(at_once, lamps.size() - start);
    std::vector<std::optional<shadow_map>> made(count);
    parallel_for(threads, count, [&](std::size_t k) {
      made[k].emplace(lamps[start + k], casters, cut, whole.center, whole.radius, texel);
    });
    std::vector<shadow_map> maps;
    maps.reserve(count);
    for (auto& map : made) maps.push_back(std::move(*map));
    add_light(light, view, balls, cut, maps, samples, threads);
  }
  for_each_pixel(view, samples, threads, [&](const pixel_samples& pixel) {
    for (int k = pixel.count() - 1; k >= 0; --k) light[pixel.place(k)] = light[pixel.place(pixel.first_like(k))] / full;
  });
  return light;
}

}  // namespace abut::cli
