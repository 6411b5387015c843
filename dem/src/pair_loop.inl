// The loop over close pairs, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline four four_of(const vec& v) { return *reinterpret_cast<const four_in_memory*>(&v); }
[[gnu::always_inline]] inline four_in_memory& four_of(vec& v) {
  return *reinterpret_cast<four_in_memory*>(&v);
}

// Rows and columns of four quadruples exchanged.
struct turned_over {
  four x, y, z, w;
};
[[gnu::always_inline]] inline turned_over turn_over(const four& a, const four& b, const four& c, const four& d) {
  const four xz = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const four yw = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const four xz2 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const four yw2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(xz, xz2, 0, 1, 4, 5), __builtin_shufflevector(yw, yw2, 0, 1, 4, 5),
          __builtin_shufflevector(xz, xz2, 2, 3, 6, 7), __builtin_shufflevector(yw, yw2, 2, 3, 6, 7)};
}

[[gnu::always_inline]] inline vec3<four> three(const turned_over& t) { return {t.x, t.y, t.z}; }

// The differences of what first and second bodies have at a place of their records; sums for the fourth number.
template <class Member>
[[gnu::always_inline]] inline void differences(const body_record* body, const pair_group& g, Member member, four* to) {
  const four lower{1, 1, 1, -1};
  for (int n = 0; n < 4; ++n) to[n] = four_of(body[g.second[n]].*member) - four_of(body[g.first[n]].*member) * lower;
}

// Notices contacts that are too stiff for the time step.
inline void check_four(const stability& stable, const pair_group& g, const four_bits& touch,
                       const central_contact<four>& of) {
  for (int n = 0; n < 4; ++n) {
    if (touch[n] == 0) continue;
    contact c;
    c.mass = of.mass[n];
    c.stiffness = of.stiffness[n];
    c.viscosity = of.viscosity[n];
    stable.check(c, g.first[n]);
  }
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

  // The forces of four pairs, 0 if they are apart; false if all are. `shift` has a number for each, or is null.
  template <class Numbers>
  [[gnu::always_inline]] bool push(const pair_group& g, const std::uint32_t* shift, const Numbers& p,
                                   four* force) const {
    const body_record* const body = a_.body;
    four d[4];
    differences(body, g, &body_record::at, d);
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
    differences(body, g, &body_record::velocity, m);
    const turned_over products = turn_over(m[0] * d[0], m[1] * d[1], m[2] * d[2], m[3] * d[3]);
    c.apart = (products.x + products.y + products.z) * inverse;
    c.mass = 1 / turn_over(m[0], m[1], m[2], m[3]).w;
    const four first_radii = turn_over(four_of(body[g.first[0]].at), four_of(body[g.first[1]].at),
                                       four_of(body[g.first[2]].at), four_of(body[g.first[3]].at)).w;
    c.radius = first_radii * (radii - first_radii) / radii;
    const four along = pick(touch, force_of(typename Formula::central{}, p, c) * inverse, four{});
    for (int n = 0; n < 4; ++n) force[n] = d[n] * along[n];
    if constexpr (Formula::stiffens) check_four(a_.stable, g, touch, c);
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

  const numbers* pairs_;
  const pair_arrays& a_;
  close_part& part_;
};

/// For a formula that remembers something and turns bodies. Four pairs at a time.
template <class Formula>
class turning_loop {
 public:
  turning_loop(const Formula& formula, const pair_arrays& a, close_part& part)
      : pairs_(formula.pairs.data()), a_(a), part_(part) {}

  void rows(row from, row to) const {
    const std::size_t block = (from - part_.from) / close_part::rows_at_once;
    run(part_.group_begin[block], part_.group_begin[block + 1]);
    for (; part_.next_across < part_.across.size() && part_.across[part_.next_across].first < to; ++part_.next_across) {
      const row i = part_.across[part_.next_across].first;
      a_.push[i] -= part_.pushes[part_.next_across].force;
      a_.turn[i].torque += part_.pushes[part_.next_across].torque_of_first;
    }
  }

  void across() const {
    for (std::size_t k = 0; k < part_.across.size(); k += 4) {
      pair_group g{};
      std::uint32_t shift[4];
      double* memory[4];
      const std::size_t count = std::min<std::size_t>(4, part_.across.size() - k);
      double unused[Formula::memory] = {};
      for (std::size_t n = 0; n < 4; ++n) {
        const close_part::across_pair& p = part_.across[k + std::min(n, count - 1)];
        g.first[n] = p.first;
        g.second[n] = p.second;
        shift[n] = p.shift;
        memory[n] = n < count ? memory_of(p.slot) : unused;
      }
      four_pushes to{};
      if (!push(g, shift, memory, to)) to = {};
      for (std::size_t n = 0; n < count; ++n) {
        part_.pushes[k + n] = {first_three(to.force[n]), first_three(to.torque_of_first[n]),
                               first_three(to.torque_of_second[n])};
      }
    }
  }

 private:
  using numbers = typename Formula::numbers;  // of a pair of materials
  struct four_pushes {
    four force[4];
    four torque_of_first[4];
    four torque_of_second[4];
  };

  [[gnu::always_inline]] static vec first_three(const four& v) { return {v[0], v[1], v[2]}; }
  [[gnu::always_inline]] double* memory_of(std::uint32_t slot) const {
    return a_.memory + std::size_t{slot} * Formula::memory;
  }
  [[gnu::always_inline]] std::size_t pair_of(const pair_group& g, std::size_t n) const {
    return a_.materials > 1 ? a_.material[g.first[n]] * a_.materials + a_.material[g.second[n]] : 0;
  }

  void run(std::size_t from, std::size_t to) const {
    for (std::size_t k = from; k < to; ++k) {
      const pair_group& g = part_.groups[k];
      const row ahead = part_.groups[k + close_part::groups_ahead].second[3];
      __builtin_prefetch(a_.body + ahead);
      __builtin_prefetch(a_.push + ahead);
      __builtin_prefetch(a_.turn + ahead);
      __builtin_prefetch(&a_.turn[ahead].torque);
      const std::uint32_t* shift = part_.group_shift[k] == 0 ? nullptr : part_.four_shifts.data() + part_.group_shift[k];
      double* memory[4];
      for (std::size_t n = 0; n < 4; ++n) {
        const std::uint32_t slot = part_.group_slot[4 * k + n];
        memory[n] = slot == close_part::no_slot ? part_.nowhere.data() : memory_of(slot);
      }
      four_pushes p;
      if (!push(g, shift, memory, p)) continue;
      for (int n = 0; n < 4; ++n) {
        four_of(a_.push[g.second[n]]) += p.force[n];
        four_of(a_.push[g.first[n]]) -= p.force[n];
        four_of(a_.turn[g.second[n]].torque) += p.torque_of_second[n];
        four_of(a_.turn[g.first[n]].torque) += p.torque_of_first[n];
      }
    }
  }

  [[gnu::always_inline]] static vec3<four> load(double* const* memory, std::size_t at) {
    const auto one = [&](std::size_t k) __attribute__((always_inline)) {
      return four{memory[0][at + k], memory[1][at + k], memory[2][at + k], memory[3][at + k]};
    };
    return {one(0), one(1), one(2)};
  }
  [[gnu::always_inline]] static void store(double* const* memory, std::size_t at, const vec3<four>& v) {
    for (int n = 0; n < 4; ++n) {
      memory[n][at] = v.x[n];
      memory[n][at + 1] = v.y[n];
      memory[n][at + 2] = v.z[n];
    }
  }
  static void forget(double* const* memory) {
    for (int n = 0; n < 4; ++n) {
      for (std::size_t k = 0; k < Formula::memory; ++k) memory[n][k] = 0;
    }
  }

  // What four bodies have somewhere.
  [[gnu::always_inline]] static turned_over see(const vec& a, const vec& b, const vec& c, const vec& d) {
    return turn_over(four_of(a), four_of(b), four_of(c), four_of(d));
  }
  struct four_bodies {
    vec3<four> velocity, spin, half_velocity, half_spin;
    four radius, mobility;
  };
  [[gnu::always_inline]] four_bodies bodies(const row* i) const {
    const body_record* b = a_.body;
    const turn_record* t = a_.turn;
    const turned_over v = see(b[i[0]].velocity, b[i[1]].velocity, b[i[2]].velocity, b[i[3]].velocity);
    const turned_over w = see(t[i[0]].spin, t[i[1]].spin, t[i[2]].spin, t[i[3]].spin);
    const turned_over turning = see(t[i[0]].turning, t[i[1]].turning, t[i[2]].turning, t[i[3]].turning);
    const padded_vec* acceleration = a_.acceleration;
    const turned_over a = see(acceleration[i[0]], acceleration[i[1]], acceleration[i[2]], acceleration[i[3]]);
    const four half = four{} + a_.half;
    return {three(v),
            three(w),
            three(v) - three(a) * half,
            three(w) - three(turning) * half,
            four{b[i[0]].radius, b[i[1]].radius, b[i[2]].radius, b[i[3]].radius},
            v.w};
  }

  // The forces and torques of four pairs, 0 if they are apart; false if all are. `shift` has a number for each, or is
  // null.
  [[gnu::always_inline]] bool push(const pair_group& g, const std::uint32_t* shift, double* const* memory,
                                   four_pushes& to) const {
    four d[4];
    differences(a_.body, g, &body_record::at, d);
    if (shift != nullptr) {
      for (int n = 0; n < 4; ++n) d[n] += four_of(part_.shifts[shift[n]]);
    }
    const turned_over apart = turn_over(d[0], d[1], d[2], d[3]);
    const vec3<four> from_first = three(apart);
    const four d2 = dot(from_first, from_first);
    const four radii = apart.w;
    const four_bits touch = d2 <= radii * radii;
    if (!any(touch)) {
      forget(memory);
      return false;
    }
    central_contact<four> c;
    frictional_contact<four> f;
    const four distance = root(d2);
    c.overlap = radii - distance;
    const four inverse = 1 / distance;
    f.normal = from_first * inverse;
    if (__builtin_expect(any(distance == 0), 0) != 0) {
      f.normal = pick(distance > 0, f.normal, vec3<four>{four{1, 1, 1, 1}, four{}, four{}});
    }
    const four_bodies one = bodies(g.first);
    const four_bodies two = bodies(g.second);
    c.mass = 1 / (one.mobility + two.mobility);
    c.radius = one.radius * two.radius / radii;
    const four arm_i = one.radius - 0.5 * c.overlap;
    const four arm_j = two.radius - 0.5 * c.overlap;
    f.velocity = (two.velocity - one.velocity) - cross(one.spin * arm_i + two.spin * arm_j, f.normal);
    const four step = four{} + a_.step;
    f.slip = ((two.half_velocity - one.half_velocity) -
              cross(one.half_spin * arm_i + two.half_spin * arm_j, f.normal)) * step;
    f.spring = load(memory, 0);
    if constexpr (Formula::memory == 6) {
      f.spin = two.spin - one.spin;
      f.roll = (two.half_spin - one.half_spin) * step;
      f.rolled = load(memory, 3);
    }
    const auto p = numbers::template join<four>(pairs_[pair_of(g, 0)], pairs_[pair_of(g, 1)], pairs_[pair_of(g, 2)],
                                                pairs_[pair_of(g, 3)]);
    apply<Formula::memory>(typename Formula::central{}, p, c, f);
    const vec3<four> nothing{};
    store(memory, 0, pick(touch, f.spring, nothing));
    if constexpr (Formula::memory == 6) store(memory, 3, pick(touch, f.rolled, nothing));
    tell(touch, one, two, c, f, to);
    if constexpr (Formula::stiffens) check_four(a_.stable, g, touch, c);
    return true;
  }

  [[gnu::always_inline]] static void tell(const four_bits& touch, const four_bodies& one, const four_bodies& two,
                                          const central_contact<four>& c, const frictional_contact<four>& f,
                                          four_pushes& to) {
    const vec3<four> nothing{};
    const vec3<four> turn = cross(f.normal, f.force);
    const four inward = 0.5 * c.overlap;
    vec3<four> of_first = turn * (inward - one.radius);
    vec3<four> of_second = turn * (inward - two.radius);
    if constexpr (Formula::memory == 6) {
      of_first = of_first - f.torque;
      of_second = of_second + f.torque;
    }
    turn_back(pick(touch, f.force, nothing), to.force);
    turn_back(pick(touch, of_first, nothing), to.torque_of_first);
    turn_back(pick(touch, of_second, nothing), to.torque_of_second);
  }
  [[gnu::always_inline]] static void turn_back(const vec3<four>& v, four* to) {
    const turned_over t = turn_over(v.x, v.y, v.z, four{});
    to[0] = t.x;
    to[1] = t.y;
    to[2] = t.z;
    to[3] = t.w;
  }

  const numbers* pairs_;
  const pair_arrays& a_;
  close_part& part_;
};

template <class Formula>
using pair_loop = std::conditional_t<(Formula::memory > 0), turning_loop<Formula>, central_loop<Formula>>;

}  // namespace abut::dem::ABUT_SET
