#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/bodies.hpp>

#include "files/bodies_file.hpp"

/// What the readers of text files share: columns of numbers, the lines of rows, and messages.
namespace abut::cli {

/// The line of each row. Stores only the rows that are not on the line after the previous row.
class row_lines {
 public:
  /// Row `r` begins on this line, from 1. Must be called in the order of rows.
  void begin_row(std::size_t r, std::size_t line) {
    if (breaks_.empty() || line - breaks_.back().second != r - breaks_.back().first) breaks_.emplace_back(r, line);
  }
  [[nodiscard]] std::size_t line_of(std::size_t r) const;

 private:
  std::vector<std::pair<std::size_t, std::size_t>> breaks_;
};

/// The columns of a text file, and the lines of its rows.
struct text_columns {
  std::vector<std::vector<double>> columns;
  std::vector<std::int64_t> ids;  ///< if they are wanted
  row_lines lines;
};

/// Makes bodies of the columns, which are in the order of the layout's fields.
[[nodiscard]] bodies_file to_bodies(const std::string& path, const body_layout& layout, text_columns numbers);

/// The place of a number, for messages.
struct number_place {
  std::string_view path;
  std::size_t line;
  std::size_t row;
  std::string_view column;
};

/// Throws `error`: the field is empty, not a number, or a number that a double cannot hold.
[[noreturn]] void refuse_number(const number_place& place, std::string_view field);

/// The field as an id. Throws `error` unless it is a whole number.
[[nodiscard]] std::int64_t to_id(const number_place& place, std::string_view field);

/// The index of `wanted` in the header, or -1. Throws `error` if it occurs more than once.
[[nodiscard]] int find_column(const std::string& place, const std::vector<std::string>& header,
                              std::string_view wanted);

/// Throws `error`: names the missing column, those of the header, and the one that was probably meant.
[[noreturn]] void refuse_missing_column(const std::string& place, const std::vector<std::string>& header,
                                        std::string_view wanted);

}  // namespace abut::cli
