// What loops over close pairs share, which take four at a time, once per set of vector instructions: see
// vector_sets.hpp.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline vec3<four> three(const turned_over& t) { return {t.x, t.y, t.z}; }

// What second bodies have at a place of their records less what first bodies have there. The fourth number is the sum,
// or 0 if all bodies are alike.
template <bool Alike, class Member>
[[gnu::always_inline]] inline void differences(const body_record* body, const pair_group& g, Member member, four* to) {
  for (int n = 0; n < 4; ++n) {
    const four first = four_of(record_at(body, g.first[n]).*member);
    to[n] = four_of(record_at(body, g.second[n]).*member) - (Alike ? first : last_negated(first));
  }
}

// What four pairs share if all bodies are alike, with the bits that their records would give.
struct alike_pairs {
  explicit alike_pairs(const body_record& of)
      : radius_of_first(four{} + of.radius),
        radii(radius_of_first + of.radius),
        mass(1 / (four{} + of.mobility + of.mobility)) {}

  four radius_of_first, radii, mass;
};

[[gnu::always_inline]] inline four radii_of(const body_record* body, const record_offset* at) {
  return four{record_at(body, at[0]).radius, record_at(body, at[1]).radius, record_at(body, at[2]).radius,
              record_at(body, at[3]).radius};
}

// What the mobilities of four pairs along their normals are beside those of bodies that do not turn.
inline four levers_of(const tensor* lever, const pair_group& g, const vec3<four>& normal) {
  double of[4];
  for (int n = 0; n < 4; ++n) {
    const vec along_it{normal.x[n], normal.y[n], normal.z[n]};
    of[n] = along(lever[row_at(g.first[n])], along_it) + along(lever[row_at(g.second[n])], along_it);
  }
  return four{of[0], of[1], of[2], of[3]};
}

// The numbers of the shifts of a group of pairs, by its `group_shift`; null if none of its bodies is shifted.
[[gnu::always_inline]] inline const std::uint32_t* shifts_at(const close_part& part, std::uint32_t at) {
  return at == 0 ? nullptr : part.four_shifts.data() + at;
}

// For four pairs, some of them through a border that moves.
inline void add_speeds(const close_part& part, const std::uint32_t* shift, four* m) {
  for (int n = 0; n < 4; ++n) m[n] += four_of(part.speeds[shift[n]]);
}

// Takes down what four pairs do through borders; the shift of those that do not is 0.
inline void add_borders(const pair_arrays& a, const close_part& part, const pair_group& g, const std::uint32_t* shift,
                        const four* force) {
  for (int n = 0; n < 4; ++n) add_to(record_at(a.border, g.first[n]), four_of(part.shifts[shift[n]]) * force[n]);
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
    stable.check(c, row_at(g.first[n]));
  }
}

// Into the second cache: it is needed later.
template <class T>
[[gnu::always_inline]] inline void fetch_far(const T* what) {
  __builtin_prefetch(what, 1, 2);
}

}  // namespace abut::dem::ABUT_SET
