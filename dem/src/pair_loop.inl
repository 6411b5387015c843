// The loop over close pairs, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

/// For a formula that remembers nothing: forces are along the normal, so only the normal part of the velocity matters,
/// and bodies do not turn.
template <class Formula>
class central_loop {
 public:
  using numbers = typename Formula::numbers;  // of a pair of materials

  central_loop(const Formula& formula, const pair_arrays& a, close_part& part) : pairs_(formula.pairs.data()), a_(a), part_(part) {}

  void rows(row from, row to) const {
    if (a_.materials > 1) {
      rows_of<true>(from, to);
    } else {
      rows_of<false>(from, to);
    }
  }

  void across() const {
    for (std::size_t k = 0; k < part_.across.size(); ++k) {
      const close_part::across_pair& p = part_.across[k];
      const body_record& one = a_.body[p.first];
      four force{};
      const seen_first first{p.first, lower(one.at), lower(one.velocity), pairs_[0]};
      (void)push<true, true>(first, p.second, a_.body[p.second], p.shift, force);
      part_.pushes[k].force = {force[0], force[1], force[2]};
    }
  }

 private:
  // What is the same for all pairs of a row, in registers: stores could change what is in memory, as compilers see it.
  struct seen_first {
    row i;
    four at;
    four velocity;
    numbers common;  // of all pairs, if there is one material
  };

  template <bool Materials>
  void rows_of(row from, row to) const {
    for (row i = from; i < to; ++i) {
      if (part_.shifted[i - part_.from] != 0) {
        one_row<Materials, true>(i);
      } else {
        one_row<Materials, false>(i);
      }
    }
  }

  // A first body's numbers, the fourth one with the other sign, so that the fourth difference is a sum.
  [[gnu::always_inline]] static four lower(const vec& first) {
    return *reinterpret_cast<const four*>(&first) * four{1, 1, 1, -1};
  }

  template <bool Materials, bool Shifted>
  [[gnu::always_inline]] void one_row(row i) const {
    const std::uint32_t* begin = part_.begin.data() + (i - part_.from);
    const row* second = part_.second.data() + begin[0];
    const row* end = part_.second.data() + begin[1];
    const std::uint32_t* shift = Shifted ? part_.shift.data() + begin[0] : nullptr;
    const body_record* body = a_.body;
    padded_vec* sums = a_.push;
    const seen_first first{i, lower(body[i].at), lower(body[i].velocity), pairs_[0]};
    four sum = *reinterpret_cast<const four*>(sums + i);
    for (; second != end; ++second) {
      __builtin_prefetch(body + second[close_part::ahead]);
      __builtin_prefetch(sums + second[close_part::ahead]);
      four force;
      if (!push<Materials, Shifted>(first, *second, body[*second], Shifted ? *shift++ : 0, force)) continue;
      *reinterpret_cast<four*>(sums + *second) += force;
      sum -= force;
    }
    *reinterpret_cast<four*>(sums + i) = sum;
    vec no_torque;
    if (part_.next_across < part_.across.size()) add_across(a_, part_, i, sums[i], no_torque);
  }

  // The force of a contact; false if the two are apart.
  template <bool Materials, bool Shifted>
  [[gnu::always_inline]] bool push(const seen_first& one, row j, const body_record& two, std::uint32_t shift,
                                   four& force) const {
    four d = *reinterpret_cast<const four*>(&two.at) - one.at;
    if constexpr (Shifted) d += *reinterpret_cast<const four*>(part_.shifts.data() + shift);
    const four squares = d * d;
    const double d2 = squares[0] + squares[1] + squares[2];
    const double radii = d[3];
    const double most = Formula::reaches ? radii + a_.reach : radii;
    if (!(d2 <= most * most)) return false;
    const double distance = std::sqrt(d2);
    contact c;
    c.overlap = radii - distance;
    if (Formula::reaches && c.overlap < -a_.reach) return false;
    const four moving = *reinterpret_cast<const four*>(&two.velocity) - one.velocity;
    const four products = moving * d;
    const double inverse = distance * (1 / d2);  // of the distance; the division does not wait for the root
    c.mass = 1 / moving[3];
    c.radius = -one.at[3] * two.radius / radii;
    const numbers& p = Materials ? pairs_[a_.material[one.i] * a_.materials + a_.material[j]] : one.common;
    if (__builtin_expect(d2 > 0, 1) != 0) {
      force = d * (Formula::normal_force(p, c, (products[0] + products[1] + products[2]) * inverse) * inverse);
    } else {
      force = four{Formula::normal_force(p, c, moving[0]), 0, 0, 0};
    }
    if constexpr (Formula::stiffens) a_.stable.check(c, one.i);
    return true;
  }

  const numbers* pairs_;
  const pair_arrays& a_;
  close_part& part_;
};

/// For a formula that remembers something and turns bodies.
template <class Formula>
class turning_loop {
 public:
  turning_loop(const Formula& formula, const pair_arrays& a, close_part& part) : formula_(formula), a_(a), part_(part) {}

  void rows(row from, row to) const {
    for (row i = from; i < to; ++i) {
      if (part_.shifted[i - part_.from] != 0) {
        one_row<true>(i);
      } else {
        one_row<false>(i);
      }
    }
  }

  void across() const {
    for (std::size_t k = 0; k < part_.across.size(); ++k) {
      const close_part::across_pair& p = part_.across[k];
      const first_body one = first_body::of(a_, p.first);
      contact c;
      c.memory = memory_of(p.slot);
      part_.pushes[k] = {};
      if (meets<true>(one, p.first, p.second, p.shift, c)) part_.pushes[k] = push_of(one, p.second, c);
    }
  }

 private:
  [[gnu::always_inline]] double* memory_of(std::uint32_t slot) const {
    return a_.memory + std::size_t{slot} * Formula::memory;
  }

  template <bool Shifted>
  void one_row(row i) const {
    const std::uint32_t* begin = part_.begin.data() + (i - part_.from);
    const std::uint32_t end = begin[1];
    const row* second = part_.second.data();
    const first_body one = first_body::of(a_, i);
    vec force = a_.push[i];
    vec torque = a_.turn[i].torque;
    for (std::uint32_t k = begin[0]; k < end; ++k) {
      const row j = second[k];
      const row ahead = second[k + close_part::ahead];
      __builtin_prefetch(a_.body + ahead);
      __builtin_prefetch(a_.turn + ahead);
      __builtin_prefetch(&a_.turn[ahead].torque);
      contact c;
      c.memory = memory_of(part_.slot[k]);
      if (!meets<Shifted>(one, i, j, Shifted ? part_.shift[k] : 0, c)) continue;
      const pair_push p = push_of(one, j, c);
      a_.push[j] += p.force;
      force -= p.force;
      a_.turn[j].torque += p.torque_of_second;
      torque += p.torque_of_first;
    }
    add_across(a_, part_, i, force, torque);
    a_.push[i] = force;
    a_.turn[i].torque = torque;
  }

  // Whether they touch; then the formula has been applied.
  template <bool Shifted>
  [[gnu::always_inline]] bool meets(const first_body& one, row i, row j, std::uint32_t shift, contact& c) const {
    const body_record& two = a_.body[j];
    vec d = two.at - one.at;
    if constexpr (Shifted) d += part_.shifts[shift];
    const double sum = one.radius + two.radius;
    if (!meet(d, sum, a_.reach, c)) {
      for (std::size_t n = 0; n < Formula::memory; ++n) c.memory[n] = 0;
      return false;
    }
    c.mass = 1 / (one.mobility + two.mobility);
    c.radius = one.radius * two.radius / sum;
    c.pair = a_.materials > 1 ? one.materials + a_.material[j] : 0;
    see_turning(one, j, c);
    formula_(c);
    if constexpr (Formula::stiffens) a_.stable.check(c, i);
    return true;
  }

  [[gnu::always_inline]] void see_turning(const first_body& one, row j, contact& c) const {
    const body_record& two = a_.body[j];
    const turn_record& turn = a_.turn[j];
    const double arm_i = one.radius - 0.5 * c.overlap;
    const double arm_j = two.radius - 0.5 * c.overlap;
    const vec half_spin = turn.spin - turn.turning * a_.half;
    const vec half_velocity = two.velocity - a_.acceleration[j] * a_.half;
    c.velocity = (two.velocity - one.velocity) - cross(one.spin * arm_i + turn.spin * arm_j, c.normal);
    c.slip = ((half_velocity - one.half_velocity) - cross(one.half_spin * arm_i + half_spin * arm_j, c.normal)) * a_.step;
    if constexpr (Formula::torques) {
      c.spin = turn.spin - one.spin;
      c.roll = (half_spin - one.half_spin) * a_.step;
    }
  }

  [[gnu::always_inline]] pair_push push_of(const first_body& one, row j, const contact& c) const {
    const vec turn = cross(c.normal, c.force);
    const double inward = 0.5 * c.overlap;
    const vec of_first = turn * (inward - one.radius);
    const vec of_second = turn * (inward - a_.body[j].radius);
    if constexpr (Formula::torques) return {c.force, of_first - c.torque, of_second + c.torque};
    return {c.force, of_first, of_second};
  }

  const Formula& formula_;
  const pair_arrays& a_;
  close_part& part_;
};

template <class Formula>
using pair_loop = std::conditional_t<(Formula::memory > 0), turning_loop<Formula>, central_loop<Formula>>;

}  // namespace abut::dem::ABUT_SET
