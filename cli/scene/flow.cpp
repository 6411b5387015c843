// [[pour]] and [[remove]]: bodies that come and go.

#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

using dem::vec;
using law_of_radii = dem::radius_distribution::law;

/// Refuses keys of one form of region beside those of another.
void refuse_beside(const value& table, std::string_view key, std::initializer_list<const char*> others) {
  if (table.find(key) == nullptr) return;
  for (const char* const other : others) {
    if (const value* const v = table.find(other)) refuse(*v, fmt::format("does not go with {}", key));
  }
}

vec needed(const value& table, std::string_view key, int dimension, std::string_view example) {
  const auto found = vector_in(table, key, dimension);
  if (!found) refuse_missing(table, key, example);
  return *found;
}

/// A box from min to max, a cylinder from one end to the other, or all beyond a plane.
dem::region region_in(const value& table, int dimension, bool half_spaces) {
  refuse_beside(table, "min", {"from", "to", "radius", "point", "normal"});
  refuse_beside(table, "from", {"max", "point", "normal"});
  refuse_beside(table, "point", {"max", "to", "radius"});
  if (half_spaces && table.find("point") != nullptr) {
    const vec point = needed(table, "point", dimension, "");
    const vec normal = needed(table, "normal", dimension, dimension == 2 ? "normal = [0, -1]" : "normal = [0, 0, -1]");
    return with_place(table, [&] { return dem::half_space(point, normal); });
  }
  if (const value* const from = table.find("from")) {
    if (dimension == 2) refuse(*from, "is for cylinders, which are 3D; give min and max");
    const vec low = needed(table, "from", 3, "");
    const vec high = needed(table, "to", 3, "to = [0, 0, 1]");
    const auto radius = number_in(table, "radius", "above 0", [](double r) { return r > 0; });
    if (!radius) refuse_missing(table, "radius", "radius = 0.1");
    return with_place(table, [&] { return dem::cylinder_region(low, high, *radius); });
  }
  const vec min = needed(table, "min", dimension, dimension == 2 ? "min = [0, 0]" : "min = [0, 0, 0]");
  const vec max = needed(table, "max", dimension, dimension == 2 ? "max = [1, 1]" : "max = [1, 1, 1]");
  return with_place(table, [&] { return dem::box_region(min, max); });
}

dem::radius_distribution radii_in(const value& table) {
  dem::radius_distribution d;
  if (const value* const rows = table.find("size_table")) {
    for (const char* const other : {"diameter", "sizes", "ratio"}) {
      if (const value* const v = table.find(other)) refuse(*v, "does not go with size_table");
    }
    d.is = law_of_radii::table;
    for (const value& row : rows->inside) {
      if (row.inside.size() != 2) refuse(row, fmt::format("is {}; it must be [diameter, share]", row.in_words()));
      d.table.push_back({row.inside[0].real / 2, row.inside[1].real});
    }
    return d;
  }
  const auto diameter = number_in(table, "diameter", "above 0", [](double v) { return v > 0; });
  if (!diameter) refuse_missing(table, "diameter", "diameter = 0.01");
  d.largest = *diameter / 2;
  d.is = static_cast<law_of_radii>(word_in(table, "sizes", {"equal", "uniform", "r-3", "mass"}, 0));
  const auto ratio = number_in(table, "ratio", "a number from 1 to 1e6", [](double r) { return r >= 1 && r <= 1e6; });
  if (ratio && d.is == law_of_radii::equal) refuse(*table.find("ratio"), "is for sizes uniform, r-3 or mass");
  d.ratio = d.is == law_of_radii::equal ? 1 : ratio.value_or(2);
  return d;
}

dem::pour pour_in(const value& table, const dem::settings& s) {
  const auto above_0 = [](double v) { return v > 0; };
  dem::pour p;
  p.into = region_in(table, s.dimension, false);
  p.radii = radii_in(table);
  p.material = material_in(table, s.materials);
  p.velocity = vector_in(table, "velocity", s.dimension).value_or(vec{});
  p.spin = spin_in(table, "spin", s.dimension).value_or(vec{});
  p.count = whole_in(table, "count");
  p.rate = number_in(table, "rate", "above 0", above_0);
  p.mass_rate = number_in(table, "mass_rate", "above 0", above_0);
  if (p.rate && p.mass_rate) refuse(*table.find("mass_rate"), "and rate are both given; give one");
  if (!p.count && !p.rate && !p.mass_rate) refuse_missing(table, "count, rate or mass_rate", "count = 1000");
  p.start = number_in(table, "start").value_or(p.start);
  p.end = number_in(table, "end").value_or(p.end);
  p.seed = whole_in(table, "seed").value_or(p.seed);
  p.every = whole_in(table, "every", 1).value_or(p.every);
  return p;
}

dem::removal removal_in(const value& table, int dimension) {
  dem::removal r;
  r.from = region_in(table, dimension, true);
  r.start = number_in(table, "start").value_or(r.start);
  r.end = number_in(table, "end").value_or(r.end);
  r.every = whole_in(table, "every", 1).value_or(r.every);
  r.held = word_in(table, "of", {"free", "held"}, 0) == 1;
  return r;
}

}  // namespace

void add_flow(scene& to, const value& root) {
  dem::settings& s = to.settings;
  if (const value* const tables = root.find("pour")) {
    for (const value& table : tables->inside) s.pours.push_back(pour_in(table, s));
  }
  if (const value* const tables = root.find("remove")) {
    for (const value& table : tables->inside) s.removals.push_back(removal_in(table, s.dimension));
  }
}

}  // namespace abut::cli
