#pragma once

namespace abut::dem {

// What the formulas of laws work on. N is `double`, or `four` for four contacts at once.

template <class N>
struct vec3 {
  N x{};
  N y{};
  N z{};
};

/// What a formula for forces along the normal knows and says.
template <class N>
struct central_contact {
  N overlap{};
  N apart{};   ///< the speed at which the bodies move apart
  N mass{};    ///< reduced
  N radius{};  ///< reduced
  N stiffness{};
  N viscosity{};
  N energy{};
};

/// What a formula for friction and rolling resistance knows and says beside that.
template <class N>
struct frictional_contact {
  vec3<N> normal{};
  vec3<N> velocity{};
  vec3<N> spin{};
  vec3<N> slip{};    ///< the displacement since what is remembered; see as_given
  vec3<N> roll{};    ///< the rotation, in the same way
  vec3<N> spring{};  ///< the stretch of the tangential spring: as remembered, then as to be remembered
  vec3<N> rolled{};  ///< the same of the rolling spring
  vec3<N> force{};
  vec3<N> torque{};
};

/// The numbers of a pair of materials, for laws that are linear in the overlap.
template <class N>
struct linear_numbers {
  N k{};      ///< stiffness
  N share{};  ///< of critical damping, if damping is given as restitution
  N g{};      ///< viscosity, if not
  N rate{};   ///< viscosity per reduced mass, beside that
  N cohesion{};
  bool shares = false;  ///< whether any share is above 0
  bool rates = false;   ///< whether any rate is, here or of the tangential damping

  /// The same for four contacts.
  template <class Four>
  static linear_numbers<Four> join(const linear_numbers& a, const linear_numbers& b, const linear_numbers& c,
                                   const linear_numbers& d) {
    return {Four{a.k, b.k, c.k, d.k},
            Four{a.share, b.share, c.share, d.share},
            Four{a.g, b.g, c.g, d.g},
            Four{a.rate, b.rate, c.rate, d.rate},
            Four{a.cohesion, b.cohesion, c.cohesion, d.cohesion},
            a.shares || b.shares || c.shares || d.shares,
            a.rates || b.rates || c.rates || d.rates};
  }
};

/// The same with friction.
template <class N>
struct hooke_numbers {
  linear_numbers<N> central{};
  N kt{};               ///< tangential stiffness
  N kr{};               ///< rolling stiffness
  N slip_softness{};    ///< 1 / kt, or 0 without a spring
  N roll_softness{};    ///< 1 / kr, or 0 without a spring
  N gt{};               ///< tangential viscosity, if it is given or damping is not given as restitution
  N tangential_rate{};  ///< tangential viscosity per reduced mass, beside that
  N given{};            ///< whether gt counts: 1 or 0
  N friction{};
  N rolling{};
  bool implied = false;  ///< whether any gt does not count

  /// The same for four contacts.
  template <class Four>
  static hooke_numbers<Four> join(const hooke_numbers& a, const hooke_numbers& b, const hooke_numbers& c,
                                  const hooke_numbers& d) {
    return {linear_numbers<N>::template join<Four>(a.central, b.central, c.central, d.central),
            Four{a.kt, b.kt, c.kt, d.kt},
            Four{a.kr, b.kr, c.kr, d.kr},
            Four{a.slip_softness, b.slip_softness, c.slip_softness, d.slip_softness},
            Four{a.roll_softness, b.roll_softness, c.roll_softness, d.roll_softness},
            Four{a.gt, b.gt, c.gt, d.gt},
            Four{a.tangential_rate, b.tangential_rate, c.tangential_rate, d.tangential_rate},
            Four{a.given, b.given, c.given, d.given},
            Four{a.friction, b.friction, c.friction, d.friction},
            Four{a.rolling, b.rolling, c.rolling, d.rolling},
            a.implied || b.implied || c.implied || d.implied};
  }
};

/// The numbers of a pair of materials, for elastic spheres.
template <class N>
struct hertz_numbers {
  N young{};  ///< E* of Hertz: 1/E* = (1 - n1^2)/E1 + (1 - n2^2)/E2
  N share{};  ///< of critical damping

  /// The same for four contacts.
  template <class Four>
  static hertz_numbers<Four> join(const hertz_numbers& a, const hertz_numbers& b, const hertz_numbers& c,
                                  const hertz_numbers& d) {
    return {Four{a.young, b.young, c.young, d.young}, Four{a.share, b.share, c.share, d.share}};
  }
};

/// The same with friction.
template <class N>
struct mindlin_numbers {
  hertz_numbers<N> central{};
  N shear{};  ///< G* of Mindlin: 1/G* = (2 - n1)/G1 + (2 - n2)/G2 with G = E / (2 (1 + n))
  N friction{};
  N rolling{};

  /// The same for four contacts.
  template <class Four>
  static mindlin_numbers<Four> join(const mindlin_numbers& a, const mindlin_numbers& b, const mindlin_numbers& c,
                                    const mindlin_numbers& d) {
    return {hertz_numbers<N>::template join<Four>(a.central, b.central, c.central, d.central),
            Four{a.shear, b.shear, c.shear, d.shear}, Four{a.friction, b.friction, c.friction, d.friction},
            Four{a.rolling, b.rolling, c.rolling, d.rolling}};
  }
};

// The forces along the normal, which also name the laws with friction: see formulas.inl.
struct spring {};           // Ogarko and Luding 2011
struct cohesive_spring {};  // Lazarević, Dvornik and Fresl 2002
struct damped_spring {};    // Cundall and Strack 1979
struct elastic_spheres {};  // Hertz 1882, Mindlin 1949, Tsuji et al. 1992

}  // namespace abut::dem
