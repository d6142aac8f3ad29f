// Tests the kernel forms of operands: merged dims, broadcasting, added spatial dims, panels.
#include "planner/operands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/attributes.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

RuntimeForm form_of(Op op, const std::vector<std::optional<Strided>>& inputs,
                    const std::vector<std::optional<Strided>>& outputs) {
  Node node;
  node.op = op;
  return runtime_form(node, inputs, outputs);
}

TEST(RuntimeForm, DenseElementwiseOperandsBecomeOneRun) {
  const Strided x = row_major({2, 3, 4});
  const RuntimeForm form = form_of(Op::kAdd, {x, x}, {x});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(24));
  EXPECT_THAT(form.inputs[1]->dims, ElementsAre(24));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(1));
}

TEST(RuntimeForm, ChannelsLastIsOneRunToo) {
  Strided x = row_major({2, 3, 4, 5});
  x.strides = {60, 1, 15, 3};
  const RuntimeForm form = form_of(Op::kSigmoid, {x}, {x});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(120));
}

TEST(RuntimeForm, BroadcastOperandsGetStrideZero) {
  const Strided x = row_major({2, 3, 4, 5});
  const Strided channel = row_major({3, 1, 1});
  const RuntimeForm form = form_of(Op::kMul, {x, channel}, {x});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(2, 3, 20));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(0, 1, 0));
  const RuntimeForm scalar = form_of(Op::kMul, {x, row_major({})}, {x});
  EXPECT_THAT(scalar.outputs[0]->dims, ElementsAre(120));
  EXPECT_THAT(scalar.inputs[1]->strides, ElementsAre(0));
}

TEST(RuntimeForm, OneElementKeepsOneDimension) {
  const RuntimeForm form = form_of(Op::kCopy, {row_major({})}, {row_major({})});
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(1));
}

TEST(RuntimeForm, ClipBoundsStayScalars) {
  const RuntimeForm form =
      form_of(Op::kClip, {row_major({2, 3}), std::nullopt, row_major({})}, {row_major({2, 3})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(6));
  EXPECT_FALSE(form.inputs[1]);
  EXPECT_TRUE(form.inputs[2]->dims.empty());
}

TEST(RuntimeForm, TransposedInputKeepsTheOutputsOrder) {
  Strided x = row_major({3, 2});
  x.strides = {1, 3};
  const RuntimeForm form = form_of(Op::kCopy, {x}, {row_major({3, 2})});
  EXPECT_THAT(form.outputs[0]->strides, ElementsAre(2, 1));
  EXPECT_THAT(form.inputs[0]->strides, ElementsAre(1, 3));
}

TEST(RuntimeForm, LinesGetAHeightOfOne) {
  Strided last = row_major({2, 3, 4});
  last.strides = {12, 1, 3};
  const RuntimeForm form = form_of(Op::kConv, {last, row_major({5, 3, 2})}, {row_major({2, 5, 3})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(2, 3, 1, 4));
  EXPECT_THAT(form.inputs[0]->strides, ElementsAre(12, 1, 12, 3));
  EXPECT_THAT(form.inputs[1]->dims, ElementsAre(5, 3, 1, 2));
  EXPECT_THAT(form.outputs[0]->dims, ElementsAre(2, 5, 1, 3));
}

TEST(RuntimeForm, PoolsHaveThreeSpatialDims) {
  const RuntimeForm form =
      form_of(Op::kMaxPool, {row_major({1, 2, 4})}, {row_major({1, 2, 2}), row_major({1, 2, 2})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(1, 2, 1, 1, 4));
  EXPECT_THAT(form.outputs[1]->dims, ElementsAre(1, 2, 1, 1, 2));
}

TEST(RuntimeForm, MatrixProductsHaveOneRank) {
  const RuntimeForm form =
      form_of(Op::kMatMul, {row_major({4, 1, 2, 3}), row_major({5, 3, 6}), row_major({6})},
              {row_major({4, 5, 2, 6})});
  EXPECT_THAT(form.inputs[0]->dims, ElementsAre(4, 5, 2, 3));
  EXPECT_THAT(form.inputs[0]->strides, ElementsAre(6, 0, 3, 1));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(0, 18, 6, 1));
  EXPECT_THAT(form.inputs[2]->dims, ElementsAre(4, 5, 2, 6));
  EXPECT_THAT(form.inputs[2]->strides, ElementsAre(0, 0, 0, 1));
}

TEST(RuntimeForm, PanelsKeepBatchDimsOfOne) {
  Strided panels = row_major({3, 6});
  panels.layout = Layout::kPanel16;
  const RuntimeForm form =
      form_of(Op::kMatMul, {row_major({4, 2, 3}), panels}, {row_major({4, 2, 6})});
  EXPECT_THAT(form.inputs[1]->dims, ElementsAre(1, 3, 6));
  EXPECT_THAT(form.inputs[1]->strides, ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
