#pragma once

// Four numbers at once, for the loops that are compiled once per set of vector instructions: see vector_sets.hpp.

#include <cmath>
#include <limits>

#include "records.hpp"
#include "vector_sets.hpp"

namespace abut::dem {

/// What vectors of two numbers can hold, as most processors have them.
using two = double __attribute__((vector_size(16)));
/// What a comparison of such gives: all bits set where it is true.
using two_bits = decltype(two{} < two{});
/// The same in memory of any alignment.
using two_anywhere = double __attribute__((vector_size(16), may_alias, aligned(8)));

/// What a comparison of four numbers gives.
struct twice_two_bits {
  two_bits low{};
  two_bits high{};

  [[gnu::always_inline]] auto operator[](int n) const { return n < 2 ? low[n] : high[n - 2]; }
  [[gnu::always_inline]] twice_two_bits& operator&=(const twice_two_bits& b) {
    low &= b.low;
    high &= b.high;
    return *this;
  }
};

/// Four numbers in two vectors of two, for processors without longer ones. Left to themselves, compilers take vectors
/// of four apart through memory there.
struct twice_two {
  two low{};
  two high{};

  twice_two() = default;
  [[gnu::always_inline]] twice_two(const two& l, const two& h) : low(l), high(h) {}
  [[gnu::always_inline]] twice_two(double a, double b, double c, double d) : low{a, b}, high{c, d} {}

  [[gnu::always_inline]] double operator[](int n) const { return n < 2 ? low[n] : high[n - 2]; }
  [[gnu::always_inline]] twice_two operator-() const { return {-low, -high}; }
  [[gnu::always_inline]] twice_two& operator+=(const twice_two& b) { return *this = *this + b; }

#define ABUT_BOTH(op)                                                                           \
  [[gnu::always_inline]] friend twice_two operator op(const twice_two& a, const twice_two& b) { \
    return {a.low op b.low, a.high op b.high};                                                  \
  }                                                                                             \
  [[gnu::always_inline]] friend twice_two operator op(const twice_two& a, double b) {           \
    return {a.low op b, a.high op b};                                                           \
  }                                                                                             \
  [[gnu::always_inline]] friend twice_two operator op(double a, const twice_two& b) {           \
    return {a op b.low, a op b.high};                                                           \
  }
  ABUT_BOTH(+)
  ABUT_BOTH(-)
  ABUT_BOTH(*)
  ABUT_BOTH(/)
#undef ABUT_BOTH
#define ABUT_BOTH(op)                                                                                \
  [[gnu::always_inline]] friend twice_two_bits operator op(const twice_two& a, const twice_two& b) { \
    return {a.low op b.low, a.high op b.high};                                                       \
  }                                                                                                  \
  [[gnu::always_inline]] friend twice_two_bits operator op(const twice_two& a, double b) {           \
    return {a.low op b, a.high op b};                                                                \
  }
  ABUT_BOTH(<)
  ABUT_BOTH(<=)
  ABUT_BOTH(>)
  ABUT_BOTH(>=)
  ABUT_BOTH(==)
  ABUT_BOTH(!=)
#undef ABUT_BOTH
};

}  // namespace abut::dem

#define ABUT_SET plain
#define ABUT_WIDE_SET 0
#include "fours.inl"
#undef ABUT_SET
#undef ABUT_WIDE_SET

#if ABUT_TWO_SETS
ABUT_WIDE_BEGIN
#define ABUT_SET wide
#define ABUT_WIDE_SET 1
#include "fours.inl"
#undef ABUT_SET
#undef ABUT_WIDE_SET
ABUT_WIDE_END
#endif
