#include "run/wall_surfaces.hpp"

#include <numbers>

#include <abut/dem/portable.hpp>

namespace abut::cli {
namespace {

dem::vec unit(const dem::vec& v) {
  const double l = length(v);
  return l > 0 ? v * (1 / l) : v;
}

/// What a line leaves when it is turned about an axis: triangles all around.
void add_turned(std::vector<wall_surface>& to, std::size_t wall, const dem::patch& p) {
  constexpr int corners = 64;
  const dem::vec u = any_across(p.normal);
  const dem::vec v = cross(p.normal, u);
  const double along = dot(p.b - p.a, p.normal), wider = p.second - p.first;
  for (int k = 0; k < corners; ++k) {
    std::array<dem::vec, 2> out, normal;
    for (int side = 0; side < 2; ++side) {
      const double angle = 2 * std::numbers::pi * ((k + side) % corners) / corners;
      const auto at = static_cast<std::size_t>(side);
      out[at] = u * dem::portable_cos(angle) + v * dem::portable_sin(angle);
      normal[at] = unit(out[at] * along - p.normal * wider);
    }
    const std::array<dem::vec, 2> low{p.a + out[0] * p.first, p.a + out[1] * p.first};
    const std::array<dem::vec, 2> high{p.b + out[0] * p.second, p.b + out[1] * p.second};
    if (p.first > 0) to.push_back({wall, {low[0], low[1], high[0]}, {normal[0], normal[1], normal[0]}});
    if (p.second > 0) to.push_back({wall, {low[1], high[1], high[0]}, {normal[1], normal[1], normal[0]}});
  }
}

/// A convex polygon as triangles around its first corner.
void add_polygon(std::vector<wall_surface>& to, std::size_t wall, const std::vector<dem::vec>& corners,
                 const dem::vec& normal) {
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    to.push_back({wall, {corners[0], corners[k], corners[k + 1]}, {normal, normal, normal}});
  }
}

}  // namespace

std::vector<wall_surface> surfaces_of(const std::vector<dem::wall>& walls, const outline_space& space, double time) {
  std::vector<wall_surface> all;
  if (space.dimension == 2) return all;
  const std::vector<std::vector<dem::vec>> planes = pieces_of_planes(walls, space, time);
  for (std::size_t k = 0; k < walls.size(); ++k) {
    const dem::wall& w = walls[k];
    if (is_open(w, time)) continue;
    add_polygon(all, k, planes[k], w.normal);
    if (w.patches.empty() && !w.surface && w.radius != 0) add_turned(all, k, cylinder_in(w, space));
    for (const dem::patch& p : w.patches) {
      if (p.is == dem::patch::form::turned) add_turned(all, k, p);
      if (p.is == dem::patch::form::triangle) add_polygon(all, k, {p.a, p.b, p.c}, p.normal);
    }
  }
  return all;
}

}  // namespace abut::cli
