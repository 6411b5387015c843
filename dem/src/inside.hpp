#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <abut/contacts.hpp>
#include <abut/dem/simulation.hpp>
#include <abut/search.hpp>

#include "fault.hpp"

namespace abut::dem {

/// A step in this order: predict, find the near pairs, push, sum up and finish. Each is one pass over all rows or all
/// slots, on all threads; no pass writes what another thread of the same pass reads.
class simulation::inside {
 public:
  inside(settings s, const std::vector<body>& bodies);

  void step();
  [[nodiscard]] const state& bodies() const { return now_; }
  [[nodiscard]] row row_of(std::uint32_t id) const;
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] double time_step() const { return dt_; }
  [[nodiscard]] measures measure() const;
  void drive(std::uint32_t id, const vec& velocity, const vec& spin);
  void use_method(std::string_view text);
  [[nodiscard]] std::uint64_t searches() const { return near_->stats().updates; }

 private:
  static constexpr std::size_t batch_size = 128;

  // setup.cpp
  void check_settings() const;
  void check(const body& b, row i) const;
  void add(const body& b, row i);
  void choose_time_step();
  void probe(double mass, double radius, unsigned a, unsigned b, double& longest) const;

  // order.cpp
  [[nodiscard]] std::vector<row> rows_by_place() const;
  void sort_rows();
  void wrap();
  void reorder_contacts(std::span<const row> new_rows);
  void reorder_wall_memory(std::span<const row> old_rows);

  // forces.cpp
  /// How the state stands while forces are computed: velocities are those of the step's end as predicted, accelerations
  /// those of its start, so that `half` a step back there are velocities exact to the second order.
  struct moment {
    double half = 0;  ///< half a time step, 0 at the start
    double step = 0;  ///< a time step, 0 at the start
  };
  struct pair_batch;
  struct wall_batch;
  void find_near();
  void push(const moment& m);
  [[nodiscard]] bool meet(row i, row j, const image_shift& image, const moment& m, contact& c) const;
  [[nodiscard]] bool meet_wall(row i, std::size_t w, const moment& m, contact& c) const;
  void flush(pair_batch& batch);
  void flush(wall_batch& batch);
  void check_stable(const contact& c, row i);
  void sum_pushes(row i);
  void push_walls(row from, row to, const moment& m);

  // motion.cpp
  void predict();
  void predict(row i);
  void sum_and_finish(const moment& m);
  void finish(row i, double half);
  void correct(row i, const vec& a, const vec& turn);
  void check_move(row i);
  void throw_fault() const;

  [[nodiscard]] abut::bodies view() const;
  [[nodiscard]] abut::options search_options() const;
  [[nodiscard]] bool free(row i) const { return now_.moves[i] == motion::free; }
  [[nodiscard]] double* wall_memory(std::size_t w, row i) {
    return wall_memory_.data() + (w * now_.size() + i) * traits_.memory;
  }

  settings chosen_;
  law_traits traits_{};
  state now_;
  std::vector<vec> acceleration_;
  std::vector<vec> turning_;        // angular acceleration
  std::vector<vec> jerk_;           // the third derivatives, of a predictor-corrector only
  std::vector<vec> turning_jerk_;   // the same of the rotation
  std::vector<double> mobility_;    // 1 / mass; 0 of bodies that are not free
  std::vector<std::uint8_t> held_;  // whether a body is not free: two such never meet
  std::vector<row> row_of_;         // by id
  vec period_{};                    // 0 on axes that are not periodic
  double line_ = 0;                 // the width of the lines of cells by which rows are sorted
  double smallest_ = 0;             // radius
  double dt_ = 0;
  std::uint64_t steps_ = 0;

  abut::search search_;
  bool searched_ = false;  // whether it has seen any bodies
  std::optional<contact_list> near_;
  std::optional<std::vector<row>> moved_;  // where rows have gone since the search's last update
  bool sorted_ = false;                    // whether rows have moved since the list's last update

  struct turns_of_slot {
    vec first;
    vec second;
  };
  std::vector<std::uint8_t> pushed_;  // by slot: whether there is a force
  std::vector<vec> force_;            // by slot, on the second body
  std::vector<turns_of_slot> turn_;   // by slot, if the law turns
  std::vector<double> wall_memory_;   // by wall, row and number
  fault_keeper fault_;
};

}  // namespace abut::dem
