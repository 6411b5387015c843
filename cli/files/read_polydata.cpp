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

/// The element that an array is in: the last that begins before it.
std::string_view element_before(std::string_view header, std::size_t at) {
  for (std::size_t start = header.rfind('<', at); start != std::string_view::npos && start > 0;
       start = header.rfind('<', start - 1)) {
    const std::string_view tag = header.substr(start + 1, header.find_first_of(" >", start) - start - 1);
    if (tag != "DataArray" && tag != "Array" && !tag.starts_with('/')) return tag;
  }
  return {};
}

/// Texts that end with a 0 each.
std::vector<std::string> texts_in(std::string_view bytes) {
  std::vector<std::string> all;
  while (!bytes.empty()) {
    all.emplace_back(bytes.substr(0, bytes.find('\0')));
    bytes.remove_prefix(std::min(all.back().size() + 1, bytes.size()));
  }
  return all;
}

}  // namespace

const polydata::array* polydata::find(std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const array& a) { return a.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

const polydata::array* polydata::find_in(std::string_view element, std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const array& a) { return a.element == element && a.name == name; });
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
  const auto is_array = [](std::string_view tag) {
    return tag.starts_with("<DataArray ") || tag.starts_with("<Array ");
  };
  for (std::size_t at = header.find('<'); at != std::string_view::npos; at = header.find('<', at + 1)) {
    const std::string_view tag = header.substr(at, std::min(header.find('>', at), header.size()) - at);
    if (!is_array(tag)) continue;
    const std::string_view type = attribute(tag, "type");
    const std::string name(attribute(tag, "Name"));
    if (type == "String") {
      all.texts[name] = texts_in(appended(data, attribute(tag, "offset"), path));
      continue;
    }
    const std::optional<double> components = to_number(attribute(tag, "NumberOfComponents"));
    auto numbers = numbers_of_type(type, appended(data, attribute(tag, "offset"), path));
    if (!numbers) throw error(fmt::format("{}: numbers of the type {} are not known", path, in_quotes(type)));
    const unsigned width = components && *components >= 1 && *components <= 9 ? static_cast<unsigned>(*components) : 1;
    all.arrays.push_back({std::string(element_before(header, at)), name, width, std::move(*numbers)});
  }
  return all;
}

}  // namespace abut::cli
