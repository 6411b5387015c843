#include "scene/value.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

bool is_word(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

value parse_assigned(const std::string& assignment, const std::string& text) {
  const std::string name = "--set " + assignment;
  if (is_word(text) && !to_number(text) && text != "true" && text != "false") {
    return {.kind = value_kind::text, .text = text};
  }
  try {
    return std::move(parse_toml(name, "value = " + text + "\n").inside.at(0));
  } catch (const error& problem) {
    // Without the line and the column, which count in a text that the user has not written.
    const std::string said = std::string(problem.what()).substr(name.size());
    throw error(fmt::format("{}: {} is not TOML: {} (1.5, [0, 0, -9.81], \"grid levels=1\" with its quotes are)", name,
                            in_quotes(text), said.substr(said.find(": ") + 2)));
  }
}

/// Gives a value, and all inside it, a path and the place of the option.
void relabel(value& v, const std::string& path, const std::string& place) {
  v.path = path;
  v.place = v.key_place = place;
  for (std::size_t k = 0; k < v.inside.size(); ++k) {
    std::string below = path + ".";
    below += v.kind == value_kind::table ? v.inside[k].key : std::to_string(k);
    relabel(v.inside[k], below, place);
  }
}

/// The element of an array that `index` names.
value& element(value& array, const std::string& index, const std::string& place) {
  std::size_t k = 0;
  const auto [end, problem] = std::from_chars(index.data(), index.data() + index.size(), k);
  const bool whole = problem == std::errc() && end == index.data() + index.size();
  if (whole && k < array.inside.size()) return array.inside[k];
  const std::string last = array.inside.empty() ? "it is empty" : fmt::format("0 to {}", array.inside.size() - 1);
  throw error(fmt::format("{}: {} is an array, and has no element {}: {}", place, array.path, in_quotes(index), last));
}

/// The value of this name, made if there is none.
value& member(value& table, const std::string& key, const std::string& place) {
  const auto same = [&](const value& v) { return v.key == key; };
  const auto found = std::find_if(table.inside.begin(), table.inside.end(), same);
  if (found != table.inside.end()) return *found;
  table.inside.push_back({.kind = value_kind::table, .key = key});
  relabel(table.inside.back(), table.path.empty() ? key : table.path + "." + key, place);
  return table.inside.back();
}

}  // namespace

const value* value::find(std::string_view name) const {
  const auto found = std::find_if(inside.begin(), inside.end(), [&](const value& v) { return v.key == name; });
  return kind == value_kind::table && found != inside.end() ? &*found : nullptr;
}

std::string value::in_words() const {
  switch (kind) {
    case value_kind::table:
      return "a table";
    case value_kind::array:
      return fmt::format("an array of {}", inside.size());
    case value_kind::text:
      return in_quotes(text);
    case value_kind::whole:
      return std::to_string(whole);
    case value_kind::real:
      return fmt::format("{}", real);
    case value_kind::flag:
      return flag ? "true" : "false";
    case value_kind::date:
      break;
  }
  return "a date or a time";
}

void refuse(const value& at, std::string_view message) {
  throw placed_error(fmt::format("{}: {}{}{}", at.place, at.path, at.path.empty() ? "" : " ", message));
}

void assign(value& root, const std::string& assignment) {
  const std::string place = "--set " + assignment;
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw error(fmt::format("{}: write it as key=value, such as --set bodies.0.count=500", place));
  }
  value given = parse_assigned(assignment, assignment.substr(equals + 1));
  const std::string path = assignment.substr(0, equals);
  value* at = &root;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    const std::string key = path.substr(from, dot - from);
    if (key.empty()) throw error(fmt::format("{}: there is an empty key in {}", place, in_quotes(path)));
    if (at->kind != value_kind::table && at->kind != value_kind::array) {
      throw error(fmt::format("{}: {} is {} and has nothing inside", place, at->path, at->in_words()));
    }
    at = at->kind == value_kind::array ? &element(*at, key, place) : &member(*at, key, place);
    from = dot + 1;
  }
  given.key = at->key;
  relabel(given, at->path, place);
  *at = std::move(given);
}

}  // namespace abut::cli
