#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace abut::cli {

/// All of an .npy file that comes before its numbers: `rows` by `columns` of this type ("f8", "u4"), in C order and in
/// the machine's own byte order.
[[nodiscard]] inline std::string npy_start(std::string_view type, std::size_t rows, std::size_t columns) {
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}, {}), }}", order, type, rows, columns);
  // The numbers begin at a multiple of 64: 10 bytes of magic and length, the header, spaces, a line feed.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start = "\x93NUMPY";
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
  return start + header;
}

}  // namespace abut::cli
