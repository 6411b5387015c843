#include <abut/dem/materials.hpp>

#include <cmath>
#include <string>

#include <abut/error.hpp>

#include "text.hpp"

namespace abut::dem {

namespace {

void require(bool right, const std::string& what, double value, const char* range) {
  if (!right) throw error(what + " is " + text_of(value) + ": it must be " + range);
}

void check_size(const std::string& what, double value) {
  require(std::isfinite(value) && value >= 0, what, value, "finite and at least 0");
}

void check(const interaction& i, const std::string& who) {
  check_size("the stiffness" + who, i.stiffness);
  check_size("the tangential stiffness" + who, i.tangential_stiffness.value_or(0));
  check_size("the damping" + who, i.damping.value_or(0));
  check_size("the tangential damping" + who, i.tangential_damping.value_or(0));
  check_size("the viscosity" + who, i.viscosity);
  check_size("the tangential viscosity" + who, i.tangential_viscosity.value_or(0));
  check_size("the friction" + who, i.friction);
  check_size("the rolling friction" + who, i.rolling_friction);
  check_size("the rolling stiffness" + who, i.rolling_stiffness.value_or(0));
  check_size("the cohesion" + who, i.cohesion);
  const double e = i.restitution.value_or(1);
  require(e > 0 && e <= 1, "the restitution" + who, e, "above 0 and at most 1");
}

}  // namespace

material_table::material_table(const interaction& common) : common_(common) { check(common, ""); }

unsigned material_table::add(const material& m) {
  const std::string who = " of the material \"" + m.name + "\"";
  require(std::isfinite(m.density) && m.density > 0, "the density" + who, m.density, "finite and above 0");
  require(m.young > 0, "Young's modulus" + who, m.young, "above 0");
  require(m.poisson > -1 && m.poisson <= 0.5, "Poisson's ratio" + who, m.poisson, "above -1 and at most 0.5");
  const std::size_t before = all_.size();
  std::vector<interaction> next((before + 1) * (before + 1), common_);
  for (std::size_t a = 0; a < before; ++a) {
    for (std::size_t b = 0; b < before; ++b) next[a * (before + 1) + b] = pairs_[a * before + b];
  }
  all_.push_back(m);
  pairs_ = std::move(next);
  return static_cast<unsigned>(before);
}

void material_table::set(unsigned a, unsigned b, const interaction& i) {
  if (a >= size() || b >= size()) {
    throw error("there is no material " + std::to_string(a >= size() ? a : b) + ": there are " +
                std::to_string(size()));
  }
  check(i, " of \"" + all_[a].name + "\" with \"" + all_[b].name + "\"");
  pairs_[pair(a, b)] = pairs_[pair(b, a)] = i;
}

}  // namespace abut::dem
