#include "files/body_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/text_rows.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// What a column can mean.
enum class part : std::uint8_t { x, y, z, r, xmin, xmax, ymin, ymax, zmin, zmax, id };
constexpr std::size_t part_count = 11;

/// The order of the columns of `bodies_file`.
constexpr part column_order[] = {part::x,    part::y,    part::z,    part::r,    part::xmin,
                                 part::ymin, part::zmin, part::xmax, part::ymax, part::zmax};

constexpr bool of_sphere(part p) { return p <= part::r; }
constexpr bool of_box(part p) { return p >= part::xmin && p <= part::zmax; }
constexpr bool on_z(part p) { return p == part::z || p == part::zmin || p == part::zmax; }

struct known_name {
  std::string_view name;
  part what;
  bool dumps_only = false;
};

/// The names of columns. If a file has several names for one part, the first in this list counts.
constexpr known_name known_names[] = {
    {"x", part::x},        {"y", part::y},         {"z", part::z},         {"xu", part::x, true},
    {"yu", part::y, true}, {"zu", part::z, true},  {"xs", part::x, true},  {"ys", part::y, true},
    {"zs", part::z, true}, {"xsu", part::x, true}, {"ysu", part::y, true}, {"zsu", part::z, true},
    {"r", part::r},        {"radius", part::r},    {"diameter", part::r},  {"xmin", part::xmin},
    {"xmax", part::xmax},  {"ymin", part::ymin},   {"ymax", part::ymax},   {"zmin", part::zmin},
    {"zmax", part::zmax},  {"id", part::id},
};
constexpr std::string_view names_to_choose = "x, y, z, r, radius, diameter, xmin, xmax, ymin, ymax, zmin, zmax, id";

const known_name* find_name(std::string_view name) {
  const auto* const at = std::find_if(std::begin(known_names), std::end(known_names),
                                      [&](const known_name& known) { return known.name == name; });
  return at == std::end(known_names) ? nullptr : at;
}

bool is_scaled(std::string_view meaning) { return meaning.size() > 1 && meaning[1] == 's'; }

/// A field of the file that is used.
struct used_field {
  std::size_t field = 0;
  std::string meaning{};
  std::string label{};
};
using used_fields = std::array<std::optional<used_field>, part_count>;

std::optional<used_field>& of(used_fields& used, part p) { return used[static_cast<std::size_t>(p)]; }

/// The names in use for spheres or for boxes, separated by commas.
std::string labels(const used_fields& used, bool (*belongs)(part)) {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < part_count; ++k) {
    if (used[k] && belongs(static_cast<part>(k))) list.push_back(used[k]->label);
  }
  return joined(list);
}

/// The first part that is missing for bodies of this shape.
std::optional<part> missing(used_fields& used, bool box, bool radius_given) {
  const bool solid = of(used, part::z) || of(used, part::zmin) || of(used, part::zmax);
  for (std::size_t k = 0; k < part_count; ++k) {
    const auto p = static_cast<part>(k);
    if (used[k] || !(box ? of_box(p) : of_sphere(p))) continue;
    if ((on_z(p) && !solid) || (p == part::r && radius_given)) continue;
    return p;
  }
  return {};
}

chosen_column read_choice(const std::string& text, std::string_view item) {
  const std::size_t equals = item.find('=');
  const std::string_view meaning = item.substr(0, equals);
  const std::string_view name = equals == std::string_view::npos ? meaning : item.substr(equals + 1);
  if (item.empty() || meaning.empty() || name.empty()) {
    throw error(fmt::format("--columns {}: a name is missing; write x,y,z,r or x=cx,y=cy,...", in_quotes(text)));
  }
  if ((meaning == "-" && name == "-") || find_name(meaning) != nullptr)
    return {std::string(meaning), std::string(name)};
  throw error(fmt::format("--columns {}: {} is none of {} and -; write x={} if the file has x under that name",
                          in_quotes(text), in_quotes(meaning), names_to_choose, name));
}

/// Throws unless the chosen columns describe spheres or boxes completely.
void check_choice(const columns_request& request) {
  used_fields used;
  const auto refuse = [&](const std::string& why) {
    throw error(fmt::format("--columns {}: {}", in_quotes(request.text), why));
  };
  for (const chosen_column& c : request.chosen) {
    const known_name* const known = find_name(c.meaning);
    if (known == nullptr) continue;
    std::optional<used_field>& there = of(used, known->what);
    if (there && there->meaning == c.meaning) refuse(c.meaning + " is named twice");
    if (there) refuse(fmt::format("{} and {} mean the same; name one", there->meaning, c.meaning));
    there = used_field{0, c.meaning, c.meaning};
  }
  const std::string round = labels(used, of_sphere), square = labels(used, of_box);
  if (!round.empty() && !square.empty()) {
    refuse(fmt::format("{} {} for spheres and {} for boxes; name those of one", round,
                       round.find(',') == std::string::npos ? "is" : "are", square));
  }
  if (!square.empty() && request.radius) refuse("boxes have no radius; leave --radius out");
  if (of(used, part::r) && request.radius) refuse("has radii; leave --radius out, or the column");
  const auto lacks = missing(used, !square.empty(), request.radius.has_value());
  if (lacks == part::r) refuse("has no radius; name a column r or diameter, or give one for all: --radius R");
  if (!lacks) return;
  for (const known_name& known : known_names) {
    if (known.what == *lacks) refuse(fmt::format("has no {}; name it too", known.name));
  }
}

/// The fields that the user has chosen by name.
used_fields chosen_fields(const std::string& place, const std::vector<std::string>& header,
                          const columns_request& request) {
  used_fields used;
  for (const chosen_column& c : request.chosen) {
    if (c.meaning == "-") continue;
    const int field = find_column(place, header, c.name);
    if (field < 0) refuse_missing_column(place, header, c.name);
    const std::string label = c.name == c.meaning ? c.name : fmt::format("{}={}", c.meaning, c.name);
    for (const auto& other : used) {
      if (other && other->field == static_cast<std::size_t>(field)) {
        throw error(fmt::format("--columns {}: takes column {} twice", in_quotes(request.text), in_quotes(c.name)));
      }
    }
    of(used, find_name(c.meaning)->what) = used_field{static_cast<std::size_t>(field), c.meaning, label};
  }
  return used;
}

/// The fields whose names say what they are.
used_fields named_fields(const std::string& place, const std::vector<std::string>& header, naming kind) {
  used_fields used;
  for (const known_name& known : known_names) {
    if (known.what == part::id || (known.dumps_only && kind != naming::dump)) continue;
    const int field = find_column(place, header, known.name);
    if (field < 0 || of(used, known.what)) continue;
    const std::string name(known.name);
    of(used, known.what) = used_field{static_cast<std::size_t>(field), name, name};
  }
  return used;
}

/// Whether the fields describe boxes. Throws if they do not describe either spheres or boxes completely.
bool decide_shape(const std::string& place, const std::vector<std::string>& header, used_fields& used,
                  const columns_request& request, naming kind) {
  const std::string round = labels(used, of_sphere), square = labels(used, of_box);
  if (!round.empty() && !square.empty()) {
    throw error(fmt::format("{}: has columns for spheres ({}) and for boxes ({}); choose some with --columns", place,
                            round, square));
  }
  const bool box = !square.empty();
  if (box && request.radius) throw error(fmt::format("--radius is for spheres, and {} has boxes ({})", place, square));
  if (const auto& r = of(used, part::r); r && request.radius) {
    throw error(fmt::format("--radius is given and {} has a column {}; leave one out, by --columns x,y,z for example",
                            place, r->label));
  }
  const auto lacks = missing(used, box, request.radius.has_value());
  if (!lacks) return box;
  if (lacks == part::r && kind == naming::dump) refuse_missing_column(place, header, "radius");
  for (const known_name& known : known_names) {
    if (known.what == *lacks) refuse_missing_column(place, header, known.name);
  }
  return box;
}

}  // namespace

std::vector<int> body_layout::targets(std::size_t width) const {
  std::vector<int> all(width, for_nothing);
  for (std::size_t k = 0; k < fields.size(); ++k) all[fields[k]] = static_cast<int>(k);
  if (id) all[*id] = for_id;
  return all;
}

void read_columns(columns_request& request, const std::string& text) {
  request.text = text;
  for (const std::string_view item : comma_separated(text)) request.chosen.push_back(read_choice(text, item));
  check_choice(request);
}

body_layout lay_out(const std::string& place, const std::vector<std::string>& header, const columns_request& request,
                    naming kind) {
  for (const chosen_column& c : request.chosen) {
    const known_name* const known = find_name(c.meaning);
    if (known == nullptr || !known->dumps_only || kind == naming::dump) continue;
    throw error(fmt::format("--columns {}: {} is for LAMMPS dumps; call it {}", in_quotes(request.text), c.meaning,
                            c.meaning[0]));
  }
  used_fields used = request.chosen.empty() ? named_fields(place, header, kind) : chosen_fields(place, header, request);
  if (request.ids && !of(used, part::id)) {
    const int field = find_column(place, header, "id");
    if (field < 0) throw error(fmt::format("{}: has no column id, which --ids needs; name one with --columns", place));
    of(used, part::id) = used_field{static_cast<std::size_t>(field), "id", "id"};
  }
  body_layout layout;
  const bool box = decide_shape(place, header, used, request, kind);
  layout.kind = box ? shape::box : shape::sphere;
  layout.dimension = of(used, box ? part::zmin : part::z) ? 3 : 2;
  layout.radius = request.radius;
  for (std::size_t k = 0; k < part_count; ++k) {
    const auto p = static_cast<part>(k);
    if (!used[k] || p == part::id) continue;
    layout.names.push_back(used[k]->label);
    if (k < 3) layout.scaled[k] = is_scaled(used[k]->meaning);
    if (p == part::r) layout.diameters = used[k]->meaning == "diameter";
  }
  for (const part p : column_order) {
    if (of(used, p)) layout.fields.push_back(of(used, p)->field);
  }
  if (request.ids) layout.id = of(used, part::id)->field;
  return layout;
}

body_layout lay_out_unnamed(const std::string& place, std::size_t width, const columns_request& request) {
  std::vector<std::string> header;
  for (const chosen_column& c : request.chosen) {
    if (c.name != c.meaning) {
      throw error(
          fmt::format("--columns {}: the columns of {} have no names; write x,y,z,r in their order, - for others",
                      in_quotes(request.text), place));
    }
    header.push_back(c.name);
  }
  if (header.size() != width) {
    throw error(fmt::format("--columns {} names {} and {} has {}; name each, with - for those to skip",
                            in_quotes(request.text), counted(header.size(), "column"), place, width));
  }
  return lay_out(place, header, request, naming::table);
}

}  // namespace abut::cli
