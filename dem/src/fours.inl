// Four numbers at once, once per set of vector instructions: see vector_sets.hpp. Bits are the same in all sets.

namespace abut::dem::ABUT_SET {

#if ABUT_WIDE_SET || defined(__AVX2__)

/// A point with its radius, a velocity with the mobility, a padded vector, or a number of each of four contacts.
using four = double __attribute__((vector_size(32)));
/// What a comparison of such gives: all bits set where it is true.
using four_bits = decltype(four{} < four{});

using four_anywhere = double __attribute__((vector_size(32), may_alias, aligned(8)));
using four_in_memory = double __attribute__((vector_size(32), may_alias));

[[gnu::always_inline]] inline four four_of(const vec& padded) {
  return *reinterpret_cast<const four_in_memory*>(&padded);
}
[[gnu::always_inline]] inline void put(vec& padded, const four& v) { *reinterpret_cast<four_in_memory*>(&padded) = v; }
[[gnu::always_inline]] inline four four_of(const double* from) { return *reinterpret_cast<const four_anywhere*>(from); }
[[gnu::always_inline]] inline void put(double* to, const four& v) { *reinterpret_cast<four_anywhere*>(to) = v; }

[[gnu::always_inline]] inline four root(const four& x) { return _mm256_sqrt_pd(x); }
[[gnu::always_inline]] inline unsigned bits_of(const four_bits& mask) {
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
}

// `a` where the mask is set, `b` elsewhere.
[[gnu::always_inline]] inline four pick(const four_bits& mask, const four& a, const four& b) {
  return reinterpret_cast<four>((reinterpret_cast<four_bits>(a) & mask) | (reinterpret_cast<four_bits>(b) & ~mask));
}

// With the opposite of the fourth number.
[[gnu::always_inline]] inline four last_negated(const four& v) {
  return reinterpret_cast<four>(reinterpret_cast<four_bits>(v) ^ four_bits{0, 0, 0, std::numeric_limits<long>::min()});
}

// Of the eight numbers of both, those with these places.
template <int A, int B, int C, int D>
[[gnu::always_inline]] inline four shuffled(const four& a, const four& b) {
  return __builtin_shufflevector(a, b, A, B, C, D);
}

#else

using four = twice_two;
using four_bits = twice_two_bits;

[[gnu::always_inline]] inline four four_of(const double* from) {
  return {*reinterpret_cast<const two_anywhere*>(from), *reinterpret_cast<const two_anywhere*>(from + 2)};
}
[[gnu::always_inline]] inline void put(double* to, const four& v) {
  *reinterpret_cast<two_anywhere*>(to) = v.low;
  *reinterpret_cast<two_anywhere*>(to + 2) = v.high;
}
[[gnu::always_inline]] inline four four_of(const vec& padded) { return four_of(&padded.x); }
[[gnu::always_inline]] inline void put(vec& padded, const four& v) { put(&padded.x, v); }

#if defined(__SSE2__)
[[gnu::always_inline]] inline four root(const four& x) { return {_mm_sqrt_pd(x.low), _mm_sqrt_pd(x.high)}; }
[[gnu::always_inline]] inline unsigned bits_of(const four_bits& mask) {
  const int low = _mm_movemask_pd(reinterpret_cast<__m128d>(mask.low));
  const int high = _mm_movemask_pd(reinterpret_cast<__m128d>(mask.high));
  return static_cast<unsigned>(low | high << 2);
}
#else
[[gnu::always_inline]] inline four root(const four& x) {
  return {std::sqrt(x.low[0]), std::sqrt(x.low[1]), std::sqrt(x.high[0]), std::sqrt(x.high[1])};
}
[[gnu::always_inline]] inline unsigned bits_of(const four_bits& mask) {
  return static_cast<unsigned>((mask.low[0] & 1) | (mask.low[1] & 2) | (mask.high[0] & 4) | (mask.high[1] & 8));
}
#endif

[[gnu::always_inline]] inline two pick(const two_bits& mask, const two& a, const two& b) {
  return reinterpret_cast<two>((reinterpret_cast<two_bits>(a) & mask) | (reinterpret_cast<two_bits>(b) & ~mask));
}
// `a` where the mask is set, `b` elsewhere.
[[gnu::always_inline]] inline four pick(const four_bits& mask, const four& a, const four& b) {
  return {pick(mask.low, a.low, b.low), pick(mask.high, a.high, b.high)};
}

// With the opposite of the fourth number.
[[gnu::always_inline]] inline four last_negated(const four& v) {
  return {v.low,
          reinterpret_cast<two>(reinterpret_cast<two_bits>(v.high) ^ two_bits{0, std::numeric_limits<long>::min()})};
}

template <int N>
[[gnu::always_inline]] inline const two& half_with(const four& a, const four& b) {
  if constexpr (N < 2)
    return a.low;
  else if constexpr (N < 4)
    return a.high;
  else if constexpr (N < 6)
    return b.low;
  else
    return b.high;
}
// Of the eight numbers of both, those with these places.
template <int A, int B, int C, int D>
[[gnu::always_inline]] inline four shuffled(const four& a, const four& b) {
  return {__builtin_shufflevector(half_with<A>(a, b), half_with<B>(a, b), A % 2, 2 + B % 2),
          __builtin_shufflevector(half_with<C>(a, b), half_with<D>(a, b), C % 2, 2 + D % 2)};
}

#endif

[[gnu::always_inline]] inline bool any(const four_bits& mask) { return bits_of(mask) != 0; }

[[gnu::always_inline]] inline void add_to(vec& padded, const four& v) { put(padded, four_of(padded) + v); }
[[gnu::always_inline]] inline void take_from(vec& padded, const four& v) { put(padded, four_of(padded) - v); }

[[gnu::always_inline]] inline vec first_three(const four& v) { return {v[0], v[1], v[2]}; }

// Rows and columns of four quadruples exchanged.
struct turned_over {
  four x, y, z, w;
};
[[gnu::always_inline]] inline turned_over turn_over(const four& a, const four& b, const four& c, const four& d) {
  const four xz = shuffled<0, 4, 2, 6>(a, b);
  const four yw = shuffled<1, 5, 3, 7>(a, b);
  const four xz2 = shuffled<0, 4, 2, 6>(c, d);
  const four yw2 = shuffled<1, 5, 3, 7>(c, d);
  return {shuffled<0, 1, 4, 5>(xz, xz2), shuffled<0, 1, 4, 5>(yw, yw2), shuffled<2, 3, 6, 7>(xz, xz2),
          shuffled<2, 3, 6, 7>(yw, yw2)};
}

}  // namespace abut::dem::ABUT_SET
