#include "render/source.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <abut/abut.hpp>

#include "files/bodies_file.hpp"
#include "files/file_bytes.hpp"
#include "files/read_polydata.hpp"
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

std::vector<dem::vec> vectors_of(const polydata::array* from) {
  if (from == nullptr || from->components != 3) return {};
  std::vector<dem::vec> all(from->numbers.size() / 3);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = {from->numbers[3 * k], from->numbers[3 * k + 1], from->numbers[3 * k + 2]};
  }
  return all;
}

std::vector<space_line> walls_in(const fs::path& file) {
  if (!fs::exists(file)) return {};
  const std::vector<dem::vec> ends =
      vectors_of(read_polydata(file.string(), bytes_of(file.string()).text()).find("Points"));
  std::vector<space_line> lines;
  for (std::size_t k = 0; k + 1 < ends.size(); k += 2) lines.push_back({ends[k], ends[k + 1]});
  return lines;
}

/// The outlines of walls that belong to a frame, if walls move: "walls-00012.vtp" beside "bodies-00012.vtp".
std::optional<fs::path> walls_of_frame(const fs::path& frame) {
  constexpr std::string_view start = "bodies-";
  const std::string name = frame.filename().string();
  if (!name.starts_with(start)) return std::nullopt;
  const fs::path file = frame.parent_path() / ("walls-" + name.substr(start.size()));
  return fs::exists(file) ? std::optional(file) : std::nullopt;
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

/// The values of a color in a .vtp file; nothing if it lacks them.
std::optional<std::vector<double>> values_in(const polydata& data, const std::string& color) {
  const bool length_of = color == "speed" || color == "force";
  const polydata::array* const array = data.find(color == "speed" ? "velocity" : color);
  if (array == nullptr || (array->components == 3) != length_of) return std::nullopt;
  if (!length_of) return array->numbers;
  std::vector<double> lengths;
  for (const dem::vec& v : vectors_of(array)) lengths.push_back(length(v));
  return lengths;
}

picture_content content_of_vtp(const std::string& path, const std::string& color) {
  const polydata data = read_polydata(path, bytes_of(path).text());
  picture_content what;
  what.centers = vectors_of(data.find("Points"));
  const polydata::array* const radius = data.find("radius");
  if (radius == nullptr) throw error(fmt::format("{}: has no radius, so no spheres can be drawn", path));
  what.radii = radius->numbers;
  what.flat = std::all_of(what.centers.begin(), what.centers.end(), [](const dem::vec& p) { return p.z == 0; });
  if (const auto values = values_in(data, color)) {
    what.values = *values;
  } else if (color != "coordination") {
    throw error(fmt::format("{}: has nothing for --color {}", path, color));
  }
  return what;
}

picture_content content_of_bodies(const std::string& path, const std::string& color) {
  if (color != "radius" && color != "coordination") {
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
  return what;
}

picture_content bodies_of(const std::string& path, const std::string& color) {
  return fs::path(path).extension() == ".vtp" ? content_of_vtp(path, color) : content_of_bodies(path, color);
}

/// Whether a frame without bodies is flat: as its walls are, or else as other frames are.
bool flat_without_bodies(const picture_source& from, const std::vector<space_line>& walls) {
  const auto flat = [](const space_line& l) { return l[0].z == 0 && l[1].z == 0; };
  if (!walls.empty()) return std::all_of(walls.begin(), walls.end(), flat);
  for (const picture_source::frame& other : from.frames) {
    const picture_content what = bodies_of(other.path, "radius");
    if (!what.centers.empty()) return what.flat;
  }
  return false;
}

}  // namespace

const std::vector<std::string>& color_names() {
  static const std::vector<std::string> names = {"radius", "speed", "force", "coordination", "material"};
  return names;
}

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
  if (color == "coordination" && what.values.empty()) what.values = coordination_of(what);
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
  const auto moved = walls_of_frame(chosen.path);
  what.walls = moved ? walls_in(*moved) : from.walls;
  if (what.centers.empty()) what.flat = flat_without_bodies(from, what.walls);
  return what;
}

}  // namespace abut::cli
