#include "files/read_polydata.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// The value of an attribute in a tag; "" if it has none.
std::string_view attribute(std::string_view tag, const std::string& name) {
  const std::string start = " " + name + "=\"";
  const std::size_t at = tag.find(start);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + start.size();
  return tag.substr(from, std::min(tag.find('"', from), tag.size()) - from);
}

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class Number>
std::vector<double> converted(std::string_view bytes) {
  std::vector<double> all(bytes.size() / sizeof(Number));
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = static_cast<double>(number_at<Number>(bytes, k * sizeof(Number)));
  }
  return all;
}

/// The numbers of an array; nothing if their type is another.
std::optional<std::vector<double>> numbers_of_type(std::string_view type, std::string_view bytes) {
  if (type == "Float64") return converted<double>(bytes);
  if (type == "Float32") return converted<float>(bytes);
  if (type == "Int64") return converted<std::int64_t>(bytes);
  if (type == "Int32") return converted<std::int32_t>(bytes);
  if (type == "UInt32") return converted<std::uint32_t>(bytes);
  if (type == "UInt8") return converted<std::uint8_t>(bytes);
  return std::nullopt;
}

/// The bytes of an array: its length, then the bytes themselves, at an offset.
std::string_view appended(std::string_view data, std::string_view offset, const std::string& path) {
  const std::optional<double> at = to_number(offset);
  const auto size = static_cast<double>(data.size());
  if (at && *at >= 0 && *at + 8 <= size) {
    const auto from = static_cast<std::size_t>(*at);
    const auto length = number_at<std::uint64_t>(data, from);
    if (length <= data.size() - from - 8) return data.substr(from + 8, length);
  }
  throw error(fmt::format("{}: its numbers end too early; it may be cut short", path));
}

}  // namespace

const polydata::array* polydata::find(std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const array& a) { return a.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

polydata read_polydata(const std::string& path, std::string_view bytes) {
  constexpr std::string_view mark = "<AppendedData encoding=\"raw\">";
  const std::size_t end = bytes.find(mark);
  const std::string_view header = bytes.substr(0, std::min(end, bytes.size()));
  const char* const order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  const std::size_t start = end == std::string_view::npos ? end : bytes.find('_', end + mark.size());
  if (start == std::string_view::npos || header.find("type=\"PolyData\"") == std::string_view::npos ||
      header.find("header_type=\"UInt64\"") == std::string_view::npos || header.find(order) == std::string_view::npos ||
      header.find("compressor=") != std::string_view::npos) {
    throw error(fmt::format("{}: is no .vtp file as abut writes it (PolyData, raw appended, UInt64, {})", path, order));
  }
  const std::string_view data = bytes.substr(start + 1);
  polydata all;
  constexpr std::string_view tag_start = "<DataArray";
  for (std::size_t at = header.find(tag_start); at != std::string_view::npos; at = header.find(tag_start, at + 1)) {
    const std::string_view tag = header.substr(at, std::min(header.find('>', at), header.size()) - at);
    const std::string_view type = attribute(tag, "type");
    const std::optional<double> components = to_number(attribute(tag, "NumberOfComponents"));
    auto numbers = numbers_of_type(type, appended(data, attribute(tag, "offset"), path));
    if (!numbers) throw error(fmt::format("{}: numbers of the type {} are not known", path, in_quotes(type)));
    const unsigned width = components && *components >= 1 && *components <= 9 ? static_cast<unsigned>(*components) : 1;
    all.arrays.push_back({std::string(attribute(tag, "Name")), width, std::move(*numbers)});
  }
  return all;
}

}  // namespace abut::cli
