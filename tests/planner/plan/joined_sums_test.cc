// Tests which quantized convolutions and sums become one node for devices, and that results stay.
#include "planner/passes/integers/joined_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/planner/model/run_model.h"
#include "tests/planner/plan/quantized_block.h"

namespace arenite::test {
namespace {

using planner::Graph;
using ::testing::ElementsAre;

TEST(JoinedSums, TakesTheConvolutionBeforeToTheBit) {
  using Operands = std::vector<std::string>;
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const Operands& operands : {Operands{"p.f", "x.f"}, Operands{"x.f", "p.f"}}) {
      QuantizedBlock block(type);
      block.sum(operands);
      const Graph plain = block.graph();
      ASSERT_EQ(plain.nodes.size(), 2u);
      const std::optional<Graph> joined = planner::with_joined_sums(plain);
      ASSERT_TRUE(joined.has_value());
      ASSERT_EQ(joined->nodes.size(), 1u);
      EXPECT_EQ(joined->nodes[0].op, Op::kQuantizedConvAdd);
      EXPECT_EQ(joined->nodes[0].sources.front(), "conv");
      EXPECT_EQ(planner::run_graph(*joined, {block.x})[0].bytes,
                planner::run_graph(plain, {block.x})[0].bytes);
      EXPECT_FALSE(planner::with_joined_sums(*joined).has_value());
    }
  }
}

// As channels-last models have it: the sum's operands and result lie in another order.
TEST(JoinedSums, TakesTransposedResults) {
  QuantizedBlock block(DType::kInt8);
  const planner::TensorData r = integer_noise(DType::kInt8, {1, 6, 5, kBlockChannels}, 8);
  block.input("r", {"1", "6", "5", "8"}, DType::kInt8);
  block.node("DequantizeLinear", {"r", "x.s", "x.z"}, {"r.f"}, "r_float");
  block.node("Transpose", {"p.f"}, {"p.last"}, "transpose").with_ints("perm", {0, 2, 3, 1});
  block.sum({"r.f", "p.last"});
  const Graph plain = block.graph();
  const std::optional<Graph> joined = planner::with_joined_sums(plain);
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(std::ranges::count(joined->nodes, Op::kQuantizedConvAdd, &planner::Node::op), 1);
  EXPECT_EQ(std::ranges::count(joined->nodes, Op::kQuantizedConv, &planner::Node::op), 0);
  EXPECT_EQ(planner::run_graph(*joined, {block.x, r})[0].bytes,
            planner::run_graph(plain, {block.x, r})[0].bytes);
}

TEST(JoinedSums, LeavesOthersAlone) {
  QuantizedBlock difference(DType::kInt8);
  difference.sum({"x.f", "p.f"}, "Sub");
  EXPECT_FALSE(planner::with_joined_sums(difference.graph()).has_value());

  QuantizedBlock read_twice(DType::kInt8);
  read_twice.sum({"p.f", "x.f"}).output("p", DType::kInt8);
  EXPECT_FALSE(planner::with_joined_sums(read_twice.graph()).has_value());

  QuantizedBlock of_a_constant(DType::kInt8);
  of_a_constant.initializer("c", planner::random_tensor({1, kBlockChannels, 1, 1}, 4));
  of_a_constant.sum({"p.f", "c"});
  EXPECT_FALSE(planner::with_joined_sums(of_a_constant.graph()).has_value());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
