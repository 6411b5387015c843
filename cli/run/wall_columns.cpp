#include "run/wall_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

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

wall_columns::wall_columns(const scene& what) {
  for (std::size_t k = 0; k < what.wall_names.size(); ++k) {
    const std::string& name = what.wall_names[k];
    if (name.empty()) continue;
    auto at = std::find_if(all_.begin(), all_.end(), [&](const named& n) { return n.name == name; });
    if (at == all_.end()) at = all_.insert(at, {name, {}});
    at->walls.push_back(k);
  }
}

std::string wall_columns::header() const {
  std::string text;
  for (const named& n : all_) {
    for (const char* part : {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"}) {
      text += "," + field(n.name + "_" + part);
    }
  }
  return text;
}

std::string wall_columns::row_of(const dem::simulation& now) const {
  if (all_.empty()) return "";
  const std::vector<dem::wall> walls = now.walls();
  std::string text;
  for (const named& n : all_) {
    dem::wall_load sum;
    for (const std::size_t k : n.walls) {
      const dem::wall_load& load = now.wall_loads()[k];
      sum.force += load.force;
      sum.torque += load.torque + cross(walls[k].center - walls[n.walls.front()].center, load.force);
    }
    for (const dem::vec& v : {sum.force, sum.torque}) text += fmt::format(",{},{},{}", v.x, v.y, v.z);
  }
  return text;
}

}  // namespace abut::cli
