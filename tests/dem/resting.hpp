#pragma once

// A ball on or between walls, for the tests of walls.

#include <numbers>
#include <utility>
#include <vector>

#include <abut/dem/dem.hpp>

namespace dem_support {

constexpr double ball_radius = 0.01;
constexpr double ball_density = 2500;
constexpr double ball_mass = ball_density * 4.0 / 3 * std::numbers::pi * ball_radius * ball_radius * ball_radius;
constexpr double wall_stiffness = 1e5;

/// Settings with one material for everything.
inline abut::dem::settings with_walls(std::vector<abut::dem::wall> walls, const abut::dem::interaction& i,
                                      const char* law_name = "hooke") {
  abut::dem::settings s;
  s.materials = abut::dem::material_table(i);
  s.materials.add({"all", ball_density});
  s.contact_law = abut::dem::named_law(law_name, s.materials);
  s.walls = std::move(walls);
  s.threads = 1;
  return s;
}

/// What walls do to a single ball: with springs alone, without motion.
struct push {
  abut::dem::vec force{};
  std::size_t contacts = 0;
};
inline push push_on_ball(const std::vector<abut::dem::wall>& walls, const abut::dem::vec& center,
                         double radius = ball_radius) {
  const abut::dem::simulation one(with_walls(walls, {.stiffness = wall_stiffness}, "linear"),
                                  {{.position = center, .radius = radius}});
  return {one.bodies().force[0], one.measure().contacts};
}

inline double weight() { return ball_mass * 9.81; }

}  // namespace dem_support
