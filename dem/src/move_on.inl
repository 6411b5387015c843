// How bodies move on, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline four_in_memory& four_at(vec& v) { return *reinterpret_cast<four_in_memory*>(&v); }
// `turned` (abut/dem/vec.hpp) with the same bits.
[[gnu::always_inline]] inline void turn_by(quaternion& of, const four& turn) {
  const four q = *reinterpret_cast<const four_anywhere*>(&of);
  const four h = turn * 0.5;
  const four a = __builtin_shufflevector(-h, h, 0, 4, 5, 6) * __builtin_shufflevector(q, q, 1, 0, 0, 0);
  const four b = __builtin_shufflevector(-h, h, 1, 5, 6, 4) * __builtin_shufflevector(q, q, 2, 3, 1, 2);
  const four c = __builtin_shufflevector(-h, h, 2, 2, 0, 1) * __builtin_shufflevector(q, q, 3, 2, 3, 1);
  const four r = q + ((a + b) + c);
  const four squares = r * r;
  *reinterpret_cast<four_anywhere*>(&of) = r * shortening(squares[0] + squares[1] + squares[2] + squares[3]);
}

constexpr row rows_ahead = 24;  // records are fetched into the cache this number of rows ahead

[[gnu::always_inline]] inline bool differ(const four& a, const four& b) {
#if ABUT_WIDE_SET
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(a != b)) != 0;
#else
  return a[0] != b[0] || a[1] != b[1] || a[2] != b[2] || a[3] != b[3];
#endif
}

[[gnu::always_inline]] inline vec first_three(const four& v) { return {v[0], v[1], v[2]}; }

// How a body turns, by this torque, whose fourth number is 0; so the fourth of the spin, its mobility, stays. Returns
// its angular velocity at the end of the step.
[[gnu::always_inline]] inline four turn_on(const moving_bodies& m, row i, const four& torque) {
  const double half = 0.5 * m.step;
  turn_record& turn = m.turn[i];
  four w = four_at(turn.spin);
  four t = four_at(m.turning[i]);
  if (m.moves[i] == motion::free) {
    const four next = torque * turn.mobility;
    w += (next - t) * half;
    four_at(m.turning[i]) = t = next;
  }
  turn_by(m.orientation[i], (w + t * half) * m.step);
  four_at(turn.spin) = w + t * m.step;
  return w;
}

[[gnu::noinline]] inline void tell(const moving_bodies& m, row i, const four& velocity) {
  const vec spin = m.turn != nullptr ? m.turn[i].spin - m.turning[i] * m.step : m.spin_now[i];
  m.too_far(m.context, i, first_three(velocity), spin);
}

template <bool Turns>
double move_rows(const moving_bodies& given, row from, row to) {
  constexpr double most_finite = std::numeric_limits<double>::max();
  const moving_bodies m = given;  // in registers: stores could change what is in memory, as compilers see it
  const double step = m.step;
  const double half = 0.5 * step;
  const four gravity{m.gravity.x, m.gravity.y, m.gravity.z, 0};
  const four first_numbers{1, 1, 1, 0};
  const four force_numbers{1, 1, m.flat ? 0.0 : 1.0, 0};  // in 2D whatever a law says
  const four torque_numbers{m.flat ? 0.0 : 1.0, m.flat ? 0.0 : 1.0, 1, 0};
  double most = 0;
  for (row i = from; i < to; ++i) {
    __builtin_prefetch(m.body + i + rows_ahead);
    __builtin_prefetch(m.push + i + rows_ahead);
    __builtin_prefetch(m.acceleration + i + rows_ahead);
    const four force = four_at(m.push[i]) * force_numbers;
    four_at(m.push[i]) = four{};
    four torque{};
    if constexpr (Turns) {
      torque = four_at(m.turn[i].torque) * torque_numbers;
      four_at(m.turn[i].torque) = four{};
    }
    if (m.moves[i] == motion::fixed) continue;
    body_record& b = m.body[i];
    four a = four_at(m.acceleration[i]);
    four v = four_at(b.velocity);
    if (m.moves[i] == motion::free) {
      const four next = force * b.mobility + gravity;
      v += (next - a) * half;
      four_at(m.acceleration[i]) = a = next;
      if (m.force != nullptr) {
        m.force[i] = first_three(force) + m.gravity * m.mass[i];
        m.torque[i] = first_three(torque);
      }
    }
    double turn2 = 0;
    if constexpr (Turns) {
      const four w = turn_on(m, i, torque);
      const four squares = w * w;
      turn2 = squares[0] + squares[1] + squares[2];
    } else if (m.spin != nullptr) {
      m.orientation[i] = turned(m.orientation[i], m.spin[i] * step);
    }
    const four move = (v + a * half) * step * first_numbers;
    const four squares = move * move;
    const double move2 = squares[0] + squares[1] + squares[2];
    if (!(move2 <= m.farthest2 && turn2 <= most_finite)) [[unlikely]]
      tell(m, i, v);
    most = std::max(most, move2);
    four_at(b.at) += move;
    four_at(b.velocity) = v + a * step;  // accelerations have no fourth number, so the mobility stays
  }
  return most;
}

// The same for rows on which no force acts but gravity, and did not in the step before.
inline double glide(const moving_bodies& m, row from, row to) {
  const double step = m.step;
  const four gravity{m.gravity.x, m.gravity.y, m.gravity.z, 0};
  const four first_numbers{1, 1, 1, 0};
  const four faster = gravity * (0.5 * step);
  const bool falls = m.gravity != vec{};
  double most = 0;
  for (row i = from; i < to; ++i) {
    body_record& b = m.body[i];
    __builtin_prefetch(m.body + i + rows_ahead);
    const four v = four_at(b.velocity);
    const four move = (v + faster) * step * first_numbers;
    const four squares = move * move;
    const double move2 = squares[0] + squares[1] + squares[2];
    if (!(move2 <= m.farthest2)) [[unlikely]]
      tell(m, i, v);
    most = std::max(most, move2);
    four_at(b.at) += move;
    if (falls) four_at(b.velocity) = v + gravity * step;
  }
  return most;
}

inline bool rest(const moving_bodies& m, row from, row to) {
  for (row i = from; i < to; ++i) {
    if (m.moves[i] != motion::free || differ(four_at(m.push[i]), four{})) return false;
  }
  return true;
}

inline double move_marked(const moving_bodies& m, row from, row to, std::uint8_t* marks) {
  constexpr row at_once = close_part::rows_per_mark;
  double most = 0;
  for (row i = from; i < to; i += at_once, ++marks) {
    const row until = std::min(i + at_once, to);
    if (*marks == 0) {
      most = std::max(most, glide(m, i, until));
      continue;
    }
    *marks = rest(m, i, until) ? 0 : 1;
    most = std::max(most, move_rows<false>(m, i, until));
  }
  return most;
}

}  // namespace abut::dem::ABUT_SET
