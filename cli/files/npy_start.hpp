#pragma once

#include <bit>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace abut::cli {

/// All of an .npy file that comes before its numbers. `type` and `shape` are Python's text of them.
[[nodiscard]] inline std::string npy_start_of(std::string_view type, std::string_view shape) {
  std::string header = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", type, shape);
  // The numbers begin at a multiple of 64: 10 bytes of magic and length, the header, spaces, a line feed.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start = "\x93NUMPY";
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
  return start + header;
}

/// "'<f8'" for "f8", in the machine's own byte order.
[[nodiscard]] inline std::string npy_type(std::string_view type) {
  return fmt::format("'{}{}'", std::endian::native == std::endian::little ? '<' : '>', type);
}

/// The start of `rows` by `columns` numbers of this type ("f8", "u4"), in C order.
[[nodiscard]] inline std::string npy_start(std::string_view type, std::size_t rows, std::size_t columns) {
  return npy_start_of(npy_type(type), fmt::format("({}, {})", rows, columns));
}

/// The start of `rows` records of numbers of this type, with these names.
[[nodiscard]] inline std::string npy_records_start(std::string_view type, std::size_t rows,
                                                   std::initializer_list<std::string_view> names) {
  std::string fields;
  for (const std::string_view name : names) {
    fields += fmt::format("{}('{}', {})", fields.empty() ? "" : ", ", name, npy_type(type));
  }
  return npy_start_of("[" + fields + "]", fmt::format("({},)", rows));
}

}  // namespace abut::cli
