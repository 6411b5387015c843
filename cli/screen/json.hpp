#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Just enough JSON to print results. A value is its encoded text.
namespace abut::cli {

/// A string, escaped and in quotes. Bytes that are not UTF-8 become U+FFFD, so that any path gives valid JSON.
[[nodiscard]] std::string json_string(std::string_view text);

/// The shortest text that reads back as the same number; null if it is not finite or missing.
[[nodiscard]] std::string json_number(double value);
[[nodiscard]] std::string json_number(const std::optional<double>& value);
[[nodiscard]] std::string json_number(std::uint64_t value);
[[nodiscard]] std::string json_number(int value);

[[nodiscard]] std::string json_bool(bool value);

[[nodiscard]] std::string json_array(const std::vector<std::string>& values);
/// An array of strings.
[[nodiscard]] std::string json_strings(const std::vector<std::string>& texts);

/// An object. Its members keep the order in which they are added.
class json_object {
 public:
  json_object& add(std::string_view key, std::string_view value);
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace abut::cli
