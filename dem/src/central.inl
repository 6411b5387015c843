// The forces along the normal, once per set of vector instructions: see vector_sets.hpp. Formulas and sources:
// docs/simulation.md. A force above 0 pushes the bodies apart.

namespace abut::dem::ABUT_SET {

#if ABUT_WIDE_SET
[[gnu::always_inline]] inline four root(const four& x) { return _mm256_sqrt_pd(x); }
[[gnu::always_inline]] inline bool any(const four_bits& mask) {
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
}
#else
[[gnu::always_inline]] inline four root(const four& x) {
  return four{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
}
[[gnu::always_inline]] inline bool any(const four_bits& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }
#endif
[[gnu::always_inline]] inline double root(double x) { return std::sqrt(x); }

// `a` where the mask is set, `b` elsewhere.
[[gnu::always_inline]] inline four pick(const four_bits& mask, const four& a, const four& b) {
  return reinterpret_cast<four>((reinterpret_cast<four_bits>(a) & mask) | (reinterpret_cast<four_bits>(b) & ~mask));
}
[[gnu::always_inline]] inline double pick(bool mask, double a, double b) { return mask ? a : b; }

template <class N>
[[gnu::always_inline]] inline N viscosity_of(const linear_numbers<N>& p, const central_contact<N>& c) {
  return p.shares ? pick(p.share > 0, 2 * p.share * root(c.mass * p.k), p.g) : p.g;
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

}  // namespace abut::dem::ABUT_SET
