#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

using dem::vec;
using dem::wall;

/// What a kind of wall is made from.
struct wall_request {
  const value& table;
  const scene& what;
  const scene_request& request;
  unsigned material;
  std::vector<std::string>& notes;

  [[nodiscard]] vec vector(std::string_view key, std::string_view example) const {
    const auto v = vector_in(table, key, what.settings.dimension);
    if (!v) refuse_missing(table, key, fmt::format("{} = {}", key, example));
    return *v;
  }
  [[nodiscard]] vec point(std::string_view key) const { return vector(key, is_flat() ? "[0, 0]" : "[0, 0, 0]"); }
  [[nodiscard]] vec direction(std::string_view key) const { return vector(key, is_flat() ? "[0, 1]" : "[0, 0, 1]"); }
  [[nodiscard]] double length(std::string_view key) const {
    const auto number = optional_length(key);
    if (!number) refuse_missing(table, key, fmt::format("{} = 0.1", key));
    return *number;
  }
  [[nodiscard]] std::optional<double> optional_length(std::string_view key) const {
    return number_in(table, key, "at least 0", [](double r) { return r >= 0; });
  }
  [[nodiscard]] bool is_flat() const { return what.settings.dimension == 2; }
};

double positive_in(const value& table, std::string_view key, std::string_view example) {
  const auto number = number_in(table, key, "above 0", [](double v) { return v > 0; });
  if (!number) refuse_missing(table, key, example);
  return *number;
}

std::optional<dem::servo> servo_in(const value& table) {
  const auto pressure = number_in(table, "pressure");
  if (!pressure) {
    for (const char* const key : {"area", "mass", "damping"}) {
      if (const value* const v = table.find(key)) refuse(*v, "is for walls that have a pressure");
    }
    return {};
  }
  dem::servo s;
  s.force = *pressure * positive_in(table, "area", "area = 0.01");
  s.mass = positive_in(table, "mass", "mass = 0.1");
  s.damping = number_in(table, "damping", "at least 0", [](double c) { return c >= 0; }).value_or(0);
  return s;
}

/// Calls a function that makes a wall, and adds the place to its errors. The arguments' own errors have theirs.
template <class F, class... Arguments>
wall made(const wall_request& r, F make, const Arguments&... arguments) {
  return with_place(r.table, [&] { return make(arguments..., r.material); });
}

wall read_plane(const wall_request& r) {
  wall w = made(r, dem::plane, r.point("point"), r.direction("normal"));
  w.pressed = servo_in(r.table);
  return w;
}

double signed_radius(const wall_request& r) {
  const double radius = r.length("radius");
  return word_in(r.table, "keeps", {"inside", "outside"}, 0) == 1 ? -radius : radius;
}

wall read_cylinder(const wall_request& r) {
  const vec from = r.point("from");
  const vec to = r.direction("to");
  if (r.table.find("keeps") == nullptr) return made(r, dem::cylinder, from, to, r.length("radius"));
  return made(r, dem::endless_cylinder, from, to - from, signed_radius(r));
}

wall read_circle(const wall_request& r) {
  return made(r, dem::endless_cylinder, r.point("point"), vec{0, 0, 1}, signed_radius(r));
}

wall read_cone(const wall_request& r) {
  return made(r, dem::cone, r.point("from"), r.direction("to"), r.length("radius"), r.length("end_radius"));
}

wall read_disc(const wall_request& r) {
  const double hole = r.optional_length("hole").value_or(0);
  return made(r, dem::disc, r.point("point"), r.direction("normal"), r.length("radius"), hole);
}

wall read_rectangle(const wall_request& r) {
  const vec side = r.vector("side", "[1, 0, 0]");
  return made(r, dem::rectangle, r.point("point"), side, r.vector("other_side", "[0, 1, 0]"));
}

wall read_segment(const wall_request& r) { return made(r, dem::segment, r.point("from"), r.direction("to")); }

/// The triangles of a file, or of a mesh that comes with the program.
dem::stl_file triangles_of(const value& name, const std::string& path) {
  const auto& all = shipped_meshes();
  const auto shipped =
      std::find_if(all.begin(), all.end(), [&](const shipped_scene& s) { return s.name == name.text; });
  return with_place(name, [&] {
    const bool own = shipped == all.end() || std::filesystem::exists(path);
    return own ? dem::read_stl(path) : dem::parse_stl(shipped->text, name.text);
  });
}

wall read_mesh(const wall_request& r) {
  const value* const name = r.table.find("file");
  if (name == nullptr) refuse_missing(r.table, "file", "file = \"mixer.stl\"");
  const std::string path = (std::filesystem::path(r.request.folder) / name->text).string();
  dem::stl_file file = triangles_of(*name, path);
  const double scale = number_in(r.table, "scale", "above 0", [](double s) { return s > 0; }).value_or(1);
  const vec at = vector_in(r.table, "at", 3).value_or(vec{});
  for (dem::triangle& t : file.triangles) t = {at + t.a * scale, at + t.b * scale, at + t.c * scale};
  if (file.flat > 0)
    r.notes.push_back(fmt::format("{} has {} without an area, left out", path, counted(file.flat, "triangle")));
  wall w = made(r, dem::mesh, file.triangles);
  w.center = at;
  return w;
}

/// A kind of wall, apart from the box, which is several.
struct wall_kind {
  const char* name;
  wall (*make)(const wall_request& r);  ///< null for a box
  int dimension;                        ///< 2 or 3 if it is for that one only, otherwise 0
  std::vector<std::string> keys;        ///< besides those that all have
};

const std::vector<wall_kind>& wall_kinds() {
  static const std::vector<wall_kind> all = {
      {"plane",
       read_plane,
       0,
       {"point", "normal", "velocity", "spin", "center", "pressure", "area", "mass", "damping"}},
      {"box", nullptr, 0, {"min", "max", "around", "open"}},
      {"cylinder", read_cylinder, 3, {"from", "to", "radius", "keeps", "velocity", "spin", "center"}},
      {"cone", read_cone, 3, {"from", "to", "radius", "end_radius", "velocity", "spin", "center"}},
      {"disc", read_disc, 3, {"point", "normal", "radius", "hole", "velocity", "spin", "center"}},
      {"rectangle", read_rectangle, 3, {"point", "side", "other_side", "velocity", "spin", "center"}},
      {"mesh", read_mesh, 3, {"file", "scale", "at", "velocity", "spin", "center"}},
      {"circle", read_circle, 2, {"point", "radius", "keeps", "velocity", "spin", "center"}},
      {"segment", read_segment, 2, {"from", "to", "velocity", "spin", "center"}},
  };
  return all;
}

const wall_kind& kind_in(const value& table, int dimension) {
  std::vector<std::string> names;
  for (const wall_kind& kind : wall_kinds()) names.emplace_back(kind.name);
  if (table.find("kind") == nullptr) refuse_missing(table, "kind", R"(kind = "plane")");
  const wall_kind& kind = wall_kinds()[word_in(table, "kind", names, 0)];
  if (kind.dimension != 0 && kind.dimension != dimension) {
    refuse(*table.find("kind"), fmt::format("is {}, which is for {}D, and the scene is {}D", in_quotes(kind.name),
                                            kind.dimension, dimension));
  }
  for (const value& v : table.inside) {
    const bool common = v.key == "kind" || v.key == "name" || v.key == "material" || v.key == "opens_at";
    if (common || std::find(kind.keys.begin(), kind.keys.end(), v.key) != kind.keys.end()) continue;
    refuse(v, fmt::format("has no meaning for a {}, whose keys are {}", kind.name, joined(kind.keys)));
  }
  return kind;
}

wall read_wall(const wall_kind& kind, const wall_request& r) {
  wall w = kind.make(r);
  const int dimension = r.what.settings.dimension;
  w.velocity = vector_in(r.table, "velocity", dimension).value_or(vec{});
  w.spin = spin_in(r.table, "spin", dimension).value_or(vec{});
  w.center = vector_in(r.table, "center", dimension).value_or(w.center);
  return w;
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

void add_walls(scene& to, const value& root, const scene_request& request) {
  const value* const tables = root.find("wall");
  if (tables == nullptr) return;
  std::vector<wall>& walls = to.settings.walls;
  for (const value& table : tables->inside) {
    const wall_kind& kind = kind_in(table, to.settings.dimension);
    if (kind.make == nullptr) {
      add_box(walls, table, to);
    } else {
      walls.push_back(read_wall(kind, {table, to, request, material_in(table, to.settings.materials), to.notes}));
    }
    to.wall_sources.push_back({to.wall_names.size(), table.place, table.path, name_in(table)});
    for (std::size_t w = to.wall_names.size(); w < walls.size(); ++w) walls[w].opens_at = number_in(table, "opens_at");
    to.wall_names.resize(walls.size(), name_in(table));
  }
}

}  // namespace abut::cli
