// The loop over close pairs of laws that remember something, once per set of vector instructions: see vector_sets.hpp.

namespace abut::dem::ABUT_SET {

/// For a formula that remembers something and turns bodies. Four pairs at a time.
template <class Formula>
class turning_loop {
 public:
  turning_loop(const Formula& formula, const pair_arrays& a, close_part& part)
      : pairs_(formula.pairs.data()), a_(a), part_(part) {}

  void rows(row from, row to) const {
    const std::size_t block = (from - part_.from) / close_part::rows_at_once;
    const std::size_t first = part_.group_begin[block];
    const std::size_t last = part_.group_begin[block + 1];
    const row lead = from + part_.lead;
    a_.alike&& a_.materials == 1 ? run<true>(first, last, lead, to) : run<false>(first, last, lead, to);
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
        g.first[n] = offset_of(p.first);
        g.second[n] = offset_of(p.second);
        shift[n] = p.shift;
        memory[n] = n < count ? memory_of(p.slot) : unused;
      }
      quadruple joined_memory[Formula::memory];
      for (std::size_t m = 0; m < Formula::memory; ++m) {
        joined_memory[m] = {memory[0][m], memory[1][m], memory[2][m], memory[3][m]};
      }
      four_contacts c{};
      const alike_pairs same(*a_.body);  // not used
      see<false>(g, shift, same, joined_memory, c);
      watch<false>(g, shift, same, c);
      push<false>(g, same, joined_memory, joined(pair_of(g, 0), pair_of(g, 1), pair_of(g, 2), pair_of(g, 3)), c);
      for (std::size_t m = 0; m < Formula::memory; ++m) {
        for (std::size_t n = 0; n < count; ++n) memory[n][m] = joined_memory[m].of[n];
      }
      four_pushes to;
      tell<false>(c, to);
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
    return a_.materials > 1 ? a_.material[row_at(g.first[n])] * a_.materials + a_.material[row_at(g.second[n])] : 0;
  }

  [[nodiscard, gnu::always_inline]] auto joined(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return numbers::template join<four>(pairs_[a], pairs_[b], pairs_[c], pairs_[d]);
  }

  // In short loops over some groups: what one does for a group does not wait for what it has done for the last, so the
  // processor works on several groups at once.
  template <bool Alike>
  [[gnu::always_inline]] void run(std::size_t from, std::size_t to, row lead, row next) const {
    constexpr std::size_t at_once = 16;
    const turning_loop one = *this;  // in registers: stores could change what is in memory, as compilers see it
    alignas(four_contacts) std::byte space[at_once * sizeof(four_contacts)];  // to begin with zeros would take time
    auto* const c = reinterpret_cast<four_contacts*>(space);
    const auto all = joined(0, 0, 0, 0);
    const alike_pairs same(*one.a_.body);
    for (std::size_t k = from; k < to; k += at_once) {
      const std::size_t count = std::min(at_once, to - k);
      const pair_group* const groups = part_.groups.data() + k;
      const std::uint32_t* const shifts = part_.group_shift.data() + k;
      for (std::size_t n = 0; n < count; ++n, ++lead, ++next) {
        fetch_far(one.a_.body + lead);
        fetch_far(one.a_.push + lead);
        fetch_far(one.a_.turn + lead);
        fetch_far(one.a_.acceleration + next);  // of the next block, which will be moved
        fetch_far(one.a_.turning + next);
        one.fetch(groups[n + close_part::groups_ahead].second[3]);
        one.see<Alike>(groups[n], shifts_at(part_, shifts[n]), same, one.memory_at(k + n), c[n]);
      }
      for (std::size_t n = 0; n < count; ++n) one.watch<Alike>(groups[n], shifts_at(part_, shifts[n]), same, c[n]);
      for (std::size_t n = 0; n < count; ++n) {
        const pair_group& g = groups[n];
        if (!Alike && a_.materials > 1) {
          one.push<Alike>(g, same, one.memory_at(k + n),
                          joined(pair_of(g, 0), pair_of(g, 1), pair_of(g, 2), pair_of(g, 3)), c[n]);
        } else {
          one.push<Alike>(g, same, one.memory_at(k + n), all, c[n]);
        }
      }
      for (std::size_t n = 0; n < count; ++n) one.add<Alike>(groups[n], c[n]);
      for (std::size_t n = 0; n < count && a_.border != nullptr; ++n) {
        if (shifts[n] != 0 && any(c[n].touch)) tell_border<Alike>(groups[n], shifts[n], c[n]);
      }
    }
  }

  [[nodiscard, gnu::always_inline]] quadruple* memory_at(std::size_t group) const {
    return part_.memory.data() + group * Formula::memory;
  }
  [[gnu::always_inline]] void fetch(record_offset at) const {
    __builtin_prefetch(&record_at(a_.body, at));
    __builtin_prefetch(&record_at(a_.push, at));
    __builtin_prefetch(&record_at(a_.turn, at));
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
  [[nodiscard, gnu::always_inline]] vec3<four> spins(const record_offset* at) const {
    const turn_record* t = a_.turn;
    return gather(record_at(t, at[0]).spin, record_at(t, at[1]).spin, record_at(t, at[2]).spin,
                  record_at(t, at[3]).spin);
  }

  // How four pairs meet.
  template <bool Alike>
  [[gnu::always_inline]] void see(const pair_group& g, const std::uint32_t* shift, const alike_pairs& same,
                                  const quadruple* memory, four_contacts& to) const {
    four d[4];
    differences<Alike>(a_.body, g, &body_record::at, d);
    if (shift != nullptr) {
      for (int n = 0; n < 4; ++n) d[n] += four_of(part_.shifts[shift[n]]);
    }
    const turned_over apart = turn_over(d[0], d[1], d[2], d[3]);
    const four radii = Alike ? same.radii : apart.w;
    const vec3<four> from_first = three(apart);
    const four d2 = dot(from_first, from_first);
    to.touch = d2 <= radii * radii;
    if (!any(to.touch)) return;
    const four distance = root(d2);
    to.overlap = radii - distance;
    to.normal = from_first * (distance * (1 / d2));  // the division does not wait for the root
    if (any(d2 == 0)) [[unlikely]]
      to.normal = pick(d2 > 0, to.normal, vec3<four>{four{1, 1, 1, 1}, four{}, four{}});
    if constexpr (!Alike) {
      to.radius_of_first = radii_of(a_.body, g.first);
      to.radius_of_second = radii - to.radius_of_first;
    }
    to.spring = turned_along(load(memory), to.normal);
  }

  // How they move.
  template <bool Alike>
  [[gnu::always_inline]] void watch(const pair_group& g, const std::uint32_t* shift, const alike_pairs& same,
                                    four_contacts& to) const {
    if (!any(to.touch)) return;
    four m[4];
    differences<Alike>(a_.body, g, &body_record::velocity, m);
    if (shift != nullptr && a_.border_moves) add_speeds(part_, shift, m);
    const turned_over moving = turn_over(m[0], m[1], m[2], m[3]);
    if constexpr (!Alike) to.mobility = moving.w;
    if (!Alike && a_.lever != nullptr) to.mobility += levers_of(a_.lever, g, to.normal);
    const four inward = 0.5 * to.overlap;
    const vec3<four> spin_i = spins(g.first);
    const vec3<four> spin_j = spins(g.second);
    const four arm_i = (Alike ? same.radius_of_first : to.radius_of_first) - inward;
    const four arm_j = Alike ? arm_i : to.radius_of_second - inward;
    to.velocity = three(moving) - cross(spin_i * arm_i + spin_j * arm_j, to.normal);
    if constexpr (Formula::memory == 6) to.spin = spin_j - spin_i;
  }

  // The forces and torques of four pairs, 0 if they are apart.
  template <bool Alike, class Numbers>
  [[gnu::always_inline]] void push(const pair_group& g, const alike_pairs& same, quadruple* memory, const Numbers& p,
                                   four_contacts& to) const {
    const vec3<four> nothing{};
    if (!any(to.touch)) {
      for (std::size_t at = 0; at < Formula::memory; at += 3) store(memory + at, nothing);
      return;
    }
    const four radius_of_first = Alike ? same.radius_of_first : to.radius_of_first;
    const four radius_of_second = Alike ? same.radius_of_first : to.radius_of_second;
    central_contact<four> c;
    c.overlap = to.overlap;
    c.mass = Alike ? same.mass : 1 / to.mobility;
    if constexpr (Formula::uses_radius) {
      c.radius = radius_of_first * radius_of_second / (radius_of_first + radius_of_second);
    }
    frictional_contact<four> f;
    f.normal = to.normal;
    f.velocity = to.velocity;
    f.spring = to.spring;
    if constexpr (Formula::memory == 6) {
      f.spin = to.spin;
      f.rolled = turned_along(load(memory + 3), f.normal);
    }
    const half_ahead<four> moments{four{} + a_.behind, four{} + a_.ahead};
    apply<Formula::memory>(typename Formula::central{}, p, moments, c, f);
    store(memory, pick(to.touch, f.spring, nothing));
    if constexpr (Formula::memory == 6) store(memory + 3, pick(to.touch, f.rolled, nothing));
    to.force = f.force;
    const vec3<four> turn = cross(f.normal, f.force);
    const four inward = 0.5 * c.overlap;
    to.torque_of_first = turn * (inward - radius_of_first);
    if constexpr (!same_torques<Alike>) to.torque_of_second = turn * (inward - radius_of_second);
    if constexpr (Formula::memory == 6) {
      to.torque_of_first = to.torque_of_first - f.torque;
      to.torque_of_second = to.torque_of_second + f.torque;
    }
    if constexpr (Formula::stiffens) check_four(a_.stable, g, to.touch, c);
  }

  // Whether both bodies get the same torque; then that of the second is not set.
  template <bool Alike>
  static constexpr bool same_torques = Alike&& Formula::memory == 3;

  // By body again.
  template <bool Alike>
  [[gnu::always_inline]] static void tell(const four_contacts& c, four_pushes& to) {
    const vec3<four> nothing{};
    turn_back(pick(c.touch, c.force, nothing), to.force);
    turn_back(pick(c.touch, c.torque_of_first, nothing), to.torque_of_first);
    if constexpr (same_torques<Alike>) {
      std::copy_n(to.torque_of_first, 4, to.torque_of_second);
    } else {
      turn_back(pick(c.touch, c.torque_of_second, nothing), to.torque_of_second);
    }
  }
  [[gnu::always_inline]] static void turn_back(const vec3<four>& v, four* to) {
    const turned_over t = turn_over(v.x, v.y, v.z, four{});
    to[0] = t.x;
    to[1] = t.y;
    to[2] = t.z;
    to[3] = t.w;
  }
  template <bool Alike>
  [[gnu::always_inline]] void add(const pair_group& g, const four_contacts& c) const {
    if (!any(c.touch)) return;
    four_pushes p;
    tell<Alike>(c, p);
    for (int n = 0; n < 4; ++n) {
      add_to(record_at(a_.push, g.second[n]), p.force[n]);
      take_from(record_at(a_.push, g.first[n]), p.force[n]);
      add_to(record_at(a_.turn, g.second[n]).torque, p.torque_of_second[n]);
      add_to(record_at(a_.turn, g.first[n]).torque, p.torque_of_first[n]);
    }
  }

  template <bool Alike>
  void tell_border(const pair_group& g, std::uint32_t shift, const four_contacts& c) const {
    four_pushes p;
    tell<Alike>(c, p);
    add_borders(a_, part_, g, shifts_at(part_, shift), p.force);
  }

  const numbers* pairs_;
  pair_arrays a_;
  close_part& part_;
};

}  // namespace abut::dem::ABUT_SET
