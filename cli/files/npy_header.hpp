#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace abut::cli {

/// A field of records, as in the NumPy type [('x', '<f8'), ...].
struct npy_field {
  std::string name{};
  std::string type{};  ///< "<f8"
  std::size_t offset = 0;
  std::size_t size = 0;
  bool several = false;  ///< whether it is an array of several numbers
};

/// The header of an .npy file. The numbers begin at byte `data_at`.
struct npy_header {
  std::string type{};  ///< "<f8"; empty for records
  bool fortran = false;
  std::vector<std::uint64_t> shape{};
  bool records = false;
  std::vector<npy_field> fields{};  ///< of records
  std::size_t record_size = 0;
  std::size_t data_at = 0;
};

/// Reads the header of versions 1 to 3: a magic, a length, a Python dictionary as text. Throws `error` with the path.
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
[[nodiscard]] npy_header read_npy_header(const std::string& path, std::string_view bytes);

}  // namespace abut::cli
