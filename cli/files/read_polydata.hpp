#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace abut::cli {

/// The arrays of a VTK file of PolyData, as numbers.
struct polydata {
  struct array {
    std::string element;  ///< that it belongs to, such as PointData or Lines
    std::string name;
    std::size_t components = 1;
    std::vector<double> numbers;
  };
  std::vector<array> arrays{};
  /// Arrays of texts, by their names.
  std::map<std::string, std::vector<std::string>> texts{};

  /// The first array of this name; null if there is none.
  [[nodiscard]] const array* find(std::string_view name) const;
  /// The same within an element.
  [[nodiscard]] const array* find_in(std::string_view element, std::string_view name) const;
};

/// Reads a file as `write_polydata` writes it: XML, with raw numbers appended. Throws `error` with the path for
/// anything else.
[[nodiscard]] polydata read_polydata(const std::string& path, std::string_view bytes);

}  // namespace abut::cli
