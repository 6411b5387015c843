#include "run/wall_outlines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include <abut/dem/portable.hpp>

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

/// The ends of the piece of space, with the nearest points of all planes.
bounds with_planes(const outline_space& of, const std::vector<half_space>& planes) {
  bounds space{of.min, of.max};
  for (const half_space& plane : planes) {
    for (const dem::vec& corner : {of.min, of.max}) space.include(corner - plane.normal * plane.depth(corner));
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
  const dem::vec u = (solid ? any_across(n) : dem::vec{-n.y, n.x, 0}) * size;
  if (!solid) return {at - u, at + u};
  const dem::vec v = cross(n, u);
  return {at - u - v, at + u - v, at + u + v, at - u + v};
}

/// The part of a plane that the others let be seen: its corners, in 2D its ends.
polygon piece_of(const std::vector<half_space>& planes, std::size_t k, const bounds& space, bool solid) {
  const double size = length(space.max - space.min);
  polygon piece = large_piece(planes[k], space, solid);
  for (const half_space& side : sides_of(space, solid)) piece = clipped(piece, side, size);
  for (std::size_t other = 0; other < planes.size(); ++other) {
    if (other != k) piece = clipped(piece, planes[other], size);
  }
  return corners_of(piece, size);
}

/// The planes that are there at a time, by their walls.
struct planes_there {
  std::vector<half_space> planes{};
  std::vector<std::size_t> walls{};

  planes_there(const std::vector<dem::wall>& all, double time) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const dem::wall& w = all[k];
      if (is_open(w, time) || !w.patches.empty() || w.surface || w.radius != 0) continue;
      planes.push_back({w.point, w.normal});
      walls.push_back(k);
    }
  }
};

/// The edges of all planes.
wall_lines edges_of(const std::vector<polygon>& pieces, double size) {
  wall_lines all;
  std::vector<outline>& lines = all.lines;
  for (std::size_t wall = 0; wall < pieces.size(); ++wall) {
    const polygon& piece = pieces[wall];
    const std::size_t count = piece.size() > 2 ? piece.size() : piece.size() / 2;
    for (std::size_t c = 0; c < count; ++c) {
      const outline line{piece[c], piece[(c + 1) % piece.size()]};
      const auto same = [&](const outline& o) {  // two planes meet in one line
        const auto near = [&](const dem::vec& a, const dem::vec& b) { return length(a - b) <= 1e-6 * size; };
        return (near(o[0], line[0]) && near(o[1], line[1])) || (near(o[0], line[1]) && near(o[1], line[0]));
      };
      if (std::none_of(lines.begin(), lines.end(), same)) lines.push_back(line);
    }
    all.belong_to(static_cast<std::int64_t>(wall));
  }
  return all;
}

/// What a line leaves when it is turned about an axis: the circles of its ends, and the line at some angles.
void add_turned(std::vector<outline>& to, const dem::patch& p) {
  constexpr int corners = 64, lines = 4;
  const dem::vec u = any_across(p.normal);
  const dem::vec v = cross(p.normal, u);
  const auto out = [&](int k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    return u * dem::portable_cos(angle) + v * dem::portable_sin(angle);
  };
  for (int k = 0; k < corners; ++k) {
    if (p.first > 0) to.push_back({p.a + out(k) * p.first, p.a + out(k + 1) * p.first});
    if (p.second > 0 && !(p.a == p.b && p.first == p.second)) {
      to.push_back({p.b + out(k) * p.second, p.b + out(k + 1) * p.second});
    }
    const bool between = k % (corners / lines) == 0 && !(p.a == p.b);
    if (between) to.push_back({p.a + out(k) * p.first, p.b + out(k) * p.second});
  }
}

/// The edges of triangles, apart from those between two that lie in almost one plane.
void add_triangles(std::vector<outline>& to, const std::vector<dem::patch>& patches) {
  constexpr double same_plane = 0.94;  // the cosine of 20 degrees
  struct edge {
    outline ends;
    dem::vec normal;
    bool seen, shared;
  };
  std::map<std::array<double, 6>, edge> edges;
  const auto add = [&](const dem::vec& a, const dem::vec& b, const dem::vec& normal) {
    const std::array<double, 3> first{a.x, a.y, a.z}, second{b.x, b.y, b.z};
    const auto& [low, high] = std::minmax(first, second);
    const auto [at, fresh] =
        edges.try_emplace({low[0], low[1], low[2], high[0], high[1], high[2]}, edge{{a, b}, normal, true, false});
    if (fresh) return;
    edge& e = at->second;
    e.seen = std::abs(dot(e.normal, normal)) < same_plane || (e.shared && e.seen);
    e.shared = true;
  };
  for (const dem::patch& p : patches) {
    if (p.is != dem::patch::form::triangle) continue;
    add(p.a, p.b, p.normal);
    add(p.b, p.c, p.normal);
    add(p.c, p.a, p.normal);
  }
  const bool smooth = std::none_of(edges.begin(), edges.end(), [](const auto& e) { return e.second.seen; });
  for (const auto& [key, e] : edges) {
    if (e.seen || smooth) to.push_back(e.ends);
  }
}

void include(bounds& space, const dem::patch& p) {
  if (p.is == dem::patch::form::turned) {
    for (const auto& [at, radius] : {std::pair{p.a, p.first}, std::pair{p.b, p.second}}) {
      const dem::vec around{radius, radius, radius};
      space.include(at - around);
      space.include(at + around);
    }
    return;
  }
  space.include(p.a);
  space.include(p.b);
  if (p.is == dem::patch::form::triangle) space.include(p.c);
}

/// Any point of what is drawn.
dem::vec first_point(const scene& what) {
  if (!what.bodies.empty()) return what.bodies.front().position;
  for (const dem::wall& w : what.settings.walls) {
    if (!w.patches.empty()) return w.patches.front().a;
  }
  if (!what.settings.pours.empty()) return what.settings.pours.front().into.a;
  return {};
}

}  // namespace

outline_space outline_space_of(const scene& what) {
  bounds space{first_point(what), first_point(what)};
  const bool solid = what.settings.dimension == 3;
  for (const dem::body& b : what.bodies) {
    const dem::vec r{b.radius, b.radius, solid ? b.radius : 0};
    space.include(b.position - r);
    space.include(b.position + r);
  }
  for (const dem::wall& w : what.settings.walls) {
    for (const dem::patch& p : w.patches) include(space, p);
  }
  for (const dem::pour& p : what.settings.pours) {
    space.include(p.into.a);
    space.include(p.into.b);
  }
  return {what.settings.dimension, space.min, space.max};
}

bool goes_elsewhere(const dem::settings& s, std::size_t k) {
  const dem::wall& w = s.walls[k];
  return !(w.velocity == dem::vec{}) || w.pressed.has_value() ||
         std::any_of(s.drives.begin(), s.drives.end(), [&](const dem::drive& d) {
           return std::find(d.walls.begin(), d.walls.end(), k) != d.walls.end();
         });
}

bool outlines_change(const dem::settings& s) {
  if (s.deform) return true;
  for (std::size_t k = 0; k < s.walls.size(); ++k) {
    if (goes_elsewhere(s, k) || !(s.walls[k].spin == dem::vec{}) || s.walls[k].opens_at) return true;
  }
  return false;
}

bool is_open(const dem::wall& w, double time) { return w.opens_at && time >= *w.opens_at; }

dem::vec any_across(const dem::vec& n) {
  const dem::vec u = cross(n, std::abs(n.z) < 0.9 ? dem::vec{0, 0, 1} : dem::vec{1, 0, 0});
  return u * (1 / length(u));
}

dem::patch cylinder_in(const dem::wall& w, const outline_space& of) {
  const double radius = std::abs(w.radius);
  dem::patch p{.is = dem::patch::form::turned, .a = w.point, .b = w.point, .normal = w.normal};
  p.first = p.second = radius;
  if (of.dimension == 2) return p;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int k = 0; k < 8; ++k) {
    const dem::vec corner{k % 2 == 0 ? of.min.x : of.max.x, k / 2 % 2 == 0 ? of.min.y : of.max.y,
                          k / 4 == 0 ? of.min.z : of.max.z};
    low = std::min(low, dot(corner - w.point, w.normal));
    high = std::max(high, dot(corner - w.point, w.normal));
  }
  p.a = w.point + w.normal * low;
  p.b = w.point + w.normal * high;
  return p;
}

std::vector<std::vector<dem::vec>> pieces_of_planes(const std::vector<dem::wall>& walls, const outline_space& of,
                                                    double time) {
  const planes_there there(walls, time);
  const bounds space = with_planes(of, there.planes);
  std::vector<polygon> pieces(walls.size());
  for (std::size_t k = 0; k < there.planes.size(); ++k) {
    pieces[there.walls[k]] = piece_of(there.planes, k, space, of.dimension == 3);
  }
  return pieces;
}

wall_lines outlines_of(const std::vector<dem::wall>& walls, const outline_space& of, double time) {
  const bounds space = with_planes(of, planes_there(walls, time).planes);
  wall_lines all = edges_of(pieces_of_planes(walls, of, time), length(space.max - space.min));
  for (std::size_t k = 0; k < walls.size(); ++k) {
    const dem::wall& w = walls[k];
    if (is_open(w, time)) continue;
    if (w.patches.empty() && !w.surface && w.radius != 0) add_turned(all.lines, cylinder_in(w, of));
    add_triangles(all.lines, w.patches);
    for (const dem::patch& p : w.patches) {
      if (p.is == dem::patch::form::turned) add_turned(all.lines, p);
      if (p.is == dem::patch::form::segment) all.lines.push_back({p.a, p.b});
    }
    all.belong_to(static_cast<std::int64_t>(k));
  }
  return all;
}

}  // namespace abut::cli
