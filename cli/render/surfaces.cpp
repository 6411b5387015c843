#include "render/surfaces.hpp"

#include <algorithm>
#include <cmath>

#include "render/colors.hpp"

// Panes in front of each other are mixed as if all of them were seen through the same number of others (weighted
// averages: Bavoil and Myers, 2008). So their order is of no importance, and nothing is sorted for each sample.

namespace abut::cli {
namespace {

constexpr int band_rows = 24;
const rgb tint = color_of(0x8fa3b8);

/// The part of the light that a pane keeps back: more at a slant, as of glass, so that round walls have borders.
float opacity_at(float facing) {
  const float slant = 1 - std::abs(facing);
  return 0.17F + 0.5F * slant * slant * slant * slant;
}

rgb light_of(const seen& normal, float facing) {
  const seen key{-0.36F, -0.54F, 0.76F};
  const float lit = std::abs(dot(normal, key));
  const float half = std::max(0.0F, std::abs(dot(normal, seen{-0.19F, -0.29F, 0.94F})));
  const float shine = 0.5F * std::pow(half, 40.0F) * std::abs(facing);
  return tint * (0.45F + 0.65F * lit) + rgb{shine, shine, shine};
}

/// Where the sides of a pane meet the middle of a row, from left to right; nothing if they do not.
std::optional<std::array<float, 2>> crossings(const pane& p, float y) {
  std::array<float, 2> at{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const seen *a = &p.corners[k], *b = &p.corners[(k + 1) % 3];
    // The lower end first, so that two panes get the same number for the side that they share.
    if (a->y > b->y || (a->y == b->y && a->x > b->x)) std::swap(a, b);
    if (!(a->y <= y && y < b->y) || count == 2) continue;
    at[count++] = a->x + (b->x - a->x) * ((y - a->y) / (b->y - a->y));
  }
  if (count < 2) return std::nullopt;
  if (at[0] > at[1]) std::swap(at[0], at[1]);
  return at;
}

/// The parts of the corners in a point of a triangle, for x and y alone.
struct corner_parts {
  explicit corner_parts(const pane& p) : c(p.corners) {
    const float area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y);
    per_area = area != 0 ? 1 / area : 0;
  }
  [[nodiscard]] std::array<float, 3> at(float x, float y) const {
    const float second = ((x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (y - c[0].y)) * per_area;
    const float third = ((c[1].x - c[0].x) * (y - c[0].y) - (x - c[0].x) * (c[1].y - c[0].y)) * per_area;
    return {1 - second - third, second, third};
  }
  const std::array<seen, 3>& c;
  float per_area;
};

seen mixed(const std::array<seen, 3>& of, const std::array<float, 3>& parts) {
  return of[0] * parts[0] + of[1] * parts[1] + of[2] * parts[2];
}

}  // namespace

pane_rows::pane_rows(std::vector<pane> panes, int height, const std::optional<cut_plane>& cut, float pressed)
    : panes_(std::move(panes)),
      cut_(cut),
      pressed_(pressed),
      bands_(static_cast<std::size_t>((height + band_rows - 1) / band_rows)) {
  for (std::size_t k = 0; k < panes_.size(); ++k) {
    const auto& c = panes_[k].corners;
    const auto [low, high] = std::minmax({c[0].y, c[1].y, c[2].y});
    if (!(high >= 0) || !(low <= static_cast<float>(height))) continue;
    const auto band = [&](float y) {
      return static_cast<std::size_t>(std::clamp(y, 0.0F, static_cast<float>(height - 1))) / band_rows;
    };
    for (std::size_t b = band(low); b <= band(high); ++b) bands_[b].push_back(static_cast<std::uint32_t>(k));
  }
}

void pane_rows::veil_row(int y, const depth_image& view, std::vector<veil>& row) const {
  row.assign(static_cast<std::size_t>(view.width), {});
  for (const std::uint32_t k : bands_[static_cast<std::size_t>(y / band_rows)]) add(panes_[k], y, view, row);
}

void pane_rows::add(const pane& p, int y, const depth_image& view, std::vector<veil>& row) const {
  const float middle = static_cast<float>(y) + 0.5F;
  const auto ends = crossings(p, middle);
  if (!ends) return;
  const auto limit = [&](float v) {
    return static_cast<int>(std::ceil(std::clamp(v - 0.5F, 0.0F, static_cast<float>(view.width))));
  };
  const corner_parts parts(p);
  for (int x = limit((*ends)[0]); x < std::min(limit((*ends)[1]), view.width); ++x) {
    const std::array<float, 3> here = parts.at(static_cast<float>(x) + 0.5F, middle);
    const seen at{static_cast<float>(x) + 0.5F, middle, mixed(p.corners, here).z};
    if (at.z + pressed_ <= view.depth[view.place(x, y)] || (cut_ && dot(at, cut_->normal) > cut_->at)) continue;
    seen normal = mixed(p.normals, here);
    normal = normal * (1 / std::max(1e-6F, std::sqrt(dot(normal, normal))));
    const float kept = opacity_at(normal.z);
    veil& v = row[static_cast<std::size_t>(x)];
    v.through *= 1 - kept;
    v.light = v.light + light_of(normal, normal.z) * kept;
    v.weight += kept;
  }
}

std::vector<std::array<seen, 2>> pane_rows::section() const {
  std::vector<std::array<seen, 2>> lines;
  if (!cut_) return lines;
  for (const pane& p : panes_) {
    std::vector<seen> ends;
    for (std::size_t k = 0; k < 3; ++k) {
      const seen &a = p.corners[k], &b = p.corners[(k + 1) % 3];
      const float da = dot(a, cut_->normal) - cut_->at, db = dot(b, cut_->normal) - cut_->at;
      if ((da > 0) != (db > 0)) ends.push_back(a + (b - a) * (da / (da - db)));
    }
    if (ends.size() == 2) lines.push_back({ends[0], ends[1]});
  }
  return lines;
}

}  // namespace abut::cli
