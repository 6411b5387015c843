#include "render/source.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <abut/abut.hpp>

#include "files/bodies_file.hpp"
#include "files/file_bytes.hpp"
#include "files/read_polydata.hpp"
#include "render/values.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

file_bytes bytes_of(const std::string& path) {
  return read_file(path, [](std::string_view, double) {});
}

/// The value of an attribute of a line; nothing if it has none.
std::optional<std::string> quoted_after(std::string_view line, const std::string& start) {
  const std::size_t at = line.find(start);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t from = at + start.size();
  const std::size_t end = line.find('"', from);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(from, end - from));
}

/// The frames that a .pvd file lists.
std::vector<picture_source::frame> listed_frames(const fs::path& list) {
  const file_bytes bytes = bytes_of(list.string());
  std::string_view rest = bytes.text();
  std::vector<picture_source::frame> all;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto file = quoted_after(line, " file=\"");
    const auto time = quoted_after(line, " timestep=\"");
    if (file) all.push_back({(list.parent_path() / *file).string(), time ? to_number(*time) : std::nullopt});
  }
  return all;
}

/// The triangles of a file's polygons, which are triangles too.
std::vector<space_triangle> triangles_of(const polydata& data, const std::vector<dem::vec>& points) {
  const polydata::array* const corners = data.find_in("Polys", "connectivity");
  const polydata::array* const ends = data.find_in("Polys", "offsets");
  const std::vector<dem::vec> normals = vectors_of(data.find_in("PointData", "Normals"));
  std::vector<space_triangle> all;
  if (corners == nullptr || ends == nullptr) return all;
  std::size_t from = 0;
  for (const double end : ends->numbers) {
    const auto until = static_cast<std::size_t>(std::clamp(end, 0.0, static_cast<double>(corners->numbers.size())));
    if (until == from + 3) {
      space_triangle t;
      bool good = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const double at = corners->numbers[from + k];
        good = good && at >= 0 && at < static_cast<double>(points.size());
        if (!good) break;
        t.corners[k] = points[static_cast<std::size_t>(at)];
        if (normals.size() == points.size()) t.normals[k] = normals[static_cast<std::size_t>(at)];
      }
      const dem::vec across = cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]);
      for (dem::vec& n : t.normals) n = n == dem::vec{} ? across : n;
      if (good && length(across) > 0) all.push_back(t);
    }
    from = until;
  }
  return all;
}

/// Reads the walls of a file, if there is one.
wall_shapes walls_in(const fs::path& file) {
  if (!fs::exists(file)) return {};
  const polydata data = read_polydata(file.string(), bytes_of(file.string()).text());
  const std::vector<dem::vec> points = vectors_of(data.find("Points"));
  const polydata::array* const ends = data.find_in("Lines", "connectivity");
  wall_shapes walls;
  for (std::size_t k = 0; ends != nullptr && k + 1 < ends->numbers.size(); k += 2) {
    const double a = ends->numbers[k], b = ends->numbers[k + 1];
    if (!(a >= 0 && b >= 0 && std::max(a, b) < static_cast<double>(points.size()))) continue;
    walls.lines.push_back({points[static_cast<std::size_t>(a)], points[static_cast<std::size_t>(b)]});
  }
  walls.surfaces = triangles_of(data, points);
  return walls;
}

/// Another file of a frame: "walls-00012.vtp" or "contacts-00012.vtp" beside "bodies-00012.vtp". Empty for other files.
fs::path beside(const fs::path& frame, const std::string& what) {
  constexpr std::string_view start = "bodies-";
  const std::string name = frame.filename().string();
  if (!name.starts_with(start)) return {};
  return (frame.parent_path() / (what + name.substr(start.size() - 1))).replace_extension(".vtp");
}

/// The number of bodies that touch each one.
std::vector<double> coordination_of(const picture_content& what) {
  const bodies all = what.flat ? spheres(what.centers, &dem::vec::x, &dem::vec::y, column(what.radii))
                               : spheres(what.centers, &dem::vec::x, &dem::vec::y, &dem::vec::z, column(what.radii));
  std::vector<double> counts(what.centers.size());
  search finder;
  finder.update(all);
  finder.for_each_pair([&](row i, row j) {
    ++counts[i];
    ++counts[j];
  });
  return counts;
}

picture_content content_of_vtp(const std::string& path, const std::string& color) {
  const polydata data = read_polydata(path, bytes_of(path).text());
  picture_content what;
  what.centers = vectors_of(data.find_in("Points", "Points"));
  const polydata::array* const radius = data.find("radius");
  if (radius == nullptr) throw error(fmt::format("{}: has no radius, so no spheres can be drawn", path));
  what.radii = radius->numbers;
  what.flat = std::all_of(what.centers.begin(), what.centers.end(), [](const dem::vec& p) { return p.z == 0; });
  if (what.radii.size() != what.centers.size()) throw error(fmt::format("{}: its arrays have different lengths", path));
  const auto names = data.texts.find("materials");
  if (names != data.texts.end()) what.materials = names->second;
  set_values(what, color, path, data, beside(path, "contacts").string());
  return what;
}

picture_content content_of_bodies(const std::string& path, const std::string& color) {
  const bool common = color == "radius" || color == "coordination";
  const bool records = fs::path(path).extension() == ".npy";
  if (!common && !records) {
    throw error(fmt::format("{}: has nothing for --color {}; its colors are radius and coordination", path, color));
  }
  const bodies_file file = read_bodies(path, {}, [](std::string_view, double) {});
  if (file.kind != shape::sphere) throw error(fmt::format("{}: has boxes; only spheres and discs are drawn", path));
  picture_content what;
  what.flat = file.dimension == 2;
  const column& radius = file.columns[static_cast<std::size_t>(file.dimension)];
  for (std::size_t k = 0; k < file.size; ++k) {
    what.centers.push_back({file.columns[0][k], file.columns[1][k], what.flat ? 0 : file.columns[2][k]});
    what.radii.push_back(radius[k]);
  }
  if (color == "radius") what.values = what.radii;
  if (!common) set_values_of_npy(what, color, path, bytes_of(path).text());
  return what;
}

picture_content bodies_of(const std::string& path, const std::string& color) {
  return fs::path(path).extension() == ".vtp" ? content_of_vtp(path, color) : content_of_bodies(path, color);
}

/// Whether a frame without bodies is flat: as its walls are, or else as other frames are.
bool flat_without_bodies(const picture_source& from, const wall_shapes& walls) {
  const auto flat = [](const space_line& l) { return l[0].z == 0 && l[1].z == 0; };
  if (!walls.surfaces.empty()) return false;
  if (!walls.lines.empty()) return std::all_of(walls.lines.begin(), walls.lines.end(), flat);
  for (const picture_source::frame& other : from.frames) {
    const picture_content what = bodies_of(other.path, "radius");
    if (!what.centers.empty()) return what.flat;
  }
  return false;
}

}  // namespace

picture_source open_source(const std::string& path) {
  picture_source from{.name = path};
  if (!fs::is_directory(path)) {
    if (!fs::exists(path)) throw error(fmt::format("{}: there is no such folder or file", path));
    from.frames = {{path}};
    return from;
  }
  const fs::path folder(path);
  if (fs::exists(folder / "frames.pvd")) {
    from.frames = listed_frames(folder / "frames.pvd");
    from.numbered = true;
  }
  for (const char* name : {"state.vtp", "state.npy"}) {
    if (from.frames.empty() && fs::exists(folder / name)) from.frames = {{(folder / name).string()}};
  }
  if (from.frames.empty()) {
    throw error(
        fmt::format("{}: is not the folder of a run: it has neither frames.pvd nor state.vtp nor state.npy "
                    "(abut run SCENE --out {} makes one)",
                    path, path));
  }
  from.walls = walls_in(folder / "walls.vtp");
  return from;
}

picture_content read_content(const picture_source& from, std::size_t frame, const std::string& color) {
  const picture_source::frame& chosen = from.frames[frame];
  picture_content what = bodies_of(chosen.path, color);
  if (color == "coordination") {
    if (what.values.empty()) what.values = coordination_of(what);
    what.from_zero = what.whole = true;
  }
  if (what.radii.size() != what.centers.size() || what.values.size() != what.centers.size()) {
    throw error(fmt::format("{}: its arrays have different lengths", chosen.path));
  }
  for (std::size_t k = 0; k < what.centers.size(); ++k) {
    constexpr double most = 1e150;  // as for a search
    const dem::vec& p = what.centers[k];
    const auto fits = [](double v) { return std::abs(v) <= most; };
    if (fits(p.x) && fits(p.y) && fits(p.z) && fits(what.radii[k]) && what.radii[k] >= 0 && fits(what.values[k]))
      continue;
    throw error(fmt::format("{}: body {} has a number that cannot be drawn", chosen.path, k));
  }
  what.time = chosen.time;
  const fs::path moved = beside(chosen.path, "walls");
  const wall_shapes walls = fs::exists(moved) ? walls_in(moved) : from.walls;
  what.walls = walls.lines;
  what.surfaces = walls.surfaces;
  if (what.centers.empty()) what.flat = flat_without_bodies(from, walls);
  if (what.flat) what.surfaces.clear();
  return what;
}

void add_forces(picture_content& what, const picture_source& from, std::size_t frame) {
  what.forces = read_forces(beside(from.frames[frame].path, "contacts").string(), "--contacts");
}

}  // namespace abut::cli
