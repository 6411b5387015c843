#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/bodies.hpp>

#include "files/bodies_file.hpp"

/// What the readers of text share: rows of numbers, the lines they stand on, and the words for what is wrong with them.
namespace abut::cli {

/// The lines of rows. Rows mostly follow each other line by line, so only the breaks are kept.
class row_lines {
 public:
  /// Row `r` begins on this line (from 1). To be called in the order of rows.
  void begin_row(std::size_t r, std::size_t line) {
    if (breaks_.empty() || line - breaks_.back().second != r - breaks_.back().first) breaks_.emplace_back(r, line);
  }
  [[nodiscard]] std::size_t line_of(std::size_t r) const;

 private:
  std::vector<std::pair<std::size_t, std::size_t>> breaks_;
};

/// The numbers of a text file, column by column, and the lines of its rows.
struct text_columns {
  std::vector<std::vector<double>> columns;
  std::vector<std::int64_t> ids;  ///< where they are wanted
  row_lines lines;
};

/// Hands the numbers on. The order of `columns` is that of the layout's fields.
[[nodiscard]] bodies_file to_bodies(const std::string& path, const body_layout& layout, text_columns numbers);

/// Where a number stands.
struct number_place {
  std::string_view path;
  std::size_t line;
  std::size_t row;
  std::string_view column;
};

/// Reads the number at the front of [at, end) and moves `at` behind it; false where there is none, or none that a
/// double can hold.
[[nodiscard]] bool take_number(const char*& at, const char* end, double& value);

/// Throws: the field is empty, no number, or a number that a double cannot hold.
[[noreturn]] void refuse_number(const number_place& place, std::string_view field);

/// The field as an id. Throws unless it is a whole number.
[[nodiscard]] std::int64_t to_id(const number_place& place, std::string_view field);

/// Throws where `wanted` is in the header more than once. Returns its index, or -1 where it is not there.
[[nodiscard]] int find_column(const std::string& place, const std::vector<std::string>& header,
                              std::string_view wanted);

/// Throws: names the missing column, what the header has, and the column that was probably meant.
[[noreturn]] void refuse_missing_column(const std::string& place, const std::vector<std::string>& header,
                                        std::string_view wanted);

}  // namespace abut::cli
