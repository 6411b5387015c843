// Walls of every kind, with and without friction, rotation and periods: the same bits for every number of threads,
// method and skin, and the same loads.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grains.hpp"

namespace wall_bits_test {
namespace {

using namespace abut::dem;

constexpr double side = 0.85 * 6;

struct kind {
  const char* name;
  wall made;
};

// Floors below the grains; all may be cut off by periods along x.
std::vector<kind> kinds() {
  const vec middle{side / 2, side / 2, 0.2};
  const std::vector<triangle> steps = {{{0, 0, 0}, {side, 0, 0}, {0, side, 0.3}},
                                       {{side, 0, 0}, {side, side, 0.3}, {0, side, 0.3}},
                                       {{1, 1, 0.4}, {4, 2, 0.5}, {2, 4, 0.1}}};
  return {{"plane", plane({0, 0, 0.2}, {0, 0, 1})},
          {"endless cylinder", endless_cylinder({0, side / 2, side / 2}, {1, 0, 0}, side / 2 - 0.2)},
          {"cylinder", cylinder({0, side / 2, side / 2}, {side, side / 2, side / 2}, side / 2 - 0.2)},
          {"cone", cone(middle, middle + vec{0, 0, 2}, 0.5, 4)},
          {"disc", disc(middle, {0, 0.1, 1}, 2, 0.3)},
          {"rectangle", rectangle({0, 0, 0.2}, {side, 0, 0}, {0, side, 0})},
          {"mesh", mesh(steps)}};
}

std::uint64_t final(settings s, const std::vector<body>& bodies, int threads, const char* method, double skin,
                    std::vector<wall_load>& loads) {
  s.threads = threads;
  s.method = method;
  s.skin = skin;
  simulation all(std::move(s), bodies);
  all.run(60);
  loads = all.wall_loads();
  return hash_of(all.bodies());
}

TEST(dem_wall_bits, are_the_same_for_all_kinds_and_what_goes_with_them) {
  const std::vector<body> bodies = dem_support::lattice(6, 0.85, 0.42, 0.04, 3.0);
  for (const kind& k : kinds()) {
    for (unsigned with = 0; with < 8; ++with) {
      const bool friction = (with & 1U) != 0, turns = (with & 2U) != 0, periodic = (with & 4U) != 0;
      SCOPED_TRACE(std::string(k.name) + (friction ? ", friction" : "") + (turns ? ", turns" : "") +
                   (periodic ? ", periodic" : ""));
      settings s;
      s.materials = material_table({.stiffness = 2e3, .restitution = 0.7, .friction = friction ? 0.4 : 0});
      s.materials.add({"grain"});
      s.contact_law = named_law("hooke", s.materials);
      s.gravity = {1, 0, -30};
      s.walls = {k.made, plane({0, 0, 0}, {0, 1, 0}), plane({0, side, 0}, {0, -1, 0})};
      const bool endless = k.made.patches.empty();
      if (turns) s.walls[0].spin = endless && periodic ? k.made.normal * 3 : vec{0.5, 0, 2};
      if (periodic) s.periodic[0] = abut::interval{0, side};
      s.sort_every = 25;
      std::vector<wall_load> expected, found;
      const std::uint64_t hash = final(s, bodies, 1, "pairing", 0, expected);
      EXPECT_GT(length(expected[0].force), 0);
      EXPECT_EQ(final(s, bodies, 3, "grid", 0.1, found), hash);
      for (std::size_t w = 0; w < expected.size(); ++w) {
        EXPECT_EQ(found[w].force, expected[w].force);
        EXPECT_EQ(found[w].torque, expected[w].torque);
      }
    }
  }
}

}  // namespace
}  // namespace wall_bits_test
