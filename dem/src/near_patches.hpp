#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <abut/contacts.hpp>
#include <abut/dem/walls.hpp>
#include <abut/search.hpp>

#include "flow_state.hpp"
#include "patches.hpp"

namespace abut::dem {

/// A point at which a body touches a patch.
struct patch_touch {
  std::uint32_t wall = 0;   ///< whose patch it is
  std::uint32_t patch = 0;  ///< among the patches of all walls
  patch_point point{};      ///< where, for the center moved by `shift`
  vec shift{};              ///< whole periods by which the center is moved to be near the patch
};

/// How a wall stands, compared with the start.
struct wall_pose {
  vec from{};           ///< the center about which it turns, at the start
  vec to{};             ///< the same, now
  quaternion turned{};  ///< how far it has turned
  friend bool operator==(const wall_pose&, const wall_pose&) = default;
};

/// A point of a wall, after the wall has moved.
[[nodiscard]] inline vec moved(const wall_pose& p, const vec& at) {
  return p.turned == quaternion{} ? at + (p.to - p.from) : p.to + rotated(p.turned, at - p.from);
}

/// The patches of all walls, and which bodies are near which of them: a list of the library's pairs between two sets,
/// bodies and the boxes around patches.
class near_patches {
 public:
  near_patches(const std::vector<wall>& walls, int dimension, const options& o, std::string_view method,
               const contact_options& near);

  /// Moves the patches with their walls.
  void move(const std::vector<wall_pose>& poses);
  /// Finds what is near the bodies now. None of them has moved farther than this since the last call.
  void find(const bodies& b, double moved);
  /// To be called when bodies have changed rows.
  void expire();
  void use_method(std::string_view method);
  /// From now on, nothing touches the patches of this wall.
  void open(std::size_t wall) { open_[wall] = 1; }

  /// Whether a body can touch this patch before the list is made anew; asked while it is made. The box around a hopper
  /// has all that is in it, so near the box is not enough. Patches that move are near all bodies that are near their
  /// box, because the list is held by what boxes do.
  [[nodiscard]] bool may_touch(std::uint32_t k, const vec& center, double radius) const;

  /// The points at which a body touches: those of all patches within `reach` of its center that are a nearest point of
  /// the whole surface around them. So a body on an edge or a corner that patches share touches once, and one that
  /// rolls from a triangle to the next on a plane touches once all the time. By ascending patch.
  void touches(row i, const vec& center, double radius, double reach, std::vector<patch_touch>& found) const;

  /// Marks those of these bodies, which are others than those of `find`, that have a gap of at most `reach` to a patch.
  void mark_near(const bodies& b, std::span<const ball> places, double reach, std::vector<bool>& marked) const;

  /// The patches of all walls, one wall after the other, as they are now.
  [[nodiscard]] const std::vector<patch>& all() const { return now_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] double place(std::size_t k, const wall_pose& pose);
  template <class F>
  void for_each_image(std::uint32_t k, const vec& center, double reach, F&& f) const;
  void add_touches(std::uint32_t k, const vec& center, double reach, std::vector<patch_touch>& found) const;
  [[nodiscard]] bool counts(const patch_touch& a, const std::vector<patch_touch>& all, double tolerance) const;
  [[nodiscard]] bodies boxes() const;

  int dimension_;
  options options_;
  vec period_{};  // 0 on axes that are not periodic
  std::vector<patch> start_;
  std::vector<patch> now_;
  std::vector<std::uint32_t> wall_of_;
  std::vector<patch_box> box_;
  std::vector<std::uint8_t> open_;    // by wall
  std::vector<std::uint8_t> moving_;  // by wall: whether any of its patches has ever moved
  std::vector<wall_pose> poses_;      // by wall, as of the last move
  search search_;
  contact_list near_;
  double path_ = 0;     // how much nearer a body and a patch can have come since bodies were last looked at
  double allowed_ = 0;  // as long as no pair can be missed
};

}  // namespace abut::dem
