#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <abut/bodies.hpp>

/// Sets of bodies that tests, benchmarks and examples share. The same seed gives the same bits on every machine: their
/// coordinates come from + - * / and square roots alone, which IEEE 754 rounds in one way (pow, exp and log it does
/// not).
namespace abut::samples {

/// Random numbers of our own (splitmix64), because the standard's distributions differ from library to library.
class random {
 public:
  explicit random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// From [0, 1).
  double uniform();
  /// From [min, max), rounding aside.
  double uniform(double min, double max);
  /// From 0 to n - 1; n is not 0.
  std::size_t below(std::size_t n);
  /// The numbers 0 to n - 1 in random order.
  std::vector<row> permutation(std::size_t n);

 private:
  std::uint64_t state_;
};

/// Bodies that own their numbers, in packed columns: x, y, (z,) r or the minima, then the maxima.
struct set {
  shape kind = shape::sphere;
  int dimension = 3;
  std::array<std::vector<double>, 6> column{};
  std::vector<std::uint8_t> fixed{};  ///< empty: none is

  [[nodiscard]] std::size_t size() const { return column[0].size(); }
  /// How many of the columns are in use.
  [[nodiscard]] int columns() const { return kind == shape::sphere ? dimension + 1 : 2 * dimension; }
  /// A view of the columns, for a search. The set must outlive its use and stay where it is.
  [[nodiscard]] bodies view() const;
  /// Adds a sphere, or the box around it. In 2D z is left out.
  void add(double x, double y, double z, double r);
  /// Adds a box to a set of boxes, or its largest sphere to a set of spheres.
  void add_box(const std::array<double, 3>& min, const std::array<double, 3>& max);
  void reserve(std::size_t count);
};

/// The rows `which` of `bodies`, in that order; a row may come twice.
set select(const set& bodies, const std::vector<row>& which);

/// `count` bodies of radius r on a square or cubic lattice (the first `count` sites of the smallest that holds them,
/// from the origin), each moved by up to `jitter` times the spacing on each axis, in random order if `shuffled`.
set lattice(shape kind, int dimension, std::size_t count, double spacing, double jitter, double r, std::uint64_t seed,
            bool shuffled = true);

/// `count` bodies uniformly in a cube at the origin such that their volumes add up to `fraction` of it (they may
/// overlap); radii log-uniform between r_max / ratio and r_max.
set uniform(shape kind, int dimension, std::size_t count, double fraction, double r_max, double ratio,
            std::uint64_t seed);

/// Dense clusters of `each` bodies (lattices of spacing 2r with jitter 0.1), their centers uniform in a cube of side
/// `side`; in random order.
set clusters(shape kind, int dimension, std::size_t count, std::size_t each, double side, double r, std::uint64_t seed);

/// Pairs that touch exactly by the definition of `overlap` with this margin (rows 4k and 4k + 1), or miss by one bit
/// (rows 4k + 2 and 4k + 3), at awkward coordinates: the traps for methods that prune on c - r and c + r without room
/// for rounding. Three in four touch along an axis, which is where such a prune fails.
set touching(shape kind, int dimension, std::size_t count, std::uint64_t seed, double margin = 0);

/// One body of radius `ratio` r (row count / 2) in the middle of `count` - 1 specks of radius r. The specks fill 30 %
/// of their cube, or less where the cube must be larger to have room for the giant one and a half times.
set giant(shape kind, int dimension, std::size_t count, double r, double ratio, std::uint64_t seed);

/// Adds `offset` to every coordinate.
void translate(set& bodies, double offset);

/// A sample that every method must master, at a size that the brute force can check.
struct sample {
  std::string name;
  std::function<set(shape, int dimension, std::uint64_t seed)> make;
  bool has_pairs = true;  ///< whether some of its bodies overlap, for every shape, dimension and seed
};

/// The list that the tests walk: random, lattice, exactly touching, coincident, empty, one body, ... None has more than
/// 400 bodies.
const std::vector<sample>& all();

}  // namespace abut::samples
