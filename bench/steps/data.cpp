#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "files/file_bytes.hpp"
#include "files/output_file.hpp"
#include "screen/words.hpp"
#include "steps.hpp"

// Data files of LAMMPS: https://docs.lammps.org/read_data.html

namespace abut::cli {
namespace {

/// Reads lines of numbers.
class data_lines {
 public:
  data_lines(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

  /// The next line that is not empty; false at the end.
  bool next() {
    while (!rest_.empty()) {
      line_ = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(rest_.size(), line_.size() + 1));
      ++number_;
      if (line_.find_first_not_of(" \t\r") != std::string_view::npos) return true;
    }
    return false;
  }
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] bool has(std::string_view words) const { return line_.find(words) != std::string_view::npos; }

  /// The numbers at the start of the line.
  template <std::size_t count>
  [[nodiscard]] std::array<double, count> numbers() const {
    std::array<double, count> all{};
    const char* at = line_.data();
    const char* const end = at + line_.size();
    for (double& value : all) {
      while (at < end && *at == ' ') ++at;
      if (!take_number(at, end, value)) refuse();
    }
    return all;
  }
  [[noreturn]] void refuse() const {
    throw error(fmt::format("{}:{}: not a data file as ./dev bench steps keeps it; remove it", path_, number_));
  }

 private:
  const std::string& path_;
  std::string_view rest_;
  std::string_view line_{};
  std::size_t number_ = 0;
};

dem::body& body_of(const data_lines& lines, step_bodies& bodies, double id) {
  if (!(id >= 1) || id > static_cast<double>(bodies.all.size())) lines.refuse();
  return bodies.all[static_cast<std::size_t>(id) - 1];
}

}  // namespace

void write_text(const std::string& path, std::string_view text) {
  output_file file(path);
  file.open();
  file.write(text.data(), text.size());
  file.commit();
}

step_bodies read_data(const std::string& path) {
  const file_bytes file = read_file(path, [](std::string_view, double) {});
  data_lines lines(path, file.text());
  step_bodies bodies;
  enum { head, atoms, velocities } section = head;
  while (lines.next()) {
    if (lines.line().substr(0, 5) == "Atoms") {
      section = atoms;
    } else if (lines.line().substr(0, 10) == "Velocities") {
      section = velocities;
    } else if (section == atoms) {
      const auto [id, type, diameter, density, x, y, z] = lines.numbers<7>();
      dem::body& b = body_of(lines, bodies, id);
      b.radius = diameter / 2;
      b.position = {x, y, z};
    } else if (section == velocities) {
      const auto [id, vx, vy, vz, wx, wy, wz] = lines.numbers<7>();
      dem::body& b = body_of(lines, bodies, id);
      b.velocity = {vx, vy, vz};
      b.spin = {wx, wy, wz};
    } else if (lines.has(" atoms")) {
      bodies.all.resize(static_cast<std::size_t>(lines.numbers<1>()[0]));
    } else if (lines.has("xlo xhi")) {
      bodies.side = lines.numbers<2>()[1];
    }
  }
  if (bodies.all.empty() || !(bodies.side > 0) || section != velocities) lines.refuse();
  return bodies;
}

void write_data(const std::string& path, const step_bodies& bodies) {
  std::string text = fmt::format("spheres of ./dev bench steps\n\n{} atoms\n1 atom types\n\n", bodies.all.size());
  for (const char axis : {'x', 'y', 'z'}) text += fmt::format("0 {:.17g} {}lo {}hi\n", bodies.side, axis, axis);
  text += "\nAtoms # sphere\n\n";
  std::size_t id = 0;
  for (const dem::body& b : bodies.all) {
    text += fmt::format("{} 1 {:.17g} 1 {:.17g} {:.17g} {:.17g}\n", ++id, 2 * b.radius, b.position.x, b.position.y,
                        b.position.z);
  }
  text += "\nVelocities\n\n";
  id = 0;
  for (const dem::body& b : bodies.all) {
    text += fmt::format("{} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", ++id, b.velocity.x, b.velocity.y,
                        b.velocity.z, b.spin.x, b.spin.y, b.spin.z);
  }
  write_text(path, text);
}

void set_velocities(step_bodies& bodies, double speed, std::uint64_t seed) {
  samples::random rng(seed);
  // The sum of twelve uniform numbers: nearly a normal distribution, of variance 1.
  const auto normal = [&] {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += rng.uniform();
    return sum * speed;
  };
  for (dem::body& b : bodies.all) {
    b.velocity.x = normal();
    b.velocity.y = normal();
    b.velocity.z = normal();
    b.spin = {};
  }
}

}  // namespace abut::cli
