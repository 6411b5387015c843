#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "files/bodies_file.hpp"
#include "files/npy_header.hpp"
#include "screen/words.hpp"

/// Reads .npy files of bodies: an array with two axes, or records with names. Columns point into the file's bytes.

static_assert(std::endian::native == std::endian::little,
              "the columns point into the file's bytes, which are little-endian");

namespace abut::cli {
namespace {

/// Where the numbers of a column are: every `stride` bytes, from `first` on.
struct npy_column {
  std::string type;
  std::size_t first = 0;
  std::size_t stride = 0;
};

std::string shape_text(const npy_header& header) {
  std::vector<std::string> lengths;
  for (const auto length : header.shape) lengths.push_back(std::to_string(length));
  return fmt::format("({}{})", joined(lengths), lengths.size() == 1 ? "," : "");
}

/// The size of one number: 4 or 8. Throws for types that a column cannot read in place.
std::size_t number_size(const std::string& path, const std::string& type) {
  if (type == "<f4") return 4;
  if (type == "<f8") return 8;
  const auto refuse = [&](std::string_view why, std::string_view way_out) {
    return error(fmt::format("{}: holds {} ({}); {}", path, why, in_quotes(type), way_out));
  };
  if (type == ">f4" || type == ">f8") throw refuse("big-endian numbers", "save array.astype(\"<f8\")");
  if (type.size() > 1 && type[1] == 'O') {
    throw refuse("pickled Python objects", "save array.astype(\"float64\"), an array of numbers");
  }
  throw refuse("numbers of another type", R"(save array.astype("float64") or "float32")");
}

/// Throws unless the file holds exactly the numbers that its header announces.
void check_length(const std::string& path, const npy_header& header, std::size_t number, std::size_t held) {
  std::uint64_t promised = 0;
  const bool absurd =
      __builtin_mul_overflow(header.shape[0], header.shape.size() > 1 ? header.shape[1] : 1, &promised) ||
      __builtin_mul_overflow(promised, number, &promised);
  const std::string of_shape =
      fmt::format("shape {} of {}-byte {}", shape_text(header), number, header.records ? "records" : "numbers");
  if (absurd)
    throw error(fmt::format("{}: promises {}, more than any file holds; it has {} bytes", path, of_shape, held));
  if (promised == held) return;
  throw error(
      fmt::format("{}: promises {} bytes ({}) and has {}; {}", path, promised, of_shape, held,
                  held < promised ? "it is cut short, save it again" : "there is more after the array; save only one"));
}

/// Names for the columns of an array, which has none. Three columns could be positions or discs: the wrong guess could
/// give billions of pairs without a hint why, so it is an error.
columns_request unnamed_columns(const std::string& path, const npy_header& header, const columns_request& wanted) {
  const auto take = [&](const char* names) {
    columns_request named = wanted;
    read_columns(named, names);
    return named;
  };
  const std::uint64_t width = header.shape.size() == 2 ? header.shape[1] : 0;
  if (width > 0 && !wanted.chosen.empty()) return wanted;
  if (width == 2 && wanted.radius) return take("x,y");
  if (width == 3 && wanted.radius) return take("x,y,z");
  if (width == 4 && !wanted.radius) return take("x,y,z,r");
  const std::string has = fmt::format("{}: has shape {}", path, shape_text(header));
  if (width == 3) {
    throw error(has + ", which can be x,y,z or x,y,r; say --columns x,y,z --radius R, or --columns x,y,r");
  }
  if (width == 4) throw error(has + ": x,y,z,r; leave --radius out, or name the columns: --columns x,y,z,-");
  if (width == 2) throw error(has + ": x,y without a radius; give one for all: --radius R");
  if (width == 0) throw error(has + "; abut reads (n, 4): x,y,z,r, other (n, k) with --columns, and records");
  throw error(has + "; name its columns, with - for those to skip: --columns x,y,z,r,-,-");
}

template <class T>
column look(const char* data, const npy_column& at, std::size_t size) {
  return {reinterpret_cast<const T*>(data + at.first), size, static_cast<std::ptrdiff_t>(at.stride)};
}

column look(const std::string& path, const char* data, const npy_column& at, std::size_t size) {
  return number_size(path, at.type) == 4 ? look<float>(data, at, size) : look<double>(data, at, size);
}

template <class T>
std::optional<std::int64_t> whole_at(const char* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_floating_point_v<T>) {
    constexpr double largest = 9007199254740992;  // 2^53: above it, doubles skip whole numbers
    if (!(std::abs(value) <= largest) || value != std::floor(value)) return {};
  } else if (!std::in_range<std::int64_t>(value)) {
    return {};
  }
  return static_cast<std::int64_t>(value);
}

using id_reader = std::optional<std::int64_t> (*)(const char*);

id_reader reader_of(const std::string& path, const std::string& type) {
  if (type == "<f8") return whole_at<double>;
  if (type == "<f4") return whole_at<float>;
  if (type == "<i8") return whole_at<std::int64_t>;
  if (type == "<i4") return whole_at<std::int32_t>;
  if (type == "<u8") return whole_at<std::uint64_t>;
  if (type == "<u4") return whole_at<std::uint32_t>;
  throw error(fmt::format("{}: ids of type {} cannot be read; save them as int64", path, in_quotes(type)));
}

std::vector<std::int64_t> read_ids(const std::string& path, const char* data, const npy_column& at, std::size_t size) {
  const id_reader read = reader_of(path, at.type);
  std::vector<std::int64_t> ids;
  ids.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::optional<std::int64_t> id = read(data + at.first + i * at.stride);
    if (!id) throw error(fmt::format("{}: row {}: its id is not a whole number of 64 bits", path, i));
    ids.push_back(*id);
  }
  return ids;
}

/// The layout of an array. Sets `columns`.
body_layout array_layout(const std::string& path, const npy_header& header, const columns_request& wanted,
                         std::size_t held, std::vector<npy_column>& columns) {
  const std::size_t number = number_size(path, header.type);
  const columns_request named = unnamed_columns(path, header, wanted);
  check_length(path, header, number, held);
  const std::size_t rows = header.shape[0], width = header.shape[1];
  body_layout layout = lay_out_unnamed(path, width, named);
  for (std::size_t k = 0; k < width; ++k) {
    columns.push_back({header.type, (header.fortran ? k * rows : k) * number, (header.fortran ? 1 : width) * number});
  }
  return layout;
}

/// The layout of records. Sets `columns`.
body_layout record_layout(const std::string& path, const npy_header& header, const columns_request& wanted,
                          std::size_t held, std::vector<npy_column>& columns) {
  if (header.shape.size() != 1) {
    throw error(
        fmt::format("{}: has records in shape {}; save array.ravel(), of shape (n,)", path, shape_text(header)));
  }
  check_length(path, header, header.record_size, held);
  std::vector<std::string> names;
  for (const npy_field& field : header.fields) {
    names.push_back(field.name);
    columns.push_back({field.type, field.offset, header.record_size});
  }
  body_layout layout = lay_out(path, names, wanted, naming::table);
  const std::vector<int> targets = layout.targets(names.size());
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (!header.fields[f].several || targets[f] == body_layout::for_nothing) continue;
    throw error(
        fmt::format("{}: its field {} holds several numbers; give each a field of its own", path, in_quotes(names[f])));
  }
  return layout;
}

}  // namespace

bodies_file read_npy(const std::string& path, const file_bytes& bytes, const columns_request& wanted) {
  const npy_header header = read_npy_header(path, bytes.text());
  const std::size_t held = bytes.size - header.data_at;
  std::vector<npy_column> columns;
  const body_layout layout = header.records ? record_layout(path, header, wanted, held, columns)
                                            : array_layout(path, header, wanted, held, columns);
  bodies_file file = file_of(layout, header.shape[0]);
  file.storage = bytes.data;
  file.place = [path](row r) { return fmt::format("{}: row {}", path, r); };
  const char* const data = bytes.data.get() + header.data_at;
  for (std::size_t k = 0; k < layout.fields.size(); ++k) {
    file.columns[k] = look(path, data, columns[layout.fields[k]], file.size);
  }
  if (layout.id) file.ids = read_ids(path, data, columns[*layout.id], file.size);
  if (layout.diameters) multiply_radii(file, 0.5);
  return file;
}

}  // namespace abut::cli
