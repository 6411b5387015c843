#include "render/lines.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/colors.hpp"
#include "render/strokes.hpp"

namespace abut::cli {
namespace {

using seen_line = std::array<seen, 2>;

/// The part of a line that the cut leaves.
std::optional<seen_line> left_by(const std::optional<cut_plane>& cut, const seen_line& all) {
  if (!cut) return all;
  const float da = cut->at - dot(all[0], cut->normal), db = cut->at - dot(all[1], cut->normal);
  if (da < 0 && db < 0) return std::nullopt;
  if (da >= 0 && db >= 0) return all;
  const seen crossing = all[0] + (all[1] - all[0]) * (da / (da - db));
  return da >= 0 ? seen_line{all[0], crossing} : seen_line{crossing, all[1]};
}

/// Lines in pieces of some pixels, each in front of bodies or behind them.
struct sorted_pieces {
  std::vector<stroke> front{}, behind{};

  void add(const seen_line& all, const projection& place, const depth_image& view) {
    const spot start = place.pixel(all[0]), end = place.pixel(all[1]);
    const int pieces = std::clamp(static_cast<int>(std::hypot(end.x - start.x, end.y - start.y) / 3), 1, 10'000);
    for (int k = 0; k < pieces; ++k) {
      const auto at = [&](float part) { return all[0] + (all[1] - all[0]) * (part / static_cast<float>(pieces)); };
      const seen middle = at(static_cast<float>(k) + 0.5F);
      const int x = std::clamp(static_cast<int>(middle.x), 0, view.width - 1);
      const int y = std::clamp(static_cast<int>(middle.y), 0, view.height - 1);
      const float near = 2;  // samples: what touches a body is not behind it
      (middle.z + near >= view.depth[view.place(x, y)] ? front : behind)
          .push_back({place.pixel(at(static_cast<float>(k))), place.pixel(at(static_cast<float>(k + 1)))});
    }
  }
};

/// Half of all radii are at most this large, in pixels.
float middle_radius_of(const picture_content& what, const picture_style& style) {
  if (what.radii.empty()) return 1;
  std::vector<double> radii = what.radii;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return static_cast<float>(*middle * scale_of(style).per_length);
}

}  // namespace

void draw_walls(image& to, const picture_content& what, const projection& place, const depth_image& view,
                const std::optional<cut_plane>& cut, const std::vector<std::array<seen, 2>>& section) {
  const rgb gray = color_of(0x404040), dark = color_of(0x303840);
  const float width = std::max(1.0F, static_cast<float>(std::max(to.height, to.width * 3 / 4)) / 700);
  sorted_pieces outlines;
  for (const space_line& ends : what.walls) {
    const auto left = left_by(cut, {place.point(ends[0]), place.point(ends[1])});
    if (left) outlines.add(*left, place, view);
  }
  if (what.flat) {  // there, lines are the walls themselves
    draw_strokes(to, outlines.front, 2.2F * width, dark, 0.9F);
    return;
  }
  draw_strokes(to, outlines.front, width, gray, 0.5F);
  draw_strokes(to, outlines.behind, width, gray, 0.1F);
  sorted_pieces edges;
  for (const auto& ends : section) edges.add(ends, place, view);
  draw_strokes(to, edges.front, 2 * width, dark, 0.9F);
}

void draw_forces(image& to, const picture_content& what, const picture_style& style, const projection& place,
                 const std::optional<cut_plane>& cut) {
  const float widest = std::max(2.0F, (what.flat ? 1.1F : 0.7F) * middle_radius_of(what, style));
  const double high = style.high > 0 ? style.high : 1;
  std::vector<std::pair<float, const force_line*>> order;
  for (const force_line& f : what.forces) {
    const seen middle = place.point((f.ends[0] + f.ends[1]) * 0.5);
    if (cut && dot(middle, cut->normal) > cut->at) continue;
    order.emplace_back(what.flat ? static_cast<float>(std::abs(f.force)) : middle.z, &f);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [depth, f] : order) {
    const auto part = static_cast<float>(std::min(1.0, std::abs(f->force) / high));
    const float width = std::max(0.5F, widest * part);
    const stroke ends{place.pixel(place.point(f->ends[0])), place.pixel(place.point(f->ends[1]))};
    // A light border tells lines in front of others apart.
    if (!what.flat && width > 1.5F) draw_strokes(to, {ends}, width + 1.6F, {1, 1, 1}, 0.7F);
    draw_strokes(to, {ends}, width, color_for(f->force, style));
  }
}

}  // namespace abut::cli
