// What is left of a picture's content in a box.

#include <algorithm>
#include <array>
#include <vector>

#include "render/picture.hpp"

namespace abut::cli {
namespace {

constexpr std::array<double dem::vec::*, 3> axes = {&dem::vec::x, &dem::vec::y, &dem::vec::z};

/// A corner of a surface.
struct corner {
  dem::vec at{}, normal{};
};

/// The part of a convex polygon, or of a line, on one side of a plane across an axis (Sutherland and Hodgman's way).
std::vector<corner> clipped(const std::vector<corner>& all, std::size_t axis, double limit, double sign) {
  std::vector<corner> kept;
  const std::size_t sides = all.size() == 2 ? 1 : all.size();
  const auto room = [&](const corner& c) { return sign * (limit - c.at.*axes[axis]); };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const corner &a = all[k], &b = all[(k + 1) % all.size()];
    const double da = room(a), db = room(b);
    if (da >= 0) kept.push_back(a);
    if (k >= sides || (da >= 0) == (db >= 0)) continue;
    const double part = da / (da - db);
    kept.push_back({a.at + (b.at - a.at) * part, a.normal + (b.normal - a.normal) * part});
  }
  return kept;
}

std::vector<corner> within(std::vector<corner> all, const picture_box& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (box.max[k] < picture_box::endless) all = clipped(all, k, box.max[k], 1);
    if (box.min[k] > -picture_box::endless) all = clipped(all, k, box.min[k], -1);
  }
  return all;
}

/// Whether a sphere reaches into the box.
bool reaches(const picture_box& box, const dem::vec& center, double radius) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double at = center.*axes[k];
    const double off = std::max({box.min[k] - at, at - box.max[k], 0.0});
    square += off * off;
  }
  return square <= radius * radius;
}

void keep_bodies(picture_content& what, const picture_box& box) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < what.centers.size(); ++k) {
    if (!reaches(box, what.centers[k], what.radii[k])) continue;
    what.centers[kept] = what.centers[k];
    what.radii[kept] = what.radii[k];
    what.values[kept++] = what.values[k];
  }
  what.centers.resize(kept);
  what.radii.resize(kept);
  what.values.resize(kept);
}

}  // namespace

void keep_within(picture_content& what, const picture_box& box) {
  keep_bodies(what, box);
  std::vector<space_line> walls;
  for (const space_line& l : what.walls) {
    const std::vector<corner> left = within({{l[0], {}}, {l[1], {}}}, box);
    if (left.size() == 2) walls.push_back({left[0].at, left[1].at});
  }
  what.walls = std::move(walls);
  std::vector<force_line> forces;
  for (const force_line& f : what.forces) {
    const std::vector<corner> left = within({{f.ends[0], {}}, {f.ends[1], {}}}, box);
    if (left.size() == 2) forces.push_back({{left[0].at, left[1].at}, f.force});
  }
  what.forces = std::move(forces);
  std::vector<space_triangle> surfaces;
  for (const space_triangle& t : what.surfaces) {
    std::vector<corner> corners;
    for (std::size_t k = 0; k < 3; ++k) corners.push_back({t.corners[k], t.normals[k]});
    const std::vector<corner> left = within(std::move(corners), box);
    for (std::size_t k = 1; k + 1 < left.size(); ++k) {
      surfaces.push_back(
          {{left[0].at, left[k].at, left[k + 1].at}, {left[0].normal, left[k].normal, left[k + 1].normal}});
    }
  }
  what.surfaces = std::move(surfaces);
}

picture_box closed(const picture_box& box, const picture_content& what) {
  picture_box inner = box, all;
  std::swap(all.min, all.max);
  const auto include = [&](const dem::vec& p, double around) {
    for (std::size_t k = 0; k < 3; ++k) {
      all.min[k] = std::min(all.min[k], p.*axes[k] - around);
      all.max[k] = std::max(all.max[k], p.*axes[k] + around);
    }
  };
  for (std::size_t k = 0; k < what.centers.size(); ++k) include(what.centers[k], what.flat ? 0 : what.radii[k]);
  for (const space_line& l : what.walls) std::for_each(l.begin(), l.end(), [&](const dem::vec& p) { include(p, 0); });
  for (std::size_t k = 0; k < 3; ++k) {
    const bool nothing = all.min[k] > all.max[k];
    if (box.min[k] == -picture_box::endless) inner.min[k] = nothing ? 0 : all.min[k];
    if (box.max[k] == picture_box::endless) inner.max[k] = nothing ? 0 : all.max[k];
  }
  return inner;
}

}  // namespace abut::cli
