// How bodies move on, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

// `turned` (abut/dem/vec.hpp) with the same bits.
[[gnu::always_inline]] inline void turn_by(quaternion& of, const four& turn) {
  const four q = four_of(&of.w);
  const four h = turn * 0.5;
  const four a = shuffled<0, 4, 5, 6>(-h, h) * shuffled<1, 0, 0, 0>(q, q);
  const four b = shuffled<1, 5, 6, 4>(-h, h) * shuffled<2, 3, 1, 2>(q, q);
  const four c = shuffled<2, 2, 0, 1>(-h, h) * shuffled<3, 2, 3, 1>(q, q);
  const four r = q + ((a + b) + c);
  const four squares = r * r;
  put(&of.w, r * shortening(squares[0] + squares[1] + squares[2] + squares[3]));
}

constexpr row rows_ahead = 24;  // records are fetched into the cache this number of rows ahead

// How a body turns, by this torque, whose fourth number is 0; so the fourth of the spin, its mobility, stays. Returns
// its angular velocity at the end of the step.
[[gnu::always_inline]] inline four turn_on(const moving_bodies& m, row i, const four& torque) {
  const double half = 0.5 * m.step;
  turn_record& turn = m.turn[i];
  four w = four_of(turn.spin);
  four t = four_of(m.turning[i]);
  if (m.moves[i] == motion::free) {
    const four next = torque * turn.mobility;
    w += (next - t) * half;
    t = next;
    put(m.turning[i], t);
  }
  turn_by(m.orientation[i], (w + t * half) * m.step);
  put(turn.spin, w + t * m.step);
  return w;
}

[[gnu::noinline]] inline void tell(const moving_bodies& m, row i, const four& velocity) {
  const vec spin = m.turn != nullptr ? m.turn[i].spin - m.turning[i] * m.step : m.spin_now[i];
  m.too_far(m.context, i, first_three(velocity), spin);
}

// Moves bodies, one at a time.
template <bool Turns>
class mover {
 public:
  explicit mover(const moving_bodies& m)
      : m_(m),
        gravity_{m.gravity.x, m.gravity.y, m.gravity.z, 0},
        force_numbers_{1, 1, m.flat ? 0.0 : 1.0, 0},
        torque_numbers_{m.flat ? 0.0 : 1.0, m.flat ? 0.0 : 1.0, 1, 0},
        falls_(m.gravity != vec{}) {}

  // Fetches into the cache what is known of a row.
  [[gnu::always_inline]] void fetch(row i) const {
    __builtin_prefetch(m_.body + i);
    __builtin_prefetch(m_.push + i);
    __builtin_prefetch(m_.acceleration + i);
  }

  // Returns the square of its move.
  [[nodiscard, gnu::always_inline]] double move(row i) const {
    const double step = m_.step;
    const double half = 0.5 * step;
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
      v += (next - a) * half;
      a = next;
      put(m_.acceleration[i], a);
      if (m_.force != nullptr) {
        m_.force[i] = first_three(force) + m_.gravity * m_.mass[i];
        m_.torque[i] = first_three(torque);
      }
    }
    double turn2 = 0;
    if constexpr (Turns) {
      const four w = turn_on(m_, i, torque);
      const four squares = w * w;
      turn2 = squares[0] + squares[1] + squares[2];
    } else if (m_.spin != nullptr) {
      m_.orientation[i] = turned(m_.orientation[i], m_.spin[i] * step);
    }
    const double move2 = move_by(b, (v + a * half) * step, i, v, turn2);
    put(b.velocity, v + a * step);  // accelerations have no fourth number, so the mobility stays
    return move2;
  }

  // The same for a row on which no force acts but gravity, and did not in the step before.
  [[nodiscard, gnu::always_inline]] double glide(row i) const {
    const double step = m_.step;
    body_record& b = m_.body[i];
    const four v = four_of(b.velocity);
    const double move2 = move_by(b, (v + gravity_ * (0.5 * step)) * step, i, v, 0);
    if (falls_) put(b.velocity, v + gravity_ * step);
    return move2;
  }

  // Whether a body on which a force may act is free, and none does.
  [[nodiscard, gnu::always_inline]] bool rests(row i) const {
    return m_.moves[i] == motion::free && !any(four_of(m_.push[i]) != four{});
  }

 private:
  [[gnu::always_inline]] double move_by(body_record& b, const four& by, row i, const four& v, double turn2) const {
    constexpr double most_finite = std::numeric_limits<double>::max();
    const four move = by * four{1, 1, 1, 0};
    const four squares = move * move;
    const double move2 = squares[0] + squares[1] + squares[2];
    if (!(move2 <= m_.farthest2 && turn2 <= most_finite)) [[unlikely]]
      tell(m_, i, v);
    add_to(b.at, move);
    return move2;
  }

  moving_bodies m_;  // a copy, in registers: stores could change what is in memory, as compilers see it
  four gravity_;
  four force_numbers_;  // in 2D, some are 0 whatever a law says
  four torque_numbers_;
  bool falls_;
};

template <bool Turns>
double move_rows(const moving_bodies& m, row from, row to) {
  const mover<Turns> one(m);
  double most = 0;
  for (row i = from; i < to; ++i) {
    one.fetch(i + rows_ahead);
    most = std::max(most, one.move(i));
  }
  return most;
}

// Rows that are marked, and those that glide. `row_at(k)` is the k-th of them.
template <class RowAt>
[[gnu::always_inline]] inline double move_marked(const moving_bodies& m, std::size_t count, RowAt row_at,
                                                 close_part& part) {
  const mover<false> one(m);
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

inline double move_marked(const moving_bodies& m, row from, row to, close_part& part) {
  return move_marked(m, to - from, [from](std::size_t k) { return static_cast<row>(from + k); }, part);
}
inline double move_awake(const moving_bodies& m, std::span<const row> awake, close_part& part) {
  return move_marked(m, awake.size(), [&](std::size_t k) { return awake[k]; }, part);
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
