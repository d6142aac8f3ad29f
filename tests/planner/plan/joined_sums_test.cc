// Tests which quantized convolutions and sums become one node for devices, and that results stay.
#include "planner/passes/integers/joined_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/attributes.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::test {
namespace {

using planner::Graph;
using planner::ModelBuilder;
using ::testing::ElementsAre;

constexpr uint32_t kChannels = 8;

// Integers of the whole range, as they come.
planner::TensorData noise(DType type, std::vector<uint32_t> dims, uint32_t seed) {
  std::vector<int> elements;
  for (const float number : planner::floats_of(planner::random_tensor(dims, seed).bytes)) {
    elements.push_back(static_cast<int>(number * 127) + (type == DType::kUint8 ? 128 : 0));
  }
  return planner::integer_tensor(type, std::move(dims), elements);
}

// x [1, 8, 6, 5] through a convolution, then a sum with x itself; no zero point is 0.
struct Block : ModelBuilder {
  explicit Block(DType type) : ModelBuilder(13), x(noise(type, {1, kChannels, 6, 5}, 7)) {
    input("x", {"1", "8", "6", "5"}, type);
    float scale = 0.02f;
    for (const char* name : {"x", "p", "y"}) {
      initializer(std::string(name) + ".s", planner::float_tensor({}, {scale}));
      initializer(std::string(name) + ".z",
                  planner::integer_tensor(type, {}, {type == DType::kUint8 ? 117 : -5}));
      scale *= 1.5f;
    }
    initializer("w", noise(DType::kInt8, {kChannels, kChannels, 3, 3}, 1));
    initializer("w.s", planner::float_tensor({}, {0.003f}));
    initializer("w.z", planner::integer_tensor(DType::kInt8, {}, {0}));
    node("QLinearConv", {"x", "x.s", "x.z", "w", "w.s", "w.z", "p.s", "p.z"}, {"p"}, "conv");
    with_ints("pads", {1, 1, 1, 1});
    node("DequantizeLinear", {"x", "x.s", "x.z"}, {"x.f"}, "x_float");
    node("DequantizeLinear", {"p", "p.s", "p.z"}, {"p.f"}, "p_float");
  }
  Block& sum(const std::vector<std::string>& operands, const char* op = "Add") {
    node(op, operands, {"y.f"}, "sum");
    node("QuantizeLinear", {"y.f", "y.s", "y.z"}, {"y"}, "y_integers");
    output("y", x.dtype);
    return *this;
  }
  Graph graph() const {
    Graph graph = planner::import_onnx(bytes(), {});
    planner::optimize(graph);
    return graph;
  }

  planner::TensorData x;
};

TEST(JoinedSums, TakesTheConvolutionBeforeToTheBit) {
  using Operands = std::vector<std::string>;
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const Operands& operands : {Operands{"p.f", "x.f"}, Operands{"x.f", "p.f"}}) {
      Block block(type);
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
  Block block(DType::kInt8);
  const planner::TensorData r = noise(DType::kInt8, {1, 6, 5, kChannels}, 8);
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
  Block difference(DType::kInt8);
  difference.sum({"x.f", "p.f"}, "Sub");
  EXPECT_FALSE(planner::with_joined_sums(difference.graph()).has_value());

  Block read_twice(DType::kInt8);
  read_twice.sum({"p.f", "x.f"}).output("p", DType::kInt8);
  EXPECT_FALSE(planner::with_joined_sums(read_twice.graph()).has_value());

  Block of_a_constant(DType::kInt8);
  of_a_constant.initializer("c", planner::random_tensor({1, kChannels, 1, 1}, 4));
  of_a_constant.sum({"p.f", "c"});
  EXPECT_FALSE(planner::with_joined_sums(of_a_constant.graph()).has_value());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
