#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/contacts.hpp>
#include <abut/dem/simulation.hpp>
#include <abut/search.hpp>

#include "close_pairs.hpp"
#include "deforming_box.hpp"
#include "fault.hpp"
#include "flow_state.hpp"
#include "move_on.hpp"
#include "near_patches.hpp"
#include "pair_law.hpp"
#include "records.hpp"
#include "touch_memory.hpp"
#include "wall_loads.hpp"

namespace abut::dem {

/// A step in this order: predict, find the pairs that may touch, and one pass over all rows, on all threads, that sums
/// up forces and finishes the step. If more steps follow at once, the pass also predicts the next one, and `now_` is
/// left behind (`ahead_`) until the last of them.
class simulation::inside {
 public:
  inside(settings s, const std::vector<body>& bodies);
  inside(settings s, std::istream& from, resume how);

  void run(std::uint64_t steps);
  [[nodiscard]] const state& bodies() const { return now_; }
  [[nodiscard]] row row_of(std::uint32_t id) const;
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] double time_step() const { return dt_; }
  [[nodiscard]] measures measure() const;
  [[nodiscard]] std::vector<contact_report> contacts() const;
  [[nodiscard]] const std::optional<kept_state>& last_good() const { return kept_; }
  [[nodiscard]] times spent() const { return spent_; }
  [[nodiscard]] std::size_t bytes() const;
  void drive(std::uint32_t id, const vec& velocity, const vec& spin);
  [[nodiscard]] const std::vector<clump>& clumps() const { return clumps_; }
  void use_method(std::string_view text);
  [[nodiscard]] std::uint64_t searches() const { return searches_; }
  [[nodiscard]] const std::vector<wall_load>& wall_loads() const { return loads_.all(); }
  [[nodiscard]] std::vector<wall> walls() const;
  std::uint32_t add(const std::vector<body>& bodies);
  void remove(std::span<const std::uint32_t> ids);
  [[nodiscard]] const std::vector<pour_progress>& poured() const { return poured_; }
  [[nodiscard]] const std::vector<removal_progress>& removed() const { return removed_; }
  [[nodiscard]] const periodic_axes& periods() const { return box_ ? box_->periods() : chosen_.periodic; }
  [[nodiscard]] vec box_flow(const vec& at) const { return box_ ? box_->flow(at) : vec{}; }
  [[nodiscard]] box_stress stress() const;
  void save(std::ostream& to, std::string_view note) const;

 private:
  static constexpr std::size_t batch_size = 128;
  static constexpr double rounding_room = 1e-7;  // of the smallest radius: what rounding can hide of a gap, and more

  // simulation.cpp
  [[nodiscard]] std::uint64_t steps_at_once() const;
  void run_at_once(std::uint64_t count);
  /// Whether `now_`, the lists and all that forces are computed from fit each other.
  void check_whole() const {
    if (interrupted_) throw_fault();
  }
  void choose_instructions();

  // setup.cpp
  void take_settings();
  void check_settings() const;
  void check_law() const;
  void check_drives();
  void check(const body& b, row i) const;
  [[nodiscard]] contact_options list_options() const;
  void make_list();
  /// The shortest period with which bodies of this radius can be searched, with the margin of any list that was made
  /// when none was larger.
  [[nodiscard]] double shortest_side(double radius) const {
    return 2 * (2 * radius + traits_.reach + rounding_room * radius) * (1 + 1e-9);
  }
  void reserve(std::size_t rows);
  void append(const body& b);
  /// `may_mid`: whether velocities in mid-step may be those of the loops, unless a simulation that is resumed had
  /// clumps.
  void make_records(bool may_mid);
  void resize_records();
  void choose_time_step();
  /// The lightest free body of a material.
  struct light_body {
    double mass, radius;
  };
  [[nodiscard]] std::vector<std::optional<light_body>> lightest_bodies() const;
  [[nodiscard]] double mass_of(double radius, unsigned material) const;
  void probe(double mass, double radius, unsigned a, unsigned b, double& longest) const;

  // box_steps.cpp
  void check_box() const;
  void check_box_bodies() const;
  /// Of the volume that stress is the mean of. Throws `error` if there is none.
  [[nodiscard]] vec volume_sides() const;
  void start_box();
  void check_box_length(const vec& sides) const;
  void advance_box();
  [[nodiscard]] vec most_images() const;
  void finish_box();
  [[nodiscard]] vec box_motion() const;
  [[nodiscard]] vec beside_flow(const vec& velocity, const vec& at) const;
  void wrap_moving(vec& at, vec& velocity) const;
  [[nodiscard]] std::uint64_t steps_until_box() const;
  /// Calls f(mass, velocity, center) for each body or clump that moves freely.
  template <class F>
  void for_each_moving(F&& f) const {
    for (row i = 0; i < now_.size(); ++i) {
      if (free(i) && !in_clump(i)) f(now_.mass[i], now_.velocity[i], now_.position[i]);
    }
    for (const clump& c : clumps_) {
      if (c.moves == motion::free) f(c.mass, c.velocity, c.center);
    }
  }

  // flow.cpp
  void check_flow() const;
  void flow();
  [[nodiscard]] std::uint64_t steps_until_flow() const;
  [[nodiscard]] bool flows(const pour& p, std::size_t k) const;
  [[nodiscard]] std::vector<row> rows_to_remove();
  void draw(std::size_t k);
  void pour_into(std::size_t k, std::vector<body>& come);
  [[nodiscard]] double radius_of(std::size_t k, std::uint64_t number) const;
  [[nodiscard]] std::vector<ball> balls_near(const pour& p, const std::vector<body>& come) const;
  [[nodiscard]] std::vector<bool> blocked(const std::vector<ball>& places, const std::vector<ball>& others) const;

  // come_and_go.cpp
  void change(std::span<const row> gone, const std::vector<body>& come);
  void check_periods(double radius, const std::string& who, std::optional<row> id) const;
  void take_away(std::span<const row> gone);
  void take_away_clumps();
  void bring(const std::vector<body>& come);
  void renew();
  [[nodiscard]] double energy_of(row i) const;
  [[nodiscard]] double energy_of(const clump& c) const;

  // checkpoint.cpp
  struct saved;
  template <class Archive, class Self, class Saved>
  static void exchange(Archive& a, Self& self, Saved& more);
  void check_loaded(const saved& more) const;
  void take_loaded(const saved& more);
  void take_flow(resume how);
  void load_box(const deforming_box& from);
  [[nodiscard]] std::vector<std::size_t> matched_walls(const saved& more, resume how) const;
  void load_memory(saved& more, const std::vector<std::size_t>& new_walls);
  void load_walls(const saved& more, const std::vector<std::size_t>& new_walls);

  // order.cpp
  [[nodiscard]] std::vector<row> rows_by_place() const;
  void sort_rows();
  void take_rows(std::span<const row> old_rows);
  void wrap();
  void wrap_point(vec& at) const;
  void reorder_contacts(std::span<const row> new_rows, std::size_t rows);
  void reorder_wall_memory(std::span<const row> old_rows);

  // clumps.cpp
  struct clump_parts {
    std::vector<vec> at;  // the places of its bodies, seen from the center at the start
    tensor inverse;       // of the inertia; in 2D only zz
    vec acceleration;
    vec turning;  // angular acceleration, of driven clumps only
  };
  void make_clumps(const std::vector<body>& bodies);
  static void join(const body& b, row i, const clump& c, const body& first);
  void give_mass(clump& c, const std::vector<body>& bodies);
  void start_clumps();
  void predict_clumps();
  void finish_clumps(double half);
  void place(const clump& c, const clump_parts& p);
  void predict(clump& c, clump_parts& p);
  void finish(clump& c, clump_parts& p, double half);
  void spread_velocity(const clump& c, const clump_parts& p);
  [[nodiscard]] static vec spin_of(const clump_parts& p, const vec& momentum, const quaternion& orientation);
  [[nodiscard]] double lever_mass(row i) const;
  void take_levers();
  /// The mass that has to be moved if nothing turns.
  [[nodiscard]] double pushed_mass(row i) const { return in_clump(i) ? clumps_[now_.clump[i]].mass : now_.mass[i]; }
  [[nodiscard]] bool in_clump(row i) const { return !now_.clump.empty() && now_.clump[i] != no_clump; }
  template <class F>
  void for_each_clump(F&& f);

  // forces.cpp
  /// How the state stands while forces are computed: velocities are those of the step's end as predicted, accelerations
  /// those of its start, so that `half` a step back there are velocities exact to the second order.
  struct moment {
    double half = 0;  ///< half a time step, 0 at the start
    double step = 0;  ///< a time step, 0 at the start
  };
  struct part_result {
    double moved2 = 0;   // the square of the farthest move
    double pushing = 0;  // seconds, of some of the rows
    double moving = 0;
  };
  void search_ahead();
  void find_near();
  [[nodiscard]] bool near_holds(const abut::bodies& all);
  void catch_up_all();
  void take_close();
  [[nodiscard]] pair_arrays arrays(const moment& m);
  void pass(const moment& m, bool on);
  [[nodiscard]] part_result pass_part(const pair_arrays& a, std::vector<close_part>& parts, std::size_t number,
                                      const moment& m, bool on);
  void add_path(double moved2);
  [[nodiscard]] vec shift_by(const image_shift& image) const;
  [[nodiscard]] vec shift_speed(const image_shift& image) const;
  void step_back_half(row i, row j, const vec& border, double inward, contact& c) const;
  [[nodiscard]] bool meet_now(row i, row j, const image_shift& image, contact& c) const;

  // energies.cpp, wall_forces.cpp
  /// Whose contact it is.
  struct contact_place {
    row first;
    row second;                       // if there is no wall
    std::optional<std::size_t> wall;  // its number
    vec to;                           // the center of the second, or the point of the wall
    const double* memory;
  };
  using contact_visitor = std::function<void(contact& c, const contact_place& at)>;
  void for_each_contact(const contact_visitor& f) const;

  // wall_forces.cpp
  struct wall_batch;
  struct seen_body {
    vec at;
    double radius, mass;
    vec velocity, spin;            // as predicted for the end of the step, or in the middle (mid_)
    vec half_velocity, half_spin;  // in the middle of the step
  };
  [[nodiscard]] seen_body seen(row i, const moment& m) const;
  [[nodiscard]] seen_body seen_now(row i) const;
  [[nodiscard]] bool is_open(const wall& w) const {
    return w.opens_at && static_cast<double>(steps_) * dt_ >= *w.opens_at;
  }
  [[nodiscard]] bool near_wall(const vec& center, double radius, const wall& w, wall_point& p) const;
  [[nodiscard]] bool meet_wall(row i, std::size_t w, const moment& m, contact& c, vec& at) const;
  void forget(std::size_t w, row i);
  void meet_surface(row i, const seen_body& b, std::size_t w, const wall_point& p, const vec& at, const moment& m,
                    contact& c) const;
  void finish_meeting(contact& c, const moment& m, const vec& velocity, const vec& spin) const;
  void flush(wall_batch& batch);
  void push_walls(row from, row to, const moment& m);
  void push_patches(row from, row to, const moment& m, wall_batch& batch);
  void for_each_wall_contact(const contact_visitor& f) const;

  // wall_motion.cpp
  void check_walls() const;
  void check_patches(const wall& w, const std::string& who) const;
  void check_extent(const wall& w, const std::string& who) const;
  void check_endless(const wall& w, const std::string& who) const;
  void check_turning(const wall& w, const vec& spin, const std::string& who) const;
  void start_walls();
  void start_pass(bool on);
  void press(std::size_t w);
  void move_walls();

  // energies.cpp
  void add_work_before(row i, const moment& m);
  void add_work_after(row i, const moment& m);
  void add_contacts(measures& all) const;

  // motion.cpp
  void ask_drives(double time);
  void follow_drives(double time_step);
  void take_driven();
  void start_drives();
  void start_driven_walls();
  void predict();
  void predict(row i);
  void take_in();
  void finish(row i, double half);
  void take_sums(row i, vec& force, vec& torque);
  [[nodiscard]] moving_bodies moving();
  void step_back();
  void correct(row i, const vec& a, const vec& turn);
  void check_move(row i, const vec& velocity, const vec& spin);
  /// Calls f(), which leaves something half made if it throws anything but a fault: a law or a surface of the user's
  /// may, and the system when it is out of memory. Nothing can go on from there.
  template <class F>
  void in_one_piece(F&& f) {
    throw_fault();
    try {
      std::forward<F>(f)();
    } catch (const std::bad_alloc&) {
      interrupted_ = true;
      why_.assign("out of memory");  // short enough to need none
      throw;
    } catch (const std::exception& e) {
      interrupt(e.what());
      throw;
    } catch (...) {
      interrupt("unknown exception");
      throw;
    }
  }
  void interrupt(const char* why) {
    if (fault_.lowest()) return;  // which is in one piece
    interrupted_ = true;
    why_ = why;
  }
  void throw_fault() const;
  [[nodiscard]] std::string depth_in_words(row i) const;

  [[nodiscard]] abut::bodies view() const;
  [[nodiscard]] abut::options search_options() const;
  [[nodiscard]] bool free(row i) const { return now_.moves[i] == motion::free; }
  [[nodiscard]] double* wall_memory(std::size_t w, row i) {
    return wall_memory_.data() + (w * now_.size() + i) * traits_.memory;
  }

  settings chosen_;
  law_traits traits_{};
  state now_;
  std::vector<padded_vec> acceleration_;
  std::vector<padded_vec> turning_;  // angular acceleration
  std::vector<vec> jerk_;            // the third derivatives, of a predictor-corrector only
  std::vector<vec> turning_jerk_;    // the same of the rotation
  std::vector<double> mobility_;     // 1 / mass; 0 of bodies that are not free
  std::vector<std::uint8_t> held_;   // whether a body is not free: two such never meet
  std::vector<row> row_of_;          // by id
  vec period_{};                     // 0 on axes that are not periodic
  double line_ = 0;                  // the width of the lines of cells by which rows are sorted
  double smallest_ = 0;              // radius
  double dt_ = 0;
  std::uint64_t steps_ = 0;

  abut::search search_;
  std::uint64_t searches_ = 0;
  bool searched_ = false;  // whether it has seen any bodies
  std::optional<contact_list> near_;
  std::optional<std::vector<row>> moved_;  // where rows have gone since the search's last update
  bool sorted_ = false;                    // whether rows have moved since the list's last update

  // What the pass over rows works on; see take_in.
  const pair_law* law_ = nullptr;
  std::unique_ptr<const pair_law> batches_;  // for laws that are not compiled into the loop over pairs
  std::vector<body_record> record_;
  std::vector<padded_vec> push_;      // by row: the sum of forces so far
  std::vector<turn_record> turn_;     // empty if the law is a formula that turns nothing
  std::vector<std::uint32_t> kinds_;  // materials by row; empty if there is one
  bool spinning_ = false;             // whether any body turns
  bool wide_ = false;                 // use AVX2
  bool alike_ = false;                // all bodies have the same radius and mobility
  bool mid_ = false;                  // velocities are those in mid-step while forces are computed, as LAMMPS has it
  bool ahead_ = false;                // the records are those of the next step, and `now_` is old
  close_pairs close_;
  close_skin skin_{0};
  double skin_used_ = 0;           // of the close pairs
  double near_skin_ = 0;           // of the list, when it was new
  double near_path_ = 0;           // how far two bodies have moved since the list last looked at all, at most
  std::uint64_t near_steps_ = 0;   // the steps since then
  std::uint64_t near_looked_ = 0;  // how many there were before, since the list was new
  double path_ = 0;                // how far two bodies have moved since close pairs were taken, at most
  std::uint64_t path_steps_ = 0;   // the steps since then
  double extent_ = 0;              // the largest coordinate when records were last taken in
  double path_allowed_ = 0;        // as long as no pair can be missed

  std::optional<deforming_box> box_;    // if it deforms
  std::vector<padded_vec> border_;      // by row, of pairs in which it is first: shifts times forces
  std::vector<padded_vec> pair_force_;  // by row: the force of all pairs
  double box_path_ = 0;                 // how much nearer the box has brought bodies since the list was new, at most
  vec box_images_{};                    // by how many periods listed pairs can be apart, at most

  std::vector<double> wall_memory_;  // by wall, row and number
  fault_keeper fault_;
  bool interrupted_ = false;
  std::string why_;

  std::vector<touch_memory> touch_memory_;  // by row, of patches, if the law remembers
  std::optional<near_patches> patches_;     // if there are any
  struct wall_start {
    vec point, normal;
  };
  std::vector<wall_start> wall_start_;    // by wall: where it was
  std::vector<std::uint64_t> wall_made_;  // by wall: a hash of what it was in the settings
  std::vector<wall_pose> poses_;          // by wall
  std::vector<driven_motion> wall_next_;  // by wall: its motion at the end of the step
  double path_to_walls_ = 0;              // how far any body has moved since near patches were found, at most
  std::vector<std::uint8_t> met_wall_;    // by wall and row: whether the law may remember anything
  load_keeper loads_;

  std::vector<clump> clumps_;
  std::vector<clump_parts> parts_;  // by clump
  std::vector<tensor>
      lever_;  // by row: by how much a body of a clump gives way as it turns, see `along`; empty without
  std::vector<std::int32_t> group_;  // by row: a number that the bodies of a clump share; empty without clumps

  std::vector<driven_motion> driven_;  // by drive: at the end of the step
  static constexpr std::uint32_t no_drive = 0xffff'ffffU;
  std::vector<std::uint32_t> drive_of_;  // by id; empty if there are no drives

  // For measures::dissipated, if settings::energies is on.
  std::vector<double> work_;        // of contacts on each body, since the start
  std::vector<double> wall_work_;   // of each body's contacts on walls
  std::vector<double> wall_power_;  // the same per time, now
  double elastic_at_start_ = 0;     // and what bodies that came and went have brought since
  double work_of_gone_ = 0;         // the sums of work_ and wall_work_ over bodies that were removed
  double held_work_of_gone_ = 0;    // that part of the first of them that is of bodies that were not free
  double wall_work_of_gone_ = 0;    // and what pressed planes have gone beside the velocities that bodies saw
  double brought_ = 0;              // measures::brought

  std::vector<pour_state> pouring_;        // by pour
  std::vector<pour_progress> poured_;      // by pour
  std::vector<removal_progress> removed_;  // by removal

  std::optional<kept_state> kept_;
  times spent_;
};

}  // namespace abut::dem
