#include <abut/dem/walls.hpp>

#include <cmath>
#include <string>

#include <abut/error.hpp>

#include "patches.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

// A vector of length 1 along `v`.
vec direction(const vec& v, const char* whose) {
  const double size = length(v);
  if (!(size > 0) || !std::isfinite(size)) throw error(std::string(whose) + " has no direction");
  return v * (1 / size);
}

// A wall of one patch of revolution.
wall turned_wall(const vec& from, const vec& to, const vec& axis, double first, double second, unsigned material) {
  wall w;
  w.point = w.center = from;
  w.normal = axis;
  w.material = material;
  w.patches = {{.is = patch::form::turned, .a = from, .b = to, .normal = axis, .first = first, .second = second}};
  return w;
}

void check_radius(double radius, bool fits, const char* what) {
  if (!fits || !std::isfinite(radius)) throw error(std::string(what) + " has radius " + text_of(radius));
}

}  // namespace

wall plane(const vec& point, const vec& normal, unsigned material) {
  wall w;
  w.point = w.center = point;
  w.normal = direction(normal, "the normal of a plane");
  w.material = material;
  return w;
}

std::vector<wall> box_walls(const vec& min, const vec& max, unsigned material, int dimension) {
  if (!(min.x < max.x && min.y < max.y && (dimension == 2 || min.z < max.z))) {
    throw error("a box of walls needs min < max on every axis");
  }
  std::vector<wall> all{plane(min, {1, 0, 0}, material), plane(max, {-1, 0, 0}, material),
                        plane(min, {0, 1, 0}, material), plane(max, {0, -1, 0}, material)};
  if (dimension == 3) {
    all.push_back(plane(min, {0, 0, 1}, material));
    all.push_back(plane(max, {0, 0, -1}, material));
  }
  return all;
}

wall endless_cylinder(const vec& point, const vec& axis, double radius, unsigned material) {
  check_radius(radius, radius != 0, "an endless cylinder");
  wall w;
  w.point = w.center = point;
  w.normal = direction(axis, "the axis of a cylinder");
  w.radius = radius;
  w.material = material;
  return w;
}

wall cylinder(const vec& from, const vec& to, double radius, unsigned material) {
  check_radius(radius, radius > 0, "a cylinder");
  return turned_wall(from, to, direction(to - from, "the axis of a cylinder"), radius, radius, material);
}

wall cone(const vec& from, const vec& to, double from_radius, double to_radius, unsigned material) {
  check_radius(from_radius, from_radius >= 0, "a cone");
  check_radius(to_radius, to_radius >= 0, "a cone");
  if (from_radius == 0 && to_radius == 0) throw error("a cone has radius 0 at both ends");
  return turned_wall(from, to, direction(to - from, "the axis of a cone"), from_radius, to_radius, material);
}

wall disc(const vec& center, const vec& normal, double radius, double hole, unsigned material) {
  check_radius(radius, radius > 0, "a disc");
  if (!(hole >= 0 && hole < radius))
    throw error("a disc of radius " + text_of(radius) + " has a hole of radius " + text_of(hole));
  return turned_wall(center, center, direction(normal, "the normal of a disc"), hole, radius, material);
}

wall rectangle(const vec& corner, const vec& side, const vec& other_side, unsigned material) {
  const vec far = corner + side + other_side;
  wall w = mesh({{corner, corner + side, far}, {corner, far, corner + other_side}}, material);
  w.point = w.center = corner;
  w.normal = w.patches[0].normal;
  return w;
}

wall segment(const vec& from, const vec& to, unsigned material) {
  const vec along = direction(to - from, "a segment");
  wall w;
  w.point = w.center = from;
  w.normal = any_across(along);
  w.material = material;
  w.patches = {{.is = patch::form::segment, .a = from, .b = to, .normal = w.normal}};
  return w;
}

wall mesh(const std::vector<triangle>& triangles, unsigned material) {
  if (triangles.empty()) throw error("a mesh has no triangles");
  wall w;
  w.material = material;
  for (const triangle& t : triangles) {
    const auto normal = normal_of(t);
    if (!normal) throw error("triangle " + std::to_string(w.patches.size()) + " of a mesh has no area");
    w.patches.push_back({.is = patch::form::triangle, .a = t.a, .b = t.b, .c = t.c, .normal = *normal});
  }
  return w;
}

}  // namespace abut::dem
