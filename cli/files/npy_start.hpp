#pragma once

#include <bit>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace abut::cli {

/// The bytes of an .npy file before its numbers. `type` and `shape` are written as in Python.
[[nodiscard]] inline std::string npy_start_of(std::string_view type, std::string_view shape) {
  std::string header = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", type, shape);
  // The numbers begin at a multiple of 64 bytes, after 10 bytes of magic and length, the header, spaces and a line
  // feed.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start = "\x93NUMPY";
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
  return start + header;
}

/// "'<f8'" for "f8", with the machine's byte order.
[[nodiscard]] inline std::string npy_type(std::string_view type) {
  return fmt::format("'{}{}'", std::endian::native == std::endian::little ? '<' : '>', type);
}

/// The start of an array of `count` times `width` numbers of this type ("f8", "u4"), in C order.
[[nodiscard]] inline std::string npy_start(std::string_view type, std::size_t count, std::size_t width) {
  return npy_start_of(npy_type(type), fmt::format("({}, {})", count, width));
}

/// The start of `count` records of numbers of this type, with these names.
[[nodiscard]] inline std::string npy_records_start(std::string_view type, std::size_t count,
                                                   std::initializer_list<std::string_view> names) {
  std::string fields;
  for (const std::string_view name : names) {
    fields += fmt::format("{}('{}', {})", fields.empty() ? "" : ", ", name, npy_type(type));
  }
  return npy_start_of("[" + fields + "]", fmt::format("({},)", count));
}

}  // namespace abut::cli
