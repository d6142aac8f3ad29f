// Tests how real factors become multipliers and shifts.
#include "planner/fixed_point/multiplier.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/planner/fixed_point/half.h"

namespace arenite::planner {
namespace {

TEST(Multiplier, PowersOfTwoAreExact) {
  EXPECT_EQ(quantized_multiplier(0.5), (Multiplier{kHalf, 0}));
  EXPECT_EQ(quantized_multiplier(1), (Multiplier{kHalf, 1}));
  EXPECT_EQ(quantized_multiplier(std::ldexp(1, -31)), (Multiplier{kHalf, -30}));
  EXPECT_EQ(quantized_multiplier(std::ldexp(1, 20)), (Multiplier{kHalf, 21}));
}

TEST(Multiplier, OthersAreRoundedTo31Bits) {
  EXPECT_EQ(quantized_multiplier(1.0 / 3), (Multiplier{1431655765, -1}));
  EXPECT_EQ(quantized_multiplier(2.0 / 3), (Multiplier{1431655765, 0}));
  // 2^31 - 1/2 of 2^31 parts: halves go up.
  EXPECT_EQ(quantized_multiplier(1 - std::ldexp(1, -32)), (Multiplier{kHalf, 1}));
  EXPECT_EQ(quantized_multiplier(1 - std::ldexp(1, -31)), (Multiplier{2147483647, 0}));
}

TEST(Multiplier, WhatWouldGiveNothingIsZero) {
  EXPECT_EQ(quantized_multiplier(0), (Multiplier{0, 0}));
  EXPECT_EQ(quantized_multiplier(std::ldexp(1, -32)), (Multiplier{kHalf, -31}));
  EXPECT_EQ(quantized_multiplier(std::ldexp(0.99, -32)), (Multiplier{0, 0}));
  EXPECT_EQ(quantized_multiplier(1e-300), (Multiplier{0, 0}));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
