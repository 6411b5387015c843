// Features in combination: shape of the bodies x dimension x motion x periods x margin x fixed bodies, groups and masks
// x shape of the region, for every method. Pairs, bodies in regions and pairs between two sets, exact at every step.

#include <cmath>

#include "plans.hpp"
#include "support.hpp"

namespace combined_test {
namespace {

using abut::interval;
using abut::shape;
namespace samples = abut::samples;
using reference::periods;

class combined : public ::testing::TestWithParam<std::string> {};

// Moves each body by a different amount, at most `most` on each axis; some bodies also grow or shrink.
void drift(samples::set& bodies, double most, samples::random& rng) {
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t k = 0; k < axes; ++k) {
      const double by = rng.uniform(-most, most) + 0.5 * most;
      bodies.column[k][i] += by;
      if (bodies.kind == shape::box) bodies.column[axes + k][i] += by;
    }
    if (i % 7 == 0) {
      double& size = bodies.kind == shape::sphere ? bodies.column[axes][i] : bodies.column[axes + 1][i];
      const double least = bodies.kind == shape::sphere ? 0 : bodies.column[1][i];
      size = std::max(least, size + rng.uniform(-most, 0));
    }
  }
}

// Regions that just touch a corner of a body or just miss it, and some at random.
std::vector<abut::region> regions(const samples::set& bodies, const samples::set& others, samples::random& rng) {
  std::vector<abut::region> all;
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t i = 0; i < bodies.size(); i += 5) {
    // Along the diagonal from the body, at a distance of `gap` on every axis.
    const double gap = rng.uniform(0.05, 0.3);
    std::array<double, 3> corner{};
    for (std::size_t k = 0; k < axes; ++k) {
      const bool box = bodies.kind == shape::box;
      corner[k] = box ? bodies.column[axes + k][i] : bodies.column[k][i] + 0.577 * bodies.column[axes][i];
      corner[k] += gap;
    }
    const double diagonal = gap * std::sqrt(static_cast<double>(axes));
    all.emplace_back(abut::sphere{corner, diagonal * rng.uniform(0.97, 1.05)});
    abut::box b{corner, corner};
    for (std::size_t k = 0; k < axes; ++k) {
      b.min[k] -= gap * rng.uniform(0.97, 1.03);
      b.max[k] += rng.uniform(0, 2);
    }
    all.emplace_back(b);
  }
  for (std::size_t i = 0; i < others.size(); i += 3) {
    std::array<double, 3> c{};
    for (std::size_t k = 0; k < axes; ++k) c[k] = others.column[k][i];
    all.emplace_back(abut::sphere{c, rng.uniform(0, 2)});
    abut::box b{c, c};
    for (std::size_t k = 0; k < axes; ++k) b.max[k] += rng.uniform(0, i % 4 == 0 ? 25 : 2);
    all.emplace_back(b);
  }
  return all;
}

struct setting {
  shape kind;
  int dimension;
  periods periodic;
  double margin;
  double motion;
  bool muted;  // some bodies are fixed, all have groups and masks
};

void mute_some(samples::set& bodies, samples::random& rng) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.fixed.push_back(static_cast<std::uint8_t>(rng.below(2)));
    bodies.group.push_back(static_cast<std::int32_t>(rng.below(4)));
    bodies.category.push_back(std::uint64_t{1} << rng.below(4));
    bodies.collides.push_back(rng.next() | rng.next());
  }
}

void expect_exact(abut::search& search, const samples::set& bodies, const setting& s, samples::random& rng) {
  ASSERT_TRUE(support::same_pairs(reference::pairs(bodies, s.margin, s.periodic), support::ordered(search), bodies));
  for (const shape other : {shape::sphere, shape::box}) {
    samples::set others = samples::uniform(other, s.dimension, 30, 0.3, 0.8, 3, rng.next());
    samples::translate(others, rng.uniform(-3, 3));
    if (s.muted) mute_some(others, rng);
    std::vector<abut::pair> found;
    search.for_each_pair_between(others.view(), [&](abut::row i, abut::row j) { found.push_back({i, j}); });
    ASSERT_TRUE(support::same_pairs(reference::between(bodies, others, s.margin, s.periodic), found))
        << "with " << support::shape_name(other);
    if (other == shape::sphere) {
      for (const abut::region& where : regions(bodies, others, rng)) {
        ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where, s.margin, s.periodic))
            << "in a " << (std::holds_alternative<abut::box>(where) ? "box" : "sphere");
      }
    }
  }
}

void run(const std::string& plan, const setting& s) {
  samples::random rng(61);
  samples::set bodies = samples::uniform(s.kind, s.dimension, 120, 0.4, 1, 3, 62);
  if (s.muted) mute_some(bodies, rng);
  abut::search search(abut::plan(plan), {.margin = s.margin, .periodic = s.periodic, .threads = 1});
  for (int step = 0; step < 6; ++step) {
    SCOPED_TRACE(plan + ", " + support::shape_name(s.kind) + " in " + std::to_string(s.dimension) + "D, margin " +
                 support::number(s.margin) + ", motion " + support::number(s.motion) + ", " +
                 (s.periodic[0] ? "x" : "") + (s.periodic[1] ? "y" : "") + (s.periodic[2] ? "z" : "") +
                 (s.muted ? ", muted" : "") + ", step " + std::to_string(step));
    search.update(bodies.view());
    expect_exact(search, bodies, s, rng);
    if (::testing::Test::HasFatalFailure()) return;
    drift(bodies, s.motion, rng);
  }
}

std::vector<periods> axes_of(int dimension) {
  const interval x{0, 7.5};
  const interval y{-2, 4.25};
  if (dimension == 2) return {{}, {x, {}, {}}, {x, y, {}}};
  return {{}, {std::nullopt, y, {}}, {x, y, interval{1, 8.1}}};
}

TEST_P(combined, every_shape_region_motion_and_period) {
  std::vector<std::string> plans = {GetParam()};
  if (GetParam() == "nearest-neighbor") {
    for (const char* more : {" distance=1", " distance=0.05", " distance=0.5 in=width"}) {
      plans.push_back(GetParam() + more);
    }
  }
  for (const std::string& plan : plans) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        for (const periods& periodic : axes_of(dimension)) {
          for (const auto& [margin, motion, muted] :
               {std::tuple(0.0, 0.1, false), {0.2, 0.02, false}, {0.0, 2.0, false}, {0.1, 0.1, true}}) {
            run(plan, {kind, dimension, periodic, margin, motion, muted});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, combined, ::testing::ValuesIn(support::method_names()), support::method_test_name);

// A square moves along its diagonal: its corner moves farther than the square does on either axis.
TEST(combined_features, a_round_region_at_a_corner_of_a_box_that_has_moved) {
  std::vector<double> min{0.0};
  std::vector<double> max{1.0};
  abut::search search(abut::plan("nearest-neighbor distance=1"));
  search.update(abut::boxes(min, max, min, max));
  min[0] = 0.1;
  max[0] = 1.1;
  search.update(abut::boxes(min, max, min, max));
  EXPECT_EQ(support::rows_in(search, abut::sphere{{1.2, 1.2}, 0.15}).size(), 1U);
}

// A body far out moves toward a region until it touches it exactly, or misses it by one bit.
TEST(combined_features, regions_that_a_body_far_out_has_moved_up_to) {
  samples::random rng(63);
  std::size_t touching = 0;
  constexpr std::size_t rounds = 4000;
  for (std::size_t round = 0; round < rounds; ++round) {
    const shape kind = round % 2 == 0 ? shape::sphere : shape::box;
    const double margin = rng.below(2) == 0 ? 0 : rng.uniform(0.05, 0.4);
    const double sign = rng.below(2) == 0 ? 1 : -1;
    samples::set bodies{.kind = kind, .dimension = 2};
    bodies.add(sign * rng.uniform(1e8, 1e9), 0, 0, rng.uniform(0.1, 1));
    abut::search search(abut::plan("nearest-neighbor distance=1"), {.margin = margin, .threads = 1});
    search.update(bodies.view());
    const double by = sign * rng.uniform(0, 0.4);
    bodies.column[0][0] -= by;
    if (kind == shape::box) bodies.column[2][0] -= by;
    search.update(bodies.view());
    // The face on the side of the origin.
    double face = bodies.column[0][0] - sign * bodies.column[2][0];
    if (kind == shape::box) face = bodies.column[sign > 0 ? 0 : 2][0];
    double end = face - sign * margin;
    for (std::size_t bits = rng.below(3); bits > 0; --bits) end = std::nextafter(end, sign * 1e300);
    for (std::size_t bits = rng.below(3); bits > 0; --bits) end = std::nextafter(end, -sign * 1e300);
    abut::region where = abut::box{{std::min(end, end - 3 * sign), -1}, {std::max(end, end - 3 * sign), 1}};
    if (rng.below(2) == 0) where = abut::sphere{{end - sign, 0}, 1};
    const std::vector<abut::row> expected = reference::in(bodies, where, margin);
    touching += expected.size();
    ASSERT_EQ(support::rows_in(search, where), expected) << support::body_text(bodies, 0);
  }
  EXPECT_GT(touching, rounds / 4);
  EXPECT_LT(touching, rounds * 9 / 10);
}

}  // namespace
}  // namespace combined_test
