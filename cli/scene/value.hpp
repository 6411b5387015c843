#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <abut/error.hpp>

/// The values of a TOML file, each with its place. A plain tree, so that only one file includes the parser.
namespace abut::cli {

/// What a value is.
enum class value_kind : std::uint8_t { table, array, text, whole, real, flag, date };

/// A value, with all that is inside it.
struct value {
  value_kind kind = value_kind::table;
  std::string place{};      ///< "bed.toml:12:9", or "--set gravity=0"
  std::string key{};        ///< its name in its table; empty in an array
  std::string key_place{};  ///< the place of that name
  std::string path{};       ///< its keys and numbers from the top, as --set takes them: "bodies.0.count"

  std::string text{};
  std::int64_t whole = 0;
  double real = 0;  ///< of a whole number too
  bool flag = false;
  std::vector<value> inside{};  ///< of a table, in the order of the file, or of an array

  /// The value of this name in a table; null if there is none.
  [[nodiscard]] const value* find(std::string_view name) const;
  [[nodiscard]] bool is_number() const { return kind == value_kind::whole || kind == value_kind::real; }
  /// "3", "\"grid\"", "a table".
  [[nodiscard]] std::string in_words() const;
};

/// An error whose message begins with a place in the scene.
class placed_error : public error {
 public:
  using error::error;
};

/// Throws `error` with the place, the path and the message: "bed.toml:4:13: dimension is 4; it must be 2 or 3".
[[noreturn]] void refuse(const value& at, std::string_view message);

/// Parses a TOML text. `name` is for places. Throws `error` with the place of what is not TOML.
[[nodiscard]] value parse_toml(const std::string& name, std::string_view text);

/// The values of a table as a TOML text, one line for each key. Parsed again, they are the same but for their places.
[[nodiscard]] std::string to_toml(const value& root);

/// Replaces or adds what `assignment` says, such as "bodies.0.count=500": the path, then a value in TOML's syntax. A
/// single word needs no quotes. Throws `error` if it cannot be understood or its path leads nowhere.
void assign(value& root, const std::string& assignment);

}  // namespace abut::cli
