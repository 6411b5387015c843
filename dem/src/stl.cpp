// Files of triangles: STL, binary or text.

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <abut/dem/walls.hpp>
#include <abut/error.hpp>

#include "patches.hpp"

namespace abut::dem {

namespace {

constexpr std::size_t binary_start = 84;  // 80 bytes of anything, then the number of triangles
constexpr std::size_t binary_each = 50;   // twelve numbers, the first three of them a normal, and two bytes

std::uint32_t whole_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 4; k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

vec point_at(std::string_view bytes, std::size_t at) {
  const auto number = [&](std::size_t k) { return double{std::bit_cast<float>(whole_at(bytes, at + 4 * k))}; };
  return {number(0), number(1), number(2)};
}

void add(stl_file& to, const triangle& t) {
  if (normal_of(t)) {
    to.triangles.push_back(t);
  } else {
    ++to.flat;
  }
}

stl_file read_binary(const std::string& path, std::string_view bytes) {
  stl_file all;
  const std::uint32_t count = whole_at(bytes, binary_start - 4);
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::size_t at = binary_start + std::size_t{k} * binary_each;
    const triangle t{point_at(bytes, at + 12), point_at(bytes, at + 24), point_at(bytes, at + 36)};
    const vec sum = t.a + t.b + t.c;
    if (!std::isfinite(sum.x + sum.y + sum.z)) {
      throw error(path + ": triangle " + std::to_string(k) + " has a coordinate that is not finite");
    }
    add(all, t);
  }
  return all;
}

// Words of a text, with the lines that they are in.
class text_words {
 public:
  text_words(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  // The next word in lower case; empty at the end.
  std::string next() {
    while (at_ < text_.size() && is_space(text_[at_])) skip();
    std::string word;
    for (; at_ < text_.size() && !is_space(text_[at_]); ++at_) {
      const char c = text_[at_];
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return word;
  }
  void expect(std::string_view wanted) {
    const std::string word = next();
    if (word != wanted) refuse(word, "\"" + std::string(wanted) + "\"");
  }
  double number() {
    const std::string word = next();
    const char* const first = word.data() + (word.starts_with('+') ? 1 : 0);
    const char* const end = word.data() + word.size();
    double value = 0;
    const auto [stop, problem] = std::from_chars(first, end, value);
    if (problem != std::errc() || stop != end || !std::isfinite(value)) refuse(word, "a finite number");
    return value;
  }
  void rest_of_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  [[noreturn]] void refuse(const std::string& word, const std::string& wanted) const {
    const std::string shown = word.size() > 40 ? word.substr(0, 40) + "..." : word;
    throw error(path_ + ":" + std::to_string(line_) + ": " +
                (word.empty() ? "the file ends" : "there is \"" + shown + "\"") + ", expected " + wanted);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
  void skip() { line_ += text_[at_++] == '\n' ? 1 : 0; }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

vec read_point(text_words& words) {
  const double x = words.number();
  const double y = words.number();
  const double z = words.number();
  return {x, y, z};
}

// After "facet".
triangle read_facet(text_words& words) {
  words.expect("normal");
  for (int k = 0; k < 3; ++k) (void)words.next();  // often wrong, and never needed
  words.expect("outer");
  words.expect("loop");
  std::array<vec, 3> corner;
  for (vec& c : corner) {
    words.expect("vertex");
    c = read_point(words);
  }
  words.expect("endloop");
  words.expect("endfacet");
  return {corner[0], corner[1], corner[2]};
}

stl_file read_text(const std::string& path, std::string_view text) {
  stl_file all;
  text_words words(path, text);
  for (std::string word = words.next(); !word.empty(); word = words.next()) {
    if (word != "solid") words.refuse(word, "\"solid\" or the end");
    words.rest_of_line();
    for (word = words.next(); word == "facet"; word = words.next()) add(all, read_facet(words));
    if (word != "endsolid") words.refuse(word, R"("facet" or "endsolid")");
    words.rest_of_line();
  }
  return all;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  try {
    if (file) return {std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure&) {  // a folder
  }
  throw error(path + ": cannot be read");
}

stl_file read_any(const std::string& path, std::string_view bytes) {
  const bool has_count = bytes.size() >= binary_start;
  const std::size_t needed =
      has_count ? binary_start + std::size_t{whole_at(bytes, binary_start - 4)} * binary_each : 0;
  if (has_count && bytes.size() == needed) return read_binary(path, bytes);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && bytes.substr(begin, 5) == "solid") return read_text(path, bytes);
  if (!has_count) throw error(path + ": is no STL file: it has " + std::to_string(bytes.size()) + " bytes");
  throw error(path + ": is cut off or no STL file: its " + std::to_string(whole_at(bytes, binary_start - 4)) +
              " triangles need " + std::to_string(needed) + " bytes, and it has " + std::to_string(bytes.size()));
}

}  // namespace

stl_file read_stl(const std::string& path) { return parse_stl(contents(path), path); }

stl_file parse_stl(std::string_view bytes, const std::string& name) {
  stl_file all = read_any(name, bytes);
  if (all.triangles.empty()) {
    throw error(name + ": has no triangles" + (all.flat > 0 ? " with an area" : ""));
  }
  return all;
}

}  // namespace abut::dem
