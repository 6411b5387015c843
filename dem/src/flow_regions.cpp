#include <abut/dem/flow.hpp>

#include <cmath>

#include <abut/error.hpp>

#include "finite.hpp"
#include "text.hpp"

namespace abut::dem {

region box_region(const vec& min, const vec& max) {
  if (!(min.x <= max.x && min.y <= max.y && min.z <= max.z) || !finite(min) || !finite(max)) {
    throw error("the box of a region needs finite corners with min <= max on every axis");
  }
  return {region::form::box, min, max, 0};
}

region cylinder_region(const vec& from, const vec& to, double radius) {
  if (!finite(from) || !finite(to) || !(length(to - from) > 0)) {
    throw error("the cylinder of a region has no axis");
  }
  if (!(radius > 0 && std::isfinite(radius))) {
    throw error("the cylinder of a region has radius " + text_of(radius));
  }
  return {region::form::cylinder, from, to, radius};
}

region half_space(const vec& point, const vec& normal) {
  if (!finite(point) || !finite(normal) || normal == vec{}) throw error("a half space has no direction");
  return {region::form::half_space, point, normal, 0};
}

bool contains(const region& r, const vec& point) {
  const vec d = point - r.a;
  if (r.is == region::form::half_space) return dot(d, r.b) > 0;
  if (r.is == region::form::box) {
    const vec rest = r.b - point;
    return d.x >= 0 && d.y >= 0 && d.z >= 0 && rest.x >= 0 && rest.y >= 0 && rest.z >= 0;
  }
  const vec axis = r.b - r.a;
  const double along = dot(d, axis) / dot(axis, axis);
  const vec out = d - axis * along;
  return along >= 0 && along <= 1 && dot(out, out) <= r.radius * r.radius;
}

}  // namespace abut::dem
