#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/search.hpp>

#include "files/bodies_file.hpp"
#include "screen/json.hpp"

namespace abut::cli {

/// What every report says about the bodies.
struct bodies_summary {
  std::string source{};  ///< the file as the user named it, or "demo"
  shape kind = shape::sphere;
  int dimension = 3;
  std::uint64_t count = 0;
  std::vector<std::string> columns{}, periodic{};  ///< the columns that were read, the axes that repeat
  std::optional<double> radius{};                  ///< if all bodies have the same
  std::string note{};

  [[nodiscard]] bool demo() const { return source == "demo"; }
};

/// The bodies of `file`, searched with these options.
[[nodiscard]] bodies_summary summary_of(const std::string& source, const bodies_file& file, const options& chosen);

/// "grains.csv: 20,000 spheres in 3D (columns x, y, z, r)".
[[nodiscard]] std::string in_words(const bodies_summary& bodies);

/// Adds the members file, shape, bodies, dimension, columns, radius and periodic.
void add_to(json_object& json, const bodies_summary& bodies);

}  // namespace abut::cli
