// Layouts of small graphs worked out by hand: orders, views, copies, outputs.
#include "planner/steps/layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using planner::LaidGraph;
using planner::lay_out;
using planner::layout_name;

const planner::TargetForms kForms{all_ops()};

size_t views(const LaidGraph& laid) {
  return static_cast<size_t>(std::count_if(laid.nodes.begin(), laid.nodes.end(),
                                           [](const auto& node) { return node.view; }));
}

std::string output_layout(const LaidGraph& laid, size_t node) {
  return layout_name(laid.nodes[node].outputs[0]->form);
}

TEST(Layout, ConvolutionsAreChannelsLastBetweenRowMajorEnds) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId y = b.conv(b.clip(b.conv(x, 4, 3), 0, 6), 5, 1);
  b.output(y);
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_EQ(layout_name(laid.schedule.storages[laid.schedule.inputs[0]].form), "row-major");
  EXPECT_EQ(output_layout(laid, 0), "channels-last");
  EXPECT_EQ(output_layout(laid, 1), "channels-last") << "clip follows its input";
  EXPECT_EQ(output_layout(laid, 2), "row-major") << "an output is written as the model has it";
  EXPECT_TRUE(laid.schedule.copies.empty());
}

TEST(Layout, ElementwiseBeforeAConvolutionTakesItsSide) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  b.output(b.conv(b.clip(x, 0, 6), 4, 3));
  EXPECT_EQ(output_layout(lay_out(b.graph(), kForms), 0), "channels-last");
}

TEST(Layout, FlatteningMakesTheProducerRowMajor) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId flat = b.reshape(b.max_pool(b.conv(x, 4, 3), 3), {1, 16});
  b.output(b.matmul(flat, b.constant({16, 10}), {1, 10}));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_EQ(output_layout(laid, 0), "channels-last");
  EXPECT_EQ(output_layout(laid, 1), "row-major");
  EXPECT_EQ(views(laid), 1u);
  EXPECT_TRUE(laid.schedule.copies.empty());
}

TEST(Layout, FlatteningWhatAConvolutionReadsTooIsACopy) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId y = b.conv(x, 4, 3);
  b.output(b.conv(y, 2, 3));
  b.output(b.matmul(b.reshape(y, {1, 144}), b.constant({144, 10}), {1, 10}));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_EQ(output_layout(laid, 0), "channels-last");
  ASSERT_EQ(laid.schedule.copies.size(), 1u);
  EXPECT_EQ(laid.schedule.copies[0].node, "reshape_2");
  EXPECT_EQ(laid.schedule.copies[0].argument, b.graph().values[y].name);
  EXPECT_EQ(laid.schedule.copies[0].from, "channels-last");
  EXPECT_EQ(laid.schedule.copies[0].to, "row-major");
}

// The shuffle of ShuffleNet: split channels, swap the halves, join them again.
TEST(Layout, ChannelShuffleIsOneCopyIntoChannelsLast) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId split = b.reshape(b.conv(x, 8, 3), {1, 2, 4, 6, 6});
  const ValueId shuffled = b.reshape(b.transpose(split, {0, 2, 1, 3, 4}), {1, 8, 6, 6});
  b.output(b.conv(shuffled, 8, 3, 0, 8));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_EQ(laid.schedule.copies.size(), 1u);
  EXPECT_EQ(views(laid), 3u);
  EXPECT_EQ(output_layout(laid, 4), "channels-last") << "as the convolution behind it likes";
}

// ShuffleNet v2 convolves half of what it shuffled and keeps the other half.
TEST(Layout, AShuffleWhosePartsAreConvolvedIsChannelsLast) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId split = b.reshape(b.conv(x, 8, 3), {1, 2, 4, 6, 6});
  const ValueId shuffled = b.reshape(b.transpose(split, {0, 2, 1, 3, 4}), {1, 8, 6, 6});
  const ValueId kept = b.slice(shuffled, {0, 0, 0, 0}, {1, 1, 1, 1}, {1, 4, 6, 6});
  const ValueId half = b.slice(shuffled, {0, 4, 0, 0}, {1, 1, 1, 1}, {1, 4, 6, 6});
  b.output(b.add(b.clip(kept, 0, 1), b.conv(half, 4, 1)));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_EQ(laid.schedule.copies.size(), 1u);
  EXPECT_EQ(output_layout(laid, 4), "channels-last");
}

TEST(Layout, DetectionHeadNeedsNoCopy) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId last = b.transpose(b.conv(x, 8, 3), {0, 2, 3, 1});
  b.output(b.reshape(last, {1, 72, 4}));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_TRUE(laid.schedule.copies.empty());
  EXPECT_EQ(views(laid), 2u);
  EXPECT_EQ(output_layout(laid, 0), "channels-last");
  EXPECT_EQ(laid.schedule.storages[laid.schedule.outputs[0]].form.dims, (Dims{1, 72, 4}));
}

TEST(Layout, OutputsThatOwnNothingAreCopied) {
  GraphBuilder b;
  const ValueId x = b.input({2, 3});
  const ValueId y = b.clip(x, 0, 1);
  b.output(x);                       // an input
  b.output(b.constant({4}));         // a constant
  b.output(y);                       // a kernel's result
  b.output(y);                       // the same again
  b.output(b.transpose(y, {1, 0}));  // a view
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_EQ(laid.schedule.copies.size(), 4u);
  for (size_t i = 0; i < laid.schedule.outputs.size(); ++i) {
    for (size_t k = 0; k < i; ++k) EXPECT_NE(laid.schedule.outputs[i], laid.schedule.outputs[k]);
  }
}

TEST(Layout, ForwardSlicesAreViewsBackwardOnesAreNot) {
  GraphBuilder b;
  const ValueId x = b.input({4, 6});
  const ValueId forward = b.slice(x, {1, 2}, {1, 2}, {2, 2});
  const ValueId backward = b.slice(x, {3, 0}, {-1, 1}, {2, 2});
  b.output(b.add(forward, backward));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  EXPECT_TRUE(laid.nodes[0].view);
  EXPECT_EQ(laid.nodes[0].outputs[0]->form.offset, 8u);
  EXPECT_EQ(laid.nodes[0].outputs[0]->form.strides, (Dims{6, 2}));
  EXPECT_FALSE(laid.nodes[1].view);
}

TEST(Layout, ASliceThatIsAnOutputWritesIt) {
  GraphBuilder b;
  b.output(b.slice(b.input({4, 6}), {1, 2}, {1, 1}, {2, 2}));
  const LaidGraph laid = lay_out(b.graph(), kForms);
  ASSERT_EQ(laid.nodes.size(), 1u);
  EXPECT_FALSE(laid.nodes[0].view);
  EXPECT_TRUE(laid.schedule.copies.empty());
}

// The alignment that one form needs concerns no other: only the data that it reads must be aligned.
TEST(Layout, ViewsStartWhereTheirReadersWantThem) {
  Form aligned = kClipForm0;
  aligned.types = types::kNumber;
  aligned.alignment = 4;
  const Form* const forms[] = {&aligned, nullptr};
  std::vector<OpEntry> ops(all_ops().begin(), all_ops().end());
  for (OpEntry& entry : ops) {
    if (entry.op == Op::kClip) entry.forms = forms;
  }
  GraphBuilder b;
  const ValueId x = b.input({8}, DType::kUint8);
  const ValueId odd = b.slice(x, {3}, {1}, {4});
  const ValueId even = b.slice(x, {4}, {1}, {4});
  const ValueId other = b.slice(x, {3}, {1}, {4});
  b.output(b.clip(odd, 0, 1));
  b.output(b.clip(even, 0, 1));
  b.output(b.concat({other, other}, 0));
  const LaidGraph laid = lay_out(b.graph(), {ops});
  EXPECT_FALSE(laid.nodes[0].view);
  EXPECT_TRUE(laid.nodes[1].view);
  EXPECT_TRUE(laid.nodes[2].view);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
