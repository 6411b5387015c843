#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <abut/sketch.hpp>

#include "bodies/world.hpp"

namespace abut {

/// Collects what a method shows. Methods add kinds, then shapes; boxes are followed by their members. Rows are those of
/// the world, ghosts included.
class sketcher {
 public:
  using holding = sketch::holding;
  using sides = std::array<interval, 3>;  ///< in 2D the third is ignored

  /// Shows the search of the row `chosen`; of none if it is `no_row`.
  sketcher(const world& w, row chosen, sketch& out);

  [[nodiscard]] const world& of() const { return world_; }
  [[nodiscard]] int dimension() const { return world_.dimension(); }
  [[nodiscard]] row chosen() const { return chosen_; }
  [[nodiscard]] bool any_chosen() const { return chosen_ != no_row; }

  /// Adds a kind of shape. Returns its index.
  std::uint32_t kind(const char* name, const char* meaning, holding holds = holding::nothing, bool beside = false);

  /// Adds a box. Returns its index.
  std::uint32_t box(std::uint32_t kind, std::uint32_t level, const sides& at, bool searched = false);
  /// Adds a member to the last box.
  void member(row i);
  /// Makes one box the parent of another.
  void parent(std::uint32_t child, std::uint32_t of) { out_.boxes[child].parent = of; }

  void segment(std::uint32_t kind, std::uint32_t level, const sketch::place& from, const sketch::place& to,
               bool searched = false);
  /// A segment between the middles of two bodies.
  void segment(std::uint32_t kind, std::uint32_t level, row i, row j, bool searched = false) {
    segment(kind, level, middle(i), middle(j), searched);
  }
  void point(std::uint32_t kind, std::uint32_t level, const sketch::place& at, row of, double radius = 0,
             bool searched = false);
  void label(std::uint32_t kind, std::uint32_t level, const sketch::place& at, std::string text);

  /// Notes that the chosen body is compared with this row.
  void compared(row i) { out_.bodies[i].compared = true; }

  /// The middle of a body.
  [[nodiscard]] sketch::place middle(row i) const;
  /// The box around a body.
  [[nodiscard]] sides around(row i) const;
  /// What all bodies take up.
  [[nodiscard]] const sides& bounds() const { return bounds_; }
  /// The longest side of the bounds; more than 0.
  [[nodiscard]] double extent() const { return extent_; }

 private:
  const world& world_;
  row chosen_;
  sketch& out_;
  sides bounds_{};
  double extent_ = 1;
};

}  // namespace abut
