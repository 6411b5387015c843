// The loop over close pairs, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline vec3<four> three(const turned_over& t) { return {t.x, t.y, t.z}; }

// The differences of what first and second bodies have at a place of their records; sums for the fourth number.
template <class Member>
[[gnu::always_inline]] inline void differences(const body_record* body, const pair_group& g, Member member, four* to) {
  const four lower{1, 1, 1, -1};
  for (int n = 0; n < 4; ++n) to[n] = four_of(body[g.second[n]].*member) - four_of(body[g.first[n]].*member) * lower;
}

// For four pairs, some of them through a border that moves.
inline void add_speeds(const close_part& part, const std::uint32_t* shift, four* m) {
  for (int n = 0; n < 4; ++n) m[n] += four_of(part.speeds[shift[n]]);
}

// Takes down what four pairs do through borders; the shift of those that do not is 0.
inline void add_borders(const pair_arrays& a, const close_part& part, const pair_group& g, const std::uint32_t* shift,
                        const four* force) {
  for (int n = 0; n < 4; ++n) add_to(a.border[g.first[n]], four_of(part.shifts[shift[n]]) * force[n]);
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

// Into the second cache: it is needed later.
template <class T>
[[gnu::always_inline]] inline void fetch_far(const T* what) {
  __builtin_prefetch(what, 1, 2);
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
    const std::size_t first = part_.group_begin[block];
    const std::size_t last = part_.group_begin[block + 1];
    const row lead = from + part_.lead;
    if (a_.materials > 1) {
      part_.marks ? run<true, true>(first, last, lead) : run<true, false>(first, last, lead);
    } else {
      part_.marks ? run<false, true>(first, last, lead) : run<false, false>(first, last, lead);
    }
    for (; part_.next_across < part_.across.size() && part_.across[part_.next_across].first < to; ++part_.next_across) {
      const row i = part_.across[part_.next_across].first;
      if (a_.border != nullptr) add_border(a_, part_, part_.next_across);
      a_.push[i] -= part_.pushes[part_.next_across].force;
      if (part_.marks) part_.mark_row(i);
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
      for (std::size_t n = 0; n < count; ++n) part_.pushes[k + n].force = first_three(force[n]);
    }
  }

 private:
  using numbers = typename Formula::numbers;  // of a pair of materials

  [[nodiscard, gnu::always_inline]] auto common() const {
    return numbers::template join<four>(pairs_[0], pairs_[0], pairs_[0], pairs_[0]);
  }
  [[nodiscard, gnu::always_inline]] auto numbers_of(const pair_group& g) const {
    return numbers::template join<four>(pairs_[pair_of(g, 0)], pairs_[pair_of(g, 1)], pairs_[pair_of(g, 2)],
                                        pairs_[pair_of(g, 3)]);
  }
  [[nodiscard, gnu::always_inline]] std::size_t pair_of(const pair_group& g, std::size_t n) const {
    return a_.material[g.first[n]] * a_.materials + a_.material[g.second[n]];
  }

  template <bool Materials, bool Marks>
  void run(std::size_t from, std::size_t to, row lead) const {
    padded_vec* const sums = a_.push;
    const body_record* const body = a_.body;
    const pair_group* group = part_.groups.data() + from;
    const pair_group* const end = part_.groups.data() + to;
    const std::uint32_t* shifted = part_.group_shift.data() + from;
    const auto all = common();
    for (; group != end; ++group, ++shifted, ++lead) {
      fetch_far(body + lead);
      fetch_far(sums + lead);
      const row ahead = group[close_part::groups_ahead].second[3];
      __builtin_prefetch(body + ahead);
      __builtin_prefetch(sums + ahead);
      const std::uint32_t* shift = *shifted == 0 ? nullptr : part_.four_shifts.data() + *shifted;
      four force[4];
      unsigned touch = 0;
      if constexpr (Materials) {
        touch = push(*group, shift, numbers_of(*group), force);
      } else {
        touch = push(*group, shift, all, force);
      }
      if (touch == 0) continue;
      if (shift != nullptr && a_.border != nullptr) add_borders(a_, part_, *group, shift, force);
      if constexpr (Marks) {
        add_marked(*group, touch, force);
      } else {
        for (int n = 0; n < 4; ++n) {
          add_to(sums[group->second[n]], force[n]);
          take_from(sums[group->first[n]], force[n]);
        }
      }
    }
  }

  // Of the pairs that touch alone: few do.
  [[gnu::always_inline]] void add_marked(const pair_group& g, unsigned touch, const four* force) const {
    for (; touch != 0; touch &= touch - 1) {
      const int n = std::countr_zero(touch);
      add_to(a_.push[g.second[n]], force[n]);
      take_from(a_.push[g.first[n]], force[n]);
      part_.mark_row(g.first[n]);
      part_.mark_row(g.second[n]);
    }
  }

  // The forces of four pairs, not set if all are apart, else 0 for those that are. A bit is set for each that touches.
  // `shift` has a number for each, or is null.
  template <class Numbers>
  [[gnu::always_inline]] unsigned push(const pair_group& g, const std::uint32_t* shift, const Numbers& p,
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
    if (!any(touch)) return 0;
    const four distance = root(d2);
    central_contact<four> c;
    c.overlap = radii - distance;
    if (Formula::reaches) touch &= c.overlap >= -a_.reach;
    four inverse = distance * (1 / d2);  // of the distance; the division does not wait for the root
    if (any(d2 == 0)) [[unlikely]]
      take_x(d2, d, inverse);
    four m[4];
    differences(body, g, &body_record::velocity, m);
    if (a_.border_moves && shift != nullptr) add_speeds(part_, shift, m);
    const turned_over products = turn_over(m[0] * d[0], m[1] * d[1], m[2] * d[2], m[3] * d[3]);
    c.apart = (products.x + products.y + products.z) * inverse;
    c.mass = 1 / turn_over(m[0], m[1], m[2], m[3]).w;
    const four first_radii = turn_over(four_of(body[g.first[0]].at), four_of(body[g.first[1]].at),
                                       four_of(body[g.first[2]].at), four_of(body[g.first[3]].at))
                                 .w;
    c.radius = first_radii * (radii - first_radii) / radii;
    const four along = pick(touch, force_of(typename Formula::central{}, p, c) * inverse, four{});
    force[0] = d[0] * along[0];
    force[1] = d[1] * along[1];
    force[2] = d[2] * along[2];
    force[3] = d[3] * along[3];
    if constexpr (Formula::stiffens) check_four(a_.stable, g, touch, c);
    return bits_of(touch);
  }

  // The direction of bodies whose centers are at the same place.
  static void take_x(const four& d2, four* d, four& inverse) {
    for (int n = 0; n < 4; ++n) {
      if (d2[n] == 0) d[n] = four{1, 0, 0, d[n][3]};
    }
    inverse = pick(d2 == 0, four{1, 1, 1, 1}, inverse);
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
    run(part_.group_begin[block], part_.group_begin[block + 1], from + part_.lead, to);
    for (; part_.next_across < part_.across.size() && part_.across[part_.next_across].first < to; ++part_.next_across) {
      const row i = part_.across[part_.next_across].first;
      if (a_.border != nullptr) add_border(a_, part_, part_.next_across);
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
      quadruple joined_memory[Formula::memory];
      for (std::size_t m = 0; m < Formula::memory; ++m) {
        joined_memory[m] = {memory[0][m], memory[1][m], memory[2][m], memory[3][m]};
      }
      four_contacts c{};
      see(g, shift, joined_memory, c);
      push(g, joined_memory, joined(pair_of(g, 0), pair_of(g, 1), pair_of(g, 2), pair_of(g, 3)), c);
      for (std::size_t m = 0; m < Formula::memory; ++m) {
        for (std::size_t n = 0; n < count; ++n) memory[n][m] = joined_memory[m].of[n];
      }
      four_pushes to;
      tell(c, to);
      for (std::size_t n = 0; n < count; ++n) {
        part_.pushes[k + n] = {first_three(to.force[n]), first_three(to.torque_of_first[n]),
                               first_three(to.torque_of_second[n])};
      }
    }
  }

 private:
  using numbers = typename Formula::numbers;  // of a pair of materials
  // What is seen of four pairs, and then what follows. Not set where no pair touches.
  struct four_contacts {
    four_bits touch;
    four overlap, mobility, radius_of_first, radius_of_second;
    vec3<four> normal, velocity, spin, spring;
    vec3<four> force, torque_of_first, torque_of_second;
  };
  struct four_pushes {
    four force[4];
    four torque_of_first[4];
    four torque_of_second[4];
  };

  [[nodiscard, gnu::always_inline]] double* memory_of(std::uint32_t slot) const {
    return a_.memory + std::size_t{slot} * Formula::memory;
  }
  [[nodiscard, gnu::always_inline]] std::size_t pair_of(const pair_group& g, std::size_t n) const {
    return a_.materials > 1 ? a_.material[g.first[n]] * a_.materials + a_.material[g.second[n]] : 0;
  }

  [[nodiscard, gnu::always_inline]] auto joined(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return numbers::template join<four>(pairs_[a], pairs_[b], pairs_[c], pairs_[d]);
  }

  // In three short loops over some groups: what one does for a group does not wait for what it has done for the last,
  // so the processor works on several groups at once.
  void run(std::size_t from, std::size_t to, row lead, row next) const {
    constexpr std::size_t at_once = 16;
    alignas(four_contacts) std::byte space[at_once * sizeof(four_contacts)];  // to begin with zeros would take time
    auto* const c = reinterpret_cast<four_contacts*>(space);
    const auto all = joined(0, 0, 0, 0);
    for (std::size_t k = from; k < to; k += at_once) {
      const std::size_t count = std::min(at_once, to - k);
      for (std::size_t n = 0; n < count; ++n, ++lead, ++next) {
        fetch_far(a_.body + lead);
        fetch_far(a_.push + lead);
        fetch_far(a_.turn + lead);
        fetch_far(a_.acceleration + next);  // of the next block, which will be moved
        fetch_far(a_.turning + next);
        fetch(part_.groups[k + n + close_part::groups_ahead].second[3]);
        const std::uint32_t shift = part_.group_shift[k + n];
        see(part_.groups[k + n], shift == 0 ? nullptr : part_.four_shifts.data() + shift, memory_at(k + n), c[n]);
      }
      for (std::size_t n = 0; n < count; ++n) {
        const pair_group& g = part_.groups[k + n];
        if (a_.materials > 1) {
          push(g, memory_at(k + n), joined(pair_of(g, 0), pair_of(g, 1), pair_of(g, 2), pair_of(g, 3)), c[n]);
        } else {
          push(g, memory_at(k + n), all, c[n]);
        }
      }
      for (std::size_t n = 0; n < count; ++n) add(part_.groups[k + n], c[n]);
      for (std::size_t n = 0; n < count && a_.border != nullptr; ++n) {
        const std::uint32_t shift = part_.group_shift[k + n];
        if (shift != 0 && any(c[n].touch)) tell_border(part_.groups[k + n], shift, c[n]);
      }
    }
  }

  [[nodiscard, gnu::always_inline]] quadruple* memory_at(std::size_t group) const {
    return part_.memory.data() + group * Formula::memory;
  }
  [[gnu::always_inline]] void fetch(row i) const {
    __builtin_prefetch(a_.body + i);
    __builtin_prefetch(a_.push + i);
    __builtin_prefetch(a_.turn + i);
  }

  [[gnu::always_inline]] static vec3<four> load(const quadruple* memory) {
    return {four_of(memory[0].of), four_of(memory[1].of), four_of(memory[2].of)};
  }
  [[gnu::always_inline]] static void store(quadruple* memory, const vec3<four>& v) {
    put(memory[0].of, v.x);
    put(memory[1].of, v.y);
    put(memory[2].of, v.z);
  }

  // What four bodies have somewhere, and the differences of two such.
  [[gnu::always_inline]] static vec3<four> gather(const vec& a, const vec& b, const vec& c, const vec& d) {
    return three(turn_over(four_of(a), four_of(b), four_of(c), four_of(d)));
  }
  [[nodiscard, gnu::always_inline]] vec3<four> spins(const row* i) const {
    const turn_record* t = a_.turn;
    return gather(t[i[0]].spin, t[i[1]].spin, t[i[2]].spin, t[i[3]].spin);
  }
  [[nodiscard, gnu::always_inline]] four radii(const row* i) const {
    return four{a_.body[i[0]].radius, a_.body[i[1]].radius, a_.body[i[2]].radius, a_.body[i[3]].radius};
  }

  // How four pairs meet.
  [[gnu::always_inline]] void see(const pair_group& g, const std::uint32_t* shift, quadruple* memory,
                                  four_contacts& to) const {
    four d[4];
    differences(a_.body, g, &body_record::at, d);
    if (shift != nullptr) {
      for (int n = 0; n < 4; ++n) d[n] += four_of(part_.shifts[shift[n]]);
    }
    const turned_over apart = turn_over(d[0], d[1], d[2], d[3]);
    const vec3<four> from_first = three(apart);
    const four d2 = dot(from_first, from_first);
    to.touch = d2 <= apart.w * apart.w;
    if (!any(to.touch)) return;
    const four distance = root(d2);
    to.overlap = apart.w - distance;
    vec3<four> normal = from_first * (distance * (1 / d2));  // the division does not wait for the root
    if (any(d2 == 0)) [[unlikely]] {
      normal = pick(d2 > 0, normal, vec3<four>{four{1, 1, 1, 1}, four{}, four{}});
    }
    four m[4];
    differences(a_.body, g, &body_record::velocity, m);
    if (a_.border_moves && shift != nullptr) add_speeds(part_, shift, m);
    const turned_over moving = turn_over(m[0], m[1], m[2], m[3]);
    to.mobility = moving.w;
    to.radius_of_first = radii(g.first);
    to.radius_of_second = apart.w - to.radius_of_first;
    const four inward = 0.5 * to.overlap;
    const vec3<four> spin_i = spins(g.first);
    const vec3<four> spin_j = spins(g.second);
    const vec3<four> arms = spin_i * (to.radius_of_first - inward) + spin_j * (to.radius_of_second - inward);
    to.velocity = three(moving) - cross(arms, normal);
    to.normal = normal;
    to.spring = turned_along(load(memory), normal);
    if constexpr (Formula::memory == 6) to.spin = spin_j - spin_i;
  }

  // The forces and torques of four pairs, 0 if they are apart.
  template <class Numbers>
  [[gnu::always_inline]] void push(const pair_group& g, quadruple* memory, const Numbers& p,
                                   four_contacts& to) const {
    const vec3<four> nothing{};
    if (!any(to.touch)) {
      for (std::size_t at = 0; at < Formula::memory; at += 3) store(memory + at, nothing);
      return;
    }
    central_contact<four> c;
    c.overlap = to.overlap;
    c.mass = 1 / to.mobility;
    if constexpr (Formula::uses_radius) {
      c.radius = to.radius_of_first * to.radius_of_second / (to.radius_of_first + to.radius_of_second);
    }
    frictional_contact<four> f;
    f.normal = to.normal;
    f.velocity = to.velocity;
    f.spring = to.spring;
    if constexpr (Formula::memory == 6) {
      f.spin = to.spin;
      f.rolled = turned_along(load(memory + 3), f.normal);
    }
    const half_ahead<four> moments{four{} + a_.half, four{} + a_.ahead};
    apply<Formula::memory>(typename Formula::central{}, p, moments, c, f);
    store(memory, pick(to.touch, f.spring, nothing));
    if constexpr (Formula::memory == 6) store(memory + 3, pick(to.touch, f.rolled, nothing));
    to.force = f.force;
    const vec3<four> turn = cross(f.normal, f.force);
    const four inward = 0.5 * c.overlap;
    to.torque_of_first = turn * (inward - to.radius_of_first);
    to.torque_of_second = turn * (inward - to.radius_of_second);
    if constexpr (Formula::memory == 6) {
      to.torque_of_first = to.torque_of_first - f.torque;
      to.torque_of_second = to.torque_of_second + f.torque;
    }
    if constexpr (Formula::stiffens) check_four(a_.stable, g, to.touch, c);
  }

  // By body again.
  [[gnu::always_inline]] static void tell(const four_contacts& c, four_pushes& to) {
    const vec3<four> nothing{};
    turn_back(pick(c.touch, c.force, nothing), to.force);
    turn_back(pick(c.touch, c.torque_of_first, nothing), to.torque_of_first);
    turn_back(pick(c.touch, c.torque_of_second, nothing), to.torque_of_second);
  }
  [[gnu::always_inline]] static void turn_back(const vec3<four>& v, four* to) {
    const turned_over t = turn_over(v.x, v.y, v.z, four{});
    to[0] = t.x;
    to[1] = t.y;
    to[2] = t.z;
    to[3] = t.w;
  }
  [[gnu::always_inline]] void add(const pair_group& g, const four_contacts& c) const {
    if (!any(c.touch)) return;
    four_pushes p;
    tell(c, p);
    for (int n = 0; n < 4; ++n) {
      add_to(a_.push[g.second[n]], p.force[n]);
      take_from(a_.push[g.first[n]], p.force[n]);
      add_to(a_.turn[g.second[n]].torque, p.torque_of_second[n]);
      add_to(a_.turn[g.first[n]].torque, p.torque_of_first[n]);
    }
  }

  void tell_border(const pair_group& g, std::uint32_t shift, const four_contacts& c) const {
    four_pushes p;
    tell(c, p);
    add_borders(a_, part_, g, part_.four_shifts.data() + shift, p.force);
  }

  const numbers* pairs_;
  const pair_arrays& a_;
  close_part& part_;
};

template <class Formula>
using pair_loop = std::conditional_t<(Formula::memory > 0), turning_loop<Formula>, central_loop<Formula>>;

}  // namespace abut::dem::ABUT_SET
