#include "bench/planner.hpp"
#include "generators.hpp"

namespace abut::cli {
namespace {

constexpr auto sphere_kind = shape::sphere;

/// A jittered lattice in which every body touches some of its neighbors.
samples::set dense(int dimension, std::size_t count, std::uint64_t seed, shape kind = sphere_kind) {
  return samples::lattice(kind, dimension, count, /*spacing=*/1.0, /*jitter=*/0.1, /*r=*/0.525, seed);
}

std::vector<planner_sample> make_samples() {
  using samples::set;
  const auto lattice_3d = [](std::size_t n, std::uint64_t s) { return dense(3, n, s); };
  const auto lattice_2d = [](std::size_t n, std::uint64_t s) { return dense(2, n, s); };
  return {
      {"handful", "20 spheres", 20, 0, lattice_3d},
      {"few", "150 spheres", 150, 0, lattice_3d},
      {"thousand", "1,000 spheres", 1000, 0, lattice_3d},
      {"dense", "a lattice of spheres that touch", 100'000, 0, lattice_3d},
      {"boxes", "a lattice of boxes that touch", 50'000, 0,
       [](std::size_t n, std::uint64_t s) { return dense(3, n, s, shape::box); }},
      {"discs", "a lattice of discs that touch", 100'000, 0, lattice_2d},
      {"sparse", "spheres that fill a hundredth of space", 100'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::uniform(sphere_kind, 3, n, 0.01, 0.5, 1, s); }},
      {"gas", "discs that fill a millionth of the plane", 50'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::uniform(sphere_kind, 2, n, 1e-6, 0.5, 1, s); }},
      {"clusters", "clusters of 1,000 in a space of 1e5 diameters", 100'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::clusters(sphere_kind, 3, n, 1000, 1e5, 0.5, s); }},
      {"ratio 4", "sizes that span 4x", 100'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::uniform(sphere_kind, 3, n, 0.3, 0.5, 4, s); }},
      {"ratio 32", "sizes that span 32x", 100'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::uniform(sphere_kind, 3, n, 0.3, 0.5, 32, s); }},
      {"ratio 1e4", "discs of sizes that span 10,000x", 50'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::uniform(sphere_kind, 2, n, 0.3, 0.5, 1e4, s); }},
      {"giant", "one giant of 200 diameters among specks", 100'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::giant(sphere_kind, 3, n, 0.5, 200, s); }},
      {"sheet", "a single layer in space", 100'000, 0,
       [](std::size_t n, std::uint64_t s) { return samples::sheet(n, 1, 0.1, 0.525, s); }},
      {"line", "spheres along a diagonal", 50'000, 0,
       [](std::size_t n, std::uint64_t s) {
         return samples::line(3, n, {1, 1, 1}, 1, 0.1, 0.525, s);
       }},
      {"million", "a million spheres that touch", 1'000'000, 0, lattice_3d},
      {"creeping", "by up to 0.001 diameters a step", 100'000, 0.001, lattice_3d},
      {"flowing", "by up to 0.01 diameters a step", 100'000, 0.01, lattice_3d},
      {"flowing discs", "by up to 0.02 diameters a step", 50'000, 0.02, lattice_2d},
      {"flowing few", "1,000 spheres, by up to 0.01 diameters a step", 1000, 0.01, lattice_3d},
      {"streaming", "straight on by up to 0.01 diameters a step", 100'000, 0.01, lattice_3d, true},
      {"fast", "by up to 0.3 diameters a step", 100'000, 0.3, lattice_3d},
      {"mixed and slow", "sizes that span 8x, by up to 0.002 diameters a step", 50'000, 0.002,
       [](std::size_t n, std::uint64_t s) { return samples::uniform(sphere_kind, 3, n, 0.3, 0.5, 8, s); }},
  };
}

}  // namespace

const std::vector<planner_sample>& planner_samples() {
  static const std::vector<planner_sample> all = make_samples();
  return all;
}

}  // namespace abut::cli
