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
vec turned_along(const vec& spring, const vec& normal) {
  const vec flat = across(spring, normal);
  const double now = dot(flat, flat);
  return now > 0 ? flat * std::sqrt(dot(spring, spring) / now) : vec{};
}

// A spring and a dashpot in parallel that yield beyond a largest force (Cundall and Strack 1979): the force against the
// displacement `step` at the velocity `v`, both in the tangential plane. The spring then keeps what the force needs.
vec yielding(double* memory, const vec& normal, const vec& step, const vec& v, double k, double g, double most) {
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
  double k = 0;             // normal stiffness
  double kt = 0;            // tangential stiffness
  double kr = 0;            // rolling stiffness
  double share = 0;         // of critical damping, if damping is given as restitution
  double g = 0;             // normal viscosity, if not
  double gt = 0;            // tangential viscosity, if it is given or damping is not given as restitution
  bool tangential = false;  // whether gt counts
  double friction = 0;
  double rolling = 0;
  double cohesion = 0;

  [[nodiscard]] double normal_viscosity(double mass) const { return share > 0 ? 2 * share * std::sqrt(mass * k) : g; }
  [[nodiscard]] double tangential_viscosity(double mass) const {
    return tangential ? gt : 2 * share * std::sqrt(mass * kt);
  }
  // Of a rolling spring, which has a mass like that of the tangential one.
  [[nodiscard]] double rolling_viscosity(double mass) const {
    return tangential ? gt : 2 * share * std::sqrt(mass * kr);
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
      p.k = i.stiffness;
      p.kt = i.tangential_stiffness.value_or(i.stiffness * 2 / 7);
      p.kr = i.rolling_stiffness.value_or(p.kt);
      p.share = i.restitution ? damping_share(*i.restitution) : 0;
      p.g = i.restitution ? 0 : i.viscosity;
      p.tangential = i.tangential_viscosity || !i.restitution;
      p.gt = i.tangential_viscosity.value_or(i.viscosity / 2);
      p.friction = i.friction;
      p.rolling = i.rolling_friction;
      p.cohesion = i.cohesion;
      all.push_back(p);
    }
  }
  return all;
}

// Ogarko and Luding 2011: an elastic spring.
class linear final : public law {
 public:
  explicit linear(const material_table& m) : pairs_(linear_pairs(m, "linear")) {}
  [[nodiscard]] law_traits traits() const override { return {}; }
  void apply(std::span<contact> batch) const override {
    for (contact& c : batch) {
      const double k = pairs_[c.pair].k;
      c.force = c.normal * (k * c.overlap);
      c.stiffness = k;
      c.energy = 0.5 * k * c.overlap * c.overlap;
    }
  }

 private:
  std::vector<linear_pair> pairs_;
};

// Lazarević, Dvornik and Fresl 2002, equations (2)-(5) and (20)-(22): spring and dashpot while bodies overlap; a spring
// that pulls while they move apart within the reach of cohesion.
class kelvin_voigt final : public law {
 public:
  explicit kelvin_voigt(const material_table& m) : pairs_(linear_pairs(m, "kelvin-voigt")) {
    for (const linear_pair& p : pairs_) reach_ = std::max(reach_, p.cohesion / p.k);
  }
  [[nodiscard]] law_traits traits() const override { return {.memory = 0, .reach = reach_, .turns = false}; }
  void apply(std::span<contact> batch) const override {
    for (contact& c : batch) {
      const linear_pair& p = pairs_[c.pair];
      const double apart = dot(c.velocity, c.normal);
      c.stiffness = p.k;
      c.viscosity = p.normal_viscosity(c.mass);
      if (c.overlap > 0) {
        c.force = c.normal * (p.k * c.overlap - c.viscosity * apart);
      } else if (apart > 0 && c.overlap * p.k >= -p.cohesion) {
        c.force = c.normal * (p.k * c.overlap);
      } else {
        continue;  // no force; the contact's is 0 already
      }
      c.energy = 0.5 * p.k * c.overlap * c.overlap;
    }
  }

 private:
  std::vector<linear_pair> pairs_;
  double reach_ = 0;
};

// What hooke and hertz-mindlin share once the normal force and the stiffnesses are known: friction and rolling
// resistance, both with history.
struct tangential {
  double kt, gt, kr, gr;
  double friction, rolling;
  double normal_force;
};

void add_tangential(contact& c, const tangential& t, std::size_t memory) {
  const double pressed = std::max(t.normal_force, 0.0);
  const vec slip = across(c.slip, c.normal);
  c.force += yielding(c.memory, c.normal, slip, across(c.velocity, c.normal), t.kt, t.gt, t.friction * pressed);
  const vec spring = load(c.memory);
  c.energy += 0.5 * t.kt * dot(spring, spring);
  c.stiffness = std::max(c.stiffness, tangential_share * t.kt);
  c.viscosity = std::max(c.viscosity, tangential_share * t.gt);
  if (memory < 6) return;
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
class hooke final : public law {
 public:
  explicit hooke(const material_table& m) : pairs_(linear_pairs(m, "hooke")), traits_(tangential_traits(pairs_)) {}
  [[nodiscard]] law_traits traits() const override { return traits_; }
  void apply(std::span<contact> batch) const override {
    for (contact& c : batch) {
      const linear_pair& p = pairs_[c.pair];
      c.stiffness = p.k;
      c.viscosity = p.normal_viscosity(c.mass);
      const double push = p.k * c.overlap - c.viscosity * dot(c.velocity, c.normal);
      c.force = c.normal * push;
      c.energy = 0.5 * p.k * c.overlap * c.overlap;
      if (!traits_.turns) continue;
      add_tangential(
          c, {p.kt, p.tangential_viscosity(c.mass), p.kr, p.rolling_viscosity(c.mass), p.friction, p.rolling, push},
          traits_.memory);
    }
  }

 private:
  std::vector<linear_pair> pairs_;
  law_traits traits_;
};

struct hertz_pair {
  double young = 0;  // E* of Hertz: 1/E* = (1 - n1^2)/E1 + (1 - n2^2)/E2
  double shear = 0;  // G* of Mindlin: 1/G* = (2 - n1)/G1 + (2 - n2)/G2 with G = E / (2 (1 + n))
  double share = 0;  // of critical damping
  double friction = 0;
  double rolling = 0;
};

// Hertz's normal force, Mindlin's tangential stiffness without partial slip, damping for a restitution that does not
// depend on the velocity (Tsuji et al. 1992; the closed form of its factor is by Antypov and Elliott 2011).
class hertz_mindlin final : public law {
 public:
  explicit hertz_mindlin(const material_table& m) : pairs_(pairs_of(m)), traits_(tangential_traits(pairs_)) {}
  [[nodiscard]] law_traits traits() const override { return traits_; }
  void apply(std::span<contact> batch) const override {
    const double factor = 2 * std::sqrt(5.0 / 6);
    for (contact& c : batch) {
      const hertz_pair& p = pairs_[c.pair];
      const double a = std::sqrt(c.radius * std::max(c.overlap, 0.0));  // the radius of the area of contact
      const double kn = 2 * p.young * a;                                // d force / d overlap
      const double kt = 8 * p.shear * a;
      const double elastic = kn * c.overlap * (2.0 / 3);
      c.stiffness = kn;
      c.viscosity = factor * p.share * std::sqrt(kn * c.mass);
      const double push = elastic - c.viscosity * dot(c.velocity, c.normal);
      c.force = c.normal * push;
      c.energy = 0.4 * elastic * c.overlap;
      if (!traits_.turns) continue;
      const double gt = factor * p.share * std::sqrt(kt * c.mass);
      add_tangential(c, {kt, gt, kt, gt, p.friction, p.rolling, push}, traits_.memory);
    }
  }

 private:
  static std::vector<hertz_pair> pairs_of(const material_table& m) {
    std::vector<hertz_pair> all;
    for (unsigned a = 0; a < m.size(); ++a) {
      for (unsigned b = 0; b < m.size(); ++b) {
        const interaction& i = m.between(a, b);
        const double softness = compliance(m[a]) + compliance(m[b]);
        // Two rigid materials never meet if both are walls; if bodies are of one, they get an infinite stiffness here,
        // which the simulation refuses.
        hertz_pair p;
        p.young = 1 / softness;
        p.shear = 1 / (shear_compliance(m[a]) + shear_compliance(m[b]));
        p.share = i.restitution ? damping_share(*i.restitution) : 0;
        p.friction = i.friction;
        p.rolling = i.rolling_friction;
        if (!i.restitution && i.viscosity > 0) {
          throw error("the law hertz-mindlin takes damping as a restitution, not as a viscosity, for " +
                      names(m, a, b));
        }
        all.push_back(p);
      }
    }
    return all;
  }
  static double compliance(const material& m) { return (1 - m.poisson * m.poisson) / m.young; }
  static double shear_compliance(const material& m) { return (2 - m.poisson) * 2 * (1 + m.poisson) / m.young; }

  std::vector<hertz_pair> pairs_;
  law_traits traits_;
};

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
  if (name == "linear") return std::make_shared<linear>(materials);
  if (name == "kelvin-voigt") return std::make_shared<kelvin_voigt>(materials);
  if (name == "hooke") return std::make_shared<hooke>(materials);
  if (name == "hertz-mindlin") return std::make_shared<hertz_mindlin>(materials);
  std::string known;
  for (const law_info& l : table) known += (known.empty() ? "" : ", ") + std::string(l.name);
  throw error("there is no law \"" + std::string(name) + "\"; there are " + known);
}

}  // namespace abut::dem
