// Tests where TensorFlow Lite's integer resizes read, worked out by hand.
#include "planner/fixed_point/tflite_resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace arenite::planner::tflite {
namespace {

using ::testing::ElementsAre;

constexpr ResizeGrid kPlain = {}, kCorners = {true, false}, kCenters = {false, true};

// Steps of 3 * 1024 / 4 = 768 parts.
TEST(TfliteResize, OfThreeInTenBits) {
  const IntegerTaps plain = integer_taps(kPlain, DType::kInt8, 3, 4);
  EXPECT_EQ(plain.taps, 2u);
  EXPECT_EQ(plain.fraction_bits, 10u);
  EXPECT_THAT(plain.firsts, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(plain.weights, ElementsAre(1024, 0, 256, 768, 512, 512, 0, 1024));
  // Steps of round(2 * 1024 / 3) = 683: the last place is one part beyond the end.
  const IntegerTaps corners = integer_taps(kCorners, DType::kInt16, 3, 4);
  EXPECT_THAT(corners.firsts, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(corners.weights, ElementsAre(1024, 0, 341, 683, 682, 342, 0, 1024));
  // The place is 384 - 512, which is before the beginning.
  const IntegerTaps centers = integer_taps(kCenters, DType::kInt8, 3, 4);
  EXPECT_THAT(centers.firsts, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(centers.weights, ElementsAre(1024, 0, 384, 640, 640, 384, 0, 1024));
}

TEST(TfliteResize, OfThreeInElevenBits) {
  const IntegerTaps corners = integer_taps(kCorners, DType::kUint8, 3, 4);
  EXPECT_EQ(corners.fraction_bits, 11u);
  EXPECT_THAT(corners.weights, ElementsAre(2048, 0, 683, 1365, 1365, 683, 0, 2048));
}

TEST(TfliteResize, FromOneAndToOne) {
  const IntegerTaps from = integer_taps(kPlain, DType::kInt8, 1, 3);
  EXPECT_EQ(from.taps, 1u);
  EXPECT_THAT(from.firsts, ElementsAre(0, 0, 0));
  EXPECT_THAT(from.weights, ElementsAre(1024, 1024, 1024));
  EXPECT_THAT(integer_taps(kCorners, DType::kUint8, 5, 1).weights, ElementsAre(2048, 0));
}

// The rounded step of many places leaves the input: they read its end.
TEST(TfliteResize, StaysInside) {
  for (const ResizeGrid& grid : {kPlain, kCorners, kCenters}) {
    for (const DType type : {DType::kInt8, DType::kUint8}) {
      for (const uint32_t output : {1u, 2u, 7u, 3000u, 8000u}) {
        const IntegerTaps taps = integer_taps(grid, type, 5, output);
        const int32_t one = 1 << taps.fraction_bits;
        for (uint32_t o = 0; o < output; ++o) {
          ASSERT_GE(taps.firsts[o], 0);
          ASSERT_LE(taps.firsts[o], 3);
          ASSERT_EQ(taps.weights[2 * o] + taps.weights[2 * o + 1], one);
          ASSERT_GE(taps.weights[2 * o], 0);
          ASSERT_GE(taps.weights[2 * o + 1], 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
