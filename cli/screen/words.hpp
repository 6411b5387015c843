#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Numbers and text, written for people and read from what they write.
namespace abut::cli {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string with_commas(std::uint64_t count);

/// "1 pair", "2 pairs"; the plural ends in s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// The mean number of contacts of a body: 2 pairs / bodies. There must be at least one body.
[[nodiscard]] double coordination_number(std::uint64_t pairs, std::uint64_t bodies);

/// Three significant digits, without an exponent: "0.12", "12.3", "123", "1234".
[[nodiscard]] std::string three_digits(double value);

/// 0.0123 as "12.3 ms": three digits, in a suitable unit.
[[nodiscard]] std::string duration(double seconds);

/// 3400000 as "3.40 MB".
[[nodiscard]] std::string byte_size(double bytes);

/// In double quotes, as one line, truncated if it is long.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The number of characters of a UTF-8 text: its width on a terminal, except for wide characters.
[[nodiscard]] std::size_t characters(std::string_view text);

/// The text as one line that is safe to print: escapes control characters and bytes that are not UTF-8.
[[nodiscard]] std::string one_line(std::string_view text);

/// The text as a word of a shell's command: in quotes if it needs them.
[[nodiscard]] std::string shell_word(std::string_view text);

/// The length in bytes of the first UTF-8 character of a non-empty text; 0 if it is not UTF-8.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Whether the environment asks for a UTF-8 locale; it need not be installed.
[[nodiscard]] bool utf8_locale();

/// The width of the terminal behind this file descriptor; 80 if there is none.
[[nodiscard]] std::size_t terminal_width(int descriptor);

/// How text for people may look.
struct text_style {
  std::size_t width = 80;
  bool color = false;
  bool unicode = false;
};

/// The style for standard output; its width is within what reads well, however wide the terminal is.
[[nodiscard]] text_style style_of_stdout();

/// Breaks the text at spaces into lines of at most `width` characters. Lines after the first are indented by `indent`
/// spaces; on the first line, the caller has already written that many characters.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// Lines that consist of a label and a text, wrapped next to it.
class labeled_lines {
 public:
  /// The width of the labels, with the space after them.
  static constexpr std::size_t label_width = 10;

  explicit labeled_lines(std::size_t width) : width_(width) {}
  /// Does nothing if the text is empty.
  void add(std::string_view label, std::string_view text);
  /// Adds lines as they are, below each other, next to the label. Does nothing if there are none.
  void add_lines(std::string_view label, const std::vector<std::string>& lines);
  [[nodiscard]] const std::string& text() const { return lines_; }

 private:
  std::size_t width_;
  std::string lines_;
};

/// The nearest of the right names, or "" if none is close.
[[nodiscard]] std::string nearest(std::string_view wrong, const std::vector<std::string>& right);

/// The words in one text, with the separator between them. (fmt::join takes half a second to compile in each file.)
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

/// The parts between commas, without surrounding spaces.
[[nodiscard]] std::vector<std::string_view> comma_separated(std::string_view text);

/// Reads the number at the front of [at, end) and moves `at` past it. Returns false if there is no number there or a
/// double cannot hold it. "nan" and "inf" are numbers here, and a sign + is allowed.
[[nodiscard]] bool take_number(const char*& at, const char* end, double& value);

/// The whole text as such a number.
[[nodiscard]] std::optional<double> to_number(std::string_view text);

}  // namespace abut::cli
