#include "generate/generate.hpp"

namespace abut::cli {
namespace {

samples::packed boundless(samples::set bodies) { return {std::move(bodies), 0}; }

samples::packed make_lattice(const generate_request& r) {
  // The generator takes the jitter in units of the spacing.
  std::array<double, 3> spacing{}, jitter{};
  for (std::size_t k = 0; k < 3; ++k) {
    spacing[k] = r.spacing[k] * r.diameter;
    jitter[k] = r.jitter.value_or(0.1) / r.spacing[k];
  }
  return boundless(
      samples::lattice(shape::sphere, r.dimension, r.count, spacing, jitter, r.diameter / 2, r.seed, r.shuffled));
}

double default_ratio(samples::size_law sizes) {
  switch (sizes) {
    case samples::size_law::uniform:
      return 2;
    case samples::size_law::inverse_cube:
      return 50;
    case samples::size_law::by_mass:
      return 32;
    case samples::size_law::equal:
      break;
  }
  return 1;
}

samples::packed make_packing(const generate_request& r) {
  return samples::packing({.dimension = r.dimension,
                           .count = r.count,
                           .sizes = r.sizes,
                           .r_max = r.diameter / 2,
                           .ratio = r.ratio.value_or(default_ratio(r.sizes)),
                           .fraction = r.fraction,
                           .seed = r.seed,
                           .shuffled = r.shuffled,
                           .single = r.single,
                           .progress = r.progress});
}

samples::packed make_clusters(const generate_request& r) {
  return boundless(
      samples::clusters(shape::sphere, r.dimension, r.count, r.each, r.side * r.diameter, r.diameter / 2, r.seed));
}

samples::packed make_sheet(const generate_request& r) {
  return boundless(samples::sheet(r.count, r.spacing[0] * r.diameter, r.jitter.value_or(0.1) * r.diameter,
                                  r.diameter / 2, r.seed, r.shuffled));
}

samples::packed make_line(const generate_request& r) {
  return boundless(samples::line(r.dimension, r.count, r.direction, r.spacing[0] * r.diameter,
                                 r.jitter.value_or(0.1) * r.diameter, r.diameter / 2, r.seed, r.shuffled));
}

samples::packed make_shell(const generate_request& r) {
  return boundless(samples::shell(r.dimension, r.count, r.spacing[0] * r.diameter, r.jitter.value_or(0) * r.diameter,
                                  r.diameter / 2, r.seed));
}

samples::packed make_giant(const generate_request& r) {
  return boundless(samples::giant(shape::sphere, r.dimension, r.count, r.diameter / 2, r.ratio.value_or(100), r.seed));
}

samples::packed make_touching(const generate_request& r) {
  return boundless(
      samples::touching_lattice(r.arrangement, r.dimension, r.count, r.diameter, r.seed, r.shuffled, r.single));
}

}  // namespace

const std::vector<generate_kind>& generate_kinds() {
  static const std::vector<generate_kind> kinds = {
      {"lattice",
       "a square or cubic lattice, each body moved by up to the jitter on each axis",
       {"--dimension", "--spacing", "--jitter", "--shuffle", "--no-shuffle"},
       make_lattice},
      {"packing",
       "a box filled by random insertion, the largest first; no two bodies overlap",
       {"--dimension", "--sizes", "--ratio", "--fraction", "--shuffle", "--no-shuffle"},
       make_packing},
      {"clusters",
       "dense clusters, far from each other in a huge space",
       {"--dimension", "--each", "--side"},
       make_clusters},
      {"sheet",
       "a single layer in 3D: a square lattice, moved by up to the jitter on each axis",
       {"--spacing", "--jitter", "--shuffle", "--no-shuffle"},
       make_sheet},
      {"line",
       "one after the other along a direction, moved by up to the jitter on each axis",
       {"--dimension", "--direction", "--spacing", "--jitter", "--shuffle", "--no-shuffle"},
       make_line},
      {"shell",
       "at random on a sphere (2D: a circle), moved in or out by up to the jitter",
       {"--dimension", "--spacing", "--jitter"},
       make_shell},
      {"giant", "one giant in the middle of specks, which have the diameter", {"--dimension", "--ratio"}, make_giant},
      {"touching",
       "a lattice in which neighbors touch exactly, to the bit",
       {"--dimension", "--arrangement", "--shuffle", "--no-shuffle"},
       make_touching},
  };
  return kinds;
}

}  // namespace abut::cli
