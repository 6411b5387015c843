#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// What the table says about an interaction, over what `common` says.
dem::interaction read_interaction(const value& table, dem::interaction common) {
  // Damping of a pair's own replaces what would otherwise win.
  if (table.find("damping") != nullptr || table.find("viscosity") != nullptr) common.restitution.reset();
  if (table.find("viscosity") != nullptr) common.damping.reset();
  if (table.find("tangential_damping") != nullptr) common.tangential_viscosity.reset();
  const auto take = [&](const char* key, auto& to) {
    if (const auto given = number_in(table, key)) to = *given;
  };
  take("stiffness", common.stiffness);
  take("tangential_stiffness", common.tangential_stiffness);
  take("restitution", common.restitution);
  take("damping", common.damping);
  take("tangential_damping", common.tangential_damping);
  take("viscosity", common.viscosity);
  take("tangential_viscosity", common.tangential_viscosity);
  take("friction", common.friction);
  take("rolling_friction", common.rolling_friction);
  take("rolling_stiffness", common.rolling_stiffness);
  take("cohesion", common.cohesion);
  return common;
}

unsigned number_of(const value& name, const dem::material_table& all) {
  std::vector<std::string> names;
  for (unsigned k = 0; k < all.size(); ++k) {
    if (all[k].name == name.text) return k;
    names.push_back(all[k].name);
  }
  refuse_word(name, names);
}

void add_pairs(dem::material_table& all, const value& interactions, const dem::interaction& common) {
  const value* const between = interactions.find("between");
  if (between == nullptr) return;
  for (const value& table : between->inside) {
    const value* const materials = table.find("materials");
    if (materials == nullptr) refuse_missing(table, "materials", R"(materials = ["glass", "steel"])");
    if (materials->inside.size() != 2) refuse(*materials, "must name two materials");
    const unsigned a = number_of(materials->inside[0], all);
    const unsigned b = number_of(materials->inside[1], all);
    with_place(table, [&] { all.set(a, b, read_interaction(table, common)); });
  }
}

}  // namespace

dem::material_table read_materials(const value& root) {
  const value none{};
  const value* const given = root.find("interaction");
  const value& interactions = given == nullptr ? none : *given;
  const dem::interaction common = read_interaction(interactions, {});
  dem::material_table all = given == nullptr ? dem::material_table(common)
                                             : with_place(interactions, [&] { return dem::material_table(common); });
  const value* const materials = root.find("materials");
  if (materials == nullptr || materials->inside.empty()) {
    refuse_missing(root, "material", "[materials.glass] with density = 2500");
  }
  for (const value& table : materials->inside) {
    dem::material m{.name = table.key};
    m.density = number_in(table, "density").value_or(m.density);
    m.young = number_in(table, "young").value_or(m.young);
    m.poisson = number_in(table, "poisson").value_or(m.poisson);
    with_place(table, [&] { all.add(m); });
  }
  add_pairs(all, interactions, common);
  return all;
}

unsigned material_in(const value& table, const dem::material_table& all) {
  const value* const name = table.find("material");
  return name == nullptr ? 0 : number_of(*name, all);
}

}  // namespace abut::cli
