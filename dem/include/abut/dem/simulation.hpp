#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/api.h>
#include <abut/dem/box.hpp>
#include <abut/dem/flow.hpp>
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

/// When a simulation searches for near pairs. Never changes a result.
enum class search_when : std::uint8_t {
  needed,  ///< when bodies have moved so far that the list of near pairs could miss one
  /// Before each step, with the skin as slack for the motion in that step: the cycle of Lazarević et al., whose slack
  /// is Δ. If bodies move farther than the slack allows, the step searches again. If no skin is given, it is a tenth of
  /// the smallest radius.
  each_step,
};

/// How something driven moves at a moment.
struct driven_motion {
  vec velocity{};  ///< of the center
  vec spin{};      ///< angular velocity; of a wall about `wall::center`
};

/// Moves bodies and walls by a function of time.
struct drive {
  /// Ids of driven bodies; each has at most one drive. Any body of a clump stands for the clump.
  std::vector<std::uint32_t> bodies{};
  std::vector<std::size_t> walls{};  ///< numbers of walls; each has at most one drive
  /// The motion at a time. Called once at the start with 0, then once in each step with the time of the step's end, on
  /// one thread. Between two such moments, the velocity changes linearly. For bits that are the same on every machine,
  /// use portable_sin and portable_cos (abut/dem/portable.hpp).
  std::function<driven_motion(double time)> at{};
};

/// What a simulation is, apart from its bodies.
struct settings {
  int dimension = 3;                         ///< 2 or 3
  vec gravity{};                             ///< the acceleration of gravity
  periodic_axes periodic{};                  ///< the axes along which space repeats
  std::optional<box_deformation> deform{};   ///< how the periods change; for free bodies, planes, endless cylinders
  material_table materials{};                ///< what bodies and walls are made of
  std::vector<wall> walls{};                 ///< planes and other surfaces
  std::shared_ptr<const law> contact_law{};  ///< the forces of contacts: `named_law` or `make_law`; none if null
  integrator moved_by = integrator::verlet;  ///< how bodies are moved through a step
  std::vector<clump_mass> clumps{};          ///< masses of clumps, for those that are not to be computed
  std::vector<drive> drives{};               ///< what moves driven bodies and walls, if not at constant velocity
  std::vector<pour> pours{};                 ///< where bodies are added, and when
  std::vector<removal> removals{};           ///< where bodies are removed, and when

  /// Damping and friction see the velocities in the middle of the step, as in LAMMPS, and so lag by half a step. By
  /// default they see velocities at the end of the step. For velocity Verlet only.
  bool half_step_velocities = false;

  /// The time step. If not given: 1/50 of the time that the shortest collision between any two of the materials'
  /// lightest bodies lasts, at an overlap of 1 % of the reduced radius if that matters, and at most 1/10 of mass /
  /// viscosity.
  std::optional<double> time_step{};

  std::string method = "auto";   ///< the plan of the search (abut/plan.hpp); never changes a result
  int threads = 0;               ///< 0 for as many as there are; never changes a result
  std::optional<double> skin{};  ///< of the list of near pairs; tuned if not given; never changes a result
  search_when searching = search_when::needed;  ///< when to search; never changes a result

  /// After how many steps bodies are sorted in memory and wrapped into the period. Changes the last bits of results.
  std::uint64_t sort_every = 1000;

  /// Whether to sum up the work of all contacts, for `measures::dissipated` and `measures::work`. Never changes a
  /// result.
  bool energies = false;

  /// After how many steps to keep a copy of the state for `simulation::last_good`; 0 for never. Takes some 190 bytes
  /// per body.
  std::uint64_t keep_every = 0;
};

/// Sums over a whole simulation.
struct measures {
  /// Energy of motion, rotation included, of bodies that move freely. In a box that deforms, it is the motion beside
  /// the box's flow; so is the momentum.
  double kinetic = 0;
  double elastic = 0;        ///< energy of contacts, as the law says
  double gravity = 0;        ///< energy in gravity's field, 0 at the origin
  vec momentum{};            ///< of bodies that move freely
  std::size_t contacts = 0;  ///< of bodies that overlap, with each other or with a wall
  double overlap = 0;        ///< the largest overlap

  /// What contacts have lost since the start: in dashpots, by sliding, and the elastic energy that a contact still had
  /// when it ended. It is minus the work of all contacts on bodies and walls, minus the growth of `elastic`. Work is
  /// force times displacement, with the mean of the forces at the start and the end of each step; so kinetic + elastic
  /// + gravity + dissipated - work - brought stays constant, up to the error of the integrator. The elastic energy of
  /// bodies in contact with a wall that opens counts as dissipated. 0 if `settings::energies` is off.
  double dissipated = 0;
  /// The energy that driven bodies, moving walls and a box that deforms have put in since the start. That of the box is
  /// minus the sum of stress * area * change of length over its sides. 0 if `settings::energies` is off.
  double work = 0;
  /// The energy that came with bodies that were added since the start, minus what went with those that were removed:
  /// of motion, in gravity's field and, if `settings::energies` is on, of their contacts.
  double brought = 0;
};

/// Where the time of a simulation went, in seconds.
struct times {
  double update = 0;     ///< checking whether the list of near pairs holds, updating the search, sorting rows
  double find = 0;       ///< finding near pairs and listing them
  double forces = 0;     ///< the forces of contacts between bodies
  double integrate = 0;  ///< predicting, summing forces, those of walls, moving bodies
};

/// A copy of the state.
struct kept_state {
  std::uint64_t steps = 0;  ///< how many steps had been made
  state bodies{};           ///< all bodies, by row
  periodic_axes periods{};  ///< as they were
};

/// What may differ between a saved simulation and the settings with which it goes on.
enum class resume : std::uint8_t {
  as_before,  ///< nothing that has an influence on results
  /// Anything but the dimension, the periods, the number of materials, what the law remembers, the integrator, the time
  /// step and `settings::energies`. Walls that are the same keep their motion and what bodies remember of them; others
  /// begin as the settings say.
  changed,
};

/// A contact as it is between two steps, by the velocities at the end of the step; in a step, laws see those predicted.
struct contact_report {
  std::uint32_t first = 0;            ///< the id of a body; of two bodies, the lower id
  std::uint32_t second = 0;           ///< the id of the other body; not set if it is a wall
  std::optional<std::size_t> wall{};  ///< the number of the wall, if the first touches a wall
  vec from{};                         ///< the center of the first
  vec to{};                 ///< that of the second, or of its nearest image; of a wall, the point that is touched
  double overlap = 0;       ///< how deep they overlap; negative if there is a gap, within the law's reach
  double normal_force = 0;  ///< above 0 if it pushes them apart
  vec tangential_force{};   ///< on the second
  vec torque{};             ///< on the second, beside that of the forces: rolling resistance
};

/// Bodies that move by the forces of their contacts.
///
/// The result has the same bits for every method, number of threads, skin and instruction set. A body's force is summed
/// over the other bodies by ascending row, then over the walls. Rows are chosen by the positions, every
/// `settings::sort_every` steps.
class simulation {
 public:
  /// Takes the bodies; each gets its place in `bodies` as its id. There may be none if `settings::pours` will add some.
  /// Computes the forces at the start. Throws `error`, with the body at fault, for numbers outside their range.
  ABUT_API simulation(settings s, const std::vector<body>& bodies);
  /// Goes on from what `save` has written, bit for bit as if it had never stopped. The settings are those of the saved
  /// simulation: only the method, the threads, the skin, the searching and `keep_every` may differ, or more with
  /// `resume::changed`. Laws, drives and surfaces are functions and cannot be compared. Throws `error` for a stream
  /// that is no checkpoint, of another version, cut off or damaged, and for settings that differ, naming what does.
  ABUT_API simulation(settings s, std::istream& saved, resume how = resume::as_before);
  ABUT_API ~simulation();
  /// Moves in constant time. A moved-from simulation can only be assigned to or destroyed.
  ABUT_API simulation(simulation&&) noexcept;
  /// Moves in constant time. A moved-from simulation can only be assigned to or destroyed.
  ABUT_API simulation& operator=(simulation&&) noexcept;

  /// Performs some steps. Throws `error` if it cannot go on, with the body, the step and the reason: a velocity that is
  /// not a number or crosses the smallest radius in one step, or a contact too stiff or too viscous for the time step.
  /// The simulation then has the state in which this was noticed and cannot go on; `last_good` has one before that. If
  /// anything else is thrown, by a law or a surface of yours or because the system is out of memory, here or by `add`
  /// or `remove`, forces may be half made: from then on, all but `bodies` and `last_good` throw `error`.
  ABUT_API void run(std::uint64_t steps = 1);

  /// All bodies, by row. Valid as long as the simulation; rows are the same until the next step.
  [[nodiscard]] ABUT_API const state& bodies() const;
  /// All clumps, by ascending number. Valid as long as the simulation.
  [[nodiscard]] ABUT_API const std::vector<clump>& clumps() const;
  /// The row of the body with this id. Throws `error` if there is none or it was removed.
  [[nodiscard]] ABUT_API row row_of(std::uint32_t id) const;

  /// The number of steps so far.
  [[nodiscard]] ABUT_API std::uint64_t steps() const;
  /// The time step.
  [[nodiscard]] ABUT_API double time_step() const;
  /// The time: steps() * time_step().
  [[nodiscard]] ABUT_API double time() const;
  /// Energies, momentum, contacts. Looks at everything, on one thread.
  [[nodiscard]] ABUT_API measures measure() const;

  /// All contacts, with the forces that the law gives for the present overlaps, velocities and memories. Ordered by the
  /// first body's id, its contacts with bodies before those with walls. Looks at everything, on one thread.
  [[nodiscard]] ABUT_API std::vector<contact_report> contacts() const;

  /// What bodies do to each wall, by the number of the wall, at the end of the last step. The sums do not depend on the
  /// number of threads. Valid until the next step.
  [[nodiscard]] ABUT_API const std::vector<wall_load>& wall_loads() const;
  /// All walls as they are now: moved and turned, with their present velocities. For pictures.
  [[nodiscard]] ABUT_API std::vector<wall> walls() const;

  /// The periods as they are now: those of the settings, unless the box deforms.
  [[nodiscard]] ABUT_API periodic_axes periods() const;
  /// How fast a box that deforms carries a point along; 0 if it rests.
  [[nodiscard]] ABUT_API vec box_flow(const vec& at) const;
  /// The mean stress, with the forces that `contacts` has. The volume is that between the borders of periodic axes, or
  /// between planes that face each other along an axis; in 2D it is an area. Looks at everything, on one thread. Throws
  /// `error` if an axis has neither.
  [[nodiscard]] ABUT_API box_stress stress() const;

  /// The last state that was kept, before the next of `settings::keep_every` steps was made; none if that is 0 or no
  /// step was made yet. Valid until the next step.
  [[nodiscard]] ABUT_API const std::optional<kept_state>& last_good() const;
  /// Where the time went, in all steps so far. A clock never influences a result.
  [[nodiscard]] ABUT_API times spent() const;

  /// The memory that the simulation holds, in bytes, as much of it as grows with the number of bodies.
  [[nodiscard]] ABUT_API std::size_t bytes() const;

  /// Gives a driven body, or the clump that it belongs to, another velocity, from the next step on. Throws `error` if
  /// the body is not driven, or by one of `settings::drives`.
  ABUT_API void drive(std::uint32_t id, const vec& velocity, const vec& spin = {});
  /// Adds bodies between two steps and returns the id of the first; ids go on from there and are never used again. They
  /// may overlap others; such contacts push from the next step on. Costs a search. Throws `error`, with the id that the
  /// body at fault would have got, for numbers outside their range and for bodies of clumps; nothing has changed then.
  ABUT_API std::uint32_t add(const std::vector<body>& bodies);
  /// Removes bodies between two steps. A body of a clump stands for the clump. Contacts of all others remember what
  /// they did. Costs a search. Throws `error` for an id that is not there; nothing has changed then.
  ABUT_API void remove(std::span<const std::uint32_t> ids);
  /// How far each of `settings::pours` has come.
  [[nodiscard]] ABUT_API const std::vector<pour_progress>& poured() const;
  /// What each of `settings::removals` has removed.
  [[nodiscard]] ABUT_API const std::vector<removal_progress>& removed() const;

  /// Searches with this plan from now on. Throws `error` as `plan` does.
  ABUT_API void use_method(std::string_view plan);
  /// Writes all that the next steps depend on. Equal simulations write equal bytes, whatever their methods, threads and
  /// skins. Takes some 250 bytes per body. A note of yours goes along: see `saved_note`. Throws `error` if the stream
  /// fails, or if the simulation cannot go on.
  ABUT_API void save(std::ostream& to, std::string_view note = {}) const;
  /// How often the list of near pairs was rebuilt, so far.
  [[nodiscard]] ABUT_API std::uint64_t searches() const;

 private:
  class inside;
  std::unique_ptr<inside> inside_;
};

/// The note that was given to `simulation::save`. Reads and checks all that was saved. Throws `error` for a stream that
/// is no checkpoint, of another version, cut off or damaged.
[[nodiscard]] ABUT_API std::string saved_note(std::istream& saved);

}  // namespace abut::dem
