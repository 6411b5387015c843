#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <abut/api.h>
#include <abut/dem/vec.hpp>

namespace abut::dem {

/// A contact as a law sees it: what is known of it, and what the law must say. Of two bodies, the first is the one in
/// the lower row; of a body and a wall, the first is the body.
struct contact {
  double overlap = 0;  ///< how deep they overlap; negative if there is a gap, which only laws with a reach get to see
  vec normal{};        ///< from the first to the second, of length 1
  vec velocity{};      ///< of the second relative to the first at the contact point
  vec slip{};          ///< how far the second has moved relative to the first at the contact point since the last step
  vec spin{};          ///< the angular velocity of the second relative to that of the first
  vec roll{};          ///< by how much that has turned the second relative to the first since the last step
  double radius = 0;   ///< reduced: r1 r2 / (r1 + r2); that of the body if the second is a wall
  double mass = 0;     ///< reduced: m1 m2 / (m1 + m2); that of the other if one cannot be pushed
  std::size_t pair = 0;  ///< which materials meet: `material_table::pair` of the first and the second

  /// As many numbers as the law remembers, 0 when the contact begins. They are set to 0 when the bodies are farther
  /// apart than the law's reach; a law with a reach must do so itself for a gap. If bodies exchange their roles, the
  /// numbers change their signs: they must be components of vectors from the first to the second, such as the sum of
  /// slips.
  double* memory = nullptr;

  vec force{};           ///< to be set: on the second; the first gets the opposite. Acts in the middle of the overlap
  vec torque{};          ///< to be set: on the second; the first gets the opposite. Beside that of the force
  double stiffness = 0;  ///< to be set: the largest force per displacement, for the time step
  double viscosity = 0;  ///< to be set: the largest force per velocity, for the time step
  double energy = 0;     ///< to be set: the elastic energy, for `simulation::measure`
};

/// What the simulation must know about a law.
struct law_traits {
  std::size_t memory = 0;  ///< how many numbers it remembers for each contact
  double reach = 0;        ///< up to which gap there may be a force
  /// Whether there are tangential forces or torques. Without any, no torques are computed, which saves time and memory.
  bool turns = false;
  /// If there are any: whether the law sets `contact::torque`. Without, memory is saved.
  bool torques = true;
  /// Whether forces act on each body's own surface, at the full radius from its center, as in LAMMPS. By default they
  /// act in the middle of the overlap, for both bodies at one point, so that angular momentum is conserved.
  bool at_surfaces = false;
  /// For how many materials it was made, if it keeps what it needs of them; otherwise 0.
  std::size_t materials = 0;
};

/// A contact law: the force of each contact of a batch. Called from several threads at once.
class law {
 public:
  law() = default;
  law(const law&) = delete;
  law& operator=(const law&) = delete;
  virtual ~law() = default;

  /// Sets the force, torque, stiffness, viscosity and energy of each contact.
  virtual void apply(std::span<contact> batch) const = 0;
  /// What the simulation must know about it.
  [[nodiscard]] virtual law_traits traits() const = 0;
};

/// A law of your own, `f(contact&)`, which is inlined over the batch:
///
///     auto magnet = abut::dem::make_law([](abut::dem::contact& c) {
///       c.force = c.normal * (1e4 * c.overlap);
///       c.stiffness = 1e4;
///     });
template <class F>
[[nodiscard]] std::shared_ptr<const law> make_law(F f, const law_traits& traits = {}) {
  class function_law final : public law {
   public:
    function_law(F function, const law_traits& known) : f_(std::move(function)), traits_(known) {}
    void apply(std::span<contact> batch) const override {
      for (contact& c : batch) f_(c);
    }
    [[nodiscard]] law_traits traits() const override { return traits_; }

   private:
    F f_;
    law_traits traits_;
  };
  return std::make_shared<function_law>(std::move(f), traits);
}

}  // namespace abut::dem
