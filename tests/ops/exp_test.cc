// Our own exponential: within one unit in the last place, and the same bits everywhere.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "portable_fallback/math.h"

namespace arenite {
namespace {

// |got - e^x| in units of the last place of the float nearest to e^x.
double error_units(float x) {
  const double exact = std::exp(static_cast<double>(x));
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::fabs(static_cast<double>(exp_f32(x)) - exact) / std::ldexp(1.0, exponent - 23);
}

TEST(Exp, IsWithinOneUnitInTheLastPlace) {
  // Every 61st float between where results vanish and where they overflow.
  for (float end : {-103.97f, 88.722f}) {
    for (uint32_t bits = 0; bits < std::bit_cast<uint32_t>(std::fabs(end)); bits += 61) {
      const float x = std::copysign(std::bit_cast<float>(bits), end);
      ASSERT_LE(error_units(x), 1.0) << "e^" << x;
    }
  }
}

TEST(Exp, ReachesItsLimits) {
  constexpr float kMax = std::numeric_limits<float>::max();
  EXPECT_EQ(exp_f32(0.0f), 1.0f);
  EXPECT_EQ(exp_f32(-0.0f), 1.0f);
  EXPECT_EQ(exp_f32(88.73f), kInfinity);
  EXPECT_EQ(exp_f32(kMax), kInfinity);
  EXPECT_EQ(exp_f32(kInfinity), kInfinity);
  EXPECT_EQ(exp_f32(-104.0f), 0.0f);
  EXPECT_EQ(exp_f32(-kMax), 0.0f);
  EXPECT_EQ(exp_f32(-kInfinity), 0.0f);
  EXPECT_TRUE(std::isnan(exp_f32(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Exp, KeepsItsBits) {
  // A digest over a spread of arguments: a compiler that reorders or fuses would change it.
  uint64_t digest = 1469598103934665603u;
  for (int i = -10500; i < 9000; ++i) {
    const float x = static_cast<float>(i) * 0.01f;
    digest = (digest ^ std::bit_cast<uint32_t>(exp_f32(x))) * 1099511628211u;
  }
  EXPECT_EQ(digest, 7482372575332003119u);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
