#pragma once

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// A body as the loop over pairs reads it: one line of the cache. Positions and velocities are those predicted for the
/// end of the step.
struct alignas(64) body_record {
  vec at;
  double radius;
  vec velocity;
  double mobility;  ///< 1 / mass; 0 of bodies that are not free
};

/// What contacts do to a body: the sum so far.
struct alignas(32) push_record {
  vec force;
};

/// How a body turns, for laws that turn bodies.
struct turn_record {
  vec spin;     ///< as predicted for the end of the step
  vec turning;  ///< angular acceleration at its start
  vec torque;   ///< of contacts: the sum so far
};

}  // namespace abut::dem
