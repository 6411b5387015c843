#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "scene/value.hpp"

namespace abut::cli {

/// What the value of a key looks like.
enum class form : std::uint8_t {
  text,
  texts,    ///< an array of texts
  whole,    ///< a whole number, at least 0
  number,   ///< a finite number
  flag,     ///< true or false
  vector,   ///< as many finite numbers as there are dimensions
  numbers,  ///< a finite number, or several
  rows,     ///< an array of arrays of finite numbers
};

/// A key that a scene may have.
struct scene_key {
  /// "bodies[].count" is a key in an array of tables, "materials.<name>.density" one in a table whose name is free.
  std::string_view path;
  form looks;
  std::string_view summary;  ///< what it means, with its unit
};

/// All of them, in the order of docs/scenes.md.
[[nodiscard]] std::span<const scene_key> scene_keys();

/// Throws `error` for the first key that is unknown, with the nearest one, and for the first value of another form.
void check_keys(const value& root);

}  // namespace abut::cli
