#pragma once

#include <span>
#include <string_view>

#include <abut/api.h>

namespace abut {

/// A parameter of a method, written as `name=value` in a plan.
struct parameter_info {
  /// The name.
  std::string_view name;
  /// The values that `plan` accepts, in one of these forms, where A and B are numbers:
  ///  - `> A`, `>= A`, `A to B` (both included): a number in this range;
  ///  - `integer` and one of these, as in `integer 1 to 24`: a whole number in this range;
  ///  - two or more words, as in `center | cover`: one of them;
  ///  - `another method`: the name of any method but this one.
  std::string_view range;
  /// What happens if the parameter is left out; for people to read.
  std::string_view default_value;
  /// What the parameter does, in one line, with the unit.
  std::string_view summary;
};

/// An entry of the table of methods.
struct method_info {
  std::string_view name;      ///< as written in a plan
  std::string_view document;  ///< where it is described
  std::string_view summary;   ///< one line: the idea
  std::string_view suits;     ///< one line: when to use it
  std::string_view cost;      ///< how time grows with the number of bodies, N
  bool quadratic;             ///< whether time grows as N^2
  /// All of its parameters.
  std::span<const parameter_info> parameters;
};

/// All methods, in the documentation's order. Valid for the whole run of the program.
[[nodiscard]] ABUT_API std::span<const method_info* const> methods();

/// The method of this name. Throws `error`, with the nearest name, if there is none.
[[nodiscard]] ABUT_API const method_info& method_named(std::string_view name);

}  // namespace abut
