#include "run/box_files.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace abut::cli {
namespace {

constexpr std::array<double dem::vec::*, 3> axes = {&dem::vec::x, &dem::vec::y, &dem::vec::z};

/// Whether the box has a volume: each axis is periodic or has two planes that face each other.
bool has_volume(const dem::settings& s) {
  const auto plane_along = [&](std::size_t k, double normal) {
    return std::any_of(s.walls.begin(), s.walls.end(), [&](const dem::wall& w) {
      return w.patches.empty() && !w.surface && w.radius == 0 && w.normal.*axes[k] == normal;
    });
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.dimension); ++k) {
    if (!s.periodic[k] && !(plane_along(k, 1) && plane_along(k, -1))) return false;
  }
  return true;
}

double side_of(const interval& period) { return period.max - period.min; }

}  // namespace

std::string box_header(const dem::settings& s) {
  if (!s.deform) return "";
  std::string names;
  for (std::size_t k = 0; k < 3; ++k) {
    if (s.periodic[k]) names += fmt::format(",side_{}", "xyz"[k]);
  }
  if (has_volume(s)) names += s.dimension == 2 ? ",stress_xx,stress_yy" : ",stress_xx,stress_yy,stress_zz";
  return names;
}

std::string box_row(const dem::settings& s, const dem::simulation& now) {
  if (!s.deform) return "";
  std::string numbers;
  for (const auto& period : now.periods()) {
    if (period) numbers += fmt::format(",{}", side_of(*period));
  }
  if (!has_volume(s)) return numbers;
  const dem::box_stress stress = now.stress();
  numbers += fmt::format(",{},{}", stress.contacts.xx + stress.motion.xx, stress.contacts.yy + stress.motion.yy);
  if (s.dimension == 3) numbers += fmt::format(",{}", stress.contacts.zz + stress.motion.zz);
  return numbers;
}

std::string box_in_words(const dem::settings& s, const dem::simulation& now) {
  if (!s.deform) return "";
  std::string words;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!now.periods()[k]) continue;
    words += fmt::format("{}{:.6g} (at the start {:.6g}) along {}", words.empty() ? "" : ", ",
                         side_of(*now.periods()[k]), side_of(*s.periodic[k]), "xyz"[k]);
  }
  return has_volume(s) ? fmt::format("{}; pressure {:.4g}", words, now.stress().pressure) : words;
}

void add_box_edges(std::vector<outline>& lines, const periodic_axes& periods, const outline_space& space) {
  dem::vec low = space.min;
  dem::vec high = space.max;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!periods[k]) continue;
    low.*axes[k] = periods[k]->min;
    high.*axes[k] = periods[k]->max;
  }
  const auto corner = [&](unsigned number) {
    return dem::vec{(number & 1U) != 0 ? high.x : low.x, (number & 2U) != 0 ? high.y : low.y,
                    (number & 4U) != 0 ? high.z : low.z};
  };
  const unsigned corners = 1U << static_cast<unsigned>(space.dimension);
  for (unsigned from = 0; from < corners; ++from) {
    for (unsigned bit = 1; bit < corners; bit *= 2) {
      if ((from & bit) == 0) lines.push_back({corner(from), corner(from | bit)});
    }
  }
}

}  // namespace abut::cli
