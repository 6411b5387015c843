#include "screen/json.hpp"

#include <cmath>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {

std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      json += "\\ufffd";
    } else if (byte < 0x20 || byte == 0x7f) {
      json += fmt::format("\\u{:04x}", byte);
    } else {
      if (byte == '"' || byte == '\\') json += '\\';
      json += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return json + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string json_number(const std::optional<double>& value) { return value ? json_number(*value) : "null"; }

std::string json_number(std::uint64_t value) { return fmt::format("{}", value); }

std::string json_number(int value) { return fmt::format("{}", value); }

std::string json_bool(bool value) { return value ? "true" : "false"; }

std::string json_array(const std::vector<std::string>& values) { return "[" + joined(values) + "]"; }

std::string json_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(json_string(text));
  return json_array(values);
}

json_object& json_object::add(std::string_view key, std::string_view value) {
  if (!members_.empty()) members_ += ", ";
  members_ += fmt::format("{}: {}", json_string(key), value);
  return *this;
}

}  // namespace abut::cli
