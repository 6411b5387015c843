#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "text_rows.hpp"
#include "words.hpp"

namespace abut::cli {
namespace {

constexpr std::array<std::string_view, 4> sphere_names = {"x", "y", "z", "r"};
constexpr std::array<std::string_view, 6> box_names = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};

/// What the header says: the shape, and for each field of a row the column it goes to, or -1.
struct csv_layout {
  shape kind = shape::sphere;
  int dimension = 3;
  std::vector<std::string> names;
  std::vector<int> target;
  std::size_t columns = 0;
};

/// The fields of a .csv file, one after the other: `at_` stands on the first character of a field, or on the comma or
/// the line end behind it.
class csv_fields {
 public:
  csv_fields(const std::string& path, std::string_view text)
      : path_(path), begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] bool at_line_end() const {
    return at_ == end_ || *at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n'));
  }
  [[nodiscard]] double part() const {
    return static_cast<double>(at_ - begin_) / static_cast<double>(std::max<std::ptrdiff_t>(end_ - begin_, 1));
  }

  bool take_comma() {
    if (at_ == end_ || *at_ != ',') return false;
    ++at_;
    return true;
  }

  void next_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ != end_) ++at_;
    ++line_;
  }

  /// Lines of nothing but spaces are no rows.
  void skip_blank_lines() {
    while (at_ != end_) {
      const char* const start = at_;
      skip_spaces();
      if (!at_line_end()) {
        at_ = start;
        return;
      }
      if (at_ != end_) next_line();
    }
  }

  /// The text of a field, without the quotes and the spaces around it.
  std::string field() {
    skip_spaces();
    if (at_ != end_ && *at_ == '"') return quoted_field();
    const char* const start = at_;
    while (!at_line_end() && *at_ != ',') ++at_;
    const char* stop = at_;
    while (stop != start && is_space(stop[-1])) --stop;
    return {start, stop};
  }

  void skip_field() {
    skip_spaces();
    if (at_ != end_ && *at_ == '"') {
      quoted_field();
      return;
    }
    while (!at_line_end() && *at_ != ',') ++at_;
  }

  /// A field that must be a number. The quick way serves almost all of them.
  double number(const number_place& place) {
    skip_spaces();
    const char* const start = at_;
    double value = 0;
    if (take_number(at_, end_, value)) {
      skip_spaces();
      if (at_line_end() || *at_ == ',') return value;
    }
    at_ = start;
    const std::string text = field();
    const char* rest = text.data();
    const char* const stop = rest + text.size();
    if (!take_number(rest, stop, value) || rest != stop) refuse_number(place, text);
    return value;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t'; }
  void skip_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }

  std::string quoted_field() {
    const std::size_t opened = line_;
    std::string text;
    for (++at_; at_ != end_; ++at_) {
      if (*at_ == '"') {
        if (at_ + 1 == end_ || at_[1] != '"') break;
        ++at_;  // two quotes stand for one
      }
      if (*at_ == '\n') ++line_;
      text += *at_;
    }
    if (at_ == end_) throw error(fmt::format("{}:{}: a quote is opened and never closed", path_, opened));
    ++at_;
    while (!at_line_end() && *at_ != ',') text += *at_++;  // stray text behind the quotes: kept, to be shown or ignored
    while (!text.empty() && is_space(text.back())) text.pop_back();
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  }

  const std::string& path_;
  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t line_ = 1;
};

/// The indices of these columns in the header; empty where none of them is there. Those on the z axis are needed only
/// together, and then `dimension` is 3.
template <std::size_t N>
std::vector<int> locate(const std::string& place, const std::vector<std::string>& header,
                        const std::array<std::string_view, N>& names, int& dimension) {
  std::vector<int> found;
  dimension = 2;
  for (const std::string_view name : names) {
    found.push_back(find_column(place, header, name));
    if (found.back() >= 0 && name[0] == 'z') dimension = 3;
  }
  return found;
}

/// The first needed name that is missing, or nothing.
template <std::size_t N>
std::string_view missing(const std::vector<int>& found, const std::array<std::string_view, N>& names, int dimension) {
  for (std::size_t k = 0; k < N; ++k) {
    if (found[k] < 0 && (dimension == 3 || names[k][0] != 'z')) return names[k];
  }
  return {};
}

csv_layout read_layout(const std::string& path, csv_fields& fields) {
  fields.skip_blank_lines();
  const std::string place = fmt::format("{}:{}", path, fields.line());
  csv_layout layout;
  if (!fields.at_end()) {
    do layout.names.push_back(fields.field());
    while (fields.take_comma());
  }
  for (const std::string& name : layout.names) {
    if (name.find('\0') != std::string::npos) {
      throw error(fmt::format("{}: is not text (it holds a zero byte); abut reads .csv, .npy and LAMMPS dumps", place));
    }
  }
  if (layout.names.empty()) throw error(fmt::format("{}: no header; the first line names the columns: x,y,z,r", place));

  int sphere_dimension = 2, box_dimension = 2;
  const std::vector<int> as_sphere = locate(place, layout.names, sphere_names, sphere_dimension);
  const std::vector<int> as_box = locate(place, layout.names, box_names, box_dimension);
  const std::string_view sphere_lacks = missing(as_sphere, sphere_names, sphere_dimension);
  const std::string_view box_lacks = missing(as_box, box_names, box_dimension);
  if (sphere_lacks.empty() && box_lacks.empty()) {
    throw error(
        fmt::format("{}: has columns for spheres (x, y, r) and for boxes (xmin, ...); rename those of one", place));
  }
  const auto present = [](const std::vector<int>& found) {
    return std::count_if(found.begin(), found.end(), [](int k) { return k >= 0; });
  };
  const bool box = box_lacks.empty() || (!sphere_lacks.empty() && present(as_box) > present(as_sphere));
  const std::string_view lacks = box ? box_lacks : sphere_lacks;
  if (!lacks.empty()) refuse_missing_column(place, layout.names, lacks);

  layout.kind = box ? shape::box : shape::sphere;
  layout.dimension = box ? box_dimension : sphere_dimension;
  layout.target.assign(layout.names.size(), -1);
  for (const int field : box ? as_box : as_sphere) {
    if (field >= 0) layout.target[static_cast<std::size_t>(field)] = static_cast<int>(layout.columns++);
  }
  return layout;
}

void read_row(const std::string& path, csv_fields& fields, const csv_layout& layout, text_columns& out) {
  const std::size_t line = fields.line();
  const std::size_t row_here = out.columns[0].size();
  out.lines.begin_row(row_here, line);
  const std::size_t width = layout.target.size();
  // The first column is filled last, because its length is the number of whole rows.
  std::array<double, 6> values{};
  for (std::size_t f = 0; f < width; ++f) {
    const int target = layout.target[f];
    if (target < 0) {
      fields.skip_field();
    } else {
      values[static_cast<std::size_t>(target)] = fields.number({path, line, row_here, layout.names[f]});
    }
    if (f + 1 < width && !fields.take_comma()) {
      throw error(fmt::format("{}:{}: row {} has {} of {} columns, none for {}; the file may be cut short", path, line,
                              row_here, f + 1, width, in_quotes(layout.names[f + 1])));
    }
  }
  if (!fields.at_line_end()) {
    throw error(fmt::format("{}:{}: row {} has more columns than the {} of the header; put text with commas in quotes",
                            path, line, row_here, width));
  }
  for (std::size_t k = 0; k < layout.columns; ++k) out.columns[k].push_back(values[k]);
}

}  // namespace

bodies_file read_csv(const std::string& path, std::string_view text, const reading& progress) {
  csv_fields fields(path, text);
  const csv_layout layout = read_layout(path, fields);
  text_columns numbers;
  numbers.columns.resize(layout.columns);
  for (fields.next_line(); fields.skip_blank_lines(), !fields.at_end(); fields.next_line()) {
    read_row(path, fields, layout, numbers);
    if (numbers.columns[0].size() % 65536 == 0) progress("parsing", fields.part());
    if (fields.at_end()) break;
  }
  return to_bodies(path, layout.kind, layout.dimension, std::move(numbers));
}

}  // namespace abut::cli
