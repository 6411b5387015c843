// Random scenes with all features in combination: what is saved has the same bytes for every method, number of threads,
// skin and instruction set, steps one by one or at once, and after it was resumed. A failure is shrunk to a simple
// scene. The seed is fixed; RC_PARAMS="seed=... max_success=..." tries others.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
// After GoogleTest, whose macros it uses.
#include <rapidcheck/gtest.h>

#include <abut/error.hpp>

#include "random_scene.hpp"
#include "saved.hpp"
#ifdef ABUT_DEM_INSTRUCTIONS
#include "instruction_sets.hpp"
#endif

namespace scenes_test {
namespace {

using namespace abut::dem;
using random_scene::event;
using random_scene::scene;

// RapidCheck reads its parameters at the first property, after this.
const int fixed_seed = ::setenv("RC_PARAMS", "seed=1 max_success=120 max_size=100", 0);

// Sizes would limit the range of numbers.
class rapid_choices final : public random_scene::choices {
 public:
  std::uint32_t below(std::uint32_t n) override { return *rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, n)); }
};

// How a scene is run, which never changes a result.
struct manner {
  std::string method = "pairing";
  int threads = 1;
  std::optional<double> skin = 0.0;
  search_when searching = search_when::needed;
  std::uint64_t at_once = 1;
  std::optional<std::uint64_t> resumed_at{};  // after this step, it is saved and goes on as another simulation
#ifdef ABUT_DEM_INSTRUCTIONS
  std::optional<abut::instruction_set> instructions{};
#endif

  [[nodiscard]] std::string text() const {
    std::string t =
        method + ", " + std::to_string(threads) + " threads, skin " + (skin ? std::to_string(*skin) : "tuned");
    if (searching == search_when::each_step) t += ", searching in each step";
    t += ", " + std::to_string(at_once) + " at once";
    if (resumed_at) t += ", resumed at " + std::to_string(*resumed_at);
#ifdef ABUT_DEM_INSTRUCTIONS
    if (instructions) t += ", " + std::string(abut::name_of(*instructions));
#endif
    return t;
  }
};

std::string bits(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%a ", x);
  return text;
}
std::string bits(const vec& v) { return bits(v.x) + bits(v.y) + bits(v.z); }

// What one can see of a simulation: what is saved, and what is computed on demand.
std::string seen(const simulation& run) {
  std::string text = dem_support::saved(run);
  const measures m = run.measure();
  for (const double x : {m.kinetic, m.elastic, m.gravity, m.overlap, m.dissipated, m.work, m.brought}) text += bits(x);
  for (const contact_report& c : run.contacts()) {
    text += std::to_string(c.first) + " " + std::to_string(c.second) + " " + bits(c.overlap) + bits(c.normal_force) +
            bits(c.tangential_force) + bits(c.torque) + bits(c.from) + bits(c.to);
  }
  for (const wall_load& l : run.wall_loads()) text += bits(l.force) + bits(l.torque);
  for (const pour_progress& p : run.poured()) text += std::to_string(p.poured) + bits(p.mass);
  for (const removal_progress& p : run.removed()) text += std::to_string(p.removed) + bits(p.mass);
  return text;
}

// At some moments: the step, what is seen, or why it could not go on.
struct outcome {
  struct moment {
    std::string when;
    std::string what;
  };
  std::vector<moment> all;
  std::size_t contacts = 0;
  std::string failed;  // what is wrong by itself, whatever other manners do
};

double total(const simulation& run) {
  const measures m = run.measure();
  return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought;
}

// Whatever comes or goes takes its energy along.
void happen(simulation& run, const event& e, bool energies, outcome& out) {
  const auto balance = [&] { return total(run) - (energies ? 0 : run.measure().elastic); };
  const double before = balance();
  const measures m = run.measure();
  try {
    e.happens(run);
  } catch (const abut::error& refused) {
    out.all.push_back({e.name + " at " + std::to_string(e.step), refused.what()});
  }
  if (e.name == "drive") return;  // gives velocity to a body that is not free
  const measures after = run.measure();
  double scale = 1;
  for (const measures& of : {m, after}) {
    for (const double x : {of.kinetic, of.elastic, of.gravity, of.dissipated, of.work, of.brought})
      scale += std::abs(x);
  }
  const double more = balance() - before;
  if (!(std::abs(more) <= 1e-9 * scale)) {
    out.all.push_back(
        {e.name + " at " + std::to_string(e.step), "the energies have changed by " + std::to_string(more)});
    out.failed = out.all.back().when + ": " + out.all.back().what;
  }
}

outcome run_scene(const scene& sc, const manner& how) {
  outcome out;
#ifdef ABUT_DEM_INSTRUCTIONS
  std::optional<support::use_instructions> use;
  if (how.instructions) use.emplace(*how.instructions);
#endif
  settings s = sc.s;
  s.method = how.method;
  s.threads = how.threads;
  s.skin = how.skin;
  s.searching = how.searching;
  std::string where = "start";
  try {
    simulation run(s, sc.bodies);
    std::size_t next = 0;
    const std::uint64_t looks = std::max<std::uint64_t>(1, sc.steps / 3);
    while (run.steps() < sc.steps) {
      for (; next < sc.events.size() && sc.events[next].step == run.steps(); ++next) {
        happen(run, sc.events[next], s.energies, out);
      }
      std::uint64_t until = std::min({sc.steps, run.steps() + how.at_once, (run.steps() / looks + 1) * looks});
      if (next < sc.events.size()) until = std::min(until, sc.events[next].step);
      if (how.resumed_at && *how.resumed_at > run.steps()) until = std::min(until, *how.resumed_at);
      where = "a step after " + std::to_string(run.steps() / looks * looks);
      run.run(until - run.steps());
      if (run.steps() % looks == 0 || run.steps() == sc.steps) {
        out.all.push_back({"step " + std::to_string(run.steps()), seen(run)});
      }
      out.contacts = std::max(out.contacts, run.measure().contacts);
      if (how.resumed_at == run.steps()) run = dem_support::gone_on(s, dem_support::saved(run));
    }
  } catch (const abut::error& e) {
    out.all.push_back({where, e.what()});
    // However wild a scene is, it ends by bodies that are too fast or contacts that are too stiff.
    if (out.all.back().what.find("not a number") != std::string::npos) out.failed = out.all.back().what;
  }
  return out;
}

manner any_manner(const scene& sc, random_scene::choices& c) {
  static const std::vector<std::string> methods = {"grid",    "auto", "nearest-neighbor", "spatial-sort", "multilevel",
                                                   "hashing", "rtree"};
  manner how;
  how.method = methods[c.below(static_cast<std::uint32_t>(methods.size()))];
  how.threads = 1 + static_cast<int>(c.below(3));
  how.skin.reset();
  // Thin ones are used up often.
  if (!c.one_in(3)) how.skin = c.uniform(0, c.one_in(2) ? sc.farthest_skin : 0.1 * sc.farthest_skin);
  if (c.one_in(5)) how.searching = search_when::each_step;
  how.at_once = std::array<std::uint64_t, 3>{1, 7, 1000}[c.below(3)];
  if (c.one_in(3)) how.resumed_at = 1 + c.below(static_cast<std::uint32_t>(sc.steps - 1));
#ifdef ABUT_DEM_INSTRUCTIONS
  const auto usable = abut::usable_instructions();
  how.instructions = usable[c.below(static_cast<std::uint32_t>(usable.size()))];
#endif
  return how;
}

std::string difference(const outcome& a, const outcome& b) {
  for (std::size_t k = 0; k < std::max(a.all.size(), b.all.size()); ++k) {
    if (k >= a.all.size()) return "beyond the other: " + b.all[k].when;
    if (k >= b.all.size()) return "ends before " + a.all[k].when;
    const auto& [when, what] = a.all[k];
    if (b.all[k].when != when) return when + " and " + b.all[k].when;
    if (b.all[k].what == what) continue;
    const auto shown = [](const std::string& t) { return t.size() < 400 ? "\"" + t + "\"" : "what is seen"; };
    return "at " + when + ": " + shown(what) + " and " + shown(b.all[k].what);
  }
  return {};
}

// Which of the differences between two manners makes the difference alone.
std::string culprits(const scene& sc, const manner& how, const outcome& expected) {
  std::string all;
  const auto try_one = [&](auto&& change) {
    manner one;
    change(one);
    if (!difference(expected, run_scene(sc, one)).empty()) all += "\nalone: " + one.text();
  };
  try_one([&](manner& m) { m.method = how.method; });
  try_one([&](manner& m) { m.threads = how.threads; });
  try_one([&](manner& m) { m.skin = how.skin; });
  try_one([&](manner& m) { m.searching = how.searching; });
  try_one([&](manner& m) { m.at_once = how.at_once; });
  try_one([&](manner& m) { m.resumed_at = how.resumed_at; });
#ifdef ABUT_DEM_INSTRUCTIONS
  try_one([&](manner& m) { m.instructions = how.instructions; });
#endif
  return all;
}

// Found by the random scenes: beside a body that spins, one that had stopped was normalized anew in each step, but only
// if several steps were made at once.
TEST(dem_scenes, a_body_that_has_stopped_keeps_its_orientation) {
  settings s;
  s.materials = material_table({.stiffness = 1e3, .friction = 0.5});
  s.materials.add({.name = "stone"});
  s.contact_law = named_law("hooke", s.materials);
  s.threads = 1;
  std::vector<body> bodies;
  for (int k = 0; k < 9; ++k) {
    bodies.push_back({.position = {2.0 * k, 0, 0}, .spin = {0.3 * k, 1, 2}, .radius = 0.5});
    if (k % 2 == 0) bodies.back().moves = motion::driven;
  }
  const auto final = [&](std::uint64_t at_once) {
    simulation run(s, bodies);
    run.run(20);
    for (std::uint32_t k = 0; k < 9; k += 2) run.drive(k, {});
    const vec stopped = run.bodies().spin[run.row_of(2)];
    EXPECT_EQ(stopped, vec{});
    for (std::uint64_t n = 0; n < 60; n += at_once) run.run(at_once);
    return hash_of(run.bodies());
  };
  EXPECT_EQ(final(60), final(1));
  EXPECT_EQ(final(5), final(1));
}

RC_GTEST_PROP(dem_scenes, have_the_same_bytes_however_they_are_run, ()) {
  rapid_choices c;
  const scene sc = random_scene::any(c);
  const outcome expected = run_scene(sc, {});
  if (!expected.failed.empty()) RC_FAIL(sc.text + "\n" + expected.failed);
  for (int k = 0; k < 3; ++k) {
    const manner how = any_manner(sc, c);
    const outcome found = run_scene(sc, how);
    const std::string differs = difference(expected, found);
    if (!differs.empty()) RC_FAIL(sc.text + "\n" + how.text() + "\n" + differs + culprits(sc, how, expected));
  }
  RC_CLASSIFY(expected.contacts > 0, "with contacts");
  RC_CLASSIFY(expected.all.empty() || expected.all.back().when != "step " + std::to_string(sc.steps), "cannot go on");
}

}  // namespace
}  // namespace scenes_test
