// How much memory a simulation holds.

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "collision.hpp"
#include "grains.hpp"

namespace memory_test {
namespace {

using namespace abut::dem;
using dem_support::one_material;

// A melting lattice at a volume fraction of 0.6, in a periodic box.
simulation packing(const char* law_name, int per_axis) {
  settings s;
  s.materials = one_material({.stiffness = 1e5, .restitution = 0.9, .friction = 0.5});
  s.contact_law = named_law(law_name, s.materials);
  const double side = per_axis;
  s.periodic = {abut::interval{0, side}, abut::interval{0, side}, abut::interval{0, side}};
  s.method = "grid";  // plans of "auto" depend on the machine
  s.sort_every = 100;
  simulation run(s, dem_support::lattice(per_axis, 1, 0.523, 0.03, 8.0));
  run.run(700);
  return run;
}

TEST(dem_memory, a_sphere_takes_at_most_a_kilobyte) {
  for (const char* law_name : {"linear", "hooke"}) {
    const simulation run = packing(law_name, 20);
    EXPECT_GT(run.measure().contacts, 8000U);
    EXPECT_LT(static_cast<double>(run.bytes()) / 8000, 1000) << law_name;
    RecordProperty(std::string("bytes per body, ") + law_name, static_cast<int>(run.bytes() / 8000));
  }
}

#ifdef __GLIBC__
// What the allocator has given out since before the simulation.
TEST(dem_memory, the_bytes_held_are_those_of_the_allocator) {
  const auto given = [] {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  const std::size_t before = given();
  const simulation run = packing("hooke", 20);
  const double used = static_cast<double>(given() - before);
  if (used < 8000 * 100) GTEST_SKIP() << "another allocator is in use";
  EXPECT_NEAR(static_cast<double>(run.bytes()) / used, 1, 0.1);
}
#endif

}  // namespace
}  // namespace memory_test
