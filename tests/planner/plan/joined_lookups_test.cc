// Tests which quantized convolutions and lookups become one node for devices, and that results
// stay.
#include "planner/passes/integers/joined_lookups.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/planner/model/run_model.h"
#include "tests/planner/plan/quantized_block.h"

namespace arenite::test {
namespace {

using planner::Graph;

uint64_t count(const Graph& graph, Op op) {
  return static_cast<uint64_t>(std::ranges::count(graph.nodes, op, &planner::Node::op));
}

TEST(JoinedLookups, TakesTheConvolutionBeforeToTheBit) {
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    QuantizedBlock block(type);
    const Graph plain = block.sigmoid("p.f").graph();
    ASSERT_EQ(plain.nodes.size(), 2u);
    const std::optional<Graph> joined = planner::with_joined_lookups(plain);
    ASSERT_TRUE(joined.has_value());
    ASSERT_EQ(joined->nodes.size(), 1u);
    EXPECT_EQ(joined->nodes[0].op, Op::kQuantizedConvLookup);
    EXPECT_EQ(joined->nodes[0].sources.front(), "conv");
    EXPECT_EQ(planner::run_graph(*joined, {block.x})[0].bytes,
              planner::run_graph(plain, {block.x})[0].bytes);
    EXPECT_FALSE(planner::with_joined_lookups(*joined).has_value());
  }
}

// As channels-last models have it: the table is read behind a transpose.
TEST(JoinedLookups, TakesTransposedResults) {
  QuantizedBlock block(DType::kInt8);
  block.node("Transpose", {"p.f"}, {"p.last"}, "transpose").with_ints("perm", {0, 2, 3, 1});
  const Graph plain = block.sigmoid("p.last").graph();
  const std::optional<Graph> joined = planner::with_joined_lookups(plain);
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(count(*joined, Op::kQuantizedConvLookup), 1u);
  EXPECT_EQ(count(*joined, Op::kLookup), 0u);
  EXPECT_EQ(planner::run_graph(*joined, {block.x})[0].bytes,
            planner::run_graph(plain, {block.x})[0].bytes);
}

TEST(JoinedLookups, LeavesOthersAlone) {
  QuantizedBlock read_twice(DType::kInt8);
  read_twice.sigmoid("p.f").output("p", DType::kInt8);
  EXPECT_FALSE(planner::with_joined_lookups(read_twice.graph()).has_value());

  // To another type than that of what reads the table.
  QuantizedBlock other_type(DType::kInt8);
  other_type.initializer("u.z", planner::integer_tensor(DType::kUint8, {}, {3}));
  other_type.node("Sigmoid", {"p.f"}, {"y.f"}, "sigmoid");
  other_type.node("QuantizeLinear", {"y.f", "y.s", "u.z"}, {"y"}, "y_integers");
  other_type.output("y", DType::kUint8);
  const Graph graph = other_type.graph();
  ASSERT_EQ(count(graph, Op::kLookup), 1u);
  EXPECT_FALSE(planner::with_joined_lookups(graph).has_value());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
