#pragma once

#include <string>

#include <abut/dem/flow.hpp>

namespace abut::dem {

/// Throws `error` for a number outside its range; `who` is whose distribution it is.
void check_radii(const radius_distribution& d, const std::string& who);
[[nodiscard]] double largest_radius(const radius_distribution& d);
/// The radius that a share `u`, in [0, 1), of all bodies is smaller than.
[[nodiscard]] double radius_at(const radius_distribution& d, int dimension, double u);

}  // namespace abut::dem
