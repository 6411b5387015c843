#include <abut/geometry.hpp>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

using vector = std::array<double, 3>;

vector moved(const vector& from, const vector& along, double by) {
  vector to{};
  for (int k = 0; k < 3; ++k) to[k] = from[k] + by * along[k];
  return to;
}

// The length of d and its direction; x if the length is 0. Scaled, because the squares of tiny numbers are 0.
double length(const vector& d, vector& direction) {
  const double largest = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
  if (largest == 0) {
    direction = {1, 0, 0};
    return 0;
  }
  const vector scaled{d[0] / largest, d[1] / largest, d[2] / largest};
  const double of_scaled = std::sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
  for (int k = 0; k < 3; ++k) direction[k] = scaled[k] / of_scaled;
  return largest * of_scaled;
}

touch touch_of_volumes(const sphere& a, const sphere& b, int dimension) {
  vector d{};
  for (int k = 0; k < dimension; ++k) d[k] = b.center[k] - a.center[k];
  touch t;
  const double distance = length(d, t.normal);
  t.overlap = (a.radius + b.radius) - distance;
  // Half-way between the surfaces, at ra and distance - rb. Of equal spheres, this is exactly the middle.
  t.point = moved(a.center, t.normal, 0.5 * (distance + (a.radius - b.radius)));
  return t;
}

touch touch_of_volumes(const box& a, const box& b, int dimension) {
  touch t;
  int axis = 0;
  bool up = true;  // whether b is on the upper side of a on that axis
  for (int k = 0; k < dimension; ++k) {
    const double above = a.max[k] - b.min[k];
    const double below = b.max[k] - a.min[k];
    const double depth = std::min(above, below);
    if (k == 0 || depth < t.overlap) {
      t.overlap = depth;
      axis = k;
      up = above <= below;
    }
    t.point[k] = 0.5 * std::max(a.min[k], b.min[k]) + 0.5 * std::min(a.max[k], b.max[k]);
  }
  t.normal[axis] = up ? 1 : -1;
  t.point[axis] = up ? 0.5 * a.max[axis] + 0.5 * b.min[axis] : 0.5 * a.min[axis] + 0.5 * b.max[axis];
  return t;
}

// From the center to the nearest point of the box; all 0 if the center is in it.
vector way_to(const vector& center, const box& b, int dimension) {
  vector d{};
  for (int k = 0; k < dimension; ++k) d[k] = std::clamp(center[k], b.min[k], b.max[k]) - center[k];
  return d;
}

bool is_zero(const vector& d) { return d[0] == 0 && d[1] == 0 && d[2] == 0; }

// A sphere with its center in the box touches it as the center does, deeper by its radius.
touch touch_of_volumes(const sphere& a, const box& b, int dimension) {
  const vector d = way_to(a.center, b, dimension);
  touch t;
  if (is_zero(d)) {
    t = touch_of_volumes(box{a.center, a.center}, b, dimension);
    t.overlap += a.radius;
    t.point = moved(t.point, t.normal, 0.5 * a.radius);
    return t;
  }
  const double distance = length(d, t.normal);
  t.overlap = a.radius - distance;
  t.point = moved(a.center, t.normal, 0.5 * (distance + a.radius));
  return t;
}

touch touch_of_volumes(const box& a, const sphere& b, int dimension) {
  if (is_zero(way_to(b.center, a, dimension))) {
    touch t = touch_of_volumes(a, box{b.center, b.center}, dimension);
    t.overlap += b.radius;
    t.point = moved(t.point, t.normal, -0.5 * b.radius);
    return t;
  }
  touch t = touch_of_volumes(b, a, dimension);
  for (int k = 0; k < dimension; ++k) t.normal[k] = 0 - t.normal[k];  // never -0
  return t;
}

}  // namespace

touch touch_of(const region& a, const region& b, int dimension) {
  touch t = std::visit([&](const auto& u, const auto& v) { return touch_of_volumes(u, v, dimension); }, a, b);
  if (dimension == 2) t.point[2] = 0;
  return t;
}

region region_of(const bodies& b, row i) {
  const int d = b.dimension();
  if (b.kind() == shape::sphere) {
    sphere s;
    for (int k = 0; k < d; ++k) s.center[k] = b.at(k)[i];
    s.radius = b.at(d)[i];
    return s;
  }
  box x;
  for (int k = 0; k < d; ++k) {
    x.min[k] = b.at(k)[i];
    x.max[k] = b.at(d + k)[i];
  }
  return x;
}

std::array<double, 3> center_of(const region& a) {
  if (const sphere* const s = std::get_if<sphere>(&a)) return s->center;
  const box& x = std::get<box>(a);
  vector c{};
  for (int k = 0; k < 3; ++k) c[k] = 0.5 * x.min[k] + 0.5 * x.max[k];
  return c;
}

region nearest_image(const region& a, const region& b, const std::array<std::optional<interval>, 3>& periodic) {
  const vector from = center_of(a);
  const vector to = center_of(b);
  region moved = b;
  for (int k = 0; k < 3; ++k) {
    if (!periodic[k]) continue;
    const double side = periodic[k]->max - periodic[k]->min;
    const double periods = std::ceil((to[k] - from[k]) / side - 0.5);
    if (periods == 0 || !std::isfinite(periods)) continue;
    if (sphere* const s = std::get_if<sphere>(&moved)) {
      s->center[k] -= periods * side;
    } else {
      std::get<box>(moved).min[k] -= periods * side;
      std::get<box>(moved).max[k] -= periods * side;
    }
  }
  return moved;
}

touch touch_of(const bodies& b, pair p, const std::array<std::optional<interval>, 3>& periodic) {
  const region first = region_of(b, p.i);
  return touch_of(first, nearest_image(first, region_of(b, p.j), periodic), b.dimension());
}

}  // namespace abut
