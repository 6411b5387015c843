#include "render/picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "render/balls.hpp"
#include "render/colors.hpp"
#include "render/light.hpp"
#include "render/lines.hpp"
#include "render/projection.hpp"
#include "render/surfaces.hpp"

namespace abut::cli {
namespace {

const rgb background{1, 1, 1};
const rgb pale = color_of(0xe4e4e4);

/// Samples per pixel on each axis.
int samples_per_pixel(const picture_style& style) { return style.width * style.height <= 2'500'000 ? 3 : 2; }

std::optional<cut_plane> cut_in(const projection& to, const picture_style& style) {
  if (!style.cut) return std::nullopt;
  const std::array<dem::vec, 3> axes{dem::vec{1, 0, 0}, dem::vec{0, 1, 0}, dem::vec{0, 0, 1}};
  const dem::vec axis = axes[style.cut->axis];
  // Takes the upper half away if the viewer looks along the cut.
  const double facing = dot(axis, style.from.toward);
  const dem::vec normal = facing < -1e-9 ? -axis : axis;
  cut_plane plane{to.direction(normal), 0};
  plane.at = dot(to.point(axis * style.cut->at), plane.normal);
  return plane;
}

/// The light that comes from a sample.
class shader {
 public:
  shader(const picture_content& what, const picture_style& style, const depth_image& view,
         const std::vector<ball>& balls, const std::optional<cut_plane>& cut, const std::vector<float>& light)
      : what_(what), style_(style), view_(view), balls_(balls), cut_(cut), light_(light) {}

  [[nodiscard]] rgb at(int x, int y, int samples) const {
    const std::size_t place = view_.place(x, y);
    const std::uint32_t k = view_.which[place];
    if (k == depth_image::no_ball) return background;
    const rgb own = style_.forces ? pale : color_for(what_.values[k], style_);
    const ball& b = balls_[k];
    const seen point{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, view_.depth[place]};
    if (what_.flat) {
      const float part = rim(b.radius - std::hypot(point.x - b.center.x, point.y - b.center.y), b, samples);
      return own * (style_.forces ? std::max(part, 0.6F) : part);
    }
    const seen normal = normal_at(point, b, cut_);
    const float l = light_[place];
    const rgb lit = own * (0.1F + 1.15F * l);
    if (cut_ && dot(normal, cut_->normal) > 0.9999F) return lit * rim(from_section_edge(point, b), b, samples);
    const seen half{-0.29F, -0.42F, 0.86F};
    const float shine = 0.16F * l * std::pow(std::max(0.0F, dot(normal, half)), 24.0F);
    return lit + rgb{shine, shine, shine};
  }

 private:
  /// Discs and sections have dark rims.
  [[nodiscard]] static float rim(float from_edge, const ball& b, int samples) {
    return from_edge < std::min(1.2F * static_cast<float>(samples), 0.15F * b.radius) ? 0.12F : 1.0F;
  }
  [[nodiscard]] float from_section_edge(const seen& point, const ball& b) const {
    const float off = dot(b.center, cut_->normal) - cut_->at;
    const seen from = point - (b.center - cut_->normal * off);
    return std::sqrt(std::max(0.0F, b.radius * b.radius - off * off)) - std::sqrt(dot(from, from));
  }

  const picture_content& what_;
  const picture_style& style_;
  const depth_image& view_;
  const std::vector<ball>& balls_;
  const std::optional<cut_plane>& cut_;
  const std::vector<float>& light_;
};

/// The surfaces of the walls as the viewer sees them.
std::vector<pane> panes_of(const picture_content& what, const projection& place) {
  std::vector<pane> panes;
  panes.reserve(what.surfaces.size());
  for (const space_triangle& t : what.surfaces) {
    pane p;
    for (std::size_t k = 0; k < 3; ++k) {
      p.corners[k] = place.point(t.corners[k]);
      p.normals[k] = place.direction(t.normals[k]);
    }
    panes.push_back(p);
  }
  return panes;
}

/// The rectangle of samples in which bodies are drawn.
struct sample_limits {
  float left = 0, right = 0, top = 0, bottom = 0;
  [[nodiscard]] bool has(int x, int y) const {
    const float px = static_cast<float>(x) + 0.5F, py = static_cast<float>(y) + 0.5F;
    return px >= left && px <= right && py >= top && py <= bottom;
  }
};

sample_limits limits_of(const picture_style& style, int samples) {
  const auto w = static_cast<float>(style.width * samples), h = static_cast<float>(style.height * samples);
  if (!style.zoomed) return {0, w, 0, h};
  const picture_scale scale = scale_of(style);
  const double half_width = (style.shown.right - style.shown.left) / 2 * scale.per_length;
  const double half_height = (style.shown.top - style.shown.bottom) / 2 * scale.per_length;
  return {static_cast<float>((scale.x - half_width) * samples), static_cast<float>((scale.x + half_width) * samples),
          static_cast<float>((scale.y - half_height) * samples), static_cast<float>((scale.y + half_height) * samples)};
}

}  // namespace

void frame_of_view::include(double x, double y, double around) {
  left = empty ? x - around : std::min(left, x - around);
  right = empty ? x + around : std::max(right, x + around);
  bottom = empty ? y - around : std::min(bottom, y - around);
  top = empty ? y + around : std::max(top, y + around);
  empty = false;
}

void include(frame_of_view& shown, const picture_content& what, const viewpoint& from) {
  for (std::size_t k = 0; k < what.centers.size(); ++k) {
    shown.include(dot(what.centers[k], from.right), dot(what.centers[k], from.up), what.radii[k]);
  }
  const auto include_point = [&](const dem::vec& p) { shown.include(dot(p, from.right), dot(p, from.up), 0); };
  for (const space_line& line : what.walls) std::for_each(line.begin(), line.end(), include_point);
  for (const space_triangle& t : what.surfaces) std::for_each(t.corners.begin(), t.corners.end(), include_point);
}

image draw_picture(const picture_content& what, const picture_style& style) {
  const int samples = samples_per_pixel(style);
  const int threads = usable_threads(style.threads);
  const projection place(style, samples, what.centers.empty() ? dem::vec{} : what.centers.front());
  // Solid bodies would hide their contacts.
  std::vector<ball> balls(style.forces && !what.flat ? 0 : what.centers.size());
  for (std::size_t k = 0; k < balls.size(); ++k) {
    balls[k] = {place.point(what.centers[k]), static_cast<float>(what.radii[k] * place.per_length())};
  }
  const std::optional<cut_plane> cut = cut_in(place, style);
  depth_image view(style.width * samples, style.height * samples, true);
  draw_balls(view, balls, cut, threads);
  std::vector<float> light;
  if (!what.flat) light = brightness(view, balls, cut, place.direction({0, 0, 1}), samples, threads);
  const shader shade(what, style, view, balls, cut, light);
  const float pressed = 0.15F * middle_radius(balls);
  const pane_rows panes(panes_of(what, place), view.height, cut, pressed);
  const sample_limits limits = limits_of(style, samples);
  image picture(style.width, style.height, background);
  parallel_for(threads, static_cast<std::size_t>(style.height), [&](std::size_t line) {
    std::vector<rgb> sums(static_cast<std::size_t>(style.width));
    std::vector<veil> veils;
    for (int sy = static_cast<int>(line) * samples; sy < (static_cast<int>(line) + 1) * samples; ++sy) {
      if (!panes.empty()) panes.veil_row(sy, view, veils);
      for (int sx = 0; sx < view.width; ++sx) {
        rgb one = limits.has(sx, sy) ? shade.at(sx, sy, samples) : background;
        one = {std::min(one.r, 1.0F), std::min(one.g, 1.0F), std::min(one.b, 1.0F)};
        if (!panes.empty()) one = veils[static_cast<std::size_t>(sx)].over(one);
        rgb& sum = sums[static_cast<std::size_t>(sx / samples)];
        sum = sum + one;
      }
    }
    for (int x = 0; x < style.width; ++x) {
      picture.pixels[picture.place(x, static_cast<int>(line))] =
          sums[static_cast<std::size_t>(x)] * (1 / static_cast<float>(samples * samples));
    }
  });
  draw_walls(picture, what, place, view, cut, panes.section());
  if (style.forces) draw_forces(picture, what, style, place, cut);
  draw_legend(picture, what, style);
  return picture;
}

rgb color_for(double value, const picture_style& style) {
  if (style.kinds) return kind_color(static_cast<std::size_t>(std::clamp(value, 0.0, 1e9)));
  return viridis(style.high > style.low ? (value - style.low) / (style.high - style.low) : 0.6);
}

}  // namespace abut::cli
