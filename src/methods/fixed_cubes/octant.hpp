#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace abut {

/// The cubes in which a body no wider than a cube lies (Lazarević et al. 2002, 3.2 and 3.3): its central cube and, of
/// the 26 cubes around it (in 2D: 8), some of the 7 (3) on the side of the octant that its center is in.
///
/// A cube is identified by the set of axes along which it is the next one in the octant's direction: bit k for axis k.
/// The paper's k_1 to k_8 are the sets 0 to 7.
template <int D>
struct octant {
  static constexpr unsigned sets = 1U << D;
  static constexpr unsigned all = (1U << sets) - 1;

  std::uint8_t upper = 0;  ///< bit k: along axis k the center is in the upper half, and the next cube is the one above
  std::uint8_t met = 1;    ///< bit s: the body lies in the cube of set s

  [[nodiscard]] bool meets(unsigned s) const { return (met >> s & 1U) != 0; }

  /// How many examinations (9) and (12) to (14) there are: of the center on each axis, and of each cube.
  static constexpr int most_examinations = D + static_cast<int>(sets) - 1;

  /// The octant and the cubes of a ball. `part` is the part of its cube that lies below the center, on each axis;
  /// `reach` is its radius in edges of a cube, below 1/2.
  [[nodiscard]] static octant of_ball(const double (&part)[D], double reach) {
    const distances d(part);
    // Faces (12), edges (13) and the corner (14), in the order (16), which is that of the sets. The paper leaves out
    // tests that others decide; we make all of them, since an addition costs less than a mispredicted branch.
    unsigned met = 1;
    for (unsigned s = 1; s < sets; ++s) met |= d.square_to(s) <= reach * reach ? 1U << s : 0U;
    return {d.upper, static_cast<std::uint8_t>(met)};
  }

  /// The same by the paper's tree (3.5): in the order (16), an edge is examined only if both its faces are met, the
  /// corner only if all edges are. Adds the number of examinations that it makes: in 3D from 6 to 10.
  [[nodiscard]] static octant by_tree(const double (&part)[D], double reach, std::uint64_t& examinations) {
    const distances d(part);
    examinations += D;
    octant in{d.upper, 1};
    for (unsigned s = 1; s < sets; ++s) {
      if (!in.may_meet(s)) continue;
      ++examinations;
      if (d.square_to(s) <= reach * reach) in.met = static_cast<std::uint8_t>(in.met | 1U << s);
    }
    return in;
  }

  /// Removes the cubes that are the next one along axis k.
  void leave_out(int k) {
    for (unsigned s = 1; s < sets; ++s) {
      if ((s >> k & 1U) != 0) met = static_cast<std::uint8_t>(met & ~(1U << s));
    }
  }

  /// In which of the 13 (4) neighbors that come before the cube of set s the body lies too: bit n - 1 for the neighbor
  /// n steps before it, in the order of cubes (z, then y, then x).
  [[nodiscard]] std::uint16_t before(unsigned s) const {
    unsigned bits = 0;
    for (unsigned t = 0; t < sets; ++t) bits |= meets(t) ? earlier[upper][s][t] : 0U;
    return static_cast<std::uint16_t>(bits);
  }

 private:
  // Where a center lies in its cube, and how far it is from the cubes next to it.
  struct distances {
    std::uint8_t upper = 0;
    double squares[D];  // of the distance from the face on each axis

    explicit distances(const double (&part)[D]) {
      unsigned bits = 0;
      for (int k = 0; k < D; ++k) {
        const double distance = 0.5 - std::abs(part[k] - 0.5);  // (10), (11)
        bits |= part[k] >= 0.5 ? 1U << k : 0U;                  // (9), with (19)
        squares[k] = distance * distance;
      }
      upper = static_cast<std::uint8_t>(bits);
    }

    [[nodiscard]] double square_to(unsigned s) const {
      double sum = 0;
      for (int k = 0; k < D; ++k) sum += (s >> k & 1U) != 0 ? squares[k] : 0.0;
      return sum;
    }
  };

  // Whether a body can lie in the cube of set s: it lies in those that are next to the central cube along one axis
  // less.
  [[nodiscard]] bool may_meet(unsigned s) const {
    bool possible = true;
    for (int k = 0; k < D; ++k) possible = possible && ((s >> k & 1U) == 0 || meets(s ^ (1U << k)));
    return possible;
  }

  // How many steps the cube of set s comes after the central one, as if every line and every layer had three cubes. So
  // the difference of two steps identifies the neighbor.
  [[nodiscard]] static constexpr int step(unsigned upper, unsigned s) {
    int sum = 0;
    int weight = 1;
    for (int k = 0; k < D; ++k) {
      if ((s >> k & 1U) != 0) sum += (upper >> k & 1U) != 0 ? weight : -weight;
      weight *= 3;
    }
    return sum;
  }

  using bits_of_sets = std::array<std::array<std::array<std::uint16_t, sets>, sets>, sets>;

  // By octant and two sets: the bit of the second set's cube if that comes before the first set's cube, else 0.
  [[nodiscard]] static constexpr bits_of_sets make_earlier() {
    bits_of_sets bits{};
    for (unsigned u = 0; u < sets; ++u) {
      for (unsigned s = 0; s < sets; ++s) {
        for (unsigned t = 0; t < sets; ++t) {
          const int steps = step(u, s) - step(u, t);
          bits[u][s][t] = static_cast<std::uint16_t>(steps > 0 ? 1U << (steps - 1) : 0U);
        }
      }
    }
    return bits;
  }
  static const bits_of_sets earlier;
};

template <int D>
inline constexpr typename octant<D>::bits_of_sets octant<D>::earlier = octant<D>::make_earlier();

/// The neighbors before a cube that lie within a range of cubes. Bit k of `at_lower` and `at_upper` says whether the
/// cube is the first or the last of the range on axis k.
template <int D>
[[nodiscard]] std::uint16_t before_within(unsigned at_lower, unsigned at_upper) {
  static const auto table = [] {
    std::array<std::uint16_t, 1U << (2 * D)> all{};
    constexpr int half = D == 2 ? 4 : 13;
    for (unsigned flags = 0; flags < all.size(); ++flags) {
      for (int n = 1; n <= half; ++n) {
        bool inside = true;
        int rest = half - n;  // the offset of the neighbor: a digit 0, 1, 2 for each axis stands for -1, 0, 1
        for (int k = 0; k < D; ++k) {
          const int digit = rest % 3;
          rest /= 3;
          inside = inside && !(digit == 0 && (flags >> k & 1U) != 0) && !(digit == 2 && (flags >> (D + k) & 1U) != 0);
        }
        if (inside) all[flags] = static_cast<std::uint16_t>(all[flags] | 1U << (n - 1));
      }
    }
    return all;
  }();
  return table[at_lower | at_upper << D];
}

}  // namespace abut
