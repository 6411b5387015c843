#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/api.h>
#include <abut/dem/law.hpp>
#include <abut/dem/materials.hpp>
#include <abut/dem/state.hpp>
#include <abut/dem/vec.hpp>
#include <abut/dem/walls.hpp>
#include <abut/search.hpp>

namespace abut::dem {

/// How bodies are moved through a step.
enum class integrator : std::uint8_t {
  verlet,               ///< velocity Verlet: keeps the energy of elastic bodies bounded
  predictor_corrector,  ///< Gear's predictor-corrector of four values: exact to a higher order where forces are smooth
};

/// What a simulation is, apart from its bodies.
struct settings {
  int dimension = 3;                         ///< 2 or 3
  vec gravity{};                             ///< the acceleration of gravity
  periodic_axes periodic{};                  ///< the axes along which space repeats
  material_table materials{};                ///< what bodies and walls are made of
  std::vector<wall> walls{};                 ///< planes and other surfaces
  std::shared_ptr<const law> contact_law{};  ///< the forces of contacts: `named_law` or `make_law`; none if null
  integrator moved_by = integrator::verlet;  ///< how bodies are moved through a step

  /// The time step. If not given: 1/50 of the time that the shortest collision between any two of the materials'
  /// lightest bodies lasts, at an overlap of 1 % of the reduced radius if that matters, and at most 1/10 of mass /
  /// viscosity.
  std::optional<double> time_step{};

  std::string method = "auto";   ///< the plan of the search (abut/plan.hpp); never changes a result
  int threads = 0;               ///< 0 for as many as there are; never changes a result
  std::optional<double> skin{};  ///< of the list of near pairs; tuned if not given; never changes a result

  /// After how many steps bodies are sorted in memory and wrapped into the period. Changes the last bits of results.
  std::uint64_t sort_every = 1000;
};

/// Sums over a whole simulation.
struct measures {
  double kinetic = 0;        ///< energy of motion, rotation included, of bodies that move freely
  double elastic = 0;        ///< energy of contacts, as the law says
  double gravity = 0;        ///< energy in gravity's field, 0 at the origin
  vec momentum{};            ///< of bodies that move freely
  std::size_t contacts = 0;  ///< of bodies that overlap, with each other or with a wall
  double overlap = 0;        ///< the largest overlap
};

/// Bodies that move by the forces of their contacts.
///
/// The result has the same bits for every method, number of threads, skin and instruction set. A body's force is summed
/// over the other bodies by ascending row, then over the walls. Rows are chosen by the positions, every
/// `settings::sort_every` steps.
class simulation {
 public:
  /// Takes the bodies; each gets its place in `bodies` as its id. Computes the forces at the start. Throws `error`,
  /// with the body at fault, for numbers outside their range.
  ABUT_API simulation(settings s, const std::vector<body>& bodies);
  ABUT_API ~simulation();
  /// Moves in constant time. A moved-from simulation can only be assigned to or destroyed.
  ABUT_API simulation(simulation&&) noexcept;
  /// Moves in constant time. A moved-from simulation can only be assigned to or destroyed.
  ABUT_API simulation& operator=(simulation&&) noexcept;

  /// Performs some steps. Throws `error` if it cannot go on, with the body, the step and the reason: a velocity that is
  /// not a number or crosses the smallest radius in one step, or a contact too stiff or too viscous for the time step.
  /// The simulation then has the state in which this was noticed and cannot go on.
  ABUT_API void run(std::uint64_t steps = 1);

  /// All bodies, by row. Valid as long as the simulation; rows are the same until the next step.
  [[nodiscard]] ABUT_API const state& bodies() const;
  /// The row of the body with this id.
  [[nodiscard]] ABUT_API row row_of(std::uint32_t id) const;

  /// The number of steps so far.
  [[nodiscard]] ABUT_API std::uint64_t steps() const;
  /// The time step.
  [[nodiscard]] ABUT_API double time_step() const;
  /// The time: steps() * time_step().
  [[nodiscard]] ABUT_API double time() const;
  /// Energies, momentum, contacts. Looks at everything, on one thread.
  [[nodiscard]] ABUT_API measures measure() const;

  /// Gives a driven body another velocity, from the next step on. Throws `error` if the body is not driven.
  ABUT_API void drive(std::uint32_t id, const vec& velocity, const vec& spin = {});
  /// Searches with this plan from now on. Throws `error` as `plan` does.
  ABUT_API void use_method(std::string_view plan);
  /// How often the list of near pairs was rebuilt, so far.
  [[nodiscard]] ABUT_API std::uint64_t searches() const;

 private:
  class inside;
  std::unique_ptr<inside> inside_;
};

}  // namespace abut::dem
