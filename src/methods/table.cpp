#include <string>

#include "base/text.hpp"
#include "methods/method.hpp"

namespace abut {

// The table of methods. To add a method, add its file or folder to src/methods, two lines here and a page to
// docs/methods.
extern const method_entry pairing_entry;
extern const method_entry bounding_volume_entry;
extern const method_entry neighboring_cell_entry;
extern const method_entry nearest_neighbor_entry;
extern const method_entry sweep_and_prune_entry;
extern const method_entry spatial_sort_entry;
extern const method_entry hashing_entry;
extern const method_entry rtree_entry;
extern const method_entry dess_entry;
extern const method_entry stripe_sort_entry;
extern const method_entry dess_rtree_entry;
extern const method_entry mr_entry;
extern const method_entry mmr_entry;
extern const method_entry fixed_cubes_entry;
extern const method_entry multilevel_entry;
extern const method_entry grid_entry;

namespace {

constexpr const method_entry* table[] = {
    // clang-format off: a line each
    &pairing_entry,
    &bounding_volume_entry,
    &neighboring_cell_entry,
    &nearest_neighbor_entry,
    &sweep_and_prune_entry,
    &spatial_sort_entry,
    &hashing_entry,
    &rtree_entry,
    &dess_entry,
    &stripe_sort_entry,
    &dess_rtree_entry,
    &mr_entry,
    &mmr_entry,
    &fixed_cubes_entry,
    &multilevel_entry,
    &grid_entry,
    // clang-format on
};

}  // namespace

std::span<const method_entry* const> method_table() { return table; }

std::span<const method_info* const> methods() {
  static const auto infos = [] {
    std::vector<const method_info*> all;
    for (const method_entry* entry : table) all.push_back(&entry->info);
    return all;
  }();
  return infos;
}

const method_entry& entry_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const method_entry* entry : table) {
    if (entry->info.name == name) return *entry;
    names.push_back(entry->info.name);
  }
  names.emplace_back("auto");
  const std::string guess = did_you_mean(name, names);
  throw error("unknown method \"" + std::string(name) + "\"" + (guess.empty() ? "; `abut methods` lists them" : guess));
}

const method_info& method_named(std::string_view name) { return entry_named(name).info; }

}  // namespace abut
