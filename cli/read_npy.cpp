#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "bodies_file.hpp"
#include "words.hpp"

/// The .npy format, versions 1 to 3: a magic, the length of the header, a Python dictionary as text, the numbers.
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

static_assert(std::endian::native == std::endian::little,
              "the columns look into the file's bytes, which are little-endian");

namespace abut::cli {
namespace {

struct npy_header {
  std::string type;  ///< as in the file: "<f8"; a structured type is its whole list
  bool fortran = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_at = 0;
};

/// Reads the dictionary's text, which may come with its keys in any order and with any spaces.
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
        header.type = type();
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

  /// A plain type is a string. A structured one is a list, taken as it is: it will be refused, but by its name.
  std::string type() {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != '[') return string();
    const std::size_t begin = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']' && --depth == 0) return std::string(text_.substr(begin, ++at_ - begin));
    }
    refuse();
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
      skip_spaces();
      std::uint64_t value = 0;
      const char* const end = text_.data() + text_.size();
      const auto [after, problem] = std::from_chars(text_.data() + at_, end, value);
      if (problem != std::errc()) refuse();
      at_ = static_cast<std::size_t>(after - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote long integers
      values.push_back(value);
      if (take(',')) continue;
      expect(')');
      break;
    }
    return values;
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

npy_header read_header(const std::string& path, std::string_view bytes) {
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

std::string shape_text(const npy_header& header) {
  return fmt::format("({}{})", fmt::join(header.shape, ", "), header.shape.size() == 1 ? "," : "");
}

/// The size of one number: 4 or 8. Only what a column can look at in place is taken.
std::size_t number_size(const std::string& path, const std::string& type) {
  if (type == "<f4") return 4;
  if (type == "<f8") return 8;
  const auto refuse = [&](std::string_view why, std::string_view way_out) {
    return error(fmt::format("{}: holds {} ({}); {}", path, why, in_quotes(type), way_out));
  };
  if (type == ">f4" || type == ">f8") throw refuse("big-endian numbers", "save array.astype(\"<f8\")");
  if (type.size() > 1 && type[1] == 'O') {
    throw refuse("Python objects, a pickle", "save array.astype(\"float64\"), an array of numbers");
  }
  if (!type.empty() && type[0] == '[') throw refuse("records", "save numpy.column_stack of the columns x, y, z, r");
  throw refuse("numbers of another type", R"(save array.astype("float64") or "float32")");
}

/// Throws unless the file holds just the numbers that its header promises. Nothing is allocated by the promise.
void check_length(const std::string& path, const npy_header& header, std::size_t number, std::size_t held) {
  const std::uint64_t row_bytes = header.shape[1] * number;
  std::uint64_t promised = 0;
  const bool absurd = __builtin_mul_overflow(header.shape[0], row_bytes, &promised);
  const std::string of_shape = fmt::format("shape {} of {}-byte numbers", shape_text(header), number);
  if (absurd)
    throw error(fmt::format("{}: promises {}, more than any file holds; it has {} bytes", path, of_shape, held));
  if (promised == held) return;
  throw error(
      fmt::format("{}: promises {} bytes ({}) and has {}; {}", path, promised, of_shape, held,
                  held < promised ? "it is cut short, save it again" : "save one array alone, there is more after it"));
}

template <class T>
void look_into(bodies_file& file, const char* data, bool fortran) {
  const auto width = static_cast<std::size_t>(file.dimension) + 1;
  for (std::size_t k = 0; k < width; ++k) {
    const std::size_t first = (fortran ? k * file.size : k) * sizeof(T);
    const std::size_t stride = (fortran ? 1 : width) * sizeof(T);
    file.columns[k] = column(reinterpret_cast<const T*>(data + first), file.size, static_cast<std::ptrdiff_t>(stride));
  }
}

}  // namespace

bodies_file read_npy(const std::string& path, const file_bytes& bytes) {
  const npy_header header = read_header(path, bytes.text());
  const std::size_t number = number_size(path, header.type);
  if (header.shape.size() != 2 || (header.shape[1] != 3 && header.shape[1] != 4)) {
    throw error(
        fmt::format("{}: has shape {}; abut reads (n, 3): x y r, and (n, 4): x y z r", path, shape_text(header)));
  }
  check_length(path, header, number, bytes.size - header.data_at);
  bodies_file file;
  file.dimension = static_cast<int>(header.shape[1]) - 1;
  file.size = header.shape[0];
  file.storage = bytes.data;
  file.place = [path](row r) { return fmt::format("{}: row {}", path, r); };
  const char* const data = bytes.data.get() + header.data_at;
  if (number == 4) {
    look_into<float>(file, data, header.fortran);
  } else {
    look_into<double>(file, data, header.fortran);
  }
  return file;
}

}  // namespace abut::cli
