#include "scene/keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr auto all_keys = std::to_array<scene_key>({
    {"title", form::text, "what the scene shows, for reports"},
    {"dimension", form::whole, "2 for discs, 3 for spheres (3)"},
    {"gravity", form::vector, "the acceleration of gravity, length / time² (0)"},
    {"law", form::text, "the contact law: linear, kelvin-voigt, hooke or hertz-mindlin"},

    {"time", form::number, "how long to simulate; give this or steps"},
    {"steps", form::whole, "how many steps to simulate"},
    {"time_step", form::number, "the length of a step, a time (from stiffness and mass)"},
    {"integrator", form::text, "verlet or predictor-corrector (verlet)"},
    {"sort_every", form::whole, "after how many steps bodies are sorted in memory (1000)"},
    {"method", form::text, "the plan of the search, such as \"grid\"; changes no result (auto)"},
    {"skin", form::number, "the gap up to which pairs are listed, a length; changes no result (tuned)"},
    {"search", form::text,
     "needed, or each-step as in Lazarević et al. with the skin as slack; changes no result (needed)"},
    {"half_step_velocities", form::flag, "damping and friction see velocities in mid-step, as in LAMMPS (false)"},

    {"periodic.x", form::numbers, "[min, max]: space repeats along x, lengths"},
    {"periodic.y", form::numbers, "[min, max]: space repeats along y, lengths"},
    {"periodic.z", form::numbers, "[min, max]: space repeats along z, lengths"},

    {"deform.rate", form::vector, "true strain rates, side' / side for each axis, below 0 to compress, 1 / time (0)"},
    {"deform.table", form::rows,
     "instead, [t, rx, ry, rz], the rates at some times (2D: [t, rx, ry]); linear between them, constant before the "
     "first and after the last"},
    {"deform.pressure", form::numbers,
     "what a servo holds the stress at: a number, or one for each axis, force / length²; in 2D, force / length (none)"},
    {"deform.axes", form::texts, "the axes on which the pressure acts: x, y, z (all that are periodic)"},
    {"deform.mass", form::number, "of each side with a pressure; that of all bodies is a good start"},
    {"deform.damping", form::number, "of each side with a pressure, force time / length (0)"},
    {"deform.limit", form::number, "the largest strain rate, either way, of a side with a pressure, 1 / time (none)"},
    {"deform.isotropic", form::flag,
     "sides with a pressure keep their proportions, and the mean of their stresses counts (false)"},
    {"deform.from", form::number, "a time, before which the box rests (0)"},
    {"deform.until", form::number, "a time, from which the box rests (forever)"},

    {"materials.<name>.density", form::number, "mass / length³; in 2D, mass / length² (1)"},
    {"materials.<name>.young", form::number, "Young's modulus, force / length², for hertz-mindlin (rigid)"},
    {"materials.<name>.poisson", form::number, "Poisson's ratio, for hertz-mindlin (0)"},

    {"interaction.stiffness", form::number, "force / length (0)"},
    {"interaction.tangential_stiffness", form::number, "force / length (2/7 of the stiffness)"},
    {"interaction.restitution", form::number, "speed after / speed before a collision, above 0 and at most 1"},
    {"interaction.damping", form::number, "damping per reduced mass if no restitution is given, 1 / time"},
    {"interaction.viscosity", form::number, "damping if neither of the two is given, force time / length (0)"},
    {"interaction.tangential_damping", form::number, "tangential damping per reduced mass, 1 / time"},
    {"interaction.tangential_viscosity", form::number, "the same as force time / length (from the above)"},
    {"interaction.friction", form::number, "Coulomb's coefficient (0)"},
    {"interaction.rolling_friction", form::number, "the coefficient of rolling resistance (0)"},
    {"interaction.rolling_stiffness", form::number, "force / length (the tangential stiffness)"},
    {"interaction.cohesion", form::number, "the largest cohesive force, for kelvin-voigt (0)"},
    {"interaction.between[].materials", form::texts, "the two materials that meet in this way"},
    {"interaction.between[].stiffness", form::number, "as above; what is left out is as in [interaction]"},
    {"interaction.between[].tangential_stiffness", form::number, "as above"},
    {"interaction.between[].restitution", form::number, "as above"},
    {"interaction.between[].damping", form::number, "as above; without a restitution, replaces the common one"},
    {"interaction.between[].viscosity", form::number, "the same"},
    {"interaction.between[].tangential_damping", form::number, "as above"},
    {"interaction.between[].tangential_viscosity", form::number, "as above"},
    {"interaction.between[].friction", form::number, "as above"},
    {"interaction.between[].rolling_friction", form::number, "as above"},
    {"interaction.between[].rolling_stiffness", form::number, "as above"},
    {"interaction.between[].cohesion", form::number, "as above"},

    {"wall[].kind", form::text, "plane, box, cylinder, cone, disc, rectangle, mesh; in 2D plane, box, circle, segment"},
    {"wall[].name", form::text, "for drives and for the columns of series.csv"},
    {"wall[].material", form::text, "its material (the first)"},
    {"wall[].point", form::vector,
     "any point of the plane, the middle of the disc or circle, a corner of the rectangle, lengths"},
    {"wall[].normal", form::vector,
     "of the plane, of any length, to the side on which bodies stay; of the disc, either way"},
    {"wall[].from", form::vector, "the middle of one end of the cylinder or cone, or an end of the segment, lengths"},
    {"wall[].to", form::vector, "the other end, lengths"},
    {"wall[].radius", form::number, "of the cylinder, disc or circle, or of the cone at from, a length"},
    {"wall[].end_radius", form::number, "of the cone at to, a length"},
    {"wall[].hole", form::number, "the radius of a round hole in the middle of the disc, a length (0)"},
    {"wall[].keeps", form::text,
     "inside or outside: the cylinder has no ends, and bodies stay there; of a circle, too (inside)"},
    {"wall[].side", form::vector, "from the rectangle's corner to the next one, lengths"},
    {"wall[].other_side", form::vector, "from the rectangle's corner to the one on the other side, lengths"},
    {"wall[].file", form::text,
     "an STL file, binary or text, with the mesh's triangles; from the scene's folder, or one that comes with abut"},
    {"wall[].scale", form::number, "multiplies the mesh's coordinates (1)"},
    {"wall[].at", form::vector, "moves the mesh by this, after scaling, lengths (0)"},
    {"wall[].velocity", form::vector, "of the wall, length / time (0)"},
    {"wall[].spin", form::vector, "angular velocity, 1 / time; in 2D one number (0)"},
    {"wall[].center", form::vector,
     "about which the wall turns, lengths (point, from, or the origin of the mesh's file)"},
    {"wall[].pressure", form::number,
     "presses the plane against the bodies, force / length²; in 2D, force / length (none)"},
    {"wall[].area", form::number, "on which the pressure acts, length²; in 2D, length"},
    {"wall[].mass", form::number, "of a plane with a pressure, which moves along its normal"},
    {"wall[].damping", form::number, "of a plane with a pressure, force time / length (0)"},
    {"wall[].min", form::vector, "the lower corner of the box, lengths"},
    {"wall[].max", form::vector, "the upper corner of the box, lengths"},
    {"wall[].around", form::flag, "the box is the one around all bodies at the start, instead of min and max (false)"},
    {"wall[].open", form::texts, "the sides of the box without a wall: -x, +x, -y, +y, -z, +z (none)"},

    {"wall[].opens_at", form::number, "the time from which bodies pass through the wall: an outlet (never)"},

    {"bodies[].name", form::text, "for drives"},
    {"bodies[].generate", form::text, "what to make: fill, silo-wall, or a kind of abut generate"},
    {"bodies[].count", form::whole, "how many bodies; for fill, the most of them (as many as fit)"},
    {"bodies[].seed", form::whole, "the seed of the random numbers (1)"},
    {"bodies[].diameter", form::number, "of the bodies, or of the largest, a length (1)"},
    {"bodies[].min", form::vector, "the lower corner of the box to fill, lengths"},
    {"bodies[].max", form::vector, "the upper corner of the box to fill, lengths"},
    {"bodies[].spacing", form::numbers, "between sites, in diameters; for fill and lattice, also one per axis (1)"},
    {"bodies[].jitter", form::number, "the largest random displacement, in diameters (as abut generate; fill: 0)"},
    {"bodies[].shuffle", form::flag, "ids in random order (false)"},
    {"bodies[].sizes", form::text, "equal, uniform, r-3 or mass (equal)"},
    {"bodies[].ratio", form::number, "the largest diameter over the smallest"},
    {"bodies[].fraction", form::number, "the part of the packing's box that the bodies fill (0.3)"},
    {"bodies[].each", form::whole, "bodies per cluster (1000)"},
    {"bodies[].side", form::number, "of the clusters' space, in diameters (1e5)"},
    {"bodies[].arrangement", form::text, "cubic or hexagonal (cubic)"},
    {"bodies[].direction", form::vector, "of the line (along x)"},
    {"bodies[].outlet", form::number, "the diameter of a silo-wall's lower end, a length"},
    {"bodies[].hopper", form::number, "the height of a silo-wall's cone, a length"},
    {"bodies[].width", form::number, "the diameter of a silo-wall's cylinder, a length"},
    {"bodies[].height", form::number, "the height of a silo-wall's cylinder, a length"},
    {"bodies[].file", form::text, "a file of spheres or discs, as for abut find; from the scene's folder"},
    {"bodies[].columns", form::text, "what the file's columns are, as --columns of abut find"},
    {"bodies[].radius", form::number, "one radius for all, if the file has none, a length"},
    {"bodies[].scale", form::number, "multiplies the radii (1)"},
    {"bodies[].at", form::vector, "moves all of them by this, lengths (0)"},
    {"bodies[].material", form::text, "their material (the first)"},
    {"bodies[].moves", form::text, "free, fixed, or driven at their velocity whatever pushes them (free)"},
    {"bodies[].fixed_within", form::number,
     "fixes those whose centers are at most this far from the sides of the box "
     "around all centers, a length; drives do not move them (none)"},
    {"bodies[].velocity", form::vector, "of all, length / time (0)"},
    {"bodies[].random_velocity", form::number, "adds up to this on each axis, either way, length / time (0)"},
    {"bodies[].alternating_velocity", form::vector,
     "adds this to the first, third, ... and its opposite to the second, "
     "fourth, ..., length / time (0)"},
    {"bodies[].spin", form::vector, "angular velocity, 1 / time; in 2D one number (0)"},

    {"bodies[].clump", form::rows,
     "replaces each body by a rigid clump of balls, [x, y, z, r] for each (2D: [x, y, r]), in units "
     "of the body's radius and from its center"},
    {"bodies[].turned", form::flag, "turns each clump at random (false)"},

    {"body[].name", form::text, "for drives"},
    {"body[].position", form::vector, "of its center, lengths"},
    {"body[].radius", form::number, "a length"},
    {"body[].velocity", form::vector, "length / time (0)"},
    {"body[].spin", form::vector, "angular velocity, 1 / time; in 2D one number (0)"},
    {"body[].material", form::text, "its material (the first)"},
    {"body[].moves", form::text, "free, fixed or driven (free)"},
    {"body[].mass", form::number, "a mass (from its volume and its material's density)"},

    {"body[].clump", form::whole, "bodies with the same number are one rigid clump (none)"},

    {"drive[].of", form::texts, "the names of the bodies and walls that it moves"},
    {"drive[].velocity", form::vector, "constant, length / time (0)"},
    {"drive[].spin", form::vector, "constant angular velocity, 1 / time; in 2D one number (0)"},
    {"drive[].amplitude", form::vector, "of an oscillation, lengths (0)"},
    {"drive[].frequency", form::number, "of the oscillation, 1 / time"},
    {"drive[].phase", form::number, "of the oscillation, in turns: 0.25 starts at the end of the way (0)"},
    {"drive[].table", form::rows,
     "[t, vx, vy, vz] at some times (2D: [t, vx, vy]); linear between them, constant "
     "before the first and after the last"},
    {"drive[].from", form::number, "a time, before which it rests (0)"},
    {"drive[].until", form::number, "a time, from which it rests (forever)"},

    {"pour[].min", form::vector, "the lower corner of the box in which new bodies appear, lengths"},
    {"pour[].max", form::vector, "the upper corner of the box, lengths"},
    {"pour[].from", form::vector, "instead of a box, the middle of one end of a cylinder, lengths"},
    {"pour[].to", form::vector, "the middle of the cylinder's other end, lengths"},
    {"pour[].radius", form::number, "of the cylinder, a length"},
    {"pour[].count", form::whole, "how many bodies in all (without end)"},
    {"pour[].rate", form::number, "bodies per time (all that there is room for)"},
    {"pour[].mass_rate", form::number, "instead of a rate, mass / time"},
    {"pour[].start", form::number, "a time, before which none are poured (0)"},
    {"pour[].end", form::number, "a time, from which none are poured (forever)"},
    {"pour[].diameter", form::number, "of the bodies, or of the largest, a length"},
    {"pour[].sizes", form::text, "equal, uniform, r-3 or mass, as for bodies (equal)"},
    {"pour[].ratio", form::number, "the largest diameter over the smallest (2)"},
    {"pour[].size_table", form::rows, "instead, [diameter, share] for each size; shares count bodies"},
    {"pour[].material", form::text, "their material (the first)"},
    {"pour[].velocity", form::vector, "of new bodies, length / time (0)"},
    {"pour[].spin", form::vector, "angular velocity of new bodies, 1 / time; in 2D one number (0)"},
    {"pour[].seed", form::whole, "of the random sizes and places (1)"},
    {"pour[].every", form::whole, "the steps from one pouring to the next (100)"},

    {"remove[].min", form::vector, "the lower corner of a box from which bodies are removed, lengths"},
    {"remove[].max", form::vector, "the upper corner of the box, lengths"},
    {"remove[].from", form::vector, "instead of a box, the middle of one end of a cylinder, lengths"},
    {"remove[].to", form::vector, "the middle of the cylinder's other end, lengths"},
    {"remove[].radius", form::number, "of the cylinder, a length"},
    {"remove[].point", form::vector, "instead of a box, any point of a plane, lengths"},
    {"remove[].normal", form::vector, "of the plane, of any length, to the side from which bodies are removed"},
    {"remove[].of", form::text, "free, or held: bodies that are fixed or driven (free)"},
    {"remove[].start", form::number, "a time, before which none are removed (0)"},
    {"remove[].end", form::number, "a time, from which none are removed (forever)"},
    {"remove[].every", form::whole, "the steps from one removal to the next (100)"},

    {"output.every", form::whole, "the steps between two rows of series.csv (100)"},
    {"output.states", form::texts, "how the final state is written: npy, vtp (both)"},
    {"output.frames", form::whole, "how many frames are written after that of the start, at equal distances (0: none)"},
    {"output.frames_every", form::number, "instead, the time from one frame to the next (none)"},
    {"output.checkpoints", form::whole,
     "how many checkpoints are written, at equal distances; 0 for none, not even at the end (20)"},
    {"output.frame_files", form::texts, "how frames are written: vtp, contacts, dump (vtp)"},
    {"output.frame_columns", form::texts, "what bodies in frames have besides: torque, orientation (none)"},
});

constexpr std::string_view item = "[]";
constexpr std::string_view any_name = "<name>";

/// The key with this pattern; null if there is none.
const scene_key* key_at(std::string_view pattern) {
  for (const scene_key& key : all_keys) {
    if (key.path == pattern) return &key;
  }
  return nullptr;
}

/// Whether there are keys inside: some path continues the pattern with `next`.
bool leads_on(std::string_view pattern, std::string_view next) {
  const std::string start = std::string(pattern).append(next);
  return std::any_of(all_keys.begin(), all_keys.end(), [&](const scene_key& k) { return k.path.starts_with(start); });
}

/// The names that may follow a pattern ("" or "bodies[]") in its table.
std::vector<std::string> names_in(const std::string& pattern) {
  const std::string start = pattern.empty() ? "" : pattern + ".";
  std::vector<std::string> names;
  for (const scene_key& key : all_keys) {
    if (!key.path.starts_with(start)) continue;
    const std::string_view rest = key.path.substr(start.size());
    const std::string name(rest.substr(0, rest.find_first_of(".[")));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

bool is_finite_number(const value& v) { return v.is_number() && std::isfinite(v.real); }

bool all_of(const value& v, bool (*fits)(const value&)) {
  return v.kind == value_kind::array && std::all_of(v.inside.begin(), v.inside.end(), fits);
}

void check_form(const value& v, form looks) {
  const auto demand = [&](bool fits, std::string_view what) {
    if (!fits) refuse(v, fmt::format("is {}; it must be {}", v.in_words(), what));
  };
  switch (looks) {
    case form::text:
      return demand(v.kind == value_kind::text, "a text in quotes");
    case form::texts:
      return demand(all_of(v, [](const value& i) { return i.kind == value_kind::text; }),
                    "an array of texts in quotes");
    case form::whole:
      return demand(is_finite_number(v) && v.real >= 0 && v.real == std::floor(v.real), "a whole number, at least 0");
    case form::number:
      return demand(is_finite_number(v), "a finite number");
    case form::flag:
      return demand(v.kind == value_kind::flag, "true or false");
    case form::vector:
      return demand(is_finite_number(v) || all_of(v, is_finite_number),
                    "an array of finite numbers, such as [0, 0, 1]");
    case form::numbers:
      return demand(is_finite_number(v) || all_of(v, is_finite_number), "finite numbers");
    case form::rows:
      return demand(all_of(v, [](const value& i) { return all_of(i, is_finite_number); }),
                    "an array of arrays of finite numbers");
  }
}

void check_table(const value& table, const std::string& pattern);

void check_member(const value& v, const std::string& pattern) {
  if (const scene_key* key = key_at(pattern)) return check_form(v, key->looks);
  if (leads_on(pattern, item)) {
    const bool tables =
        v.kind == value_kind::array &&
        std::all_of(v.inside.begin(), v.inside.end(), [](const value& i) { return i.kind == value_kind::table; });
    if (!tables) refuse(v, fmt::format("is {}; it must be an array of tables: write [[{}]]", v.in_words(), pattern));
    for (const value& one : v.inside) check_table(one, pattern + std::string(item));
    return;
  }
  if (v.kind != value_kind::table) {
    refuse(v, fmt::format("is {}; it must be a table: write [{}]", v.in_words(), v.path));
  }
  check_table(v, pattern);
}

void check_table(const value& table, const std::string& pattern) {
  const std::string start = pattern.empty() ? "" : pattern + ".";
  for (const value& v : table.inside) {
    if (leads_on(start, any_name)) {
      check_member(v, start + std::string(any_name));
      continue;
    }
    const std::vector<std::string> names = names_in(pattern);
    if (std::find(names.begin(), names.end(), v.key) != names.end()) {
      check_member(v, start + v.key);
      continue;
    }
    const std::string near = nearest(v.key, names);
    const std::string where = table.path.empty() ? "" : fmt::format(" in {}", table.path);
    throw error(fmt::format("{}: unknown key {}{}{}", v.key_place, in_quotes(v.key), where,
                            near.empty() ? fmt::format("; the keys are {}", joined(names))
                                         : fmt::format(", did you mean {}?", in_quotes(near))));
  }
}

}  // namespace

std::span<const scene_key> scene_keys() { return all_keys; }

void check_keys(const value& root) { check_table(root, ""); }

}  // namespace abut::cli
