#include "agreement.hpp"

#include <algorithm>
#include <optional>

#include <abut/error.hpp>

#include "axes.hpp"
#include "mix.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

std::string words_for(const vec& v) { return "(" + text_of(v.x) + ", " + text_of(v.y) + ", " + text_of(v.z) + ")"; }
std::string words_for(const std::optional<double>& value) { return value ? text_of(*value) : "none"; }
std::string words_for(const std::optional<interval>& i) {
  return i ? "from " + text_of(i->min) + " to " + text_of(i->max) : "none";
}
std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string words_for(const material& m) {
  return "\"" + m.name + "\" of density " + text_of(m.density) + ", young " + text_of(m.young) + ", poisson " +
         text_of(m.poisson);
}

std::string words_for(const interaction& i) {
  return "stiffness " + text_of(i.stiffness) + ", tangential_stiffness " + words_for(i.tangential_stiffness) +
         ", restitution " + words_for(i.restitution) + ", damping " + words_for(i.damping) + ", viscosity " +
         text_of(i.viscosity) + ", tangential_damping " + words_for(i.tangential_damping) + ", tangential_viscosity " +
         words_for(i.tangential_viscosity) + ", friction " + text_of(i.friction) + ", rolling_friction " +
         text_of(i.rolling_friction) + ", rolling_stiffness " + words_for(i.rolling_stiffness) + ", cohesion " +
         text_of(i.cohesion);
}

std::string words_for(const law_traits& t) {
  return "that remembers " + std::to_string(t.memory) + " numbers, reaches " + text_of(t.reach) +
         ", turns bodies: " + yes_or_no(t.turns) + ", has torques: " + yes_or_no(t.torques) +
         ", acts at surfaces: " + yes_or_no(t.at_surfaces);
}

std::string words_for(const region& r) {
  return "region " + std::to_string(static_cast<int>(r.is)) + " " + words_for(r.a) + " " + words_for(r.b) + " " +
         text_of(r.radius);
}

std::string words_for(const radius_distribution& d) {
  std::string words = std::to_string(static_cast<int>(d.is)) + " " + text_of(d.largest) + " " + text_of(d.ratio);
  for (const radius_share& one : d.table) words += " " + text_of(one.radius) + " " + text_of(one.share);
  return words;
}

std::string words_for_times(double start, double end, std::uint64_t every) {
  return "from " + text_of(start) + " to " + text_of(end) + " every " + std::to_string(every) + " steps";
}

std::string words_for(const pour& p) {
  return words_for_times(p.start, p.end, p.every) + ", count " + (p.count ? std::to_string(*p.count) : "none") +
         ", rate " + words_for(p.rate) + ", mass_rate " + words_for(p.mass_rate) + ", seed " + std::to_string(p.seed) +
         ", material " + std::to_string(p.material) + ", velocity " + words_for(p.velocity) + ", spin " +
         words_for(p.spin) + ", radii " + words_for(p.radii) + ", " + words_for(p.into);
}

std::string words_for(const box_side& s) {
  if (s.rate_at) return "a rate by a function";
  if (!s.held) return "rate " + text_of(s.rate);
  return "pressure " + text_of(s.held->pressure) + ", mass " + text_of(s.held->mass) + ", damping " +
         text_of(s.held->damping) + ", limit " + text_of(s.held->limit);
}

std::string words_for(const std::optional<box_deformation>& d) {
  if (!d) return "none";
  std::string words = "from " + text_of(d->begin) + " to " + text_of(d->end) + (d->isotropic ? ", isotropic" : "");
  for (std::size_t k = 0; k < 3; ++k) words += ", along " + std::string(axis_names[k]) + " " + words_for(d->sides[k]);
  return words;
}

void add_flow(facts& all, const settings& s) {
  all.push_back({"number of pours", std::to_string(s.pours.size())});
  all.push_back({"number of removals", std::to_string(s.removals.size())});
  for (std::size_t k = 0; k < s.pours.size(); ++k) {
    all.push_back({"pour " + std::to_string(k), words_for(s.pours[k])});
  }
  for (std::size_t k = 0; k < s.removals.size(); ++k) {
    const removal& r = s.removals[k];
    all.push_back({"removal " + std::to_string(k), words_for_times(r.start, r.end, r.every) + ", of held bodies: " +
                                                       yes_or_no(r.held) + ", " + words_for(r.from)});
  }
  for (std::size_t w = 0; w < s.walls.size(); ++w) {
    if (s.walls[w].opens_at) all.push_back({"opening of wall " + std::to_string(w), words_for(s.walls[w].opens_at)});
  }
}

}  // namespace

facts facts_of(const settings& s, const law_traits& traits) {
  const bool verlet = s.moved_by == integrator::verlet;
  facts all = {{"dimension", std::to_string(s.dimension), 1},
               {"period along x", words_for(s.periodic[0]), 1},
               {"period along y", words_for(s.periodic[1]), 1},
               {"period along z", words_for(s.periodic[2]), 1},
               {"number of materials", std::to_string(s.materials.size()), 1},
               {"contact law", s.contact_law ? words_for(traits) : "none", 1},
               {"integrator", verlet ? "verlet" : "predictor-corrector", 1},
               {"energies", yes_or_no(s.energies), 1},
               {"half_step_velocities", yes_or_no(s.half_step_velocities)},
               {"gravity", words_for(s.gravity)},
               {"deformation of the box", words_for(s.deform)},
               {"sort_every", std::to_string(s.sort_every)},
               {"number of drives", std::to_string(s.drives.size())}};
  add_flow(all, s);
  for (unsigned k = 0; k < s.materials.size(); ++k) {
    all.push_back({"material " + std::to_string(k), words_for(s.materials[k])});
  }
  for (unsigned a = 0; a < s.materials.size(); ++a) {
    for (unsigned b = a; b < s.materials.size(); ++b) {
      all.push_back({"interaction of materials " + std::to_string(a) + " and " + std::to_string(b),
                     words_for(s.materials.between(a, b))});
    }
  }
  return all;
}

void check_agreement(const facts& saved, const facts& now, resume how) {
  for (std::size_t k = 0; k < std::min(saved.size(), now.size()); ++k) {
    const bool needed = how == resume::as_before || now[k].always != 0;
    if (!needed || (saved[k].name == now[k].name && saved[k].value == now[k].value)) continue;
    throw error("the checkpoint has " + saved[k].name + " " + saved[k].value + ", the settings have " +
                (saved[k].name == now[k].name ? "" : now[k].name + " ") + now[k].value);
  }
}

std::uint64_t hash_of(const wall& w) {
  std::uint64_t hash = w.material;
  for (const vec& v : {w.point, w.normal, w.velocity, w.spin, w.center}) mix(hash, v);
  mix(hash, w.radius);
  mix(hash, std::uint64_t{w.surface ? 1U : 0U});
  for (const patch& p : w.patches) {
    mix(hash, static_cast<std::uint64_t>(p.is));
    for (const vec& v : {p.a, p.b, p.c, p.normal}) mix(hash, v);
    mix(hash, p.first);
    mix(hash, p.second);
  }
  if (!w.pressed) return hash;
  for (const double value : {w.pressed->force, w.pressed->mass, w.pressed->damping}) mix(hash, value);
  return hash;
}

}  // namespace abut::dem
