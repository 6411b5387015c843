#include <abut/dem/laws.hpp>

// The laws that have a name. Formulas and sources: docs/simulation.md.
//
// Signs: the normal points from the first body to the second, forces are on the second. So a normal force above 0
// pushes the bodies apart, and the bodies approach each other at the speed -dot(velocity, normal).

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <abut/dem/portable.hpp>
#include <abut/error.hpp>

#include "pair_loop.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

// The share of critical damping that leaves the speed ratio e: exp(-pi b / sqrt(1 - b^2)) = e.
double damping_share(double e) {
  const double l = 0 - portable_log(e);  // not -0 for e = 1
  return l / std::sqrt(std::numbers::pi * std::numbers::pi + l * l);
}

std::string names(const material_table& m, unsigned a, unsigned b) {
  return "\"" + m[a].name + "\" with \"" + m[b].name + "\"";
}

// Of the ways to say it, one counts for the normal, and one for the tangential damping.
void give_damping(const interaction& i, hooke_numbers<double>& p) {
  if (i.damping && !i.restitution) p.central.rate = *i.damping;
  if (!i.damping && !i.restitution) p.central.g = i.viscosity;
  const bool given = i.tangential_viscosity || i.tangential_damping;
  p.implied = i.restitution && !given;
  p.given = p.implied ? 0 : 1;
  p.gt = i.tangential_viscosity.value_or(given ? 0 : p.central.g / 2);
  if (!i.tangential_viscosity) p.tangential_rate = i.tangential_damping.value_or(p.central.rate / 2);
  p.central.rates = p.central.rate > 0 || p.tangential_rate > 0;
}

std::vector<hooke_numbers<double>> linear_pairs(const material_table& materials, std::string_view law_name) {
  std::vector<hooke_numbers<double>> all;
  for (unsigned a = 0; a < materials.size(); ++a) {
    for (unsigned b = 0; b < materials.size(); ++b) {
      const interaction& i = materials.between(a, b);
      if (!(i.stiffness > 0)) {
        throw error("the law " + std::string(law_name) + " needs a stiffness above 0 for " + names(materials, a, b));
      }
      hooke_numbers<double> p;
      p.central.k = i.stiffness;
      p.kt = i.tangential_stiffness.value_or(i.stiffness * 2 / 7);
      p.kr = i.rolling_stiffness.value_or(p.kt);
      p.slip_softness = p.kt > 0 ? 1 / p.kt : 0;
      p.roll_softness = p.kr > 0 ? 1 / p.kr : 0;
      p.central.share = i.restitution ? damping_share(*i.restitution) : 0;
      p.central.shares = p.central.share > 0;
      give_damping(i, p);
      p.friction = i.friction;
      p.rolling = i.rolling_friction;
      p.central.cohesion = i.cohesion;
      all.push_back(p);
    }
  }
  return all;
}

vec3<double> parts_of(const vec& v) { return {v.x, v.y, v.z}; }
vec vec_of(const vec3<double>& v) { return {v.x, v.y, v.z}; }

central_contact<double> central_part(const contact& c) {
  central_contact<double> of;
  of.overlap = c.overlap;
  of.apart = dot(c.velocity, c.normal);
  of.mass = c.mass;
  of.radius = c.radius;
  return of;
}

void tell(const central_contact<double>& of, contact& c) {
  c.stiffness = of.stiffness;
  c.viscosity = of.viscosity;
  c.energy = of.energy;
}

// A formula that remembers nothing: see formula_law.
template <class Kind, class Numbers, bool Reaches, bool Stiffens>
struct central_formula {
  static constexpr std::size_t memory = 0;
  static constexpr bool reaches = Reaches;
  static constexpr bool stiffens = Stiffens;
  using central = Kind;
  using numbers = Numbers;
  std::vector<Numbers> pairs;

  void operator()(contact& c) const {
    central_contact<double> of = central_part(c);
    c.force = c.normal * plain::force_of(Kind{}, pairs[c.pair], of);
    tell(of, c);
  }
};

// A formula that remembers the stretch of springs.
template <class Kind, class Numbers, std::size_t Memory, bool Stiffens>
struct frictional_formula {
  static constexpr std::size_t memory = Memory;
  static constexpr bool stiffens = Stiffens;
  static constexpr bool uses_radius = Memory == 6 || std::is_same_v<Kind, elastic_spheres>;
  using central = Kind;
  using numbers = Numbers;
  std::vector<Numbers> pairs;

  void operator()(contact& c) const {
    central_contact<double> of = central_part(c);
    frictional_contact<double> f;
    f.normal = parts_of(c.normal);
    f.velocity = parts_of(c.velocity);
    f.slip = parts_of(c.slip);
    f.spin = parts_of(c.spin);
    f.roll = parts_of(c.roll);
    f.spring = plain::turned_along(load(c.memory), f.normal);
    if constexpr (Memory == 6) f.rolled = plain::turned_along(load(c.memory + 3), f.normal);
    plain::apply<Memory>(Kind{}, pairs[c.pair], plain::as_given{}, of, f);
    store(c.memory, f.spring);
    if constexpr (Memory == 6) store(c.memory + 3, f.rolled);
    c.force = vec_of(f.force);
    c.torque = vec_of(f.torque);
    tell(of, c);
  }

 private:
  static vec3<double> load(const double* m) { return {m[0], m[1], m[2]}; }
  static void store(double* m, const vec3<double>& v) {
    m[0] = v.x;
    m[1] = v.y;
    m[2] = v.z;
  }
};

using linear = central_formula<spring, linear_numbers<double>, false, false>;
using kelvin_voigt = central_formula<cohesive_spring, linear_numbers<double>, true, false>;
using smooth_hooke = central_formula<damped_spring, linear_numbers<double>, false, false>;
using smooth_hertz = central_formula<elastic_spheres, hertz_numbers<double>, false, true>;

// The numbers of the forces along the normal.
template <class Pair>
auto central_of(const std::vector<Pair>& pairs) {
  std::vector<decltype(Pair::central)> all;
  all.reserve(pairs.size());
  for (const Pair& p : pairs) all.push_back(p.central);
  return all;
}

// 3 numbers for friction, 6 with rolling resistance, none without both.
template <class Pairs>
law_traits tangential_traits(const Pairs& pairs) {
  law_traits t;
  for (const auto& p : pairs) {
    if (p.friction > 0) t.memory = std::max<std::size_t>(t.memory, 3);
    if (p.rolling > 0) t.memory = 6;
  }
  t.turns = t.memory > 0;
  t.torques = t.memory > 3;
  return t;
}

template <std::size_t Memory>
using hooke = frictional_formula<damped_spring, hooke_numbers<double>, Memory, false>;
template <std::size_t Memory>
using hertz_mindlin = frictional_formula<elastic_spheres, mindlin_numbers<double>, Memory, true>;

double compliance(const material& m) { return (1 - m.poisson * m.poisson) / m.young; }
double shear_compliance(const material& m) { return (2 - m.poisson) * 2 * (1 + m.poisson) / m.young; }

std::vector<mindlin_numbers<double>> hertz_pairs(const material_table& m) {
  std::vector<mindlin_numbers<double>> all;
  for (unsigned a = 0; a < m.size(); ++a) {
    for (unsigned b = 0; b < m.size(); ++b) {
      const interaction& i = m.between(a, b);
      const double softness = compliance(m[a]) + compliance(m[b]);
      // Two rigid materials never meet if both are walls; if bodies are of one, they get an infinite stiffness here,
      // which the simulation refuses.
      mindlin_numbers<double> p;
      p.central.young = 1 / softness;
      p.shear = 1 / (shear_compliance(m[a]) + shear_compliance(m[b]));
      p.central.share = i.restitution ? damping_share(*i.restitution) : 0;
      p.friction = i.friction;
      p.rolling = i.rolling_friction;
      if (!i.restitution && (i.viscosity > 0 || i.damping.value_or(0) > 0)) {
        throw error("the law hertz-mindlin takes damping as a restitution, not as a viscosity or per mass, for " +
                    names(m, a, b));
      }
      all.push_back(p);
    }
  }
  return all;
}

template <class Formula>
std::shared_ptr<const law> law_of(Formula formula, law_traits traits) {
  traits.materials = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(formula.pairs.size()))));
  return std::make_shared<formula_law<Formula>>(std::move(formula), traits);
}

// A law with as much memory as these pairs need.
template <template <std::size_t> class Formula, class Smooth, class Pair>
std::shared_ptr<const law> tangential_law(std::vector<Pair> pairs) {
  const law_traits traits = tangential_traits(pairs);
  if (traits.memory == 0) return law_of(Smooth{central_of(pairs)}, traits);
  if (traits.memory == 3) return law_of(Formula<3>{std::move(pairs)}, traits);
  return law_of(Formula<6>{std::move(pairs)}, traits);
}

std::shared_ptr<const law> kelvin_voigt_law(const material_table& m) {
  law_traits traits;
  std::vector<linear_numbers<double>> pairs = central_of(linear_pairs(m, "kelvin-voigt"));
  for (const linear_numbers<double>& p : pairs) traits.reach = std::max(traits.reach, p.cohesion / p.k);
  return law_of(kelvin_voigt{std::move(pairs)}, traits);
}

constexpr law_info table[] = {
    {"linear", "Ogarko and Luding 2011", "an elastic spring", "stiffness"},
    {"kelvin-voigt", "Lazarević et al. 2002, equations 2-5 and 20-22",
     "a spring and a dashpot; when bodies move apart, a spring that pulls them together",
     "stiffness; restitution, damping or viscosity; cohesion"},
    {"hooke", "Cundall and Strack 1979", "a spring and a dashpot; friction and rolling resistance with history",
     "stiffness; restitution, damping or viscosity; tangential_stiffness; tangential_damping or tangential_viscosity; "
     "friction, rolling_friction, rolling_stiffness"},
    {"hertz-mindlin", "Hertz 1882, Mindlin 1949, Tsuji et al. 1992",
     "elastic spheres; restitution; friction and rolling resistance with history",
     "young, poisson, restitution, friction, rolling_friction"},
};

}  // namespace

std::span<const law_info> laws() { return table; }

std::shared_ptr<const law> named_law(std::string_view name, const material_table& materials) {
  if (materials.size() == 0) throw error("a law needs materials: there are none");
  if (name == "linear") return law_of(linear{central_of(linear_pairs(materials, "linear"))}, {});
  if (name == "kelvin-voigt") return kelvin_voigt_law(materials);
  if (name == "hooke") return tangential_law<hooke, smooth_hooke>(linear_pairs(materials, "hooke"));
  if (name == "hertz-mindlin") return tangential_law<hertz_mindlin, smooth_hertz>(hertz_pairs(materials));
  std::string known;
  for (const law_info& l : table) known += (known.empty() ? "" : ", ") + std::string(l.name);
  throw error("there is no law \"" + std::string(name) + "\"; there are " + known);
}

}  // namespace abut::dem
