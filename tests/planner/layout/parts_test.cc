// Concatenations and pads in place: which parts their producers write, where, and which are copied.
#include "planner/steps/layout/parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using planner::LaidGraph;
using planner::PartsInPlace;
using planner::Strided;

PartsInPlace in_place(const Graph& graph) {
  const LaidGraph laid = planner::lay_out(graph, {all_ops()});
  return planner::place_parts(graph, laid, planner::nodes_with_parts(laid), {all_ops()});
}

const Strided& output_form(const PartsInPlace& parts, size_t node) {
  return parts.laid.nodes[node].outputs[0]->form;
}

TEST(Parts, ChannelsAreWrittenAPixelStrideApart) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 4, 4});
  const ValueId joined = b.concat({b.conv(x, 4, 1), b.conv(x, 6, 1)}, 1);
  b.output(b.conv(joined, 2, 1));
  const PartsInPlace parts = in_place(b.graph());
  EXPECT_EQ(parts.nodes, 1u);
  EXPECT_EQ(parts.parts, 2u);
  EXPECT_TRUE(parts.laid.nodes[2].view);
  const Dims strides = output_form(parts, 0).strides;
  EXPECT_EQ(Dims(strides.begin() + 1, strides.end()), (Dims{1, 40, 10}));
  EXPECT_EQ(output_form(parts, 0).offset, 0u);
  EXPECT_EQ(output_form(parts, 1).offset, 4u);
  EXPECT_EQ(parts.laid.schedule.storages.size(), 3u) << "input, joined, output";
}

TEST(Parts, NestedConcatenationsShareOneOwner) {
  GraphBuilder b;
  const ValueId x = b.conv(b.input({1, 3, 4, 4}), 4, 1);
  const ValueId one = b.concat({x, b.conv(x, 2, 1)}, 1);
  const ValueId two = b.concat({one, b.conv(one, 2, 1)}, 1);
  b.output(b.conv(two, 3, 1));
  const PartsInPlace parts = in_place(b.graph());
  EXPECT_EQ(parts.nodes, 2u);
  EXPECT_EQ(parts.laid.schedule.storages.size(), 3u);
  EXPECT_EQ(output_form(parts, 0).strides[3], 8u);
  EXPECT_EQ(output_form(parts, 1).offset, 4u);
  EXPECT_EQ(output_form(parts, 3).offset, 6u);
}

TEST(Parts, InputsConstantsAndSecondUsesAreCopied) {
  GraphBuilder b;
  const ValueId x = b.input({2, 3});
  const ValueId y = b.clip(x, 0, 1);
  b.output(b.concat({y, x, y, b.constant({1, 3})}, 0));
  const PartsInPlace parts = in_place(b.graph());
  EXPECT_EQ(parts.nodes, 1u);
  EXPECT_EQ(parts.parts, 1u);
  ASSERT_EQ(parts.laid.nodes.size(), 5u);
  for (size_t n = 1; n < 4; ++n) EXPECT_EQ(parts.laid.nodes[n].node.op, Op::kCopy);
  EXPECT_EQ(parts.laid.schedule.copies.size(), 2u)
      << "a constant is none that the model could do without";
}

TEST(Parts, ValuesThatAreOutputsStayWhereTheyAre) {
  GraphBuilder b;
  const ValueId y = b.clip(b.input({2, 3}), 0, 1);
  b.output(y);
  b.output(b.concat({y, y}, 1));
  EXPECT_EQ(in_place(b.graph()).nodes, 0u);
}

TEST(Parts, ReadersThatCannotFollowKeepAPartOut) {
  GraphBuilder b;
  const ValueId x = b.input({2, 4});
  const ValueId y = b.clip(x, 0, 1);
  const ValueId flat = b.reshape(y, {8});  // one stride: not in rows of another length
  b.output(b.clip(flat, 0, 1));
  b.output(b.concat({y, b.clip(x, -1, 0)}, 1));
  const PartsInPlace parts = in_place(b.graph());
  EXPECT_EQ(parts.nodes, 1u);
  EXPECT_EQ(parts.parts, 1u);
}

TEST(Parts, APadIsItsInsideAndItsBorders) {
  GraphBuilder b;
  const ValueId y = b.clip(b.input({2, 3}), 0, 1);
  PadAttributes attributes{};
  attributes.begin[0] = 1;
  attributes.begin[1] = 2;
  b.output(b.node(Op::kPad, {y}, {4, 6}, attributes));
  const PartsInPlace parts = in_place(b.graph());
  ASSERT_EQ(parts.laid.nodes.size(), 6u) << "clip, four borders, the view";
  EXPECT_EQ(output_form(parts, 0).offset, 8u);
  EXPECT_EQ(output_form(parts, 0).strides, (Dims{6, 1}));
  std::vector<bool> filled(24);
  for (size_t n = 0; n < 5; ++n) {
    const Strided& form = output_form(parts, n);
    for (uint32_t i = 0; i < form.dims[0]; ++i) {
      for (uint32_t j = 0; j < form.dims[1]; ++j) {
        const uint64_t at = form.offset + i * form.strides[0] + j * form.strides[1];
        EXPECT_FALSE(filled[at]) << at;
        filled[at] = true;
      }
    }
  }
  EXPECT_EQ(std::count(filled.begin(), filled.end(), true), 24);
}

TEST(Parts, AreChosenByThePeak) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  b.output(b.conv(b.concat({b.conv(x, 8, 1), b.conv(x, 8, 1)}, 1), 2, 1));
  const LaidGraph laid = planner::lay_out(b.graph(), {all_ops()});
  const auto nodes = planner::nodes_with_parts(laid);
  EXPECT_EQ(planner::choose_parts(b.graph(), laid, nodes, {all_ops()}), nodes);
  EXPECT_EQ(planner::live_bytes_max(laid), 2u * 16 * 64 * 4);
  const PartsInPlace parts = planner::place_parts(b.graph(), laid, nodes, {all_ops()});
  EXPECT_EQ(planner::live_bytes_max(parts.laid), (3u + 16) * 64 * 4);
}

// In one storage for the concatenation, all parts live from the first one on.
TEST(Parts, AreLeftOutForBytesAlone) {
  GraphBuilder b;
  const ValueId x = b.input({1, 1, 8, 8});
  const ValueId early = b.conv(x, 8, 1);
  const ValueId wide = b.conv(b.conv(x, 32, 1), 1, 1);
  b.output(b.conv(b.concat({b.conv(early, 1, 1), wide, b.conv(wide, 16, 1)}, 1), 1, 1));
  const LaidGraph laid = planner::lay_out(b.graph(), {all_ops()});
  const auto nodes = planner::nodes_with_parts(laid);
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_TRUE(planner::choose_parts(b.graph(), laid, nodes, {all_ops()}).empty());
  EXPECT_EQ(planner::choose_parts(b.graph(), laid, nodes, {all_ops()}, false), nodes);
}

// Storage [4, 6], of which columns 1..3 hold what was dense [4, 3].
TEST(Parts, ViewsMoveAlongWithTheirStorage) {
  const Strided from = planner::row_major({4, 3});
  Strided to = planner::row_major({4, 6});
  to.dims = {4, 3};
  to.offset = 1;
  Strided column = from;
  column.dims = {4, 1};
  column.offset = 2;
  const auto moved = planner::moved_along(column, from, to);
  ASSERT_TRUE(moved.has_value());
  EXPECT_EQ(moved->offset, 3u);
  EXPECT_EQ(moved->strides[0], 6u);
  EXPECT_FALSE(planner::moved_along(planner::row_major({12}), from, to).has_value());
  EXPECT_FALSE(planner::moved_along(planner::row_major({6, 2}), from, to).has_value());
  const auto rows = planner::moved_along(planner::row_major({2, 2, 3}), from, to);
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->strides, (Dims{12, 6, 1}));
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
