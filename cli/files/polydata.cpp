#include "files/polydata.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace abut::cli {
namespace {

/// Describes the arrays of an element, and counts where they begin in the appended data.
std::string described(const data_element& element, std::size_t& offset) {
  std::string text = fmt::format("      <{}{}>\n", element.name, element.attributes);
  for (const data_array& a : element.arrays) {
    text += fmt::format(
        "        <{} type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        a.type == "String" ? "Array" : "DataArray", a.type, a.name, a.components, offset);
    offset += sizeof(std::uint64_t) + a.bytes();
  }
  return text + fmt::format("      </{}>\n", element.name);
}

/// How many polygons there are.
std::size_t polygons_in(const std::vector<data_element>& elements) {
  for (const data_element& element : elements) {
    if (element.name == "Polys") return element.arrays.back().count;
  }
  return 0;
}

void write_text(output_file& file, const std::string& text) { file.write(text.data(), text.size()); }

}  // namespace

void write_polydata(output_file& file, std::size_t points, std::size_t vertices, std::size_t lines,
                    const std::vector<data_element>& elements, int threads) {
  std::size_t offset = 0;
  std::string start = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "  <PolyData>\n"
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", points, vertices, lines,
      polygons_in(elements));
  for (const data_element& element : elements) start += described(element, offset);
  start += "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _";
  write_text(file, start);
  for (const data_element& element : elements) {
    for (const data_array& a : element.arrays) {
      std::string length;
      append_bytes(length, static_cast<std::uint64_t>(a.bytes()));
      write_text(file, length);
      write_blocks(file, a.count, threads, [&](std::size_t from, std::size_t to, std::string& out) {
        for (std::size_t k = from; k < to; ++k) a.append(k, out);
      });
    }
  }
  write_text(file, "\n  </AppendedData>\n</VTKFile>\n");
}

}  // namespace abut::cli
