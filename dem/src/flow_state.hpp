#pragma once

#include <cstdint>
#include <vector>

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// All that a pour has to remember. Radii and places follow from its seed and these numbers.
struct pour_state {
  std::uint64_t drawn = 0;               ///< bodies whose turn has come
  std::uint64_t tries = 0;               ///< places that were tried
  double drawn_mass = 0;                 ///< of all bodies that were drawn
  std::vector<std::uint64_t> waiting{};  ///< the numbers of those that have found no room yet, ascending
};

/// A place for a body.
struct ball {
  vec at;
  double radius;
};

}  // namespace abut::dem
