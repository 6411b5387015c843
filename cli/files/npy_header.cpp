#include "files/npy_header.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t largest_record = std::size_t{1} << 30U;

/// Parses the dictionary, whose keys may be in any order, with any spaces.
class dictionary_reader {
 public:
  dictionary_reader(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  npy_header read() {
    npy_header header;
    bool have_type = false, have_order = false, have_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        read_type(header);
        have_type = true;
      } else if (key == "fortran_order") {
        header.fortran = boolean();
        have_order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        have_shape = true;
      } else {
        refuse();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!have_type || !have_order || !have_shape) refuse();
    return header;
  }

 private:
  [[noreturn]] void refuse() const {
    throw error(
        fmt::format("{}: damaged .npy header {}; save the array again with numpy.save", path_, in_quotes(text_)));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) refuse();
  }

  std::string string() {
    const bool single = take('\'');
    if (!single) expect('"');
    const std::size_t end = text_.find(single ? '\'' : '"', at_);
    if (end == std::string_view::npos) refuse();
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  /// A plain type is a string; a type of records is a list of fields: [('x', '<f8'), ('v', '<f8', (3,))].
  void read_type(npy_header& header) {
    if (!take('[')) {
      header.type = string();
      return;
    }
    header.records = true;
    while (!take(']')) {
      header.fields.push_back(field(header.record_size));
      header.record_size += header.fields.back().size;
      if (header.record_size > largest_record) refuse();
      if (take(',')) continue;
      expect(']');
      break;
    }
  }

  npy_field field(std::size_t offset) {
    npy_field one{.offset = offset};
    expect('(');
    if (take('(')) {  // a title, then the name
      string();
      expect(',');
      one.name = string();
      expect(')');
    } else {
      one.name = string();
    }
    expect(',');
    if (take('[')) {
      throw error(fmt::format("{}: its field {} consists of fields itself; save records of plain numbers", path_,
                              in_quotes(one.name)));
    }
    one.type = string();
    if (one.type.ends_with('O')) {
      throw error(fmt::format("{}: holds pickled Python objects (field {}); save records of numbers", path_,
                              in_quotes(one.name)));
    }
    one.size = size_of(one.type);
    if (take(',')) {
      skip_spaces();
      const std::vector<std::uint64_t> several = at_ < text_.size() && text_[at_] == '(' ? tuple() : whole();
      for (const std::uint64_t count : several) {
        if (__builtin_mul_overflow(one.size, count, &one.size) || one.size > largest_record) refuse();
      }
      one.several = true;
    }
    expect(')');
    return one;
  }

  /// The size in bytes: 8 for "<f8", 12 for "<U3".
  [[nodiscard]] std::size_t size_of(std::string_view type) const {
    if (!type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos) type.remove_prefix(1);
    std::size_t size = 0;
    const char* const end = type.data() + type.size();
    const auto [after, problem] = std::from_chars(type.data() + std::min<std::size_t>(1, type.size()), end, size);
    if (problem != std::errc() || (after != end && *after != '[') || size > largest_record) refuse();
    return type[0] == 'U' ? 4 * size : size;
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    refuse();
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!take(')')) {
      values.push_back(whole()[0]);
      if (take(',')) continue;
      expect(')');
      break;
    }
    return values;
  }

  std::vector<std::uint64_t> whole() {
    skip_spaces();
    std::uint64_t value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [after, problem] = std::from_chars(text_.data() + at_, end, value);
    if (problem != std::errc()) refuse();
    at_ = static_cast<std::size_t>(after - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote long integers
    return {value};
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

npy_header read_npy_header(const std::string& path, std::string_view bytes) {
  const auto truncated = [&] {
    return error(
        fmt::format("{}: is cut short within the .npy header ({} bytes); save the array again", path, bytes.size()));
  };
  if (bytes.size() < 8) throw truncated();
  const int major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3) {
    throw error(fmt::format("{}: is a .npy file of version {}; abut reads versions 1, 2 and 3", path, major));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t text_at = 8 + length_bytes;
  if (bytes.size() < text_at) throw truncated();
  std::size_t length = 0;
  for (std::size_t k = 0; k < length_bytes; ++k)
    length |= std::size_t{static_cast<unsigned char>(bytes[8 + k])} << 8 * k;
  if (bytes.size() - text_at < length) throw truncated();
  npy_header header = dictionary_reader(path, bytes.substr(text_at, length)).read();
  header.data_at = text_at + length;
  return header;
}

}  // namespace abut::cli
