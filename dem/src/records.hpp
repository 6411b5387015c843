#pragma once

#include <abut/dem/vec.hpp>

namespace abut::dem {

/// A vector that starts at a multiple of 32 bytes, so that it can be read and written as four numbers at once.
struct alignas(32) padded_vec : vec {
  padded_vec() = default;
  padded_vec(const vec& v) : vec(v) {}
  padded_vec& operator=(const vec& v) {
    vec::operator=(v);
    return *this;
  }
  double unused = 0;
};

/// A body as the loop over pairs reads it: one line of the cache. Positions and velocities are those predicted for the
/// end of the step.
struct alignas(64) body_record {
  vec at;
  double radius;
  vec velocity;
  double mobility;  ///< 1 / mass; 0 of bodies that are not free
};

/// How a body turns, for laws that turn bodies: one line of the cache, too.
struct alignas(64) turn_record {
  vec spin;           ///< as predicted for the end of the step
  double mobility;    ///< 1 / moment of inertia
  padded_vec torque;  ///< of contacts: the sum so far
};

/// Four numbers in memory, to be read and written at once.
struct alignas(32) quadruple {
  double of[4];
};

}  // namespace abut::dem
