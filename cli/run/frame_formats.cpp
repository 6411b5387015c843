// What a frame looks like in each format.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "files/blocks.hpp"
#include "files/polydata.hpp"
#include "run/frame_files.hpp"
#include "run/wall_surfaces.hpp"

namespace abut::cli {
namespace {

std::array<double, 3> numbers_of(const dem::vec& v) { return {v.x, v.y, v.z}; }

data_array whole_array(const char* name, std::size_t count, std::function<std::int64_t(std::size_t)> at) {
  return {"Int64", name, 1,
          count,   8,    [at = std::move(at)](std::size_t k, std::string& out) { append_bytes(out, at(k)); }};
}

data_array real_array(const char* name, std::size_t count, std::function<double(std::size_t)> at) {
  return {"Float64", name, 1,
          count,     8,    [at = std::move(at)](std::size_t k, std::string& out) { append_bytes(out, at(k)); }};
}

data_array vector_array(const char* name, std::size_t count, std::function<dem::vec(std::size_t)> at) {
  return {"Float64", name,
          3,         count,
          24,        [at = std::move(at)](std::size_t k, std::string& out) { append_vector(out, numbers_of(at(k))); }};
}

data_array quaternion_array(const char* name, std::size_t count, std::function<dem::quaternion(std::size_t)> at) {
  return {"Float64", name, 4, count, 32, [at = std::move(at)](std::size_t k, std::string& out) {
            const dem::quaternion q = at(k);
            for (const double part : {q.w, q.x, q.y, q.z}) append_bytes(out, part);
          }};
}

std::vector<std::string> names_of(const dem::material_table& materials) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < materials.size(); ++k) names.push_back(materials[k].name);
  return names;
}

/// The ends of the lines 0-1, 2-3, ...
data_element line_ends(std::size_t lines) {
  data_array ends = whole_array("connectivity", 2 * lines, [](std::size_t k) { return static_cast<std::int64_t>(k); });
  return {"Lines", "", {std::move(ends), whole_array("offsets", lines, [](std::size_t k) {
                          return static_cast<std::int64_t>(2 * (k + 1));
                        })}};
}

/// "ff ff pp" and the bounds of the box: the period, or around all bodies.
std::string dump_box(const dem::state& s, const dem::settings& settings) {
  std::string flags, bounds;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool flat = axis == 2 && settings.dimension == 2;
    double low = 0, high = 0;
    for (row i = 0; i < s.size(); ++i) {
      const double at = numbers_of(s.position[i])[axis];
      low = i == 0 ? at - s.radius[i] : std::min(low, at - s.radius[i]);
      high = i == 0 ? at + s.radius[i] : std::max(high, at + s.radius[i]);
    }
    const auto& period = settings.periodic[axis];
    if (period) {
      low = period->min;
      high = period->max;
    }
    flags += period || flat ? " pp" : " ff";
    bounds += fmt::format("{} {}\n", low, high);
  }
  return fmt::format("ITEM: BOX BOUNDS{}\n{}", flags, bounds);
}

}  // namespace

std::vector<row> rows_by_id(const dem::state& s) {
  std::vector<row> order(s.size());
  std::iota(order.begin(), order.end(), row{0});
  std::sort(order.begin(), order.end(), [&](row a, row b) { return s.id[a] < s.id[b]; });
  return order;
}

std::vector<std::int64_t> clumps_of(const dem::state& s) {
  constexpr std::int64_t none = -1;
  std::vector<std::int64_t> all(s.clump.size(), none);
  std::map<std::uint32_t, std::int64_t> lowest;
  for (row i = 0; i < all.size(); ++i) {
    if (s.clump[i] == dem::no_clump) continue;
    const auto [found, first] = lowest.try_emplace(s.clump[i], s.id[i]);
    if (!first) found->second = std::min<std::int64_t>(found->second, s.id[i]);
  }
  for (row i = 0; i < all.size(); ++i) {
    if (s.clump[i] != dem::no_clump) all[i] = lowest[s.clump[i]];
  }
  return all;
}

void write_bodies_vtp(output_file& file, const dem::state& s, const std::vector<std::uint32_t>& coordination,
                      const dem::material_table& materials, const further_columns& more) {
  const std::size_t n = s.size();
  const std::vector<row> order = rows_by_id(s);
  const auto vectors = [&](const char* name, const std::vector<dem::vec>& of) {
    return vector_array(name, n, [&](std::size_t k) { return of[order[k]]; });
  };
  const auto own = [](std::size_t k) { return static_cast<std::int64_t>(k); };
  const auto next = [](std::size_t k) { return static_cast<std::int64_t>(k + 1); };
  const std::vector<std::int64_t> clump = clumps_of(s);
  std::vector<data_array> numbers = {real_array("radius", n, [&](std::size_t k) { return s.radius[order[k]]; }),
                                     real_array("mass", n, [&](std::size_t k) { return s.mass[order[k]]; }),
                                     vectors("velocity", s.velocity),
                                     vectors("spin", s.spin),
                                     vectors("force", s.force),
                                     whole_array("id", n, [&](std::size_t k) { return s.id[order[k]]; }),
                                     whole_array("material", n, [&](std::size_t k) { return s.material[order[k]]; })};
  if (more.torque) numbers.push_back(vectors("torque", s.torque));
  if (more.orientation) {
    numbers.push_back(quaternion_array("orientation", n, [&](std::size_t k) { return s.orientation[order[k]]; }));
  }
  if (!clump.empty()) numbers.push_back(whole_array("clump", n, [&](std::size_t k) { return clump[order[k]]; }));
  numbers.push_back(whole_array("coordination", n, [&](std::size_t k) { return coordination[order[k]]; }));
  write_polydata(file, n, n, 0,
                 {{"FieldData", "", {text_array("materials", names_of(materials))}},
                  {"PointData", R"( Scalars="radius" Vectors="velocity")", std::move(numbers)},
                  {"Points", "", {vectors("Points", s.position)}},
                  {"Verts", "", {whole_array("connectivity", n, own), whole_array("offsets", n, next)}}},
                 1);
}

void write_contacts_vtp(output_file& file, const std::vector<dem::contact_report>& all) {
  const std::size_t n = all.size();
  constexpr std::int64_t none = -1;
  const auto second = [&](std::size_t k) { return all[k].wall ? none : std::int64_t{all[k].second}; };
  const auto wall = [&](std::size_t k) { return all[k].wall ? static_cast<std::int64_t>(*all[k].wall) : none; };
  write_polydata(
      file, 2 * n, 0, n,
      {{"CellData",
        R"( Scalars="normal_force")",
        {real_array("normal_force", n, [&](std::size_t k) { return all[k].normal_force; }),
         vector_array("tangential_force", n, [&](std::size_t k) { return all[k].tangential_force; }),
         real_array("overlap", n, [&](std::size_t k) { return all[k].overlap; }),
         whole_array("id_i", n, [&](std::size_t k) { return all[k].first; }), whole_array("id_j", n, second),
         whole_array("wall", n, wall)}},
       {"Points",
        "",
        {vector_array("Points", 2 * n, [&](std::size_t k) { return k % 2 == 0 ? all[k / 2].from : all[k / 2].to; })}},
       line_ends(n)},
      1);
}

void write_walls_vtp(output_file& file, const wall_lines& outlines, const std::vector<wall_surface>& surfaces,
                     const std::vector<std::string>& names) {
  const std::vector<outline>& lines = outlines.lines;
  const std::size_t n = 2 * lines.size(), m = surfaces.size();
  const auto wall_of = [&](std::size_t k) {
    return k < lines.size() ? outlines.walls[k] : static_cast<std::int64_t>(surfaces[k - lines.size()].wall);
  };
  std::vector<data_array> of_cells = {whole_array("wall", lines.size() + m, wall_of)};
  const bool named = std::any_of(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); });
  if (named) {
    std::vector<std::string> texts(lines.size() + m);
    for (std::size_t k = 0; k < texts.size(); ++k) {
      if (const std::int64_t wall = wall_of(k); wall >= 0) texts[k] = names[static_cast<std::size_t>(wall)];
    }
    of_cells.push_back(text_array("name", texts));
  }
  const auto point = [&](std::size_t k) {
    return k < n ? lines[k / 2][k % 2] : surfaces[(k - n) / 3].corners[(k - n) % 3];
  };
  const auto normal = [&](std::size_t k) {
    return k < n ? dem::vec{0, 0, 1} : surfaces[(k - n) / 3].normals[(k - n) % 3];  // lines need none
  };
  const auto corner = [=](std::size_t k) { return static_cast<std::int64_t>(n + k); };
  const auto end = [](std::size_t k) { return static_cast<std::int64_t>(3 * (k + 1)); };
  std::vector<data_element> elements;
  if (m > 0) elements.push_back({"PointData", R"( Normals="Normals")", {vector_array("Normals", n + 3 * m, normal)}});
  elements.push_back({"CellData", "", std::move(of_cells)});
  elements.push_back({"Points", "", {vector_array("Points", n + 3 * m, point)}});
  elements.push_back(line_ends(lines.size()));
  elements.push_back({"Polys", "", {whole_array("connectivity", 3 * m, corner), whole_array("offsets", m, end)}});
  write_polydata(file, n + 3 * m, 0, lines.size(), elements, 1);
}

void write_dump(output_file& file, const dem::simulation& now, const dem::settings& settings,
                const std::vector<std::uint32_t>& coordination, const further_columns& more) {
  const dem::state& s = now.bodies();
  const std::vector<row> order = rows_by_id(s);
  const bool solid = settings.dimension == 3;
  const std::string start = fmt::format(
      "ITEM: TIMESTEP\n{}\nITEM: TIME\n{}\nITEM: NUMBER OF ATOMS\n{}\n{}"
      "ITEM: ATOMS id type x y {}radius vx vy vz omegax omegay omegaz fx fy fz coordination{}{}\n",
      now.steps(), now.time(), s.size(), dump_box(s, settings), solid ? "z " : "", more.torque ? " tqx tqy tqz" : "",
      more.orientation ? " quatw quati quatj quatk" : "");
  file.write(start.data(), start.size());
  write_blocks(file, s.size(), 1, [&](std::size_t from, std::size_t to, std::string& out) {
    for (std::size_t k = from; k < to; ++k) {
      const row i = order[k];
      const dem::vec &p = s.position[i], &v = s.velocity[i], &w = s.spin[i], &f = s.force[i];
      out += fmt::format("{} {} {} {} ", s.id[i] + 1, s.material[i] + 1, p.x, p.y);
      if (solid) out += fmt::format("{} ", p.z);
      out += fmt::format("{} {} {} {} {} {} {} {} {} {} {}", s.radius[i], v.x, v.y, v.z, w.x, w.y, w.z, f.x, f.y, f.z,
                         coordination[i]);
      const dem::quaternion& q = s.orientation[i];
      if (more.torque) out += fmt::format(" {} {} {}", s.torque[i].x, s.torque[i].y, s.torque[i].z);
      if (more.orientation) out += fmt::format(" {} {} {} {}", q.w, q.x, q.y, q.z);
      out += '\n';
    }
  });
}

}  // namespace abut::cli
