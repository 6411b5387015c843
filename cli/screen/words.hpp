#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Numbers and texts for people.
namespace abut::cli {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t count);

/// "1 pair", "2 pairs"; the plural is made with an s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// How many contacts a body has on average: 2 pairs / bodies. Not of no bodies.
[[nodiscard]] double coordination_number(std::uint64_t pairs, std::uint64_t bodies);

/// Three significant digits, without an exponent: "0.12", "12.3", "123", "1234".
[[nodiscard]] std::string three_digits(double value);

/// 0.0123 as "12.3 ms": three digits, in the unit that suits.
[[nodiscard]] std::string duration(double seconds);

/// 3400000 as "3.40 MB".
[[nodiscard]] std::string byte_size(double bytes);

/// In double quotes, as one line, and no longer than that can bear.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// How many characters stand in a UTF-8 text: its width on a terminal, wide characters aside.
[[nodiscard]] std::size_t characters(std::string_view text);

/// The text with line breaks, other control characters and bytes that are not UTF-8 escaped: safe to print as one line.
[[nodiscard]] std::string one_line(std::string_view text);

/// The length of the UTF-8 character at the front of a text that is not empty; 0 where it is not UTF-8.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Whether the locale's characters are UTF-8, by the variables that name it; it need not be installed.
[[nodiscard]] bool utf8_locale();

/// The width of the terminal behind this file descriptor; 80 where there is none.
[[nodiscard]] std::size_t terminal_width(int descriptor);

/// The text broken at spaces into lines within `width`, each after the first behind `indent` spaces; `indent` counts
/// for the first line too, which the caller has begun.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// Lines of a label and a text that is wrapped behind it.
class labeled_lines {
 public:
  explicit labeled_lines(std::size_t width) : width_(width) {}
  /// Nothing where the text is empty.
  void add(std::string_view label, std::string_view text);
  [[nodiscard]] const std::string& text() const { return lines_; }

 private:
  std::size_t width_;
  std::string lines_;
};

/// The nearest of the right names, or nothing where none is close.
[[nodiscard]] std::string nearest(std::string_view wrong, const std::vector<std::string>& right);

/// The parts between commas, without the spaces around them.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text);

/// The whole text as a number, nothing left over; "nan" and "inf" are numbers here.
[[nodiscard]] std::optional<double> to_number(std::string_view text);

}  // namespace abut::cli
