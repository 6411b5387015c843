// Saving and going on: every law and integrator, what may change in between, and files that are refused.

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/error.hpp>

#include "grains.hpp"
#include "saved.hpp"

namespace checkpoint_test {
namespace {

using namespace abut::dem;
using dem_support::gone_on;
using dem_support::saved;

struct variant {
  std::string law;
  int dimension;
  integrator moved_by;
  bool half_step;
};

settings of_variant(const variant& v) {
  settings s;
  s.dimension = v.dimension;
  s.materials = material_table({.stiffness = 2e3,
                                .restitution = v.law == "kelvin-voigt" ? std::nullopt : std::optional(0.7),
                                .viscosity = 1,
                                .friction = 0.4,
                                .rolling_friction = 0.1,
                                .cohesion = 1});
  s.materials.add({"grain", 1, 2e4, 0.2});
  s.contact_law = named_law(v.law, s.materials);
  s.gravity = v.dimension == 2 ? vec{0, -30, 0} : vec{0, 0, -30};
  s.walls = box_walls({0, 0, 0}, {4.5, 4.5, 4.5}, 0, v.dimension);
  if (v.dimension == 2) {
    s.walls.push_back(segment({0, 1, 0}, {4.5, 0.5, 0}));
  } else {
    s.walls.push_back(rectangle({0, 0, 0.5}, {4.5, 0, 0.3}, {0, 4.5, 0}));
  }
  s.walls.back().velocity = {0.3, 0, 0};
  s.moved_by = v.moved_by;
  s.half_step_velocities = v.half_step;
  s.sort_every = 23;
  s.threads = 1;
  return s;
}

std::vector<body> crowd(int dimension) { return dem_support::lattice(5, 0.9, 0.46, 0.03, 4.0, dimension); }

// The refusal's message.
std::string refusal(const settings& s, const std::string& bytes, resume how = resume::as_before) {
  try {
    (void)gone_on(s, bytes, how);
  } catch (const abut::error& problem) {
    return problem.what();
  }
  return "none";
}

TEST(dem_checkpoint, goes_on_to_the_bit_with_every_law_and_integrator) {
  std::vector<variant> all;
  for (const law_info& law : laws()) {
    for (const int dimension : {2, 3}) {
      all.push_back({std::string(law.name), dimension, integrator::verlet, false});
      all.push_back({std::string(law.name), dimension, integrator::verlet, true});
      all.push_back({std::string(law.name), dimension, integrator::predictor_corrector, false});
    }
  }
  for (const variant& v : all) {
    SCOPED_TRACE(v.law + " in " + std::to_string(v.dimension) + "D, integrator " +
                 std::to_string(static_cast<int>(v.moved_by)) + (v.half_step ? ", half steps" : ""));
    settings s = of_variant(v);
    s.energies = true;
    simulation whole(s, crowd(v.dimension));
    whole.run(31);
    const std::string half = saved(whole);
    const measures then = whole.measure();
    whole.run(30);
    s.skin = 0;  // the least that can be listed
    simulation again = gone_on(s, half);
    EXPECT_EQ(again.measure().elastic, then.elastic);
    again.run(30);
    EXPECT_TRUE(saved(again) == saved(whole));
    EXPECT_GT(whole.measure().contacts, 10U);
  }
}

// A law of one's own that remembers and acts across gaps.
TEST(dem_checkpoint, goes_on_with_as_few_searches) {
  settings s = of_variant({"hooke", 3, integrator::verlet, false});
  s.sort_every = 1000;
  simulation whole(s, crowd(3));
  whole.run(500);
  simulation again = gone_on(s, saved(whole));
  const std::uint64_t before = whole.searches();
  whole.run(400);
  again.run(400);
  EXPECT_LT(whole.searches() - before, 100U);
  EXPECT_LT(again.searches(), whole.searches() - before + 10);
}

TEST(dem_checkpoint, goes_on_with_a_law_of_ones_own) {
  settings s = of_variant({"hooke", 3, integrator::verlet, false});
  s.contact_law = make_law(
      [](contact& c) {
        c.memory[0] += c.slip.x;
        c.force = c.normal * (1e3 * (c.overlap + 0.02)) + vec{10 * c.memory[0], 0, 0};
        c.stiffness = 1e3;
      },
      {.memory = 1, .reach = 0.02, .turns = true});
  simulation whole(s, crowd(3));
  whole.run(31);
  const std::string half = saved(whole);
  whole.run(30);
  simulation again = gone_on(s, half);
  again.run(30);
  EXPECT_TRUE(saved(again) == saved(whole));
}

TEST(dem_checkpoint, is_the_same_for_every_method_and_number_of_threads) {
  settings s = of_variant({"hooke", 3, integrator::verlet, false});
  simulation one(s, crowd(3));
  s.threads = 3;
  s.method = "pairing";
  s.skin = 0.2;
  s.keep_every = 7;
  simulation other(s, crowd(3));
  one.run(40);
  for (int k = 0; k < 40; ++k) other.run(1);
  EXPECT_TRUE(saved(one) == saved(other));
}

// A lid that nothing has touched is taken away, another is put in: all else goes on as before.
TEST(dem_checkpoint, keeps_what_bodies_remember_of_walls_that_stay) {
  settings s = of_variant({"hooke", 3, integrator::verlet, false});
  s.walls.insert(s.walls.begin(), plane({0, 0, 100}, {0, 0, -1}));
  simulation whole(s, crowd(3));
  whole.run(40);
  const std::string half = saved(whole);
  whole.run(40);
  settings less = s;
  less.walls.erase(less.walls.begin());
  less.walls.insert(less.walls.begin() + 2, disc({2, 2, 50}, {0, 0, 1}, 1));
  EXPECT_EQ(refusal(less, half), "wall 0 of the checkpoint differs from that of the settings");
  simulation again = gone_on(less, half, resume::changed);
  again.run(40);
  EXPECT_EQ(hash_of(again.bodies()), hash_of(whole.bodies()));
  EXPECT_EQ(again.wall_loads()[0].force, whole.wall_loads()[1].force);
  EXPECT_NE(again.wall_loads()[0].force, vec{});
}

// Bodies are poured and removed, one of them driven; a wall opens.
settings with_flow() {
  settings s = of_variant({"hooke", 3, integrator::verlet, false});
  s.energies = true;
  s.time_step = 1e-3;
  s.walls[4].opens_at = 0.05;
  s.pours = {{.into = box_region({0, 0, 3}, {4.5, 4.5, 4.5}),
              .radii = {.is = radius_distribution::law::uniform, .largest = 0.3, .ratio = 2},
              .velocity = {0, 0, -5},
              .rate = 500,
              .every = 10}};
  s.removals = {{.from = half_space({0, 0, 0.9}, {0, 0, -1}), .start = 0.02, .every = 15},
                {.from = half_space({0, 0, 1.5}, {0, 0, -1}), .start = 0.03, .held = true, .every = 10}};
  s.drives = {{.bodies = {3}, .at = [](double) { return driven_motion{{0, 0, -1}, {}}; }}};
  return s;
}

TEST(dem_checkpoint, goes_on_with_bodies_that_come_and_go) {
  const settings s = with_flow();
  std::vector<body> bodies = crowd(3);
  bodies[3].moves = motion::driven;
  simulation whole(s, bodies);
  std::vector<std::string> stops;
  for (const std::uint64_t step : {0U, 17U, 30U, 41U, 64U}) {
    whole.run(step - whole.steps());
    stops.push_back(saved(whole));
  }
  whole.run(100 - whole.steps());
  EXPECT_GT(whole.poured()[0].poured, 5U);
  EXPECT_GT(whole.removed()[0].removed, 5U);
  EXPECT_EQ(whole.removed()[1].removed, 1U);
  for (const std::string& stop : stops) {
    simulation again = gone_on(s, stop);
    again.run(100 - again.steps());
    EXPECT_TRUE(saved(again) == saved(whole));
    EXPECT_EQ(again.measure().brought, whole.measure().brought);
    EXPECT_EQ(again.poured()[0].mass, whole.poured()[0].mass);
  }
  settings other = s;
  other.pours[0].rate = 400;
  EXPECT_EQ(refusal(other, stops[1]).substr(0, 25), "the checkpoint has pour 0");
  other = s;
  other.walls[4].opens_at.reset();
  EXPECT_NE(refusal(other, stops[1]), "none");
  EXPECT_EQ(refusal(other, stops[1], resume::changed), "none");
}

// From nothing, and to nothing.
TEST(dem_checkpoint, goes_on_without_bodies) {
  settings s = with_flow();
  s.drives.clear();
  s.pours[0].start = 0.02;
  s.pours[0].end = 0.04;
  s.removals = {{.from = half_space({0, 0, 9}, {0, 0, -1}), .start = 0.06, .every = 10}};
  simulation whole(s, {});
  std::vector<std::string> stops;
  for (const std::uint64_t step : {5U, 33U, 75U}) {
    whole.run(step - whole.steps());
    stops.push_back(saved(whole));
    EXPECT_EQ(whole.bodies().size() > 0, step == 33U);
  }
  whole.run(10);
  for (const std::string& stop : stops) {
    simulation again = gone_on(s, stop);
    again.run(85 - again.steps());
    EXPECT_TRUE(saved(again) == saved(whole));
  }
}

TEST(dem_checkpoint, names_the_setting_that_differs) {
  const settings s = of_variant({"hooke", 3, integrator::verlet, false});
  simulation all(s, crowd(3));
  all.run(3);
  const std::string bytes = saved(all);
  EXPECT_EQ(refusal(s, bytes), "none");

  settings other = s;
  other.gravity.z = -20;
  EXPECT_EQ(refusal(other, bytes), "the checkpoint has gravity (0, 0, -30), the settings have (0, 0, -20)");
  EXPECT_EQ(refusal(other, bytes, resume::changed), "none");
  EXPECT_EQ(refusal(of_variant({"hooke", 2, integrator::verlet, false}), bytes, resume::changed),
            "the checkpoint has dimension 3, the settings have 2");
  other = s;
  other.periodic[1] = abut::interval{0, 5};
  other.walls.clear();
  EXPECT_EQ(refusal(other, bytes, resume::changed),
            "the checkpoint has period along y none, the settings have from 0 to 5");
  other = s;
  other.materials.add({"more"});
  EXPECT_EQ(refusal(other, bytes, resume::changed), "the checkpoint has number of materials 1, the settings have 2");
  EXPECT_EQ(refusal(of_variant({"linear", 3, integrator::verlet, false}), bytes, resume::changed).substr(0, 45),
            "the checkpoint has contact law that remembers");
  EXPECT_EQ(refusal(of_variant({"hooke", 3, integrator::predictor_corrector, false}), bytes, resume::changed),
            "the checkpoint has integrator verlet, the settings have predictor-corrector");
  other = s;
  other.energies = true;
  EXPECT_EQ(refusal(other, bytes, resume::changed), "the checkpoint has energies no, the settings have yes");
  other = s;
  other.time_step = 1e-4;
  EXPECT_NE(refusal(other, bytes, resume::changed).find("the settings have 1e-04"), std::string::npos);
  other.time_step = all.time_step();
  EXPECT_EQ(refusal(other, bytes), "none");
  other = s;
  other.walls.pop_back();
  EXPECT_EQ(refusal(other, bytes), "the checkpoint has 7 walls, the settings have 6");
  other = s;
  other.sort_every = 5;
  EXPECT_EQ(refusal(other, bytes), "the checkpoint has sort_every 23, the settings have 5");
}

TEST(dem_checkpoint, that_is_cut_off_damaged_or_foreign_is_refused) {
  const settings s = of_variant({"hooke", 2, integrator::verlet, false});
  simulation all(s, crowd(2));
  all.run(20);
  const std::string whole = saved(all);
  for (std::size_t part = 1; part < 20; ++part) {
    const std::string bytes = whole.substr(0, whole.size() * part / 20);
    EXPECT_EQ(refusal(s, bytes), "this checkpoint is cut off: it has " + std::to_string(bytes.size()) + " of " +
                                     std::to_string(whole.size()) + " bytes");
  }
  EXPECT_EQ(refusal(s, whole.substr(0, 10)), "this checkpoint is cut off: it has 10 of 24 bytes");
  for (const std::string& foreign : {std::string(), std::string("\x89PNG\r\n\x1a\n and more"), std::string(1000, '\0'),
                                     whole.substr(1), whole.substr(0, 5)}) {
    EXPECT_EQ(refusal(s, foreign), "this is no checkpoint of abut");
  }
  dem_support::random_numbers next(5);
  for (int k = 0; k < 300; ++k) {
    std::string bytes = whole;
    const auto at = static_cast<std::size_t>((next() + 1) / 2 * static_cast<double>(bytes.size()));
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (k % 8)));
    const std::string found = refusal(s, bytes);
    EXPECT_TRUE(at < 24 ? found != "none" : found == "this checkpoint is damaged: its checksum is wrong") << at;
  }
}

TEST(dem_checkpoint, carries_a_note) {
  const settings s = of_variant({"hooke", 2, integrator::verlet, false});
  const simulation all(s, crowd(2));
  std::stringstream file;
  all.save(file, "a\nb");
  EXPECT_EQ(saved_note(file), "a\nb");
  file.seekg(0);
  EXPECT_EQ(hash_of(simulation(s, file).bodies()), hash_of(all.bodies()));
  std::istringstream junk("junk");
  EXPECT_THROW((void)saved_note(junk), abut::error);
}

// Beside clumps, half-step velocities take another loop, and it stays when they are gone.
TEST(dem_checkpoint, of_half_step_velocities_goes_on_after_clumps_have_gone) {
  settings s;
  s.materials = material_table({.stiffness = 1e3, .restitution = 0.5, .friction = 0.4});
  s.materials.add({.name = "stone"});
  s.contact_law = named_law("hooke", s.materials);
  s.half_step_velocities = true;
  s.threads = 1;
  std::vector<body> bodies = {{.position = {9, 0, 0}, .radius = 0.5, .clump = 1},
                              {.position = {9.4, 0, 0}, .radius = 0.5, .clump = 1}};
  for (int k = 0; k < 6; ++k) {
    bodies.push_back(
        {.position = {0.95 * (k % 3), 0.95 * (k / 3), 0}, .velocity = {1.0 - k, 2.0 * k, 1}, .radius = 0.5});
  }
  simulation whole(s, bodies);
  whole.remove(std::vector<std::uint32_t>{0});
  whole.run(3);
  simulation again = gone_on(s, saved(whole));
  whole.run(100);
  again.run(100);
  EXPECT_EQ(hash_of(again.bodies()), hash_of(whole.bodies()));
  EXPECT_EQ(saved(again), saved(whole));
}

TEST(dem_checkpoint, of_the_future_or_of_any_size_is_refused) {
  const settings s = of_variant({"hooke", 2, integrator::verlet, false});
  const std::string whole = saved(simulation(s, crowd(2)));
  std::string bytes = whole;
  bytes[8] = 4;
  EXPECT_EQ(refusal(s, bytes), "this checkpoint has version 4: this program reads version 3");
  bytes = whole;
  for (std::size_t k = 16; k < 24; ++k) bytes[k] = '\x7f';
  EXPECT_EQ(refusal(s, bytes).substr(0, 27), "this checkpoint is cut off:");
}

TEST(dem_checkpoint, is_not_written_to_a_failed_stream_or_of_a_simulation_that_cannot_go_on) {
  settings s = of_variant({"hooke", 2, integrator::verlet, false});
  simulation all(s, crowd(2));
  std::ostringstream failed;
  failed.setstate(std::ios::badbit);
  EXPECT_THROW(all.save(failed), abut::error);
  s.drives = {{.walls = {0}, .at = [](double time) { return driven_motion{{time > 0 ? 1e9 : 0.0, 0, 0}, {}}; }}};
  simulation lost(s, crowd(2));
  EXPECT_THROW(lost.run(50), abut::error);
  std::ostringstream file;
  EXPECT_THROW(lost.save(file), abut::error);
}

}  // namespace
}  // namespace checkpoint_test
