// The only file that includes toml++, whose header takes seconds to compile.

#include <algorithm>
#include <string>
#include <utility>

#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "scene/value.hpp"

namespace abut::cli {
namespace {

std::string place_of(const std::string& name, const toml::source_region& where) {
  return fmt::format("{}:{}:{}", name, where.begin.line, where.begin.column);
}

/// Tables are sorted by their keys; this is the order of the file.
std::vector<std::pair<const toml::key*, const toml::node*>> in_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> members;
  for (auto&& [key, node] : table) members.emplace_back(&key, &node);
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    const toml::source_position x = a.first->source().begin;
    const toml::source_position y = b.first->source().begin;
    return x.line != y.line ? x.line < y.line : x.column < y.column;
  });
  return members;
}

std::string below(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

value taken(const std::string& name, const toml::node& node, const std::string& path);

void take_inside(value& to, const std::string& name, const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, member] : in_order(*table)) {
      const std::string text(key->str());
      to.inside.push_back(taken(name, *member, below(to.path, text)));
      to.inside.back().key = text;
      to.inside.back().key_place = place_of(name, key->source());
    }
  }
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& item : *array) {
      to.inside.push_back(taken(name, item, below(to.path, std::to_string(to.inside.size()))));
    }
  }
}

value taken(const std::string& name, const toml::node& node, const std::string& path) {
  value to{.place = place_of(name, node.source()), .path = path};
  switch (node.type()) {
    case toml::node_type::table:
      to.kind = value_kind::table;
      break;
    case toml::node_type::array:
      to.kind = value_kind::array;
      break;
    case toml::node_type::string:
      to.kind = value_kind::text;
      to.text = node.ref<std::string>();
      break;
    case toml::node_type::integer:
      to.kind = value_kind::whole;
      to.whole = node.ref<std::int64_t>();
      to.real = static_cast<double>(to.whole);
      break;
    case toml::node_type::floating_point:
      to.kind = value_kind::real;
      to.real = node.ref<double>();
      break;
    case toml::node_type::boolean:
      to.kind = value_kind::flag;
      to.flag = node.ref<bool>();
      break;
    default:
      to.kind = value_kind::date;
  }
  take_inside(to, name, node);
  return to;
}

/// What the parser says of a text without its closing quote is that the line, or the file, must not end there.
std::string in_own_words(std::string_view said) {
  const auto says = [said](std::string_view part) { return said.find(part) != std::string_view::npos; };
  if (says("string") && says("end-of-file")) return "the file ends inside of a text: closing quotes are missing";
  if (says("string") && says("control characters")) return "a text has no end in this line: a closing quote is missing";
  return std::string(said);
}

}  // namespace

value parse_toml(const std::string& name, std::string_view text) {
  try {
    return taken(name, toml::parse(text, name), "");
  } catch (const toml::parse_error& problem) {
    throw error(fmt::format("{}: {}", place_of(name, problem.source()), in_own_words(problem.description())));
  }
}

}  // namespace abut::cli
