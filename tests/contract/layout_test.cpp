// Bodies in the user's own memory: whatever its layout, the result is that of the numbers widened to double.

#include <cstring>

#include "support.hpp"

namespace {

using abut::column;
using abut::shape;
namespace samples = abut::samples;

class layout : public ::testing::TestWithParam<std::string> {
 protected:
  // The pairs of bodies in any layout.
  [[nodiscard]] static std::vector<abut::pair> pairs_of(const abut::bodies& bodies) {
    abut::search search{abut::plan(GetParam())};
    search.update(bodies);
    return search.pairs();
  }

  samples::set bodies_ = samples::uniform(shape::sphere, 3, 250, 0.6, 1, 3, 61);
  std::vector<abut::pair> expected_ = reference::pairs(bodies_);
  const std::vector<double>& x_ = bodies_.column[0];
  const std::vector<double>& y_ = bodies_.column[1];
  const std::vector<double>& z_ = bodies_.column[2];
  const std::vector<double>& r_ = bodies_.column[3];
};

std::vector<float> narrowed(const std::vector<double>& numbers) {
  std::vector<float> result;
  for (const double v : numbers) result.push_back(static_cast<float>(v));
  return result;
}

std::vector<double> widened(const std::vector<float>& numbers) { return {numbers.begin(), numbers.end()}; }

TEST_P(layout, columns_of_double) {
  ASSERT_FALSE(expected_.empty());
  EXPECT_EQ(pairs_of(abut::spheres(x_, y_, z_, r_)), expected_);
}

TEST_P(layout, columns_of_float) {
  const std::vector<float> x = narrowed(x_), y = narrowed(y_), z = narrowed(z_), r = narrowed(r_);
  const samples::set wide{.column = {widened(x), widened(y), widened(z), widened(r)}};
  EXPECT_EQ(pairs_of(abut::spheres(x, y, z, r)), reference::pairs(wide));
}

TEST_P(layout, float_and_double_mixed) {
  const std::vector<float> y = narrowed(y_), r = narrowed(r_);
  const samples::set wide{.column = {x_, widened(y), z_, widened(r)}};
  EXPECT_EQ(pairs_of(abut::spheres(x_, y, z_, r)), reference::pairs(wide));
}

// Touching exactly in float is something else than in double; float input is widened first.
TEST_P(layout, float_input_is_widened_before_anything_else) {
  const samples::set touching = samples::touching(shape::sphere, 3, 400, 62);
  samples::set wide;
  std::array<std::vector<float>, 4> narrow;
  for (std::size_t k = 0; k < 4; ++k) {
    narrow[k] = narrowed(touching.column[k]);
    wide.column[k] = widened(narrow[k]);
  }
  EXPECT_EQ(pairs_of(abut::spheres(narrow[0], narrow[1], narrow[2], narrow[3])), reference::pairs(wide));
}

TEST_P(layout, members_of_structs) {
  struct grain {
    double mass;
    double x, y, z;
    int material;
    float r;
  };
  std::vector<grain> grains;
  samples::set wide = bodies_;
  wide.column[3] = widened(narrowed(r_));
  for (std::size_t i = 0; i < x_.size(); ++i) grains.push_back({1, x_[i], y_[i], z_[i], 2, static_cast<float>(r_[i])});
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::x, &grain::y, &grain::z, &grain::r)), reference::pairs(wide));
  const samples::set flat{.dimension = 2, .column = {x_, y_, wide.column[3]}};
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::x, &grain::y, &grain::r)), reference::pairs(flat));
}

TEST_P(layout, array_members) {
  struct grain {
    double center[3];
    char name;
    double radius;
  };
  struct disc {
    std::array<float, 2> center;
    float radius;
  };
  std::vector<grain> grains;
  std::vector<disc> discs;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    grains.push_back({{x_[i], y_[i], z_[i]}, 'g', r_[i]});
    discs.push_back({{static_cast<float>(x_[i]), static_cast<float>(y_[i])}, static_cast<float>(r_[i])});
  }
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::center, &grain::radius)), expected_);
  const samples::set flat{.dimension = 2,
                          .column = {widened(narrowed(x_)), widened(narrowed(y_)), widened(narrowed(r_))}};
  EXPECT_EQ(pairs_of(abut::spheres(discs, &disc::center, &disc::radius)), reference::pairs(flat));
}

TEST_P(layout, the_same_number_for_all) {
  samples::set equal = bodies_;
  equal.column[3].assign(equal.size(), 0.7);
  EXPECT_EQ(pairs_of(abut::spheres(x_, y_, z_, 0.7)), reference::pairs(equal));
  equal.column[2].assign(equal.size(), -1);
  EXPECT_EQ(pairs_of(abut::spheres(x_, y_, -1.0, 0.7)), reference::pairs(equal));
}

#pragma pack(push, 1)
struct packed_grain {
  char tag;
  double x, y;
  float z;
  char tag_too;
  double r;
};
#pragma pack(pop)

TEST_P(layout, packed_structs_with_numbers_at_odd_addresses) {
  static_assert(sizeof(packed_grain) == 30);
  std::vector<packed_grain> grains(x_.size());
  samples::set wide = bodies_;
  wide.column[2] = widened(narrowed(z_));
  for (std::size_t i = 0; i < grains.size(); ++i) {
    grains[i] = {'a', x_[i], y_[i], static_cast<float>(z_[i]), 'b', r_[i]};
  }
  // A pointer to a misaligned double is the user's to make: by way of its address, as C programs do.
  const auto at = [&](std::size_t offset) { return reinterpret_cast<std::uintptr_t>(grains.data()) + offset; };
  const std::ptrdiff_t stride = sizeof(packed_grain);
  const abut::bodies view = abut::spheres(column(reinterpret_cast<const double*>(at(1)), grains.size(), stride),
                                          column(reinterpret_cast<const double*>(at(9)), grains.size(), stride),
                                          column(reinterpret_cast<const float*>(at(17)), grains.size(), stride),
                                          column(reinterpret_cast<const double*>(at(22)), grains.size(), stride));
  EXPECT_EQ(pairs_of(view), reference::pairs(wide));
}

TEST_P(layout, negative_strides_read_backwards) {
  const std::size_t n = x_.size();
  const auto backwards = [&](const std::vector<double>& c) {
    return column(&c[n - 1], n, -static_cast<std::ptrdiff_t>(sizeof(double)));
  };
  std::vector<abut::row> reversed;
  for (std::size_t i = n; i > 0; --i) reversed.push_back(static_cast<abut::row>(i - 1));
  EXPECT_EQ(pairs_of(abut::spheres(backwards(x_), backwards(y_), backwards(z_), backwards(r_))),
            reference::pairs(samples::select(bodies_, reversed)));
}

TEST_P(layout, a_matrix_by_rows_or_by_columns) {
  const std::size_t n = x_.size();
  std::vector<double> rows(4 * n);     // as in C: x y z r, x y z r, ...
  std::vector<double> columns(4 * n);  // as in Fortran: x x x ..., y y y ...
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 4; ++k) rows[4 * i + k] = columns[n * k + i] = bodies_.column[k][i];
  }
  const auto by_row = [&](std::size_t k) { return column(&rows[k], n, 4 * sizeof(double)); };
  const auto by_column = [&](std::size_t k) { return column(&columns[n * k], n); };
  EXPECT_EQ(pairs_of(abut::spheres(by_row(0), by_row(1), by_row(2), by_row(3))), expected_);
  EXPECT_EQ(pairs_of(abut::spheres(by_column(0), by_column(1), by_column(2), by_column(3))), expected_);
}

TEST_P(layout, a_stride_of_zero_repeats_one_number) {
  const double z = 1.5;
  samples::set flat = bodies_;
  flat.column[2].assign(flat.size(), z);
  EXPECT_EQ(pairs_of(abut::spheres(x_, y_, column(&z, x_.size(), 0), r_)), reference::pairs(flat));
}

TEST_P(layout, members_of_two_arrays_of_structs) {
  struct place {
    double x, y, unused, also;
  };
  struct size {
    double z, r, unused, also;
  };
  static_assert(sizeof(place) == sizeof(size));
  std::vector<place> places;
  std::vector<size> sizes;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    places.push_back({x_[i], y_[i], 0, 0});
    sizes.push_back({z_[i], r_[i], 0, 0});
  }
  const auto of = [&](const double& first) { return column(&first, x_.size(), sizeof(place)); };
  EXPECT_EQ(pairs_of(abut::spheres(of(places[0].x), of(places[0].y), of(sizes[0].z), of(sizes[0].r))), expected_);
  EXPECT_EQ(pairs_of(abut::spheres(x_, of(places[0].y), of(sizes[0].z), of(sizes[0].r))), expected_);
}

TEST_P(layout, boxes_of_float_in_structs) {
  struct crate {
    float min[3], max[3];
  };
  const samples::set boxes = samples::uniform(shape::box, 3, 250, 0.6, 1, 3, 63);
  samples::set wide{.kind = shape::box};
  std::vector<crate> crates(boxes.size());
  for (std::size_t k = 0; k < 6; ++k) {
    wide.column[k] = widened(narrowed(boxes.column[k]));
    for (std::size_t i = 0; i < crates.size(); ++i) {
      (k < 3 ? crates[i].min[k] : crates[i].max[k - 3]) = static_cast<float>(boxes.column[k][i]);
    }
  }
  const auto min = [&](std::size_t k) { return abut::column_of(crates, &crate::min, k); };
  const auto max = [&](std::size_t k) { return abut::column_of(crates, &crate::max, k); };
  const std::vector<abut::pair> expected = reference::pairs(wide);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(pairs_of(abut::boxes(min(0), max(0), min(1), max(1), min(2), max(2))), expected);
}

TEST_P(layout, nothing_at_all) {
  const std::vector<float> none;
  EXPECT_TRUE(pairs_of({}).empty());
  EXPECT_TRUE(pairs_of(abut::spheres(none, none, none, none)).empty());
  EXPECT_TRUE(pairs_of(abut::spheres(none, none, none, 1.0)).empty());
  EXPECT_TRUE(pairs_of(abut::boxes(none, none, none, none)).empty());
}

TEST(columns, read_widens_rows_from_any_place) {
  const std::vector<float> numbers = {1, 2.5F, 3, 4, 5, 6};
  double out[3] = {};
  column(numbers).read(1, 3, out);
  EXPECT_EQ(out[0], 2.5);
  EXPECT_EQ(out[2], 4);
  column(&numbers[5], 3, -2 * static_cast<std::ptrdiff_t>(sizeof(float))).read(0, 3, out);
  EXPECT_EQ(out[0], 6);
  EXPECT_EQ(out[2], 2.5);
  column(7.0).read(10, 2, out);
  EXPECT_EQ(out[1], 7);
  EXPECT_TRUE(column(7.0).constant());
}

INSTANTIATE_TEST_SUITE_P(methods, layout, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
