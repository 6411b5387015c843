// The nearest points of triangles, segments and surfaces of revolution.

#include "patches.hpp"

#include <algorithm>
#include <cmath>

namespace abut::dem {

namespace {

// A point on an edge, a corner or a rim; `otherwise` is the normal if the center is on it.
patch_point border_point(const vec& center, const vec& at, const vec& otherwise) {
  const vec d = center - at;
  const double distance = length(d);
  return {distance, distance > 0 ? d * (1 / distance) : otherwise, at, false};
}

patch_point nearest_on_segment(const vec& a, const vec& b, const vec& center, const vec& otherwise) {
  const vec side = b - a;
  const double t = std::clamp(dot(center - a, side) / dot(side, side), 0.0, 1.0);
  return border_point(center, a + side * t, otherwise);
}

// By the regions of the corners and edges (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
patch_point nearest_on_triangle(const patch& p, const vec& center) {
  const vec ab = p.b - p.a;
  const vec ac = p.c - p.a;
  const vec ap = center - p.a;
  const vec bp = center - p.b;
  const vec cp = center - p.c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d1 <= 0 && d2 <= 0) return border_point(center, p.a, p.normal);
  if (d3 >= 0 && d4 <= d3) return border_point(center, p.b, p.normal);
  if (d6 >= 0 && d5 <= d6) return border_point(center, p.c, p.normal);
  if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0) return nearest_on_segment(p.a, p.b, center, p.normal);
  if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0) return nearest_on_segment(p.a, p.c, center, p.normal);
  if (d3 * d6 - d5 * d4 <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return nearest_on_segment(p.b, p.c, center, p.normal);
  const double height = dot(ap, p.normal);
  return {std::abs(height), height < 0 ? -p.normal : p.normal, center - p.normal * height, true};
}

// A center in the half plane that a turned line and its axis span.
struct half_plane {
  vec out{};       // from the axis, of length 1
  double rho = 0;  // along `out`
  double z = 0;    // along the axis, from a
};

half_plane half_plane_of(const patch& p, const vec& center) {
  const vec d = center - p.a;
  const double z = dot(d, p.normal);
  const vec radial = d - p.normal * z;
  const double rho = length(radial);
  return {rho > 0 ? radial * (1 / rho) : any_across(p.normal), rho, z};
}

// The nearest point in a half plane; sets `radius` to that of the point.
patch_point nearest_in(const patch& p, const half_plane& h, double& radius) {
  const double wide = p.second - p.first;
  const double high = dot(p.b - p.a, p.normal);
  const double size2 = wide * wide + high * high;
  const double size = std::sqrt(size2);
  const double t = ((h.rho - p.first) * wide + h.z * high) / size2;
  const double part = std::clamp(t, 0.0, 1.0);
  radius = p.first + part * wide;
  const vec at = p.a + h.out * radius + p.normal * (part * high);
  const vec across_line = h.out * (high / size) - p.normal * (wide / size);
  if (t > 0 && t < 1) {
    const double off = ((h.rho - p.first) * high - h.z * wide) / size;
    return {std::abs(off), off < 0 ? -across_line : across_line, at, true};
  }
  const double x = h.rho - radius;
  const double y = h.z - part * high;
  const double distance = std::sqrt(x * x + y * y);
  const vec normal = distance > 0 ? h.out * (x / distance) + p.normal * (y / distance) : across_line;
  return {distance, normal, at, radius == 0 && wide != 0};  // the tip of a cone and the middle of a disc are no rims
}

void widen(patch_box& box, const vec& at, const vec& by) {
  box.min = {std::min(box.min.x, at.x - by.x), std::min(box.min.y, at.y - by.y), std::min(box.min.z, at.z - by.z)};
  box.max = {std::max(box.max.x, at.x + by.x), std::max(box.max.y, at.y + by.y), std::max(box.max.z, at.z + by.z)};
}

}  // namespace

vec any_across(const vec& direction) {
  const bool steep = std::abs(direction.z) > 10 * (std::abs(direction.x) + std::abs(direction.y));
  const vec found = steep ? vec{direction.z, 0, -direction.x} : vec{-direction.y, direction.x, 0};
  return found * (1 / length(found));
}

std::optional<vec> normal_of(const triangle& t) {
  const vec ab = t.b - t.a;
  const vec ac = t.c - t.a;
  const vec bc = t.c - t.b;
  const vec area = cross(ab, ac);
  const double size = length(area);
  const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  if (!(size > 1e-12 * longest) || !std::isfinite(size)) return {};
  return area * (1 / size);
}

patch_point nearest(const patch& p, const vec& center) {
  if (p.is == patch::form::triangle) return nearest_on_triangle(p, center);
  if (p.is == patch::form::segment) {
    patch_point found = nearest_on_segment(p.a, p.b, center, p.normal);
    found.inside = !(found.at == p.a || found.at == p.b);
    return found;
  }
  double radius = 0;
  return nearest_in(p, half_plane_of(p, center), radius);
}

std::optional<patch_point> opposite_side(const patch& p, const vec& center) {
  if (p.is != patch::form::turned) return {};
  const half_plane h = half_plane_of(p, center);
  double radius = 0;
  (void)nearest_in(p, h, radius);
  if (!(h.rho < radius * (1 - 1e-9))) return {};  // of a disc, the two are equal up to rounding
  const patch_point found = nearest_in(p, {-h.out, -h.rho, h.z}, radius);
  return radius > 0 ? std::optional(found) : std::nullopt;
}

patch_box box_of(const patch& p) {
  patch_box box{p.a, p.a};
  if (p.is == patch::form::turned) {
    const auto reach = [&](double r) {
      const auto along = [&](double n) { return r * std::sqrt(std::max(0.0, 1 - n * n)); };
      return vec{along(p.normal.x), along(p.normal.y), along(p.normal.z)};
    };
    widen(box, p.a, reach(p.first));
    widen(box, p.b, reach(p.second));
    return box;
  }
  widen(box, p.b, {});
  if (p.is == patch::form::triangle) widen(box, p.c, {});
  return box;
}

}  // namespace abut::dem
