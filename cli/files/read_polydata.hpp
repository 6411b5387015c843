#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace abut::cli {

/// The arrays of a VTK file of PolyData, as numbers.
struct polydata {
  struct array {
    std::string name;
    std::size_t components = 1;
    std::vector<double> numbers;
  };
  std::vector<array> arrays{};

  /// The array of this name; null if there is none.
  [[nodiscard]] const array* find(std::string_view name) const;
};

/// Reads a file as `write_polydata` writes it: XML, with raw numbers appended. Throws `error` with the path for
/// anything else.
[[nodiscard]] polydata read_polydata(const std::string& path, std::string_view bytes);

}  // namespace abut::cli
