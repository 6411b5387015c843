#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <abut/dem/vec.hpp>
#include <abut/error.hpp>

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

/// Where a row's records are: eight times the row. Processors multiply an offset by up to 8 when they make an address,
/// so that of a record of 64 or 32 bytes takes no further instruction.
enum class record_offset : std::uint32_t {};
constexpr row most_rows = row{1} << 29;  ///< that offsets can tell apart

[[nodiscard]] constexpr record_offset offset_of(row i) { return record_offset{8 * i}; }
[[nodiscard]] constexpr row row_at(record_offset at) { return static_cast<std::uint32_t>(at) / 8; }
static_assert(row_at(offset_of(most_rows - 1)) == most_rows - 1);

/// A row's record, of those that begin at `first`.
template <class Record>
[[nodiscard, gnu::always_inline]] inline Record& record_at(Record* first, record_offset at) {
  constexpr std::size_t scale = sizeof(Record) / 8;
  static_assert(scale == 8 || scale == 4);
  using byte = std::conditional_t<std::is_const_v<Record>, const std::byte, std::byte>;
  return *reinterpret_cast<Record*>(reinterpret_cast<byte*>(first) + static_cast<std::size_t>(at) * scale);
}

/// The same pointer, of which compilers do not know what was read through it before. They read offsets again then,
/// which takes less than keeping eight of them: there are not enough registers.
template <class T>
[[nodiscard, gnu::always_inline]] inline const T& read_again(const T& from) {
  const T* at = &from;
  asm("" : "+r"(at));
  return *at;
}

/// Four numbers in memory, to be read and written at once.
struct alignas(32) quadruple {
  double of[4];
};

}  // namespace abut::dem
