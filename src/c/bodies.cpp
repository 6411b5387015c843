// The caller's bodies and labels as views of C++.

#include <array>

#include "c/inside.hpp"

namespace abut {

namespace {

column column_of(const abut_column& c, std::size_t count, const std::string& name) {
  if (count == 0) return {static_cast<const double*>(nullptr), 0};
  if (c.type != ABUT_DOUBLE && c.type != ABUT_FLOAT) {
    throw error(name + " has type " + std::to_string(c.type) + "; it must be ABUT_DOUBLE or ABUT_FLOAT");
  }
  if (c.data == nullptr) throw error(name + " has data NULL; give the address of row 0's number");
  if (c.type == ABUT_FLOAT) return {static_cast<const float*>(c.data), count, c.stride};
  return {static_cast<const double*>(c.data), count, c.stride};
}

std::array<column, 3> columns_of(const abut_column (&columns)[3], const abut_bodies& b, const std::string& name) {
  std::array<column, 3> axes;
  for (int k = 0; k < b.dimension; ++k) {
    axes[k] = column_of(columns[k], b.count, name + "[" + std::to_string(k) + "]");
  }
  return axes;
}

bodies volumes_of(const abut_bodies& b) {
  const bool flat = b.dimension == 2;
  if (b.shape == ABUT_SPHERE) {
    const auto [x, y, z] = columns_of(b.center, b, "center");
    const column r = column_of(b.radius, b.count, "radius");
    return flat ? spheres(x, y, r) : spheres(x, y, z, r);
  }
  const auto [xmin, ymin, zmin] = columns_of(b.min, b, "min");
  const auto [xmax, ymax, zmax] = columns_of(b.max, b, "max");
  return flat ? boxes(xmin, xmax, ymin, ymax) : boxes(xmin, xmax, ymin, ymax, zmin, zmax);
}

bodies with_labels(const bodies& volumes, const abut_bodies& b) {
  bodies made = volumes;
  if (b.group.data != nullptr) made = made.group(ids_of(b.group, b.count, "group"));
  if ((b.category.data == nullptr) != (b.collides.data == nullptr)) {
    throw error(std::string(b.category.data == nullptr ? "category" : "collides") +
                " has data NULL; give both masks or none");
  }
  if (b.category.data != nullptr) {
    made = made.mask(labels_of(b.category, b.count, "category"), labels_of(b.collides, b.count, "collides"));
  }
  return made;
}

}  // namespace

labels labels_of(const abut_labels& l, std::size_t count, const char* name) {
  if (l.data == nullptr || count == 0) return {};
  switch (l.type) {
    case ABUT_INT32:
      return {static_cast<const std::int32_t*>(l.data), count, l.stride};
    case ABUT_UINT32:
      return {static_cast<const std::uint32_t*>(l.data), count, l.stride};
    case ABUT_INT64:
      return {static_cast<const std::int64_t*>(l.data), count, l.stride};
    default:
      throw error(std::string(name) + " has type " + std::to_string(l.type) +
                  "; it must be ABUT_INT32, ABUT_UINT32 or ABUT_INT64");
  }
}

// A forgotten stride would silently give all bodies the same id.
labels ids_of(const abut_labels& l, std::size_t count, const char* name) {
  if (l.data != nullptr && l.stride == 0 && count > 0) {
    throw error(std::string(name) + " has stride 0; give the bytes from one row's id to the next");
  }
  return labels_of(l, count, name);
}

periodic_axes axes_of(const int (&periodic)[3], const double (&min)[3], const double (&max)[3]) {
  periodic_axes axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if (periodic[k] != 0) axes[k] = interval{min[k], max[k]};
  }
  return axes;
}

bodies bodies_of(const abut_bodies* from, const char* name) {
  const abut_bodies b = whole(from, name, "abut_bodies", {offsetof(abut_bodies, group)});
  if (b.shape != ABUT_SPHERE && b.shape != ABUT_BOX) {
    throw error("the bodies' shape is " + std::to_string(b.shape) + "; it must be ABUT_SPHERE or ABUT_BOX");
  }
  if (b.dimension != 2 && b.dimension != 3) {
    throw error("the bodies' dimension is " + std::to_string(b.dimension) + "; it must be 2 or 3");
  }
  const bodies volumes = volumes_of(b);
  if (b.count == 0) return volumes;
  const bodies labeled = with_labels(volumes, b);
  if (b.fixed == nullptr) return labeled;
  // A forgotten stride would silently fix all bodies or none.
  if (b.fixed_stride == 0) throw error("fixed_stride is 0; give the bytes from one flag to the next, 1 for an array");
  return labeled.fixed(flags(b.fixed, b.count, b.fixed_stride));
}

}  // namespace abut
