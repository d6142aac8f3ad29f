// Tests the numbers of TensorFlow Lite's layers with state.
#include "planner/fixed_point/lstm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/planner/fixed_point/half.h"

namespace arenite::planner::tflite {
namespace {

LstmScales scales_of(float cell) {
  LstmScales scales = {{DType::kInt8, 0.5f, -7},
                       {DType::kInt8, 0.25f, 3},
                       {DType::kInt16, cell, 0},
                       {0.5f, 0.5f, 0.5f, 0.25f},
                       {1, 1, 2, 1}};
  return scales;
}

TEST(LstmNumbers, MultipliersOfGatesCellAndResult) {
  const QuantizedLstmAttributes by = lstm_attributes(scales_of(1.0f / 2048), 0);
  EXPECT_EQ(by.x_zero_point, -7);
  EXPECT_EQ(by.output.zero_point, 3);
  // 1/4 and 1/8 in units of 2^-12; 1/4 and 1/2.
  EXPECT_EQ(by.w_multipliers[0], kHalf);
  EXPECT_EQ(by.w_shifts[0], 11);
  EXPECT_EQ(by.w_shifts[3], 10);
  EXPECT_EQ(by.r_shifts[0], 11);
  EXPECT_EQ(by.r_shifts[2], 12);
  // 2^-15, 2^-30 / 2^-11, 2^-30 / 2^-2.
  EXPECT_EQ(by.cell_shifts[0], -14);
  EXPECT_EQ(by.cell_shifts[1], -18);
  EXPECT_EQ(by.h_shift, -27);
  EXPECT_EQ(by.cell_clip, 0);
}

TEST(LstmNumbers, CellsOfOtherScalesAreShifted) {
  const QuantizedLstmAttributes coarse = lstm_attributes(scales_of(1.0f / 2048), 2);
  EXPECT_EQ(coarse.tanh_multiplier, 6);
  EXPECT_EQ(coarse.tanh_shift, 0);
  EXPECT_EQ(coarse.cell_clip, 4096);
  const QuantizedLstmAttributes fine = lstm_attributes(scales_of(1.0f / 32768), 100);
  EXPECT_EQ(fine.tanh_multiplier, 3);
  EXPECT_EQ(fine.tanh_shift, 3);
  EXPECT_EQ(fine.cell_clip, 32767);
}

// Within 16 bits of the function where lines between its entries are; places of the published table
// that plain rounding gives otherwise.
TEST(LstmNumbers, TheTableOfTheLogisticFunction) {
  const std::vector<uint16_t> table = logistic_at_24ths();
  ASSERT_EQ(table.size(), 256u);
  EXPECT_EQ(table[0], 32768);
  EXPECT_EQ(table[1], 33451);
  EXPECT_EQ(table[4], 35493);
  EXPECT_EQ(table[8], 38180);
  EXPECT_EQ(table[33], 52311);
  EXPECT_EQ(table[64], 61279);
  EXPECT_EQ(table[135], 65301);
  EXPECT_EQ(table[254], 65534);
  EXPECT_EQ(table[255], 65535);
  for (size_t i = 0; i < 255; ++i) {
    const double exact = 65536 / (1 + std::exp(-(static_cast<double>(i) + 0.5) / 24));
    EXPECT_NEAR((table[i] + table[i + 1]) / 2.0, exact, 1.2) << i;
  }
}

TEST(LstmNumbers, SvdfRoundsProductsOfScales) {
  const SvdfAttributes by =
      svdf_attributes(2, {DType::kInt8, 0.5f, 1}, {DType::kInt8, 0.5f, 0}, {DType::kInt16, 1, 0},
                      {DType::kInt16, 0.25f, 0}, {DType::kInt8, 0.5f, -1});
  EXPECT_EQ(by.rank, 2u);
  EXPECT_EQ(by.shifts[0], 1);
  EXPECT_EQ(by.shifts[1], 0);
  EXPECT_EQ(by.multipliers[0], kHalf);
  EXPECT_EQ(by.output.zero_point, -1);
}

}  // namespace
}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
