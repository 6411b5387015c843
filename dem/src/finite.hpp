#pragma once

#include <cmath>

#include <abut/dem/vec.hpp>

namespace abut::dem {

[[nodiscard]] inline bool finite(const vec& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace abut::dem
