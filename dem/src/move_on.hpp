#pragma once

#include <cstdint>

#include <abut/dem/state.hpp>
#include <abut/error.hpp>

#include "close_pairs.hpp"
#include "records.hpp"

namespace abut::dem {

/// What the loop that moves bodies on reads and writes, by row.
struct moving_bodies {
  body_record* body;
  padded_vec* push;
  padded_vec* acceleration;
  padded_vec* turning;
  turn_record* turn;  ///< null if bodies are not turned
  vec* spin;          ///< of bodies that are not turned; null if none of them spins
  vec* spin_now;      ///< the same, in any case
  quaternion* orientation;
  const motion* moves;
  const double* mass;
  vec* force;   ///< of the step that ends; null if nobody wants to know
  vec* torque;  ///< the same
  vec gravity;
  double step;
  double farthest2;  ///< the square of how far a body may move
  bool flat;         ///< in 2D

  /// Called for a body that moves farther, or whose numbers are none.
  void (*too_far)(void* context, row i, const vec& velocity, const vec& spin);
  void* context;
  bool wide;  ///< use AVX2
  bool mid;   ///< velocities are those of mid-steps; else, those predicted for the ends of steps
};

/// The end of a step and the start of the next one, for velocity Verlet: takes the sums of forces and torques, which
/// are 0 again, corrects velocities, and moves bodies to where they are at the end of the next step. Returns the square
/// of the farthest move. If the part has marks, rows without one glide, those with one lose it if no force acts on
/// them, and rows that wait stay where they are.
double move_on(const moving_bodies& m, close_part& part, row from, row to);

/// Moves the rows that have waited to where they would be now.
void catch_up(const moving_bodies& m, close_part& part);

}  // namespace abut::dem
