#include "screen/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace abut::cli {

double coordination_number(std::uint64_t pairs, std::uint64_t bodies) {
  return 2 * static_cast<double>(pairs) / static_cast<double>(bodies);
}

std::string three_digits(double value) {
  if (value == 0) return "0";
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string with_commas(std::uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string grouped;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) grouped += ',';
    grouped += digits[k];
  }
  return grouped;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(count), noun, count == 1 ? "" : "s");
}

std::string duration(double seconds) {
  if (seconds < 999.5e-9) return three_digits(seconds * 1e9) + " ns";
  if (seconds < 999.5e-6) return three_digits(seconds * 1e6) + " us";
  if (seconds < 999.5e-3) return three_digits(seconds * 1e3) + " ms";
  if (seconds < 120) return three_digits(seconds) + " s";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string byte_size(double bytes) {
  constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  if (unit == 0) return fmt::format("{:.0f} bytes", bytes);
  return three_digits(bytes) + " " + units[unit];
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return fmt::format("\"{}\"", one_line(text));
  std::size_t end = most;
  while (end > most - 4 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;  // no half characters
  return fmt::format("\"{}...\"", one_line(text.substr(0, end)));
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf5 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80U) return 0;
  }
  // Overlong forms, surrogates, and codes above the last character.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) >= 0xa0) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      line += byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : byte == '\t' ? "\\t" : fmt::format("\\x{:02x}", byte);
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

bool utf8_locale() {
  // As in the C library, the first that is set counts.
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    const auto has = [&](std::string_view sign) { return locale.find(sign) != std::string_view::npos; };
    return has("UTF-8") || has("utf-8") || has("UTF8") || has("utf8");
  }
  return false;
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

text_style style_of_stdout() {
  constexpr std::size_t narrowest = 40, widest = 100;
  return {.width = std::clamp(terminal_width(STDOUT_FILENO), narrowest, widest),
          .color = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr,
          .unicode = utf8_locale()};
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t length = characters(word);
    if (!lines.empty()) {
      if (used + 1 + length > width) {
        lines += '\n' + std::string(indent, ' ');
        used = indent;
      } else {
        lines += ' ';
        ++used;
      }
    }
    lines += word;
    used += length;
  }
  return lines;
}

void labeled_lines::add(std::string_view label, std::string_view text) {
  if (text.empty()) return;
  lines_ += fmt::format("{:<{}}{}\n", label, label_width, wrapped(text, width_, label_width));
}

void labeled_lines::add_lines(std::string_view label, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    lines_ += fmt::format("{:<{}}{}\n", &line == lines.data() ? label : "", label_width, line);
  }
}

std::string nearest(std::string_view wrong, const std::vector<std::string>& right) {
  const std::vector<std::string_view> views(right.begin(), right.end());
  return std::string(nearest_name(wrong, views));
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != words.data()) text += separator;
    text += word;
  }
  return text;
}

std::vector<std::string_view> comma_separated(std::string_view text) {
  std::vector<std::string_view> parts = split(text, ",");
  for (std::string_view& part : parts) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
  }
  return parts;
}

bool take_number(const char*& at, const char* end, double& value) {
  const char* begin = at;
  if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
  const auto [after, problem] = std::from_chars(begin, end, value);
  if (problem != std::errc()) return false;
  at = after;
  return true;
}

std::optional<double> to_number(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  double value = 0;
  if (!take_number(at, end, value) || at != end) return {};
  return value;
}

}  // namespace abut::cli
