// What a simulation shows that its author has likely not meant. On the public interface of the simulation alone.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <abut/dem/doubts.hpp>

#include "axes.hpp"
#include "flow_radii.hpp"
#include "patches.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

std::string percent(double part) { return std::to_string(std::lround(100 * part)) + " %"; }

std::string and_others(std::size_t count) {
  if (count <= 1) return "";
  return "; so " + std::string(count == 2 ? "is another one" : "are " + std::to_string(count - 1) + " others");
}

// The worst contact of a kind, and how many there are.
struct worst_contact {
  contact_report worst{};
  double part = 0;  // its overlap as a part of the radius
  std::size_t count = 0;

  void add(const contact_report& c, double p) {
    ++count;
    if (!(p > part)) return;
    worst = c;
    part = p;
  }
};

bool open_at(const wall& w, double time) { return w.opens_at && time >= *w.opens_at; }

std::string number(std::size_t k) { return std::to_string(k); }

// ---- overlaps

std::string pair_of(const worst_contact& w) {
  return "body " + number(w.worst.first) + " and body " + number(w.worst.second);
}

std::string in_wall(const worst_contact& w) {
  return "body " + number(w.worst.first) + " is " + rounded(w.worst.overlap) + " deep in wall " + number(*w.worst.wall);
}

// All contacts by how deep they are.
struct deep_contacts {
  worst_contact behind{}, in_walls{}, inside{}, in_bodies{};

  deep_contacts(const settings& s, const simulation& now) : now_(now) {
    // Most often none is deep, and millions of contacts need not be listed.
    const std::vector<double>& radii = now.bodies().radius;
    const auto smallest = std::min_element(radii.begin(), radii.end());
    if (smallest == radii.end() || now.measure().overlap <= deep_overlap * *smallest) return;
    for (const contact_report& c : now.contacts()) {
      if (c.wall) {
        const bool borders = !s.walls[*c.wall].patches.empty();
        const double part = c.overlap / radius_of(c.first);
        if (part > 1 && !borders) {
          behind.add(c, part);
        } else if (part > deep_overlap) {
          in_walls.add(c, part);
        }
        continue;
      }
      // Bodies that overlap by the radius of the smaller one: the center of one is inside of the other.
      const double part = c.overlap / std::min(radius_of(c.first), radius_of(c.second));
      if (part >= 1 - 1e-9) {
        inside.add(c, part);
      } else if (part > deep_overlap) {
        in_bodies.add(c, part);
      }
    }
  }

  [[nodiscard]] double radius_of(std::uint32_t id) const { return now_.bodies().radius[now_.row_of(id)]; }

 private:
  const simulation& now_;
};

void add_overlaps(const settings& s, const simulation& now, std::vector<doubt>& to) {
  const deep_contacts all(s, now);
  if (const worst_contact& w = all.behind; w.count > 0) {
    to.push_back({true,
                  in_wall(w) + ", more than its radius, " + rounded(all.radius_of(w.worst.first)) +
                      and_others(w.count) + ": turn the wall's normal, or move what is on the wrong side",
                  w.worst.first, w.worst.wall});
  }
  if (const worst_contact& w = all.inside; w.count > 0) {
    const bool one_place = length(w.worst.to - w.worst.from) <= 1e-9 * all.radius_of(w.worst.first);
    const std::string others =
        w.count == 1 ? "" : " (" + number(w.count) + " pairs overlap by more than the smaller one's radius)";
    to.push_back({true,
                  (one_place ? pair_of(w) + " are in one place"
                             : pair_of(w) + " overlap by " + rounded(w.worst.overlap) +
                                   ", so that the center of one is inside of the other") +
                      others + ": move them apart, or make them one clump",
                  w.worst.first, std::nullopt});
  }
  if (const worst_contact& w = all.in_walls; w.count > 0) {
    to.push_back({false,
                  in_wall(w) + ", " + percent(w.part) + " of its radius" + and_others(w.count) +
                      ": it will be thrown away from there",
                  w.worst.first, w.worst.wall});
  }
  if (const worst_contact& w = all.in_bodies; w.count > 0) {
    const std::string others =
        w.count == 1 ? "" : " (" + number(w.count) + " pairs overlap by more than " + percent(deep_overlap) + ")";
    to.push_back({false,
                  pair_of(w) + " overlap by " + percent(w.part) + " of the smaller one's radius" + others +
                      ": they will be thrown apart",
                  w.worst.first, std::nullopt});
  }
}

// ---- openings

double largest_radius(const settings& s, const state& bodies) {
  double largest = 0;
  for (row i = 0; i < bodies.size(); ++i) {
    if (bodies.moves[i] == motion::free) largest = std::max(largest, bodies.radius[i]);
  }
  for (const pour& p : s.pours) largest = std::max(largest, largest_radius(p.radii));
  return largest;
}

// The narrow ends of cones and the holes of discs; a tip of radius 0 is no opening.
void add_openings(const settings& s, const simulation& now, std::vector<doubt>& to) {
  const double largest = largest_radius(s, now.bodies());
  for (std::size_t w = 0; w < s.walls.size(); ++w) {
    for (const patch& p : s.walls[w].patches) {
      const double opening = std::min(p.first, p.second);
      if (p.is != patch::form::turned || !(opening > 0) || opening >= largest) continue;
      to.push_back({false,
                    "wall " + number(w) + " has an opening of radius " + rounded(opening) + ", and bodies have up to " +
                        rounded(largest) + ": these cannot pass",
                    std::nullopt, w});
      return;
    }
  }
}

// ---- the space in which bodies belong

struct space {
  vec low{far, far, far}, high{-far, -far, -far};

  void take(const vec& min, const vec& max) {
    for (const auto axis : axes) {
      low.*axis = std::min(low.*axis, min.*axis);
      high.*axis = std::max(high.*axis, max.*axis);
    }
  }
};

void take_region(space& all, const region& r) {
  const vec wide{r.radius, r.radius, r.radius};
  if (r.is == region::form::half_space) return;
  all.take(r.a - wide, r.a + wide);
  all.take(r.b - wide, r.b + wide);
}

// A plane across an axis is a border there; one that is at an angle, or a surface of the user's, says nothing.
void take_wall(space& all, const wall& w) {
  for (const patch& p : w.patches) {
    const patch_box box = box_of(p);
    all.take(box.min, box.max);
  }
  if (!w.patches.empty() || w.surface) return;
  for (const auto axis : axes) {
    if (w.radius != 0) {
      if (std::abs(w.normal.*axis) > 1e-9) continue;
      all.low.*axis = std::min(all.low.*axis, w.point.*axis - std::abs(w.radius));
      all.high.*axis = std::max(all.high.*axis, w.point.*axis + std::abs(w.radius));
    } else if (std::abs(w.normal.*axis) > 1 - 1e-9) {
      all.low.*axis = std::min(all.low.*axis, w.point.*axis);
      all.high.*axis = std::max(all.high.*axis, w.point.*axis);
    }
  }
}

space space_of(const settings& s, const simulation& now) {
  space all;
  const state& bodies = now.bodies();
  for (row i = 0; i < bodies.size(); ++i) {
    const vec wide{bodies.radius[i], bodies.radius[i], bodies.radius[i]};
    all.take(bodies.position[i] - wide, bodies.position[i] + wide);
  }
  for (const pour& p : s.pours) take_region(all, p.into);
  for (const wall& w : now.walls()) take_wall(all, w);
  return all;
}

// ---- weight

// The mass of a solid body of this radius.
double mass_of(const settings& s, double radius, unsigned material) {
  constexpr double pi = 3.141592653589793;
  return s.materials[material].density *
         (s.dimension == 2 ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius);
}

// What presses on the lowest bodies: the mass that moves freely, once all of it is there, and a body of mean size.
struct load {
  double mass = 0, count = 0, radius = 0;
  unsigned material = 0;
};

load load_of(const settings& s, const simulation& now) {
  load all;
  const state& bodies = now.bodies();
  for (row i = 0; i < bodies.size(); ++i) {
    if (bodies.moves[i] != motion::free) continue;
    all.mass += bodies.mass[i];
    all.radius += bodies.radius[i];
    all.count += 1;
    all.material = bodies.material[i];
  }
  for (const pour& p : s.pours) {
    if (!p.count) continue;  // who knows
    const auto count = static_cast<double>(*p.count);
    const double radius = radius_at(p.radii, s.dimension, 0.5);
    all.mass += count * mass_of(s, radius, p.material);
    all.radius += count * radius;
    all.count += count;
    all.material = p.material;
  }
  if (all.count > 0) all.radius /= all.count;
  return all;
}

// The overlap at which two such bodies push each other apart with a force; nothing if they never do.
std::optional<double> overlap_at(const settings& s, const load& of, double force) {
  std::vector<double> memory(s.contact_law->traits().memory);
  const auto push = [&](double overlap) {
    std::fill(memory.begin(), memory.end(), 0.0);
    contact c;
    c.overlap = overlap;
    c.normal = {1, 0, 0};
    c.radius = of.radius / 2;
    c.mass = of.mass / of.count / 2;
    c.pair = s.materials.pair(of.material, of.material);
    c.memory = memory.data();
    s.contact_law->apply(std::span(&c, 1));
    return c.force.x;
  };
  double low = 0, high = of.radius;
  if (!(push(high) > force)) return push(high) > 0 ? std::optional(high) : std::nullopt;
  for (int k = 0; k < 40; ++k) {
    const double middle = (low + high) / 2;
    (push(middle) > force ? high : low) = middle;
  }
  return high;
}

// The weight of a column of bodies on its lowest contact, if all lie in the space below each other.
void add_weight(const settings& s, const simulation& now, std::vector<doubt>& to) {
  const double g = length(s.gravity);
  const load of = load_of(s, now);
  const state& bodies = now.bodies();
  const bool held = !s.walls.empty() ||
                    std::any_of(bodies.moves.begin(), bodies.moves.end(), [](motion m) { return m != motion::free; });
  if (!(g > 0) || !held || !(of.count > 0) || !s.contact_law) return;
  const space all = space_of(s, now);
  const auto* const steepest = std::max_element(
      axes.begin(), axes.end(), [&](auto a, auto b) { return std::abs(s.gravity.*a) < std::abs(s.gravity.*b); });
  const int dimension = s.dimension;
  double area = 1, own = 1;
  for (int k = 0; k < dimension; ++k) {
    const auto axis = axes[static_cast<std::size_t>(k)];
    if (axis == *steepest) continue;
    const auto& period = s.periodic[static_cast<std::size_t>(k)];
    area *= std::max(period ? period->max - period->min : all.high.*axis - all.low.*axis, 2 * of.radius);
    own *= 2 * of.radius;
  }
  const double one = of.mass / of.count;
  const double force = g * std::max(one, std::min(of.mass, of.mass * own / area));
  const std::optional<double> overlap = overlap_at(s, of, force);
  constexpr double much = 0.05;
  if (!overlap || *overlap <= much * of.radius) return;
  to.push_back(
      {false,
       (force > 1.5 * g * one ? "the weight of the bodies above each other makes overlaps of "
                              : "the weight of a body makes overlaps of ") +
           (*overlap >= of.radius ? "a whole radius" : "about " + percent(*overlap / of.radius) + " of a radius") +
           ": make the contacts stiffer",
       std::nullopt, std::nullopt});
}

}  // namespace

std::vector<doubt> doubts_about(const settings& s, const simulation& at_start) {
  std::vector<doubt> all;
  add_overlaps(s, at_start, all);
  add_openings(s, at_start, all);
  add_weight(s, at_start, all);
  return all;
}

doubt_watch::doubt_watch(const settings& s, const simulation& at_start)
    : gravity_(s.gravity), periodic_(s.periodic), told_gone_(s.walls.empty()) {
  const space all = space_of(s, at_start);
  low_ = all.low;
  high_ = all.high;
  for (const auto axis : axes) size_ = std::max(size_, high_.*axis - low_.*axis);
  const state& bodies = at_start.bodies();
  smallest_ = far;
  for (const double radius : bodies.radius) smallest_ = std::min(smallest_, radius);
  for (const pour& p : s.pours) smallest_ = std::min(smallest_, smallest_radius(p.radii));
  // What is said at the start is not said again.
  const deep_contacts before(s, at_start);
  told_deep_ = before.behind.count + before.in_walls.count + before.inside.count + before.in_bodies.count > 0;
}

std::vector<doubt> doubt_watch::look(const simulation& now, const measures& m) {
  std::vector<doubt> all;
  if (auto found = deep(now, m)) all.push_back(std::move(*found));
  if (auto found = gone(now)) all.push_back(std::move(*found));
  return all;
}

// The largest overlap may be one of large bodies: only if it is large for the smallest, all contacts are looked at, and
// again when it has grown.
std::optional<doubt> doubt_watch::deep(const simulation& now, const measures& m) {
  if (told_deep_ || m.overlap <= deep_overlap * smallest_ || m.overlap <= 1.1 * looked_at_) return {};
  looked_at_ = m.overlap;
  double most = deep_overlap;
  const contact_report* found = nullptr;
  const std::vector<contact_report> all = now.contacts();
  const auto radius_of = [&](std::uint32_t id) { return now.bodies().radius[now.row_of(id)]; };
  for (const contact_report& c : all) {
    const double radius = c.wall ? radius_of(c.first) : std::min(radius_of(c.first), radius_of(c.second));
    if (c.overlap <= most * radius) continue;
    most = c.overlap / radius;
    found = &c;
  }
  if (found == nullptr) return {};
  told_deep_ = true;
  const std::string other = found->wall ? "wall " + number(*found->wall) : "body " + number(found->second);
  return doubt{false,
               "body " + number(found->first) + " and " + other + " overlap by " + percent(most) +
                   (found->wall ? " of its radius" : " of the smaller one's radius") + " in step " +
                   std::to_string(now.steps()) + ": stiffer contacts or slower bodies overlap less",
               found->first, found->wall};
}

// Bodies that are farther from where they belong than that is long, go on, and fall towards no wall.
std::optional<doubt> doubt_watch::gone(const simulation& now) {
  if (told_gone_) return {};
  const state& bodies = now.bodies();
  std::size_t count = 0;
  row first = 0;
  for (row i = 0; i < bodies.size(); ++i) {
    if (bodies.moves[i] != motion::free) continue;
    vec out{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (periodic_[k]) continue;
      const double at = bodies.position[i].*axes[k];
      if (at > high_.*axes[k] + size_) out.*axes[k] = 1;
      if (at < low_.*axes[k] - size_) out.*axes[k] = -1;
    }
    if (out == vec{} || !(dot(bodies.velocity[i], out) > 0) || dot(gravity_, out) < 0) continue;
    if (count++ == 0 || bodies.id[i] < bodies.id[first]) first = i;
  }
  if (count == 0) return {};
  // A plane, or a surface that nothing is known of, may catch them.
  for (const wall& w : now.walls()) {
    if (!w.patches.empty() || w.radius != 0 || open_at(w, now.time())) continue;
    const vec way = length(gravity_) > 0 ? gravity_ : bodies.velocity[first];
    if (w.surface || dot(way, w.normal) < 0) return {};
  }
  told_gone_ = true;
  const vec& at = bodies.position[first];
  return doubt{false,
               (count == 1 ? "body " + number(bodies.id[first]) + " has left all walls, and nothing will catch it"
                           : number(count) + " bodies have left all walls, and nothing will catch them (body " +
                                 number(bodies.id[first]) + ")") +
                   ": it is at (" + rounded(at.x) + ", " + rounded(at.y) + ", " + rounded(at.z) +
                   "); close the gap, or remove bodies there",
               bodies.id[first], std::nullopt};
}

}  // namespace abut::dem
