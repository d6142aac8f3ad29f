// Copies of inputs to channels-last: which readers take the copy, and which inputs get none.
#include "planner/steps/layout/input_copies.h"

#include <gtest/gtest.h>

#include "planner/steps/layout/parts.h"
#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using planner::InputCopies;

InputCopies copied(const Graph& graph) {
  return planner::copy_inputs_to_channels_last(planner::lay_out(graph, {all_ops()}));
}

TEST(InputCopies, SpatialReadersShareOneCopyAndOthersKeepTheInput) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  const ValueId same = b.clip(x, 0, 1);
  b.output(b.add(b.conv(x, 3, 1), b.max_pool(x, 1)));
  b.output(same);
  const InputCopies result = copied(b.graph());
  EXPECT_EQ(result.copies, 1u);
  EXPECT_EQ(result.laid.schedule.copies.back().to, "channels-last");
  uint32_t from_copy = 0;
  uint32_t made_at = UINT32_MAX;
  const auto copy = static_cast<uint32_t>(result.laid.schedule.storages.size() - 1);
  for (uint32_t n = 0; n < result.laid.nodes.size(); ++n) {
    const planner::LaidNode& node = result.laid.nodes[n];
    if (node.node.op == Op::kCopy && node.outputs[0]->index == copy) made_at = n;
    if (planner::is_spatial(node.node.op)) {
      EXPECT_EQ(node.inputs[0]->index, copy);
      EXPECT_LT(made_at, n);
      ++from_copy;
    } else if (node.node.op == Op::kClip) {
      EXPECT_EQ(node.inputs[0]->index, result.laid.schedule.inputs[0]);
    }
  }
  EXPECT_EQ(from_copy, 2u);
}

TEST(InputCopies, OneChannelOrNoSpatialReaderNeedsNone) {
  GraphBuilder one;
  one.output(one.conv(one.input({1, 1, 8, 8}), 4, 3));
  EXPECT_EQ(copied(one.graph()).copies, 0u);
  GraphBuilder plain;
  plain.output(plain.clip(plain.input({1, 3, 8, 8}), 0, 1));
  EXPECT_EQ(copied(plain.graph()).copies, 0u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
