// How bodies move on, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

// `turned` (abut/dem/vec.hpp) with the same bits.
[[gnu::always_inline]] inline void turn_by(quaternion& of, const four& turn) {
  if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0) return;
  const four q = four_of(&of.w);
  const four h = turn * 0.5;
  const four a = shuffled<0, 4, 5, 6>(-h, h) * shuffled<1, 0, 0, 0>(q, q);
  const four b = shuffled<1, 5, 6, 4>(-h, h) * shuffled<2, 3, 1, 2>(q, q);
  const four c = shuffled<2, 2, 0, 1>(-h, h) * shuffled<3, 2, 3, 1>(q, q);
  const four r = q + ((a + b) + c);
  const four squares = r * r;
  put(&of.w, r * shortening(squares[0] + squares[1] + squares[2] + squares[3]));
}

// The same for four bodies.
[[gnu::always_inline]] inline void turn_four_by(quaternion* of, const four* turn) {
  const turned_over q = turn_over(four_of(&of[0].w), four_of(&of[1].w), four_of(&of[2].w), four_of(&of[3].w));
  const turned_over h = turn_over(turn[0] * 0.5, turn[1] * 0.5, turn[2] * 0.5, turn[3] * 0.5);
  // The numbers of a quaternion are w, x, y, z, here named x, y, z, w.
  const four rw = q.x - ((h.x * q.y + h.y * q.z) + h.z * q.w);
  const four rx = q.y + ((h.x * q.x + h.y * q.w) - h.z * q.z);
  const four ry = q.z + ((h.y * q.x + h.z * q.y) - h.x * q.w);
  const four rz = q.w + ((h.z * q.x + h.x * q.z) - h.y * q.y);
  const four square = rw * rw + rx * rx + ry * ry + rz * rz;
  const four more = square - 1;
  four shorter = 1 - more * (0.5 - more * (0.375 - more * 0.3125));
  if (bits_of(more * more < 9e-9) != 15) [[unlikely]]
    shorter = four{shortening(square[0]), shortening(square[1]), shortening(square[2]), shortening(square[3])};
  four_bits rests = h.x == 0;
  rests &= h.y == 0;
  rests &= h.z == 0;
  const turned_over r = turn_over(pick(rests, q.x, rw * shorter), pick(rests, q.y, rx * shorter),
                                  pick(rests, q.z, ry * shorter), pick(rests, q.w, rz * shorter));
  put(&of[0].w, r.x);
  put(&of[1].w, r.y);
  put(&of[2].w, r.z);
  put(&of[3].w, r.w);
}

constexpr row rows_ahead = 24;  // records are fetched into the cache this number of rows ahead

// Moves bodies. `Mid` is moving_bodies::mid.
template <bool Turns, bool Mid>
class mover {
 public:
  explicit mover(const moving_bodies& m)
      : m_(m),
        half_(0.5 * m.step),
        ahead_(Mid ? half_ : m.step),
        gravity_{m.gravity.x, m.gravity.y, m.gravity.z, 0},
        force_numbers_{1, 1, m.flat ? 0.0 : 1.0, 0},
        torque_numbers_{m.flat ? 0.0 : 1.0, m.flat ? 0.0 : 1.0, 1, 0},
        falls_(m.gravity != vec{}) {}

  // Fetches into the cache what will be needed of four rows.
  [[gnu::always_inline]] void fetch_four(row i) const {
    const std::size_t ahead = std::size_t{i} + rows_ahead;
    for (int n = 0; n < 4; ++n) __builtin_prefetch(m_.body + ahead + n);
    for (int n = 0; n < 4; n += 2) {  // two are in one line of the cache
      __builtin_prefetch(m_.push + ahead + n);
      __builtin_prefetch(m_.acceleration + ahead + n);
    }
  }

  // Returns the square of its move.
  [[nodiscard, gnu::always_inline]] double move(row i) const {
    const double step = m_.step;
    const four force = four_of(m_.push[i]) * force_numbers_;
    put(m_.push[i], four{});
    four torque{};
    if constexpr (Turns) {
      torque = four_of(m_.turn[i].torque) * torque_numbers_;
      put(m_.turn[i].torque, four{});
    }
    if (m_.moves[i] == motion::fixed) return 0;
    body_record& b = m_.body[i];
    four a = four_of(m_.acceleration[i]);
    four v = four_of(b.velocity);
    if (m_.moves[i] == motion::free) {
      const four next = force * b.mobility + gravity_;
      v += change(a, next) * half_;
      a = next;
      put(m_.acceleration[i], a);
      if (m_.force != nullptr) {
        m_.force[i] = first_three(force) + m_.gravity * m_.mass[i];
        m_.torque[i] = first_three(torque);
      }
    }
    double turn2 = 0;
    if constexpr (Turns) {
      turn2 = square_of(turn_on(i, torque));
    } else if (m_.spin != nullptr) {
      m_.orientation[i] = turned(m_.orientation[i], m_.spin[i] * step);
    }
    const double move2 = move_by(b, (v + a * half_) * step, i, v, turn2);
    put(b.velocity, v + a * ahead_);  // accelerations have no fourth number, so the mobility stays
    return move2;
  }

  // Whether four rows can be moved by `move_four`: all are free, and nobody wants to know forces.
  [[nodiscard, gnu::always_inline]] bool can_move_four(row i) const {
    static_assert(sizeof(motion) == 1 && static_cast<int>(motion::free) == 0);
    std::uint32_t kinds = 0;
    std::memcpy(&kinds, m_.moves + i, sizeof(kinds));
    return kinds == 0 && m_.force == nullptr && (Turns || m_.spin == nullptr);
  }

  // The same as `move` for each of four rows. Returns the squares of their moves.
  [[nodiscard, gnu::always_inline]] four move_four(row i) const {
    const double step = m_.step;
    body_record* const body = m_.body + i;
    padded_vec* const push = m_.push + i;
    padded_vec* const acceleration = m_.acceleration + i;
    four velocity[4];
    four squares[4];
    for (int n = 0; n < 4; ++n) {
      const four a = four_of(push[n]) * force_numbers_ * body[n].mobility + gravity_;
      put(push[n], four{});
      const four v = four_of(body[n].velocity) + change(four_of(acceleration[n]), a) * half_;
      put(acceleration[n], a);
      const four move = (v + a * half_) * step * move_numbers_;
      add_to(body[n].at, move);
      put(body[n].velocity, v + a * ahead_);
      velocity[n] = v;
      squares[n] = move * move;
    }
    four spin[4];
    four spin2{};
    if constexpr (Turns) {
      turn_record* const turn = m_.turn + i;
      padded_vec* const turning = m_.turning + i;
      four turns[4];
      for (int n = 0; n < 4; ++n) {
        const four t = four_of(turn[n].torque) * torque_numbers_ * turn[n].mobility;
        put(turn[n].torque, four{});
        const four w = four_of(turn[n].spin) + change(four_of(turning[n]), t) * half_;
        put(turning[n], t);
        turns[n] = (w + t * half_) * step;
        put(turn[n].spin, w + t * ahead_);
        spin[n] = w;
        spin2 = spin2 + w * w;
      }
      turn_four_by(m_.orientation + i, turns);
    }
    const turned_over by_axis = turn_over(squares[0], squares[1], squares[2], squares[3]);
    const four move2 = by_axis.x + by_axis.y + by_axis.z;
    if ((bits_of(move2 <= m_.farthest2) & bits_of(spin2 <= most_finite)) != 15) [[unlikely]] {
      for (int n = 0; n < 4; ++n) check(i + static_cast<row>(n), move2[n], velocity[n], Turns ? square_of(spin[n]) : 0);
    }
    return move2;
  }

  // The same for a row on which no force acts but gravity, and did not in the step before.
  [[nodiscard, gnu::always_inline]] double glide(row i) const {
    const double step = m_.step;
    body_record& b = m_.body[i];
    four v = four_of(b.velocity);
    if constexpr (Mid) v += gravity_ * half_;
    const double move2 = move_by(b, (v + gravity_ * half_) * step, i, v, 0);
    if (falls_) put(b.velocity, v + gravity_ * ahead_);
    return move2;
  }

  // Whether a body on which a force may act is free, and none does.
  [[nodiscard, gnu::always_inline]] bool rests(row i) const {
    return m_.moves[i] == motion::free && !any(four_of(m_.push[i]) != four{});
  }

 private:
  static constexpr double most_finite = std::numeric_limits<double>::max();

  [[nodiscard, gnu::always_inline]] static double square_of(const four& v) {
    const four squares = v * v;
    return squares[0] + squares[1] + squares[2];
  }
  [[gnu::always_inline]] void check(row i, double move2, const four& v, double turn2) const {
    if (!(move2 <= m_.farthest2 && turn2 <= most_finite)) [[unlikely]]
      tell(i, v);
  }
  [[gnu::noinline]] void tell(row i, const four& velocity) const {
    const vec spin = m_.turn != nullptr ? m_.turn[i].spin - m_.turning[i] * ahead_ : m_.spin_now[i];
    m_.too_far(m_.context, i, first_three(velocity), spin);
  }

  // What half a step of which changes a velocity to that of the step's end, if an acceleration was `before`.
  [[nodiscard, gnu::always_inline]] static four change(const four& before, const four& now) {
    return Mid ? now : now - before;
  }

  // How a body turns, by this torque, whose fourth number is 0; so the fourth of the spin, its mobility, stays. Returns
  // its angular velocity at the end of the step.
  [[nodiscard, gnu::always_inline]] four turn_on(row i, const four& torque) const {
    turn_record& turn = m_.turn[i];
    four w = four_of(turn.spin);
    four t = four_of(m_.turning[i]);
    if (m_.moves[i] == motion::free) {
      const four next = torque * turn.mobility;
      w += change(t, next) * half_;
      t = next;
      put(m_.turning[i], t);
    }
    turn_by(m_.orientation[i], (w + t * half_) * m_.step);
    put(turn.spin, w + t * ahead_);
    return w;
  }

  [[gnu::always_inline]] double move_by(body_record& b, const four& by, row i, const four& v, double turn2) const {
    const four move = by * move_numbers_;
    const double move2 = square_of(move);
    check(i, move2, v, turn2);
    add_to(b.at, move);
    return move2;
  }

  moving_bodies m_;  // a copy, in registers: stores could change what is in memory, as compilers see it
  double half_;      // of the step
  double ahead_;     // how far velocities are ahead of a step's end
  four gravity_;
  four move_numbers_{1, 1, 1, 0};
  four force_numbers_;  // in 2D, some are 0 whatever a law says
  four torque_numbers_;
  bool falls_;
};

template <bool Turns, bool Mid>
double move_rows(const moving_bodies& m, row from, row to) {
  const mover<Turns, Mid> one(m);
  double most = 0;
  four most_of_four{};
  row i = from;
  for (; i + 4 <= to; i += 4) {
    one.fetch_four(i);
    if (!one.can_move_four(i)) {
      for (row n = 0; n < 4; ++n) most = std::max(most, one.move(i + n));
      continue;
    }
    const four move2 = one.move_four(i);
    most_of_four = pick(move2 > most_of_four, move2, most_of_four);
  }
  for (; i < to; ++i) most = std::max(most, one.move(i));
  return std::max({most, most_of_four[0], most_of_four[1], most_of_four[2], most_of_four[3]});
}

// Rows that are marked, and those that glide. `row_at(k)` is the k-th of them.
template <bool Mid, class RowAt>
[[gnu::always_inline]] inline double move_marked(const moving_bodies& m, std::size_t count, RowAt row_at,
                                                 close_part& part) {
  const mover<false, Mid> one(m);
  double most = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const row i = row_at(k);
    __builtin_prefetch(m.body + row_at(std::min(k + rows_ahead, count - 1)));
    std::uint8_t& mark = part.mark[i - part.from];
    if (mark == 0) {
      most = std::max(most, one.glide(i));
      continue;
    }
    mark = one.rests(i) ? 0 : 1;
    most = std::max(most, one.move(i));
  }
  return most;
}

// The rows of a block: those that do not wait, if some do.
template <bool Mid>
double move_block(const moving_bodies& m, close_part& part, row from, row to) {
  if (part.some_wait) {
    const std::span<const row> awake = awake_of(part, from);
    return move_marked<Mid>(
        m, awake.size(), [&](std::size_t k) { return awake[k]; }, part);
  }
  if (part.marks) {
    return move_marked<Mid>(
        m, to - from, [from](std::size_t k) { return static_cast<row>(from + k); }, part);
  }
  return m.turn != nullptr ? move_rows<true, Mid>(m, from, to) : move_rows<false, Mid>(m, from, to);
}
inline double move_on(const moving_bodies& m, close_part& part, row from, row to) {
  return m.mid ? move_block<true>(m, part, from, to) : move_block<false>(m, part, from, to);
}

// Rows that have waited for some steps. Adding up moves one by one gives the same bits.
inline void catch_up(const moving_bodies& m, std::span<const row> waiting, std::uint64_t steps) {
  const four first_numbers{1, 1, 1, 0};
  const four nothing{};
  for (std::size_t k = 0; k < waiting.size(); ++k) {
    __builtin_prefetch(m.body + waiting[std::min<std::size_t>(k + rows_ahead, waiting.size() - 1)]);
    body_record& b = m.body[waiting[k]];
    const four move = (four_of(b.velocity) + nothing) * m.step * first_numbers;
    four at = four_of(b.at);
    for (std::uint64_t n = 0; n < steps; ++n) at += move;
    put(b.at, at);
  }
}

}  // namespace abut::dem::ABUT_SET
