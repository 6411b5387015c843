// The formulas of laws, once per set of vector instructions: see vector_sets.hpp. Formulas and sources:
// docs/simulation.md.
//
// Signs: the normal points from the first body to the second, forces are on the second. So a normal force above 0
// pushes the bodies apart.

namespace abut::dem::ABUT_SET {

[[gnu::always_inline]] inline double root(double x) { return std::sqrt(x); }

// `a` where the mask is set, `b` elsewhere.
[[gnu::always_inline]] inline double pick(bool mask, double a, double b) { return mask ? a : b; }

template <class Mask, class N>
[[gnu::always_inline]] inline vec3<N> pick(const Mask& mask, const vec3<N>& a, const vec3<N>& b) {
  return {pick(mask, a.x, b.x), pick(mask, a.y, b.y), pick(mask, a.z, b.z)};
}
[[gnu::always_inline]] inline bool any(bool mask) { return mask; }

template <class N>
[[gnu::always_inline]] inline vec3<N> operator+(const vec3<N>& a, const vec3<N>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class N>
[[gnu::always_inline]] inline vec3<N> operator-(const vec3<N>& a, const vec3<N>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class N>
[[gnu::always_inline]] inline vec3<N> operator-(const vec3<N>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class N>
[[gnu::always_inline]] inline vec3<N> operator*(const vec3<N>& a, const N& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class N>
[[gnu::always_inline]] inline N dot(const vec3<N>& a, const vec3<N>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class N>
[[gnu::always_inline]] inline vec3<N> cross(const vec3<N>& a, const vec3<N>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// The part of `a` across the unit vector `n`.
template <class N>
[[gnu::always_inline]] inline vec3<N> across(const vec3<N>& a, const vec3<N>& n) {
  return a - n * dot(a, n);
}

template <class N>
[[gnu::always_inline]] inline N viscosity_of(const linear_numbers<N>& p, const central_contact<N>& c) {
  N viscosity = p.g;
  if (p.shares) viscosity = pick(p.share > 0, 2 * p.share * root(c.mass * p.k), p.g);
  if (p.rates) viscosity += p.rate * c.mass;
  return viscosity;
}

template <class N>
[[gnu::always_inline]] inline N force_of(spring, const linear_numbers<N>& p, central_contact<N>& c) {
  c.stiffness = p.k;
  c.energy = 0.5 * p.k * c.overlap * c.overlap;
  return p.k * c.overlap;
}

// Equations (2)-(5) and (20)-(22): spring and dashpot while bodies overlap; a spring that pulls while they move apart
// within the reach of cohesion.
template <class N>
[[gnu::always_inline]] inline N force_of(cohesive_spring, const linear_numbers<N>& p, central_contact<N>& c) {
  c.stiffness = p.k;
  c.viscosity = viscosity_of(p, c);
  const N elastic = p.k * c.overlap;
  const N pull = pick(c.apart > 0, pick(elastic >= -p.cohesion, elastic, N{}), N{});
  const N force = pick(c.overlap > 0, elastic - c.viscosity * c.apart, pull);
  c.energy = pick(force != 0, 0.5 * p.k * c.overlap * c.overlap, N{});
  return force;
}

template <class N>
[[gnu::always_inline]] inline N force_of(damped_spring, const linear_numbers<N>& p, central_contact<N>& c) {
  c.stiffness = p.k;
  c.viscosity = viscosity_of(p, c);
  c.energy = 0.5 * p.k * c.overlap * c.overlap;
  return p.k * c.overlap - c.viscosity * c.apart;
}

// The radius of the area of contact.
template <class N>
[[gnu::always_inline]] inline N area_radius(const central_contact<N>& c) {
  return root(c.radius * pick(c.overlap > 0, c.overlap, N{}));
}

// Of Tsuji et al.'s damping, which gives a restitution that does not depend on the velocity; its closed form is by
// Antypov and Elliott 2011: 2 sqrt(5/6).
constexpr double tsuji = 1.8257418583505538;

template <class N>
[[gnu::always_inline]] inline N force_of(elastic_spheres, const hertz_numbers<N>& p, central_contact<N>& c) {
  const N kn = 2 * p.young * area_radius(c);  // d force / d overlap
  const N elastic = kn * c.overlap * (2.0 / 3);
  c.stiffness = kn;
  c.viscosity = tsuji * p.share * root(kn * c.mass);
  c.energy = 0.4 * elastic * c.overlap;
  return elastic - c.viscosity * c.apart;
}

// A spring and a dashpot across the normal.
template <class N>
struct tangential_spring {
  N k, g;
  N softness;  // 1 / k, or 0 without a spring
};

// Of friction and rolling resistance, once the normal force is known.
template <class N>
struct tangential {
  tangential_spring<N> slips, rolls;
  N friction, rolling;
};

template <class N>
[[gnu::always_inline]] inline tangential<N> tangential_of(damped_spring, const hooke_numbers<N>& p,
                                                          const central_contact<N>& c) {
  N gt = p.gt;
  N gr = p.gt;  // a rolling spring has a mass like that of the tangential one
  if (p.implied) {
    gt = pick(p.given > 0, p.gt, 2 * p.central.share * root(c.mass * p.kt));
    gr = pick(p.given > 0, p.gt, 2 * p.central.share * root(c.mass * p.kr));
  }
  if (p.central.rates) {
    gt += p.tangential_rate * c.mass;
    gr += p.tangential_rate * c.mass;
  }
  return {{p.kt, gt, p.slip_softness}, {p.kr, gr, p.roll_softness}, p.friction, p.rolling};
}

// Mindlin's tangential stiffness without partial slip.
template <class N>
[[gnu::always_inline]] inline tangential<N> tangential_of(elastic_spheres, const mindlin_numbers<N>& p,
                                                          const central_contact<N>& c) {
  const N kt = 8 * p.shear * area_radius(c);
  const N gt = tsuji * p.central.share * root(kt * c.mass);
  const tangential_spring<N> s{kt, gt, pick(kt > 0, 1 / kt, N{})};
  return {s, s, p.friction, p.rolling};
}

// A spring that was turned along with the contact: in the new tangential plane, as long as before.
template <class N>
[[gnu::always_inline]] inline vec3<N> turned_along(const vec3<N>& spring, const vec3<N>& normal) {
  const N along = dot(spring, normal);
  const vec3<N> flat = spring - normal * along;
  const N now = dot(flat, flat);
  const N turn2 = along * along / now;  // nearly always small, the normal turns little in a step
  N longer = 1 + turn2 * (0.5 - 0.125 * turn2);
  const auto much = turn2 > 1e-4;
  if (any(much)) [[unlikely]]
    longer = pick(much, root(1 + turn2), longer);
  return pick(now > 0, flat * longer, vec3<N>{});
}

// What the spring keeps of its stretch once it yields with this force. Where stiffness and viscosity are constant: what
// the force needs beside the dashpot's.
template <class N>
[[gnu::always_inline]] inline vec3<N> yielded(damped_spring, const vec3<N>& /*spring*/, const vec3<N>& force,
                                              const vec3<N>& v, const tangential_spring<N>& s, const N& /*most*/) {
  return (force + v * s.g) * -s.softness;
}

// At the start of a contact of elastic spheres, viscosity per stiffness grows without bounds, and with it that stretch.
// So the spring is cut to what the largest force needs, and otherwise stays.
template <class N>
[[gnu::always_inline]] inline vec3<N> yielded(elastic_spheres, const vec3<N>& spring, const vec3<N>& /*force*/,
                                              const vec3<N>& /*v*/, const tangential_spring<N>& s, const N& most) {
  const N longest = most * s.softness;
  const N size2 = dot(spring, spring);
  return pick(size2 > longest * longest, spring * (longest / root(size2)), spring);
}

// A spring and a dashpot in parallel that yield beyond a largest force (Cundall and Strack 1979): the force against the
// displacement `step` at the velocity `v`, both in the tangential plane.
template <class Kind, class N>
[[gnu::always_inline]] inline vec3<N> yielding(Kind kind, vec3<N>& spring, const vec3<N>& step, const vec3<N>& v,
                                               const tangential_spring<N>& s, const N& most) {
  spring = spring + step;
  const vec3<N> wanted = -(spring * s.k) - v * s.g;
  const N size2 = dot(wanted, wanted);
  const auto yields = size2 > most * most;
  if (!any(yields)) return wanted;
  const vec3<N> force = pick(yields, wanted * (most / root(size2)), wanted);
  spring = pick(yields, yielded(kind, spring, force, v, s, most), spring);
  return force;
}

// What is left of a spring's stretch when the overlap changes. Where the stiffness is constant: all.
template <class N>
[[gnu::always_inline]] inline vec3<N> reloaded(damped_spring, const vec3<N>& spring, const N& /*before*/,
                                               const N& /*now*/) {
  return spring;
}

// Stiffness grows and shrinks with the area of contact. What is added is without stress at first, so the force stays
// while a contact is loaded; what is given up takes its share of the force along (Elata and Berryman 1996; Thornton,
// Cummins and Cleary 2013). So neither makes energy.
template <class N>
[[gnu::always_inline]] inline vec3<N> reloaded(elastic_spheres, const vec3<N>& spring, const N& before, const N& now) {
  const N held = pick(before > 0, before, N{});
  const N narrower = root(held / now);
  return pick(now > held, spring * narrower, spring);  // not if both are 0: bodies that just touch
}

// A sphere's surface is moved by tangential forces as if its mass were 2/7 of its mass (a disc's: 1/3), so tangential
// stiffness and viscosity count this many times in a bound on the time step.
constexpr double tangential_share = 3.5;

template <class N>
[[gnu::always_inline]] inline N larger(const N& a, const N& b) {
  return pick(a > b, a, b);
}

// How far a contact slips (or rolls) from the moment of what it remembers to now, and from now to the moment of what it
// will remember.

// Remembered is the end of a step; the displacement is given.
struct as_given {
  template <class N>
  [[nodiscard, gnu::always_inline]] N since(const N& given, const N& /*speed*/) const {
    return given;
  }
  template <class N>
  [[nodiscard, gnu::always_inline]] N until(const N& /*speed*/) const {
    return {};
  }
  template <class N>
  [[nodiscard, gnu::always_inline]] vec3<N> since(const vec3<N>& given, const vec3<N>& /*velocity*/) const {
    return given;
  }
  template <class N>
  [[nodiscard, gnu::always_inline]] vec3<N> until(const vec3<N>& spring, const vec3<N>& /*velocity*/) const {
    return spring;
  }
};

// Remembered is the middle of the next step: half of each step counts with the velocity at its start, half with that at
// its end, which is exact to the second order. So nothing must be known but the velocities at the end of this step.
// If the velocities are those in mid-step, the end of this step is remembered.
template <class N>
struct half_ahead {
  N behind{};  // half of this step, or all of it
  N ahead{};   // half of the next, or 0
  [[nodiscard, gnu::always_inline]] N since(const N& /*given*/, const N& speed) const { return speed * behind; }
  [[nodiscard, gnu::always_inline]] N until(const N& speed) const { return speed * ahead; }
  [[nodiscard, gnu::always_inline]] vec3<N> since(const vec3<N>& /*given*/, const vec3<N>& velocity) const {
    return velocity * behind;
  }
  [[nodiscard, gnu::always_inline]] vec3<N> until(const vec3<N>& spring, const vec3<N>& velocity) const {
    return spring + velocity * ahead;
  }
};

// All of a law with friction, and with rolling resistance if Memory is 6.
template <std::size_t Memory, class Kind, class Numbers, class N, class Moments>
[[gnu::always_inline]] inline void apply(Kind kind, const Numbers& p, const Moments& moments, central_contact<N>& c,
                                         frictional_contact<N>& f) {
  c.apart = dot(f.velocity, f.normal);
  const N push = force_of(kind, p.central, c);
  const tangential<N> t = tangential_of(kind, p, c);
  const N pressed = pick(push > 0, push, N{});
  const vec3<N> slipping = f.velocity - f.normal * c.apart;
  const vec3<N> slip = moments.since(across(f.slip, f.normal), slipping);
  const N before = c.overlap + moments.since(dot(f.slip, f.normal), c.apart);
  const N after = c.overlap - moments.until(c.apart);
  f.spring = reloaded(kind, f.spring, before, c.overlap);
  f.force = f.normal * push + yielding(kind, f.spring, slip, slipping, t.slips, t.friction * pressed);
  c.energy += 0.5 * t.slips.k * dot(f.spring, f.spring);
  f.spring = reloaded(kind, moments.until(f.spring, slipping), c.overlap, after);
  c.stiffness = larger<N>(c.stiffness, tangential_share * t.slips.k);
  c.viscosity = larger<N>(c.viscosity, tangential_share * t.slips.g);
  if constexpr (Memory == 6) {
    // Rolled lengths: rotations about the tangential axes, times the reduced radius.
    const vec3<N> rolling = across(f.spin, f.normal) * c.radius;
    const vec3<N> roll = moments.since(across(f.roll, f.normal) * c.radius, rolling);
    f.rolled = reloaded(kind, f.rolled, before, c.overlap);
    f.torque = yielding(kind, f.rolled, roll, rolling, t.rolls, t.rolling * pressed) * c.radius;
    c.energy += 0.5 * t.rolls.k * dot(f.rolled, f.rolled);
    f.rolled = reloaded(kind, moments.until(f.rolled, rolling), c.overlap, after);
    c.stiffness = larger<N>(c.stiffness, tangential_share * t.rolls.k);
    c.viscosity = larger<N>(c.viscosity, tangential_share * t.rolls.g);
  }
}

}  // namespace abut::dem::ABUT_SET
