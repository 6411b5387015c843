#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"

namespace abut::cli {
namespace {

/// The keys of a wall that only one kind has.
struct wall_keys {
  const char* kind;
  std::vector<std::string> keys;
};

void refuse_foreign(const value& table, std::size_t kind) {
  const std::vector<wall_keys> kinds = {{"plane", {"point", "normal", "velocity"}},
                                        {"box", {"min", "max", "around", "open"}}};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (k == kind) continue;
    for (const std::string& key : kinds[k].keys) {
      if (const value* const v = table.find(key)) {
        refuse(*v, fmt::format("is for walls of the kind \"{}\", and this is a {}", kinds[k].kind, kinds[kind].kind));
      }
    }
  }
}

dem::wall read_plane(const value& table, const dem::settings& settings) {
  const auto point = vector_in(table, "point", settings.dimension);
  const auto normal = vector_in(table, "normal", settings.dimension);
  if (!point) refuse_missing(table, "point", "point = [0, 0, 0]");
  if (!normal) refuse_missing(table, "normal", "normal = [0, 0, 1]");
  dem::wall plane =
      with_place(table, [&] { return dem::plane(*point, *normal, material_in(table, settings.materials)); });
  plane.velocity = vector_in(table, "velocity", settings.dimension).value_or(dem::vec{});
  return plane;
}

/// The lower and the upper corner of a box.
struct corners {
  dem::vec min{}, max{};
};

corners around(const std::vector<dem::body>& bodies) {
  constexpr double far = std::numeric_limits<double>::infinity();
  corners c{{far, far, far}, {-far, -far, -far}};
  for (const dem::body& b : bodies) {
    const dem::vec& p = b.position;
    c.min = {std::min(c.min.x, p.x - b.radius), std::min(c.min.y, p.y - b.radius), std::min(c.min.z, p.z - b.radius)};
    c.max = {std::max(c.max.x, p.x + b.radius), std::max(c.max.y, p.y + b.radius), std::max(c.max.z, p.z + b.radius)};
  }
  return c;
}

corners corners_in(const value& table, const scene& what) {
  const auto min = vector_in(table, "min", what.settings.dimension);
  const auto max = vector_in(table, "max", what.settings.dimension);
  const value* const flag = table.find("around");
  if (flag != nullptr && flag->flag) {
    if (min || max) refuse(*flag, "is true, and min or max is given too; give one or the other");
    return around(what.bodies);
  }
  if (!min) refuse_missing(table, "min", "min = [0, 0, 0]");
  if (!max) refuse_missing(table, "max", "max = [1, 1, 1]");
  return {*min, *max};
}

/// Adds the sides of a box that are neither open nor across a periodic axis.
void add_box(std::vector<dem::wall>& walls, const value& table, const scene& what) {
  const dem::settings& settings = what.settings;
  const corners box = corners_in(table, what);
  std::vector<dem::wall> sides = with_place(table, [&] {
    return dem::box_walls(box.min, box.max, material_in(table, settings.materials), settings.dimension);
  });
  std::vector<std::string> names = {"-x", "+x", "-y", "+y", "-z", "+z"};
  names.resize(sides.size());
  std::vector<bool> without(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) without[k] = settings.periodic[k / 2].has_value();
  if (const value* const open = table.find("open")) {
    for (const value& side : open->inside) {
      const auto found = std::find(names.begin(), names.end(), side.text);
      if (found == names.end()) refuse_word(side, names);
      without[static_cast<std::size_t>(found - names.begin())] = true;
    }
  }
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (!without[k]) walls.push_back(sides[k]);
  }
}

}  // namespace

void add_walls(scene& to, const value& root) {
  const value* const tables = root.find("wall");
  if (tables == nullptr) return;
  std::vector<dem::wall>& walls = to.settings.walls;
  for (const value& table : tables->inside) {
    if (table.find("kind") == nullptr) refuse_missing(table, "kind", R"(kind = "plane" or "box")");
    const std::size_t kind = word_in(table, "kind", {"plane", "box"}, 0);
    refuse_foreign(table, kind);
    if (kind == 0) {
      walls.push_back(read_plane(table, to.settings));
    } else {
      add_box(walls, table, to);
    }
    to.wall_names.resize(walls.size(), text_in(table, "name").value_or(""));
  }
}

}  // namespace abut::cli
