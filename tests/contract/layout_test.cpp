// Bodies in the user's own memory: in every layout, the result is that of the numbers widened to double.

#include <cstring>
#include <span>
#include <utility>

#include "support.hpp"

namespace layout_test {
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

// Touching exactly in float differs from touching exactly in double; float input is widened first.
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
  // A pointer to a misaligned double, made from an address, as C programs do.
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

// What other libraries call float4: no operator[], and a fourth number that may be a radius, a mass or nothing.
struct float4 {
  float x, y, z, w;
};

// A vector type as of glm or Eigen: a class with operator[].
template <class T, std::size_t N>
class vec {
 public:
  vec() = default;
  explicit vec(const std::array<T, N>& at) : at_(at) {}
  T& operator[](int k) { return at_[static_cast<std::size_t>(k)]; }
  const T& operator[](int k) const { return at_[static_cast<std::size_t>(k)]; }

 private:
  std::array<T, N> at_{};
};

TEST_P(layout, arrays_of_centers) {
  std::vector<std::array<double, 3>> centers;
  std::vector<vec<double, 3>> vectors;
  std::vector<std::array<float, 2>> flat;
  double rows[250][3];
  for (std::size_t i = 0; i < x_.size(); ++i) {
    centers.push_back({x_[i], y_[i], z_[i]});
    vectors.emplace_back(centers.back());
    flat.push_back({static_cast<float>(x_[i]), static_cast<float>(y_[i])});
    for (std::size_t k = 0; k < 3; ++k) rows[i][k] = centers[i][k];
  }
  EXPECT_EQ(pairs_of(abut::spheres(centers, r_)), expected_);
  EXPECT_EQ(pairs_of(abut::spheres(vectors, r_)), expected_);
  EXPECT_EQ(pairs_of(abut::spheres(rows, r_)), expected_);
  EXPECT_EQ(pairs_of(abut::spheres(std::span<const std::array<double, 3>>(centers), column(r_))), expected_);
  samples::set other{.dimension = 2, .column = {widened(narrowed(x_)), widened(narrowed(y_)), r_}};
  EXPECT_EQ(pairs_of(abut::spheres(flat, r_)), reference::pairs(other));
  other = {.dimension = 2, .column = {x_, y_, r_}};
  EXPECT_EQ(pairs_of(abut::spheres<2>(centers, r_)), reference::pairs(other)) << "in 2D, as stated";
  other = bodies_;
  other.column[3].assign(other.size(), 0.7);
  EXPECT_EQ(pairs_of(abut::spheres(centers, 0.7)), reference::pairs(other));
  other.column[3].assign(other.size(), 1);
  EXPECT_EQ(pairs_of(abut::spheres(centers, 1)), reference::pairs(other)) << "an integer is a number, too";
}

TEST_P(layout, a_fourth_coordinate_is_ignored_or_a_radius) {
  std::vector<std::array<double, 4>> centers;
  std::vector<float4> members;
  alignas(16) float padded[250][4];
  struct grain {
    float position[4];
    float radius;
  };
  std::vector<grain> grains;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    centers.push_back({x_[i], y_[i], z_[i], r_[i]});
    members.push_back(
        {static_cast<float>(x_[i]), static_cast<float>(y_[i]), static_cast<float>(z_[i]), static_cast<float>(r_[i])});
    const float4& m = members.back();
    for (std::size_t k = 0; k < 4; ++k) padded[i][k] = std::array{m.x, m.y, m.z, -1e30F}[k];
    grains.push_back({{m.x, m.y, m.z, -1}, m.w});
  }
  EXPECT_EQ(pairs_of(abut::spheres<3>(centers, r_)), expected_);
  EXPECT_EQ(pairs_of(abut::spheres<3>(centers, abut::column_of(centers, 3))), expected_);
  samples::set wide;
  for (std::size_t k = 0; k < 4; ++k) wide.column[k] = widened(narrowed(bodies_.column[k]));
  const std::vector<abut::pair> expected = reference::pairs(wide);
  EXPECT_EQ(pairs_of(abut::spheres(members, &float4::x, &float4::y, &float4::z, &float4::w)), expected);
  EXPECT_EQ(pairs_of(abut::spheres(members, &float4::x, &float4::y, &float4::z, wide.column[3])), expected);
  EXPECT_EQ(pairs_of(abut::spheres<3>(padded, wide.column[3])), expected);
  EXPECT_EQ(pairs_of(abut::spheres<3>(grains, &grain::position, &grain::radius)), expected);
  EXPECT_EQ(pairs_of(abut::spheres<3>(grains, &grain::position, wide.column[3])), expected);
  wide = {.dimension = 2, .column = {wide.column[0], wide.column[1], wide.column[3]}};
  EXPECT_EQ(pairs_of(abut::spheres<2>(grains, &grain::position, &grain::radius)), reference::pairs(wide));
}

TEST_P(layout, structs_with_one_radius_for_all_or_radii_elsewhere) {
  struct grain {
    double x, y, z;
    vec<double, 3> center;
    std::array<double, 2> flat;
  };
  std::vector<grain> grains;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    grains.push_back({x_[i], y_[i], z_[i], vec<double, 3>({x_[i], y_[i], z_[i]}), {x_[i], y_[i]}});
  }
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::x, &grain::y, &grain::z, r_)), expected_);
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::center, r_)), expected_);
  samples::set other{.dimension = 2, .column = {x_, y_, r_}};
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::x, &grain::y, r_)), reference::pairs(other));
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::flat, r_)), reference::pairs(other));
  other.column[2].assign(x_.size(), 0.6);
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::x, &grain::y, 0.6)), reference::pairs(other));
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::flat, 0.6)), reference::pairs(other));
  other = bodies_;
  other.column[3].assign(x_.size(), 0.6);
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::x, &grain::y, &grain::z, 0.6)), reference::pairs(other));
  EXPECT_EQ(pairs_of(abut::spheres(grains, &grain::center, 0.6)), reference::pairs(other));
}

TEST_P(layout, corners_of_boxes) {
  struct crate {
    double min[3];
    int id;
    std::array<double, 3> max;
    vec<double, 2> low, high;
    double four[4];
  };
  const samples::set boxes = samples::uniform(shape::box, 3, 250, 0.6, 1, 3, 64);
  const auto& c = boxes.column;
  std::vector<crate> crates;
  std::vector<std::array<double, 3>> mins;
  std::vector<vec<double, 3>> maxs;
  std::vector<std::array<float, 4>> narrow_min;
  samples::set wide = boxes;
  for (std::size_t k = 0; k < 3; ++k) wide.column[k] = widened(narrowed(c[k]));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    mins.push_back({c[0][i], c[1][i], c[2][i]});
    maxs.emplace_back(std::array{c[3][i], c[4][i], c[5][i]});
    narrow_min.push_back({static_cast<float>(c[0][i]), static_cast<float>(c[1][i]), static_cast<float>(c[2][i]), 9e9F});
    crates.push_back({{c[0][i], c[1][i], c[2][i]},
                      0,
                      {c[3][i], c[4][i], c[5][i]},
                      vec<double, 2>({c[0][i], c[1][i]}),
                      vec<double, 2>({c[3][i], c[4][i]}),
                      {c[3][i], c[4][i], c[5][i], -9}});
  }
  const std::vector<abut::pair> expected = reference::pairs(boxes);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(pairs_of(abut::boxes(crates, &crate::min, &crate::max)), expected);
  EXPECT_EQ(pairs_of(abut::boxes<3>(crates, &crate::min, &crate::four)), expected);
  EXPECT_EQ(pairs_of(abut::boxes(mins, maxs)), expected);
  EXPECT_EQ(pairs_of(abut::boxes<3>(narrow_min, maxs)), reference::pairs(wide));
  const samples::set flat{.kind = shape::box, .dimension = 2, .column = {c[0], c[1], c[3], c[4]}};
  EXPECT_EQ(pairs_of(abut::boxes(crates, &crate::low, &crate::high)), reference::pairs(flat));
  EXPECT_EQ(pairs_of(abut::boxes<2>(mins, maxs)), reference::pairs(flat));
}

// In place: a body that is moved in the user's array has moved for the next update.
TEST_P(layout, centers_are_read_in_place) {
  std::vector<std::array<float, 3>> centers = {{0, 0, 0}, {5, 0, 0}};
  const abut::bodies view = abut::spheres(centers, 0.5);
  EXPECT_TRUE(pairs_of(view).empty());
  centers[1][0] = 1;
  EXPECT_EQ(pairs_of(view).size(), 1U);
}

TEST_P(layout, centers_and_radii_of_different_lengths_are_refused) {
  const std::vector<std::array<double, 3>> centers(3);
  const std::vector<double> radii(2);
  try {
    (void)abut::spheres(centers, radii);
    FAIL();
  } catch (const abut::error& e) {
    EXPECT_STREQ(e.what(), "column r has 2 numbers, column x has 3: give one per body in each");
  }
}

TEST_P(layout, nothing_at_all) {
  const std::vector<float> none;
  EXPECT_TRUE(pairs_of({}).empty());
  EXPECT_TRUE(pairs_of(abut::spheres(none, none, none, none)).empty());
  EXPECT_TRUE(pairs_of(abut::spheres(none, none, none, 1.0)).empty());
  EXPECT_TRUE(pairs_of(abut::boxes(none, none, none, none)).empty());
  const std::vector<std::array<float, 3>> nowhere;
  const std::vector<float4> nobody;
  EXPECT_TRUE(pairs_of(abut::spheres(nowhere, none)).empty());
  EXPECT_TRUE(pairs_of(abut::spheres(nowhere, 1.0)).empty());
  EXPECT_TRUE(pairs_of(abut::spheres(nobody, &float4::x, &float4::y, &float4::z, 1.0)).empty());
  EXPECT_TRUE(pairs_of(abut::boxes(nowhere, nowhere)).empty());
  EXPECT_EQ(abut::spheres(nowhere, 1.0).dimension(), 3);
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

TEST(labels, are_integers_of_any_layout) {
  struct atom {
    std::uint32_t id;
    std::int64_t molecule;
    char name;
  };
  const std::vector<atom> atoms = {{7, -1, 'H'}, {4294967295U, std::int64_t{1} << 40, 'O'}};
  const abut::labels ids(&atoms[0].id, atoms.size(), sizeof(atom));
  const abut::labels molecules(&atoms[0].molecule, atoms.size(), sizeof(atom));
  ASSERT_TRUE(ids.given());
  EXPECT_EQ(ids.size(), 2U);
  EXPECT_EQ(ids[0], 7);
  EXPECT_EQ(ids[1], 4294967295);
  EXPECT_EQ(molecules[0], -1);
  EXPECT_EQ(molecules[1], std::int64_t{1} << 40);
  const std::vector<int> below = {3, -2};
  EXPECT_EQ(abut::labels(below)[1], -2);
  EXPECT_FALSE(abut::labels().given());
}

// ---- what compiles and what does not

template <class Centers, int Dimension = 0>
concept centers_taken = requires(Centers centers, std::vector<float>& radii) {
  abut::spheres<Dimension>(std::forward<Centers>(centers), radii);
  abut::spheres<Dimension>(std::forward<Centers>(centers), 0.5);
  abut::boxes<Dimension>(std::forward<Centers>(centers), std::forward<Centers>(centers));
};

template <class A>
struct holder {
  A point;
  float radius;
};

template <class A, int Dimension = 0>
concept member_taken = requires(std::vector<holder<A>>& all, A holder<A>::*point, float holder<A>::*radius) {
  abut::spheres<Dimension>(all, point, radius);
  abut::spheres<Dimension>(all, point, 0.5);
  abut::boxes<Dimension>(all, point, point);
};

template <class Min, class Max, int Dimension = 0>
concept corners_taken = requires(std::vector<Min>& mins, std::vector<Max>& maxs) {
  abut::boxes<Dimension>(mins, maxs);
};

template <class A, int Dimension = 0>
constexpr bool taken = centers_taken<std::vector<A>&, Dimension>&& member_taken<A, Dimension>;
template <class A, int Dimension = 0>
constexpr bool refused = !centers_taken<std::vector<A>&, Dimension> && !member_taken<A, Dimension>;

using padded_vec = std::array<float, 4>;
static_assert(taken<std::array<double, 3>> && taken<std::array<float, 2>> && taken<vec<double, 3>>);
static_assert(centers_taken<float (&)[7][3]> && centers_taken<std::span<const float[2]>> && member_taken<double[2]>);
static_assert(centers_taken<const std::vector<vec<float, 2>>&> && centers_taken<std::span<vec<float, 2>>>);
// A fourth coordinate needs a word.
static_assert(refused<padded_vec> && taken<padded_vec, 3> && taken<padded_vec, 2>);
static_assert(!member_taken<float[4]> && member_taken<float[4], 3> && !centers_taken<float (&)[7][4]>);
static_assert(centers_taken<float (&)[7][4], 3>);
// No dimension that the points do not have, nor one that bodies cannot have.
static_assert(refused<std::array<double, 2>, 3> && refused<std::array<double, 1>> && refused<std::array<double, 4>, 4>);
static_assert(refused<std::array<double, 3>, 1> && refused<std::array<double, 3>, -3>);
// Only numbers of float or double inside the points.
static_assert(refused<std::array<int, 3>> && refused<float4> && refused<std::vector<double>>);
static_assert(refused<std::span<double>> && refused<const float*> && refused<std::array<long double, 3>>);
// Corners of one dimension.
static_assert(corners_taken<std::array<float, 3>, std::array<double, 3>>);
static_assert(!corners_taken<std::array<float, 3>, std::array<float, 2>>);
static_assert(!corners_taken<std::array<float, 3>, padded_vec>);
static_assert(corners_taken<std::array<float, 3>, padded_vec, 3>);
// No temporaries.
static_assert(!centers_taken<std::vector<std::array<double, 3>>> && !centers_taken<std::array<vec<double, 3>, 4>>);

// Integers of 32 or 64 bits that outlive the call; nothing else compiles.
static_assert(std::is_constructible_v<abut::labels, std::vector<std::uint64_t>&>);
static_assert(!std::is_constructible_v<abut::labels, std::vector<std::uint64_t>>);
static_assert(!std::is_constructible_v<abut::labels, std::vector<short>&>);
static_assert(!std::is_constructible_v<abut::labels, std::vector<double>&>);

INSTANTIATE_TEST_SUITE_P(methods, layout, ::testing::ValuesIn(support::method_names()), support::method_test_name);

}  // namespace
}  // namespace layout_test
