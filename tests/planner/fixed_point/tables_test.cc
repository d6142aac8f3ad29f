// Tests the tables of TensorFlow Lite's functions of 8-bit numbers against the functions, and the
// results that its fixed-point arithmetic gives where that differs.
#include "planner/fixed_point/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace arenite::planner::tflite {
namespace {

// The greatest difference, in steps of y, between a table and a function of numbers.
double worst(const Table& table, const Scaled& x, const Scaled& y,
             const std::function<double(double)>& function) {
  const Limits xs = range_of(x.dtype), ys = range_of(y.dtype);
  double most = 0;
  for (int32_t q = xs.low; q <= xs.high; ++q) {
    const double exact =
        function((q - x.zero_point) * double{x.scale}) / double{y.scale} + y.zero_point;
    const double bound =
        std::clamp(exact, static_cast<double>(ys.low), static_cast<double>(ys.high));
    most = std::max(most, std::abs(bound - table[static_cast<size_t>(q - xs.low)]));
  }
  return most;
}

double logistic(double number) { return 1 / (1 + std::exp(-number)); }

TEST(TfliteTables, LogisticOfInt8) {
  const Scaled x = {DType::kInt8, 0.1f, 4}, y = {DType::kInt8, 1.0f / 256, -128};
  const Table table = logistic_table(x, y);
  EXPECT_LT(worst(table, x, y, logistic), 0.55);
  EXPECT_EQ(table[4 + 128], 0);  // of 0: half of 256 steps
  // A table ends where 15 / scale steps end: with a scale of 1, at 15.
  const Table coarse = logistic_table({DType::kInt8, 1, 0}, y);
  EXPECT_EQ(coarse[128 + 15], 127);
  EXPECT_EQ(coarse[128 - 15], -128);
}

TEST(TfliteTables, TanhOfInt8) {
  const Scaled x = {DType::kInt8, 0.03f, -7}, y = {DType::kInt8, 1.0f / 128, 0};
  EXPECT_LT(worst(tanh_table(x, y), x, y, [](double number) { return std::tanh(number); }), 0.55);
}

TEST(TfliteTables, OtherTypesAreComputedWithNumbers) {
  const Scaled x = {DType::kUint8, 0.1f, 120}, y = {DType::kUint8, 1.0f / 256, 0};
  EXPECT_LE(worst(logistic_table(x, y), x, y, logistic), 0.501);
  const Scaled other = {DType::kUint8, 1.0f / 100, 128};
  EXPECT_LE(worst(tanh_table(x, other), x, other, [](double number) { return std::tanh(number); }),
            0.501);
}

TEST(TfliteTables, HardSwish) {
  const auto exact = [](double number) { return number * std::clamp(number + 3, 0.0, 6.0) / 6; };
  for (const float scale : {0.02f, 0.05f, 0.3f}) {
    const Scaled x = {DType::kInt8, scale, 3}, y = {DType::kInt8, scale * 0.75f, -60};
    EXPECT_LT(worst(hard_swish_table(x, y), x, y, exact), 1.5) << scale;
  }
}

TEST(TfliteTables, LeakyReluAndItsKin) {
  const Scaled x = {DType::kInt8, 0.5f, 2}, y = {DType::kInt8, 0.25f, 1};
  const Table leaky = leaky_relu_table(x, y, 0.3f);
  EXPECT_LE(worst(leaky, x, y, [](double n) { return n < 0 ? n * double{0.3f} : n; }), 0.501);
  EXPECT_EQ(leaky[2 + 128], 1);
  EXPECT_EQ(leaky[2 + 128 + 10], 21);
  EXPECT_EQ(leaky[2 + 128 - 10], 1 - 6);
  // A slope below 0.
  EXPECT_EQ(leaky_relu_table(x, y, -0.5f)[2 + 128 - 10], 1 + 10);
  EXPECT_LE(worst(abs_table(x, y), x, y, [](double n) { return std::abs(n); }), 0.501);
}

TEST(TfliteTables, OtherScalesAndLimits) {
  const Scaled x = {DType::kUint8, 0.5f, 100}, y = {DType::kInt8, 1, -1};
  const Table table = requantized_table(x, y, {-1, 9});
  EXPECT_EQ(table[0], -1);
  // The product with the multiplier rounds halves up: 1.5, 2.5 and -1.5.
  EXPECT_EQ(table[103], 1);
  EXPECT_EQ(table[105], 2);
  EXPECT_EQ(requantized_table(x, y, range_of(y.dtype))[97], -2);
  EXPECT_EQ(table[255], 9);
}

// 3 / 7 is 110 / 256: 4 times that is 1.72; of 1, 0.43.
TEST(TfliteTables, OtherScalesOfUint8HaveEightBits) {
  const Scaled x = {DType::kUint8, 3, 0}, y = {DType::kUint8, 7, 0};
  const Table table = requantized_table(x, y, range_of(y.dtype));
  EXPECT_EQ(table[4], 2);
  EXPECT_EQ(table[1], 0);
  // If a clip follows, the result is rounded twice: 0.86, and the half of 1.
  EXPECT_EQ(requantized_table(x, y, {0, 254})[1], 1);
  const Table leaky = leaky_relu_table({DType::kUint8, 3, 100}, {DType::kUint8, 7, 90}, 0.5f);
  EXPECT_EQ(leaky[107], 93);
  EXPECT_EQ(leaky[93], 90 - 2);  // 7 * 55 / 256 is 1.504
}

TEST(TfliteTables, MovedBytesAreScaledInFloats) {
  const Scaled x = {DType::kUint8, 1, 10}, y = {DType::kUint8, 2, 20};
  const Table table = moved_table(x, y);
  EXPECT_EQ(table[10], 20);
  EXPECT_EQ(table[13], 22);  // 1.5, away from zero
  EXPECT_EQ(table[7], 18);   // -1.5
  EXPECT_EQ(table[255], 20 + 123);
}

// 1 / sqrt(4 * 0.25) is 1, which 64 steps of 2^-6 are; nothing else is as near to a whole number.
TEST(TfliteTables, InverseRoots) {
  const Scaled x = {DType::kInt8, 0.25f, -128}, y = {DType::kInt8, 0x1p-6f, -128};
  const Table table = rsqrt_table(x, y);
  EXPECT_EQ(table[0], 127);
  EXPECT_EQ(table[4], -128 + 64);
  EXPECT_EQ(table[1], 0);  // 2
  const auto exact = [](double n) { return n <= 0 ? 1e9 : 1 / std::sqrt(n); };
  EXPECT_LT(worst(table, x, y, exact), 0.51);
}

TEST(TfliteTables, FunctionsOfNumbers) {
  const Scaled x = {DType::kInt8, 1, 0}, y = {DType::kInt8, 0.5f, 10};
  const Table table = table_of(x, y, [](float number) { return std::sqrt(number); });
  EXPECT_EQ(table[128 + 9], 16);
  EXPECT_EQ(table[0], 10);  // no number: the zero point
}

}  // namespace
}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
