#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <abut/bodies.hpp>

/// Sets of bodies that tests, benchmarks and the program share. The same seed gives the same bits on every machine,
/// because coordinates are computed by + - * / and square roots only, whose rounding IEEE 754 prescribes (unlike that
/// of pow, exp and log).
namespace abut::samples {

/// Random numbers (splitmix64). The standard's distributions differ from library to library.
class random {
 public:
  explicit random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in [0, 1).
  double uniform();
  /// Uniform in [min, max), except for rounding.
  double uniform(double min, double max);
  /// Uniform in 0 to n - 1; n must not be 0.
  std::size_t below(std::size_t n);
  /// The numbers 0 to n - 1 in random order.
  std::vector<row> permutation(std::size_t n);

 private:
  std::uint64_t state_;
};

/// Bodies that own their columns, in the order of `bodies::at`: x, y, z (in 3D) and r, or all minima, then all maxima.
struct set {
  shape kind = shape::sphere;
  int dimension = 3;
  std::array<std::vector<double>, 6> column{};
  std::vector<std::uint8_t> fixed{};      ///< empty if no body is fixed
  std::vector<std::int32_t> group{};      ///< empty if there are no groups
  std::vector<std::uint64_t> category{};  ///< empty if there are no masks
  std::vector<std::uint64_t> collides{};  ///< as many as categories

  [[nodiscard]] std::size_t size() const { return column[0].size(); }
  /// The number of columns in use.
  [[nodiscard]] int columns() const { return kind == shape::sphere ? dimension + 1 : 2 * dimension; }
  /// A view of the columns, for a search. The set must outlive its use and must not be moved.
  [[nodiscard]] bodies view() const;
  /// Adds a sphere to a set of spheres, or the box around it to a set of boxes. In 2D, z is ignored.
  void add(double x, double y, double z, double r);
  /// Adds a box to a set of boxes, or the largest sphere inside it to a set of spheres.
  void add_box(const std::array<double, 3>& min, const std::array<double, 3>& max);
  void reserve(std::size_t count);
};

/// The rows `which` of `bodies`, in that order; a row may occur several times.
set select(const set& bodies, const std::vector<row>& which);

/// `count` bodies of radius r on a square or cubic lattice at the origin, the smallest that has enough sites, each body
/// moved by up to `jitter` times the spacing on each axis. Rows are in random order if `shuffled`, else in that of
/// sites.
set lattice(shape kind, int dimension, std::size_t count, double spacing, double jitter, double r, std::uint64_t seed,
            bool shuffled = true);

/// `count` bodies at random in a cube at the origin, whose volumes add up to `fraction` of the cube's. They may
/// overlap. Radii are log-uniform between r_max / ratio and r_max.
set uniform(shape kind, int dimension, std::size_t count, double fraction, double r_max, double ratio,
            std::uint64_t seed);

/// Dense clusters of `each` bodies (lattices of spacing 2r with jitter 0.1) at random in a cube of side `side`. Rows
/// are in random order.
set clusters(shape kind, int dimension, std::size_t count, std::size_t each, double side, double r, std::uint64_t seed);

/// Pairs that just touch by the definition of `overlap` with this margin (rows 4k and 4k + 1) or just do not (rows 4k +
/// 2 and 4k + 3): one bit decides. Such pairs reveal methods that prune on c - r and c + r without room for rounding.
/// Three in four touch along an axis, where such a prune fails.
set touching(shape kind, int dimension, std::size_t count, std::uint64_t seed, double margin = 0);

/// One body of radius `ratio` r (row count / 2) in the middle of `count` - 1 specks of radius r. The specks fill 30 %
/// of their cube, or less if the giant is large: the cube's side is at least 1.5 times the giant's diameter.
set giant(shape kind, int dimension, std::size_t count, double r, double ratio, std::uint64_t seed);

/// Adds `offset` to every coordinate.
void translate(set& bodies, double offset);

/// A sample on which tests compare every method with the brute force.
struct sample {
  std::string name;
  std::function<set(shape, int dimension, std::uint64_t seed)> make;
  bool has_pairs = true;  ///< whether some of its bodies overlap, for every shape, dimension and seed
};

/// The samples for tests: random, lattice, touching, coincident, empty, one body, ... None has more than 400 bodies.
const std::vector<sample>& all();

}  // namespace abut::samples
