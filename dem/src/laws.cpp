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

// A sphere's surface is moved by tangential forces as if its mass were 2/7 of its mass (a disc's: 1/3), so tangential
// stiffness and viscosity count this many times in a bound on the time step.
constexpr double tangential_share = 3.5;

vec load(const double* m) { return {m[0], m[1], m[2]}; }
void store(double* m, const vec& v) {
  m[0] = v.x;
  m[1] = v.y;
  m[2] = v.z;
}

// A spring that was turned along with the contact: in the new tangential plane, as long as before.
[[gnu::always_inline]] inline vec turned_along(const vec& spring, const vec& normal) {
  const vec flat = across(spring, normal);
  const double now = dot(flat, flat);
  return now > 0 ? flat * std::sqrt(dot(spring, spring) / now) : vec{};
}

// A spring and a dashpot in parallel that yield beyond a largest force (Cundall and Strack 1979): the force against the
// displacement `step` at the velocity `v`, both in the tangential plane. The spring then keeps what the force needs.
[[gnu::always_inline]] inline vec yielding(double* memory, const vec& normal, const vec& step, const vec& v, double k, double g, double most) {
  vec spring = turned_along(load(memory), normal) + step;
  const vec wanted = -(spring * k) - v * g;
  const double size2 = dot(wanted, wanted);
  vec force = wanted;
  if (size2 > most * most) {
    force = wanted * (most / std::sqrt(size2));
    spring = k > 0 ? (force + v * g) * (-1 / k) : vec{};
  }
  store(memory, spring);
  return force;
}

// The numbers of a pair of materials, for laws that are linear in the overlap.
struct linear_pair {
  linear_numbers<double> central;  // those of the force along the normal
  double kt = 0;                   // tangential stiffness
  double kr = 0;                   // rolling stiffness
  double gt = 0;                   // tangential viscosity, if it is given or damping is not given as restitution
  bool tangential = false;         // whether gt counts
  double friction = 0;
  double rolling = 0;

  [[nodiscard]] double tangential_viscosity(double mass) const {
    return tangential ? gt : 2 * central.share * std::sqrt(mass * kt);
  }
  // Of a rolling spring, which has a mass like that of the tangential one.
  [[nodiscard]] double rolling_viscosity(double mass) const {
    return tangential ? gt : 2 * central.share * std::sqrt(mass * kr);
  }
};

std::string names(const material_table& m, unsigned a, unsigned b) {
  return "\"" + m[a].name + "\" with \"" + m[b].name + "\"";
}

std::vector<linear_pair> linear_pairs(const material_table& materials, std::string_view law_name) {
  std::vector<linear_pair> all;
  for (unsigned a = 0; a < materials.size(); ++a) {
    for (unsigned b = 0; b < materials.size(); ++b) {
      const interaction& i = materials.between(a, b);
      if (!(i.stiffness > 0)) {
        throw error("the law " + std::string(law_name) + " needs a stiffness above 0 for " + names(materials, a, b));
      }
      linear_pair p;
      p.central.k = i.stiffness;
      p.kt = i.tangential_stiffness.value_or(i.stiffness * 2 / 7);
      p.kr = i.rolling_stiffness.value_or(p.kt);
      p.central.share = i.restitution ? damping_share(*i.restitution) : 0;
      p.central.shares = p.central.share > 0;
      p.central.g = i.restitution ? 0 : i.viscosity;
      p.tangential = i.tangential_viscosity || !i.restitution;
      p.gt = i.tangential_viscosity.value_or(i.viscosity / 2);
      p.friction = i.friction;
      p.rolling = i.rolling_friction;
      p.central.cohesion = i.cohesion;
      all.push_back(p);
    }
  }
  return all;
}

// The force along the normal, and what else a law must say about it.
template <class Kind, class Numbers>
[[gnu::always_inline]] inline double normal_force(Kind kind, const Numbers& numbers, contact& c) {
  central_contact<double> of;
  of.overlap = c.overlap;
  of.apart = dot(c.velocity, c.normal);
  of.mass = c.mass;
  of.radius = c.radius;
  const double push = plain::force_of(kind, numbers, of);
  c.force = c.normal * push;
  c.stiffness = of.stiffness;
  c.viscosity = of.viscosity;
  c.energy = of.energy;
  return push;
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

  void operator()(contact& c) const { (void)normal_force(Kind{}, pairs[c.pair], c); }
};

using linear = central_formula<spring, linear_numbers<double>, false, false>;
using kelvin_voigt = central_formula<cohesive_spring, linear_numbers<double>, true, false>;
using smooth_hooke = central_formula<damped_spring, linear_numbers<double>, false, false>;
using smooth_hertz = central_formula<elastic_spheres, hertz_numbers<double>, false, true>;

// The numbers of the forces along the normal.
template <class Pair>
auto central_of(const std::vector<Pair>& pairs) {
  std::vector<decltype(Pair::central)> all;
  for (const Pair& p : pairs) all.push_back(p.central);
  return all;
}

// What hooke and hertz-mindlin share once the normal force and the stiffnesses are known: friction and rolling
// resistance, both with history.
struct tangential {
  double kt, gt, kr, gr;
  double friction, rolling;
  double normal_force;
};

template <std::size_t Memory>
[[gnu::always_inline]] inline void add_tangential(contact& c, const tangential& t) {
  const double pressed = std::max(t.normal_force, 0.0);
  const vec slip = across(c.slip, c.normal);
  c.force += yielding(c.memory, c.normal, slip, across(c.velocity, c.normal), t.kt, t.gt, t.friction * pressed);
  const vec spring = load(c.memory);
  c.energy += 0.5 * t.kt * dot(spring, spring);
  c.stiffness = std::max(c.stiffness, tangential_share * t.kt);
  c.viscosity = std::max(c.viscosity, tangential_share * t.gt);
  if constexpr (Memory < 6) return;
  // Rolled lengths: rotations about the tangential axes, times the reduced radius.
  const vec roll = across(c.roll, c.normal) * c.radius;
  const vec speed = across(c.spin, c.normal) * c.radius;
  const vec against = yielding(c.memory + 3, c.normal, roll, speed, t.kr, t.gr, t.rolling * pressed);
  c.torque = against * c.radius;
  const vec rolled = load(c.memory + 3);
  c.energy += 0.5 * t.kr * dot(rolled, rolled);
  c.stiffness = std::max(c.stiffness, tangential_share * t.kr);
  c.viscosity = std::max(c.viscosity, tangential_share * t.gr);
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

// Spring and dashpot, Coulomb friction with history.
template <std::size_t Memory>
struct hooke {
  static constexpr std::size_t memory = Memory;
  static constexpr bool torques = Memory > 3;
  static constexpr bool stiffens = false;
  std::vector<linear_pair> pairs;

  [[gnu::always_inline]] void operator()(contact& c) const {
    const linear_pair& p = pairs[c.pair];
    const double push = normal_force(damped_spring{}, p.central, c);
    add_tangential<Memory>(
        c, {p.kt, p.tangential_viscosity(c.mass), p.kr, p.rolling_viscosity(c.mass), p.friction, p.rolling, push});
  }
};

struct hertz_pair {
  hertz_numbers<double> central;  // those of the force along the normal
  double shear = 0;               // G* of Mindlin: 1/G* = (2 - n1)/G1 + (2 - n2)/G2 with G = E / (2 (1 + n))
  double friction = 0;
  double rolling = 0;
};

// Hertz's normal force, Mindlin's tangential stiffness without partial slip, Tsuji et al.'s damping.
template <std::size_t Memory>
struct hertz_mindlin {
  static constexpr std::size_t memory = Memory;
  static constexpr bool torques = Memory > 3;
  static constexpr bool stiffens = true;
  std::vector<hertz_pair> pairs;

  [[gnu::always_inline]] void operator()(contact& c) const {
    const hertz_pair& p = pairs[c.pair];
    const double push = normal_force(elastic_spheres{}, p.central, c);
    const double kt = 8 * p.shear * std::sqrt(c.radius * std::max(c.overlap, 0.0));
    const double gt = plain::tsuji * p.central.share * std::sqrt(kt * c.mass);
    add_tangential<Memory>(c, {kt, gt, kt, gt, p.friction, p.rolling, push});
  }
};

double compliance(const material& m) { return (1 - m.poisson * m.poisson) / m.young; }
double shear_compliance(const material& m) { return (2 - m.poisson) * 2 * (1 + m.poisson) / m.young; }

std::vector<hertz_pair> hertz_pairs(const material_table& m) {
  std::vector<hertz_pair> all;
  for (unsigned a = 0; a < m.size(); ++a) {
    for (unsigned b = 0; b < m.size(); ++b) {
      const interaction& i = m.between(a, b);
      const double softness = compliance(m[a]) + compliance(m[b]);
      // Two rigid materials never meet if both are walls; if bodies are of one, they get an infinite stiffness here,
      // which the simulation refuses.
      hertz_pair p;
      p.central.young = 1 / softness;
      p.shear = 1 / (shear_compliance(m[a]) + shear_compliance(m[b]));
      p.central.share = i.restitution ? damping_share(*i.restitution) : 0;
      p.friction = i.friction;
      p.rolling = i.rolling_friction;
      if (!i.restitution && i.viscosity > 0) {
        throw error("the law hertz-mindlin takes damping as a restitution, not as a viscosity, for " + names(m, a, b));
      }
      all.push_back(p);
    }
  }
  return all;
}

template <class Formula>
std::shared_ptr<const law> law_of(Formula formula, const law_traits& traits) {
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
     "stiffness, restitution or viscosity, cohesion"},
    {"hooke", "Cundall and Strack 1979", "a spring and a dashpot; friction and rolling resistance with history",
     "stiffness, restitution or viscosity, tangential_stiffness, tangential_viscosity, friction, rolling_friction, "
     "rolling_stiffness"},
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
