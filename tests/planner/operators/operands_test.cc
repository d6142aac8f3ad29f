// Tests the operands of steps: merged dims, broadcasting, added spatial dims, panels.
#include "planner/graph/operands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/attributes.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

TEST(StepOperands, DenseElementwiseOperandsBecomeOneRun) {
  const Strided x = row_major({2, 3, 4});
  const StepOperands form = step_operands(Op::kAdd, {x, x}, {x});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(24));
  EXPECT_THAT(form.inputs[1]->dims, ElementsAre(24));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(1));
}

TEST(StepOperands, ChannelsLastIsOneRunToo) {
  Strided x = row_major({2, 3, 4, 5});
  x.strides = {60, 1, 15, 3};
  const StepOperands form = step_operands(Op::kSigmoid, {x}, {x});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(120));
}

TEST(StepOperands, BroadcastOperandsGetStrideZero) {
  const Strided x = row_major({2, 3, 4, 5});
  const Strided channel = row_major({3, 1, 1});
  const StepOperands form = step_operands(Op::kMul, {x, channel}, {x});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(2, 3, 20));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(0, 1, 0));
  const StepOperands scalar = step_operands(Op::kMul, {x, row_major({})}, {x});
  EXPECT_THAT(scalar.outputs[0]->dims, ElementsAre(120));
  EXPECT_THAT(scalar.inputs[1]->strides, ElementsAre(0));
}

TEST(StepOperands, OneElementKeepsOneDimension) {
  const StepOperands form = step_operands(Op::kCopy, {row_major({})}, {row_major({})});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(1));
}

TEST(StepOperands, ClipBoundsStayScalars) {
  const StepOperands form = step_operands(
      Op::kClip, {row_major({2, 3}), std::nullopt, row_major({})}, {row_major({2, 3})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(6));
  EXPECT_FALSE(form.inputs[1]);
  EXPECT_TRUE(form.inputs[2]->dims.empty());
}

TEST(StepOperands, TransposedInputKeepsTheOutputsOrder) {
  Strided x = row_major({3, 2});
  x.strides = {1, 3};
  const StepOperands form = step_operands(Op::kCopy, {x}, {row_major({3, 2})});
  EXPECT_THAT(form.outputs[0]->strides, ElementsAre(2, 1));
  EXPECT_THAT(form.inputs[0]->strides, ElementsAre(1, 3));
}

TEST(StepOperands, LinesGetAHeightOfOne) {
  Strided last = row_major({2, 3, 4});
  last.strides = {12, 1, 3};
  const StepOperands form =
      step_operands(Op::kConv, {last, row_major({5, 3, 2})}, {row_major({2, 5, 3})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(2, 3, 1, 4));
  EXPECT_THAT(form.inputs[0]->strides, ElementsAre(12, 1, 12, 3));
  EXPECT_THAT(form.inputs[1]->dims, ElementsAre(5, 3, 1, 2));
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(2, 5, 1, 3));
}

TEST(StepOperands, PoolsHaveThreeSpatialDims) {
  const StepOperands form = step_operands(Op::kMaxPool, {row_major({1, 2, 4})},
                                          {row_major({1, 2, 2}), row_major({1, 2, 2})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(1, 2, 1, 1, 4));
  EXPECT_THAT(form.outputs[1]->dims, ElementsAre(1, 2, 1, 1, 2));
}

TEST(StepOperands, MatrixProductsHaveOneRank) {
  const StepOperands form =
      step_operands(Op::kMatMul, {row_major({4, 1, 2, 3}), row_major({5, 3, 6}), row_major({6})},
                    {row_major({4, 5, 2, 6})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(4, 5, 2, 3));
  EXPECT_THAT(form.inputs[0]->strides, ElementsAre(6, 0, 3, 1));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(0, 18, 6, 1));
  EXPECT_THAT(form.inputs[2]->dims, ElementsAre(4, 5, 2, 6));
  EXPECT_THAT(form.inputs[2]->strides, ElementsAre(0, 0, 0, 1));
}

TEST(StepOperands, PanelsKeepBatchDimsOfOne) {
  Strided panels = row_major({3, 6});
  panels.layout = Layout::kPanel16;
  panels.strides = {0, 0};
  const StepOperands form =
      step_operands(Op::kMatMul, {row_major({4, 2, 3}), panels}, {row_major({4, 2, 6})});
  EXPECT_THAT(form.inputs[1]->dims, ElementsAre(1, 3, 6));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(0, 0, 0));
}

// The word stays with the outputs' dim.
TEST(StepOperands, BlocksKeepTheirWord) {
  constexpr uint32_t kWord = word_of({8, 4, 32});
  Strided right = row_major({3, 6});
  right.layout = Layout::kBlocked;
  right.strides = {0, kWord};
  const StepOperands product =
      step_operands(Op::kMatMul, {row_major({4, 2, 3}), right}, {row_major({4, 2, 6})});
  EXPECT_THAT(product.inputs[1]->dims, ElementsAre(1, 3, 6));
  EXPECT_THAT(product.inputs[1]->strides, ElementsAre(0, 0, kWord));
  Strided filters = row_major({5, 3, 2});
  filters.layout = Layout::kBlocked;
  filters.strides = {kWord, 0, 0};
  const StepOperands conv =
      step_operands(Op::kConv, {row_major({1, 3, 7}), filters}, {row_major({1, 5, 6})});
  EXPECT_THAT(conv.inputs[1]->dims, ElementsAre(5, 3, 1, 2));
  EXPECT_THAT(conv.inputs[1]->strides, ElementsAre(kWord, 0, 0, 0));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
