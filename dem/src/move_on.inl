// How bodies move on, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline four_in_memory& four_at(vec& v) { return *reinterpret_cast<four_in_memory*>(&v); }
[[gnu::always_inline]] inline vec first_three(const four& v) { return {v[0], v[1], v[2]}; }

// How a body turns. Returns its angular velocity at the end of the step.
[[gnu::always_inline]] inline vec turn_on(const moving_bodies& m, row i, const vec& torque) {
  const double half = 0.5 * m.step;
  turn_record& turn = m.turn[i];
  vec w = turn.spin;
  vec t = turn.turning;
  if (m.moves[i] == motion::free) {
    const vec next = torque * (1 / m.inertia[i]);
    w += (next - t) * half;
    turn.turning = t = next;
  }
  m.orientation[i] = turned(m.orientation[i], (w + t * half) * m.step);
  turn.spin = w + t * m.step;
  return w;
}

[[gnu::noinline]] inline void tell(const moving_bodies& m, row i, const four& velocity) {
  const vec spin = m.turn != nullptr ? m.turn[i].spin - m.turn[i].turning * m.step : m.spin_now[i];
  m.too_far(m.context, i, first_three(velocity), spin);
}

template <bool Turns>
double move_rows(const moving_bodies& given, row from, row to) {
  constexpr double most_finite = std::numeric_limits<double>::max();
  const moving_bodies m = given;  // in registers: stores could change what is in memory, as compilers see it
  const double step = m.step;
  const double half = 0.5 * step;
  const four gravity{m.gravity.x, m.gravity.y, m.gravity.z, 0};
  double most = 0;
  for (row i = from; i < to; ++i) {
    four force = four_at(m.push[i]);
    four_at(m.push[i]) = four{};
    vec torque{};
    if constexpr (Turns) {
      torque = m.turn[i].torque;
      m.turn[i].torque = vec{};
    }
    if (m.flat) {  // whatever a law says
      force[2] = 0;
      torque.x = torque.y = 0;
    }
    if (m.moves[i] == motion::fixed) continue;
    body_record& b = m.body[i];
    four a = four_at(m.acceleration[i]);
    four v = four_at(b.velocity);
    const four mobility{0, 0, 0, b.mobility};
    if (m.moves[i] == motion::free) {
      const four next = force * b.mobility + gravity;
      v += (next - a) * half;
      four_at(m.acceleration[i]) = a = next;
      if (m.force != nullptr) {
        m.force[i] = first_three(force) + m.gravity * m.mass[i];
        m.torque[i] = torque;
      }
    }
    double turn2 = 0;
    if constexpr (Turns) {
      const vec w = turn_on(m, i, torque);
      turn2 = dot(w, w);
    } else if (m.spin != nullptr) {
      m.orientation[i] = turned(m.orientation[i], m.spin[i] * step);
    }
    const four move = (v + a * half) * step * four{1, 1, 1, 0};
    const four squares = move * move;
    const double move2 = squares[0] + squares[1] + squares[2];
    if (!(move2 <= m.farthest2 && turn2 <= most_finite)) [[unlikely]]
      tell(m, i, v);
    most = std::max(most, move2);
    four_at(b.at) += move;
    four_at(b.velocity) = (v + a * step) * four{1, 1, 1, 0} + mobility;
  }
  return most;
}

}  // namespace abut::dem::ABUT_SET
