// Tests the numbers of TensorFlow Lite's integer kernels against ones worked out by hand.
#include "planner/fixed_point/tflite.h"

#include <gtest/gtest.h>

#include <cmath>

#include "planner/fixed_point/half_even.h"
#include "tests/planner/fixed_point/half.h"

namespace arenite::planner::tflite {
namespace {

// Integers that are not clipped.
Wanted whole(const Scaled& y) { return {.y = y, .rounding = Rounding::kTfliteDouble}; }

TEST(TfliteNumbers, LimitsOfClips) {
  const Scaled y = {DType::kInt8, 0.1f, -20};
  const Limits relu6 = limits_of({y, Rounding::kTfliteDouble, 0, 6});
  EXPECT_EQ(relu6.low, -20);
  EXPECT_EQ(relu6.high, 40);
  const Limits relu = limits_of({y, Rounding::kTfliteDouble, 0});
  EXPECT_EQ(relu.low, -20);
  EXPECT_EQ(relu.high, 127);
  // Beyond the type's own.
  const Limits wide = limits_of({{DType::kUint8, 1e-30f, 3}, Rounding::kTfliteDouble, -1, 1e30f});
  EXPECT_EQ(wide.low, 0);
  EXPECT_EQ(wide.high, 255);
  // Halves away from zero, then the zero point: -2.5 and 2.5.
  const Limits halves = limits_of({{DType::kInt16, 2, 10}, Rounding::kTfliteDouble, -5, 5});
  EXPECT_EQ(halves.low, 7);
  EXPECT_EQ(halves.high, 13);
}

// For a matrix the product of the scales is rounded to float32; for a convolution it is not.
TEST(TfliteNumbers, ProductsOfScales) {
  const float a = 0.1f, b = 0.3f;
  const double rounded = double{a * b}, exact = double{a} * double{b};
  ASSERT_NE(rounded, exact);
  EXPECT_EQ(matmul_multiplier(a, b, 1), quantized_multiplier(rounded));
  EXPECT_EQ(conv_multiplier(a, b, 1), quantized_multiplier(exact));
  EXPECT_NE(matmul_multiplier(a, b, 1), conv_multiplier(a, b, 1));
  EXPECT_EQ(conv_multiplier(0.5f, 0.5f, 0.5f), (Multiplier{kHalf, 0}));
}

TEST(TfliteNumbers, SumsShareTwiceTheGreaterScale) {
  const QuantizedAddAttributes add =
      add_attributes(whole({DType::kInt8, 0.25f, 3}), {DType::kInt8, 0.5f, 1},
                     {DType::kInt8, 0.25f, 2}, SumKind::kSum);
  EXPECT_EQ(add.left_shift, 20u);
  EXPECT_EQ(add.zero_points[0], 1);
  EXPECT_EQ(add.zero_points[1], 2);
  EXPECT_EQ(add.output.zero_point, 3);
  EXPECT_EQ(add.output.rounding, Rounding::kTfliteDouble);
  // 1/2, 1/4 and 1 / (2^20 / 4).
  EXPECT_EQ(add.multipliers[0], kHalf);
  EXPECT_EQ(add.shifts[0], 0);
  EXPECT_EQ(add.multipliers[1], kHalf);
  EXPECT_EQ(add.shifts[1], -1);
  EXPECT_EQ(add.multipliers[2], kHalf);
  EXPECT_EQ(add.shifts[2], -17);
  const Scaled wide = {DType::kInt16, 1, 0};
  EXPECT_EQ(add_attributes(whole(wide), wide, wide, SumKind::kDifference).left_shift, 15u);
}

// Both factors in parts of 2^-21 of what the greater is below; 1/3 in float32 is above it.
TEST(TfliteNumbers, SumsOfUint8HaveOneShift) {
  const Scaled a = {DType::kUint8, 0.5f, 1}, b = {DType::kUint8, 0.25f, 2};
  const Wanted y = whole({DType::kUint8, 0.75f, 3});
  const auto add = litert_add_attributes(y, a, b, SumKind::kDifference);
  ASSERT_TRUE(add);
  EXPECT_EQ(add->output.rounding, Rounding::kFloat32);
  EXPECT_EQ(add->kind, SumKind::kDifference);
  EXPECT_EQ(add->left_shift, 0u);
  EXPECT_EQ(add->shifts[2], 21);
  EXPECT_EQ(add->multipliers[0], 1398101);
  EXPECT_EQ(add->multipliers[1], 699051);
  EXPECT_FALSE(litert_add_attributes(y, a, {DType::kUint8, 300, 2}, SumKind::kSum));
  // Then they are added as those of int8 are.
  EXPECT_EQ(add_attributes(y, a, b, SumKind::kSum).output.rounding, Rounding::kTfliteDouble);
}

TEST(TfliteNumbers, ProductsOfUint8AreFloats) {
  const Multiplier factor = float_multiplier(0.1f, 0.3f, 0.7f);
  EXPECT_EQ(factor.multiplier & 0x7f, 0);
  EXPECT_EQ(std::ldexp(static_cast<double>(factor.multiplier), factor.shift - 31),
            double{0.1f * 0.3f / 0.7f});
}

// 2 * 0.5 is the common scale; its square over 2^14 * 0.25.
TEST(TfliteNumbers, SquaresOfDifferencesHaveRoomFor32Bits) {
  const QuantizedAddAttributes square = squared_difference_attributes(
      whole({DType::kInt8, 0.25f, 3}), {DType::kInt8, 0.5f, 1}, {DType::kInt8, 0.25f, 2});
  EXPECT_EQ(square.kind, SumKind::kSquare);
  EXPECT_EQ(square.left_shift, 7u);
  EXPECT_EQ(square.multipliers[2], kHalf);
  EXPECT_EQ(square.shifts[2], -11);
  const Scaled wide = {DType::kInt16, 1, 0};
  EXPECT_EQ(squared_difference_attributes(whole(wide), wide, wide).left_shift, 0u);
}

TEST(TfliteNumbers, MeansDivideTheirMultiplier) {
  const Scaled x = {DType::kInt8, 1, 5}, y = {DType::kInt8, 1, -5};
  const QuantizedSumAttributes sum = sum_attributes(whole(y), x, 6, 0);
  EXPECT_EQ(sum.multiplier, kHalf);
  EXPECT_EQ(sum.shift, 1);
  EXPECT_EQ(sum.axes, 6u);
  EXPECT_EQ(sum.x_zero_point, 5);
  EXPECT_EQ(sum.output.zero_point, -5);
  // A mean of 49 elements: 2^30 * 2^5 / 49 cut off, five bits further right.
  const QuantizedSumAttributes mean = sum_attributes(whole(y), x, 6, 49);
  EXPECT_EQ(mean.multiplier, 701219150);
  EXPECT_EQ(mean.shift, -4);
}

TEST(TfliteNumbers, SoftmaxCountsDifferencesToMinus31) {
  // A step of 1/8 is 2^23 of 2^26 parts: a left shift of 24, and 31 are 248 steps.
  const auto scale = softmax_scale(0.125f, 1);
  ASSERT_TRUE(scale);
  EXPECT_EQ(scale->input, (Multiplier{kHalf, 24}));
  EXPECT_EQ(scale->difference_min, -124);
  EXPECT_FALSE(softmax_scale(1e-9f, 1));
  // The greatest multiplier there is.
  EXPECT_EQ(softmax_scale(1e9f, 1)->input, (Multiplier{2147483647, 31}));
}

// The share of each of 512 equal elements is half a step of 1/256.
TEST(TfliteNumbers, HalvesOfSoftmaxGoUpAsLitertsDo) {
  using half_even::Halves;
  for (const Halves halves : {Halves::kEven, Halves::kUp}) {
    const auto table = half_even::softmax_table(0.1f, 1.0f / 256, 512, halves);
    const uint64_t sum = uint64_t{512} * table[256];
    EXPECT_EQ(uint64_t{2} * table[0], halves == Halves::kUp ? sum + 2 : sum);
  }
}

}  // namespace
}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
