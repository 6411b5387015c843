#include "run/wall_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "run/wall_outlines.hpp"

namespace abut::cli {
namespace {

/// As a field of a CSV file.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

wall_columns::wall_columns(const scene& what) : solid_(what.settings.dimension == 3) {
  for (std::size_t k = 0; k < what.wall_names.size(); ++k) {
    const std::string& name = what.wall_names[k];
    if (name.empty()) continue;
    auto at = std::find_if(all_.begin(), all_.end(), [&](const named& n) { return n.name == name; });
    if (at == all_.end()) at = all_.insert(at, {name, {}});
    at->walls.push_back(k);
    at->moves = at->moves || (k == at->walls.front() && goes_elsewhere(what.settings, k));
  }
}

std::string wall_columns::header() const {
  std::string text;
  const auto add = [&](const named& n, const char* what, const char* axes) {
    for (const char* axis = axes; *axis != 0; ++axis) text += "," + field(fmt::format("{}_{}_{}", n.name, what, *axis));
  };
  for (const named& n : all_) {
    add(n, "force", solid_ ? "xyz" : "xy");
    add(n, "torque", solid_ ? "xyz" : "z");
    if (n.moves) add(n, "position", solid_ ? "xyz" : "xy");
  }
  return text;
}

std::string wall_columns::row_of(const dem::simulation& now) const {
  if (all_.empty()) return "";
  const std::vector<dem::wall> walls = now.walls();
  std::string text;
  const auto add = [&](const dem::vec& v) {
    text += solid_ ? fmt::format(",{},{},{}", v.x, v.y, v.z) : fmt::format(",{},{}", v.x, v.y);
  };
  for (const named& n : all_) {
    const dem::vec& center = walls[n.walls.front()].center;
    dem::wall_load sum;
    for (const std::size_t k : n.walls) {
      const dem::wall_load& load = now.wall_loads()[k];
      sum.force += load.force;
      sum.torque += load.torque + cross(walls[k].center - center, load.force);
    }
    add(sum.force);
    if (solid_) {
      add(sum.torque);
    } else {
      text += fmt::format(",{}", sum.torque.z);
    }
    if (n.moves) add(center);
  }
  return text;
}

}  // namespace abut::cli
