#pragma once

#include <span>
#include <string_view>

#include <abut/api.h>

namespace abut {

/// A parameter of a method, as `key=value` in a plan.
struct parameter_info {
  std::string_view name;           ///< the key
  std::string_view range;          ///< for people: "> 0", "center | cover", "another method"
  std::string_view default_value;  ///< for people: what happens where it is left out
  std::string_view summary;        ///< one line, with the unit
};

/// A method of the table, for people and for programs that list them.
struct method_info {
  std::string_view name;      ///< as in a plan
  std::string_view document;  ///< where it is described
  std::string_view summary;   ///< one line: the idea
  std::string_view suits;     ///< one line: when to take it
  std::string_view cost;      ///< how time grows with the number of bodies
  bool quadratic;             ///< whether time grows as the square of it
  /// All that it takes.
  std::span<const parameter_info> parameters;
};

/// All methods, in the order in which the documentation lists them.
[[nodiscard]] ABUT_API std::span<const method_info* const> methods();

/// The method of this name; throws `error` with the nearest name where there is none.
[[nodiscard]] ABUT_API const method_info& method_named(std::string_view name);

}  // namespace abut
