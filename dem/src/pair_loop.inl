// The loop over close pairs, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline four four_of(const vec& v) { return *reinterpret_cast<const four_in_memory*>(&v); }
[[gnu::always_inline]] inline four_in_memory& four_of(vec& v) {
  return *reinterpret_cast<four_in_memory*>(&v);
}

/// For a formula that remembers nothing: forces are along the normal, so only the normal part of the velocity matters,
/// and bodies do not turn. Four pairs at a time.
template <class Formula>
class central_loop {
 public:
  central_loop(const Formula& formula, const pair_arrays& a, close_part& part)
      : pairs_(formula.pairs.data()), a_(a), part_(part) {}

  void rows(row from, row to) const {
    const std::size_t block = (from - part_.from) / close_part::rows_at_once;
    if (a_.materials > 1) {
      run<true>(part_.group_begin[block], part_.group_begin[block + 1]);
    } else {
      run<false>(part_.group_begin[block], part_.group_begin[block + 1]);
    }
    for (; part_.next_across < part_.across.size() && part_.across[part_.next_across].first < to; ++part_.next_across) {
      a_.push[part_.across[part_.next_across].first] -= part_.pushes[part_.next_across].force;
    }
  }

  void across() const {
    for (std::size_t k = 0; k < part_.across.size(); k += 4) {
      pair_group g{};
      std::uint32_t shift[4];
      const std::size_t count = std::min<std::size_t>(4, part_.across.size() - k);
      for (std::size_t n = 0; n < 4; ++n) {
        const close_part::across_pair& p = part_.across[k + std::min(n, count - 1)];
        g.first[n] = p.first;
        g.second[n] = p.second;
        shift[n] = p.shift;
      }
      four force[4] = {};
      if (a_.materials > 1) {
        (void)push(g, shift, numbers_of(g), force);
      } else {
        (void)push(g, shift, common(), force);
      }
      for (std::size_t n = 0; n < count; ++n) part_.pushes[k + n].force = {force[n][0], force[n][1], force[n][2]};
    }
  }

 private:
  using numbers = typename Formula::numbers;  // of a pair of materials

  [[gnu::always_inline]] auto common() const {
    return numbers::template join<four>(pairs_[0], pairs_[0], pairs_[0], pairs_[0]);
  }
  [[gnu::always_inline]] auto numbers_of(const pair_group& g) const {
    return numbers::template join<four>(pairs_[pair_of(g, 0)], pairs_[pair_of(g, 1)], pairs_[pair_of(g, 2)],
                                        pairs_[pair_of(g, 3)]);
  }
  [[gnu::always_inline]] std::size_t pair_of(const pair_group& g, std::size_t n) const {
    return a_.material[g.first[n]] * a_.materials + a_.material[g.second[n]];
  }

  template <bool Materials>
  void run(std::size_t from, std::size_t to) const {
    padded_vec* const sums = a_.push;
    const body_record* const body = a_.body;
    const pair_group* group = part_.groups.data() + from;
    const pair_group* const end = part_.groups.data() + to;
    const std::uint32_t* shifted = part_.group_shift.data() + from;
    const auto all = common();
    for (; group != end; ++group, ++shifted) {
      const row ahead = group[close_part::groups_ahead].second[3];
      __builtin_prefetch(body + ahead);
      __builtin_prefetch(sums + ahead);
      const std::uint32_t* shift = *shifted == 0 ? nullptr : part_.four_shifts.data() + *shifted;
      four force[4];
      bool touch = false;
      if constexpr (Materials) {
        touch = push(*group, shift, numbers_of(*group), force);
      } else {
        touch = push(*group, shift, all, force);
      }
      if (!touch) continue;
      for (int n = 0; n < 4; ++n) {
        four_of(sums[group->second[n]]) += force[n];
        four_of(sums[group->first[n]]) -= force[n];
      }
    }
  }

  // Four numbers, one of each: the given place of four quadruples.
  struct turned_over {
    four x, y, z, w;
  };
  [[gnu::always_inline]] static turned_over turn_over(const four& a, const four& b, const four& c, const four& d) {
    const four xz = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const four yw = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const four xz2 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const four yw2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return {__builtin_shufflevector(xz, xz2, 0, 1, 4, 5), __builtin_shufflevector(yw, yw2, 0, 1, 4, 5),
            __builtin_shufflevector(xz, xz2, 2, 3, 6, 7), __builtin_shufflevector(yw, yw2, 2, 3, 6, 7)};
  }

  // The forces of four pairs, 0 if they are apart; false if all are. `shift` has a number for each, or is null.
  template <class Numbers>
  [[gnu::always_inline]] bool push(const pair_group& g, const std::uint32_t* shift, const Numbers& p,
                                   four* force) const {
    const body_record* const body = a_.body;
    const four lower{1, 1, 1, -1};  // the fourth difference is then a sum
    four d[4];
    for (int n = 0; n < 4; ++n) d[n] = four_of(body[g.second[n]].at) - four_of(body[g.first[n]].at) * lower;
    if (shift != nullptr) {
      for (int n = 0; n < 4; ++n) d[n] += four_of(part_.shifts[shift[n]]);
    }
    const turned_over squares = turn_over(d[0] * d[0], d[1] * d[1], d[2] * d[2], d[3] * d[3]);
    const four d2 = squares.x + squares.y + squares.z;
    const four radii = turn_over(d[0], d[1], d[2], d[3]).w;
    const four most = Formula::reaches ? radii + a_.reach : radii;
    four_bits touch = d2 <= most * most;
    if (!any(touch)) return false;
    const four distance = root(d2);
    central_contact<four> c;
    c.overlap = radii - distance;
    if (Formula::reaches) touch &= c.overlap >= -a_.reach;
    four inverse = distance * (1 / d2);  // of the distance; the division does not wait for the root
    if (__builtin_expect(any(d2 == 0), 0) != 0) take_x(d2, d, inverse);
    four m[4];
    for (int n = 0; n < 4; ++n) m[n] = four_of(body[g.second[n]].velocity) - four_of(body[g.first[n]].velocity) * lower;
    const turned_over products = turn_over(m[0] * d[0], m[1] * d[1], m[2] * d[2], m[3] * d[3]);
    c.apart = (products.x + products.y + products.z) * inverse;
    c.mass = 1 / turn_over(m[0], m[1], m[2], m[3]).w;
    const four first_radii = turn_over(four_of(body[g.first[0]].at), four_of(body[g.first[1]].at),
                                       four_of(body[g.first[2]].at), four_of(body[g.first[3]].at)).w;
    c.radius = first_radii * (radii - first_radii) / radii;
    const four along = pick(touch, force_of(typename Formula::central{}, p, c) * inverse, four{});
    for (int n = 0; n < 4; ++n) force[n] = d[n] * along[n];
    if constexpr (Formula::stiffens) check(g, touch, c);
    return true;
  }

  // The direction of bodies whose centers are at the same place.
  static void take_x(const four& d2, four* d, four& inverse) {
    for (int n = 0; n < 4; ++n) {
      if (d2[n] != 0) continue;
      d[n][0] = 1;
      inverse[n] = 1;
    }
  }

  void check(const pair_group& g, const four_bits& touch, const central_contact<four>& of) const {
    for (int n = 0; n < 4; ++n) {
      if (touch[n] == 0) continue;
      contact c;
      c.mass = of.mass[n];
      c.stiffness = of.stiffness[n];
      c.viscosity = of.viscosity[n];
      a_.stable.check(c, g.first[n]);
    }
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
