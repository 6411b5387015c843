#include "run/wall_outlines.hpp"

#include <algorithm>
#include <cmath>

namespace abut::cli {
namespace {

/// What is on the side of a plane to which its normal points.
struct half_space {
  dem::vec point{}, normal{};
  [[nodiscard]] double depth(const dem::vec& p) const { return dot(p - point, normal); }
};

using polygon = std::vector<dem::vec>;

struct bounds {
  dem::vec min{}, max{};
  void include(const dem::vec& p) {
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
  }
};

/// Sutherland and Hodgman's way: the part of a convex polygon within a half-space.
polygon clipped(const polygon& all, const half_space& by, double size) {
  polygon kept;
  const auto add = [&](const dem::vec& p) {
    const auto same = [&](const dem::vec& q) { return length(p - q) <= 1e-9 * size; };
    if (kept.empty() || (!same(kept.back()) && !same(kept.front()))) kept.push_back(p);
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const dem::vec &a = all[k], &b = all[(k + 1) % all.size()];
    const double da = by.depth(a) + 1e-9 * size, db = by.depth(b) + 1e-9 * size;  // what touches is inside
    if (da >= 0) add(a);
    if ((da >= 0) != (db >= 0)) add(a + (b - a) * (da / (da - db)));
  }
  return kept;
}

/// The polygon without points on its sides, which clipping leaves.
polygon corners_of(const polygon& all, double size) {
  if (all.size() < 3) return all;
  polygon corners;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const dem::vec before = all[k] - all[(k + all.size() - 1) % all.size()], after = all[(k + 1) % all.size()] - all[k];
    if (length(cross(before, after)) > 1e-7 * size * (length(before) + length(after))) corners.push_back(all[k]);
  }
  return corners;
}

bool stays(const scene& what, std::size_t k) {
  const dem::wall& w = what.settings.walls[k];
  const auto moves = [&](const dem::drive& d) { return std::find(d.walls.begin(), d.walls.end(), k) != d.walls.end(); };
  const auto& drives = what.settings.drives;
  return !w.surface && length(w.velocity) == 0 && std::none_of(drives.begin(), drives.end(), moves);
}

/// The space that the bodies take, and the nearest points of all planes.
bounds space_of(const scene& what, const std::vector<half_space>& planes) {
  const dem::vec first = what.bodies.empty() ? dem::vec{} : what.bodies.front().position;
  const bool solid = what.settings.dimension == 3;
  bounds space{first, first};
  for (const dem::body& b : what.bodies) {
    const dem::vec r{b.radius, b.radius, solid ? b.radius : 0};
    space.include(b.position - r);
    space.include(b.position + r);
  }
  const bounds of_bodies = space;
  for (const half_space& plane : planes) {
    for (const dem::vec& corner : {of_bodies.min, of_bodies.max}) {
      space.include(corner - plane.normal * plane.depth(corner));
    }
  }
  return space;
}

std::vector<half_space> sides_of(const bounds& b, bool solid) {
  std::vector<half_space> all = {{b.min, {1, 0, 0}}, {b.max, {-1, 0, 0}}, {b.min, {0, 1, 0}}, {b.max, {0, -1, 0}}};
  if (solid) all.insert(all.end(), {{b.min, {0, 0, 1}}, {b.max, {0, 0, -1}}});
  return all;
}

/// A piece of the plane that is larger than the space: a square, in 2D two points.
polygon large_piece(const half_space& plane, const bounds& space, bool solid) {
  const dem::vec middle = (space.min + space.max) * 0.5;
  const dem::vec at = middle - plane.normal * plane.depth(middle);
  const double size = 2 * length(space.max - space.min);
  const dem::vec& n = plane.normal;
  const dem::vec aside = solid && std::abs(n.z) < 0.9 ? dem::vec{0, 0, 1} : dem::vec{1, 0, 0};
  dem::vec u = solid ? cross(n, aside) : dem::vec{-n.y, n.x, 0};
  u = u * (size / length(u));
  if (!solid) return {at - u, at + u};
  const dem::vec v = cross(n, u);
  return {at - u - v, at + u - v, at + u + v, at - u + v};
}

}  // namespace

std::vector<outline> outlines_of(const scene& what) {
  const bool solid = what.settings.dimension == 3;
  std::vector<half_space> planes;
  for (std::size_t k = 0; k < what.settings.walls.size(); ++k) {
    const dem::wall& w = what.settings.walls[k];
    if (stays(what, k)) planes.push_back({w.point, w.normal});
  }
  const bounds space = space_of(what, planes);
  const double size = length(space.max - space.min);
  std::vector<outline> lines;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    polygon piece = large_piece(planes[k], space, solid);
    for (const half_space& side : sides_of(space, solid)) piece = clipped(piece, side, size);
    for (std::size_t other = 0; other < planes.size(); ++other) {
      if (other != k) piece = clipped(piece, planes[other], size);
    }
    piece = corners_of(piece, size);
    const std::size_t count = piece.size() > 2 ? piece.size() : piece.size() / 2;
    for (std::size_t c = 0; c < count; ++c) {
      const outline line{piece[c], piece[(c + 1) % piece.size()]};
      const auto same = [&](const outline& o) {  // two planes meet in one line
        const auto near = [&](const dem::vec& a, const dem::vec& b) { return length(a - b) <= 1e-6 * size; };
        return (near(o[0], line[0]) && near(o[1], line[1])) || (near(o[0], line[1]) && near(o[1], line[0]));
      };
      if (std::none_of(lines.begin(), lines.end(), same)) lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace abut::cli
