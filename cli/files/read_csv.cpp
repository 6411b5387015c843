#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files/text_rows.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// The layout, and for each field of a line the column that it goes to.
struct csv_layout {
  body_layout bodies;
  std::vector<std::string> names;
  std::vector<int> target;
};

/// Reads the fields of a .csv file one after the other. `at_` points to the first character of a field, or to the comma
/// or line end after it.
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

  /// A place to come back to.
  struct mark {
    const char* at;
    std::size_t line;
  };
  [[nodiscard]] mark here() const { return {at_, line_}; }
  void go_back(const mark& to) {
    at_ = to.at;
    line_ = to.line;
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

  /// Lines of spaces only are not rows.
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

  /// A field that must be a number. The fast path serves almost all of them.
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
        ++at_;  // two quotes mean one
      }
      if (*at_ == '\n') ++line_;
      text += *at_;
    }
    if (at_ == end_) throw error(fmt::format("{}:{}: a quote is opened and never closed", path_, opened));
    ++at_;
    while (!at_line_end() && *at_ != ',') text += *at_++;  // stray text after the quotes, for the message
    while (!text.empty() && is_space(text.back())) text.pop_back();
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  }

  const std::string& path_;
  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t line_ = 1;
};

std::vector<std::string> read_header(const std::string& place, csv_fields& fields) {
  std::vector<std::string> names;
  if (!fields.at_end()) {
    do names.push_back(fields.field());
    while (fields.take_comma());
  }
  for (const std::string& name : names) {
    if (name.find('\0') != std::string::npos) {
      throw error(fmt::format("{}: is not text (it holds a zero byte); abut reads .csv, .npy and LAMMPS dumps", place));
    }
  }
  if (names.empty()) throw error(fmt::format("{}: no header; the first line names the columns: x,y,z,r", place));
  return names;
}

/// Reads the header. If the file has none and the user names the columns, `fields` stays at the first line.
csv_layout read_layout(const std::string& path, csv_fields& fields, const columns_request& wanted) {
  fields.skip_blank_lines();
  const std::string place = fmt::format("{}:{}", path, fields.line());
  const csv_fields::mark first_line = fields.here();
  csv_layout layout;
  layout.names = read_header(place, fields);
  const bool headless = std::all_of(layout.names.begin(), layout.names.end(),
                                    [](const std::string& name) { return to_number(name).has_value(); });
  if (headless && !wanted.chosen.empty()) {
    layout.bodies = lay_out_unnamed(path, layout.names.size(), wanted);
    layout.names.clear();
    for (const chosen_column& c : wanted.chosen) layout.names.push_back(c.meaning);
    fields.go_back(first_line);
  } else {
    layout.bodies = lay_out(place, layout.names, wanted, naming::table);
    fields.next_line();
  }
  layout.target = layout.bodies.targets(layout.names.size());
  return layout;
}

void read_row(const std::string& path, csv_fields& fields, const csv_layout& layout, text_columns& out) {
  const std::size_t line = fields.line();
  const std::size_t row_here = out.columns[0].size();
  out.lines.begin_row(row_here, line);
  const std::size_t width = layout.target.size();
  // Collected first, so that the columns hold complete rows only.
  std::array<double, 6> values{};
  for (std::size_t f = 0; f < width; ++f) {
    const int target = layout.target[f];
    if (target == body_layout::for_nothing) {
      fields.skip_field();
    } else if (target == body_layout::for_id) {
      out.ids.push_back(to_id({path, line, row_here, layout.names[f]}, fields.field()));
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
  for (std::size_t k = 0; k < out.columns.size(); ++k) out.columns[k].push_back(values[k]);
}

}  // namespace

bodies_file read_csv(const std::string& path, std::string_view text, const columns_request& wanted,
                     const reading& progress) {
  csv_fields fields(path, text);
  const csv_layout layout = read_layout(path, fields, wanted);
  text_columns numbers;
  numbers.columns.resize(layout.bodies.fields.size());
  for (; fields.skip_blank_lines(), !fields.at_end(); fields.next_line()) {
    read_row(path, fields, layout, numbers);
    if (numbers.columns[0].size() % 65536 == 0) progress("parsing", fields.part());
    if (fields.at_end()) break;
  }
  return to_bodies(path, layout.bodies, std::move(numbers));
}

}  // namespace abut::cli
