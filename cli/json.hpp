#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Just enough JSON to print results. A value is the text of it, already encoded.
namespace abut::cli {

/// Escaped, in quotes; bytes that are not UTF-8 become U+FFFD, so that any path gives valid JSON.
[[nodiscard]] std::string json_string(std::string_view text);

/// The shortest text that reads back as the same number; null where it is not finite.
[[nodiscard]] std::string json_number(double value);
[[nodiscard]] std::string json_number(std::uint64_t value);

[[nodiscard]] std::string json_array(const std::vector<std::string>& values);
/// An array of strings.
[[nodiscard]] std::string json_strings(const std::vector<std::string>& texts);

/// An object, member by member, in order.
class json_object {
 public:
  json_object& add(std::string_view key, std::string_view value);
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace abut::cli
