// How two volumes touch: depth, direction and point, by what they promise of each other. `overlap` is the judge.

#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "support.hpp"

namespace touch_test {
namespace {

using abut::box;
using abut::region;
using abut::shape;
using abut::sphere;
using abut::touch;
using vector = std::array<double, 3>;

vector along(const vector& from, const vector& direction, double by) {
  return {from[0] + by * direction[0], from[1] + by * direction[1], from[2] + by * direction[2]};
}

region moved(const region& r, const vector& direction, double by) {
  if (const auto* s = std::get_if<sphere>(&r)) return sphere{along(s->center, direction, by), s->radius};
  const box& b = std::get<box>(r);
  return box{along(b.min, direction, by), along(b.max, direction, by)};
}

region random_region(abut::samples::random& random, int dimension, double space) {
  if (random.below(2) == 0) {
    sphere s{.center = {}, .radius = random.uniform(0, 1)};
    for (int k = 0; k < dimension; ++k) s.center[k] = random.uniform(0, space);
    return s;
  }
  box b;
  for (int k = 0; k < dimension; ++k) {
    b.min[k] = random.uniform(0, space);
    b.max[k] = b.min[k] + random.uniform(0, 2);
  }
  return b;
}

vector random_direction(abut::samples::random& random, int dimension) {
  while (true) {
    vector v{};
    double square = 0;
    for (int k = 0; k < dimension; ++k) {
      v[k] = random.uniform(-1, 1);
      square += v[k] * v[k];
    }
    if (square > 1 || square < 0.01) continue;
    return along({}, v, 1 / std::sqrt(square));
  }
}

/// How far a point is from the surface of a sphere, or from the nearest plane of a face of a box on this axis.
double off_surface(const region& r, const vector& point, const vector& normal) {
  if (const auto* s = std::get_if<sphere>(&r)) {
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (point[k] - s->center[k]) * (point[k] - s->center[k]);
    return std::abs(std::sqrt(square) - s->radius);
  }
  const box& b = std::get<box>(r);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (normal[k] == 0) continue;
    least = std::min({least, std::abs(point[k] - b.min[k]), std::abs(point[k] - b.max[k])});
  }
  return least;
}

std::string text_of(const region& r) {
  std::string text = r.index() == 0 ? "sphere" : "box";
  const auto add = [&](double v) { text += " " + support::number(v); };
  if (const auto* s = std::get_if<sphere>(&r)) {
    for (const double v : s->center) add(v);
    add(s->radius);
  } else {
    for (const double v : std::get<box>(r).min) add(v);
    for (const double v : std::get<box>(r).max) add(v);
  }
  return text;
}

TEST(touch, is_what_separates_two_volumes_by_the_shortest_way) {
  constexpr double little = 1e-9;
  abut::samples::random random(1);
  int deep[2][2] = {}, apart[2][2] = {};
  for (int k = 0; k < 8000; ++k) {
    const int dimension = 2 + k % 2;
    const region a = random_region(random, dimension, 2.5), b = random_region(random, dimension, 2.5);
    const touch t = abut::touch_of(a, b, dimension);
    SCOPED_TRACE(text_of(a) + ", " + text_of(b) + ", " + std::to_string(dimension) + "D");
    const auto [x, y, z] = t.normal;
    EXPECT_NEAR(x * x + y * y + z * z, 1, 1e-12);
    if (dimension == 2) {
      EXPECT_EQ(z, 0);
      EXPECT_EQ(t.point[2], 0);
    }
    // The gap or depth is what `overlap` says: with a margin of a little more than the gap they are a pair.
    EXPECT_TRUE(abut::overlap(a, b, std::max(0.0, -t.overlap + little)));
    if (t.overlap < -2 * little) {
      EXPECT_FALSE(abut::overlap(a, b, -t.overlap - little));
      ++apart[a.index()][b.index()];
    }
    EXPECT_LT(off_surface(a, along(t.point, t.normal, t.overlap / 2), t.normal), little);
    EXPECT_LT(off_surface(b, along(t.point, t.normal, -t.overlap / 2), t.normal), little);
    if (t.overlap <= 2 * little) continue;
    ++deep[a.index()][b.index()];
    EXPECT_FALSE(abut::overlap(a, moved(b, t.normal, t.overlap + little)));
    EXPECT_TRUE(abut::overlap(a, moved(b, t.normal, t.overlap - little)));
    for (int n = 0; n < 8; ++n) {
      EXPECT_TRUE(abut::overlap(a, moved(b, random_direction(random, dimension), t.overlap - little)))
          << "no other way is shorter";
    }
  }
  for (const auto& counts : {deep[0], deep[1], apart[0], apart[1]}) {
    EXPECT_GT(counts[0], 100);
    EXPECT_GT(counts[1], 100);
  }
}

TEST(touch, turns_round_if_the_two_are_exchanged) {
  abut::samples::random random(2);
  for (int k = 0; k < 2000; ++k) {
    const int dimension = 2 + k % 2;
    const region a = random_region(random, dimension, 2), b = random_region(random, dimension, 2);
    const touch t = abut::touch_of(a, b, dimension), u = abut::touch_of(b, a, dimension);
    SCOPED_TRACE(text_of(a) + ", " + text_of(b));
    EXPECT_DOUBLE_EQ(t.overlap, u.overlap);
    for (int n = 0; n < 3; ++n) {
      EXPECT_EQ(t.normal[n], -u.normal[n]);
      EXPECT_NEAR(t.point[n], u.point[n], 1e-12);
    }
  }
}

TEST(touch, has_its_simple_values) {
  const touch spheres = abut::touch_of(sphere{{0, 0, 0}, 1}, sphere{{0, 3, 0}, 2.5});
  EXPECT_EQ(spheres.overlap, 0.5);
  EXPECT_EQ(spheres.normal, (vector{0, 1, 0}));
  EXPECT_EQ(spheres.point, (vector{0, 0.75, 0}));

  const touch boxes = abut::touch_of(box{{0, 0, 0}, {2, 2, 2}}, box{{1, -1, 1.75}, {3, 3, 3}});
  EXPECT_EQ(boxes.overlap, 0.25);
  EXPECT_EQ(boxes.normal, (vector{0, 0, 1}));
  EXPECT_EQ(boxes.point, (vector{1.5, 1, 1.875}));

  const touch rectangles = abut::touch_of(box{{0, 0}, {2, 2}}, box{{-1, -1.5}, {1, 0.5}}, 2);
  EXPECT_EQ(rectangles.overlap, 0.5) << "z, on which the overlap is 0, does not count";
  EXPECT_EQ(rectangles.normal, (vector{0, -1, 0}));
  EXPECT_EQ(rectangles.point, (vector{0.5, 0.25, 0}));

  const touch gap = abut::touch_of(box{{0, 0, 0}, {1, 1, 1}}, box{{1.5, 2, 0}, {3, 3, 1}});
  EXPECT_EQ(gap.overlap, -1) << "the largest gap, as for a margin";
  EXPECT_EQ(gap.normal, (vector{0, 1, 0}));

  const touch corner = abut::touch_of(sphere{{-3, -4, 0}, 6}, box{{0, 0, -1}, {1, 1, 1}});
  EXPECT_EQ(corner.overlap, 1);
  EXPECT_DOUBLE_EQ(corner.normal[0], 0.6);
  EXPECT_DOUBLE_EQ(corner.normal[1], 0.8);

  const touch inside = abut::touch_of(box{{0, 0, 0}, {10, 10, 10}}, sphere{{5, 9, 5}, 2});
  EXPECT_EQ(inside.overlap, 3) << "out by the nearest face";
  EXPECT_EQ(inside.normal, (vector{0, 1, 0}));
  EXPECT_EQ(inside.point, (vector{5, 8.5, 5}));
}

TEST(touch, has_a_normal_for_equal_centers) {
  const std::vector<region> all{sphere{{1, 1, 1}, 0.5}, sphere{{1, 1, 1}, 0}, box{{0, 0, 0}, {2, 2, 2}},
                                box{{1, 1, 1}, {1, 1, 1}}};
  for (const region& a : all) {
    for (const region& b : all) {
      SCOPED_TRACE(text_of(a) + ", " + text_of(b));
      for (const int dimension : {2, 3}) {
        const touch t = abut::touch_of(a, b, dimension);
        EXPECT_EQ(t.normal, (vector{1, 0, 0})) << "from the first to the second, whichever comes first";
        for (int k = 1; k < dimension; ++k) EXPECT_EQ(t.point[k], 1);
      }
    }
  }
}

TEST(touch, is_finite_at_the_ends_of_the_numbers) {
  const std::vector<double> ends{-1e150, -1e-300, 0, 5e-324, 1e-200, 1, 1e150};
  std::vector<region> all;
  for (const double x : ends) {
    for (const double y : ends) {
      for (const double r : {0.0, 5e-324, 1.0, 1e150}) {
        all.emplace_back(sphere{{x, y, 0}, r});
        all.emplace_back(box{{x, y, 0}, {std::max(x, r), std::max(y, r), r}});
      }
    }
  }
  for (const region& a : all) {
    for (const region& b : all) {
      const touch t = abut::touch_of(a, b);
      double square = 0;
      for (const double v : t.normal) square += v * v;
      ASSERT_NEAR(square, 1, 1e-12) << text_of(a) << ", " << text_of(b);
      ASSERT_TRUE(std::isfinite(t.overlap + t.point[0] + t.point[1] + t.point[2])) << text_of(a) << ", " << text_of(b);
    }
  }
  const touch tiny = abut::touch_of(sphere{{0, 0, 0}, 1}, sphere{{3e-200, 4e-200, 0}, 1});
  EXPECT_DOUBLE_EQ(tiny.normal[0], 0.6) << "though the squares are 0";
}

/// The largest overlap of body i with an image of body j, of all that are at most three periods away.
double deepest(const abut::bodies& b, abut::pair p, const reference::periods& periodic) {
  double most = -std::numeric_limits<double>::infinity();
  const int d = b.dimension();
  const auto shifts = [&](int axis) { return axis < d && periodic[axis] ? 3 : 0; };
  for (int x = -shifts(0); x <= shifts(0); ++x) {
    for (int y = -shifts(1); y <= shifts(1); ++y) {
      for (int z = -shifts(2); z <= shifts(2); ++z) {
        region other = abut::region_of(b, p.j);
        const int by[3] = {x, y, z};
        for (int k = 0; k < 3; ++k) {
          if (by[k] == 0) continue;
          vector axis{};
          axis[k] = 1;
          other = moved(other, axis, by[k] * (periodic[k]->max - periodic[k]->min));
        }
        most = std::max(most, abut::touch_of(abut::region_of(b, p.i), other, d).overlap);
      }
    }
  }
  return most;
}

TEST(touch, of_a_pair_is_with_the_nearest_image) {
  constexpr double margin = 0.05, side = 8;
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (int axes = 0; axes < 1 << dimension; ++axes) {
        SCOPED_TRACE(std::to_string(dimension) + "D, axes " + std::to_string(axes));
        reference::periods periodic;
        abut::samples::random random(static_cast<std::uint64_t>(axes));
        abut::samples::set bodies{.kind = kind, .dimension = dimension};
        for (int k = 0; k < 400; ++k) {
          double c[3];
          for (double& v : c) v = random.uniform(0, side);
          bodies.add(c[0], c[1], c[2], random.uniform(0.1, 0.5));
        }
        for (int k = 0; k < dimension; ++k) {
          if ((axes >> k & 1) == 0) continue;
          periodic[k] = abut::interval{0, side};
          for (std::size_t i = 0; i < bodies.size(); i += 3) {  // some lie outside of the period
            const double by = side * (random.below(2) == 0 ? -1 : 1);
            bodies.column[k][i] += by;
            if (kind == shape::box) bodies.column[k + dimension][i] += by;
          }
        }
        abut::search search(abut::plan(), {.margin = margin, .periodic = periodic});
        search.update(bodies.view());
        int through = 0;
        for (const abut::pair p : search.pairs()) {
          const touch t = abut::touch_of(bodies.view(), p, search.chosen().periodic);
          ASSERT_GT(t.overlap, -margin - 1e-9);
          ASSERT_NEAR(t.overlap, deepest(bodies.view(), p, periodic), 1e-9) << support::pair_text(p);
          const touch plain = abut::touch_of(bodies.view(), p);
          if (plain.overlap < -margin) ++through;
          const region first = abut::region_of(bodies.view(), p.i);
          const region image = abut::nearest_image(first, abut::region_of(bodies.view(), p.j), periodic);
          for (int k = 0; k < 3; ++k) {
            const double way = abut::center_of(image)[k] - abut::center_of(first)[k];
            ASSERT_LT(std::abs(way), 1.5) << "the image is near body i as it is given";
          }
        }
        EXPECT_EQ(through > 0, axes != 0);
      }
    }
  }
}

TEST(touch, a_volume_that_need_not_move_stays_as_it_is) {
  const reference::periods periodic{abut::interval{0, 0.3}, abut::interval{-1, 1}, std::nullopt};
  const sphere a{{0.1, 0, 0}, 0.01}, b{{0.1 + 0.1, 0.7, 9}, 0.02};
  EXPECT_EQ(std::get<sphere>(abut::nearest_image(a, b, periodic)).center, b.center);
  const auto far = std::get<sphere>(abut::nearest_image(a, sphere{{0.1, -1.5, 0}, 0.02}, periodic));
  EXPECT_EQ(far.center, (vector{0.1, 0.5, 0}));
  const auto tie = std::get<sphere>(abut::nearest_image(sphere{{0, 0.5, 0}, 0}, sphere{{0, -0.5, 0}, 0}, periodic));
  EXPECT_EQ(tie.center[1], 1.5) << "of two that are equally near, the upper one";
  const reference::periods tiny{abut::interval{0, 1e-300}, std::nullopt, std::nullopt};
  EXPECT_EQ(abut::center_of(abut::nearest_image(a, sphere{{1e150, 0, 0}, 0}, tiny))[0], 1e150) << "too far to count";
}

TEST(touch, reads_bodies_of_every_kind) {
  const std::vector<float> x{0.5F, 1.5F};
  const auto disc = std::get<sphere>(abut::region_of(abut::spheres(x, 2.0, 0.25), 1));
  EXPECT_EQ(disc.center, (vector{1.5, 2, 0}));
  EXPECT_EQ(disc.radius, 0.25);
  const auto rectangle = std::get<box>(abut::region_of(abut::boxes(x, 3.0, 1.0, 4.0), 0));
  EXPECT_EQ(rectangle.min, (vector{0.5, 1, 0}));
  EXPECT_EQ(rectangle.max, (vector{3, 4, 0}));
  const auto cube = std::get<box>(abut::region_of(abut::boxes(x, 3.0, 1.0, 4.0, -1.0, 1.0), 1));
  EXPECT_EQ(cube.min, (vector{1.5, 1, -1}));
  EXPECT_EQ(abut::center_of(cube), (vector{2.25, 2.5, 0}));
}

}  // namespace
}  // namespace touch_test
