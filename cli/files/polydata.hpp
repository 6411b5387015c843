#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "files/blocks.hpp"
#include "files/output_file.hpp"

/// VTK files of PolyData: the XML form, with its numbers appended as they lie in memory.
namespace abut::cli {

/// An array of the file: its description, and what its numbers are. Of the type String, its numbers are the bytes of
/// all texts, each with a zero at its end.
struct data_array {
  std::string type, name;
  int components = 1;
  std::size_t count = 0;         ///< how many points, cells or texts it describes
  std::size_t bytes_of_one = 8;  ///< of a point or cell
  std::function<void(std::size_t k, std::string& out)> append{};
  std::size_t bytes_of_texts = 0;  ///< of all of them, if it is an array of texts

  [[nodiscard]] std::size_t bytes() const { return type == "String" ? bytes_of_texts : count * bytes_of_one; }
};

/// An array of texts.
[[nodiscard]] data_array text_array(const char* name, const std::vector<std::string>& texts);

inline void append_vector(std::string& out, const std::array<double, 3>& v) {
  for (const double number : v) append_bytes(out, number);
}

/// An element of the file with its arrays, such as PointData. The attributes follow its name.
struct data_element {
  std::string name, attributes;
  std::vector<data_array> arrays;
};

/// Writes a file. The element FieldData, which describes no points or cells, comes first if there is one. `points`,
/// `vertices` and `lines` are how many of each it has; its polygons are those of the element Polys, whose last array
/// has their ends.
void write_polydata(output_file& file, std::size_t points, std::size_t vertices, std::size_t lines,
                    const std::vector<data_element>& elements, int threads);

}  // namespace abut::cli
