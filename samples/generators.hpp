#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "samples.hpp"

/// Larger samples: up to 50 million spheres (in 2D, discs). The same seed gives the same bits on every machine. Throws
/// `abut::error`, with the reason, for a sample that cannot be made.
namespace abut::samples {

/// A lattice as in samples.hpp, with a spacing for each axis, and a jitter in units of that spacing.
set lattice(shape kind, int dimension, std::size_t count, const std::array<double, 3>& spacing,
            const std::array<double, 3>& jitter, double r, std::uint64_t seed, bool shuffled = true);

/// How the radii between r_max / ratio and r_max are distributed.
enum class size_law {
  equal,         ///< all r_max; the ratio is ignored
  uniform,       ///< every radius is equally likely
  inverse_cube,  ///< number density ~ r^-3: in 3D, intervals of radii of the same width have the same volume
  by_mass,       ///< equal mass in each octave of sizes
};

/// `count` radii, in random order.
std::vector<double> radii(size_law law, int dimension, std::size_t count, double r_max, double ratio, random& rng);

/// The options of a packing.
struct packing_request {
  int dimension = 3;
  std::size_t count = 0;
  size_law sizes = size_law::equal;
  double r_max = 0.5;
  double ratio = 1;       ///< of the largest to the smallest radius, at least 1
  double fraction = 0.3;  ///< the part of the box that the bodies fill
  std::uint64_t seed = 1;
  bool shuffled = true;  ///< rows in random order; otherwise in the order of insertion, largest first
  bool single = false;   ///< all numbers are exact in float, so that bodies stay apart in float files
  std::function<void(double part)> progress = {};  ///< called from time to time with the part that is done
};

/// A packing.
struct packed {
  set bodies{};
  double side = 0;  ///< of the box
};

/// Random sequential insertion: for each body, the largest first (in classes of 10 %), draws places until one is free.
/// No two bodies overlap or touch, and all lie inside the box from 0 to `side` on every axis. Throws `error` if there
/// is no room: at a fraction of about 0.38 for equal spheres and 0.547 for equal discs (refused at once), and at larger
/// ones for wider ranges of sizes. Takes about 2 us per body at a fraction of 0.3.
packed packing(const packing_request& request);

/// The largest fraction that `packing` accepts for bodies of one size.
double most_equal_fraction(int dimension);

/// A single layer in 3D: a square lattice of this spacing in the plane z = 0, each body moved by up to `jitter` (a
/// length) on each of the three axes.
set sheet(std::size_t count, double spacing, double jitter, double r, std::uint64_t seed, bool shuffled = true);

/// Bodies at this spacing along `direction` (of any length but 0), from the origin, each moved by up to `jitter` (a
/// length) on each axis.
set line(int dimension, std::size_t count, const std::array<double, 3>& direction, double spacing, double jitter,
         double r, std::uint64_t seed, bool shuffled = true);

/// Bodies at random on a sphere (in 2D, a circle) around the origin, moved in or out by up to `jitter` (a length). They
/// may overlap. The sphere has an area of spacing^2 per body (in 2D, an arc of length `spacing`).
set shell(int dimension, std::size_t count, double spacing, double jitter, double r, std::uint64_t seed);

/// Square or cubic, or the closest packing of discs or spheres (hexagonal layers, ABAB).
enum class arrangement { cubic, hexagonal };

/// A lattice (the first `count` sites of n by n by n) in which neighbors touch and no other two bodies do. Coordinates
/// are multiples of steps with so few bits that all sums and differences are exact. Along x (cubic: along every axis)
/// bodies touch to the bit: with the next smaller radius they would not. In oblique directions, which involve the
/// square root of 3, neighbors are closer than that by some units in the last place of the largest coordinate. The
/// diameter is `d` to that precision. With `single`, all of this holds for float.
set touching_lattice(arrangement how, int dimension, std::size_t count, double d, std::uint64_t seed,
                     bool shuffled = true, bool single = false);

}  // namespace abut::samples
