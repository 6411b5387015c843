#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "scene/generate_bodies.hpp"
#include "scene/read.hpp"
#include "scene/scene.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

using dem::motion;
using dem::vec;

motion motion_in(const value& table) {
  return static_cast<motion>(word_in(table, "moves", {"free", "fixed", "driven"}, 0));
}

/// Random numbers that have nothing to do with those of the positions.
samples::random other_numbers(const value& table, std::uint64_t purpose) {
  samples::random mixed(whole_in(table, "seed").value_or(1) ^ purpose);
  return samples::random(mixed.next());
}

/// A ball of a clump, from the clump's middle and in units of the radius that it replaces.
struct piece {
  vec at{};
  double radius = 1;
};

/// The balls that replace each body; a single one without a clump.
std::vector<piece> pieces_in(const value& table, int dimension) {
  const value* const rows = table.find("clump");
  if (rows == nullptr) return {piece{}};
  const auto axes = static_cast<std::size_t>(dimension);
  std::vector<piece> pieces;
  for (const value& row : rows->inside) {
    if (row.inside.size() != axes + 1) {
      refuse(row, fmt::format("is {}; it must be {}", row.in_words(), dimension == 2 ? "[x, y, r]" : "[x, y, z, r]"));
    }
    piece p{.radius = row.inside[axes].real};
    p.at = {row.inside[0].real, row.inside[1].real, dimension == 2 ? 0 : row.inside[2].real};
    if (!(p.radius > 0)) refuse(row, fmt::format("has radius {}; it must be above 0", p.radius));
    pieces.push_back(p);
  }
  if (pieces.size() < 2) refuse(*rows, "needs at least two balls");
  return pieces;
}

/// A random rotation about any axis, in 2D about z, from random points in the unit ball.
dem::quaternion random_turn(int dimension, samples::random& rng) {
  for (;;) {
    dem::quaternion q;
    q.w = rng.uniform(-1, 1);
    q.x = dimension == 2 ? 0 : rng.uniform(-1, 1);
    q.y = dimension == 2 ? 0 : rng.uniform(-1, 1);
    q.z = rng.uniform(-1, 1);
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (square > 1 || square < 0.01) continue;
    const double s = 1 / std::sqrt(square);
    return {q.w * s, q.x * s, q.y * s, q.z * s};
  }
}

/// Fixes the bodies near the sides of the box around all centers.
class border {
 public:
  border(const samples::set& bodies, std::optional<double> width) : width_(width) {
    const auto axes = static_cast<std::size_t>(bodies.dimension);
    for (std::size_t k = 0; k < axes && !bodies.column[k].empty(); ++k) {
      const auto [min, max] = std::minmax_element(bodies.column[k].begin(), bodies.column[k].end());
      min_[k] = *min;
      max_[k] = *max;
    }
  }
  [[nodiscard]] bool has(const samples::set& bodies, std::size_t i) const {
    for (std::size_t k = 0; width_ && k < static_cast<std::size_t>(bodies.dimension); ++k) {
      const double c = bodies.column[k][i];
      if (c - min_[k] <= *width_ || max_[k] - c <= *width_) return true;
    }
    return false;
  }

 private:
  std::optional<double> width_;
  std::array<double, 3> min_{}, max_{};
};

/// The velocities of a table [[bodies]].
class velocities {
 public:
  velocities(const value& table, int dimension)
      : dimension_(dimension),
        all_(vector_in(table, "velocity", dimension).value_or(vec{})),
        alternating_(vector_in(table, "alternating_velocity", dimension).value_or(vec{})),
        random_(number_in(table, "random_velocity", "at least 0", [](double v) { return v >= 0; }).value_or(0)),
        rng_(other_numbers(table, 0x5ee6'0000'0000'0001U)) {}

  /// That of the next body.
  vec next() {
    vec v = count_++ % 2 == 0 ? all_ + alternating_ : all_ - alternating_;
    if (random_ == 0) return v;
    const double x = rng_.uniform(-random_, random_);
    const double y = rng_.uniform(-random_, random_);
    const double z = dimension_ == 2 ? 0 : rng_.uniform(-random_, random_);
    return v + vec{x, y, z};
  }

 private:
  int dimension_;
  vec all_, alternating_;
  double random_;
  samples::random rng_;
  std::size_t count_ = 0;
};

/// Adds the bodies of a table [[bodies]]. `clump` is the number of the next clump.
void add_group(scene& to, const value& table, const scene_request& request, std::uint32_t& clump) {
  const int dimension = to.settings.dimension;
  const samples::set made = generated(table, dimension, request);
  const auto axes = static_cast<std::size_t>(dimension);
  const vec at = vector_in(table, "at", dimension).value_or(vec{});
  const border fixed(made, number_in(table, "fixed_within", "at least 0", [](double w) { return w >= 0; }));
  const std::vector<piece> pieces = pieces_in(table, dimension);
  const value* const turned = table.find("turned");
  samples::random turns = other_numbers(table, 0x5ee6'0000'0000'0002U);
  velocities speeds(table, dimension);
  dem::body common{.spin = spin_in(table, "spin", dimension).value_or(vec{}),
                   .material = material_in(table, to.settings.materials)};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const vec center{made.column[0][i], made.column[1][i], dimension == 2 ? 0 : made.column[2][i]};
    const double radius = made.column[axes][i];
    common.velocity = speeds.next();
    common.moves = fixed.has(made, i) ? motion::fixed : motion_in(table);
    if (pieces.size() > 1) common.clump = clump++;
    const bool turn = turned != nullptr && turned->flag;
    const dem::quaternion q = turn ? random_turn(dimension, turns) : dem::quaternion{};
    for (const piece& p : pieces) {
      common.position = at + center + (turn ? dem::rotated(q, p.at) : p.at) * radius;
      common.radius = p.radius * radius;
      to.bodies.push_back(common);
    }
  }
}

void add_body(scene& to, const value& table) {
  const int dimension = to.settings.dimension;
  const auto position = vector_in(table, "position", dimension);
  const auto radius = number_in(table, "radius", "above 0", [](double r) { return r > 0; });
  if (!position) refuse_missing(table, "position", "position = [0, 0, 0]");
  if (!radius) refuse_missing(table, "radius", "radius = 0.5");
  dem::body b{.position = *position, .radius = *radius};
  b.velocity = vector_in(table, "velocity", dimension).value_or(vec{});
  b.spin = spin_in(table, "spin", dimension).value_or(vec{});
  b.material = material_in(table, to.settings.materials);
  b.moves = motion_in(table);
  b.mass = number_in(table, "mass", "above 0", [](double m) { return m > 0; });
  if (const auto clump = whole_in(table, "clump", 0, 1'000'000'000)) b.clump = static_cast<std::uint32_t>(*clump);
  to.bodies.push_back(b);
}

/// One more than the largest number of a clump that a table [[body]] gives.
std::uint32_t first_free_clump(const value* tables) {
  std::uint32_t next = 0;
  if (tables == nullptr) return next;
  for (const value& table : tables->inside) {
    if (const auto clump = whole_in(table, "clump", 0, 1'000'000'000)) {
      next = std::max(next, static_cast<std::uint32_t>(*clump) + 1);
    }
  }
  return next;
}

}  // namespace

void add_bodies(scene& to, const value& root, const scene_request& request) {
  const value* const groups = root.find("bodies");
  const value* const singles = root.find("body");
  std::uint32_t clump = first_free_clump(singles);
  const auto begin = [&](const value& table) {
    to.sources.push_back({to.bodies.size(), table.place, table.path, name_in(table)});
  };
  if (groups != nullptr) {
    for (const value& table : groups->inside) {
      begin(table);
      add_group(to, table, request, clump);
    }
  }
  if (singles != nullptr) {
    for (const value& table : singles->inside) {
      begin(table);
      add_body(to, table);
    }
  }
  const bool needed = !request.without_bodies && root.find("pour") == nullptr;
  if (to.bodies.empty() && needed) refuse_missing(root, "bodies", "[[bodies]] with generate = \"fill\", or [[body]]");
  if (to.bodies.size() >= no_row) throw error(fmt::format("{}: {} bodies are too many", root.place, to.bodies.size()));
}

}  // namespace abut::cli
