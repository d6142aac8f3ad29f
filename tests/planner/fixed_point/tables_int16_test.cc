// Tests tables of functions of int16 against the functions themselves, and where the kernels'
// arithmetic shows.
#include "planner/fixed_point/tables_int16.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arenite::planner::tflite {
namespace {

constexpr double kUnits = 32768;

int32_t at(const std::vector<int32_t>& table, int32_t x) {
  return table[static_cast<size_t>(x + 32768)];
}

// Interpolated between 24ths, whose bend is up to 6 units.
TEST(TablesOfInt16, LogisticAndTanhStayNearTheFunctions) {
  for (const float scale : {0.0003f, 0x1p-12f, 0x1p-11f, 0.00007f, 0.01f}) {
    const std::vector<int32_t> logistic = logistic_of_int16(scale), tanh = tanh_of_int16(scale);
    ASSERT_EQ(logistic.size(), 65536u);
    ASSERT_EQ(tanh.size(), 65536u);
    for (int32_t x = -32768; x < 32768; x += 31) {
      const double number = static_cast<double>(x) * double{scale};
      ASSERT_NEAR(at(logistic, x), kUnits / (1 + std::exp(-number)), 4) << x << " * " << scale;
      ASSERT_NEAR(at(tanh, x), kUnits * std::tanh(number), 10) << x << " * " << scale;
    }
  }
}

// With a scale of 2^-12, a place of the table is 3 x / 512: x = 4096 is entry 24, 512 / 3 * 24
// steps.
TEST(TablesOfInt16, PlacesOfPowersOfTwoAreExact) {
  const std::vector<int32_t> logistic = logistic_of_int16(0x1p-12f);
  const double one = 65536 / (1 + std::exp(-1.0));
  EXPECT_EQ(at(logistic, 4096), static_cast<int32_t>((std::floor(one + 0.5) + 1) / 2));
  EXPECT_EQ(at(logistic, 0), 16384);
  EXPECT_EQ(at(tanh_of_int16(0x1p-12f), 0), 0);
  EXPECT_EQ(at(logistic, 32767), 32757);
}

// A straight line is its own interpolation.
TEST(TablesOfInt16, LinesNeedNoMoving) {
  const Scaled x = {DType::kInt16, 0.5f, 0}, y = {DType::kInt16, 1, 0};
  const std::vector<int32_t> table = interpolated_table(x, y, [](float number) { return number; });
  ASSERT_EQ(table.size(), 513u);
  EXPECT_EQ(table[0], -16384);
  EXPECT_EQ(table[256], 0);
  EXPECT_EQ(table[512], 16384);
  // Beyond y's numbers they are its ends.
  const std::vector<int32_t> steep =
      interpolated_table(x, y, [](float number) { return 4 * number; });
  EXPECT_EQ(steep[0], -32768);
  EXPECT_EQ(steep[512], 32767);
}

// The first table goes from e^-10 to 1, the second from 1 to 1/2.
TEST(TablesOfInt16, SoftmaxReadsTwo) {
  const std::vector<int32_t> exponentials = softmax_exponentials();
  const std::vector<int32_t> reciprocals = softmax_reciprocals();
  ASSERT_EQ(exponentials.size(), 513u);
  ASSERT_EQ(reciprocals.size(), 513u);
  EXPECT_EQ(exponentials[0], 2);
  EXPECT_EQ(exponentials[512], 32767);
  EXPECT_EQ(reciprocals[0], 32767);
  EXPECT_EQ(reciprocals[512], 16384);
  for (size_t i = 0; i < 513; ++i) {
    const double share = static_cast<double>(i) / 512;
    ASSERT_NEAR(exponentials[i], kUnits * std::exp(10 * share - 10), 3) << i;
    ASSERT_NEAR(reciprocals[i], kUnits / (1 + share), 2) << i;
  }
}

}  // namespace
}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
