#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"

namespace abut::cli {
namespace {

using dem::vec;

/// A velocity at a time.
struct knot {
  double time = 0;
  vec velocity{};
};

/// What a table [[drive]] says: a sum of a constant motion, an oscillation and a table.
struct drive_program {
  vec velocity{}, spin{};
  vec amplitude{};
  double turns_per_time = 0;  ///< of the oscillation
  double phase = 0;           ///< in turns
  std::vector<knot> table{};
  double from = 0, until = std::numeric_limits<double>::infinity();

  [[nodiscard]] dem::driven_motion at(double time) const {
    if (time < from || time >= until) return {};
    constexpr double turn = 2 * std::numbers::pi;
    vec v = velocity;
    if (turns_per_time > 0) {
      // The velocity of amplitude * sin(angle).
      v += amplitude * (turn * turns_per_time * dem::portable_cos(turn * (turns_per_time * time + phase)));
    }
    return {v + from_table(time), spin};
  }

  [[nodiscard]] vec from_table(double time) const {
    if (table.empty() || time <= table.front().time) return table.empty() ? vec{} : table.front().velocity;
    const auto next = std::find_if(table.begin(), table.end(), [&](const knot& k) { return k.time > time; });
    if (next == table.end()) return table.back().velocity;
    const knot& last = *(next - 1);
    const double part = (time - last.time) / (next->time - last.time);
    return last.velocity + (next->velocity - last.velocity) * part;
  }
};

std::vector<knot> knots_in(const value& table, int dimension) {
  std::vector<knot> knots;
  const value* const rows = table.find("table");
  if (rows == nullptr) return knots;
  for (const value& row : rows->inside) {
    if (row.inside.size() != static_cast<std::size_t>(dimension) + 1) {
      refuse(row,
             fmt::format("is {}; it must be {}", row.in_words(), dimension == 2 ? "[t, vx, vy]" : "[t, vx, vy, vz]"));
    }
    const auto& numbers = row.inside;
    knots.push_back({numbers[0].real, {numbers[1].real, numbers[2].real, dimension == 2 ? 0 : numbers[3].real}});
    if (knots.size() > 1 && !(knots[knots.size() - 2].time < knots.back().time)) {
      refuse(row, fmt::format("is at time {}, which is not after the one before it", numbers[0].real));
    }
  }
  return knots;
}

drive_program read_program(const value& table, int dimension) {
  drive_program p;
  p.velocity = vector_in(table, "velocity", dimension).value_or(vec{});
  p.spin = spin_in(table, "spin", dimension).value_or(vec{});
  p.amplitude = vector_in(table, "amplitude", dimension).value_or(vec{});
  const auto frequency = number_in(table, "frequency", "above 0", [](double f) { return f > 0; });
  if (table.find("amplitude") != nullptr && !frequency) refuse_missing(table, "frequency", "frequency = 10");
  if (frequency && table.find("amplitude") == nullptr) refuse_missing(table, "amplitude", "amplitude = [0, 0, 0.001]");
  p.turns_per_time = frequency.value_or(0);
  p.phase = number_in(table, "phase").value_or(0);
  p.table = knots_in(table, dimension);
  p.from = number_in(table, "from").value_or(p.from);
  p.until = number_in(table, "until").value_or(p.until);
  return p;
}

/// Adds the bodies and walls of this name to the drive, and makes the bodies driven ones.
void add_named(scene& to, dem::drive& drive, const value& name) {
  std::vector<std::string> names;
  bool found = false;
  for (std::size_t k = 0; k < to.sources.size(); ++k) {
    if (!to.sources[k].name.empty()) names.push_back(to.sources[k].name);
    if (to.sources[k].name != name.text) continue;
    found = true;
    const std::size_t before = drive.bodies.size();
    const std::size_t end = k + 1 < to.sources.size() ? to.sources[k + 1].first : to.bodies.size();
    for (std::size_t id = to.sources[k].first; id < end; ++id) {
      if (to.bodies[id].moves == dem::motion::fixed) continue;  // those of a fixed border
      to.bodies[id].moves = dem::motion::driven;
      drive.bodies.push_back(static_cast<std::uint32_t>(id));
    }
    if (drive.bodies.size() == before) refuse(name, fmt::format("is {}, whose bodies are all fixed", name.in_words()));
  }
  for (std::size_t w = 0; w < to.wall_names.size(); ++w) {
    if (!to.wall_names[w].empty()) names.push_back(to.wall_names[w]);
    if (to.wall_names[w] != name.text) continue;
    found = true;
    drive.walls.push_back(w);
  }
  if (found) return;
  if (names.empty())
    refuse(name, fmt::format("is {}, and no wall and no bodies have a name; add name = {}", name.in_words(),
                             name.in_words()));
  refuse_word(name, names);
}

}  // namespace

void add_drives(scene& to, const value& root) {
  const value* const tables = root.find("drive");
  if (tables == nullptr) return;
  for (const value& table : tables->inside) {
    const value* const of = table.find("of");
    if (of == nullptr || of->inside.empty())
      refuse_missing(table, "of", "of = [\"piston\"], the name of a wall or of bodies");
    dem::drive drive;
    for (const value& name : of->inside) add_named(to, drive, name);
    drive.at = [program = read_program(table, to.settings.dimension)](double time) { return program.at(time); };
    to.settings.drives.push_back(std::move(drive));
  }
}

}  // namespace abut::cli
