// Where in a scene what the simulation complains of comes from, and what is likely a mistake.

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

std::string words_of(const value& table) { return fmt::format("{}: {}: ", table.place, table.path); }

/// The table from which number k comes.
std::string words_of(const std::vector<table_source>& all, std::size_t k) {
  const auto after = std::upper_bound(all.begin(), all.end(), k,
                                      [](std::size_t number, const table_source& s) { return number < s.first; });
  return after == all.begin() ? "" : fmt::format("{}: {}: ", (after - 1)->place, (after - 1)->path);
}

/// The number at the end of "pour 12 ..." if the message begins with that word.
std::optional<std::size_t> number_after(std::string_view message, std::string_view word) {
  if (!message.starts_with(word)) return {};
  message.remove_prefix(word.size());
  std::size_t k = 0;
  const auto [end, problem] = std::from_chars(message.data(), message.data() + message.size(), k);
  const bool whole = problem == std::errc() && (end == message.data() + message.size() || *end == ' ' || *end == ':');
  return whole ? std::optional(k) : std::nullopt;
}

/// The names of numbers that a law uses, from its entry in the table of laws.
std::set<std::string> used_by(std::string_view law) {
  std::set<std::string> names;
  for (const dem::law_info& known : dem::laws()) {
    if (known.name != law) continue;
    std::string name;
    for (const char c : std::string(known.uses) + " ") {
      const bool part = (c >= 'a' && c <= 'z') || c == '_';
      if (part) name += c;
      if (!part && !name.empty()) names.insert(std::exchange(name, ""));
    }
  }
  return names;
}

/// Warns of the numbers of a table that are neither used nor 0.
void look_at(scene& to, const value& table, const std::set<std::string>& used) {
  std::vector<std::string> names(used.begin(), used.end());
  std::erase(names, "or");
  for (const value& v : table.inside) {
    if (!v.is_number() || v.real == 0 || v.key == "density" || used.contains(v.key)) continue;
    to.warnings.push_back(fmt::format("{}: {} is {}, and the law {} does not use it; it uses {}", v.place, v.path,
                                      v.in_words(), to.law, joined(names)));
  }
}

}  // namespace

void add_unused(scene& to, const value& root) {
  const std::set<std::string> used = used_by(to.law);
  if (const value* const common = root.find("interaction")) {
    look_at(to, *common, used);
    if (const value* const between = common->find("between")) {
      for (const value& table : between->inside) look_at(to, table, used);
    }
  }
  if (const value* const materials = root.find("materials")) {
    for (const value& table : materials->inside) look_at(to, table, used);
  }
}

std::string table_of(const scene& what, std::optional<std::uint32_t> body, std::optional<std::size_t> wall) {
  const bool poured = body && *body >= what.bodies.size();
  if (body && !poured) return words_of(what.sources, *body);
  return wall ? words_of(what.wall_sources, *wall) : "";
}

std::string table_of(const scene& what, const error& problem) {
  if (problem.body()) return table_of(what, *problem.body(), std::nullopt);
  const std::string_view message = problem.what();
  if (const auto w = number_after(message, "wall ")) return table_of(what, std::nullopt, *w);
  constexpr std::array<std::array<std::string_view, 2>, 4> parts = {
      {{"pour ", "pour"}, {"the largest body of pour ", "pour"}, {"removal ", "remove"}, {"drive ", "drive"}}};
  for (const auto& [word, key] : parts) {
    const auto k = number_after(message, word);
    const value* const tables = what.root.find(key);
    if (k && tables != nullptr && *k < tables->inside.size()) return words_of(tables->inside[*k]);
  }
  const value* const materials = what.root.find("materials");
  if (materials != nullptr && message.starts_with("a contact of ")) return words_of(*materials);
  const value* const deform = what.root.find("deform");
  return deform != nullptr && message.starts_with("the box ") ? words_of(*deform) : "";
}

std::vector<std::string> warnings_about(const scene& what, const dem::simulation& at_start) {
  std::vector<std::string> warnings = what.warnings;
  for (const dem::doubt& d : dem::doubts_about(what.settings, at_start)) {
    const std::string line = table_of(what, d.body, d.wall) + d.text;
    if (d.sure) throw error(line);
    warnings.push_back(line);
  }
  return warnings;
}

}  // namespace abut::cli
