#include "render/picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "render/balls.hpp"
#include "render/colors.hpp"
#include "render/light.hpp"
#include "render/strokes.hpp"

namespace abut::cli {
namespace {

const rgb background{1, 1, 1};

/// Samples per pixel on each axis.
int samples_per_pixel(const picture_style& style) { return style.width * style.height <= 2'500'000 ? 3 : 2; }

/// From space to samples.
class projection {
 public:
  /// Depths count from the depth of `origin`, so that bodies far from 0 keep their digits.
  projection(const picture_style& style, int samples, const dem::vec& origin)
      : from_(style.from), samples_(samples), scale_(scale_of(style)), origin_(dot(origin, style.from.toward)) {
    const frame_of_view& f = style.shown;
    middle_x_ = (f.left + f.right) / 2;
    middle_y_ = (f.bottom + f.top) / 2;
  }

  [[nodiscard]] double per_length() const { return scale_.per_length * samples_; }
  [[nodiscard]] seen point(const dem::vec& p) const {
    return {static_cast<float>((scale_.x + (dot(p, from_.right) - middle_x_) * scale_.per_length) * samples_),
            static_cast<float>((scale_.y - (dot(p, from_.up) - middle_y_) * scale_.per_length) * samples_),
            static_cast<float>((dot(p, from_.toward) - origin_) * per_length())};
  }
  [[nodiscard]] seen direction(const dem::vec& d) const {
    return {static_cast<float>(dot(d, from_.right)), static_cast<float>(-dot(d, from_.up)),
            static_cast<float>(dot(d, from_.toward))};
  }

 private:
  viewpoint from_;
  int samples_;
  picture_scale scale_;
  double origin_, middle_x_ = 0, middle_y_ = 0;
};

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
    const rgb own = color_for(what_.values[k], style_);
    const ball& b = balls_[k];
    const seen point{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, view_.depth[place]};
    if (what_.flat) return own * rim(b.radius - std::hypot(point.x - b.center.x, point.y - b.center.y), b, samples);
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

/// Draws the lines of the walls, faintly behind bodies.
void draw_walls(image& to, const picture_content& what, const projection& place, const depth_image& view, int samples) {
  const rgb gray = color_of(0x404040);
  const float width = std::max(1.0F, static_cast<float>(to.height) / 700);
  std::vector<stroke> front, behind;
  for (const space_line& line : what.walls) {
    const seen a = place.point(line[0]), b = place.point(line[1]);
    // In pieces of some pixels, each in front or behind.
    const float length = std::hypot(b.x - a.x, b.y - a.y) / static_cast<float>(samples);
    const int pieces = std::clamp(static_cast<int>(length / 3), 1, 10'000);
    for (int k = 0; k < pieces; ++k) {
      const auto at = [&](float part) { return a + (b - a) * (part / static_cast<float>(pieces)); };
      const seen middle = at(static_cast<float>(k) + 0.5F);
      const int x = std::clamp(static_cast<int>(middle.x), 0, view.width - 1);
      const int y = std::clamp(static_cast<int>(middle.y), 0, view.height - 1);
      const seen from = at(static_cast<float>(k)), until = at(static_cast<float>(k + 1));
      const auto pixel = [&](const seen& s) {
        return spot{s.x / static_cast<float>(samples), s.y / static_cast<float>(samples)};
      };
      (middle.z >= view.depth[view.place(x, y)] ? front : behind).push_back({pixel(from), pixel(until)});
    }
  }
  draw_strokes(to, front, width, gray, 0.55F);
  draw_strokes(to, behind, width, gray, 0.1F);
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
  for (const space_line& line : what.walls) {
    for (const dem::vec& end : line) shown.include(dot(end, from.right), dot(end, from.up), 0);
  }
}

image draw_picture(const picture_content& what, const picture_style& style) {
  const int samples = samples_per_pixel(style);
  const int threads = usable_threads(style.threads);
  const projection place(style, samples, what.centers.empty() ? dem::vec{} : what.centers.front());
  std::vector<ball> balls(what.centers.size());
  for (std::size_t k = 0; k < balls.size(); ++k) {
    balls[k] = {place.point(what.centers[k]), static_cast<float>(what.radii[k] * place.per_length())};
  }
  const std::optional<cut_plane> cut = cut_in(place, style);
  depth_image view(style.width * samples, style.height * samples, true);
  draw_balls(view, balls, cut, threads);
  std::vector<float> light;
  if (!what.flat) light = brightness(view, balls, cut, place.direction({0, 0, 1}), samples, threads);
  const shader shade(what, style, view, balls, cut, light);
  image picture(style.width, style.height, background);
  parallel_for(threads, static_cast<std::size_t>(style.height), [&](std::size_t line) {
    const int y = static_cast<int>(line);
    for (int x = 0; x < style.width; ++x) {
      rgb sum;
      for (int k = 0; k < samples * samples; ++k) {
        const rgb one = shade.at(x * samples + k % samples, y * samples + k / samples, samples);
        sum = sum + rgb{std::min(one.r, 1.0F), std::min(one.g, 1.0F), std::min(one.b, 1.0F)};
      }
      picture.pixels[picture.place(x, y)] = sum * (1 / static_cast<float>(samples * samples));
    }
  });
  draw_walls(picture, what, place, view, samples);
  draw_legend(picture, what, style);
  return picture;
}

rgb color_for(double value, const picture_style& style) {
  if (style.kinds) return kind_color(static_cast<std::size_t>(std::clamp(value, 0.0, 1e9)));
  return viridis(style.high > style.low ? (value - style.low) / (style.high - style.low) : 0.6);
}

}  // namespace abut::cli
