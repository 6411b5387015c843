#include "files/text_rows.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

std::string lowercase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return lower;
}

constexpr std::array<std::string_view, 11> our_names = {"x",    "y",    "z",    "r",    "radius", "xmin",
                                                        "xmax", "ymin", "ymax", "zmin", "zmax"};

struct other_name {
  std::string_view right;
  std::string_view other;
};

/// Names that other programs use for our columns, in lower case.
constexpr std::array other_names = {
    other_name{"r", "radius"},   other_name{"r", "rad"},      other_name{"r", "radii"},    other_name{"radius", "r"},
    other_name{"radius", "rad"}, other_name{"x", "xc"},       other_name{"x", "cx"},       other_name{"x", "pos_x"},
    other_name{"x", "x_pos"},    other_name{"x", "px"},       other_name{"x", "center_x"}, other_name{"y", "yc"},
    other_name{"y", "cy"},       other_name{"y", "pos_y"},    other_name{"y", "y_pos"},    other_name{"y", "py"},
    other_name{"y", "center_y"}, other_name{"xmin", "x_min"}, other_name{"xmax", "x_max"}, other_name{"ymin", "y_min"},
    other_name{"ymax", "y_max"}, other_name{"zmin", "z_min"}, other_name{"zmax", "z_max"},
};

/// The column of the header that was probably meant, or nothing.
std::string meant(const std::vector<std::string>& header, std::string_view wanted) {
  for (const std::string& name : header) {
    const std::string lower = lowercase(name);
    const bool known = std::any_of(other_names.begin(), other_names.end(),
                                   [&](const other_name& o) { return o.right == wanted && o.other == lower; });
    if (lower == wanted || known) return name;
  }
  // Names of one letter are all near each other, and so are our own.
  if (wanted.size() < 3) return {};
  std::vector<std::string> others;
  std::copy_if(header.begin(), header.end(), std::back_inserter(others), [](const std::string& name) {
    return std::find(our_names.begin(), our_names.end(), name) == our_names.end();
  });
  return nearest(wanted, others);
}

std::string listed(const std::vector<std::string>& header) {
  constexpr std::size_t most = 12;
  std::string list;
  for (std::size_t k = 0; k < header.size() && k < most; ++k) {
    list += k == 0 ? "" : ", ";
    list += header[k].size() > 40 || header[k].empty() ? in_quotes(header[k]) : one_line(header[k]);
  }
  return header.size() > most ? list + fmt::format(", ... ({} in all)", header.size()) : list;
}

}  // namespace

std::size_t row_lines::line_of(std::size_t r) const {
  const auto after = std::upper_bound(breaks_.begin(), breaks_.end(), r,
                                      [](std::size_t wanted, const auto& at) { return wanted < at.first; });
  if (after == breaks_.begin()) return 0;
  const auto& [row_there, line] = *std::prev(after);
  return line + (r - row_there);
}

bodies_file to_bodies(const std::string& path, const body_layout& layout, text_columns numbers) {
  bodies_file file = file_of(layout, numbers.columns[0].size());
  file.ids = std::move(numbers.ids);
  const auto owned = std::make_shared<const text_columns>(std::move(numbers));
  file.storage = owned;
  file.place = [path, owned](row r) { return fmt::format("{}:{}", path, owned->lines.line_of(r)); };
  for (std::size_t k = 0; k < owned->columns.size(); ++k) file.columns[k] = column(owned->columns[k]);
  if (layout.diameters) multiply_radii(file, 0.5);
  return file;
}

void refuse_number(const number_place& place, std::string_view field) {
  const std::string where = fmt::format("{}:{}: row {}, column {}", place.path, place.line, place.row, place.column);
  if (field.empty()) throw error(fmt::format("{}: is empty; write a number", where));
  if (field[0] == '+') field.remove_prefix(1);
  double value = 0;
  const auto [after, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (problem == std::errc::result_out_of_range && after == field.data() + field.size()) {
    throw error(fmt::format("{}: {} is past the range of a double (4.9e-324 to 1.8e308)", where, in_quotes(field)));
  }
  throw error(fmt::format("{}: {} is not a number", where, in_quotes(field)));
}

std::int64_t to_id(const number_place& place, std::string_view field) {
  std::int64_t id = 0;
  const auto [after, problem] = std::from_chars(field.data(), field.data() + field.size(), id);
  if (problem == std::errc() && after == field.data() + field.size()) return id;
  throw error(fmt::format("{}:{}: row {}, column {}: {} is not a whole number, as ids are", place.path, place.line,
                          place.row, place.column, in_quotes(field)));
}

int find_column(const std::string& place, const std::vector<std::string>& header, std::string_view wanted) {
  int found = -1;
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (header[k] != wanted) continue;
    if (found >= 0) {
      throw error(fmt::format("{}: column {} occurs twice (columns {} and {} of the header); remove or rename one",
                              place, wanted, found + 1, k + 1));
    }
    found = static_cast<int>(k);
  }
  return found;
}

void refuse_missing_column(const std::string& place, const std::vector<std::string>& header, std::string_view wanted) {
  const std::string found = meant(header, wanted);
  std::string way_out;
  if (!found.empty()) {
    way_out = fmt::format("; rename {} to {}", one_line(found), wanted);
  } else if (header.size() == 1 && header[0].find_first_of(";\t ") != std::string::npos) {
    way_out = "; separate columns by commas";
  } else if (!header.empty() && std::all_of(header.begin(), header.end(), [](auto& name) { return to_number(name); })) {
    way_out = "; the first line must name the columns: x,y,z,r, or else --columns x,y,z,r";
  } else if (wanted[0] == 'r') {
    const auto diameter = std::find_if(header.begin(), header.end(), [](const std::string& name) {
      return lowercase(name) == "diameter" || lowercase(name) == "d";
    });
    way_out = diameter != header.end() ? fmt::format("; rename {} to diameter", one_line(*diameter))
                                       : "; or give one radius for all: --radius R";
  }
  throw error(fmt::format("{}: missing column {}; the header has {}{}", place, wanted, listed(header), way_out));
}

}  // namespace abut::cli
