// [deform]: periods that change.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "scene/read.hpp"
#include "scene/scene.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// Rates at some times; linear between them, constant before the first and after the last.
struct rate_table {
  std::vector<std::pair<double, double>> knots{};

  [[nodiscard]] double at(double time) const {
    const auto next = std::find_if(knots.begin(), knots.end(), [&](const auto& k) { return k.first > time; });
    if (next == knots.begin()) return knots.front().second;
    if (next == knots.end()) return knots.back().second;
    const auto& last = *(next - 1);
    return last.second + (next->second - last.second) * ((time - last.first) / (next->first - last.first));
  }
};

/// The rows of `table`, by axis.
std::array<rate_table, 3> tables_in(const value& rows, std::size_t dimension) {
  if (rows.inside.empty()) refuse(rows, "is empty; it needs a row at least");
  std::array<rate_table, 3> all;
  for (const value& row : rows.inside) {
    if (row.inside.size() != dimension + 1) {
      refuse(row,
             fmt::format("is {}; it must be {}", row.in_words(), dimension == 2 ? "[t, rx, ry]" : "[t, rx, ry, rz]"));
    }
    const double time = row.inside[0].real;
    if (!all[0].knots.empty() && !(all[0].knots.back().first < time)) {
      refuse(row, fmt::format("is at time {}, which is not after the one before it", time));
    }
    for (std::size_t k = 0; k < dimension; ++k) all[k].knots.emplace_back(time, row.inside[k + 1].real);
  }
  return all;
}

/// Refuses an axis that is not periodic.
void check_axis(const value& at, const dem::settings& s, std::size_t k) {
  if (s.periodic[k]) return;
  refuse(at, fmt::format("concerns {0}, which is not periodic; add {0} = [min, max] to [periodic]", "xyz"[k]));
}

void read_rates(const value& table, dem::settings& s) {
  const auto dimension = static_cast<std::size_t>(s.dimension);
  const value* const rate = table.find("rate");
  const value* const rows = table.find("table");
  if (rate != nullptr && rows != nullptr) refuse(*rows, "and rate are both given; give one");
  if (const auto rates = vector_in(table, "rate", s.dimension)) {
    const std::array<double, 3> numbers = {rates->x, rates->y, rates->z};
    for (std::size_t k = 0; k < dimension; ++k) {
      if (numbers[k] != 0) check_axis(*rate, s, k);
      s.deform->sides[k].rate = numbers[k];
    }
  }
  if (rows == nullptr) return;
  const std::array<rate_table, 3> all = tables_in(*rows, dimension);
  for (std::size_t k = 0; k < dimension; ++k) {
    const auto rests = [](const auto& knot) { return knot.second == 0; };
    if (std::all_of(all[k].knots.begin(), all[k].knots.end(), rests)) continue;
    check_axis(*rows, s, k);
    s.deform->sides[k].rate_at = [program = all[k]](double time) { return program.at(time); };
  }
}

/// Which axes the pressure acts on.
std::array<bool, 3> pressed_axes(const value& table, const dem::settings& s) {
  std::array<bool, 3> chosen{};
  const value* const named = table.find("axes");
  if (named == nullptr) {
    for (std::size_t k = 0; k < 3; ++k) chosen[k] = s.periodic[k].has_value();
    if (std::none_of(chosen.begin(), chosen.end(), [](bool c) { return c; })) {
      check_axis(*table.find("pressure"), s, 0);
    }
    return chosen;
  }
  std::vector<std::string> names = {"x", "y", "z"};
  names.resize(static_cast<std::size_t>(s.dimension));
  for (const value& name : named->inside) {
    const auto found = std::find(names.begin(), names.end(), name.text);
    if (found == names.end()) refuse_word(name, names);
    const auto k = static_cast<std::size_t>(found - names.begin());
    check_axis(name, s, k);
    chosen[k] = true;
  }
  return chosen;
}

void read_pressure(const value& table, dem::settings& s) {
  const value* const pressure = table.find("pressure");
  if (pressure == nullptr) {
    for (const char* const key : {"axes", "mass", "damping", "limit", "isotropic"}) {
      if (const value* const v = table.find(key)) refuse(*v, "is for a box that has a pressure");
    }
    return;
  }
  dem::vec pressures{pressure->real, pressure->real, pressure->real};
  if (!pressure->is_number()) pressures = *vector_in(table, "pressure", s.dimension);
  dem::box_servo servo;
  const auto mass = number_in(table, "mass", "above 0", [](double m) { return m > 0; });
  if (!mass) refuse_missing(table, "mass", "mass = 0.1, that of all bodies");
  servo.mass = *mass;
  servo.damping = number_in(table, "damping", "at least 0", [](double c) { return c >= 0; }).value_or(0);
  servo.limit = number_in(table, "limit", "above 0", [](double r) { return r > 0; }).value_or(servo.limit);
  const std::array<bool, 3> chosen = pressed_axes(table, s);
  const std::array<double, 3> numbers = {pressures.x, pressures.y, pressures.z};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!chosen[k]) continue;
    dem::box_side& side = s.deform->sides[k];
    if (side.rate != 0 || side.rate_at) {
      refuse(*pressure, fmt::format("acts on {}, which has a rate too; give axes that have none", "xyz"[k]));
    }
    servo.pressure = numbers[k];
    side.held = servo;
  }
  if (const value* const isotropic = table.find("isotropic")) s.deform->isotropic = isotropic->flag;
}

}  // namespace

void add_deformation(scene& to, const value& root) {
  const value* const table = root.find("deform");
  if (table == nullptr) return;
  dem::settings& s = to.settings;
  s.deform.emplace();
  read_rates(*table, s);
  read_pressure(*table, s);
  s.deform->begin = number_in(*table, "from").value_or(s.deform->begin);
  s.deform->end = number_in(*table, "until").value_or(s.deform->end);
}

}  // namespace abut::cli
