#include <abut/dem/portable.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace portable_test {
namespace {

TEST(dem_portable, logarithms_are_those_of_the_library) {
  for (double a = 1e-300; a < 1e300; a *= 1.37) {
    const double expected = std::log(a);
    EXPECT_NEAR(abut::dem::portable_log(a), expected, 3e-16 * std::max(1.0, std::abs(expected))) << a;
  }
  for (double a = 0.5; a < 2; a += 0.001) EXPECT_NEAR(abut::dem::portable_log(a), std::log(a), 3e-16) << a;
  EXPECT_EQ(abut::dem::portable_log(1), 0);
  EXPECT_NEAR(abut::dem::portable_log(std::numeric_limits<double>::denorm_min()), -744.4400719213812, 3e-13);
}

TEST(dem_portable, sines_and_cosines_are_those_of_the_library) {
  for (double a = -30; a < 30; a += 0.00937) {
    EXPECT_NEAR(abut::dem::portable_sin(a), std::sin(a), 3e-16) << a;
    EXPECT_NEAR(abut::dem::portable_cos(a), std::cos(a), 3e-16) << a;
  }
  for (double a = 1e-300; a <= 1e8; a *= 1.37) {
    EXPECT_NEAR(abut::dem::portable_sin(a), std::sin(a), 3e-16 * std::min(1.0, a)) << a;
    EXPECT_NEAR(abut::dem::portable_cos(-a), std::cos(a), 3e-16) << a;
  }
  EXPECT_EQ(abut::dem::portable_sin(0), 0);
  EXPECT_EQ(abut::dem::portable_cos(0), 1);
  EXPECT_TRUE(std::isnan(abut::dem::portable_sin(1.1e8)));
  EXPECT_TRUE(std::isnan(abut::dem::portable_cos(std::numeric_limits<double>::infinity())));
}

}  // namespace
}  // namespace portable_test
