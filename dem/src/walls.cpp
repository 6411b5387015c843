#include <abut/dem/walls.hpp>

#include <cmath>

#include <abut/error.hpp>

namespace abut::dem {

wall plane(const vec& point, const vec& normal, unsigned material) {
  const double size = length(normal);
  if (!(size > 0) || !std::isfinite(size)) throw error("the normal of a plane has no direction");
  wall w;
  w.point = point;
  w.normal = normal * (1 / size);
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

}  // namespace abut::dem
