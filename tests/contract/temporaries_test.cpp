// What the interface accepts as bodies: arrays that outlive the call. A temporary does not compile, since a view of it
// would read freed memory; neither does a center whose numbers lie outside the structs.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace temporaries_test {
namespace {

struct grain {
  double x, y, z, r;
  std::array<float, 3> position;
  double center[2];
};

// The numbers of these lie elsewhere, so no stride leads from one struct's numbers to the next one's.
struct scattered {
  std::vector<double> in_vector;
  std::span<double> in_span;
  float* at;
  double r;
  volatile double unsteady;
};

template <class R>
concept columns = requires(R&& numbers) {
  abut::column(std::forward<R>(numbers));
};

template <class R>
concept discs = requires(R&& x, std::vector<double>& y) {
  abut::spheres(std::forward<R>(x), y, 0.5);
};

template <class R>
concept column_of_structs = requires(R&& grains) {
  abut::column_of(std::forward<R>(grains), &grain::x);
};

template <class R>
concept column_of_arrays = requires(R&& grains) {
  abut::column_of(std::forward<R>(grains), &grain::position, 1);
};

template <class R>
concept flat_structs = requires(R&& grains) {
  abut::spheres(std::forward<R>(grains), &grain::x, &grain::y, &grain::r);
};

template <class R>
concept structs = requires(R&& grains) {
  abut::spheres(std::forward<R>(grains), &grain::x, &grain::y, &grain::z, &grain::r);
};

template <class R>
concept centers = requires(R&& grains) {
  abut::spheres(std::forward<R>(grains), &grain::position, &grain::r);
  abut::spheres(std::forward<R>(grains), &grain::center, &grain::r);
};

template <class R>
concept fixed_flags = requires(R&& which, const abut::bodies& b) {
  b.fixed(std::forward<R>(which));
};

template <class R>
concept ids = requires(R&& which, const abut::bodies& b, std::vector<int>& lasting) {
  b.group(std::forward<R>(which));
  b.mask(std::forward<R>(which), lasting);
  b.mask(lasting, std::forward<R>(which));
};

template <class R>
concept radii = requires(R&& numbers, std::vector<grain>& grains, std::vector<std::array<double, 3>>& centers) {
  abut::spheres(centers, std::forward<R>(numbers));
  abut::spheres(grains, &grain::position, std::forward<R>(numbers));
  abut::spheres(grains, &grain::x, &grain::y, std::forward<R>(numbers));
  abut::spheres(grains, &grain::x, &grain::y, &grain::z, std::forward<R>(numbers));
};

template <class R>
concept any_radii = requires(R&& numbers, std::vector<std::array<double, 3>>& centers) {
  abut::spheres(centers, std::forward<R>(numbers));
}
|| requires(R&& numbers, std::vector<grain>& grains) {
  abut::spheres(grains, &grain::position, std::forward<R>(numbers));
}
|| requires(R&& numbers, std::vector<grain>& grains) {
  abut::spheres(grains, &grain::x, &grain::y, std::forward<R>(numbers));
}
|| requires(R&& numbers, std::vector<grain>& grains) {
  abut::spheres(grains, &grain::x, &grain::y, &grain::z, std::forward<R>(numbers));
};

template <class R>
concept corners = requires(R&& grains) {
  abut::boxes(std::forward<R>(grains), &grain::position, &grain::position);
};

template <class A>
concept center_of_scattered = requires(std::vector<scattered>& grains, A scattered::*center) {
  abut::spheres(grains, center, &scattered::r);
};

template <class T>
concept column_of_scattered = requires(std::vector<scattered>& grains, T scattered::*member) {
  abut::column_of(grains, member);
};

template <class R>
constexpr bool takes_structs =
    column_of_structs<R>&& column_of_arrays<R>&& flat_structs<R>&& structs<R>&& centers<R>&& corners<R>;
template <class R>
constexpr bool takes_no_structs =
    !column_of_structs<R> && !column_of_arrays<R> && !flat_structs<R> && !structs<R> && !centers<R> && !corners<R>;

static_assert(columns<std::vector<double>&> && columns<const std::vector<float>&>);
static_assert(columns<std::span<const double>> && columns<std::span<float>&> && columns<double (&)[3]>);
static_assert(!columns<std::vector<double>> && !columns<const std::vector<float>> && !columns<std::array<double, 3>>);
static_assert(discs<std::vector<double>&> && discs<std::span<double>> && !discs<std::vector<double>>);

static_assert(takes_structs<std::vector<grain>&> && takes_structs<const std::vector<grain>&>);
static_assert(takes_structs<std::span<grain>> && takes_structs<std::span<const grain>&>);
static_assert(takes_structs<std::array<grain, 3>&> && takes_structs<grain (&)[3]>);
static_assert(takes_no_structs<std::vector<grain>> && takes_no_structs<const std::vector<grain>>);
static_assert(takes_no_structs<std::array<grain, 3>>);

static_assert(fixed_flags<std::vector<std::uint8_t>&> && fixed_flags<const std::vector<char>&>);
static_assert(fixed_flags<std::span<const bool>> && fixed_flags<bool (&)[3]>);
static_assert(!fixed_flags<std::vector<std::uint8_t>> && !fixed_flags<std::vector<bool>&>);

static_assert(ids<std::vector<int>&> && ids<const std::vector<std::uint64_t>&> && ids<std::span<const unsigned>>);
static_assert(!ids<std::vector<int>> && !ids<std::vector<short>&> && !ids<std::vector<double>&>);

static_assert(radii<std::vector<float>&> && radii<const std::vector<double>&> && radii<std::span<double>>);
static_assert(radii<double> && radii<int> && radii<abut::column> && radii<double (&)[3]>);
static_assert(!any_radii<std::vector<float>> && !any_radii<std::vector<int>&> && !any_radii<std::array<double, 3>>);

static_assert(!center_of_scattered<std::vector<double>> && !center_of_scattered<std::span<double>>);
static_assert(!center_of_scattered<float*>);
static_assert(!column_of_scattered<volatile double>);

TEST(lasting_ranges, are_read_in_place) {
  std::vector<grain> grains(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = static_cast<float>(i);
    grains[i] = {.x = at, .y = 0, .z = 0, .r = 0.5, .position = {at, 0, 0}, .center = {at, 0}};
  }
  const std::vector<abut::pair> chain{{0, 1}, {1, 2}};
  const std::span<const grain> all = grains;
  EXPECT_EQ(abut::find_pairs(abut::spheres(all, &grain::x, &grain::y, &grain::r)), chain);
  EXPECT_EQ(abut::find_pairs(abut::spheres(all, &grain::x, &grain::y, &grain::z, &grain::r)), chain);
  EXPECT_EQ(abut::find_pairs(abut::spheres(grains, &grain::position, &grain::r)), chain);
  EXPECT_EQ(abut::find_pairs(abut::spheres(grains, &grain::center, &grain::r)), chain);
  EXPECT_EQ(abut::find_pairs(abut::spheres(all.subspan(1), &grain::center, &grain::r)),
            (std::vector<abut::pair>{{0, 1}}));
  EXPECT_EQ(abut::column_of(grains, &grain::position, 0)[2], 2);
}

}  // namespace
}  // namespace temporaries_test
