// Radii of bodies that are poured.

#include "flow_radii.hpp"

#include <algorithm>
#include <cmath>

#include <abut/dem/portable.hpp>
#include <abut/error.hpp>

#include "text.hpp"

namespace abut::dem {

namespace {

using law_of_radii = radius_distribution::law;

void check_table(const std::vector<radius_share>& table, const std::string& who) {
  double sum = 0;
  for (const radius_share& s : table) {
    if (!(s.radius > 0 && std::isfinite(s.radius))) throw error(who + " has a radius of " + text_of(s.radius));
    if (!(s.share >= 0 && std::isfinite(s.share))) throw error(who + " has a share of " + text_of(s.share));
    sum += s.share;
  }
  if (!(sum > 0 && std::isfinite(sum))) throw error(who + " has a table of radii without any share");
}

double from_table(const std::vector<radius_share>& table, double u) {
  double sum = 0;
  for (const radius_share& s : table) sum += s.share;
  double left = u * sum;
  double last = 0;
  for (const radius_share& s : table) {
    if (s.share == 0) continue;
    last = s.radius;
    if (left < s.share) break;
    left -= s.share;
  }
  return last;
}

}  // namespace

void check_radii(const radius_distribution& d, const std::string& who) {
  if (d.is == law_of_radii::table) return check_table(d.table, who);
  if (!(d.largest > 0 && std::isfinite(d.largest))) {
    throw error(who + " has a largest radius of " + text_of(d.largest) + ": it must be finite and above 0");
  }
  if (!(d.ratio >= 1 && d.ratio <= 1e6)) {
    throw error(who + " has a ratio of radii of " + text_of(d.ratio) + ": it must be from 1 to 1e6");
  }
}

double smallest_radius(const radius_distribution& d) {
  if (d.is == law_of_radii::equal) return d.largest;
  if (d.is != law_of_radii::table) return d.largest / d.ratio;
  double least = std::numeric_limits<double>::infinity();
  for (const radius_share& s : d.table) least = s.share > 0 ? std::min(least, s.radius) : least;
  return least;
}

double largest_radius(const radius_distribution& d) {
  if (d.is != law_of_radii::table) return d.largest;
  double most = 0;
  for (const radius_share& s : d.table) most = s.share > 0 ? std::max(most, s.radius) : most;
  return most;
}

// Inverts the distribution functions: those of `abut generate`, whose sources derive them.
double radius_at(const radius_distribution& d, int dimension, double u) {
  const double a = 1 / d.ratio;
  double relative = 1;
  switch (d.is) {
    case law_of_radii::equal:
      return d.largest;
    case law_of_radii::table:
      return from_table(d.table, u);
    case law_of_radii::uniform:
      relative = a + (1 - a) * u;
      break;
    case law_of_radii::inverse_cube:
      relative = a / std::sqrt(1 - u * (1 - a * a));
      break;
    case law_of_radii::by_mass:
      relative = dimension == 2 ? a / std::sqrt(1 - u * (1 - a * a)) : a / portable_cube_root(1 - u * (1 - a * a * a));
      break;
  }
  return std::clamp(d.largest * relative, smallest_radius(d), d.largest);  // whatever rounding does
}

}  // namespace abut::dem
