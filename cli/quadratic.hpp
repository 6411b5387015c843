#pragma once

#include <abut/methods.hpp>
#include <abut/plan.hpp>

namespace abut::cli {

/// Whether the plan's method compares every body with every other.
[[nodiscard]] inline bool is_quadratic(const plan& p) {
  return p.method() != "auto" && method_named(p.method()).quadratic;
}

/// The part of the work that such a method has done after this part of its tasks (0 to 1): each body is compared with
/// all later ones, so the first tasks take the longest.
[[nodiscard]] inline double quadratic_part(double tasks) { return 1 - (1 - tasks) * (1 - tasks); }

}  // namespace abut::cli
