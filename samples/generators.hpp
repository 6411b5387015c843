#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "samples.hpp"

/// The larger samples: spheres (in 2D discs) of any count to 50 million. As everywhere in samples/, the same seed gives
/// the same bits on every machine. What cannot be made is an `abut::error` that says why.
namespace abut::samples {

/// A lattice as in samples.hpp, with a spacing and a jitter (as a part of it) for each axis.
set lattice(shape kind, int dimension, std::size_t count, const std::array<double, 3>& spacing,
            const std::array<double, 3>& jitter, double r, std::uint64_t seed, bool shuffled = true);

/// How the radii between r_max / ratio and r_max are distributed.
enum class size_law {
  equal,         ///< all r_max, whatever the ratio
  uniform,       ///< any radius is as likely as any other
  inverse_cube,  ///< number density ~ r^-3: in 3D as much volume in any interval of radii as in any other of its width
  by_mass,       ///< the passing by mass is linear in the logarithm of the size
};

/// `count` radii, in random order.
std::vector<double> radii(size_law law, int dimension, std::size_t count, double r_max, double ratio, random& rng);

/// What a packing is to be.
struct packing_request {
  int dimension = 3;
  std::size_t count = 0;
  size_law sizes = size_law::equal;
  double r_max = 0.5;
  double ratio = 1;       ///< of the largest to the smallest radius, at least 1
  double fraction = 0.3;  ///< of the box that the bodies fill
  std::uint64_t seed = 1;
  bool shuffled = true;  ///< sizes and places in random order; otherwise as they came in, largest first
  bool single = false;   ///< every number is one that float holds, so that float files keep bodies apart too
  std::function<void(double part)> progress = {};  ///< called now and then
};

struct packed {
  set bodies{};
  double side = 0;  ///< of the box
};

/// Random sequential insertion: each body, the largest first (in classes of 10 %), goes to a place that is drawn anew
/// until no other is there. No two bodies overlap, not even by touching, and all lie wholly inside of the box from 0 to
/// `side` on every axis. Throws where there is no room left: near 0.38 for equal spheres (a known fraction, refused at
/// once), 0.547 for discs, and more the wider the sizes range. Takes about 2 us a body at a fraction of 0.3.
packed packing(const packing_request& request);

/// The largest fraction that `packing` tries for bodies of one size.
double most_equal_fraction(int dimension);

/// A single layer in space: the sites of a square lattice of this spacing in the plane z = 0, each moved by up to
/// `jitter` (a length) on each of the three axes.
set sheet(std::size_t count, double spacing, double jitter, double r, std::uint64_t seed, bool shuffled = true);

/// Sites at this spacing from the origin along `direction` (of any length but 0), each moved by up to `jitter` (a
/// length) on each axis.
set line(int dimension, std::size_t count, const std::array<double, 3>& direction, double spacing, double jitter,
         double r, std::uint64_t seed, bool shuffled = true);

/// Centers at random on a sphere (in 2D a circle) around the origin, of the radius that leaves each an area of
/// spacing^2 (in 2D an arc of this length), then moved in or out by up to `jitter` (a length). They may overlap.
set shell(int dimension, std::size_t count, double spacing, double jitter, double r, std::uint64_t seed);

enum class arrangement { cubic, hexagonal };

/// A lattice (the first `count` sites of n by n by n) of which every two neighbors count as touching and no other two
/// do: square or cubic, or the closest packing of discs or spheres (hexagonal, layers ABAB). The coordinates are
/// multiples of steps so short in bits that all sums and differences are exact. Along x (cubic: along every axis)
/// bodies touch to the bit: with the next smaller radius they miss. Aslant the square root of 3 stands in the way:
/// those neighbors are nearer by some units of the last place of the largest coordinate. The diameter is `d` to this
/// precision. With `single` all this holds for float.
set touching_lattice(arrangement how, int dimension, std::size_t count, double d, std::uint64_t seed,
                     bool shuffled = true, bool single = false);

}  // namespace abut::samples
