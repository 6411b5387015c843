#include "render/values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/file_bytes.hpp"
#include "files/npy_header.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

[[noreturn]] void refuse_color(const std::string& color, const std::string& path,
                               const std::vector<std::string>& names) {
  const std::string near = nearest(color, names);
  throw error(fmt::format(
      "--color {}: {} has no such column{}", in_quotes(color), path,
      near.empty() ? fmt::format("; the choices are {}", joined(names)) : fmt::format(", did you mean {}?", near)));
}

polydata read_contacts(const std::string& path, const std::string& what_for) {
  if (!std::filesystem::exists(path)) {
    throw error(
        fmt::format("{} needs {}: output.frame_files = [\"vtp\", \"contacts\"] of the scene writes the contacts "
                    "of frames",
                    what_for, path.empty() ? "the contacts of a frame" : path + ", which is not there"));
  }
  return read_polydata(path, read_file(path, [](std::string_view, double) {}).text());
}

const std::vector<double>& numbers_of(const polydata& data, const char* name, const std::string& path) {
  const polydata::array* const found = data.find(name);
  if (found == nullptr) throw error(fmt::format("{}: has no {}, as the contacts of a frame have", path, name));
  return found->numbers;
}

/// Adds to the bodies of each contact. A pressure is a third (in 2D a half) of the trace of a body's mean stress: the
/// sum of the normal forces times their arms, by its volume (area).
std::vector<double> sums_of_contacts(const picture_content& what, const std::string& color, const std::string& path,
                                     const polydata& bodies, const std::string& contacts_path) {
  const polydata contacts = read_contacts(contacts_path, "--color " + color);
  const auto& first = numbers_of(contacts, "id_i", contacts_path);
  const auto& second = numbers_of(contacts, "id_j", contacts_path);
  const auto& force = numbers_of(contacts, "normal_force", contacts_path);
  const std::vector<dem::vec> ends = vectors_of(contacts.find("Points"));
  if (second.size() != first.size() || force.size() != first.size() || ends.size() != 2 * first.size()) {
    throw error(fmt::format("{}: its arrays have different lengths", contacts_path));
  }
  std::unordered_map<double, std::size_t> row_of;
  const auto& ids = numbers_of(bodies, "id", path);
  for (std::size_t k = 0; k < std::min(ids.size(), what.radii.size()); ++k) row_of[ids[k]] = k;
  const bool pressure = color == "pressure";
  std::vector<double> sums(what.centers.size());
  const auto add = [&](double id, double trace) {
    const auto found = row_of.find(id);
    if (found == row_of.end())
      throw error(fmt::format("{}: has a contact of body {}, which {} lacks", contacts_path, id, path));
    sums[found->second] += pressure ? trace : 1;
  };
  const auto radius = [&](double id) {
    const auto found = row_of.find(id);
    return found == row_of.end() ? 0.0 : what.radii[found->second];
  };
  for (std::size_t k = 0; k < first.size(); ++k) {
    const double apart = length(ends[2 * k + 1] - ends[2 * k]);
    if (second[k] < 0) {  // a wall, whose point is the other end
      add(first[k], force[k] * apart);
      continue;
    }
    const double a = radius(first[k]), b = radius(second[k]);
    const double part = a + b > 0 ? a / (a + b) : 0.5;
    add(first[k], force[k] * apart * part);
    add(second[k], force[k] * apart * (1 - part));
  }
  for (std::size_t k = 0; pressure && k < sums.size(); ++k) {
    const double r = what.radii[k];
    sums[k] /= what.flat ? 2 * std::numbers::pi * r * r : 4 * std::numbers::pi * r * r * r;
  }
  return sums;
}

/// A name and the axis that may follow it: "velocity.x".
struct named_axis {
  std::string name{};
  int axis = -1;
};

named_axis axis_in(const std::string& color) {
  const std::size_t dot = color.size() >= 2 ? color.size() - 2 : std::string::npos;
  const bool has = dot != std::string::npos && color[dot] == '.' && color[dot + 1] >= 'x' && color[dot + 1] <= 'z';
  return has ? named_axis{color.substr(0, dot), color[dot + 1] - 'x'} : named_axis{color, -1};
}

/// Numbers and vectors can be shown by colors, quaternions cannot.
bool has_color(const polydata::array& a) { return a.components == 1 || a.components == 3; }

bool all_whole(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
}

template <class Number>
double number_at(const char* at) {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

/// Reads a number of this NumPy type; null if it is another.
double (*reader_of(const std::string& type))(const char*) {
  if (type == "<f8") return number_at<double>;
  if (type == "<f4") return number_at<float>;
  if (type == "<i8") return number_at<std::int64_t>;
  if (type == "<i4") return number_at<std::int32_t>;
  if (type == "<u8") return number_at<std::uint64_t>;
  if (type == "<u4") return number_at<std::uint32_t>;
  if (type == "<u2") return number_at<std::uint16_t>;
  if (type == "<i2") return number_at<std::int16_t>;
  if (type == "|u1") return number_at<std::uint8_t>;
  return nullptr;
}

std::vector<double> column_of(const npy_header& header, const npy_field& field, std::string_view bytes,
                              const std::string& path) {
  double (*const read)(const char*) = field.several ? nullptr : reader_of(field.type);
  if (read == nullptr) throw error(fmt::format("{}: its column {} holds no numbers to show", path, field.name));
  std::vector<double> all;
  const std::size_t rows = header.shape.empty() ? 0 : header.shape[0];
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t at = header.data_at + k * header.record_size + field.offset;
    if (at + field.size <= bytes.size()) all.push_back(read(bytes.data() + at));
  }
  return all;
}

}  // namespace

std::vector<dem::vec> vectors_of(const polydata::array* from) {
  if (from == nullptr || from->components != 3) return {};
  std::vector<dem::vec> all(from->numbers.size() / 3);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = {from->numbers[3 * k], from->numbers[3 * k + 1], from->numbers[3 * k + 2]};
  }
  return all;
}

std::vector<force_line> read_forces(const std::string& path, const std::string& what_for) {
  const polydata contacts = read_contacts(path, what_for);
  const auto& force = numbers_of(contacts, "normal_force", path);
  const std::vector<dem::vec> ends = vectors_of(contacts.find("Points"));
  if (ends.size() != 2 * force.size()) throw error(fmt::format("{}: its arrays have different lengths", path));
  std::vector<force_line> all;
  for (std::size_t k = 0; k < force.size(); ++k) all.push_back({{ends[2 * k], ends[2 * k + 1]}, force[k]});
  return all;
}

void set_values(picture_content& what, const std::string& color, const std::string& path, const polydata& bodies,
                const std::string& contacts_path) {
  if (color == "contacts" || color == "pressure") {
    what.values = sums_of_contacts(what, color, path, bodies, contacts_path);
    what.from_zero = true;
    what.whole = color == "contacts";
    return;
  }
  const auto [name, axis] = axis_in(color == "speed" ? "velocity" : color);
  const polydata::array* array = bodies.find_in("PointData", name);
  if (array != nullptr && !has_color(*array)) array = nullptr;
  const bool vector = array != nullptr && array->components == 3;
  if (array == nullptr || (axis >= 0 && !vector)) {
    if (color == "coordination") return;
    std::vector<std::string> names;
    for (const polydata::array& a : bodies.arrays) {
      if (a.element == "PointData" && has_color(a)) names.push_back(a.name);
    }
    for (const char* more : {"speed", "coordination", "contacts", "pressure"}) {
      if (std::find(names.begin(), names.end(), more) == names.end()) names.emplace_back(more);
    }
    refuse_color(color, path, names);
  }
  what.values.clear();
  if (vector) {
    constexpr std::array<double dem::vec::*, 3> axes = {&dem::vec::x, &dem::vec::y, &dem::vec::z};
    for (const dem::vec& v : vectors_of(array)) {
      what.values.push_back(axis < 0 ? length(v) : v.*axes[static_cast<std::size_t>(axis)]);
    }
  } else {
    what.values = array->numbers;
  }
  what.from_zero = (vector && axis < 0) || color == "coordination";
  what.whole = !vector && color != "radius" && color != "mass" && all_whole(what.values);
}

void set_values_of_npy(picture_content& what, const std::string& color, const std::string& path,
                       std::string_view bytes) {
  const npy_header header = read_npy_header(path, bytes);
  const auto find = [&](const std::string& name) {
    return std::find_if(header.fields.begin(), header.fields.end(), [&](const npy_field& f) { return f.name == name; });
  };
  // Vectors are columns of their own: velocity.x is vx.
  const auto [name, axis] = axis_in(color == "speed" ? "velocity" : color);
  const std::string start = name == "velocity" ? "v" : name == "spin" ? "w" : "";
  const bool has_any = find(start + "x") != header.fields.end() || find(start + "z") != header.fields.end();
  if (!start.empty() && has_any) {
    std::vector<double> squares;
    for (int k = 0; k < 3; ++k) {
      const auto field = find(start + "xyz"[k]);
      if (field == header.fields.end() || (axis >= 0 && axis != k)) continue;
      const std::vector<double> numbers = column_of(header, *field, bytes, path);
      squares.resize(numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) squares[i] += axis >= 0 ? numbers[i] : numbers[i] * numbers[i];
    }
    for (double& s : squares) s = axis >= 0 ? s : std::sqrt(s);
    what.values = std::move(squares);
    what.from_zero = axis < 0;
    return;
  }
  if (color == "contacts" || color == "pressure") {
    (void)read_contacts("", "--color " + color);
  }
  const auto found = find(color);
  if (found == header.fields.end()) {
    std::vector<std::string> names;
    for (const npy_field& f : header.fields) names.push_back(f.name);
    names.insert(names.end(), {"radius", "speed", "coordination"});
    refuse_color(color, path, names);
  }
  what.values = column_of(header, *found, bytes, path);
  what.whole = color != "r" && color != "mass" && all_whole(what.values);
}

}  // namespace abut::cli
