#include "files/polydata.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace abut::cli {
namespace {

/// Whether an element describes the whole file.
bool is_field(const data_element& element) { return element.name == "FieldData"; }

/// Describes the arrays of an element, and counts where they begin in the appended data.
std::string described(const data_element& element, std::size_t& offset) {
  std::string text = fmt::format("      <{}{}>\n", element.name, element.attributes);
  const bool field = is_field(element);
  for (const data_array& a : element.arrays) {
    const std::string shape = fmt::format("NumberOf{}=\"{}\"", field ? "Tuples" : "Components",
                                          field ? a.count : static_cast<std::size_t>(a.components));
    text += fmt::format("        <{} type=\"{}\" Name=\"{}\" {} format=\"appended\" offset=\"{}\"/>\n",
                        a.type == "String" ? "Array" : "DataArray", a.type, a.name, shape, offset);
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

data_array text_array(const char* name, const std::vector<std::string>& texts) {
  data_array all{"String", name, 1, texts.size(), 0, [texts](std::size_t k, std::string& out) {
                   out += texts[k];
                   out += '\0';
                 }};
  for (const std::string& text : texts) all.bytes_of_texts += text.size() + 1;
  return all;
}

void write_polydata(output_file& file, std::size_t points, std::size_t vertices, std::size_t lines,
                    const std::vector<data_element>& elements, int threads) {
  std::size_t offset = 0;
  std::string start = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "  <PolyData>\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
  const bool field = !elements.empty() && is_field(elements.front());
  if (field) start += described(elements.front(), offset);
  start += fmt::format(
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      points, vertices, lines, polygons_in(elements));
  for (std::size_t k = field ? 1 : 0; k < elements.size(); ++k) start += described(elements[k], offset);
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
