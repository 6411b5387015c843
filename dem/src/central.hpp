#pragma once

namespace abut::dem {

// What the forces along the normal are computed from. N is `double`, or `four` for four contacts at once.

/// A contact without its vectors.
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

/// The numbers of a pair of materials, for laws that are linear in the overlap.
template <class N>
struct linear_numbers {
  N k{};                // stiffness
  N share{};            // of critical damping, if damping is given as restitution
  N g{};                // viscosity, if not
  N cohesion{};
  bool shares = false;  // whether any share is above 0

  /// The same for four contacts.
  template <class Four>
  static linear_numbers<Four> join(const linear_numbers& a, const linear_numbers& b, const linear_numbers& c,
                                   const linear_numbers& d) {
    return {Four{a.k, b.k, c.k, d.k}, Four{a.share, b.share, c.share, d.share}, Four{a.g, b.g, c.g, d.g},
            Four{a.cohesion, b.cohesion, c.cohesion, d.cohesion}, a.shares || b.shares || c.shares || d.shares};
  }
};

/// The same for elastic spheres.
template <class N>
struct hertz_numbers {
  N young{};  // E* of Hertz: 1/E* = (1 - n1^2)/E1 + (1 - n2^2)/E2
  N share{};  // of critical damping

  /// The same for four contacts.
  template <class Four>
  static hertz_numbers<Four> join(const hertz_numbers& a, const hertz_numbers& b, const hertz_numbers& c,
                                  const hertz_numbers& d) {
    return {Four{a.young, b.young, c.young, d.young}, Four{a.share, b.share, c.share, d.share}};
  }
};

// The forces along the normal: see central.inl.
struct spring {};           // Ogarko and Luding 2011
struct cohesive_spring {};  // Lazarević, Dvornik and Fresl 2002
struct damped_spring {};    // Cundall and Strack 1979
struct elastic_spheres {};  // Hertz 1882, Tsuji et al. 1992

}  // namespace abut::dem
